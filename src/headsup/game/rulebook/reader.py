"""Turns the TOML of a rule book into a `RuleBook`, on top of the book that it extends."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.rulebook.fields import MAX_NAME_CHARACTERS, MAX_TEXT_CHARACTERS, FieldReader, Raw
from headsup.game.rulebook.limits import read_limits
from headsup.game.rulebook.model import (
    PAYTABLE_KEYS,
    SETTLEMENT_CLAUSES,
    Basis,
    CapLimits,
    Cause,
    Condition,
    Inscription,
    InscriptionKind,
    IrregularityRule,
    Limit,
    Notice,
    Pay,
    Paytable,
    RuleBook,
    SettlementOrder,
    TableOption,
    VoidScope,
)
from headsup.game.rulebook.options import OPTIONS, refuse_option
from headsup.game.rulebook.paytables import (
    choose_paytable,
    normalize_id,
    read_bonus_cells,
    read_columns,
)
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager

FindBook = Callable[[object], RuleBook | None]

# Documents start from this, operators' books from a shipped one.
EMPTY_BOOK = RuleBook(
    id="", title="", document="", cites="", version="", effective_from="", sha256="",
    kind="document", labels={}, offers={}, options={}, choices={}, paytables={}, closed={},
    optional_tables=(), needs_limit=(), conditions=(), bonus={}, limits={},
    clauses=dict.fromkeys(SETTLEMENT_CLAUSES, ""), max_options=0, max_options_clause="", seats=6,
    seats_clause="", fixed_seats=False, linkable_meter=False, any_seed=False,
    meter_clause="", layout=(), layout_tables=(), notices=(), irregularities={},
    settlement_order=SettlementOrder.FOLDERS_FIRST,
    settlement_clause="", cap_limits=CapLimits(), file="",
)  # fmt: skip


class BookReader(FieldReader):
    """Reads one book. A wrong value is reported, and the base's value used instead."""

    def __init__(self, raw: Raw, file: str, base: RuleBook, find_book: FindBook) -> None:
        super().__init__(file)
        self.document = not file
        kinds = ("document",) if self.document else ("house", "study")
        self.kind = self.read_choice(raw, "kind", kinds)
        self.house = self.kind == "house"
        self.raw = self.keep_allowed_keys("book", raw)
        self.base = base
        self.find_book = find_book
        self.id = self.read_nonempty_text(
            raw, "id", max_length=MAX_NAME_CHARACTERS, default=Path(file).stem
        )
        if not self.document and "id" in raw and find_book(self.id) is not None:
            self.report_mistake("id", refusal(Code.BAD_RULES, "shipped_id"))

    def read_book(self) -> RuleBook:
        """The rule book. Use it only if `mistakes` is empty."""
        book = replace(
            self.base,
            id=self.id,
            kind=self.kind,
            title=self.read_nonempty_text(self.raw, "title", default=self.base.title),
            document=self.read_text(self.raw, "document", default=self.base.document),
            cites=self.read_text(self.raw, "cites", default=self.base.cites),
            version=self.read_text(self.raw, "version", default=self.base.version),
            effective_from=self.read_text(
                self.raw, "effective_from", default=self.base.effective_from
            ),
            sha256=self.read_text(self.raw, "sha256", default=self.base.sha256),
            labels=self.read_labels(),
            offers=self.read_offers(),
            options=self.read_options(),
            conditions=self.read_conditions(),
            cap_limits=self.read_cap_limits(),
            bonus=self.read_bonus(),
            clauses=self.read_clauses(),
            layout=self.read_layout(),
            notices=self.read_notices(),
            irregularities=self.read_irregularities(),
            file=self.file,
        )
        book = self.with_procedures(book)
        book = self.with_paytables(book)
        return replace(book, limits=self.read_posted_limits(book), choices=self.read_choices(book))

    # Labels, clauses and texts.

    @property
    def default_clause(self) -> str:
        """The clause where none is given: an operator's book cites itself."""
        return "" if self.document else self.id

    def read_labels(self) -> dict[str, str]:
        table = self.read_table(self.raw, "labels")
        most = MAX_NAME_CHARACTERS
        labels = {
            key: self.read_nonempty_text(table, key, "labels.", max_length=most) for key in table
        }
        return {**self.base.labels, **labels}

    def read_clauses(self) -> dict[str, str]:
        table = self.read_table(self.raw, "clauses")
        clauses = {key: self.read_text(table, key, "clauses.") for key in table}
        return {**self.base.clauses, **clauses}

    def read_layout(self) -> tuple[Inscription, ...]:
        added = (
            Inscription(
                text=self.read_nonempty_text(block, "text", f"{path}."),
                clause=self.read_text(block, "clause", f"{path}.", self.default_clause),
                shows=InscriptionKind(
                    self.read_choice(block, "shows", tuple(InscriptionKind), f"{path}.")
                ),
            )
            for path, block in self.read_blocks(self.raw, "layout")
        )
        return (*self.base.layout, *added)

    def read_notices(self) -> tuple[Notice, ...]:
        added = (
            Notice(
                text=self.read_nonempty_text(block, "text", f"{path}."),
                when=self.read_choice(block, "when", ("always", "bonus_jackpot"), f"{path}."),
                clause=self.read_text(block, "clause", f"{path}.", self.default_clause),
            )
            for path, block in self.read_blocks(self.raw, "notice")
        )
        return (*self.base.notices, *added)

    # Wagers and options.

    def read_offers(self) -> dict[Wager, str]:
        """R7: a house may leave a wager off its layout but not add one."""
        offers = dict(self.base.offers)
        for key, clause in self.read_table(self.raw, "offers").items():
            path = f"offers.{key}"
            if clause is False:
                offers.pop(Wager(key), None)
            elif self.house and key not in self.base.offers:
                self.report_mistake(
                    path, refusal(Code.NOT_OPEN, "offers", book=self.base.id, key=key)
                )
            elif self.house:
                self.report_mistake(path, refusal(Code.BAD_RULES, "offered"))
            elif not isinstance(clause, str):
                self.report_mistake(path, refusal(Code.BAD_RULES, "offer"))
            elif self.check_printable(path, clause, MAX_TEXT_CHARACTERS):
                offers[Wager(key)] = clause
        return offers

    def read_options(self) -> dict[str, TableOption]:
        options = dict(self.base.options)
        for key, raw in self.read_table(self.raw, "options").items():
            if (option := self.read_option(key, raw)) is not None:
                options[key] = option
        return options

    def read_option(self, key: str, raw: Any) -> TableOption | None:
        path = f"options.{key}"
        is_block = isinstance(raw, Mapping) and "value" in raw
        part = "option" if self.document else "choice"
        block = self.keep_allowed_keys(part, raw, f"{path}.") if is_block else {"value": raw}
        read, base = OPTIONS[key].read, self.base.options.get(key)
        try:
            value = read(block["value"])
            may_be = tuple(read(item) for item in block.get("may_be", ()))
        except Refused as refused:
            self.report_mistake(path, refused.refusal)
            return None
        if self.document:
            return TableOption(value, block["clause"], block.get("open", False), may_be)
        if self.house and (closed := refuse_option(self.base, key, value)):
            self.report_mistake(path, refusal(Code.OPTION_NOT_OPEN, "house", because=closed))
            return None
        is_allowed = base is not None and base.allows(value)
        default = base.clause if base and is_allowed else self.id
        clause = self.read_text(block, "clause", f"{path}.", default)
        if base is None:
            return TableOption(value, clause, open=True)
        others = tuple(other for other in (base.value, *base.may_be) if other != value)
        return TableOption(value, clause, base.open, others)

    def read_cap_limits(self) -> CapLimits:
        table, base = self.read_table(self.raw, "cap_limits"), self.base.cap_limits
        return CapLimits(
            pays=self.read_whole_number(table, "pays", "cap_limits.", base.pays, 0, 1000),
            clause=self.read_text(table, "clause", "cap_limits.", base.clause),
        )

    def read_bonus(self) -> dict[str, Mapping[str, Pay]]:
        filled = read_bonus_cells(self.raw.get("bonus", {}), self.report_mistake)
        merged = {**self.base.bonus, **filled}
        return {key: {**self.base.bonus.get(key, {}), **cells} for key, cells in merged.items()}

    def read_posted_limits(self, book: RuleBook) -> dict[Wager, Limit]:
        limits = read_limits(self.raw.get("limits", {}), book.offers, self.report_mistake)
        return {**self.base.limits, **limits}

    # Procedures.

    def with_procedures(self, book: RuleBook) -> RuleBook:
        seats = self.read_table(self.raw, "seats")
        max_options = self.read_table(self.raw, "max_options")
        meter = self.read_table(self.raw, "meter")
        settlement = self.read_table(self.raw, "settlement")
        book = replace(
            book,
            seats=self.read_whole_number(seats, "value", "seats.", book.seats, 1, 6),
            seats_clause=self.read_text(seats, "clause", "seats.", book.seats_clause),
            fixed_seats=self.read_flag(seats, "fixed", "seats.", book.fixed_seats),
            max_options=self.read_whole_number(
                max_options, "value", "max_options.", book.max_options, 0, 7
            ),
            max_options_clause=self.read_text(
                max_options, "clause", "max_options.", book.max_options_clause
            ),
            linkable_meter=self.read_flag(meter, "linkable", "meter.", book.linkable_meter),
            any_seed=self.read_flag(meter, "any_seed", "meter.", book.any_seed),
            meter_clause=self.read_text(meter, "clause", "meter.", book.meter_clause),
            settlement_order=self.read_settlement_order(settlement, book.settlement_order),
            settlement_clause=self.read_text(
                settlement, "clause", "settlement.", book.settlement_clause
            ),
        )
        if self.house and self.base.fixed_seats and book.seats != self.base.seats:
            seats_fixed, clause = self.base.seats, self.base.seats_clause
            fixed = refusal(Code.NOT_OPEN, "seats", clause=clause, seats=seats_fixed)
            self.report_mistake("seats.value", fixed)
        if self.house and book.linkable_meter and not self.base.linkable_meter:
            clause = self.base.meter_clause
            own_meter = refusal(Code.NOT_OPEN, "own_meter", clause=clause)
            no_progressive = refusal(Code.NOT_OPEN, "no_progressive")
            self.report_mistake("meter.linkable", own_meter if clause else no_progressive)
        return book

    def read_settlement_order(self, settlement: Raw, base: SettlementOrder) -> SettlementOrder:
        """A house keeps the order that its document sets. Only New York sets one (R97)."""
        if "order" not in settlement:
            return base
        is_set = base is SettlementOrder.BY_DEALERS_HAND
        orders = (base,) if self.house and is_set else tuple(SettlementOrder)
        return SettlementOrder(self.read_choice(settlement, "order", orders, "settlement."))

    def read_irregularities(self) -> dict[Cause, IrregularityRule]:
        rules = dict(self.base.irregularities)
        table = dict(self.read_table(self.raw, "irregularities"))
        if "inherit" in table:  # R96: adopts another book's procedures as house rules
            source = self.find_book(table.pop("inherit"))
            if source is None:
                self.report_mistake("irregularities.inherit", refusal(Code.BAD_RULES, "inherit"))
            else:
                adopted = source.irregularities.items()
                rules = {cause: _adopt_as_house_rule(rule) for cause, rule in adopted} | rules
        for name, block in table.items():
            path = f"irregularities.{name}"
            if not isinstance(block, Mapping):
                self.report_mistake(path, refusal(Code.BAD_RULES, "irregularity"))
                continue
            cause = Cause(name)
            base = rules.get(
                cause, IrregularityRule(cause, VoidScope.ALL, (), self.id, house_rule=True)
            )
            rules[cause] = self.read_irregularity(path, block, base)
        return rules

    def read_irregularity(self, path: str, raw: Raw, base: IrregularityRule) -> IrregularityRule:
        block = self.keep_allowed_keys("irregularity", raw, f"{path}.")
        voids, settles = block.get("voids", base.voids), block.get("settles", list(base.settles))
        if voids not in tuple(VoidScope):
            self.report_mistake(path, refusal(Code.BAD_RULES, "voids", choices=tuple(VoidScope)))
            voids = base.voids
        if not isinstance(settles, list) or not all(wager in SIDE_WAGERS for wager in settles):
            self.report_mistake(path, refusal(Code.BAD_RULES, "settles", wagers=SIDE_WAGERS))
            settles = base.settles
        rule = IrregularityRule(
            cause=base.cause,
            voids=VoidScope(voids),
            settles=tuple(Wager(wager) for wager in settles),
            clause=self.read_text(block, "clause", f"{path}.", self.id),
            correctable=self.read_flag(block, "correctable", f"{path}.", base.correctable),
            house_rule=self.read_flag(block, "house_rule", f"{path}.", not self.document),
        )
        if self.house and not base.house_rule and not _is_compliant(base, rule):
            self.report_mistake(path, refusal(Code.NOT_OPEN, "settled", clause=base.clause))
        return rule

    # Paytables.

    def read_conditions(self) -> tuple[Condition, ...]:
        added = [
            Condition(
                key=self.read_choice(block, "key", PAYTABLE_KEYS, f"{path}."),
                id=self.read_nonempty_text(block, "id", f"{path}."),
                qualifier=self.read_flag(block, "qualifier", f"{path}."),
                clause=self.read_text(block, "clause", f"{path}."),
            )
            for path, block in self.read_blocks(self.raw, "condition")
        ]
        return tuple(added) if self.kind == "study" else (*self.base.conditions, *added)

    def with_paytables(self, book: RuleBook) -> RuleBook:
        tables = {key: dict(known) for key, known in book.paytables.items()}
        closed = dict(book.closed)
        optional, needs_limit = list(book.optional_tables), list(book.needs_limit)
        for path, block in self.read_blocks(self.raw, "paytable"):
            if (key := self.read_paytable_key(path, block)) is None:
                continue
            self.check_addition(path, key, block)
            closed[key] = closed.get(key, False) or self.read_flag(block, "closed", f"{path}.")
            if self.read_flag(block, "optional", f"{path}."):
                optional.append(key)
            known = tables.setdefault(key, {})
            for table in self.read_paytable_columns(
                path, self.set_progressive_basis(path, block, book)
            ):
                if normalize_id(table.id) in map(normalize_id, known):
                    self.report_mistake(
                        path, refusal(Code.BAD_RULES, "same_id", key=key, id=table.id)
                    )
                known[table.id] = table
            needs_limit += self.read_needs_limit(path, key, block)
        return replace(
            book,
            paytables=tables,
            closed=closed,
            optional_tables=tuple(optional),
            needs_limit=tuple(needs_limit),
            layout_tables=(*book.layout_tables, *self.read_layout_tables()),
        )

    def read_paytable_key(self, path: str, block: Raw) -> str | None:
        key = block.get("key")
        if isinstance(key, str) and key in PAYTABLE_KEYS:
            return key
        self.report_mistake(f"{path}.key", refusal(Code.BAD_RULES, "one_of", choices=PAYTABLE_KEYS))
        return None

    def check_addition(self, path: str, key: str, block: Raw) -> None:
        """R2: some lists are closed; tables added to the others must be labelled custom."""
        custom = self.read_flag(block, "custom", f"{path}.")
        for name in ("title", "basis_clause"):
            self.read_text(block, name, f"{path}.")
        if not self.house:
            return
        if key in SIDE_WAGERS and key not in self.base.offers:
            self.report_mistake(
                path, refusal(Code.WAGER_NOT_OFFERED, "by_book", book=self.base.id, key=key)
            )
        elif self.base.closed[key]:
            clause = next(iter(self.base.paytables[key].values())).clause
            self.report_mistake(path, refusal(Code.CLOSED_LIST, clause=clause, key=key))
        elif not custom:
            self.report_mistake(path, refusal(Code.NOT_LABELLED_CUSTOM))

    def read_needs_limit(self, path: str, key: str, block: Raw) -> list[tuple[str, str]]:
        """R63: tables that open only with a maximum stake or a cap."""
        ids, all_ids = block.get("needs_limit", []), block.get("ids", [])
        are_lists = isinstance(ids, list) and isinstance(all_ids, list)
        if not are_lists or not all(id in all_ids for id in ids):
            self.report_mistake(f"{path}.needs_limit", refusal(Code.BAD_RULES, "own_ids"))
            return []
        if ids and key not in SIDE_WAGERS:
            self.report_mistake(
                f"{path}.needs_limit", refusal(Code.BAD_RULES, "side_wagers", wagers=SIDE_WAGERS)
            )
        return [(key, id) for id in ids]

    def set_progressive_basis(self, path: str, block: Raw, book: RuleBook) -> Raw:
        """The block with the basis that the option progressive_basis sets for all of them."""
        option = book.options.get("progressive_basis")
        if self.document or block["key"] != "progressive" or option is None:
            return block
        basis = block.get("basis")
        if basis in tuple(Basis) and basis != option.value:
            mismatch = refusal(Code.BAD_RULES, "basis", basis=option.value, clause=option.clause)
            self.report_mistake(f"{path}.basis", mismatch)
        return {"basis": option.value, **block}

    def read_paytable_columns(self, path: str, block: Raw) -> list[Paytable]:
        return read_columns(self, path, block, custom=not self.document, cite=self.default_clause)

    def read_layout_tables(self) -> list[Paytable]:
        tables: list[Paytable] = []
        for path, block in self.read_blocks(self.raw, "layout_table"):
            if self.read_paytable_key(path, block) is not None:
                tables += self.read_paytable_columns(path, {**block, "ids": ["layout"]})
        return tables

    def read_choices(self, book: RuleBook) -> dict[str, str]:
        choices = dict(self.base.choices)
        for key, id in self.read_table(self.raw, "paytables").items():
            try:
                table = choose_paytable(book, key, id)
            except Refused as refused:
                self.report_mistake(f"paytables.{key}", refused.refusal)
            else:
                choices[key] = "none" if table is None else table.id
        return choices


def _adopt_as_house_rule(rule: IrregularityRule) -> IrregularityRule:
    """R96: another document's rule becomes a house rule here."""
    if rule.house_rule:  # not from a document
        return rule
    return replace(rule, house_rule=True, clause=f"R96, {rule.clause}")


def _is_compliant(base: IrregularityRule, rule: IrregularityRule) -> bool:
    """A house may decline to correct what its document lets it correct, but nothing else."""
    same = (rule.voids, rule.settles) == (base.voids, base.settles)
    return same and rule.correctable <= base.correctable
