"""The line that a dealer types at a table whose cards are turned over."""

from contextlib import suppress
from random import Random

import pytest

from headsup.game.refusal import Refused
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import SitGuest
from headsup.game.table.shuffle import ShuffleSource
from headsup.house.dealing.line import MAX_LINE_CHARS, parse_line
from tests.support.tables import Play, opening

DEALER = Staff("Dee")


def charity_table(book: str = "galaxy-wpt", guests: int = 6) -> Play:
    """A table of guests, dealt with a real deck."""
    play = Play()
    command = opening(book, shuffle=ShuffleSource.TURNED_OVER)
    assert isinstance(command, OpenTable)
    play.does(command, by=DEALER)
    for seat in range(1, guests + 1):
        play.does(SitGuest(seat), by=DEALER)
    return play


class Keyboard:
    """Types at the console: every key is counted."""

    def __init__(self, play: Play) -> None:
        self.play, self.keys = play, 0

    def space(self) -> str:
        """The key for the step that is due."""
        return self._send("", 1)

    def line(self, text: str) -> str:
        """The text and Enter; a line of only `=` needs no Enter."""
        return self._send(text, len(text) + (text != "="))

    def _send(self, text: str, keys: int) -> str:
        self.keys += keys
        line = parse_line(self.play.table, text)
        self.play.does(*line.commands, by=DEALER)
        return line.meaning


def opened_with_bets() -> tuple[Play, Keyboard]:
    """A finished round in which all six guests bet, so that the next can repeat it."""
    play = charity_table()
    keys = Keyboard(play)
    keys.line("10 b5; 10; 10; 10; 10; 10")
    keys.space()
    keys.space()
    for line in ("*", "kd9c5h", "5s2d", "acqd", "6s6h", "4s4h", "3s3h", "2s2h", "ts8h", "jsjh"):
        keys.line(line)
    keys.space()
    return play, Keyboard(play)


def test_the_round_takes_59_keys() -> None:
    """Six guests repeat their bets, 2 and 5 raise at once, 1 and 4 on the flop, 3 on the river."""
    play, keys = opened_with_bets()
    assert play.phase is Phase.CLOSED
    keys.line("=")  # everybody bets as in the last round
    keys.space()  # no more bets
    keys.space()  # the cards are out
    keys.line("25")
    keys.line("kd9c5h")
    keys.line("14")
    keys.line("5s2d")
    keys.line("3")
    keys.line("acqd")
    # Seat 6 folded without a side wager, so its cards are not needed.
    for hand in ("9h9d", "4s4h", "3s3h", "2s2h", "ksjh"):
        keys.line(hand)
    keys.space()  # the last hand is paid, and the round is closed
    assert play.phase is Phase.CLOSED
    assert keys.keys <= 59


def test_six_hands_read_take_59_keys() -> None:
    """The one who folds has a Pocket Bonus, so all six hands are read."""
    play = charity_table()
    first = Keyboard(play)
    first.line("10; 10; 10; 10; 10; 10 b5")
    first.space()
    first.space()
    for line in ("*", "kd9c5h", "5s2d", "acqd", "6s6h", "4s4h", "3s3h", "2s2h", "ts8h", "jsjh"):
        first.line(line)
    first.space()
    keys = Keyboard(play)
    keys.line("=")
    keys.space()
    keys.space()
    for line in ("25", "kd9c5h", "14", "5s2d", "3", "acqd"):
        keys.line(line)
    for hand in ("6s6h", "9h9d", "4s4h", "3s3h", "2s2h", "ksjh"):
        keys.line(hand)
    keys.space()
    assert play.phase is Phase.CLOSED
    assert keys.keys == 59


def test_bets_name_a_seat_or_go_to_the_next_guest() -> None:
    play = charity_table()
    meaning = Keyboard(play).line("10 t5; 5:25 b5; 10")
    assert play.phase is Phase.BETTING
    assert {seat: dict(hand.stakes) for seat, hand in sorted(play.round.seats.items())} == {
        1: {Wager.ANTE: 1_000, Wager.ODDS: 1_000, Wager.TRIPS_PLUS: 500},
        2: {Wager.ANTE: 1_000, Wager.ODDS: 1_000},
        5: {Wager.ANTE: 2_500, Wager.ODDS: 2_500, Wager.POCKET_BONUS: 500},
    }
    assert "seat 5: Ante and Odds $25.00, Pocket Bonus $5.00" in meaning


def test_the_meaning_of_raises_names_those_who_pass() -> None:
    play = charity_table()
    keys = Keyboard(play)
    keys.line("10; 10; 10; 10")
    keys.space()
    keys.space()
    assert parse_line(play.table, "2x1 4").meaning == "4 raises 3×; 2 raises 1×; 1, 3 check."
    assert parse_line(play.table, "0").meaning == "1, 2, 3, 4 check."


def test_a_hand_is_paid_with_the_key_of_the_next() -> None:
    play = charity_table(guests=2)
    keys = Keyboard(play)
    keys.line("10; 10")
    keys.space()
    keys.space()
    for line in ("*", "kd9c5h", "5s2d", "acqd", "9h9d"):
        keys.line(line)
    assert not play.round.resolved
    assert keys.line("ksjh").startswith("Seat 2 is paid.")
    assert play.round.resolved == (2,)


def test_a_card_read_wrongly_is_put_right() -> None:
    play = charity_table(guests=1)
    keys = Keyboard(play)
    keys.line("10")
    keys.space()
    keys.space()
    for line in ("*", "kd9c5h", "5s2d", "acqd", "ks5d"[:2] + "8d"):
        keys.line(line)
    before = play.round.settlement
    keys.line("fix 8d=kh")
    assert play.round.cards_at("seat 1") == parse_line(play.table, "fix 1:kskh").commands[0].cards  # type: ignore[union-attr]
    assert play.round.settlement != before
    keys.space()
    assert play.phase is Phase.CLOSED


def test_bets_and_decisions_told_wrongly_are_put_right() -> None:
    play = charity_table(guests=2)
    keys = Keyboard(play)
    keys.line("10; 10")
    keys.space()
    keys.line("fix 2:25 b5")
    assert play.round.seats[2].stakes[Wager.ANTE] == 2_500
    keys.space()
    keys.line("1")
    assert play.phase is Phase.FLOP_DUE
    keys.line("fix 1 c")
    keys.line("fix 2 rx2")
    assert [str(seat.decision) for seat in play.round.seats.values()] == [
        "HasChecked()",
        "HasRaised(street=<Street.POCKET: 'pocket'>, multiple=2)",
    ]
    keys.line("kd9c5h")
    with pytest.raises(AssertionError, match="decision_stands"):
        keys.line("fix 2 c")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("10 x5", "side bet"),
        ("9:10", "not taken|seat"),
        ("=", "repeat"),
        ("ten", "ten"),
        ("x" * (MAX_LINE_CHARS + 1), "at most"),
        ("+", "seat such as"),
        ("fix 5h=5d", "round"),
    ],
)
def test_a_line_that_means_nothing_says_why(line: str, says: str) -> None:
    play = charity_table(guests=1)
    if line == "9:10":
        assert play.ask(parse_line(play.table, line).commands[-1], DEALER)
        return
    with pytest.raises(Refused, match=says):
        parse_line(play.table, line)


def test_no_text_crashes_the_line() -> None:
    letters = "0123456789 :;=-+x*tbapkqjcdhs.fix!?♠"
    random = Random(1)
    play, _ = opened_with_bets()
    moments = [charity_table().table, play.table]
    keys = Keyboard(play)
    keys.line("=")
    moments.append(play.table)
    for step in range(9):
        if step < 2:
            keys.space()
        else:
            keys.line(("25", "kd9c5h", "14", "5s2d", "3", "acqd", "6s6h")[step - 2])
        moments.append(play.table)
    for _ in range(20_000):
        text = "".join(random.choices(letters, k=random.randrange(14)))
        with suppress(Refused):
            assert parse_line(random.choice(moments), text).meaning
