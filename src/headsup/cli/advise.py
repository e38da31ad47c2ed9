"""`headsup advise`: the exact value of every option, and why the best one is best."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.choice import JsonOption, RulesOption, SetOption, chosen_rules
from headsup.game.cards import Cards, UnreadableCards, card_name, parse_cards
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.analysis.advice import ActionValue, Advice
    from headsup.game.rulebook.tablerules import TableRules


def advise(
    hole: Annotated[str, typer.Option("--hole", metavar="CARDS", help="Your two cards: AsKd.")],
    board: Annotated[
        str, typer.Option("--board", metavar="CARDS", help="Nothing, the flop, or all five.")
    ] = "",
    seen: Annotated[
        str, typer.Option("--seen", metavar="CARDS", help="Other cards known to be out.")
    ] = "",
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
) -> None:
    """Advise on one decision: the exact value of each option, in Antes."""
    cards = read_question(hole, board, seen)
    chosen = chosen_rules(rules, sets)
    advice = asked(chosen, *cards)
    if as_json:
        typer.echo(json.dumps(advice_json(advice)))
    else:
        _print(chosen, advice, *cards)


def read_question(hole: str, board: str, seen: str) -> tuple[Cards, Cards, Cards]:
    """The cards of a question, each named once."""
    cards = tuple(
        _read(text, where) for text, where in ((hole, "hole"), (board, "board"), (seen, "seen"))
    )
    if len(cards[0]) != 2:
        raise Refused(Code.WRONG_CARD_COUNT, "two", where="hole", count=len(cards[0]))
    if len(cards[1]) not in (0, 3, 5):
        raise Refused(Code.WRONG_CARD_COUNT, "board_so_far", where="board", count=len(cards[1]))
    if len(cards[2]) > 52 - 2 - 5 - 2:
        raise Refused(Code.WRONG_CARD_COUNT, "none_left", where="seen")
    places: dict[int, str] = {}
    for where, held in zip(("hole", "board", "seen"), cards, strict=True):
        for card in held:
            if card in places:
                name, first = card_name(card), places[card]
                raise Refused(
                    Code.DUPLICATE_CARD, "named_twice", card=name, first=first, second=where
                )
            places[card] = where
    return cards[0], cards[1], cards[2]


def _read(text: str, where: str) -> Cards:
    try:
        return parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=error) from None


def asked(rules: "TableRules", hole: Cards, board: Cards, seen: Cards) -> "Advice":
    """The advice; from the solved strategy where that holds it."""
    from headsup.analysis.compile import compile_payoffs
    from headsup.cli.progress import progress_bar
    from headsup.cli.solutions import say_first_run, strategy_for

    payoffs = compile_payoffs(rules)
    if not board and not seen:
        from headsup.analysis.advice import pocket_advice

        return pocket_advice(strategy_for(payoffs), hole)
    from headsup.analysis.advisor import advise

    say_first_run()
    with progress_bar("Going through every board") as progress:
        return advise(payoffs, hole, board, seen, progress=progress)


# For programs.


def advice_json(advice: "Advice") -> dict[str, Any]:
    best = advice.best
    return {
        "street": advice.street,
        "options": [value_json(value) for value in advice.values],
        "best": value_json(best),
        "explanation": explain(advice),
    }


def value_json(value: "ActionValue") -> dict[str, Any]:
    from headsup.analysis.numbers import exact

    written: dict[str, Any] = {"action": value.action}
    if value.multiple:
        written["multiple"] = value.multiple
    return {**written, "ev": exact(value.ev)}


# For people.


def explain(advice: "Advice") -> str:
    """The decision in a sentence a player understands: what it gains, and how close it is."""
    best = advice.best
    others = [value for value in advice.values if value.action != best.action]
    second = max(others, key=lambda value: value.ev)
    gap = float(best.ev - second.ev)
    chance = ""
    if advice.win is not None and advice.tie is not None:
        chance = f" You win {float(advice.win):.1%} of showdowns and tie {float(advice.tie):.1%}."
    return f"{_what(best, second)} {_how_close(gap)}{chance}"


def _what(best: "ActionValue", second: "ActionValue") -> str:
    gap = float(best.ev - second.ev)
    if best.action == "raise" and second.action == "fold":
        return f"Raise: it ends {gap:.3f} Antes better than folding, which gives up 2."
    if best.action == "fold":
        return f"Fold: it gives up 2 Antes, and raising would lose {gap:.3f} more on average."
    if best.action == "raise":
        return f"Raise {best.multiple}×: it earns {gap:.3f} Antes more than waiting."
    return f"Check: waiting keeps {gap:.3f} Antes that raising {second.multiple}× would give away."


def _how_close(gap: float) -> str:
    if gap < 0.02:
        return "It is very close."
    if gap < 0.15:
        return "It is fairly close."
    return "It is clear."


def _print(rules: "TableRules", advice: "Advice", hole: Cards, board: Cards, seen: Cards) -> None:
    from headsup.cli.screen import cards_text, console

    screen = console()
    line = cards_text(hole)
    if board:
        line.append("  on  ")
        line.append_text(cards_text(board))
    if seen:
        line.append("  seen  ")
        line.append_text(cards_text(seen))
    screen.print(line)
    screen.print(values_table(advice))
    screen.print(explain(advice))
    about = f"{advice.street}, {rules.book.id}; exact, whole round, in Antes"
    screen.print(about, style="dim")


def values_table(advice: "Advice") -> Any:
    """Every action with its value and what it costs against the best, the best marked."""
    from rich.table import Table

    from headsup.analysis.numbers import decimal

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("option")
    table.add_column("value", justify="right")
    table.add_column("costs", justify="right")
    best = advice.best
    for value in sorted(advice.values, key=lambda value: value.ev, reverse=True):
        name = f"{value.action} {value.multiple}×" if value.multiple else value.action
        is_best = value == best
        style = "bold green" if is_best else ""
        cost = "" if is_best else decimal(best.ev - value.ev, 4)
        table.add_row("▶" if is_best else "", name, f"{float(value.ev):+.4f}", cost, style=style)
    return table
