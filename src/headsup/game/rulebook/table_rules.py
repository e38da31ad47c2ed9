"""The rules of one table: a rule book with its paytables, limits and options chosen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Mapping
from copy import copy
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from headsup.game.refusal import (
    Code,
    Mistake,
    Refusal,
    Refused,
    RulesRefused,
    closest_name,
    refusal,
)
from headsup.game.rulebook.limits import read_limits
from headsup.game.rulebook.loader import draft_book, is_recordable
from headsup.game.rulebook.model import (
    BONUS,
    BONUS_JACKPOT,
    PAYTABLE_KEYS,
    Basis,
    Cap,
    Limit,
    Pay,
    PayKind,
    Paytable,
    RuleBook,
)
from headsup.game.rulebook.options import OPTIONS, refuse_option
from headsup.game.rulebook.paytables import choose_paytable, read_bonus_cells
from headsup.game.rulebook.wagers import SIDE_WAGERS, Street, Wager
from headsup.game.values.frozen_json import FrozenJson
from headsup.game.values.hands import parse_qualifier

# The fingerprint (R4) is a hash of the rules in force and their clauses. It does not depend on how
# the rule book is written, or on whether the book or the table made a choice.

# Fields of the book that are not in force: its id and file, and what it leaves open. The choices
# made from that are in the table's rules.
_NOT_IN_FORCE = frozenset(
    {"id", "file", "options", "choices", "paytables", "closed", "optional_tables", "needs_limit",
     "conditions", "bonus", "limits"}
)  # fmt: skip


def fingerprint(rules: Any, excluded: frozenset[str]) -> str:
    """SHA-256 of all fields of compiled rules except the excluded ones."""
    content = _fields_by_name(rules, excluded)
    content["option_clauses"] = {key: option.clause for key, option in rules.book.options.items()}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _fields_by_name(value: Any, excluded: frozenset[str] = frozenset()) -> dict[str, Any]:
    names = (field.name for field in fields(value))
    return {name: _to_json(getattr(value, name)) for name in names if name not in excluded}


def _to_json(value: Any) -> Any:
    if isinstance(value, Pay):  # 3:2 and 1.5 are the same pay
        return [value.kind.value, str(value.amount)]
    if isinstance(value, RuleBook):
        return _fields_by_name(value, _NOT_IN_FORCE)
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(_to_json(key)): _to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_to_json(item) for item in value]
    if is_dataclass(value):
        return _fields_by_name(value)
    raise TypeError(f"{type(value).__name__} is not a value of rules")


# How a choice was written does not change the rules.
_NOT_IN_FINGERPRINT = frozenset({"chosen", "choice", "fingerprint"})


class RulesChoice(NamedTuple):
    """A table's rules as a log stores them: everything needed to compile them again."""

    rules: str
    paytables: tuple[tuple[str, str], ...]
    options: FrozenJson
    cells: tuple[tuple[str, str, str], ...] = ()  # Bonus cells changed since: key, outcome, pay


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TableRules:
    """Everything that settlement, dealing and the solver need to know of the rules, checked.

    Two are equal if they have the same rules and the same book id.
    """

    book: RuleBook
    paytables: Mapping[str, Paytable]
    options: Mapping[str, Any]
    raises: Mapping[Street, tuple[int, ...]]
    qualifier: str
    qualifier_strength: int  # 0: every dealer's hand qualifies
    after_fold: Mapping[Wager, bool]  # side wagers that stay in play when the player folds
    both_hole_cards: bool  # Trips Plus by the letter of New York (R53)
    progressive_stake: int
    sequential_awards: bool
    meter_seed: int
    meter_contribution: int
    meter_max: int
    bonus_jackpot: bool  # a house-owned prize, not players' money (R82)
    chip_unit: int
    rounding: str
    cap: Cap | None
    reseed_floor: bool  # R74: the house tops up a meter that an award took below its seed
    grace_seconds: int  # R33: how long the table waits for an absent player
    coupons: bool  # R12: promotional coupons are accepted as stakes
    limits: Mapping[Wager, Limit]
    single_wager_max: int
    max_side_wagers: int
    dealing: str
    board: str
    face_up: bool
    trips_plus_before_main: bool
    chosen: tuple[
        tuple[str, str], ...
    ]  # the choices that differ from the book, as they were written
    fingerprint: str = field(init=False)  # names these rules in records (R4)
    choice: RulesChoice | None = None  # for a table opened from a log or command

    def __post_init__(self) -> None:
        object.__setattr__(self, "fingerprint", fingerprint(self, _NOT_IN_FINGERPRINT))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableRules):
            return NotImplemented
        same = self.fingerprint == other.fingerprint and self.id == other.id
        return self is other or same

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @property
    def id(self) -> str:
        return self.book.id

    def __repr__(self) -> str:
        chosen = ", ".join(f"{key}={value}" for key, value in self.chosen)
        return f"<TableRules {self.id}{chosen and ': '}{chosen}>"

    def offers(self, wager: Wager) -> bool:
        return wager in (Wager.ANTE, Wager.ODDS, Wager.RAISE) or (
            wager in self.book.offers and wager.value in self.paytables
        )


def table_rules(
    rules: str | RuleBook = "galaxy",
    paytables: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
) -> TableRules:
    """Compile a table's rules. Everything wrong with the choice is reported at once."""
    book, mistakes = draft_book(rules) if isinstance(rules, str) else (rules, ())
    choice = _ChoiceKey(paytables or {}, options or {})
    if mistakes:
        return _Compiler(book, choice.paytables, choice.options, mistakes).compile()
    return _compile_cached(book, choice)


def rules_from_record(
    rules: str, paytables: tuple[tuple[str, str], ...], options: FrozenJson
) -> TableRules:
    """The rules of a table as a log names them: by id or whole text, never by file."""
    if not isinstance(rules, str) or not is_recordable(rules):
        raise Refused(Code.UNKNOWN_RULES, "not_recorded", name=rules)
    if not isinstance(options, FrozenJson):
        raise Refused(Code.BAD_OPTIONS, "not_an_object", value=options)
    # The copy keeps the fingerprint, which is expensive and does not depend on `choice`.
    recorded = copy(table_rules(rules, dict(paytables), options))
    object.__setattr__(recorded, "choice", RulesChoice(rules, paytables, options))
    return recorded


def rules_from_choice(choice: RulesChoice) -> TableRules:
    """The rules that this choice stands for."""
    rules = rules_from_record(choice.rules, choice.paytables, choice.options)
    for key, outcome, pay in choice.cells:
        rules = with_bonus_cell(rules, key, outcome, pay)
    return rules


def with_bonus_cell(rules: TableRules, key: str, outcome: str, pay: str) -> TableRules:
    """The same rules with another pay in one Bonus cell.

    Operators may change these at any time (Washington App. D note 5; likewise A, B and C). An
    impossible change is refused.
    """
    mistakes: list[Mistake] = []
    path = f"bonus.{key}.{outcome}"
    cells = read_bonus_cells(
        {key: {outcome: pay}}, lambda key, why: mistakes.append(Mistake(key, why))
    )
    table = rules.paytables.get(key)
    if not mistakes and (
        table is None or not rules.book.tables_of(key)[table.id].is_bonus(outcome)
    ):
        id = "none" if table is None else table.id
        mistakes.append(Mistake(path, refusal(Code.BAD_RULES, "not_bonus", id=id)))
    if mistakes or table is None:
        raise RulesRefused(mistakes)
    rows = tuple(
        replace(row, pay=cells[key][outcome]) if row.outcome == outcome else row
        for row in table.rows
    )
    tables = {**rules.paytables, key: replace(table, rows=rows)}
    cap = _effective_cap(rules.options, tables, rules.raises, rules.limits)
    chosen = {**dict(rules.chosen), f"options.{path}": pay}
    return replace(
        rules,
        paytables=tables,
        cap=cap,
        chosen=tuple(sorted(chosen.items())),
        choice=_with_cell(rules.choice, key, outcome, pay),
    )


def _with_cell(choice: RulesChoice | None, key: str, outcome: str, pay: str) -> RulesChoice | None:
    if choice is None:
        return None
    others = (cell for cell in choice.cells if cell[:2] != (key, outcome))
    return choice._replace(cells=(*others, (key, outcome, pay)))


class _ChoiceKey:
    """A choice as it was written, as a cache key that tells `1` from `true`."""

    def __init__(self, paytables: Mapping[str, object], options: Mapping[str, object]) -> None:
        self.paytables, self.options = paytables, options
        self.key = (_key(paytables), _key(options))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ChoiceKey) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _key(value: object) -> Hashable:
    if isinstance(value, Mapping):
        return frozenset((key, _key(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(_key(item) for item in value)
    return type(value), value if isinstance(value, Hashable) else repr(value)


@lru_cache(maxsize=1024)
def _compile_cached(book: RuleBook, choice: _ChoiceKey) -> TableRules:
    return _Compiler(book, choice.paytables, choice.options, ()).compile()


class _Compiler:
    """Compiles the rules of one table from a book and the table's choices."""

    def __init__(
        self,
        book: RuleBook,
        paytables: Mapping[str, object],
        options: Mapping[str, object],
        mistakes: tuple[Mistake, ...],
    ) -> None:
        self.book = book
        self.paytables = paytables
        self.options = options
        self.mistakes = list(mistakes)

    def report_mistake(self, key: str, why: Refusal, /) -> None:
        self.mistakes.append(Mistake(key, why))

    def report_mistake_in(self, file: str, key: str, why: Refusal) -> None:
        """Report a mistake of the book itself that shows only with the table's choice."""
        self.mistakes.append(Mistake(key, why, file))

    def file_of(self, key: str) -> str:
        """The book's file if the book chose this paytable, "" if the table did."""
        return "" if key in self.paytables else self.book.file

    def compile(self) -> TableRules:
        values = self.read_options()
        posted = self.book.limits
        limits = read_limits(
            self.options.get("limits", {}), self.book.offers, self.report_mistake, posted
        )
        tables = self.choose_paytables(
            read_bonus_cells(self.options.get("bonus", {}), self.report_mistake)
        )
        self.check_conditions(tables, values)
        if self.mistakes:
            raise RulesRefused(self.mistakes)
        return self.build(tables, values, self.raise_minimum({**posted, **limits}, values))

    def raise_minimum(
        self, limits: dict[Wager, Limit], values: Mapping[str, Any]
    ) -> dict[Wager, Limit]:
        """R100: the option minimum_wager, which can raise the cap, is also the Ante's minimum."""
        minimum, ante = values.get("minimum_wager", 0), limits.get(Wager.ANTE, Limit())
        if minimum <= ante.min:
            return limits
        if 0 < ante.max < minimum:
            self.report_mistake("options.minimum_wager", refusal(Code.BAD_LIMIT, "min_above_max"))
            raise RulesRefused(self.mistakes)
        return {**limits, Wager.ANTE: replace(ante, min=minimum)}

    def read_options(self) -> dict[str, Any]:
        values = {key: option.value for key, option in self.book.options.items()}
        for key, raw in self.options.items():
            path = f"options.{key}"
            if key in ("bonus", "limits"):
                continue
            if key not in OPTIONS:
                known = (*self.book.options, "limits", "bonus")
                near = closest_name(key, (*known, *self.book.paytables))
                tables = tuple(self.book.paytables)
                unknown = refusal(Code.UNKNOWN_OPTION, known=known, paytables=tables, near=near)
                self.report_mistake(path, unknown)
                continue
            try:
                value = OPTIONS[key].read(raw)
            except Refused as refused:
                self.report_mistake(path, refused.refusal)
                continue
            if closed := refuse_option(self.book, key, value):
                self.report_mistake(path, closed)
            values[key] = value
        return values

    def choose_paytables(self, bonus: Mapping[str, Mapping[str, Pay]]) -> dict[str, Paytable]:
        for key in self.paytables:
            if key not in PAYTABLE_KEYS:
                known = tuple(self.book.paytables)
                near = closest_name(key, known)
                unknown = refusal(Code.UNKNOWN_KEY, "paytables", known=known, near=near)
                self.report_mistake(f"paytables.{key}", unknown)
        chosen = {key: self.choose_paytable(key) for key in PAYTABLE_KEYS}
        tables = {key: table for key, table in chosen.items() if table is not None}
        for key in {**self.book.bonus, **bonus}:
            if key not in tables and (key in bonus or key not in self.paytables):
                file = "" if key in bonus else self.book.file
                self.report_mistake_in(
                    file, f"bonus.{key}", refusal(Code.BAD_RULES, "no_paytable", key=key)
                )
        return {
            key: self.fill_bonus_cells(table, bonus.get(key, {})) for key, table in tables.items()
        }

    def choose_paytable(self, key: str) -> Paytable | None:
        if key not in self.paytables:
            offered = key not in SIDE_WAGERS or key in self.book.offers
            id = self.book.choices.get(key, "none") if offered else "none"
            return None if id == "none" else self.book.tables_of(key)[id]
        try:
            return choose_paytable(self.book, key, self.paytables[key])
        except Refused as refused:
            self.report_mistake(f"paytables.{key}", refused.refusal)
            return None

    def fill_bonus_cells(self, table: Paytable, chosen: Mapping[str, Pay]) -> Paytable:
        """R38: a table opens only when every Bonus cell is filled."""
        key = table.key
        cells = dict(self.book.bonus.get(key, {}))
        if key in self.paytables:  # the book's pays are for its own choice of paytable
            cells = {outcome: pay for outcome, pay in cells.items() if table.is_bonus(outcome)}
        cells |= chosen
        for outcome, pay in cells.items():
            if not table.is_bonus(outcome) and pay != BONUS:
                path, file = f"bonus.{key}.{outcome}", "" if outcome in chosen else self.book.file
                self.report_mistake_in(
                    file, path, refusal(Code.BAD_RULES, "not_bonus", id=table.id)
                )
        filled = table.with_bonus_cells(cells)
        if missing := tuple(cell for cell in filled.unfilled_cells() if cell not in cells):
            path, file = f"bonus.{key}", self.file_of(key)
            self.report_mistake_in(
                file, path, refusal(Code.BONUS_UNFILLED, id=table.id, cells=missing)
            )
        return filled

    def check_conditions(self, tables: Mapping[str, Paytable], values: Mapping[str, Any]) -> None:
        # A qualifier that every hand meets, such as high_card, does not count as one.
        qualifies = _qualifier_strength(values) > 0
        for condition in self.book.conditions:
            table = tables.get(condition.key)
            if table is None or table.id != condition.id or condition.qualifier == qualifies:
                continue
            path, file = f"paytables.{condition.key}", self.file_of(condition.key)
            id, clause = condition.id, condition.clause
            goes_with = refusal(Code.ILLEGAL_COMBINATION, "with", id=id, clause=clause)
            goes_without = refusal(Code.ILLEGAL_COMBINATION, "without", id=id, clause=clause)
            self.report_mistake_in(file, path, goes_with if condition.qualifier else goes_without)

    def build(
        self,
        tables: Mapping[str, Paytable],
        values: Mapping[str, Any],
        limits: Mapping[Wager, Limit],
    ) -> TableRules:
        qualifier = values.get("qualifier", "none")
        if "progressive" in tables and "progressive_basis" in values:
            basis = Basis(values["progressive_basis"])
            tables = {**tables, "progressive": replace(tables["progressive"], basis=basis)}
        raises = {street: values[f"{street.value}_raises"] for street in Street}
        bonus_jackpot = values.get("jackpot_regime") == "bonus" or self.is_bonus_jackpot(tables)
        return TableRules(
            book=_with_table_texts(self.book, tables, bonus_jackpot),
            paytables=tables,
            options=values,
            raises=raises,
            qualifier=qualifier,
            qualifier_strength=_qualifier_strength(values),
            after_fold={
                wager: values.get(f"{wager.value}_after_fold", "stays") == "stays"
                for wager in SIDE_WAGERS
            },
            both_hole_cards=values.get("trips_plus_hand") == "both_hole_cards",
            progressive_stake=values.get("progressive_stake", 100),
            sequential_awards=values.get("percentage_awards") == "sequential",
            meter_seed=values.get("meter_seed", 0),
            meter_contribution=values.get("meter_contribution", 0),
            meter_max=values.get("meter_max", 0),
            bonus_jackpot=bonus_jackpot,
            chip_unit=values["chip_unit"],
            rounding=values["rounding"],
            cap=_effective_cap(values, tables, raises, limits),
            reseed_floor=values.get("reseed_floor", False),
            grace_seconds=values["grace_seconds"],
            coupons=values.get("coupons", False),
            limits=limits,
            single_wager_max=values.get("single_wager_max", 0),
            max_side_wagers=self.max_side_wagers(values),
            dealing=values["dealing"],
            board=values["board"],
            face_up=values.get("face_up", False),
            trips_plus_before_main=values.get("trips_plus_settled") == "before",
            chosen=_list_choices(self.paytables, self.options),
        )

    def is_bonus_jackpot(self, tables: Mapping[str, Paytable]) -> bool:
        """R82: a progressive paytable printed with only "Bonus" cells is a Bonus Jackpot."""
        table = tables.get("progressive")
        if table is None:
            return False
        printed = self.book.tables_of("progressive")[table.id]
        return all(row.pay.kind is PayKind.BONUS for row in printed.rows)

    def max_side_wagers(self, values: Mapping[str, Any]) -> int:
        """R10: of four wagering options, Ante and Odds take two and the Raise perhaps a third."""
        if not self.book.max_options:
            return len(SIDE_WAGERS)
        return max(0, self.book.max_options - 2 - bool(values.get("raise_counts_as_option")))


def _qualifier_strength(values: Mapping[str, Any]) -> int:
    qualifier = values.get("qualifier", "none")
    return 0 if qualifier == "none" else parse_qualifier(qualifier)


def _with_table_texts(
    book: RuleBook, tables: Mapping[str, Paytable], bonus_jackpot: bool
) -> RuleBook:
    """The book with the clauses of custom paytables, and the document's label for a Bonus Jackpot.

    Only Washington has such a label (App. D note 5).
    """
    custom_clauses = {
        "odds_win" if key == "odds" else key: table.clause
        for key, table in tables.items()
        if table.custom
    }
    labels = dict(book.labels)
    if bonus_jackpot and BONUS_JACKPOT in labels:
        labels[Wager.PROGRESSIVE.value] = labels[BONUS_JACKPOT]
    return replace(book, clauses={**book.clauses, **custom_clauses}, labels=labels)


def _effective_cap(
    values: Mapping[str, Any],
    tables: Mapping[str, Paytable],
    raises: Mapping[Street, tuple[int, ...]],
    limits: Mapping[Wager, Limit],
) -> Cap | None:
    """R100: the posted cap, or the most that the minimum wager can win if that is more."""
    cap: Cap | None = values.get("cap")
    minimum = limits[Wager.ANTE].min if Wager.ANTE in limits else 0
    if cap is None or "minimum_wager" not in values or not minimum:
        return cap
    won = tables["odds"].highest_pay + 1 + max(map(max, raises.values()))
    lost = tables["bad_beat"].highest_pay if "bad_beat" in tables else 0
    return replace(cap, amount=max(cap.amount, int(max(won, lost) * minimum)))


def _list_choices(
    paytables: Mapping[str, object], options: Mapping[str, object]
) -> tuple[tuple[str, str], ...]:
    pairs = {f"paytables.{key}": str(value) for key, value in paytables.items()}
    pairs |= {f"options.{key}": str(value) for key, value in options.items()}
    return tuple(sorted(pairs.items()))
