"""The rules of one table: a rule book, one paytable per offered wager, limits and options."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
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
from headsup.game.rulebook.fingerprint import fingerprint
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

# How a choice was said, and the fingerprint itself, are not what the rules say.
_NOT_IN_FINGERPRINT = frozenset({"chosen", "choice", "fingerprint"})


class RulesChoice(NamedTuple):
    """A table's rules as a record says them: all that is needed to compile them again."""

    rules: str
    paytables: tuple[tuple[str, str], ...]
    options: FrozenJson
    cells: tuple[tuple[str, str, str], ...] = ()  # "Bonus" cells set since: key, outcome, pay


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TableRules:
    """Everything settlement, dealing and the solver ask of the rules, already checked.

    Equal when they say the same under the same name.
    """

    book: RuleBook
    paytables: Mapping[str, Paytable]
    options: Mapping[str, Any]
    raises: Mapping[Street, tuple[int, ...]]
    qualifier: str
    qualifier_strength: int  # 0: every dealer's hand qualifies
    after_fold: Mapping[Wager, bool]  # side wagers that stay in play when the player folds
    both_hole_cards: bool  # Trips Plus by New York's letter (R53)
    progressive_stake: int
    sequential_awards: bool
    meter_seed: int
    meter_contribution: int
    meter_max: int
    bonus_jackpot: bool  # a house-owned prize, not players' money (R82)
    chip_unit: int
    rounding: str
    cap: Cap | None
    reseed_floor: bool  # R74: the house tops up a meter that a share took below its seed
    grace_seconds: int  # R33: how long a player who is away is waited for
    coupons: bool  # R12: promotional coupons are taken as stakes
    limits: Mapping[Wager, Limit]
    single_wager_max: int
    max_side_wagers: int
    dealing: str
    board: str
    face_up: bool
    trips_plus_before_main: bool
    chosen: tuple[tuple[str, str], ...]  # what differs from the book, as it was said
    fingerprint: str = field(init=False)  # names these rules in records (R4)
    choice: RulesChoice | None = None  # of a table that was opened by a record

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
    """Choose a table's rules; everything wrong with the choice is reported at once."""
    book, mistakes = draft_book(rules) if isinstance(rules, str) else (rules, ())
    said = _ChoiceKey(paytables or {}, options or {})
    if mistakes:
        return _Compiler(book, said.paytables, said.options, mistakes).rules()
    return _compile_cached(book, said)


def rules_from_record(
    rules: str, paytables: tuple[tuple[str, str], ...], options: FrozenJson
) -> TableRules:
    """The rules of a table as a record names them: by an id or a whole text, and by no path."""
    if not isinstance(rules, str) or not is_recordable(rules):
        raise Refused(Code.UNKNOWN_RULES, "not_recorded", name=rules)
    if not isinstance(options, FrozenJson):
        raise Refused(Code.BAD_OPTIONS, "not_an_object", value=options)
    # A copy keeps the fingerprint, which is dear and is not of how the choice was said.
    recorded = copy(table_rules(rules, dict(paytables), options))
    object.__setattr__(recorded, "choice", RulesChoice(rules, paytables, options))
    return recorded


def rules_from_choice(choice: RulesChoice) -> TableRules:
    """The rules that were chosen so."""
    rules = rules_from_record(choice.rules, choice.paytables, choice.options)
    for key, outcome, pay in choice.cells:
        rules = with_bonus_cell(rules, key, outcome, pay)
    return rules


def with_bonus_cell(rules: TableRules, key: str, outcome: str, pay: str) -> TableRules:
    """The same rules with another amount in one "Bonus" cell, which is the operator's to change at
    any time (Washington App. D note 5; A, B and C likewise); what cannot be is refused."""
    mistakes: list[Mistake] = []
    at = f"bonus.{key}.{outcome}"
    cells = read_bonus_cells(
        {key: {outcome: pay}}, lambda key, why: mistakes.append(Mistake(key, why))
    )
    table = rules.paytables.get(key)
    if not mistakes and (
        table is None or not rules.book.tables_of(key)[table.id].is_bonus(outcome)
    ):
        id = "none" if table is None else table.id
        mistakes.append(Mistake(at, refusal(Code.BAD_RULES, "not_bonus", id=id)))
    if mistakes or table is None:
        raise RulesRefused(mistakes)
    rows = tuple(
        replace(row, pay=cells[key][outcome]) if row.outcome == outcome else row
        for row in table.rows
    )
    tables = {**rules.paytables, key: replace(table, rows=rows)}
    cap = _cap(rules.options, tables, rules.raises, rules.limits)
    chosen = {**dict(rules.chosen), f"options.{at}": pay}
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
    """One choice as it was said, known by its values and their types: `1` is not `true`."""

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
def _compile_cached(book: RuleBook, said: _ChoiceKey) -> TableRules:
    return _Compiler(book, said.paytables, said.options, ()).rules()


class _Compiler:
    """What is chosen for one table, over what the book chooses itself."""

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

    def wrong(self, key: str, why: Refusal, /) -> None:
        self.mistakes.append(Mistake(key, why))

    def wrong_in(self, file: str, key: str, why: Refusal) -> None:
        """What the book itself got wrong, and shows only with the table's choice."""
        self.mistakes.append(Mistake(key, why, file))

    def file_of(self, key: str) -> str:
        """The book's file, where the book and not the table chose this paytable."""
        return "" if key in self.paytables else self.book.file

    def rules(self) -> TableRules:
        values = self.values()
        posted = self.book.limits
        limits = read_limits(self.options.get("limits", {}), self.book.offers, self.wrong, posted)
        tables = self.tables(read_bonus_cells(self.options.get("bonus", {}), self.wrong))
        self.check_conditions(tables, values)
        if self.mistakes:
            raise RulesRefused(self.mistakes)
        return self.compiled(tables, values, self.with_minimum({**posted, **limits}, values))

    def with_minimum(
        self, limits: dict[Wager, Limit], values: Mapping[str, Any]
    ) -> dict[Wager, Limit]:
        """R100: the minimum wager that may raise the cap is a minimum, like one in the limits."""
        minimum, ante = values.get("minimum_wager", 0), limits.get(Wager.ANTE, Limit())
        if minimum <= ante.min:
            return limits
        if 0 < ante.max < minimum:
            self.wrong("options.minimum_wager", refusal(Code.BAD_LIMIT, "min_above_max"))
            raise RulesRefused(self.mistakes)
        return {**limits, Wager.ANTE: replace(ante, min=minimum)}

    def values(self) -> dict[str, Any]:
        values = {key: option.value for key, option in self.book.options.items()}
        for key, raw in self.options.items():
            at = f"options.{key}"
            if key in ("bonus", "limits"):
                continue
            if key not in OPTIONS:
                known = (*self.book.options, "limits", "bonus")
                near = closest_name(key, (*known, *self.book.paytables))
                tables = tuple(self.book.paytables)
                unknown = refusal(Code.UNKNOWN_OPTION, known=known, paytables=tables, near=near)
                self.wrong(at, unknown)
                continue
            try:
                value = OPTIONS[key].read(raw)
            except Refused as refused:
                self.wrong(at, refused.refusal)
                continue
            if closed := refuse_option(self.book, key, value):
                self.wrong(at, closed)
            values[key] = value
        return values

    def tables(self, bonus: Mapping[str, Mapping[str, Pay]]) -> dict[str, Paytable]:
        for key in self.paytables:
            if key not in PAYTABLE_KEYS:
                known = tuple(self.book.paytables)
                near = closest_name(key, known)
                unknown = refusal(Code.UNKNOWN_KEY, "paytables", known=known, near=near)
                self.wrong(f"paytables.{key}", unknown)
        chosen = {key: self.table(key) for key in PAYTABLE_KEYS}
        tables = {key: table for key, table in chosen.items() if table is not None}
        for key in {**self.book.bonus, **bonus}:
            if key not in tables and (key in bonus or key not in self.paytables):
                file = "" if key in bonus else self.book.file
                self.wrong_in(file, f"bonus.{key}", refusal(Code.BAD_RULES, "no_paytable", key=key))
        return {key: self.filled(table, bonus.get(key, {})) for key, table in tables.items()}

    def table(self, key: str) -> Paytable | None:
        if key not in self.paytables:
            offered = key not in SIDE_WAGERS or key in self.book.offers
            id = self.book.choices.get(key, "none") if offered else "none"
            return None if id == "none" else self.book.tables_of(key)[id]
        try:
            return choose_paytable(self.book, key, self.paytables[key])
        except Refused as refused:
            self.wrong(f"paytables.{key}", refused.refusal)
            return None

    def filled(self, table: Paytable, own: Mapping[str, Pay]) -> Paytable:
        """R38: a table opens only when every Bonus cell is filled."""
        key = table.key
        cells = dict(self.book.bonus.get(key, {}))
        if key in self.paytables:  # the book filled the cells of its own choice, not of this one
            cells = {outcome: pay for outcome, pay in cells.items() if table.is_bonus(outcome)}
        cells |= own
        for outcome, pay in cells.items():
            if not table.is_bonus(outcome) and pay != BONUS:
                at, file = f"bonus.{key}.{outcome}", "" if outcome in own else self.book.file
                self.wrong_in(file, at, refusal(Code.BAD_RULES, "not_bonus", id=table.id))
        filled = table.filled(cells)
        if missing := tuple(cell for cell in filled.unfilled() if cell not in cells):
            at, file = f"bonus.{key}", self.file_of(key)
            self.wrong_in(file, at, refusal(Code.BONUS_UNFILLED, id=table.id, cells=missing))
        return filled

    def check_conditions(self, tables: Mapping[str, Paytable], values: Mapping[str, Any]) -> None:
        # A "qualifier" that every hand meets, such as high_card, is none.
        qualifies = _qualifier_strength(values) > 0
        for condition in self.book.conditions:
            table = tables.get(condition.key)
            if table is None or table.id != condition.id or condition.qualifier == qualifies:
                continue
            at, file = f"paytables.{condition.key}", self.file_of(condition.key)
            id, clause = condition.id, condition.clause
            goes_with = refusal(Code.ILLEGAL_COMBINATION, "with", id=id, clause=clause)
            goes_without = refusal(Code.ILLEGAL_COMBINATION, "without", id=id, clause=clause)
            self.wrong_in(file, at, goes_with if condition.qualifier else goes_without)

    def compiled(
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
        bonus_jackpot = values.get("jackpot_regime") == "bonus" or self.all_bonus(tables)
        return TableRules(
            book=_with_own_clauses(self.book, tables, bonus_jackpot),
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
            cap=_cap(values, tables, raises, limits),
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

    def all_bonus(self, tables: Mapping[str, Paytable]) -> bool:
        """R82: a jackpot table whose printed cells are all "Bonus" is a Bonus Jackpot."""
        table = tables.get("progressive")
        if table is None:
            return False
        printed = self.book.tables_of("progressive")[table.id]
        return all(row.pay.kind is PayKind.BONUS for row in printed.rows)

    def max_side_wagers(self, values: Mapping[str, Any]) -> int:
        """R10: with four wagering options, Ante and Odds take two and the Raise perhaps a third."""
        if not self.book.max_options:
            return len(SIDE_WAGERS)
        return max(0, self.book.max_options - 2 - bool(values.get("raise_counts_as_option")))


def _qualifier_strength(values: Mapping[str, Any]) -> int:
    qualifier = values.get("qualifier", "none")
    return 0 if qualifier == "none" else parse_qualifier(qualifier)


def _with_own_clauses(
    book: RuleBook, tables: Mapping[str, Paytable], bonus_jackpot: bool
) -> RuleBook:
    """What an operator's own table pays, it pays by the operator's clause; a Bonus Jackpot is
    called one where the document has a word for it (WA App. D note 5)."""
    own = {
        "odds_win" if key == "odds" else key: table.clause
        for key, table in tables.items()
        if table.custom
    }
    labels = dict(book.labels)
    if bonus_jackpot and BONUS_JACKPOT in labels:
        labels[Wager.PROGRESSIVE.value] = labels[BONUS_JACKPOT]
    return replace(book, clauses={**book.clauses, **own}, labels=labels)


def _cap(
    values: Mapping[str, Any],
    tables: Mapping[str, Paytable],
    raises: Mapping[Street, tuple[int, ...]],
    limits: Mapping[Wager, Limit],
) -> Cap | None:
    """R100: the posted cap, or the most that the minimum wager could win if that is more."""
    cap: Cap | None = values.get("cap")
    minimum = limits[Wager.ANTE].min if Wager.ANTE in limits else 0
    if cap is None or "minimum_wager" not in values or not minimum:
        return cap
    most = max(pay.amount for pay in tables["odds"].pays.values())
    per_ante = most + 1 + max(raises[Street.POCKET])
    return replace(cap, amount=max(cap.amount, int(per_ante * minimum)))


def _list_choices(
    paytables: Mapping[str, object], options: Mapping[str, object]
) -> tuple[tuple[str, str], ...]:
    pairs = {f"paytables.{key}": str(value) for key, value in paytables.items()}
    pairs |= {f"options.{key}": str(value) for key, value in options.items()}
    return tuple(sorted(pairs.items()))
