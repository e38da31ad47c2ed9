"""Heads Up Hold'em: the rules of five documents, the exact mathematics, the live table.

    >>> import headsup
    >>> headsup.advise("QhJh", "Th9c2d").best
    >>> headsup.solve("new-york").house_edge

`docs/python.md` shows every name with examples. Nothing is loaded before it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from headsup.version import __version__ as __version__

if TYPE_CHECKING:
    from headsup.game.refusal import Refused as Refused
    from headsup.library.cards import Card as Card
    from headsup.library.cards import cards as cards
    from headsup.library.cards import hand as hand
    from headsup.library.choosing import RULE_BOOKS as RULE_BOOKS
    from headsup.library.choosing import rules as rules
    from headsup.library.designing import design as design
    from headsup.library.evaluating import evaluate as evaluate
    from headsup.library.parsheets import par as par
    from headsup.library.protecting import protect as protect
    from headsup.library.sessions import session as session
    from headsup.library.settling import settle as settle
    from headsup.library.simulating import simulate as simulate
    from headsup.library.solving import advise as advise
    from headsup.library.solving import solve as solve

_PLACES = {
    "Card": "library.cards",
    "RULE_BOOKS": "library.choosing",
    "Refused": "game.refusal",
    "advise": "library.solving",
    "cards": "library.cards",
    "design": "library.designing",
    "evaluate": "library.evaluating",
    "hand": "library.cards",
    "par": "library.parsheets",
    "protect": "library.protecting",
    "rules": "library.choosing",
    "session": "library.sessions",
    "settle": "library.settling",
    "simulate": "library.simulating",
    "solve": "library.solving",
}

__all__ = ["__version__", *_PLACES]  # noqa: PLE0604 (names, from the table above)


if not TYPE_CHECKING:  # a type checker knows the names above, and no other

    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            raise AttributeError(f"module 'headsup' has no attribute {name!r}")
        return getattr(import_module(f"headsup.{_PLACES[name]}"), name)

    def __dir__() -> list[str]:
        return sorted(__all__)
