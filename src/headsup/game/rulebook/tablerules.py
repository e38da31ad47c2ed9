"""The rules of one table: a rule book, one paytable per offered wager, limits and options."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from headsup.game.hands import threshold
from headsup.game.money import dollars
from headsup.game.refusal import Mistake, RulesRefused
from headsup.game.rulebook.load import load
from headsup.game.rulebook.model import (
    LOSS,
    PAYTABLE_KEYS,
    PUSH,
    Basis,
    Cap,
    Limit,
    Option,
    Pay,
    PayKind,
    Paytable,
    Row,
    RuleBook,
)
from headsup.game.rulebook.options import OPTIONS, BadValue
from headsup.game.rulebook.read import read_bonus, read_limits
from headsup.game.wagers import SIDE_WAGERS, Street, Wager


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TableRules:
    """Everything settlement, dealing and the solver ask of the rules, already checked.

    Hashed by identity, so that what follows from the rules can be remembered cheaply.
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
    limits: Mapping[Wager, Limit]
    single_wager_max: int
    max_side_wagers: int
    dealing: str
    board: str
    face_up: bool
    trips_plus_before_main: bool
    chosen: tuple[tuple[str, str], ...]  # what differs from the book, for records

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

    @property
    def fingerprint(self) -> str:
        """Names these rules in records and caches: same text of the books, same choices."""
        words = [self.book.digest]
        words += [f"{key}={table.id}" for key, table in sorted(self.paytables.items())]
        words += [f"{key}={value}" for key, value in self.chosen]
        return hashlib.sha256("\n".join(words).encode()).hexdigest()


def table_rules(
    rules: str | RuleBook = "galaxy",
    paytables: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
) -> TableRules:
    """Choose a table's rules; everything wrong with the choice is reported at once."""
    book = load(rules) if isinstance(rules, str) else rules
    choice = _Choice(book)
    return choice.rules(paytables or {}, options or {})


class _Choice:
    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.mistakes: list[Mistake] = []

    def wrong(self, key: str, reason: str, code: str = "bad_rules") -> None:
        self.mistakes.append(Mistake(key, reason, code))

    def rules(self, paytables: Mapping[str, object], options: Mapping[str, object]) -> TableRules:
        values = self.options(options)
        bonus = {key: dict(cells) for key, cells in self.book.bonus.items()}
        for key, cells in read_bonus(options.get("bonus", {}), self.wrong).items():
            bonus.setdefault(key, {}).update(cells)
        limits = {**self.book.limits, **read_limits(options.get("limits", {}), self.wrong)}
        tables = self.tables(paytables, bonus, values)
        if self.mistakes:
            raise RulesRefused(self.mistakes)
        return self.compiled(tables, values, limits, _chosen(paytables, options))

    def options(self, given: Mapping[str, object]) -> dict[str, Any]:
        values = {key: option.value for key, option in self.book.options.items()}
        for key, raw in given.items():
            if key in ("bonus", "limits"):
                continue
            if key not in OPTIONS:
                known = ", ".join([*self.book.options, "limits", "bonus"])
                self.wrong(
                    f"options.{key}",
                    f"there is no such option; there are {known}",
                    "unknown_option",
                )
                continue
            try:
                value = OPTIONS[key].read(raw)
            except BadValue as error:
                self.wrong(f"options.{key}", str(error), "bad_option")
                continue
            if reason := self.not_open(key, value):
                self.wrong(f"options.{key}", reason, "option_not_open")
            values[key] = value
        return values

    def not_open(self, key: str, value: object) -> str:
        option: Option | None = self.book.options.get(key)
        if option is None:
            return f"{self.book.id} has no such choice"
        if option.allows(value) or self.book.kind == "study":
            return ""
        others = [_words(key, item) for item in (option.value, *option.may_be)]
        return f"{self.book.id} allows only {' or '.join(others)} ({option.clause})"

    def tables(
        self,
        given: Mapping[str, object],
        bonus: Mapping[str, Mapping[str, Pay]],
        values: Mapping[str, Any],
    ) -> dict[str, Paytable]:
        for key in given:
            if key not in PAYTABLE_KEYS:
                known = ", ".join(self.book.paytables)
                self.wrong(
                    f"paytables.{key}", f"there is no such key; there are {known}", "unknown_key"
                )
        tables: dict[str, Paytable] = {}
        for key in PAYTABLE_KEYS:
            id = given.get(key, self.book.choices.get(key, "none"))
            table = self.table(key, "none" if id is None else id, explicit=key in given)
            if table is not None:
                tables[key] = self.filled(table, bonus.get(key, {}))
        for key in bonus:
            if key not in tables:
                self.wrong(f"bonus.{key}", f"no {key} paytable is in use")
        self.check_conditions(tables, values)
        if "progressive" in tables and "progressive_basis" in values:
            basis = Basis(values["progressive_basis"])
            tables["progressive"] = replace(tables["progressive"], basis=basis)
        return tables

    def table(self, key: str, id: object, explicit: bool) -> Paytable | None:
        known = self.book.paytables.get(key, {})
        offered = key in ("odds", "bad_beat") or Wager(key) in self.book.offers
        if id == "none":
            if explicit and (key == "odds" or (key == "bad_beat" and not self.optional(key))):
                self.wrong(f"paytables.{key}", f"{self.book.id} always pays it", "unknown_paytable")
            return None
        if not offered:
            if explicit:
                self.wrong(
                    f"paytables.{key}", f"{self.book.id} does not offer {key}", "wager_not_offered"
                )
            return None
        wanted = _plain(id) if isinstance(id, str | int) and not isinstance(id, bool) else ""
        for table in known.values():
            if _plain(table.id) == wanted:
                return table
        self.wrong(
            f"paytables.{key}",
            f"{self.book.id} has no paytable '{str(id)[:40]}'; there are {', '.join(known)}",
            "unknown_paytable",
        )
        return None

    def optional(self, key: str) -> bool:
        return key in self.book.optional_tables or self.book.kind == "study"

    def filled(self, table: Paytable, cells: Mapping[str, Pay]) -> Paytable:
        """R38: a table opens only when every Bonus cell is filled."""
        for outcome in cells:
            if outcome not in table.pays or table.pays[outcome].kind is not PayKind.BONUS:
                self.wrong(
                    f"bonus.{table.key}.{outcome}", f"is not a Bonus cell of paytable {table.id}"
                )
        rows: list[Row] = []
        for row in table.rows:
            pay = row.pay
            if pay.kind is PayKind.BONUS:
                pay = cells.get(row.outcome, _blank_bonus(table, row.outcome))
            rows.append(replace(row, pay=pay))
        filled = replace(table, rows=tuple(rows))
        if missing := filled.unfilled():
            self.wrong(
                f"bonus.{table.key}",
                f"paytable {table.id} leaves these cells to the operator; say what each pays: "
                + ", ".join(missing),
                "bonus_unfilled",
            )
        return filled

    def check_conditions(self, tables: Mapping[str, Paytable], values: Mapping[str, Any]) -> None:
        qualifies = values.get("qualifier", "none") != "none"
        for condition in self.book.conditions:
            table = tables.get(condition.key)
            if table is None or table.id != condition.id or condition.qualifier == qualifies:
                continue
            when = "with a dealer qualifier" if condition.qualifier else "without one"
            self.wrong(
                f"paytables.{condition.key}",
                f"{condition.id} goes only {when} ({condition.clause})",
                "illegal_combination",
            )

    def compiled(
        self,
        tables: Mapping[str, Paytable],
        values: Mapping[str, Any],
        limits: Mapping[Wager, Limit],
        chosen: tuple[tuple[str, str], ...],
    ) -> TableRules:
        qualifier = values.get("qualifier", "none")
        raises = {street: values[f"{street.value}_raises"] for street in Street}
        return TableRules(
            book=self.book,
            paytables=tables,
            options=values,
            raises=raises,
            qualifier=qualifier,
            qualifier_strength=0 if qualifier == "none" else threshold(qualifier),
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
            bonus_jackpot=values.get("jackpot_regime") == "bonus" or self.all_bonus(tables),
            chip_unit=values["chip_unit"],
            rounding=values["rounding"],
            cap=_cap(values, tables, raises),
            limits=limits,
            single_wager_max=values.get("single_wager_max", 0),
            max_side_wagers=self.max_side_wagers(values),
            dealing=values["dealing"],
            board=values["board"],
            face_up=values.get("face_up", False),
            trips_plus_before_main=values.get("trips_plus_settled") == "before",
            chosen=chosen,
        )

    def all_bonus(self, tables: Mapping[str, Paytable]) -> bool:
        """R82: a jackpot table whose printed cells are all "Bonus" is a Bonus Jackpot."""
        table = tables.get("progressive")
        if table is None:
            return False
        printed = self.book.paytables["progressive"][table.id]
        return all(row.pay.kind is PayKind.BONUS for row in printed.rows)

    def max_side_wagers(self, values: Mapping[str, Any]) -> int:
        """R10: with four wagering options, Ante and Odds take two and the Raise perhaps a third."""
        if not self.book.max_options:
            return len(SIDE_WAGERS)
        return self.book.max_options - 2 - bool(values.get("raise_counts_as_option"))


_CENTS = ("progressive_stake", "chip_unit", "minimum_wager", "single_wager_max")


def _blank_bonus(table: Paytable, outcome: str) -> Pay:
    """R38: an unfilled "All Other" pushes on a win and loses on a Bad Beat."""
    if outcome == "other":
        return PUSH if table.key == "odds" else LOSS
    if table.unreachable(outcome):
        return LOSS
    return Pay(PayKind.BONUS, Fraction(0), "Bonus")


def _cap(
    values: Mapping[str, Any],
    tables: Mapping[str, Paytable],
    raises: Mapping[Street, tuple[int, ...]],
) -> Cap | None:
    """R100: the posted cap, or the most that the minimum wager could win if that is more."""
    cap: Cap | None = values.get("cap")
    minimum = values.get("minimum_wager", 0)
    if cap is None or not minimum:
        return cap
    most = max(pay.amount for pay in tables["odds"].pays.values())
    per_ante = most + 1 + max(raises[Street.POCKET])
    return replace(cap, amount=max(cap.amount, int(per_ante * minimum)))


def _plain(id: object) -> str:
    """`HH/TP 5`, `hh/tp-5` and the printed `HH/OW/BB Bad Beat - 1` name the same tables."""
    text = re.sub(r"bad\s*beat", "", str(id).lower())
    return re.sub(r"[\s–-]+", "-", text.strip())


def _chosen(
    paytables: Mapping[str, object], options: Mapping[str, object]
) -> tuple[tuple[str, str], ...]:
    pairs = {f"paytables.{key}": str(value) for key, value in paytables.items()}
    pairs |= {f"options.{key}": str(value) for key, value in options.items()}
    return tuple(sorted(pairs.items()))


def _words(key: str, value: object) -> str:
    if key in _CENTS and isinstance(value, int):
        return dollars(value)
    if isinstance(value, tuple):
        return "/".join(str(item) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
