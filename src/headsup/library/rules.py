"""A table's rules, chosen by name and keyword."""

from typing import Any

from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.model import PAYTABLE_KEYS
from headsup.game.rulebook.table_rules import TableRules, table_rules

RULE_BOOKS = SHIPPED_BOOKS

# The name of a rule book, a file of one's own, or rules chosen before.
RulesLike = str | TableRules
CountLike = int | float | str  # a whole number: `100_000`, `1e5` or `"100,000"`


def require_text(said: object, where: str) -> str:
    if not isinstance(said, str):
        raise Refused(Code.BAD_ARGUMENTS, "text", where=where, value=said)
    return said


def rules(name: RulesLike = "galaxy", **chosen: Any) -> TableRules:
    """`rules("new-york", trips_plus="B", pocket_raises=[1, 2, 3])`.

    A keyword is a paytable (`odds`, `bad_beat`, `trips_plus`, …) or an option of the rule book,
    as `--set` takes them; `rules="new-york"` is the same as its name. Everything wrong with the
    choice is refused at once.
    """
    name = chosen.pop("rules", name)
    if isinstance(name, TableRules):
        if chosen:
            raise TypeError("rules that are chosen already take no further choices")
        return name
    paytables = {key: value for key, value in chosen.items() if key in PAYTABLE_KEYS}
    options = {key: value for key, value in chosen.items() if key not in PAYTABLE_KEYS}
    return table_rules(require_text(name, "name"), paytables, options)
