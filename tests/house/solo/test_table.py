"""The solo table: the dealer does the rest, and the log has everything the player did."""

from dataclasses import replace
from pathlib import Path

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.refusal import Refused
from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.opening import OpenTable
from headsup.game.table.sealing import write_published
from headsup.game.table.shuffle import ShuffleSource
from headsup.house.dealing.shoe import seeded_bits, shuffle_deck
from headsup.house.fairness import verifier
from headsup.house.fairness.sealed_shuffles import SecretSealer
from headsup.house.solo.table import SEAT, SoloTable
from headsup.house.store.log_file import Logbook, read_lines

TEN = {Wager.ANTE: 1000, Wager.ODDS: 1000}
NOON = "2026-01-31T12:00:00Z"


def table(logbook: Logbook | None = None, cents: int = 100_000) -> SoloTable:
    opening = OpenTable("galaxy-wpt")
    solo = SoloTable(
        opening, lambda number: shuffle_deck(seeded_bits("solo", number)), logbook, lambda: NOON
    )
    solo.sit_down(cents)
    return solo


def test_a_round_goes_from_decision_to_decision() -> None:
    solo = table()
    solo.bet(TEN)
    solo.deal()
    for phase in (Phase.POCKET, Phase.FLOP):
        assert solo.round is not None
        assert solo.round.phase is phase
        solo.decide(Check(SEAT))
    assert solo.choices() == (Raise(SEAT, 1), Fold(SEAT))
    solo.decide(Fold(SEAT))
    assert not solo.table.is_playing
    assert solo.chips == 98_000


def test_a_raise_runs_to_the_end() -> None:
    solo = table()
    solo.bet(TEN)
    solo.deal()
    solo.decide(Raise(SEAT, 3))
    assert not solo.table.is_playing


def test_raises_beyond_the_chips_are_not_offered() -> None:
    solo = table(cents=4500)
    solo.bet(TEN)
    solo.deal()
    assert solo.choices() == (Raise(SEAT, 1), Raise(SEAT, 2), Check(SEAT))
    with pytest.raises(Refused, match=r"has \$25\.00, not \$30\.00"):
        solo.decide(Raise(SEAT, 3))


def test_bets_beyond_the_chips_are_refused() -> None:
    solo = table(cents=1500)
    with pytest.raises(Refused) as refused:
        solo.bet(TEN)
    assert refused.value.code == "not_enough_chips"
    solo.bet({Wager.ANTE: 500, Wager.ODDS: 500})


@pytest.mark.parametrize("moment", ["nothing", "bets", "dealt", "flop"])
def test_a_player_who_leaves_is_timed_out(moment: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Logbook(path) as logbook:
        solo = table(logbook)
        if moment != "nothing":
            solo.bet(TEN)
        if moment in ("dealt", "flop"):
            solo.deal()
        if moment == "flop":
            solo.decide(Check(SEAT))
        solo.time_out()
        assert solo.chips == (98_000 if moment in ("dealt", "flop") else 100_000)
        solo.stand_up()
    assert audit(read_lines(path)).is_valid


def test_the_next_session_opens_a_new_table(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for number in (1, 2):
        with Logbook(path) as logbook:
            solo = table(logbook)
            assert solo.id == f"solo {number}"
            solo.bet(TEN)
            solo.deal()
            solo.decide(Raise(SEAT, 3))
            solo.stand_up()
    report = audit(read_lines(path))
    assert (report.is_valid, report.rounds, len(report.journal.floor.tables)) == (True, 2, 2)


def test_chips_on_the_felt_are_counted() -> None:
    solo = table()
    assert solo.on_felt == 0
    solo.bet({**TEN, Wager.TRIPS_PLUS: 500})
    assert (solo.chips, solo.on_felt) == (97_500, 2500)
    solo.deal()
    solo.decide(Raise(SEAT, 3))
    assert solo.on_felt == 0


def test_sealed_rounds_are_sealed_before_the_bets_and_opened_at_their_end(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    opening = replace(OpenTable("galaxy-wpt"), shuffle=ShuffleSource.SEALED)
    with Logbook(path) as logbook:
        solo = SoloTable(opening, SecretSealer(bytes(32)), logbook, lambda: NOON, own_seed="luck")
        solo.sit_down(100_000)
        for number in (1, 2):
            solo.seal()
            sealed = solo.table.sealed
            assert sealed is not None
            assert (sealed.round, sealed.seeds) == (number, {SEAT: "luck"})
            assert sealed.commitment in path.read_text(), "kept before it is shown"
            solo.bet(TEN)
            solo.deal()
            solo.decide(Raise(SEAT, 3))
            opened = solo.table.opened
            assert opened is not None
            assert (opened.round, opened.commitment) == (number, sealed.commitment)
            verifier.verify(write_published(opened))
        solo.bet(TEN)  # without a look at the seal, which is made all the same
        solo.deal()
        solo.time_out()
        assert solo.table.opened is not None
        assert solo.table.opened.round == 3
        solo.stand_up()
    assert audit(read_lines(path)).is_valid
