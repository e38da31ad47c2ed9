"""A12: a shuffle is sealed before the bets and opened after the round, in the record itself."""

import json
from dataclasses import replace

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import format_link
from headsup.game.record.journal import record_decision
from headsup.game.record.message_codec import read_command, write_command
from headsup.game.round.commands import CloseBets, DealCards, PlaceBets, Proceed, TimeOut
from headsup.game.round.state import STREET_BY_PHASE, Phase
from headsup.game.table.commands import Command, PlayerAt
from headsup.game.table.events import Event
from headsup.game.table.opening import CloseTable, TableClosed
from headsup.game.table.rounds import OpenRound, RoundOpened
from headsup.game.table.sealed_shuffles import (
    AddSeed,
    OpenShuffle,
    ReportLostSeal,
    SealLost,
    SealShuffle,
    SeedAdded,
    ShuffleOpened,
    ShuffleSealed,
)
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.views.announcements import announcement_for
from headsup.game.views.viewers import parse_viewer
from headsup.house.fairness import verifier
from headsup.house.fairness.sealed_shuffles import Seal
from tests.support.logs import NOON, Recorder
from tests.support.tables import POOL_LEAVES, STAFF, Play, irregularity_report, opening, stakes
from tests.support.wire import announcement_json, view_json

SECRET = bytes(range(32))
VIEWERS = ("seat 1", "seat 2", "dealer", "rail", "tablevision")


def seal(number: int = 1, secret: bytes = SECRET) -> Seal:
    return Seal("T1", number, secret)


def sealed_table() -> Play:
    """Two players at a table whose next shuffle is not sealed yet."""
    play = Play()
    play.does(replace(opening(), shuffle=ShuffleSource.SEALED))
    for seat, name in ((1, "Ann"), (2, "Bob")):
        play.does(Sit(seat, name), BuyIn(seat, 100_000))
    return play


def betting(number: int = 1) -> Play:
    play = sealed_table()
    play.does(SealShuffle(seal(number).commitment), OpenRound())
    return play


def deal(play: Play, shuffle: Seal | None = None) -> None:
    sealed = play.table.sealed
    assert sealed is not None
    play.does(PlaceBets(1, stakes()), CloseBets())
    play.does(DealCards((shuffle or seal(sealed.round)).deck(sealed.seeds)))


def closed_round(*seeds: AddSeed) -> Play:
    """A closed round whose shuffle is not opened yet."""
    play = betting()
    play.does(*seeds)
    deal(play)
    play.reaches(Phase.CLOSED)
    return play


def shown(play: Play, viewer: str) -> str:
    return json.dumps(view_json(play.floor, "T1", parse_viewer(viewer)))


# Sealing and opening.


def test_a_round_is_sealed_played_and_opened() -> None:
    play = sealed_table()
    assert play.does(SealShuffle(seal().commitment)) == (ShuffleSealed(1, seal().commitment),)
    play.does(OpenRound())
    assert play.does(AddSeed(2, "my own words")) == (SeedAdded(2, "my own words"),)
    deal(play)
    play.reaches(Phase.CLOSED)
    seeds = {2: "my own words"}
    opened = ShuffleOpened(1, seal().commitment, SECRET.hex(), seeds, seal().deck(seeds))
    assert play.does(OpenShuffle(SECRET.hex())) == (opened,)
    assert play.table.sealed is None
    play.does(SealShuffle(seal(2).commitment), OpenRound())


def test_a_seed_is_added_until_bets_close_and_the_last_counts() -> None:
    play = sealed_table()
    assert play.refuses(AddSeed(1, "too early")) == "not_sealed"
    play.does(SealShuffle(seal().commitment))
    play.does(AddSeed(1, "before the round"))
    play.does(OpenRound(), AddSeed(1, "first"), AddSeed(1, "last"))
    play.does(PlaceBets(1, stakes()), AddSeed(1, "after the bet"), CloseBets())
    assert play.refuses(AddSeed(1, "too late")) == "wrong_phase"
    assert play.refuses(AddSeed(2, "too late")) == "wrong_phase"
    assert play.table.sealed is not None
    assert play.table.sealed.seeds == {1: "after the bet"}


@pytest.mark.parametrize("text", ["", "x" * 65, "line\nbreak", "bell\a", "\u200e", "half \ud800"])
def test_a_seed_is_1_to_64_printable_characters(text: str) -> None:
    play = betting()
    assert play.refuses(AddSeed(1, text)) in ("bad_seed", "bad_command")
    play.does(AddSeed(1, "x" * 64), AddSeed(1, "ünï ♠ 🂡 \" \\ ',"))


def test_players_add_a_seed_for_their_own_seat_only() -> None:
    play = betting()
    assert play.refuses(AddSeed(2, "x"), by=PlayerAt(1)) == "not_your_seat"
    assert play.refuses(AddSeed(2, "x"), by=STAFF) == "player_only"
    assert play.refuses(AddSeed(3, "x")) == "no_such_seat"
    for command in (SealShuffle("0" * 64), OpenShuffle("0" * 64)):
        assert play.refuses(command, by=PlayerAt(1)) == "staff_only"


def test_no_round_without_a_seal_and_no_seal_before_the_last_is_opened() -> None:
    play = sealed_table()
    assert play.refuses(OpenRound()) == "not_sealed"
    assert play.refuses(OpenShuffle(SECRET.hex())) == "not_sealed"
    play.does(SealShuffle(seal().commitment))
    assert play.refuses(SealShuffle(seal(2).commitment)) == "still_sealed"
    assert play.refuses(OpenShuffle(SECRET.hex())) == "not_sealed", "no round was played under it"
    play.does(OpenRound())
    deal(play)
    assert play.refuses(OpenShuffle(SECRET.hex())) == "round_open"
    play.reaches(Phase.SETTLED)
    assert play.refuses(OpenShuffle(SECRET.hex())) == "round_open", "cards lie on the felt"
    play.does(Proceed())
    assert play.refuses(OpenRound()) == "still_sealed"
    assert play.refuses(SealShuffle(seal(2).commitment)) == "still_sealed"
    play.does(OpenShuffle(SECRET.hex()))
    assert play.refuses(OpenRound()) == "not_sealed"


def test_the_opened_shuffle_must_be_the_sealed_one() -> None:
    play = closed_round()
    assert play.refuses(OpenShuffle(bytes(32).hex())) == "seed_differs"
    assert play.refuses(OpenShuffle(SECRET.hex().upper())) == "bad_seed"
    assert play.refuses(OpenShuffle(SECRET.hex()[:-1])) == "bad_seed"
    play.does(OpenShuffle(SECRET.hex()))


def test_a_deck_that_was_not_sealed_is_found_when_it_is_opened() -> None:
    play = betting()
    deal(play, seal(secret=bytes(32)))
    play.reaches(Phase.CLOSED)
    assert play.refuses(OpenShuffle(SECRET.hex())) == "seed_differs"
    assert play.refuses(OpenRound()) == "still_sealed", "nothing is dealt here any more"


def test_a_deck_without_a_players_seed_is_found_when_it_is_opened() -> None:
    play = betting()
    play.does(AddSeed(1, "mine"), PlaceBets(1, stakes()), CloseBets())
    play.does(DealCards(seal().deck({})))
    play.reaches(Phase.CLOSED)
    assert play.refuses(OpenShuffle(SECRET.hex())) == "seed_differs"


def test_a_round_given_up_or_void_is_opened_too() -> None:
    play = betting()
    play.does(Proceed())  # nobody bets
    (opened,) = play.does(OpenShuffle(SECRET.hex()))
    assert isinstance(opened, ShuffleOpened)
    assert opened.deck == seal().deck({})
    play.does(SealShuffle(seal(2).commitment), OpenRound())
    deal(play)
    play.does(irregularity_report("foul_deck"))
    play.reaches(Phase.CLOSED)
    play.does(OpenShuffle(SECRET.hex()))


@pytest.mark.parametrize("commitment", ["", "0" * 63, "0" * 65, "A" * 64, "g" * 64, " " * 64])
def test_a_commitment_has_one_spelling(commitment: str) -> None:
    assert sealed_table().refuses(SealShuffle(commitment)) == "bad_seed"


def test_tables_without_sealed_shuffles_refuse_seals() -> None:
    play = Play()
    play.does(opening(), Sit(1, "Ann"))
    for command in (SealShuffle("0" * 64), AddSeed(1, "x"), OpenShuffle("0" * 64)):
        assert play.refuses(command) == "not_sealed"
    play.does(OpenRound())


# Closing the table.

SOLD = CloseTable("the table is sold", "Sue / Tom")
TWO = ("Dee", "Sue")


def left(play: Play) -> Play:
    play.does(Leave(1), Leave(2))
    return play


def test_a_table_is_not_closed_before_its_seal_is_opened() -> None:
    play = left(closed_round())
    assert play.refuses(SOLD) == "still_sealed"
    play.does(OpenShuffle(SECRET.hex()), *POOL_LEAVES, SOLD)


def test_an_unused_seal_is_opened_once_everybody_has_left() -> None:
    play = sealed_table()
    play.does(SealShuffle(seal().commitment))
    assert play.refuses(OpenShuffle(SECRET.hex())) == "not_sealed", "players may bet on it"
    left(play)
    assert play.refuses(SOLD) == "still_sealed"
    assert play.refuses(OpenShuffle(bytes(32).hex())) == "seed_differs"
    (opened,) = play.does(OpenShuffle(SECRET.hex()))
    assert isinstance(opened, ShuffleOpened)
    assert (opened.round, play.table.rounds) == (1, 0)
    play.does(*POOL_LEAVES, SOLD)


def test_a_lost_seal_is_given_up_by_two_people_between_rounds() -> None:
    play = betting()
    assert play.refuses(ReportLostSeal("gone", TWO)) == "round_open"
    play.does(Proceed())
    assert play.refuses(ReportLostSeal(" ", TWO)) == "needs_reason"
    assert play.refuses(ReportLostSeal("gone", ("Sue", " sue "))) == "needs_two_people"
    assert play.refuses(ReportLostSeal("gone", TWO), by=PlayerAt(1)) == "staff_only"
    (lost,) = play.does(ReportLostSeal("gone", TWO))
    assert lost == SealLost(1, seal().commitment, "gone", TWO)
    assert play.refuses(ReportLostSeal("gone", TWO)) == "not_sealed"
    play.does(SealShuffle(seal(2).commitment), OpenRound())


def test_a_table_with_a_lost_seal_is_closed_once_it_is_given_up() -> None:
    play = left(closed_round())
    play.does(ReportLostSeal("gone", TWO), *POOL_LEAVES, SOLD)


# Views.


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everyone_sees_the_commitment_before_the_bets(viewer: str) -> None:
    play = sealed_table()
    play.does(SealShuffle(seal().commitment))
    assert seal().commitment in shown(play, viewer)
    play.does(OpenRound())
    assert seal().commitment in shown(play, viewer)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everyone_can_check_what_they_are_shown_after_the_round(viewer: str) -> None:
    play = closed_round(AddSeed(2, "luck"))
    play.does(OpenShuffle(SECRET.hex()))
    play.does(SealShuffle(seal(2).commitment), OpenRound())
    fair = json.loads(shown(play, viewer))["fair"]
    assert fair["sealed"] == {"round": 2, "commitment": seal(2).commitment, "seeds": {}}
    assert fair["opened"]["player_seeds"] == {"2": "luck"}
    verifier.verify(fair["opened"])


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_server_seed_is_nowhere_before_it_is_opened(viewer: str) -> None:
    """It is in no view, announcement or log: the game does not have it."""
    texts = [link.text for link in recorded_round().links]
    play = closed_round(AddSeed(1, "luck"))
    texts.append(shown(play, viewer))
    for table, event in play.log:
        if (news := announcement_for(parse_viewer(viewer), play.floor, table, event)) is not None:
            texts.append(json.dumps(announcement_json(news)))
    for secret in (SECRET.hex(), str(list(SECRET)), repr(SECRET)):
        assert not [text for text in texts if secret in text]


def test_views_of_a_table_without_seals_do_not_mention_them() -> None:
    play = Play()
    play.does(opening())
    assert "fair" not in json.loads(shown(play, "rail"))


# The record.


def recorded_round(secret: bytes = SECRET) -> Recorder:
    """The log of one player's sealed round, closed but not opened yet."""
    log = Recorder()
    log.do("T1", STAFF, replace(opening(), shuffle=ShuffleSource.SEALED))
    log.do("T1", PlayerAt(1), Sit(1, "Ann"))
    log.do("T1", PlayerAt(1), BuyIn(1, 100_000))
    log.do("T1", STAFF, SealShuffle(seal().commitment))
    log.do("T1", STAFF, OpenRound())
    log.do("T1", PlayerAt(1), AddSeed(1, "luck"))
    log.do("T1", PlayerAt(1), PlaceBets(1, stakes()))
    log.do("T1", STAFF, CloseBets())
    log.do("T1", STAFF, DealCards(seal(secret=secret).deck({1: "luck"})))
    while log.round("T1").phase is not Phase.CLOSED:
        owes = log.round("T1").phase in STREET_BY_PHASE
        log.do("T1", STAFF, TimeOut(1, None) if owes else Proceed())
    return log


def test_seal_commands_read_back_as_written() -> None:
    for command in (SealShuffle(seal().commitment), AddSeed(1, "ü"), OpenShuffle(SECRET.hex())):
        assert read_command(json.loads(json.dumps(write_command(command)))) == command


def test_an_audit_accepts_what_was_sealed_and_opened() -> None:
    log = recorded_round()
    assert audit(log.lines).is_valid, "a round that is not opened yet"
    log.do("T1", STAFF, OpenShuffle(SECRET.hex()))
    assert audit(log.lines).is_valid


def log_with_forged_decision(log: Recorder, command: Command, event: Event) -> list[str]:
    """The log with a forged decision, in a valid chain."""
    _, links = record_decision(log.journal, NOON, "T1", STAFF, command, (event,))
    return [*log.lines, *map(format_link, links)]


def test_an_audit_finds_an_opening_that_does_not_match() -> None:
    seeds = {1: "luck"}
    good = ShuffleOpened(1, seal().commitment, SECRET.hex(), seeds, seal().deck(seeds))
    opening = OpenShuffle(SECRET.hex())
    assert audit(log_with_forged_decision(recorded_round(), opening, good)).is_valid
    for wrong, word in (
        (replace(good, server_seed=bytes(32).hex()), "server_seed"),
        (replace(good, commitment=seal(2).commitment), "commitment"),
        (replace(good, seeds={}), "seeds"),
        (replace(good, deck=seal(2).deck(seeds)), "deck"),
        (replace(good, round=2), "round"),
    ):
        finding = audit(log_with_forged_decision(recorded_round(), opening, wrong)).finding
        assert finding is not None
        assert word in finding.expected, finding


def test_an_audit_finds_a_deck_that_was_not_sealed() -> None:
    log = recorded_round(secret=bytes(32))
    assert not log.ask("T1", STAFF, OpenShuffle(SECRET.hex()))
    dealt = log.round("T1").deck
    opened = ShuffleOpened(1, seal().commitment, SECRET.hex(), {1: "luck"}, dealt)
    forged = log_with_forged_decision(log, OpenShuffle(SECRET.hex()), opened)
    finding = audit(forged).finding
    assert finding is not None
    assert "does not match" in finding.expected


def test_an_audit_fails_for_a_table_closed_with_an_unopened_seal() -> None:
    log = recorded_round()
    log.do("T1", PlayerAt(1), Leave(1))
    forged = log_with_forged_decision(log, CloseTable("sold", "Sue"), TableClosed("sold", "Sue"))
    finding = audit(forged).finding
    assert finding is not None
    assert "is sealed" in finding.expected


def test_an_audit_remarks_on_a_closed_round_that_is_not_opened() -> None:
    log = recorded_round()
    assert audit(log.lines[:-1]).remarks == (), "the round is still open"
    (remark,) = audit(log.lines).remarks
    assert "T1: round 1 is closed, but its sealed shuffle is not opened" in remark
    log.do("T1", STAFF, OpenShuffle(SECRET.hex()))
    log.do("T1", STAFF, SealShuffle(seal(2).commitment))
    assert audit(log.lines).remarks == ()


def test_an_audit_names_a_seal_that_was_given_up() -> None:
    log = recorded_round()
    log.do("T1", STAFF, ReportLostSeal("the database was altered", TWO))
    log.do("T1", PlayerAt(1), Leave(1))
    for command in (*POOL_LEAVES, SOLD):
        log.do("T1", STAFF, command)
    report = audit(log.lines)
    assert report.is_valid
    (remark,) = report.remarks
    for part in ("round 1", "Dee and Sue", "the database was altered", NOON):
        assert part in remark


def test_an_audit_finds_a_shuffle_that_was_never_opened() -> None:
    log = recorded_round()
    finding = audit(log_with_forged_decision(log, OpenRound(), RoundOpened(2))).finding
    assert finding is not None
    assert "still sealed" in finding.expected
    commitment = seal(2).commitment
    sealed = ShuffleSealed(2, commitment)
    finding = audit(log_with_forged_decision(log, SealShuffle(commitment), sealed)).finding
    assert finding is not None
    assert "still sealed" in finding.expected
