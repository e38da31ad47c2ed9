"""`headsup protect`: what exposed cards, other hands dealt face up, or a dealer's errors cost."""

from typing import TYPE_CHECKING

import click

from headsup.analysis.limits import (
    DEFAULT_LAYOUT_SEED,
    DEFAULT_LAYOUTS,
    MAX_LAYOUTS,
    MAX_OTHER_HANDS,
    MAX_SEED,
)
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
from headsup.game.values.cards import Cards

if TYPE_CHECKING:
    from headsup.analysis.protect.seen_cards import Exposure
    from headsup.game.rulebook.table_rules import TableRules

MAX_SEEN_CARDS = {"dealer": 2, "flop": 3, "river": 1}  # river: of the two cards after the flop


@click.command(cls=Command)
@option("--see", metavar="dealer=N,flop=N,river=N", help="Cards seen before the first decision.")
@option("--face-up", metavar="CARDS", help="Other hands seen: 'AsKd QhQs'.")
@option(
    "--hands",
    metavar="N",
    type=WholeNumber(MAX_OTHER_HANDS),
    help="Number of other hands seen, 1 to 5: one exactly, more as an estimate.",
)
@option(
    "--layouts",
    metavar="N",
    type=WholeNumber(MAX_LAYOUTS, minimum=2),
    help=f"With --hands 2 to 5: number of random layouts to solve, {DEFAULT_LAYOUTS} if not given.",
)
@option(
    "--seed",
    metavar="N",
    type=WholeNumber(MAX_SEED, minimum=0),
    help="With --hands 2 to 5: random seed, 1 if not given.",
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
    layouts: int | None,
    seed: int | None,
    errors: bool,
    workers: str | None,
    scheduler: str | None,
    rules: str,
    sets: tuple[str, ...],
    as_json: bool,
) -> None:
    """Game protection: the exact edge of a player who has seen cards, and the cost of errors."""
    given = [
        name
        for name, is_given in (
            ("--see", see is not None),
            ("--face-up", face_up is not None),
            ("--hands", hands is not None),
            ("--errors", errors),
        )
        if is_given
    ]
    if not given:
        raise Refused(Code.BAD_ARGUMENTS, "protect")
    if len(given) > 1 and given != ["--see", "--face-up"]:
        raise Refused(Code.BAD_ARGUMENTS, "protect_alone", where=given[-1], other=given[0])
    for where, value in (("--workers", workers), ("--scheduler", scheduler)):
        if value is not None and hands is None:
            raise Refused(Code.BAD_ARGUMENTS, "only_with", where=where, other="--hands")
    for where, number in (("--layouts", layouts), ("--seed", seed)):
        if number is not None and (hands is None or hands == 1):
            raise Refused(Code.BAD_ARGUMENTS, "only_with", where=where, other="--hands 2 to 5")
    if see is not None:
        exposure = read_exposure(see)
        cards = None if face_up is None else _read_face_up(face_up)
        _answer_seen_cards(read_rules(rules, sets), exposure, cards, as_json)
    elif face_up is not None:
        _answer_face_up(read_rules(rules, sets), _read_face_up(face_up), as_json)
    elif hands is not None:
        chosen = read_rules(rules, sets)
        _answer_hands(chosen, hands, layouts, seed, as_json, workers, scheduler)
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


def _read_face_up(text: str) -> Cards:
    from headsup.library.protection import read_face_up

    return read_face_up(text, "--face-up")


# Exposed cards.


def _answer_seen_cards(
    rules: "TableRules", see: "Exposure", face_up: Cards | None, as_json: bool
) -> None:
    from headsup.analysis.protect.seen_cards import evaluate_exposure
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.solver.payoffs import BadPayoffs
    from headsup.cli.options.workbench import print_notices
    from headsup.cli.screens.progress import progress_bar
    from headsup.cli.screens.sheet import show_sheet
    from headsup.report.sheets.protection import exposure_sheet

    payoffs = compile_payoffs(rules)
    print_notices()
    try:
        with progress_bar("Solving with the cards seen", timed=True) as progress:
            result = evaluate_exposure(payoffs, see, progress, face_up=tuple(face_up or ()))
    except BadPayoffs as error:
        raise Refused(Code.NOT_SOLVABLE, "amounts", rules=rules.id, reason=str(error)) from None
    show_sheet(exposure_sheet(rules, result), as_json)


# Other hands face up.


def _answer_face_up(rules: "TableRules", cards: Cards, as_json: bool) -> None:
    from headsup.analysis.protect.exposure import KERNEL_CALLS, exposure_edge
    from headsup.analysis.protect.known import KnownCards
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.workers.executor import KernelPool
    from headsup.cli.options.workbench import print_notices
    from headsup.cli.screens.progress import progress_bar
    from headsup.cli.screens.sheet import show_sheet
    from headsup.report.sheets.protection import face_up_sheet

    payoffs = compile_payoffs(rules)
    print_notices()
    with (
        progress_bar("Solving with the hands seen") as progress,
        KernelPool(2 * KERNEL_CALLS, progress) as pool,
    ):
        result = exposure_edge(payoffs, KnownCards(dead_cards=tuple(cards)), pool)
    show_sheet(face_up_sheet(rules, cards, result), as_json)


def _answer_hands(
    rules: "TableRules", hands: int, layouts: int | None, seed: int | None, as_json: bool,
    workers: str | None, scheduler: str | None,
) -> None:  # fmt: skip
    from headsup.analysis.protect.face_up import average_seen_hand, estimate_seen_hands
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.workbench import print_notices
    from headsup.cli.screens.progress import progress_bar
    from headsup.cli.screens.sheet import show_sheet
    from headsup.report.sheets.protection import seen_hands_sheet

    payoffs, count = compile_payoffs(rules), layouts or DEFAULT_LAYOUTS
    print_notices()
    what = "Solving all layouts" if hands == 1 else f"Solving {count} layouts"
    with (
        open_executor(None, workers, scheduler) as executor,
        progress_bar(what, timed=True) as progress,
    ):
        remote = None if workers is None and scheduler is None else executor
        result = (
            average_seen_hand(payoffs, progress, remote)
            if hands == 1
            else estimate_seen_hands(
                payoffs,
                hands,
                count,
                DEFAULT_LAYOUT_SEED if seed is None else seed,
                progress,
                remote,
            )
        )
    show_sheet(seen_hands_sheet(rules, result), as_json)


# Dealer errors.


def _answer_errors(rules: "TableRules", as_json: bool) -> None:
    from headsup.analysis.protect.dealer_errors import dealer_errors
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.workbench import open_workbench
    from headsup.cli.screens.sheet import show_sheet
    from headsup.report.sheets.protection import errors_sheet

    solution = open_workbench().strategy(compile_payoffs(rules)).solution
    show_sheet(errors_sheet(rules, dealer_errors(rules, solution)), as_json)
