"""The automatic dealer always knows a next step, and never one that the table refuses."""

from dataclasses import replace
from math import inf, nan
from random import Random
from typing import Any

import pytest

from headsup.game.refusal import Refused
from headsup.game.round.commands import (
    CloseBets,
    DealCards,
    ExtendTime,
    PlaceBets,
    Proceed,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.decide import legal_actions
from headsup.game.round.state import STREET_BY_PHASE, Phase
from headsup.game.table.commands import Command, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, SealShuffle
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.house.dealing.pace import (
    ClockKind,
    DealStep,
    OpenSealStep,
    ScheduledStep,
    SealStep,
    TimeLeft,
    Timings,
    due_steps,
    time_left,
)
from headsup.house.fairness.sealed_shuffles import SecretSealer
from tests.support.tables import (
    BOOKS,
    STAFF,
    Play,
    every_wager,
    irregularity_report,
    opening,
    stakes,
)

SEALER = SecretSealer(bytes(32), "F")
PACE = Timings()


def table(
    book: str = "galaxy", shuffle: ShuffleSource = ShuffleSource.SEALED, **choice: Any
) -> Play:
    play = Play()
    play.does(replace(opening(book, **choice), shuffle=shuffle))
    return play


def seated(*seats: int, shuffle: ShuffleSource = ShuffleSource.SEALED, **choice: Any) -> Play:
    play = table(shuffle=shuffle, **choice)
    for seat in seats:
        play.does(Sit(seat, f"P{seat}"), BuyIn(seat, 1_000_000))
    return play


def command_of(play: Play, next: ScheduledStep) -> Command:
    """The command that the dealer submits for a step."""
    at = play.table
    match next.step:
        case SealStep():
            return SealShuffle(SEALER.seal(at.id, at.rounds + 1).commitment)
        case DealStep():
            seeds = at.sealed.seeds if at.sealed else {}
            return DealCards(SEALER.seal(at.id, at.rounds).deck(seeds))
        case OpenSealStep():
            return OpenShuffle(SEALER.seal(at.id, at.rounds).server_seed.hex())
        case what:
            return what


def one_due(play: Play, **more: Any) -> ScheduledStep:
    (next,) = due_steps(play.table, PACE, **more)
    return next


def does_what_is_due(play: Play) -> None:
    """Check that the table accepts every step that is due, and do the first one."""
    waiting = due_steps(play.table, PACE)
    for next in waiting:
        trial = Play(play.floor, play.id)
        trial.does(command_of(trial, next), by=Staff("clock"))
    first = min(waiting, key=lambda one: one.delay)
    play.does(command_of(play, first), by=Staff("clock"))


# Over random tables.


def disturbs(play: Play, random: Random) -> None:
    """Something players or staff may do now; mostly it is accepted."""
    seat = random.randint(1, play.table.rules.book.seats)
    commands: list[Command] = [
        Sit(seat, f"P{seat}"),
        BuyIn(seat, 50_000),
        Leave(seat),
        AddSeed(seat, "luck"),
        PlaceBets(seat, stakes()),
        PlaceBets(seat, every_wager(play.table)),
        WithdrawBets(seat),
        ExtendTime(seat, 30),
        irregularity_report("missed_raise", seat, "correct"),
        irregularity_report("player_card_count", seat),
    ]
    if random.random() < 0.02:
        commands = [irregularity_report("foul_deck")]
    round = play.table.round
    if round is not None and seat in round.seats:
        commands += legal_actions(round, seat)
    play.ask(random.choice(commands))


def holds(play: Play) -> None:
    at, waiting = play.table, due_steps(play.table, PACE)
    round = at.round
    idle = (
        not at.is_playing and not at.players and (at.sealed is None or at.sealed.round > at.rounds)
    )
    nobody_bet = round is not None and round.phase is Phase.BETTING and not round.seats
    assert (not waiting) == (idle or nobody_bet), (round and round.phase, waiting)
    assert len({next.moment for next in waiting}) == len(waiting)
    for next in waiting:
        assert 0 <= next.delay <= 600 + 3600
        match next.step:
            case CloseBets():
                assert round is not None
                assert round.seats
            case TimeOut(seat, waited):
                assert round is not None
                assert round.seats[seat].owes_decision
                grace = at.rules.grace_seconds + round.seats[seat].extra_seconds
                assert next.delay == waited == grace >= at.rules.grace_seconds
                early = Play(play.floor, play.id).refuses(TimeOut(seat, grace - 1))
                assert early == "too_soon"
            case _:
                pass


def plays_by_chance(book: str, number: int, steps: int) -> None:
    random = Random(f"{book} {number}")
    shuffle = random.choice([ShuffleSource.SEALED, ShuffleSource.SYSTEM])
    play = table(book, shuffle, clockwise=random.random() < 0.5)
    for _ in range(steps):
        holds(play)
        if due_steps(play.table, PACE) and random.random() < 0.4:
            bet = set(play.table.round.seats) if play.table.round else set()
            before = play.table.round
            does_what_is_due(play)
            if before is not None and before.phase is Phase.NO_MORE_BETS:
                dealt_in = {n for n, seat in play.round.seats.items() if seat.hole}
                assert dealt_in == bet, "who did not bet is not dealt in"
        else:
            disturbs(play, random)
    comes_to_its_end(play)


def comes_to_its_end(play: Play) -> None:
    """Without any more commands from players, the dealer ends the round and opens the seal."""
    for _ in range(60):
        waiting = due_steps(play.table, PACE)
        if not waiting or isinstance(waiting[0].step, OpenRound | SealStep):
            return
        does_what_is_due(play)
    raise AssertionError("the dealer never comes to an end")


@pytest.mark.parametrize("book", BOOKS)
def test_whatever_happens_the_dealer_knows_what_is_due_and_the_table_accepts_it(book: str) -> None:
    for number in range(4):
        plays_by_chance(book, number, 120)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_the_same_for_many_more_tables(book: str) -> None:
    for number in range(100, 200):
        plays_by_chance(book, number, 150)


# Step by step.


def test_an_empty_table_waits() -> None:
    play = table()
    assert due_steps(play.table, PACE) == ()


def test_a_round_is_sealed_before_it_opens_and_revealed_when_it_is_closed() -> None:
    play = seated(1)
    seen: list[str] = []
    for _ in range(40):
        if play.table.round is not None and play.phase is Phase.BETTING and not play.round.seats:
            play.does(PlaceBets(1, stakes()))
        (next, *_) = due_steps(play.table, PACE)
        seen.append(type(next.step).__name__)
        play.does(command_of(play, next), by=Staff("clock"))
        if isinstance(next.step, OpenSealStep):
            break
    assert seen[:4] == [SealStep.__name__, "OpenRound", "CloseBets", DealStep.__name__]
    assert seen[-1] == OpenSealStep.__name__
    assert seen.count("TimeOut") == 3


def test_nobody_bets_and_the_round_stays_open() -> None:
    play = seated(1, 2, shuffle=ShuffleSource.SYSTEM)
    play.does(OpenRound())
    assert due_steps(play.table, PACE) == ()


def test_betting_lasts_from_the_first_bet_and_ends_early_when_all_have_bet() -> None:
    play = seated(1, 2, shuffle=ShuffleSource.SYSTEM)
    play.does(OpenRound(), PlaceBets(1, stakes()))
    first = one_due(play)
    assert (first.delay, first.step) == (PACE.betting, CloseBets())
    play.does(PlaceBets(1, stakes(2_000)))
    assert one_due(play) == first, "another bet does not start it anew"
    play.does(PlaceBets(2, stakes()))
    waiting = due_steps(play.table, PACE)
    assert waiting[0] == first
    assert (waiting[1].delay, waiting[1].step) == (PACE.all_in, CloseBets())
    play.does(WithdrawBets(2))
    assert one_due(play) == first, "who takes a bet back does not make others wait longer"


def test_a_player_without_a_connection_is_not_waited_for_to_bet() -> None:
    play = seated(1, 2, 3, shuffle=ShuffleSource.SYSTEM)
    play.does(OpenRound(), PlaceBets(1, stakes()))
    assert len(due_steps(play.table, PACE, frozenset({2}))) == 1
    assert len(due_steps(play.table, PACE, frozenset({2, 3}))) == 2


def test_r33_all_at_once_everyones_time_runs_together() -> None:
    play = seated(1, 2, 3, shuffle=ShuffleSource.SYSTEM)
    play.bets({seat: stakes() for seat in (1, 2, 3)})
    play.deals()
    play.does(ExtendTime(1, 60))
    grace = play.table.rules.grace_seconds
    assert [(next.step, next.delay) for next in due_steps(play.table, PACE)] == [
        (TimeOut(1, grace + 60), grace + 60),
        (TimeOut(2, grace), grace),
        (TimeOut(3, grace), grace),
    ]


def test_r33_in_turn_only_who_is_to_act_is_waited_for() -> None:
    play = seated(1, 2, shuffle=ShuffleSource.SYSTEM, clockwise=True)
    play.bets({seat: stakes() for seat in (1, 2)})
    play.deals()
    first = one_due(play)
    assert isinstance(first.step, TimeOut)
    assert first.step.seat == 1
    play.does(first.step, by=STAFF)
    second = one_due(play)
    assert second.moment != first.moment, "the next has the whole time"


def test_a_real_deck_is_dealt_by_a_person() -> None:
    play = seated(1, shuffle=ShuffleSource.ENTERED)
    play.bets({1: stakes()})
    assert due_steps(play.table, PACE) == ()
    play.deals()
    assert play.phase in STREET_BY_PHASE
    assert due_steps(play.table, PACE)


def test_each_hand_at_settlement_has_its_moment() -> None:
    play = seated(1, 2, shuffle=ShuffleSource.SYSTEM)
    play.bets({seat: stakes() for seat in (1, 2)})
    play.reaches(Phase.RESOLVING)
    first = one_due(play)
    play.does(Proceed())
    second = one_due(play)
    assert (first.delay, first.step) == (second.delay, second.step) == (PACE.resolve, Proceed())
    assert first.moment != second.moment


@pytest.mark.parametrize("seconds", [-1, -0.01, 600.01, inf, -inf, nan, True, "1", None])
def test_a_timing_is_0_to_600_seconds(seconds: Any) -> None:
    with pytest.raises(Refused) as refused:
        Timings(betting=seconds)
    assert refused.value.code == "bad_timing"
    assert refused.value.message.startswith("betting: ")


def test_timings_at_their_bounds() -> None:
    assert Timings(open=0, betting=600.0).betting == 600


def test_players_are_told_the_time_for_bets_and_decisions_and_for_nothing_else() -> None:
    assert time_left(ScheduledStep(20.0, CloseBets(), "m"), 5.0) == TimeLeft(
        ClockKind.BETS, None, 15.0, 20.0
    )
    decision = time_left(ScheduledStep(120.0, TimeOut(3, 120), "m"), 130.0)
    assert decision == TimeLeft(ClockKind.DECISION, 3, 0.0, 120.0)  # never negative
    for what in (SealStep(), OpenRound(), DealStep(), Proceed(), OpenSealStep()):
        assert time_left(ScheduledStep(1.0, what, "m"), 0.5) is None
