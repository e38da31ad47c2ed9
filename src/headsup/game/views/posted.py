"""Builds what a table posts: limits, raises, paytables, notices and the text on the felt.

It depends only on the rules and on whether the jackpot is still open, so it is built once and is
the same object in every view.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from headsup.game.rulebook.model import Basis, Cap, InscriptionKind, Pay, PayKind, Paytable
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Street, Wager
from headsup.game.values.money import Cents, show_dollars
from headsup.game.views.clause_texts import PostedText, clause_texts


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A paytable row on the display: the printed text and the pay."""

    outcome: str
    pays: Pay


@dataclass(frozen=True, slots=True)
class PostedRow:
    outcome: str
    label: str
    pays: Pay


@dataclass(frozen=True, slots=True)
class PostedTable:
    key: str
    id: str
    basis: Basis
    clause: str
    rows: tuple[PostedRow, ...]


@dataclass(frozen=True, slots=True)
class PostedLimit:
    """The limits of one wager; None means no limit."""

    wager: Wager
    min: Cents | None
    max: Cents | None
    step: Cents | None


@dataclass(frozen=True, slots=True)
class PostedRaise:
    """The permitted multiples of the Ante for a Raise on one street."""

    street: Street
    multiples: tuple[int, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class PostedCap:
    """The maximum that one round pays on these wagers, per player or per table (`scope`).

    Prizes below `spares_below` to 1 are never cut. `text` says all of it in this book's names.
    """

    amount: Cents
    scope: str
    wagers: tuple[Wager, ...]
    spares_below: int
    text: str
    clause: str


@dataclass(frozen=True, slots=True, eq=False)
class PostedView:
    """Everything posted at a table. Compared by identity: equal rules post the same object."""

    labels: Mapping[Wager, str]  # this book's names of the offered wagers
    limits: tuple[PostedLimit, ...]
    single_wager_max: Cents | None
    progressive_stake: Cents | None
    side_wagers_max: int | None  # how many side wagers a player may place in a round (R10)
    raises: tuple[PostedRaise, ...]
    qualifier: PostedText | None  # the hand the dealer needs to qualify
    grace_seconds: int  # how long the dealer waits for an absent player (R33)
    cap: PostedCap | None
    paytables: tuple[PostedTable, ...]
    notices: tuple[PostedText, ...]
    layout: tuple[PostedText, ...]
    inscriptions: tuple[str, ...]  # the words printed on the felt, and the posted cap
    layout_paytables: tuple[PostedTable, ...]  # the paytables printed on the felt
    clauses: tuple[PostedText, ...]  # what each clause says that a settled wager cites


@lru_cache(maxsize=1024)
def posted_view(rules: TableRules, jackpot_open: bool) -> PostedView:
    """Everything posted; a Progressive whose jackpot has ended is left out (R84)."""
    offered = offered_wagers(rules, jackpot_open)
    hidden = () if Wager.PROGRESSIVE in offered else (Wager.PROGRESSIVE.value,)
    return PostedView(
        labels={wager: rules.book.label(wager) for wager in (*offered, Wager.RAISE)},
        limits=tuple(
            PostedLimit(wager, limit.min or None, limit.max or None, limit.step or None)
            for wager, limit in rules.limits.items()
            if wager in offered
        ),
        single_wager_max=rules.single_wager_max or None,
        progressive_stake=rules.progressive_stake if Wager.PROGRESSIVE in offered else None,
        side_wagers_max=_side_wagers_max(rules, offered),
        raises=tuple(
            PostedRaise(street, rules.raises[street], _raise_clause(rules, street))
            for street in Street
        ),
        qualifier=_qualifier(rules),
        grace_seconds=rules.grace_seconds,
        cap=_cap(rules, offered),
        paytables=tuple(
            _table(table) for key, table in rules.paytables.items() if key not in hidden
        ),
        notices=_notices(rules, Wager.PROGRESSIVE in offered),
        layout=tuple(PostedText(item.text, item.clause) for item in rules.book.layout),
        inscriptions=_inscriptions(rules, offered),
        layout_paytables=tuple(
            _table(felt) for felt in rules.book.layout_tables if _is_on_felt(rules, felt)
        ),
        clauses=clause_texts(rules, offered),
    )


@lru_cache(maxsize=1024)
def offered_wagers(rules: TableRules, jackpot_open: bool) -> tuple[Wager, ...]:
    """The wagers that may be placed before the deal."""
    sides = (wager for wager in SIDE_WAGERS if rules.offers(wager))
    return (
        Wager.ANTE,
        Wager.ODDS,
        *(wager for wager in sides if jackpot_open or wager is not Wager.PROGRESSIVE),
    )


def _side_wagers_max(rules: TableRules, offered: tuple[Wager, ...]) -> int | None:
    sides = sum(wager in SIDE_WAGERS for wager in offered)
    return rules.max_side_wagers if rules.max_side_wagers < sides else None


def _raise_clause(rules: TableRules, street: Street) -> str:
    return rules.book.options[f"{street.value}_raises"].clause


def _qualifier(rules: TableRules) -> PostedText | None:
    if not rules.qualifier_strength:
        return None
    needed = "a pair" if rules.qualifier == "one_pair" else rules.qualifier.replace("_", " ")
    clause = rules.book.options["qualifier"].clause
    return PostedText(f"The dealer qualifies with {needed} or better", clause)


def _cap(rules: TableRules, offered: tuple[Wager, ...]) -> PostedCap | None:
    cap = rules.cap
    if cap is None:
        return None
    text, clause = cap_text(rules, cap, offered), rules.book.options["cap"].clause
    return PostedCap(cap.amount, cap.scope, cap.wagers, cap.spares_below, text, clause)


def _inscriptions(rules: TableRules, offered: tuple[Wager, ...]) -> tuple[str, ...]:
    words = [item.text for item in rules.book.layout if item.shows is InscriptionKind.WORDS]
    return (*words, *([cap_text(rules, rules.cap, offered)] if rules.cap else []))


def cap_text(rules: TableRules, cap: Cap, offered: tuple[Wager, ...]) -> str:
    """What is limited, per whom, and what is paid in full nevertheless (R100–R103)."""
    betted = (*offered, Wager.RAISE)
    counted = [
        rules.book.label(wager) for wager in Wager if wager in cap.wagers and wager in betted
    ]
    others = [
        rules.book.label(wager) for wager in Wager if wager in betted and wager not in cap.wagers
    ]
    per = "player" if cap.scope == "player" else "table, shared in proportion"
    amount = show_dollars(cap.amount)
    sentences = [f"A round pays at most {amount} in winnings on {_join(counted)} per {per}."]
    if others:
        sentences.append(f"{_join(others)} {'is' if len(others) == 1 else 'are'} not limited.")
    if cap.spares_below:
        sentences.append(f"Prizes below {cap.spares_below} to 1 are never cut.")
    return " ".join(sentences)


def _join(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _table(table: Paytable) -> PostedTable:
    """Rows that can never be paid are not shown (R39)."""
    rows = tuple(
        PostedRow(row.outcome, row.label, row.pay)
        for row in table.rows
        if not table.is_unreachable(row.outcome)
    )
    return PostedTable(table.key, table.id, table.basis, table.clause, rows)


def _is_on_felt(rules: TableRules, felt: Paytable) -> bool:
    """Whether the felt prints the pays of this table; other pays need another felt."""
    table = rules.paytables.get(felt.key)
    if table is None or table.basis is not felt.basis:
        return False
    return all(
        (pay := table.pays.get(row.outcome)) is not None and pay.amount == row.pay.amount
        for row in felt.rows
        if row.pay.kind is PayKind.PAYS and not felt.is_unreachable(row.outcome)
    )


def _notices(rules: TableRules, has_progressive: bool) -> tuple[PostedText, ...]:
    return tuple(
        PostedText(notice.text, notice.clause)
        for notice in rules.book.notices
        if notice.when == "always"
        or (notice.when == "bonus_jackpot" and rules.bonus_jackpot and has_progressive)
    )


@lru_cache(maxsize=1024)
def bonus_notices(rules: TableRules) -> tuple[str, ...]:
    """The notices required beside every Bonus Jackpot figure (WA App. D note 5)."""
    if not rules.bonus_jackpot:
        return ()
    return tuple(notice.text for notice in rules.book.notices if notice.when == "bonus_jackpot")


@lru_cache(maxsize=1024)
def prize_rows(rules: TableRules) -> tuple[PrizeRow, ...]:
    """The Progressive's paytable for the display."""
    table = rules.paytables[Wager.PROGRESSIVE.value]
    return tuple(PrizeRow(row.label, row.pay) for row in table.rows)
