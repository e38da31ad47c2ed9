"""`headsup protect`: what cards seen too early, hands dealt face up, or a dealer's errors cost."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.options.rules_option import JsonOption, RulesOption, SetOption, chosen_rules
from headsup.cli.options.workers import SchedulerOption, WorkersOption, chosen_workforce
from headsup.game.refusal import Code, Refused
from headsup.game.values.cards import RANKS, Cards, UnreadableCards, card_name, parse_cards
from headsup.game.values.counts import write_count

if TYPE_CHECKING:
    from headsup.analysis.protect.dealer_errors import DealerError
    from headsup.analysis.protect.exposure import Exposed
    from headsup.analysis.protect.face_up import FaceUp
    from headsup.analysis.protect.seen_cards import Protection, See
    from headsup.game.rulebook.table_rules import TableRules

MOST_SEEN = {"dealer": 2, "flop": 3, "river": 1}  # river: of the two cards after the flop
LAYOUTS = 40
MOST_LAYOUTS = 100_000


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
    ] = LAYOUTS,
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
        _seen_cards(chosen_rules(rules, sets), read_see(see), as_json)
    elif face_up is not None:
        _face_up(chosen_rules(rules, sets), _read_hands(face_up), as_json)
    elif hands is not None:
        _check_sampling(hands, layouts, seed)
        chosen = chosen_rules(rules, sets)
        _sampled(chosen, hands, layouts, seed, as_json, workers, scheduler)
    else:
        _errors(chosen_rules(rules, sets), as_json)


# What is asked.


def read_see(text: str) -> "See":
    """`dealer=1,flop=1`: each named once, at least one card in all."""
    from headsup.analysis.protect.seen_cards import See

    counts: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = (word.strip() for word in part.partition("="))
        most = MOST_SEEN.get(name, 0)
        if name in counts or not number.isascii() or not number.isdigit():
            raise Refused(Code.BAD_ARGUMENTS, "see", where="--see", text=part.strip()[:40])
        counts[name] = int(number[:9])
        if counts[name] > most:
            raise Refused(Code.BAD_ARGUMENTS, "see", where="--see", text=part.strip()[:40])
    if not any(counts.values()):
        raise Refused(Code.BAD_ARGUMENTS, "see_nothing", where="--see")
    return See(**counts)


def _read_hands(text: str) -> Cards:
    from headsup.analysis.protect.face_up import MOST_HANDS

    where = "--face-up"
    try:
        cards = parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=error) from None
    if len(cards) % 2 or not 2 <= len(cards) <= 2 * MOST_HANDS:
        raise Refused(Code.WRONG_CARD_COUNT, "hands", where=where, count=len(cards))
    for place, card in enumerate(cards):
        if card in cards[:place]:
            name = card_name(card)
            raise Refused(Code.DUPLICATE_CARD, "named_twice", card=name, first=where, second=where)
    return cards


def _check_sampling(hands: int, layouts: int, seed: int) -> None:
    from headsup.analysis.protect.face_up import MOST_HANDS

    for where, number, least, most in (
        ("--hands", hands, 1, MOST_HANDS),
        ("--layouts", layouts, 2, MOST_LAYOUTS),
        ("--seed", seed, 0, 2**63 - 1),
    ):
        if not least <= number <= most:
            raise Refused(Code.BAD_ARGUMENTS, "number", where=where, least=least, most=most)


# Cards seen.


def _seen_cards(rules: "TableRules", see: "See", as_json: bool) -> None:
    from headsup.analysis.protect.seen_cards import protect
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.solver.payoffs import BadPayoffs
    from headsup.cli.options.solutions import say_first_run
    from headsup.cli.screens.progress import progress_bar

    payoffs = compile_payoffs(rules)
    say_first_run()
    try:
        with progress_bar("Solving with the cards seen", timed=True) as progress:
            found = protect(payoffs, see, progress)
    except BadPayoffs as error:
        raise Refused(Code.NOT_SOLVABLE, "amounts", rules=rules.id, reason=str(error)) from None
    if as_json:
        from headsup.report.json.protect import protection_json

        typer.echo(json.dumps(protection_json(rules, found)))
    else:
        _print_protection(rules, found)


def _print_protection(rules: "TableRules", found: "Protection") -> None:
    from rich.table import Table

    from headsup.analysis.par.exact_numbers import percent
    from headsup.cli.screens.style import console
    from headsup.report.json.protect import dealer_name

    screen = console()
    screen.print(rules.book.title, style="bold")
    screen.print(f"Seen before the first decision: {_what(found.see)}\n", style="dim")
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
        table.add_row(dealer_name(cards), percent(one.player_edge), percent(one.raise_pocket))
    screen.print()
    screen.print(table)
    if len(cases) > most:
        screen.print(f"… and {len(cases) - most} more (--json)", style="dim")


def _what(see: "See") -> str:
    named = (
        (see.dealer, "of the dealer's cards"),
        (see.flop, "of the flop"),
        (see.river, "of the two after it"),
    )
    return ", ".join(f"{count} {what}" for count, what in named if count)


def _facts(one: "Exposed", about: str) -> Any:
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


def _face_up(rules: "TableRules", cards: Cards, as_json: bool) -> None:
    from headsup.analysis.par.exact_numbers import exact
    from headsup.analysis.protect.exposure import CALLS, known_edge
    from headsup.analysis.protect.known import Known
    from headsup.analysis.solver.chunks import Crew
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.solutions import say_first_run
    from headsup.cli.screens.progress import progress_bar
    from headsup.cli.screens.style import cards_text, console
    from headsup.report.json.main_game import rules_json

    payoffs = compile_payoffs(rules)
    say_first_run()
    with (
        progress_bar("Solving beside the hands seen") as progress,
        Crew(2 * CALLS, progress) as crew,
    ):
        found = known_edge(payoffs, Known(out=tuple(cards)), crew)
    if as_json:
        answer = {
            **rules_json(rules),
            "face_up": [card_name(card) for card in cards],
            "player_edge": exact(found.player_edge),
            "raise_pocket": exact(found.raise_pocket),
            "classes": found.classes,
        }
        typer.echo(json.dumps(answer))
        return
    screen = console()
    screen.print(rules.book.title, style="bold")
    screen.print(cards_text(cards), end="\n\n")
    screen.print(_facts(found, f"{found.classes:,} hands up to suits"))
    screen.print("Exact, over every hand that may be dealt beside these.", style="dim")


def _sampled(
    rules: "TableRules", hands: int, layouts: int, seed: int, as_json: bool,
    workers: int | None, scheduler: str | None,
) -> None:  # fmt: skip
    from headsup.analysis.protect.face_up import seen_hands
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.solutions import say_first_run
    from headsup.cli.screens.progress import progress_bar

    payoffs = compile_payoffs(rules)
    say_first_run()
    with (
        chosen_workforce(None, workers, scheduler) as workforce,
        progress_bar(f"Solving {layouts} layouts", timed=True) as progress,
    ):
        elsewhere = None if workers is None and scheduler is None else workforce
        found = seen_hands(payoffs, hands, layouts, seed, progress, elsewhere)
    if as_json:
        typer.echo(json.dumps(_sampled_json(rules, found)))
    else:
        _print_sampled(rules, found)


def _sampled_json(rules: "TableRules", found: "FaceUp") -> dict[str, Any]:
    from headsup.analysis.par.exact_numbers import exact
    from headsup.report.json.main_game import rules_json

    low, high = found.interval
    return {
        **rules_json(rules),
        "hands": found.hands,
        "layouts": found.layouts,
        "seed": found.seed,
        "unseen": exact(found.unseen),
        "player_edge": {
            "mean": f"{found.mean:.10f}",
            "standard_error": f"{found.standard_error:.10f}",
            "interval": [f"{low:.10f}", f"{high:.10f}"],
        },
        "gain": f"{found.gain:.10f}",
    }


def _print_sampled(rules: "TableRules", found: "FaceUp") -> None:
    from headsup.analysis.par.exact_numbers import percent
    from headsup.cli.screens.style import console

    screen, (low, high) = console(), found.interval
    screen.print(rules.book.title, style="bold")
    hands, layouts = write_count(found.hands, "other hand"), write_count(found.layouts, "layout")
    screen.print(f"{hands} seen; {layouts} solved\n", style="dim")
    screen.print(f"Player's edge, per Ante  {found.mean:+.4%}   95%: {low:+.4%} to {high:+.4%}")
    screen.print(f"Nothing seen             {percent(found.unseen)}")
    screen.print(f"Worth of seeing          {found.gain:+.4%}")


# Errors of the dealer.


def _errors(rules: "TableRules", as_json: bool) -> None:
    from headsup.analysis.par.exact_numbers import exact
    from headsup.analysis.protect.dealer_errors import dealer_errors
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.solutions import solution_of
    from headsup.report.json.main_game import rules_json

    found = dealer_errors(rules, solution_of(compile_payoffs(rules)))
    if as_json:
        errors = {
            one.key: {
                "what": one.what,
                "chance": exact(one.chance),
                "each": exact(one.each),
                "per_round": exact(one.per_round),
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
