"""R95: a payout of any round can be corrected, although a table knows only its last round."""

from dataclasses import replace
from random import Random

import pytest

from headsup.game.bank.ledger import bank_account, cage_account
from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import format_link
from headsup.game.record.journal import record_command
from headsup.game.refusal import Refusal
from headsup.game.round.commands import Proceed
from headsup.game.round.state import Phase
from headsup.game.table.commands import PlayerAt
from headsup.game.table.payout_corrections import (
    CorrectPayout,
    PayoutCorrected,
    refuse_correction,
)
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.state import SettledRound
from headsup.game.values.money import MICROS_PER_CENT
from tests.support.logs import DEALER, NOON, Recorder, open_table, play_round
from tests.support.tables import Play, opened, stakes


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


def claim(seat: int, player: str, round: int, amount: int = 100) -> CorrectPayout:
    return CorrectPayout(seat, amount, "why", "Dee", "Sue", player, round)


def test_r95_a_payout_of_a_round_long_past_is_corrected() -> None:
    play = five_rounds()
    before = play.chips(1)
    (event,) = play.does(claim(1, "Ann", 2, 250))
    assert isinstance(event, PayoutCorrected)
    assert (event.round, event.player) == (2, "Ann")
    assert play.chips(1) == before + 250


def test_r95_a_player_who_left_is_paid_at_the_cage_and_cannot_be_charged() -> None:
    play = five_rounds()
    outside, tray = (
        play.floor.ledger.balance(cage_account()),
        play.floor.ledger.balance(bank_account("T1")),
    )
    owed = claim(2, "Bob", 1, 500)
    play.does(owed)
    moved = 500 * MICROS_PER_CENT
    assert play.floor.ledger.balance(cage_account()) == outside + moved
    assert play.floor.ledger.balance(bank_account("T1")) == tray - moved
    assert play.refuses(replace(owed, amount=-1)) == "not_enough_chips"


@pytest.mark.parametrize("round", [0, 5])
def test_r95_only_players_of_the_last_round_are_paid_for_it(round: int) -> None:
    play = five_rounds()
    assert play.refuses(claim(2, "Bob", round)) == "not_in_round"
    assert play.refuses(claim(1, "Cem", round)) == "not_in_round"
    for player in ("", "Cem"):
        (event,) = play.does(claim(2, player, round))
        assert isinstance(event, PayoutCorrected)
        assert (event.round, event.player) == (5, "Cem")


def test_r95_an_earlier_round_needs_the_players_name() -> None:
    """Somebody else may sit there now."""
    assert five_rounds().refuses(claim(2, "", 1)) == "not_in_round"


@pytest.mark.parametrize("round", [-1, 6, 10**6])
def test_r95_there_is_no_payout_of_a_round_that_was_not_settled_yet(round: int) -> None:
    assert five_rounds().refuses(claim(1, "Ann", round)) == "no_round"


@pytest.mark.parametrize(
    ("settled", "code"),
    [
        (None, "no_round"),
        (SettledRound(3, ((2, "Bob"),)), "no_round"),
        (SettledRound(2, ((2, "Cem"),)), "not_in_round"),
        (SettledRound(2, ((1, "Bob"), (3, "Bob"))), "not_in_round"),
        (SettledRound(2, ()), "not_in_round"),
        (SettledRound(2, ((1, "Ann"), (2, "Bob"))), None),
    ],
)
def test_r95_a_correction_fits_the_settled_round(
    settled: SettledRound | None, code: str | None
) -> None:
    refused = refuse_correction(settled, claim(2, "Bob", 2))
    assert (None if refused is None else refused.code.value) == code


# An audit knows who played in every round.


def three_rounds() -> Recorder:
    """P1 plays in the first and the last round, P4 in the first; in the second, nobody plays."""
    log = Recorder()
    open_table(log, "galaxy", "T1", seats=(1, 4))
    play_round(log, "T1", Random(1), trouble=0)
    log.do("T1", DEALER, OpenRound())
    log.do("T1", DEALER, Proceed())
    assert not log.journal.floor.tables["T1"].is_playing
    log.do("T1", PlayerAt(4), Leave(4))
    play_round(log, "T1", Random(2), trouble=0)
    return log


def audit_with(correction: CorrectPayout) -> str:
    """The finding of an audit of a log with this correction; empty if there is none."""
    log = three_rounds()
    _, links = record_command(log.journal, NOON, "T1", DEALER, correction)
    assert not isinstance(links, Refusal), "the table alone cannot tell"
    report = audit([*log.lines, *map(format_link, links)])
    return "" if report.finding is None else report.finding.expected


@pytest.mark.parametrize(
    ("correction", "words"),
    [
        (claim(1, "P1", 1), ""),
        (claim(4, "P4", 1), ""),
        (claim(1, "P1", 3), ""),
        (claim(4, "P1", 1), "round 1"),
        (claim(4, "Eve", 1), "round 1"),
        (claim(1, "P1", 2), "round 2 was not settled at this table"),
    ],
)
def test_r95_an_audit_finds_a_correction_for_somebody_who_did_not_play(
    correction: CorrectPayout, words: str
) -> None:
    found = audit_with(correction)
    assert words in found
    assert bool(found) == bool(words)
