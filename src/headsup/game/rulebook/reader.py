"""From the TOML of a rule book to a `RuleBook`: what it says, laid over the book it extends."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.rulebook.fields import MAX_NAME_CHARACTERS, MAX_TEXT_CHARACTERS, FieldReader, Raw
from headsup.game.rulebook.irregularity import Cause, VoidScope
from headsup.game.rulebook.limits import read_limits
from headsup.game.rulebook.model import (
    PAYTABLE_KEYS,
    SETTLEMENT_CLAUSES,
    Basis,
    CapLimits,
    Condition,
    Inscription,
    InscriptionKind,
    IrregularityRule,
    Limit,
    Notice,
    Pay,
    Paytable,
    RuleBook,
    TableOption,
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

_ORDERS = ("folders_then_raisers_right_to_left",)

# What a document starts from; an operator's book starts from a shipped one.
EMPTY_BOOK = RuleBook(
    id="", title="", document="", cites="", version="", effective_from="", sha256="",
    kind="document", labels={}, offers={}, options={}, choices={}, paytables={}, closed={},
    optional_tables=(), needs_limit=(), conditions=(), bonus={}, limits={},
    clauses=dict.fromkeys(SETTLEMENT_CLAUSES, ""), max_options=0, max_options_clause="", seats=6,
    seats_clause="", fixed_seats=False, linkable_meter=False, any_seed=False,
    meter_clause="", layout=(), layout_tables=(), notices=(), irregularities={},
    settlement_order=_ORDERS[0],
    settlement_clause="", cap_limits=CapLimits(), file="",
)  # fmt: skip


class BookReader(FieldReader):
    """Reads one book. Where something is wrong it keeps to the base and notes the mistake."""

    def __init__(self, raw: Raw, file: str, base: RuleBook, find: FindBook) -> None:
        super().__init__(file)
        self.document = not file
        kinds = ("document",) if self.document else ("house", "study")
        self.kind = self.one_of(raw, "kind", kinds)
        self.house = self.kind == "house"
        self.raw = self.permitted("book", raw)
        self.base = base
        self.find = find
        self.id = self.words(raw, "id", most=MAX_NAME_CHARACTERS, default=Path(file).stem)
        if not self.document and "id" in raw and find(self.id) is not None:
            self.wrong("id", refusal(Code.BAD_RULES, "shipped_id"))

    def book(self) -> RuleBook:
        """The rule book; trust it only when `mistakes` is empty."""
        book = replace(
            self.base,
            id=self.id,
            kind=self.kind,
            title=self.words(self.raw, "title", default=self.base.title),
            document=self.text(self.raw, "document", default=self.base.document),
            cites=self.text(self.raw, "cites", default=self.base.cites),
            version=self.text(self.raw, "version", default=self.base.version),
            effective_from=self.text(self.raw, "effective_from", default=self.base.effective_from),
            sha256=self.text(self.raw, "sha256", default=self.base.sha256),
            labels=self.labels(),
            offers=self.offers(),
            options=self.options(),
            conditions=self.conditions(),
            cap_limits=self.cap_limits(),
            bonus=self.bonus(),
            clauses=self.clauses(),
            layout=self.layout(),
            notices=self.notices(),
            irregularities=self.irregularities(),
            file=self.file,
        )
        book = self.with_procedures(book)
        book = self.with_paytables(book)
        return replace(book, limits=self.limits(book), choices=self.choices(book))

    # What the book is called and cites.

    @property
    def own_clause(self) -> str:
        """What an operator's book says without a clause, it says itself."""
        return "" if self.document else self.id

    def labels(self) -> dict[str, str]:
        own = self.table(self.raw, "labels")
        most = MAX_NAME_CHARACTERS
        said = {key: self.words(own, key, "labels.", most=most) for key in own}
        return {**self.base.labels, **said}

    def clauses(self) -> dict[str, str]:
        own = self.table(self.raw, "clauses")
        return {**self.base.clauses, **{key: self.text(own, key, "clauses.") for key in own}}

    def layout(self) -> tuple[Inscription, ...]:
        own = (
            Inscription(
                text=self.words(block, "text", f"{at}."),
                clause=self.text(block, "clause", f"{at}.", self.own_clause),
                shows=InscriptionKind(
                    self.one_of(block, "shows", tuple(InscriptionKind), f"{at}.")
                ),
            )
            for at, block in self.blocks(self.raw, "layout")
        )
        return (*self.base.layout, *own)

    def notices(self) -> tuple[Notice, ...]:
        own = (
            Notice(
                text=self.words(block, "text", f"{at}."),
                when=self.one_of(block, "when", ("always", "bonus_jackpot"), f"{at}."),
                clause=self.text(block, "clause", f"{at}.", self.own_clause),
            )
            for at, block in self.blocks(self.raw, "notice")
        )
        return (*self.base.notices, *own)

    # What it offers and leaves open.

    def offers(self) -> dict[Wager, str]:
        """R7: a house may leave a wager off its layout, but not add one."""
        offers = dict(self.base.offers)
        for key, clause in self.table(self.raw, "offers").items():
            at = f"offers.{key}"
            if clause is False:
                offers.pop(Wager(key), None)
            elif self.house and key not in self.base.offers:
                self.wrong(at, refusal(Code.NOT_OPEN, "offers", book=self.base.id, key=key))
            elif self.house:
                self.wrong(at, refusal(Code.BAD_RULES, "offered"))
            elif not isinstance(clause, str):
                self.wrong(at, refusal(Code.BAD_RULES, "offer"))
            elif self.fit_to_print(at, clause, MAX_TEXT_CHARACTERS):
                offers[Wager(key)] = clause
        return offers

    def options(self) -> dict[str, TableOption]:
        options = dict(self.base.options)
        for key, raw in self.table(self.raw, "options").items():
            if (option := self.option(key, raw)) is not None:
                options[key] = option
        return options

    def option(self, key: str, raw: Any) -> TableOption | None:
        at = f"options.{key}"
        written_out = isinstance(raw, Mapping) and "value" in raw
        part = "option" if self.document else "choice"
        block = self.permitted(part, raw, f"{at}.") if written_out else {"value": raw}
        read, base = OPTIONS[key].read, self.base.options.get(key)
        try:
            value = read(block["value"])
            may_be = tuple(read(item) for item in block.get("may_be", ()))
        except Refused as refused:
            self.wrong(at, refused.refusal)
            return None
        if self.document:
            return TableOption(value, block["clause"], block.get("open", False), may_be)
        if self.house and (closed := refuse_option(self.base, key, value)):
            self.wrong(at, refusal(Code.OPTION_NOT_OPEN, "house", because=closed))
            return None
        lawful = base is not None and base.allows(value)
        clause = self.text(block, "clause", f"{at}.", base.clause if base and lawful else self.id)
        if base is None:
            return TableOption(value, clause, open=True)
        others = tuple(other for other in (base.value, *base.may_be) if other != value)
        return TableOption(value, clause, base.open, others)

    def cap_limits(self) -> CapLimits:
        own, base = self.table(self.raw, "cap_limits"), self.base.cap_limits
        return CapLimits(
            pays=self.whole(own, "pays", "cap_limits.", base.pays, 0, 1000),
            clause=self.text(own, "clause", "cap_limits.", base.clause),
        )

    def bonus(self) -> dict[str, Mapping[str, Pay]]:
        own = read_bonus_cells(self.raw.get("bonus", {}), self.wrong)
        both = {**self.base.bonus, **own}
        return {key: {**self.base.bonus.get(key, {}), **cells} for key, cells in both.items()}

    def limits(self, book: RuleBook) -> dict[Wager, Limit]:
        own = read_limits(self.raw.get("limits", {}), book.offers, self.wrong)
        return {**self.base.limits, **own}

    # Procedures.

    def with_procedures(self, book: RuleBook) -> RuleBook:
        seats = self.table(self.raw, "seats")
        max_options = self.table(self.raw, "max_options")
        meter = self.table(self.raw, "meter")
        settlement = self.table(self.raw, "settlement")
        book = replace(
            book,
            seats=self.whole(seats, "value", "seats.", book.seats, 1, 6),
            seats_clause=self.text(seats, "clause", "seats.", book.seats_clause),
            fixed_seats=self.flag(seats, "fixed", "seats.", book.fixed_seats),
            max_options=self.whole(max_options, "value", "max_options.", book.max_options, 0, 7),
            max_options_clause=self.text(
                max_options, "clause", "max_options.", book.max_options_clause
            ),
            linkable_meter=self.flag(meter, "linkable", "meter.", book.linkable_meter),
            any_seed=self.flag(meter, "any_seed", "meter.", book.any_seed),
            meter_clause=self.text(meter, "clause", "meter.", book.meter_clause),
            settlement_order=self.one_of(settlement, "order", _ORDERS, "settlement."),
            settlement_clause=self.text(
                settlement, "clause", "settlement.", book.settlement_clause
            ),
        )
        if self.house and self.base.fixed_seats and book.seats != self.base.seats:
            said, clause = self.base.seats, self.base.seats_clause
            self.wrong("seats.value", refusal(Code.NOT_OPEN, "seats", clause=clause, seats=said))
        if self.house and book.linkable_meter and not self.base.linkable_meter:
            clause = self.base.meter_clause
            own = refusal(Code.NOT_OPEN, "own_meter", clause=clause)
            self.wrong(
                "meter.linkable", own if clause else refusal(Code.NOT_OPEN, "no_progressive")
            )
        return book

    def irregularities(self) -> dict[Cause, IrregularityRule]:
        rules = dict(self.base.irregularities)
        own = dict(self.table(self.raw, "irregularities"))
        if "inherit" in own:  # R96: another book's, taken over as house rules
            source = self.find(own.pop("inherit"))
            if source is None:
                self.wrong("irregularities.inherit", refusal(Code.BAD_RULES, "inherit"))
            else:
                taken = source.irregularities.items()
                rules = {cause: _adopt_as_house_rule(rule) for cause, rule in taken} | rules
        for name, block in own.items():
            at = f"irregularities.{name}"
            if not isinstance(block, Mapping):
                self.wrong(at, refusal(Code.BAD_RULES, "irregularity"))
                continue
            cause = Cause(name)
            base = rules.get(
                cause, IrregularityRule(cause, VoidScope.ALL, (), self.id, house_rule=True)
            )
            rules[cause] = self.irregularity(at, block, base)
        return rules

    def irregularity(self, at: str, raw: Raw, base: IrregularityRule) -> IrregularityRule:
        block = self.permitted("irregularity", raw, f"{at}.")
        voids, settles = block.get("voids", base.voids), block.get("settles", list(base.settles))
        if voids not in tuple(VoidScope):
            self.wrong(at, refusal(Code.BAD_RULES, "voids", choices=tuple(VoidScope)))
            voids = base.voids
        if not isinstance(settles, list) or not all(wager in SIDE_WAGERS for wager in settles):
            self.wrong(at, refusal(Code.BAD_RULES, "settles", wagers=SIDE_WAGERS))
            settles = base.settles
        rule = IrregularityRule(
            cause=base.cause,
            voids=VoidScope(voids),
            settles=tuple(Wager(wager) for wager in settles),
            clause=self.text(block, "clause", f"{at}.", self.id),
            correctable=self.flag(block, "correctable", f"{at}.", base.correctable),
            house_rule=self.flag(block, "house_rule", f"{at}.", not self.document),
        )
        if self.house and not base.house_rule and not _is_compliant(base, rule):
            self.wrong(at, refusal(Code.NOT_OPEN, "settled", clause=base.clause))
        return rule

    # Paytables.

    def conditions(self) -> tuple[Condition, ...]:
        own = [
            Condition(
                key=self.one_of(block, "key", PAYTABLE_KEYS, f"{at}."),
                id=self.words(block, "id", f"{at}."),
                qualifier=self.flag(block, "qualifier", f"{at}."),
                clause=self.text(block, "clause", f"{at}."),
            )
            for at, block in self.blocks(self.raw, "condition")
        ]
        return tuple(own) if self.kind == "study" else (*self.base.conditions, *own)

    def with_paytables(self, book: RuleBook) -> RuleBook:
        tables = {key: dict(known) for key, known in book.paytables.items()}
        closed = dict(book.closed)
        optional, needs_limit = list(book.optional_tables), list(book.needs_limit)
        for at, block in self.blocks(self.raw, "paytable"):
            if (key := self.paytable_key(at, block)) is None:
                continue
            self.check_addition(at, key, block)
            closed[key] = closed.get(key, False) or self.flag(block, "closed", f"{at}.")
            if self.flag(block, "optional", f"{at}."):
                optional.append(key)
            known = tables.setdefault(key, {})
            for table in self.columns(at, self.with_basis(at, block, book)):
                if normalize_id(table.id) in map(normalize_id, known):
                    self.wrong(at, refusal(Code.BAD_RULES, "same_id", key=key, id=table.id))
                known[table.id] = table
            needs_limit += self.needs_limit(at, key, block)
        return replace(
            book,
            paytables=tables,
            closed=closed,
            optional_tables=tuple(optional),
            needs_limit=tuple(needs_limit),
            layout_tables=(*book.layout_tables, *self.layout_tables()),
        )

    def paytable_key(self, at: str, block: Raw) -> str | None:
        key = block.get("key")
        if isinstance(key, str) and key in PAYTABLE_KEYS:
            return key
        self.wrong(f"{at}.key", refusal(Code.BAD_RULES, "one_of", choices=PAYTABLE_KEYS))
        return None

    def check_addition(self, at: str, key: str, block: Raw) -> None:
        """R2: some lists are closed; to the others only a table labelled custom may be added."""
        custom = self.flag(block, "custom", f"{at}.")
        for name in ("title", "basis_clause"):
            self.text(block, name, f"{at}.")
        if not self.house:
            return
        if key in SIDE_WAGERS and key not in self.base.offers:
            self.wrong(at, refusal(Code.WAGER_NOT_OFFERED, "by_book", book=self.base.id, key=key))
        elif self.base.closed[key]:
            clause = next(iter(self.base.paytables[key].values())).clause
            self.wrong(at, refusal(Code.CLOSED_LIST, clause=clause, key=key))
        elif not custom:
            self.wrong(at, refusal(Code.NOT_LABELLED_CUSTOM))

    def needs_limit(self, at: str, key: str, block: Raw) -> list[tuple[str, str]]:
        """R63: tables that open only with a maximum stake or a cap."""
        ids, own = block.get("needs_limit", []), block.get("ids", [])
        known = isinstance(ids, list) and isinstance(own, list) and all(id in own for id in ids)
        if not known:
            self.wrong(f"{at}.needs_limit", refusal(Code.BAD_RULES, "own_ids"))
            return []
        if ids and key not in SIDE_WAGERS:
            self.wrong(
                f"{at}.needs_limit", refusal(Code.BAD_RULES, "side_wagers", wagers=SIDE_WAGERS)
            )
        return [(key, id) for id in ids]

    def with_basis(self, at: str, block: Raw, book: RuleBook) -> Raw:
        """A progressive is paid on the basis of the option, so a table may not say another."""
        option = book.options.get("progressive_basis")
        if self.document or block["key"] != "progressive" or option is None:
            return block
        basis = block.get("basis")
        if basis in tuple(Basis) and basis != option.value:
            said, clause = option.value, option.clause
            self.wrong(f"{at}.basis", refusal(Code.BAD_RULES, "basis", basis=said, clause=clause))
        return {"basis": option.value, **block}

    def columns(self, at: str, block: Raw) -> list[Paytable]:
        return read_columns(self, at, block, custom=not self.document, cite=self.own_clause)

    def layout_tables(self) -> list[Paytable]:
        tables: list[Paytable] = []
        for at, block in self.blocks(self.raw, "layout_table"):
            if self.paytable_key(at, block) is not None:
                tables += self.columns(at, {**block, "ids": ["layout"]})
        return tables

    def choices(self, book: RuleBook) -> dict[str, str]:
        choices = dict(self.base.choices)
        for key, id in self.table(self.raw, "paytables").items():
            try:
                table = choose_paytable(book, key, id)
            except Refused as refused:
                self.wrong(f"paytables.{key}", refused.refusal)
            else:
                choices[key] = "none" if table is None else table.id
        return choices


def _adopt_as_house_rule(rule: IrregularityRule) -> IrregularityRule:
    """R96: what another document says is a house rule here."""
    if rule.house_rule:  # it is no document's
        return rule
    return replace(rule, house_rule=True, clause=f"R96, {rule.clause}")


def _is_compliant(base: IrregularityRule, rule: IrregularityRule) -> bool:
    """A house need not correct what its document lets it correct; all else it must do alike."""
    same = (rule.voids, rule.settles) == (base.voids, base.settles)
    return same and rule.correctable <= base.correctable
