"""Every kind of exercise comes up, is what it says, and is settled as settlement does it."""

import pytest

from headsup.game.refusal import Refused
from headsup.game.round.decision import HasFolded
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Result, Wager
from headsup.game.school.exam import exercise_name
from headsup.game.school.exercise import Exercise, ItemKind, build_exercise, payout_of
from headsup.game.school.kinds import LESSONS, ExerciseKind, kinds_at
from headsup.game.settlement import Line, settle
from headsup.game.values.hands import Category, category_of, hand_name
from headsup.game.views.irregularity_preview import preview_irregularities

SEEDS = ("a", "b", "c")
BOOKS = {book: table_rules(book) for book in SHIPPED_BOOKS}
BOOKS["galaxy with progressive 9"] = table_rules("galaxy", {"progressive": "9"})
BOOKS["dollar chips"] = table_rules("galaxy", {}, {"chip_unit": "1.00"})
BOOKS["even steps"] = table_rules("galaxy", {}, {"limits": {"ante": {"min": 6, "step": 2}}})
BOOKS["narrow limits"] = table_rules(
    "galaxy", {}, {"limits": {"ante": {"min": 3, "max": 10, "step": "0.75"}}}
)
BOOKS["small table"] = table_rules("galaxy", {}, {"single_wager_max": 10, "cap": 500})
CASES = [
    pytest.param(rules, kind, id=f"{name} {kind}")
    for name, rules in BOOKS.items()
    for kind in kinds_at(rules)
]


@pytest.mark.parametrize(("rules", "kind"), CASES)
def test_every_kind_comes_up_and_is_what_it_says(rules: TableRules, kind: ExerciseKind) -> None:
    for seed in SEEDS:
        exercise = build_exercise(rules, kind, seed)
        if exercise.preview is not None:
            assert exercise.preview.cause is kind.cause
        else:
            assert is_case(exercise), (kind, seed)


def lines_of(exercise: Exercise) -> list[Line]:
    assert exercise.settlement is not None
    return [line for seat in exercise.settlement.seats for line in seat.lines]


def is_case(exercise: Exercise) -> bool:
    """What the kind promises, read off cards and settlement."""
    settled, kind = exercise.settlement, exercise.kind
    assert settled is not None
    lines, deal = lines_of(exercise), exercise.round.deal
    odds = [line for line in lines if line.wager is Wager.ODDS]
    pool = [line for line in lines if line.award > 0]
    dealer = settled.dealer_strength
    won = [line.wager for line in lines if line.result is Result.WIN]
    hands = [seat.strength for seat in settled.seats]
    folds = [isinstance(seat.decision, HasFolded) for seat in exercise.round.seats.values()]
    match kind:
        case ExerciseKind.HANDS:
            return any(category_of(hand) > Category.HIGH_CARD for hand in hands)
        case ExerciseKind.QUALIFIED:
            return bool(settled.dealer_qualifies) and min(hands) < dealer < max(hands)
        case ExerciseKind.BELOW_QUALIFIER:
            return settled.dealer_qualifies is False and min(hands) < dealer < max(hands)
        case ExerciseKind.NO_QUALIFIER:
            return (
                settled.dealer_qualifies is None
                and category_of(dealer) is Category.HIGH_CARD
                and min(hands) < dealer < max(hands)
            )
        case ExerciseKind.COPY:
            return dealer in hands
        case ExerciseKind.ODDS:
            return any(line.result is Result.WIN and line.outcome != "other" for line in odds)
        case ExerciseKind.BAD_BEAT:
            raises = [seat for seat in settled.seats if seat.strength < dealer]
            return any(
                line.wager is Wager.ODDS and line.result is Result.WIN
                for seat in raises
                for line in seat.lines
            )
        case ExerciseKind.BREAKAGE:
            return any(line.breakage for line in odds)
        case ExerciseKind.CAP:
            return any(line.shortfall for line in lines)
        case (
            ExerciseKind.TRIPS_PLUS
            | ExerciseKind.POCKET_BONUS
            | ExerciseKind.ALL_6
            | ExerciseKind.PROGRESSIVE
        ):
            return kind.value in won
        case ExerciseKind.FOLDED:
            folded = [
                seat
                for seat in settled.seats
                if isinstance(exercise.round.seats[seat.seat].decision, HasFolded)
            ]
            return any(line.wager in SIDE_WAGERS for seat in folded for line in seat.lines)
        case ExerciseKind.ORDER:
            return folds.count(True) == 2 == folds.count(False)
        case ExerciseKind.POOL_SHARE:
            return len(pool) == 1
        case ExerciseKind.WHOLE_POOL:
            return len(pool) == 1 and pool[0].pay is not None and pool[0].pay.amount == 1
        case ExerciseKind.COMMUNITY_ROYAL:
            community = category_of(hands[0]) is Category.ROYAL_FLUSH and deal.board
            return bool(community) and len(pool) == 2
        case ExerciseKind.POOL_SPLIT:
            return [line.outcome for line in pool] == [Outcome.FLOPPED_STRAIGHT_FLUSH] * 2
        case _:
            raise AssertionError(kind)


@pytest.mark.parametrize(("rules", "kind"), CASES)
def test_the_key_is_settlement(rules: TableRules, kind: ExerciseKind) -> None:
    exercise = build_exercise(rules, kind, "key")
    state = exercise.round
    if exercise.preview is not None:
        assert exercise.preview in preview_irregularities(state)
        returned = {
            (stakes.seat, wager): cents
            for stakes in exercise.preview.stakes
            for wager, cents in stakes.returned.items()
        }
        asked = {
            (item.seat, item.wager): item.right
            for item in exercise.items
            if item.kind is ItemKind.FATE and item.right.startswith("return")
        }
        assert asked == {
            place: f"return {cents // 100}.{cents % 100:02}" for place, cents in returned.items()
        }
        return
    settled = settle(rules, state.deal, state.seat_plays({}), exercise.meter)
    for seat in settled.seats:
        items = [item for item in exercise.items if item.seat == seat.seat]
        hands = [item for item in items if item.kind is ItemKind.HAND]
        assert all(hand_name(item.strength) == hand_name(seat.strength) for item in hands)
        payouts = [item for item in items if item.kind is ItemKind.PAYOUT]
        if kind is not ExerciseKind.HANDS:
            assert [(item.wager, item.right, item.clause) for item in payouts] == [
                (line.wager, payout_of(line), line.clause) for line in seat.lines
            ]
    orders = [item.right for item in exercise.items if item.kind is ItemKind.ORDER]
    if orders:
        assert orders == [" ".join(str(seat.seat) for seat in settled.seats)]


def test_what_the_dealer_does_adds_up_to_the_player_s_result() -> None:
    """The words pay and take have the money of the lines, stakes "for 1" included."""
    for kind in kinds_at(BOOKS["washington"]):
        exercise = build_exercise(BOOKS["washington"], kind, "sum")
        if exercise.settlement is None:
            continue
        for line in lines_of(exercise):
            action, _, amount = payout_of(line).partition(" ")
            cents = int(amount.replace(".", "")) if amount else 0
            net = {"pay": cents, "take": -cents, "push": 0}[action]
            collected = line.stake if line.kept else 0
            assert net - collected == line.net


def test_exercises_are_rebuilt_from_rules_kind_and_seed() -> None:
    rules = BOOKS["new-york"]
    first = build_exercise(rules, ExerciseKind.BAD_BEAT, "again")
    again = build_exercise(table_rules("new-york"), ExerciseKind.BAD_BEAT, "again")
    assert (first.round, first.items) == (again.round, again.items)
    assert build_exercise(rules, ExerciseKind.BAD_BEAT, "other").round != first.round


def test_every_row_of_the_bad_beat_comes_up() -> None:
    rules = BOOKS["galaxy"]
    outcomes = {
        line.outcome
        for seed in range(60)
        for line in lines_of(build_exercise(rules, ExerciseKind.BAD_BEAT, str(seed)))
        if line.wager is Wager.ODDS and line.clause == rules.book.clauses["bad_beat"]
    }
    assert outcomes >= set(rules.paytables["bad_beat"].pays)


@pytest.mark.parametrize("rules", BOOKS.values(), ids=BOOKS)
def test_at_least_every_third_exercise_is_a_rare_one(rules: TableRules) -> None:
    kinds = [exercise_name(rules, "exam", number).kind for number in range(1, 61)]
    for start in range(0, 60, 3):
        assert any(kind.is_rare for kind in kinds[start : start + 3])
    assert any(not kind.is_rare for kind in kinds)


def test_every_kind_belongs_to_a_lesson() -> None:
    assert {kind for lesson in LESSONS[:-1] for kind in lesson.kinds} == set(ExerciseKind)


def test_odds_that_always_come_out_even_have_no_breakage() -> None:
    assert ExerciseKind.BREAKAGE not in kinds_at(BOOKS["even steps"])
    assert ExerciseKind.BREAKAGE in kinds_at(BOOKS["dollar chips"])


def test_a_kind_that_the_rules_do_not_have_is_refused() -> None:
    with pytest.raises(Refused, match="no exercise"):
        build_exercise(BOOKS["new-york"], ExerciseKind.ALL_6, "1")
