"""`headsup protect`: what exposed cards, other hands dealt face up, or a dealer's errors cost."""

import json
from typing import TYPE_CHECKING, Any

import click

from headsup.analysis.limits import MAX_OTHER_HANDS, MAX_SEED
from headsup.cli.options.common import (
    json_option,
    open_executor,
    read_rules,
    rules_option,
    scheduler_option,
    sets_option,
    workers_option,
)
from headsup.cli.shell.command import Command, WholeNumber, option
from headsup.cli.shell.usage import refusal_for_choice
from headsup.game.refusal import Code, Refused
from headsup.game.values.amounts import show_count
from headsup.game.values.cards import RANKS, Cards, UnreadableCards, card_name, parse_cards

if TYPE_CHECKING:
    from headsup.analysis.protect.dealer_errors import DealerError
    from headsup.analysis.protect.exposure import ExposureResult
    from headsup.analysis.protect.face_up import FaceUpEstimate
    from headsup.analysis.protect.seen_cards import Exposure, ExposureReport
    from headsup.game.rulebook.table_rules import TableRules

MAX_SEEN_CARDS = {"dealer": 2, "flop": 3, "river": 1}  # river: of the two cards after the flop
DEFAULT_LAYOUTS = 40
MAX_LAYOUTS = 100_000


@click.command(cls=Command)
@option("--see", metavar="dealer=N,flop=N,river=N", help="Cards seen before the first decision.")
@option("--face-up", metavar="CARDS", help="Other hands seen: 'AsKd QhQs'.")
@option(
    "--hands",
    metavar="N",
    type=WholeNumber(MAX_OTHER_HANDS),
    help="Number of other hands seen, 1 to 5; an estimate.",
)
@option(
    "--layouts",
    metavar="N",
    type=WholeNumber(MAX_LAYOUTS, minimum=2),
    default=DEFAULT_LAYOUTS,
    help="With --hands: number of random layouts to solve.",
)
@option(
    "--seed",
    metavar="N",
    type=WholeNumber(MAX_SEED, minimum=0),
    default=1,
    help="With --hands: random seed.",
)
@option("--errors", is_flag=True, help="Cost of dealer errors.")
@workers_option
@scheduler_option
@rules_option
@sets_option
@json_option
def protect(
    see: str | None,
    face_up: str | None,
    hands: int | None,
    layouts: int,
    seed: int,
    errors: bool,
    workers: str | None,
    scheduler: str | None,
    rules: str,
    sets: tuple[str, ...],
    as_json: bool,
) -> None:
    """Game protection: the exact edge of a player who has seen cards, and the cost of errors."""
    modes = [see is not None, face_up is not None, hands is not None, errors]
    if sum(modes) != 1:
        raise Refused(Code.BAD_ARGUMENTS, "protect")
    for where, value in (("--workers", workers), ("--scheduler", scheduler)):
        if value is not None and hands is None:
            raise Refused(Code.BAD_ARGUMENTS, "only_with", where=where, other="--hands")
    if see is not None:
        _answer_seen_cards(read_rules(rules, sets), read_exposure(see), as_json)
    elif face_up is not None:
        _answer_face_up(read_rules(rules, sets), _read_hands(face_up), as_json)
    elif hands is not None:
        chosen = read_rules(rules, sets)
        _answer_sample(chosen, hands, layouts, seed, as_json, workers, scheduler)
    else:
        _answer_errors(read_rules(rules, sets), as_json)


# Options.


def read_exposure(text: str) -> "Exposure":
    """Parse `dealer=1,flop=1`: each name once, at least one card in all."""
    from headsup.analysis.protect.seen_cards import Exposure

    counts: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = (word.strip() for word in part.partition("="))
        if name not in MAX_SEEN_CARDS:
            raise refusal_for_choice("--see", name, (*MAX_SEEN_CARDS,))
        if name in counts or not number.isascii() or not number.isdigit():
            raise Refused(Code.BAD_ARGUMENTS, "see", where="--see", text=part.strip()[:40])
        counts[name] = int(number[:9])
        if counts[name] > MAX_SEEN_CARDS[name]:
            raise Refused(Code.BAD_ARGUMENTS, "see", where="--see", text=part.strip()[:40])
    if not any(counts.values()):
        raise Refused(Code.BAD_ARGUMENTS, "see_nothing", where="--see")
    return Exposure(**counts)


def _read_hands(text: str) -> Cards:
    where = "--face-up"
    try:
        cards = parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=error) from None
    if len(cards) % 2 or not 2 <= len(cards) <= 2 * MAX_OTHER_HANDS:
        raise Refused(Code.WRONG_CARD_COUNT, "hands", where=where, count=len(cards))
    for index, card in enumerate(cards):
        if card in cards[:index]:
            name = card_name(card)
            raise Refused(Code.DUPLICATE_CARD, "named_twice", card=name, first=where, second=where)
    return cards


# Exposed cards.


def _answer_seen_cards(rules: "TableRules", see: "Exposure", as_json: bool) -> None:
    from headsup.analysis.protect.seen_cards import evaluate_exposure
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.solver.payoffs import BadPayoffs
    from headsup.cli.options.workbench import warn_first_run
    from headsup.cli.screens.progress import progress_bar

    payoffs = compile_payoffs(rules)
    warn_first_run()
    try:
        with progress_bar("Solving with the cards seen", timed=True) as progress:
            result = evaluate_exposure(payoffs, see, progress)
    except BadPayoffs as error:
        raise Refused(Code.NOT_SOLVABLE, "amounts", rules=rules.id, reason=str(error)) from None
    if as_json:
        from headsup.report.json.main_game import protection_json

        print(json.dumps(protection_json(rules, result)))
    else:
        _print_protection(rules, result)


def _print_protection(rules: "TableRules", result: "ExposureReport") -> None:
    from rich.table import Table

    from headsup.analysis.exact_numbers import percent
    from headsup.cli.screens.style import console
    from headsup.report.json.main_game import dealer_cards_name

    screen = console()
    screen.print(rules.book.title, style="bold")
    screen.print(
        f"Seen before the first decision: {_describe_exposure(result.exposure)}\n", style="dim"
    )
    screen.print(_facts(result.total, f"{result.total.classes:,} situations up to suits"))
    cases = [(cards, exposure) for cards, exposure in result.cases if cards]
    if not cases:
        return
    cases.sort(key=lambda case: case[1].player_edge, reverse=True)
    shown = len(RANKS)
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("dealer's cards")
    table.add_column("player's edge", justify="right")
    table.add_column("raises before flop", justify="right")
    for cards, exposure in cases[:shown]:
        edge, raises = percent(exposure.player_edge), percent(exposure.raise_pocket)
        table.add_row(dealer_cards_name(cards), edge, raises)
    screen.print()
    screen.print(table)
    if len(cases) > shown:
        screen.print(f"… and {len(cases) - shown} more (--json)", style="dim")


def _describe_exposure(see: "Exposure") -> str:
    named = (
        (see.dealer, "of the dealer's cards"),
        (see.flop, "of the flop"),
        (see.river, "of the two after it"),
    )
    return ", ".join(f"{count} {cards}" for count, cards in named if count)


def _facts(result: "ExposureResult", cases: str) -> Any:
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.exact_numbers import percent

    facts = Table.grid(padding=(0, 3))
    facts.add_column()
    facts.add_column(justify="right")
    facts.add_row("Player's edge, per Ante", Text(percent(result.player_edge), style="bold"))
    facts.add_row("Raises before the flop", percent(result.raise_pocket))
    facts.add_row("Cases", cases)
    return facts


# Other hands face up.


def _answer_face_up(rules: "TableRules", cards: Cards, as_json: bool) -> None:
    from headsup.analysis.exact_numbers import exact_json
    from headsup.analysis.protect.exposure import KERNEL_CALLS, exposure_edge
    from headsup.analysis.protect.known import KnownCards
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.workers.executor import KernelPool
    from headsup.cli.options.workbench import warn_first_run
    from headsup.cli.screens.progress import progress_bar
    from headsup.cli.screens.style import cards_text, console
    from headsup.report.json.main_game import rules_json

    payoffs = compile_payoffs(rules)
    warn_first_run()
    with (
        progress_bar("Solving with the hands seen") as progress,
        KernelPool(2 * KERNEL_CALLS, progress) as pool,
    ):
        result = exposure_edge(payoffs, KnownCards(dead_cards=tuple(cards)), pool)
    if as_json:
        answer = {
            **rules_json(rules),
            "face_up": [card_name(card) for card in cards],
            "player_edge": exact_json(result.player_edge),
            "raise_pocket": exact_json(result.raise_pocket),
            "classes": result.classes,
        }
        print(json.dumps(answer))
        return
    screen = console()
    screen.print(rules.book.title, style="bold")
    screen.print(cards_text(cards), end="\n\n")
    screen.print(_facts(result, f"{result.classes:,} hands up to suits"))
    screen.print("Exact, over every hand that can be dealt from the other cards.", style="dim")


def _answer_sample(
    rules: "TableRules", hands: int, layouts: int, seed: int, as_json: bool,
    workers: str | None, scheduler: str | None,
) -> None:  # fmt: skip
    from headsup.analysis.protect.face_up import estimate_seen_hands
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.workbench import warn_first_run
    from headsup.cli.screens.progress import progress_bar

    payoffs = compile_payoffs(rules)
    warn_first_run()
    with (
        open_executor(None, workers, scheduler) as executor,
        progress_bar(f"Solving {layouts} layouts", timed=True) as progress,
    ):
        remote = None if workers is None and scheduler is None else executor
        result = estimate_seen_hands(payoffs, hands, layouts, seed, progress, remote)
    if as_json:
        print(json.dumps(_sample_json(rules, result)))
    else:
        _print_sample(rules, result)


def _sample_json(rules: "TableRules", result: "FaceUpEstimate") -> dict[str, Any]:
    from headsup.analysis.exact_numbers import exact_json
    from headsup.report.json.main_game import rules_json

    low, high = result.interval
    return {
        **rules_json(rules),
        "hands": result.hands,
        "layouts": result.layouts,
        "seed": result.seed,
        "unseen": exact_json(result.unseen),
        "player_edge": {
            "mean": f"{result.mean:.10f}",
            "standard_error": f"{result.standard_error:.10f}",
            "interval": [f"{low:.10f}", f"{high:.10f}"],
        },
        "gain": f"{result.gain:.10f}",
    }


def _print_sample(rules: "TableRules", result: "FaceUpEstimate") -> None:
    from headsup.analysis.exact_numbers import percent
    from headsup.cli.screens.style import console

    screen, (low, high) = console(), result.interval
    screen.print(rules.book.title, style="bold")
    hands, layouts = show_count(result.hands, "other hand"), show_count(result.layouts, "layout")
    screen.print(f"{hands} seen; {layouts} solved\n", style="dim")
    screen.print(f"Player's edge, per Ante  {result.mean:+.4%}   95%: {low:+.4%} to {high:+.4%}")
    screen.print(f"Nothing seen             {percent(result.unseen)}")
    screen.print(f"Gain from seeing         {result.gain:+.4%}")


# Dealer errors.


def _answer_errors(rules: "TableRules", as_json: bool) -> None:
    from headsup.analysis.exact_numbers import exact_json
    from headsup.analysis.protect.dealer_errors import dealer_errors
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.workbench import open_workbench
    from headsup.report.json.main_game import rules_json

    result = dealer_errors(rules, open_workbench().strategy(compile_payoffs(rules)).solution)
    if as_json:
        errors = {
            error.key: {
                "what": error.description,
                "chance": exact_json(error.probability),
                "each": exact_json(error.gain),
                "per_round": exact_json(error.per_round),
            }
            for error in result
        }
        print(json.dumps({**rules_json(rules), "errors": errors}))
    else:
        _print_errors(rules, result)


def _print_errors(rules: "TableRules", result: "list[DealerError]") -> None:
    from rich.table import Table

    from headsup.analysis.exact_numbers import percent
    from headsup.cli.screens.style import console

    screen = console()
    screen.print(rules.book.title, style="bold")
    about = "If made every time, with unchanged play; + is the player's gain, per Ante"
    screen.print(f"{about}\n", style="dim")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("error")
    for heading in ("occasion", "each time", "per round"):
        table.add_column(heading, justify="right", no_wrap=True)
    for error in sorted(result, key=lambda error: -abs(error.per_round)):
        each, per_round = f"{float(error.gain):+.3f}", f"{float(error.per_round):+.4%}"
        table.add_row(error.description, percent(error.probability, 2), each, per_round)
    screen.print(table)
