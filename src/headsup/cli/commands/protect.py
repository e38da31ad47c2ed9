"""`headsup protect`: what cards seen too early, hands dealt face up, or a dealer's errors cost."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.options.rules_option import JsonOption, RulesOption, SetOption, read_rules
from headsup.cli.options.workers import SchedulerOption, WorkersOption, open_executor
from headsup.game.refusal import Code, Refused
from headsup.game.values.cards import RANKS, Cards, UnreadableCards, card_name, parse_cards
from headsup.game.values.counts import show_count

if TYPE_CHECKING:
    from headsup.analysis.protect.dealer_errors import DealerError
    from headsup.analysis.protect.exposure import ExposureResult
    from headsup.analysis.protect.face_up import FaceUpEstimate
    from headsup.analysis.protect.seen_cards import Exposure, ExposureReport
    from headsup.game.rulebook.table_rules import TableRules

MAX_SEEN_CARDS = {"dealer": 2, "flop": 3, "river": 1}  # river: of the two cards after the flop
DEFAULT_LAYOUTS = 40
MAX_LAYOUTS = 100_000


def protect(
    see: Annotated[
        str | None,
        typer.Option(
            metavar="dealer=N,flop=N,river=N", help="Cards seen before the first decision."
        ),
    ] = None,
    face_up: Annotated[
        str | None,
        typer.Option("--face-up", metavar="CARDS", help="Other hands seen: 'AsKd QhQs'."),
    ] = None,
    hands: Annotated[
        int | None, typer.Option(metavar="N", help="Seeing N other hands, 1 to 5: an estimate.")
    ] = None,
    layouts: Annotated[
        int, typer.Option(metavar="N", help="With --hands: layouts drawn, each solved.")
    ] = DEFAULT_LAYOUTS,
    seed: Annotated[int, typer.Option(metavar="N", help="With --hands: which layouts.")] = 1,
    errors: Annotated[
        bool, typer.Option("--errors", help="What the dealer's errors cost.")
    ] = False,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
) -> None:
    """Game protection: the exact edge of a player who has seen cards, and the cost of errors."""
    asked = [see is not None, face_up is not None, hands is not None, errors]
    if sum(asked) != 1:
        raise Refused(Code.BAD_ARGUMENTS, "protect")
    for where, value in (("--workers", workers), ("--scheduler", scheduler)):
        if value is not None and hands is None:
            raise Refused(Code.BAD_ARGUMENTS, "only_with", where=where, other="--hands")
    if see is not None:
        _answer_seen_cards(read_rules(rules, sets), read_exposure(see), as_json)
    elif face_up is not None:
        _answer_face_up(read_rules(rules, sets), _read_hands(face_up), as_json)
    elif hands is not None:
        _check_sampling(hands, layouts, seed)
        chosen = read_rules(rules, sets)
        _answer_sample(chosen, hands, layouts, seed, as_json, workers, scheduler)
    else:
        _answer_errors(read_rules(rules, sets), as_json)


# What is asked.


def read_exposure(text: str) -> "Exposure":
    """`dealer=1,flop=1`: each named once, at least one card in all."""
    from headsup.analysis.protect.seen_cards import Exposure

    counts: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = (word.strip() for word in part.partition("="))
        most = MAX_SEEN_CARDS.get(name, 0)
        if name in counts or not number.isascii() or not number.isdigit():
            raise Refused(Code.BAD_ARGUMENTS, "see", where="--see", text=part.strip()[:40])
        counts[name] = int(number[:9])
        if counts[name] > most:
            raise Refused(Code.BAD_ARGUMENTS, "see", where="--see", text=part.strip()[:40])
    if not any(counts.values()):
        raise Refused(Code.BAD_ARGUMENTS, "see_nothing", where="--see")
    return Exposure(**counts)


def _read_hands(text: str) -> Cards:
    from headsup.analysis.protect.face_up import MAX_OTHER_HANDS

    where = "--face-up"
    try:
        cards = parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=error) from None
    if len(cards) % 2 or not 2 <= len(cards) <= 2 * MAX_OTHER_HANDS:
        raise Refused(Code.WRONG_CARD_COUNT, "hands", where=where, count=len(cards))
    for place, card in enumerate(cards):
        if card in cards[:place]:
            name = card_name(card)
            raise Refused(Code.DUPLICATE_CARD, "named_twice", card=name, first=where, second=where)
    return cards


def _check_sampling(hands: int, layouts: int, seed: int) -> None:
    from headsup.analysis.protect.face_up import MAX_OTHER_HANDS

    for where, number, least, most in (
        ("--hands", hands, 1, MAX_OTHER_HANDS),
        ("--layouts", layouts, 2, MAX_LAYOUTS),
        ("--seed", seed, 0, 2**63 - 1),
    ):
        if not least <= number <= most:
            raise Refused(Code.BAD_ARGUMENTS, "number", where=where, least=least, most=most)


# Cards seen.


def _answer_seen_cards(rules: "TableRules", see: "Exposure", as_json: bool) -> None:
    from headsup.analysis.protect.seen_cards import evaluate_exposure
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.solver.payoffs import BadPayoffs
    from headsup.cli.options.solutions import warn_first_run
    from headsup.cli.screens.progress import progress_bar

    payoffs = compile_payoffs(rules)
    warn_first_run()
    try:
        with progress_bar("Solving with the cards seen", timed=True) as progress:
            found = evaluate_exposure(payoffs, see, progress)
    except BadPayoffs as error:
        raise Refused(Code.NOT_SOLVABLE, "amounts", rules=rules.id, reason=str(error)) from None
    if as_json:
        from headsup.report.json.protect import protection_json

        typer.echo(json.dumps(protection_json(rules, found)))
    else:
        _print_protection(rules, found)


def _print_protection(rules: "TableRules", found: "ExposureReport") -> None:
    from rich.table import Table

    from headsup.analysis.par.exact_numbers import percent
    from headsup.cli.screens.style import console
    from headsup.report.json.protect import dealer_cards_name

    screen = console()
    screen.print(rules.book.title, style="bold")
    screen.print(f"Seen before the first decision: {_describe_exposure(found.see)}\n", style="dim")
    screen.print(_facts(found.total, f"{found.total.classes:,} situations up to suits"))
    cases = [(cards, one) for cards, one in found.cases if cards]
    if not cases:
        return
    cases.sort(key=lambda case: case[1].player_edge, reverse=True)
    most = len(RANKS)
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("dealer's")
    table.add_column("player's edge", justify="right")
    table.add_column("raises at once", justify="right")
    for cards, one in cases[:most]:
        table.add_row(dealer_cards_name(cards), percent(one.player_edge), percent(one.raise_pocket))
    screen.print()
    screen.print(table)
    if len(cases) > most:
        screen.print(f"… and {len(cases) - most} more (--json)", style="dim")


def _describe_exposure(see: "Exposure") -> str:
    named = (
        (see.dealer, "of the dealer's cards"),
        (see.flop, "of the flop"),
        (see.river, "of the two after it"),
    )
    return ", ".join(f"{count} {what}" for count, what in named if count)


def _facts(one: "ExposureResult", about: str) -> Any:
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.par.exact_numbers import percent

    facts = Table.grid(padding=(0, 3))
    facts.add_column()
    facts.add_column(justify="right")
    facts.add_row("Player's edge, per Ante", Text(percent(one.player_edge), style="bold"))
    facts.add_row("Raises before the flop", percent(one.raise_pocket))
    facts.add_row("Told apart", about)
    return facts


# Hands face up.


def _answer_face_up(rules: "TableRules", cards: Cards, as_json: bool) -> None:
    from headsup.analysis.par.exact_numbers import exact_json
    from headsup.analysis.protect.exposure import KERNEL_CALLS, exposure_edge
    from headsup.analysis.protect.known import KnownCards
    from headsup.analysis.solver.chunks import KernelPool
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.solutions import warn_first_run
    from headsup.cli.screens.progress import progress_bar
    from headsup.cli.screens.style import cards_text, console
    from headsup.report.json.main_game import rules_json

    payoffs = compile_payoffs(rules)
    warn_first_run()
    with (
        progress_bar("Solving beside the hands seen") as progress,
        KernelPool(2 * KERNEL_CALLS, progress) as crew,
    ):
        found = exposure_edge(payoffs, KnownCards(out=tuple(cards)), crew)
    if as_json:
        answer = {
            **rules_json(rules),
            "face_up": [card_name(card) for card in cards],
            "player_edge": exact_json(found.player_edge),
            "raise_pocket": exact_json(found.raise_pocket),
            "classes": found.classes,
        }
        typer.echo(json.dumps(answer))
        return
    screen = console()
    screen.print(rules.book.title, style="bold")
    screen.print(cards_text(cards), end="\n\n")
    screen.print(_facts(found, f"{found.classes:,} hands up to suits"))
    screen.print("Exact, over every hand that may be dealt beside these.", style="dim")


def _answer_sample(
    rules: "TableRules", hands: int, layouts: int, seed: int, as_json: bool,
    workers: int | None, scheduler: str | None,
) -> None:  # fmt: skip
    from headsup.analysis.protect.face_up import estimate_seen_hands
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.solutions import warn_first_run
    from headsup.cli.screens.progress import progress_bar

    payoffs = compile_payoffs(rules)
    warn_first_run()
    with (
        open_executor(None, workers, scheduler) as workforce,
        progress_bar(f"Solving {layouts} layouts", timed=True) as progress,
    ):
        elsewhere = None if workers is None and scheduler is None else workforce
        found = estimate_seen_hands(payoffs, hands, layouts, seed, progress, elsewhere)
    if as_json:
        typer.echo(json.dumps(_sampled_json(rules, found)))
    else:
        _print_sampled(rules, found)


def _sampled_json(rules: "TableRules", found: "FaceUpEstimate") -> dict[str, Any]:
    from headsup.analysis.par.exact_numbers import exact_json
    from headsup.report.json.main_game import rules_json

    low, high = found.interval
    return {
        **rules_json(rules),
        "hands": found.hands,
        "layouts": found.layouts,
        "seed": found.seed,
        "unseen": exact_json(found.unseen),
        "player_edge": {
            "mean": f"{found.mean:.10f}",
            "standard_error": f"{found.standard_error:.10f}",
            "interval": [f"{low:.10f}", f"{high:.10f}"],
        },
        "gain": f"{found.gain:.10f}",
    }


def _print_sampled(rules: "TableRules", found: "FaceUpEstimate") -> None:
    from headsup.analysis.par.exact_numbers import percent
    from headsup.cli.screens.style import console

    screen, (low, high) = console(), found.interval
    screen.print(rules.book.title, style="bold")
    hands, layouts = show_count(found.hands, "other hand"), show_count(found.layouts, "layout")
    screen.print(f"{hands} seen; {layouts} solved\n", style="dim")
    screen.print(f"Player's edge, per Ante  {found.mean:+.4%}   95%: {low:+.4%} to {high:+.4%}")
    screen.print(f"Nothing seen             {percent(found.unseen)}")
    screen.print(f"Worth of seeing          {found.gain:+.4%}")


# Errors of the dealer.


def _answer_errors(rules: "TableRules", as_json: bool) -> None:
    from headsup.analysis.par.exact_numbers import exact_json
    from headsup.analysis.protect.dealer_errors import dealer_errors
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.solutions import get_solution
    from headsup.report.json.main_game import rules_json

    found = dealer_errors(rules, get_solution(compile_payoffs(rules)))
    if as_json:
        errors = {
            one.key: {
                "what": one.what,
                "chance": exact_json(one.chance),
                "each": exact_json(one.each),
                "per_round": exact_json(one.per_round),
            }
            for one in found
        }
        typer.echo(json.dumps({**rules_json(rules), "errors": errors}))
    else:
        _print_errors(rules, found)


def _print_errors(rules: "TableRules", found: "list[DealerError]") -> None:
    from rich.table import Table

    from headsup.analysis.par.exact_numbers import percent
    from headsup.cli.screens.style import console

    screen = console()
    screen.print(rules.book.title, style="bold")
    about = "Made every time, the player playing as ever; + is the player's gain, per Ante"
    screen.print(f"{about}\n", style="dim")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("error")
    for heading in ("occasion", "each time", "per round"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in sorted(found, key=lambda one: -abs(one.per_round)):
        each, per_round = f"{float(one.each):+.3f}", f"{float(one.per_round):+.4%}"
        table.add_row(one.what, percent(one.chance, 2), each, per_round)
    screen.print(table)
