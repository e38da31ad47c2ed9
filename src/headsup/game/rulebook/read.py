"""From the raw TOML of a rule book to a `RuleBook`, collecting every mistake on the way."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from headsup.game.money import parse_cents
from headsup.game.refusal import Mistake, Refused
from headsup.game.rulebook.cells import UnreadableCell, parse_cell
from headsup.game.rulebook.model import (
    LOSS,
    OUTCOMES,
    PAYTABLE_KEYS,
    SETTLEMENT_CLAUSES,
    Basis,
    Condition,
    Inscription,
    Irregularity,
    Limit,
    Notice,
    Option,
    Pay,
    PayKind,
    Paytable,
    Row,
    RuleBook,
)
from headsup.game.rulebook.options import OPTIONS, BadValue
from headsup.game.wagers import SIDE_WAGERS, Wager

Raw = Mapping[str, Any]

TOP_KEYS = {
    "id", "extends", "kind", "title", "document", "cites", "version", "effective_from", "sha256",
    "labels", "seats", "offers", "max_options", "options", "clauses", "settlement", "meter",
    "paytables", "paytable", "layout_table", "layout", "notice", "condition", "irregularities",
    "bonus", "limits",
}  # fmt: skip
TEXT_KEYS = ("title", "document", "cites", "version", "effective_from", "sha256")
PAYTABLE_BLOCK = {
    "key", "title", "clause", "basis", "basis_clause", "closed", "optional", "custom",
    "needs_limit", "ids", "rows",
}  # fmt: skip
MORE_CLAUSES = {"limits", "ante_equals_odds", "closing_of_bets", "information"}
LIMITED = (Wager.ANTE, Wager.TRIPS_PLUS, Wager.POCKET_BONUS, Wager.ALL_6)
CAUSES = (
    "dealer_card_exposed",
    "card_found_face_up",
    "player_card_count",
    "dealer_card_count",
    "player_card_exposed",
    "early_board_card",
    "board_card_count",
    "foul_deck",
)


class Wrong(Protocol):
    """Where a mistake is noted: the key, the reason, the code."""

    def __call__(self, key: str, reason: str, code: str = ..., /) -> None: ...


class Reader:
    """Reads one merged rule book; `mistakes` grows instead of stopping at the first."""

    def __init__(self, raw: Raw, file: str) -> None:
        self.raw = raw
        self.file = file
        self.mistakes: list[Mistake] = []

    def wrong(self, key: str, reason: str, code: str = "bad_rules") -> None:
        self.mistakes.append(Mistake(key, reason, code, self.file))

    def book(self, irregularities: Raw, digest: str) -> RuleBook:
        """The rule book; trust it only when `mistakes` is empty."""
        self.known(self.raw, TOP_KEYS, "")
        text = {key: self.text(self.raw, key, key) for key in TEXT_KEYS}
        paytables, closed, optional, needs_limit = self.paytables()
        seats = self.table("seats", {"value", "clause", "fixed"})
        max_options = self.table("max_options", {"value", "clause"})
        settlement = self.table("settlement", {"order", "clause"})
        meter = self.table("meter", {"linkable", "clause"})
        return RuleBook(
            id=self.text(self.raw, "id", "id"),
            **text,
            kind=self.word(self.raw, "kind", "kind", ("document", "house", "study")),
            labels=self.texts("labels", set(Wager)),
            offers={Wager(key): clause for key, clause in self.offers().items()},
            options=self.options(),
            choices=self.choices(paytables),
            paytables=paytables,
            closed=closed,
            optional_tables=optional,
            needs_limit=needs_limit,
            conditions=tuple(self.conditions()),
            bonus=read_bonus(self.raw.get("bonus", {}), self.wrong),
            limits=read_limits(self.raw.get("limits", {}), self.wrong),
            clauses=self.clauses(),
            max_options=self.whole(max_options, "value", "max_options.value", 0, 7),
            max_options_clause=str(max_options.get("clause", "")),
            seats=self.whole(seats, "value", "seats.value", 1, 6),
            linkable_meter=bool(meter.get("linkable", False)),
            layout=tuple(
                Inscription(self.text(block, "text", at), self.text(block, "clause", at))
                for at, block in self.blocks("layout", {"text", "clause"})
            ),
            layout_tables=tuple(self.layout_tables()),
            notices=tuple(
                Notice(*(self.text(block, key, at) for key in ("text", "when", "clause")))
                for at, block in self.blocks("notice", {"text", "when", "clause"})
            ),
            irregularities=self.irregularities(irregularities),
            settlement_order=self.word(
                settlement, "order", "settlement.order", ("folders_then_raisers_right_to_left",)
            ),
            digest=digest,
        )

    # Small readers: each returns something usable and notes what is wrong.

    def known(self, raw: Raw, keys: Iterable[str], at: str) -> None:
        for key in raw:
            if key not in keys:
                self.wrong(at + key, "unknown key", "unknown_key")

    def text(self, raw: Raw, key: str, at: str) -> str:
        value = raw.get(key, "")
        if not isinstance(value, str):
            self.wrong(at, f"{key} must be text")
            return ""
        return value

    def word(self, raw: Raw, key: str, at: str, words: tuple[str, ...]) -> str:
        value = raw.get(key, words[0])
        if value not in words:
            self.wrong(at, f"must be one of {', '.join(words)}")
            return words[0]
        return str(value)

    def whole(self, raw: Raw, key: str, at: str, low: int, high: int) -> int:
        value = raw.get(key, low)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.wrong(at, f"must be a whole number from {low} to {high}")
            return low
        return value

    def table(self, key: str, keys: set[str]) -> Raw:
        value = self.raw.get(key, {})
        if not isinstance(value, Mapping):
            self.wrong(key, "must be a table")
            return {}
        self.known(value, keys, f"{key}.")
        return value

    def texts(self, key: str, keys: set[str]) -> dict[str, str]:
        table = self.table(key, keys)
        return {name: self.text(table, name, f"{key}.{name}") for name in table}

    def blocks(self, key: str, keys: set[str]) -> list[tuple[str, Raw]]:
        value = self.raw.get(key, [])
        if not isinstance(value, list) or not all(isinstance(block, Mapping) for block in value):
            self.wrong(key, f"must be blocks headed [[{key}]]")
            return []
        blocks = [(f"{key}[{number}]", block) for number, block in enumerate(value, 1)]
        for at, block in blocks:
            self.known(block, keys, f"{at}.")
        return blocks

    # The parts of a book.

    def offers(self) -> dict[str, str]:
        offers = dict(self.table("offers", set(SIDE_WAGERS)))
        for key, clause in list(offers.items()):
            if clause is False or key not in set(SIDE_WAGERS):
                del offers[key]
            elif not isinstance(clause, str):
                self.wrong(f"offers.{key}", "must be the clause that offers it, or false")
                offers[key] = ""
        return offers

    def options(self) -> dict[str, Option]:
        read: dict[str, Option] = {}
        for key, raw in self.table("options", set(OPTIONS)).items():
            if key not in OPTIONS:
                continue
            self.known(raw, {"value", "may_be", "open", "clause"}, f"options.{key}.")
            if "value" not in raw:
                self.wrong(f"options.{key}", "has no value")
                continue
            value = self.option_value(key, raw["value"])
            alternatives = raw.get("may_be", [])
            if not isinstance(alternatives, list):
                self.wrong(f"options.{key}.may_be", "must be a list")
                alternatives = []
            read[key] = Option(
                value=value,
                clause=self.text(raw, "clause", f"options.{key}"),
                open=raw.get("open", False) is True,
                may_be=tuple(self.option_value(key, item) for item in alternatives),
            )
        return read

    def option_value(self, key: str, value: object) -> object:
        try:
            return OPTIONS[key].read(value)
        except BadValue as error:
            self.wrong(f"options.{key}", str(error), "bad_option")
            return None

    def clauses(self) -> dict[str, str]:
        clauses = self.texts("clauses", set(SETTLEMENT_CLAUSES) | MORE_CLAUSES)
        for key in SETTLEMENT_CLAUSES:
            clauses.setdefault(key, "")
        return clauses

    def paytables(
        self,
    ) -> tuple[
        dict[str, dict[str, Paytable]],
        dict[str, bool],
        tuple[str, ...],
        tuple[tuple[str, str], ...],
    ]:
        tables: dict[str, dict[str, Paytable]] = {}
        closed: dict[str, bool] = {}
        optional: list[str] = []
        needs_limit: list[tuple[str, str]] = []
        for at, block in self.blocks("paytable", PAYTABLE_BLOCK):
            key = block.get("key")
            if key not in PAYTABLE_KEYS:
                self.wrong(f"{at}.key", f"must be one of {', '.join(PAYTABLE_KEYS)}")
                continue
            closed[key] = closed.get(key, False) or block.get("closed", False) is True
            if block.get("optional", False) is True:
                optional.append(key)
            needs_limit += [(key, str(id)) for id in block.get("needs_limit", [])]
            for table in self.columns(at, block):
                if table.id in tables.setdefault(key, {}):
                    self.wrong(at, f"{key} has two paytables '{table.id}'")
                tables[key][table.id] = table
        return tables, closed, tuple(optional), tuple(needs_limit)

    def columns(self, at: str, block: Raw) -> list[Paytable]:
        """One `Paytable` per printed column."""
        key = block["key"]
        ids = block.get("ids", [])
        if not isinstance(ids, list) or not ids or not all(isinstance(id, str) for id in ids):
            self.wrong(f"{at}.ids", "must list the paytables' ids as text")
            return []
        basis = Basis(self.word(block, "basis", f"{at}.basis", tuple(Basis)))
        rows = self.rows(at, key, block.get("rows", []), len(ids), basis)
        return [
            Paytable(
                key=key,
                id=id,
                basis=basis,
                clause=self.text(block, "clause", at),
                rows=tuple(Row(outcome, label, cells[i]) for outcome, label, cells in rows),
                custom=block.get("custom", False) is True,
            )
            for i, id in enumerate(ids)
        ]

    def rows(
        self, at: str, key: str, raw: object, columns: int, basis: str
    ) -> list[tuple[str, str, list[Pay]]]:
        if not isinstance(raw, list) or not raw:
            self.wrong(f"{at}.rows", "must list [outcome, label, pay, …] rows")
            return []
        rows: list[tuple[str, str, list[Pay]]] = []
        for number, cells in enumerate(raw, 1):
            here = f"{at}.rows[{number}]"
            if not isinstance(cells, list) or len(cells) != columns + 2:
                self.wrong(here, f"must be [outcome, label, and {columns} pays]")
                continue
            outcome, label, *pays = cells
            if outcome not in OUTCOMES[key]:
                self.wrong(here, f"'{outcome}' is not an outcome of {key}")
                continue
            if outcome in [row[0] for row in rows]:
                self.wrong(here, f"{outcome} stands twice")
            rows.append((outcome, str(label), [self.cell(here, key, pay, basis) for pay in pays]))
        return rows

    def cell(self, at: str, key: str, value: object, basis: str) -> Pay:
        try:
            pay = parse_cell(value, basis)
        except UnreadableCell as error:
            self.wrong(at, str(error), "bad_pay")
            return LOSS
        if pay.kind is PayKind.POOL and key != "progressive":
            self.wrong(at, "only a progressive pays a share of the pool", "bad_pay")
        return pay

    def layout_tables(self) -> list[Paytable]:
        tables: list[Paytable] = []
        for at, block in self.blocks("layout_table", {"key", "clause", "rows"}):
            if block.get("key") not in PAYTABLE_KEYS:
                self.wrong(f"{at}.key", f"must be one of {', '.join(PAYTABLE_KEYS)}")
                continue
            tables += self.columns(at, {**block, "ids": ["layout"]})
        return tables

    def choices(self, tables: Mapping[str, Mapping[str, Paytable]]) -> dict[str, str]:
        choices = self.texts("paytables", set(PAYTABLE_KEYS))
        for key, id in choices.items():
            if key in PAYTABLE_KEYS and id != "none" and id not in tables.get(key, {}):
                known = ", ".join(tables.get(key, {})) or "none"
                self.wrong(
                    f"paytables.{key}",
                    f"there is no paytable '{id}'; there are: {known}",
                    "unknown_paytable",
                )
        return {key: id for key, id in choices.items() if key in PAYTABLE_KEYS}

    def conditions(self) -> Iterable[Condition]:
        for at, block in self.blocks("condition", {"key", "id", "qualifier", "clause"}):
            yield Condition(
                key=self.text(block, "key", at),
                id=self.text(block, "id", at),
                qualifier=block.get("qualifier") is True,
                clause=self.text(block, "clause", at),
            )

    def irregularities(self, raw: Raw) -> dict[str, Irregularity]:
        read: dict[str, Irregularity] = {}
        keys = {"voids", "settles", "clause", "correctable", "house_rule"}
        for cause, block in raw.items():
            at = f"irregularities.{cause}"
            if cause not in CAUSES or not isinstance(block, Mapping):
                self.wrong(at, f"must be one of {', '.join(CAUSES)}")
                continue
            self.known(block, keys, f"{at}.")
            settles = block.get("settles", [])
            if not isinstance(settles, list) or not set(settles) <= set(SIDE_WAGERS):
                self.wrong(at, f"settles must be some of {', '.join(SIDE_WAGERS)}")
                settles = []
            read[cause] = Irregularity(
                cause=cause,
                voids=self.word(block, "voids", at, ("all", "hand")),
                settles=tuple(Wager(wager) for wager in settles),
                clause=self.text(block, "clause", at),
                correctable=block.get("correctable", False) is True,
                house_rule=block.get("house_rule", False) is True,
            )
        return read


def read_bonus(raw: object, wrong: Wrong) -> dict[str, dict[str, Pay]]:
    """`{trips_plus: {royal_flush: "50", …}}`: what the operator puts in the Bonus cells."""
    filled: dict[str, dict[str, Pay]] = {}
    if not isinstance(raw, Mapping):
        wrong("bonus", "must be a table of paytable keys")
        return filled
    for key, cells in raw.items():
        if key not in PAYTABLE_KEYS or not isinstance(cells, Mapping):
            wrong(f"bonus.{key}", f"must be one of {', '.join(PAYTABLE_KEYS)}, with its cells")
            continue
        for outcome, value in cells.items():
            at = f"bonus.{key}.{outcome}"
            if outcome not in OUTCOMES[key]:
                wrong(at, f"'{outcome}' is not an outcome of {key}", "unknown_key")
                continue
            try:
                pay = parse_cell(value, "for" if key == "progressive" else "to")
            except UnreadableCell as error:
                wrong(at, str(error), "bad_pay")
                continue
            if pay.kind is PayKind.BONUS:
                wrong(at, "must say what the cell pays", "bonus_unfilled")
            elif pay.kind is PayKind.POOL and key != "progressive":
                wrong(at, "only a progressive pays a share of the pool", "bad_pay")
            else:
                filled.setdefault(key, {})[outcome] = pay
    return filled


def read_limits(raw: object, wrong: Wrong) -> dict[Wager, Limit]:
    """`{ante: {min, max, step}}` in dollars."""
    limits: dict[Wager, Limit] = {}
    if not isinstance(raw, Mapping):
        wrong("limits", "must be a table of wagers")
        return limits
    for key, bounds in raw.items():
        at = f"limits.{key}"
        if key not in LIMITED or not isinstance(bounds, Mapping):
            wrong(at, f"must be {', '.join(LIMITED)}, each with min, max or step")
            continue
        cents: dict[str, int] = {}
        for name, value in bounds.items():
            if name not in ("min", "max", "step"):
                wrong(f"{at}.{name}", "unknown key", "unknown_key")
                continue
            try:
                cents[name] = parse_cents(value, f"{at}.{name}")
            except Refused as refused:
                wrong(f"{at}.{name}", refused.message.removeprefix(f"{at}.{name}: "), "bad_limit")
                continue
            if cents[name] <= 0:
                wrong(f"{at}.{name}", "must be a positive amount", "bad_limit")
        limit = Limit(**cents)
        if limit.max and limit.min > limit.max:
            wrong(at, "min is above max", "bad_limit")
        limits[Wager(key)] = limit
    return limits
