"""R95: a payout of any round can be corrected, although the table stores no list of rounds."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.bank.ledger import bank_account, cage_account
from headsup.game.round.state import Phase
from headsup.game.table.payout_corrections import CorrectPayout, PayoutCorrected
from headsup.game.table.round_history import (
    RoundHistory,
    RoundProof,
    SettledRound,
    make_round_proof,
)
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.values.money import MICROS_PER_CENT
from tests.game.record.round_proof import find_round_proof as recalled_from
from tests.tables import Play, opened, stakes

names = st.text(max_size=5)
rounds = st.lists(
    st.lists(st.tuples(st.integers(1, 6), names), max_size=6).map(tuple), min_size=1, max_size=70
).map(lambda lists: [SettledRound(i * 2 + 1, players) for i, players in enumerate(lists)])


def past_of(settled: list[SettledRound]) -> RoundHistory:
    past = RoundHistory()
    for item in settled:
        past = past.with_round(item)
    return past


@given(rounds, st.data())
def test_every_settled_round_can_be_proven_and_no_other(
    settled: list[SettledRound], data: st.DataObject
) -> None:
    past = past_of(settled)
    place = data.draw(st.integers(0, len(settled) - 1))
    shown = make_round_proof(settled, place)
    assert past.proves(shown)
    assert not past.proves(shown._replace(round=SettledRound(2, ())))
    elsewhere = data.draw(st.integers(-2, 80).filter(lambda other: other != place))
    assert not past.proves(shown._replace(place=elsewhere))
    for path in (shown.path[:-1], (*shown.path, "0" * 64), ("\ud800",) * len(shown.path)):
        assert path == shown.path or not past.proves(shown._replace(path=path))


@given(rounds)
def test_a_round_history_stores_one_hash_per_binary_digit_1_of_its_length(
    settled: list[SettledRound],
) -> None:
    past = past_of(settled)
    assert len(past.peaks) == bin(len(settled)).count("1")
    assert (past.rounds, past.last) == (len(settled), settled[-1])


def prove_round(play: Play, number: int) -> RoundProof:
    """The proof of that round from the log, as the house makes it."""
    floors, again = [], Play()
    for id, event in play.log:
        again.happens(id, event)
        floors.append(again.floor)
    proof = recalled_from(floors, play.id, number)
    assert proof is not None
    return proof


def five_rounds() -> Play:
    """Ann plays in all rounds, Bob in the first two; the fourth is closed without a wager."""
    play = opened("galaxy", seats=())
    play.does(Sit(1, "Ann"), BuyIn(1, 100_000), Sit(2, "Bob"), BuyIn(2, 100_000))
    for number in range(1, 6):
        if number == 3:
            play.does(Leave(2), Sit(2, "Cem"), BuyIn(2, 100_000))
        if number == 4:
            play.does(OpenRound())
            play.reaches(Phase.CLOSED)
            continue
        play.bets({1: stakes(), 2: stakes()})
        play.reaches(Phase.CLOSED)
    return play


def test_r95_a_round_long_past_is_recalled_and_its_payout_corrected() -> None:
    play = five_rounds()
    before = play.chips(1)
    command = CorrectPayout(1, 250, "short-paid", "Dee", "Sue", "Ann", prove_round(play, 2))
    (event,) = play.does(command)
    assert isinstance(event, PayoutCorrected)
    assert (event.round, event.player) == (2, "Ann")
    assert play.chips(1) == before + 250


def test_r95_a_player_who_left_is_paid_at_the_cage_and_cannot_be_charged() -> None:
    play = five_rounds()
    outside, tray = (
        play.floor.ledger.balance(cage_account()),
        play.floor.ledger.balance(bank_account("T1")),
    )
    owed = CorrectPayout(2, 500, "short-paid", "Dee", "Sue", "Bob", prove_round(play, 1))
    play.does(owed)
    moved = 500 * MICROS_PER_CENT
    assert play.floor.ledger.balance(cage_account()) == outside + moved
    assert play.floor.ledger.balance(bank_account("T1")) == tray - moved
    assert play.refuses(replace(owed, amount=-1)) == "not_enough_chips"


def test_r95_only_players_of_the_recalled_round_are_paid() -> None:
    play = five_rounds()
    first, third = prove_round(play, 1), prove_round(play, 3)

    def claim(seat: int, player: str, shown: RoundProof) -> CorrectPayout:
        return CorrectPayout(seat, 100, "why", "Dee", "Sue", player, shown)

    assert play.refuses(claim(2, "Cem", first)) == "not_in_round"
    assert play.refuses(claim(2, "", first)) == "not_in_round", "Cem sits there now"
    assert play.refuses(claim(1, "Bob", first)) == "not_in_round"
    assert play.refuses(claim(3, "Bob", first)) == "not_in_round"
    play.does(claim(2, "Cem", third), claim(2, "Bob", first), claim(1, "", third))


@pytest.mark.parametrize("forged", ["players", "number", "place", "path"])
def test_r95_a_forged_round_is_not_recalled(forged: str) -> None:
    play = five_rounds()
    shown = prove_round(play, 1)
    other = {
        "players": shown._replace(round=SettledRound(1, ((1, "Ann"), (2, "Eve")))),
        "number": shown._replace(round=shown.round._replace(number=4)),
        "place": shown._replace(place=1),
        "path": shown._replace(path=("0" * 64,) * len(shown.path)),
    }[forged]
    claim = CorrectPayout(1, 100, "why", "Dee", "Sue", "Ann", other)
    assert play.refuses(claim) == "no_round"


def test_r95_a_round_of_another_table_is_not_recalled_here() -> None:
    here, there = five_rounds(), five_rounds()
    there.bets({1: stakes()})
    there.reaches(Phase.CLOSED)
    claim = CorrectPayout(1, 100, "why", "Dee", "Sue", "Ann", prove_round(there, 6))
    assert here.refuses(claim) == "no_round"


def test_r95_a_round_that_was_given_up_or_never_opened_is_in_no_record() -> None:
    play = five_rounds()
    floor = play.floor
    for number in (0, 4, 6):
        assert recalled_from([floor], "T1", number) is None
    assert recalled_from([floor], "T2", 1) is None
