"""Heads Up Hold'em: the published rules, the exact mathematics and the live table.

    >>> import headsup
    >>> headsup.advise("QhJh", "Th9c2d").best
    >>> headsup.solve("new-york").house_edge

`docs/python.md` shows every name with examples. Each name is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from headsup.version import __version__ as __version__

if TYPE_CHECKING:
    from headsup.game.refusal import Refused as Refused
    from headsup.library.cards import Card as Card
    from headsup.library.cards import cards as cards
    from headsup.library.cards import hand as hand
    from headsup.library.design import design as design
    from headsup.library.evaluation import evaluate as evaluate
    from headsup.library.evaluation import simplify as simplify
    from headsup.library.game import advise as advise
    from headsup.library.game import solve as solve
    from headsup.library.house import audit as audit
    from headsup.library.house import takings as takings
    from headsup.library.par_sheet import par as par
    from headsup.library.protection import dealer_errors as dealer_errors
    from headsup.library.protection import face_up as face_up
    from headsup.library.protection import protect as protect
    from headsup.library.protection import seen_hands as seen_hands
    from headsup.library.rules import RULE_BOOKS as RULE_BOOKS
    from headsup.library.rules import rules as rules
    from headsup.library.session import session as session
    from headsup.library.settlement import settle as settle
    from headsup.library.simulation import simulate as simulate

_MODULES = {
    "Card": "library.cards",
    "RULE_BOOKS": "library.rules",
    "Refused": "game.refusal",
    "advise": "library.game",
    "audit": "library.house",
    "cards": "library.cards",
    "dealer_errors": "library.protection",
    "design": "library.design",
    "evaluate": "library.evaluation",
    "face_up": "library.protection",
    "hand": "library.cards",
    "par": "library.par_sheet",
    "protect": "library.protection",
    "rules": "library.rules",
    "seen_hands": "library.protection",
    "session": "library.session",
    "settle": "library.settlement",
    "simplify": "library.evaluation",
    "simulate": "library.simulation",
    "solve": "library.game",
    "takings": "library.house",
}

__all__ = ["__version__", *_MODULES]  # noqa: PLE0604 (the keys are strings)


if not TYPE_CHECKING:  # type checkers use the imports above

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module 'headsup' has no attribute {name!r}")
        return getattr(import_module(f"headsup.{_MODULES[name]}"), name)

    def __dir__() -> list[str]:
        return sorted(__all__)
