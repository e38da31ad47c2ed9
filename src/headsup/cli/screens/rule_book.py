"""Prints a rule book (`headsup rules show`): facts with their clauses, paytables and layout."""

from typing import TYPE_CHECKING, assert_never

from rich.table import Table
from rich.text import Text

from headsup.cli.screens.style import console, key_to_words, shorten
from headsup.game.rulebook.json_export import limit_clause
from headsup.game.rulebook.model import InscriptionKind, Limit, Paytable
from headsup.game.rulebook.options import OPTIONS
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.values.money import show_dollars
from headsup.game.views.posted import cap_text, offered_wagers

if TYPE_CHECKING:
    from rich.console import Console


_TITLES = {
    "odds": "Odds, when the player wins",
    "bad_beat": "Odds, Bad Beat",
    "trips_plus": "Trips Plus",
    "pocket_bonus": "Pocket Bonus",
    "all_6": "All 6 Bonus",
    "progressive": "Progressive",
}


def _title(rules: TableRules, key: str) -> str:
    """A paytable's title, in the book's wording if it has any."""
    return rules.book.labels.get(key, _TITLES[key])


def print_rule_book(rules: TableRules) -> None:
    book, screen = rules.book, console()
    screen.print(book.title, style="bold")
    screen.print(f"{book.id}, document {book.document}\n", style="dim")
    screen.print(_facts(rules))
    for key in book.paytables:
        screen.print()
        _print_paytables(rules, key, screen)
    _print_layout(rules, screen)
    if book.notices:
        screen.print(Text("\nNotices", style="bold"))
    for notice in book.notices:
        screen.print(Text.assemble((notice.text, "italic"), f" ({notice.clause})", style="dim"))
    open_options = ", ".join(
        f"{key} ({_option_text(key, rules)})"
        for key, option in book.options.items()
        if option.open or option.may_be
    )
    screen.print(Text(f"\nCan be changed with --set: {open_options}", style="dim"))


def _option_text(key: str, rules: TableRules) -> str:
    """An option's current value, in words."""
    return OPTIONS[key].describe(rules.cap if key == "cap" else rules.options[key])


# Facts and their clauses.


def _facts(rules: TableRules) -> Table:
    book = rules.book
    facts = Table.grid(padding=(0, 2))
    facts.add_column(max_width=32)
    facts.add_column()
    facts.add_column(max_width=32)  # long clauses wrap

    def add(name: str, fact: str, clause: str) -> None:
        facts.add_row(Text(name), Text(fact), Text(clause, style="dim"))

    for street in Street:
        clause = book.options[f"{street.value}_raises"].clause
        add(f"{book.label(Wager.RAISE)} on the {street.value}", _raises(rules, street), clause)
    needed = (
        "none needed" if rules.qualifier == "none" else f"{key_to_words(rules.qualifier)} or better"
    )
    add("Dealer qualifies with", needed, book.options["qualifier"].clause)
    for wager in book.offers:
        if not rules.offers(wager):
            continue
        stays = "stays after a fold" if rules.after_fold[wager] else "is forfeited by a fold"
        add(book.label(wager), stays, book.options[f"{wager.value}_after_fold"].clause)
    if rules.offers(Wager.PROGRESSIVE):
        clause = book.options["progressive_stake"].clause
        add(
            f"Stake of the {book.label(Wager.PROGRESSIVE)}",
            show_dollars(rules.progressive_stake),
            clause,
        )
    if not rules.limits and not rules.single_wager_max:
        add("Limits of the wagers", "none posted", book.clauses["limits"])
    for wager, limit in rules.limits.items():
        name = f"Limits of the {book.label(wager)}"
        add(name, _limit_words(limit), limit_clause(rules, wager))
    if rules.single_wager_max:
        clause = book.options["single_wager_max"].clause
        add("Maximum per wager", show_dollars(rules.single_wager_max), clause)
    if rules.cap is not None:
        text = cap_text(rules, rules.cap, offered_wagers(rules, jackpot_open=True))
        add("Maximum payout per round", text, book.options["cap"].clause)
    if book.max_options:
        add("Wagering options at once", str(book.max_options), book.max_options_clause)
    add("Players' positions", str(book.seats), book.seats_clause)
    return facts


def _raises(rules: TableRules, street: Street) -> str:
    """`1× or 2×`, with the amounts if the Ante has limits."""
    times = " or ".join(f"{multiple}×" for multiple in rules.raises[street])
    limit = rules.limits.get(Wager.ANTE, Limit())
    smallest = limit.min * min(rules.raises[street])
    largest = limit.max * max(rules.raises[street])
    amounts = [f"from {show_dollars(smallest)}"] if smallest else []
    amounts += [f"up to {show_dollars(largest)}"] if largest else []
    return f"{times}, {' '.join(amounts)}" if amounts else times


def _limit_words(limit: Limit) -> str:
    words = [f"from {show_dollars(limit.min)}"] if limit.min else []
    words += [f"up to {show_dollars(limit.max)}"] if limit.max else []
    words += [f"in steps of {show_dollars(limit.step)}"] if limit.step else []
    return " ".join(words)


# The layout.


def _print_layout(rules: TableRules, screen: "Console") -> None:
    book = rules.book
    if not book.layout and not book.layout_tables:
        return
    screen.print(Text("\nOn the layout", style="bold"))
    for item in book.layout:
        line = Text(f"{item.text}{_layout_value(rules, item.shows)}")
        screen.print(line.append(f" ({item.clause})", style="dim"))
    for table in book.layout_tables:
        head = Text(f"\n{_title(rules, table.key)}, as printed on the felt", style="bold")
        head.append(f"  pays {table.basis} 1 · {table.clause}", style="not bold dim")
        screen.print(head)
        screen.print(_felt_table(table))


def _layout_value(rules: TableRules, shows: InscriptionKind) -> str:
    match shows:
        case InscriptionKind.WORDS | InscriptionKind.AREA:
            return ""
        case InscriptionKind.RAISES:
            parts = (f"{_raises(rules, street)} on the {street.value}" for street in Street)
            return f": {'; '.join(parts)}"
        case InscriptionKind.PAYS:
            return ": the tables in use above"
        case _:
            assert_never(shows)


def _felt_table(table: Paytable) -> Table:
    """The table as printed, but without rows that are never paid (R39)."""
    drawn = Table(header_style="bold")
    drawn.add_column("outcome")
    drawn.add_column("pays", justify="right")
    for row in table.rows:
        if not table.is_unreachable(row.outcome):
            drawn.add_row(Text(shorten(row.label, 40)), Text(row.pay.printed))
    return drawn


# Paytables.


def _print_paytables(rules: TableRules, key: str, screen: "Console") -> None:
    """Print all paytables of one wager, side by side as far as they fit."""
    chosen = rules.paytables.get(key)
    tables = [
        chosen if chosen is not None and chosen.id == table.id else table
        for table in rules.book.paytables[key].values()
    ]
    basis = (chosen or tables[0]).basis
    head = Text(f"{_title(rules, key)}  ", style="bold")
    head.append(f"pays {basis} 1 · {tables[0].clause}", style="not bold dim")
    if chosen is not None:
        head.append(f" · ● in use: {chosen.id}", style="not bold dim")
    screen.print(head)
    for block in _blocks(tables, chosen, screen.width):
        screen.print(_block(block, chosen))


def _blocks(tables: list[Paytable], chosen: Paytable | None, room: int) -> list[list[Paytable]]:
    """Group adjacent paytables that list the same outcomes, as far as they fit side by side."""
    blocks: list[list[Paytable]] = []
    for table in tables:
        last = blocks[-1] if blocks else None
        if last and list(last[0].pays) == list(table.pays):
            columns = [_labels(table)]
            columns += [[_head(member, chosen), *_pays(member)] for member in (*last, table)]
            if sum(max(map(len, column)) + 3 for column in columns) + 1 <= room:
                last.append(table)
                continue
        blocks.append([table])
    return blocks


def _block(tables: list[Paytable], chosen: Paytable | None) -> Table:
    drawn = Table(header_style="bold")
    drawn.add_column("outcome")
    for table in tables:
        drawn.add_column(Text(_head(table, chosen)), justify="right", no_wrap=True)
    for label, *pays in zip(_labels(tables[0]), *map(_pays, tables), strict=True):
        drawn.add_row(Text(label), *pays)
    return drawn


def _labels(table: Paytable) -> list[str]:
    return [shorten(row.label, 40) for row in table.rows if not table.is_unreachable(row.outcome)]


def _head(table: Paytable, chosen: Paytable | None) -> str:
    return shorten(table.id.removeprefix("HH/"), 20) + (" ●" if table is chosen else "")


def _pays(table: Paytable) -> list[str]:
    return [row.pay.short for row in table.rows if not table.is_unreachable(row.outcome)]
