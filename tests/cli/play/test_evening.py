"""An evening at a real terminal: bets, mistakes, going broke, leaving, and the next day."""

import json
import re
from pathlib import Path

import pytest

from tests.support.cli.terminal import Terminal

pytestmark = pytest.mark.slow  # real processes, and the coach solves the game


def plain_text(text: str) -> str:
    return " ".join(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).split())


def saved_bankroll(home: Path) -> str:
    text = (home / "headsup" / "bankroll.json").read_text(encoding="utf-8")
    return str(json.loads(text)["bankroll"])


def wait_for_prompt(terminal: Terminal, words: str) -> str:
    """The next screen that contains these words, up to its prompt."""
    shown = terminal.until(words)
    return plain_text(shown + terminal.until("q quit"))


def test_an_evening_and_the_next_day(tmp_path: Path) -> None:
    first = Terminal(tmp_path, "play", "--seed", "s", "--bankroll", "60")
    try:
        # Betting: whole dollars by themselves, an amount as people write it, a slip of the key.
        assert "Ante + Odds $7.00 each" in plain_text(first.until("q quit"))
        first.press("\x1b[A")
        assert "the up arrow does nothing here" in plain_text(first.until("q quit"))
        first.press("a5\r")
        assert "Ante + Odds $5.00 each" in plain_text(first.until("q quit"))
        first.press("\r")
        wait_for_prompt(first, "c check")
        # Leaving in the middle of a hand asks first.
        first.press("q")
        first.until("(y/n)")
        first.press("n")
        wait_for_prompt(first, "c check")
        # The coach, switched on in the middle of a hand, sees a pair that is not raised.
        first.press("k")
        wait_for_prompt(first, "The coach speaks after each decision.")
        first.press("c")
        assert "was better by" in plain_text(first.until("q quit"))
        first.press("c")
        wait_for_prompt(first, "f fold")
        first.press("f")
        assert "the hand was folded" in plain_text(first.until("q quit"))
        # Too little to raise is said before the cards; then out of chips, and more of them.
        first.press("a25\r")
        first.until("q quit")
        first.press("\r")
        assert "not enough for any raise: you could only fold." in plain_text(first.until("q quit"))
        first.press("\r")
        wait_for_prompt(first, "c check")
        first.press("c")
        wait_for_prompt(first, "c check")
        first.press("c")
        wait_for_prompt(first, "f fold")
        first.press("f")
        assert "You are out of chips" in plain_text(first.until("q quit"))
        first.press("n")
        assert "$1,000.00 more on the table." in plain_text(first.until("q quit"))
        first.press("q")
        assert "You leave with $1,000.00 (-$60.00 this session)." in plain_text(
            first.until("session).")
        )
        assert first.end() == 0
    finally:
        first.close()
    assert saved_bankroll(tmp_path) == "1000.00"
    review = Terminal(tmp_path, "review")
    try:
        assert review.end() == 0
        assert "instead of" in plain_text(review.until("instead of"))
    finally:
        review.close()
    second = Terminal(tmp_path, "play")
    try:
        shown = plain_text(second.until("q quit"))
        assert "Chips $1,000.00" in shown
        assert "Ante + Odds $25.00 each" in shown
        second.press("q")
        assert second.end() == 0
    finally:
        second.close()


def test_a_resize_redraws_the_table(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "--seed", "friend", "--no-save")
    try:
        assert "┌┄┄┄┄┐" in terminal.until("q quit")
        terminal.resize(50, 40)
        narrow = terminal.until("q quit")
        assert "┌┄┄┄┄┐" not in narrow
        assert "Board" in narrow
        terminal.resize(80, 24)
        assert "┌┄┄┄┄┐" in terminal.until("q quit")
        terminal.press("q")
        assert terminal.end() == 0
    finally:
        terminal.close()


def test_streets_are_turned_up_one_by_one(tmp_path: Path) -> None:
    """After a Raise before the flop there are no decisions, but each street is still shown."""
    terminal = Terminal(tmp_path, "play", "--seed", "friend", "--no-save")
    try:
        terminal.until("q quit")
        terminal.press("\r")
        terminal.until("c check")
        terminal.press("r")
        shown = terminal.until("This round")
        terminal.press("q")
        assert terminal.end() == 0
    finally:
        terminal.close()
    looks = shown.split("\x1b[2J")[1:]
    cards = [sum(look.count(pip) for pip in "♣♦♥♠") for look in looks]
    assert cards == [2 + 3, 2 + 5, 2 + 5 + 2]
