"""`headsup play --coach` with keys from a pipe."""

import subprocess
import sys

KEYS = "\nc\nc\nf\n\nr\n\nc\nr\nq\n"  # three rounds of seed x: some mistakes among them


def played(*words: str, keys: str = KEYS) -> str:
    done = subprocess.run(
        [sys.executable, "-c", "from headsup.cli import main; main()", "play", "--no-save",
         "--seed", "x", *words],
        input=keys, capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return done.stdout


def test_the_coach_values_every_decision_and_ends_with_the_dearest_mistakes() -> None:
    screen = played("--coach")
    assert screen.count("Coach: ") == 7  # six decisions and the farewell
    assert "of 6 decisions were the best; mistakes cost" in screen
    assert "fold instead of raise 1×" in screen
    assert max(len(line) for line in screen.splitlines()) <= 80


def test_the_coach_speaks_before_the_decision_when_asked() -> None:
    screen = played("--coach-before", keys="\nr\nq\n")
    advice, decision = screen.index("Coach: raise 3×"), screen.index("r raise 3×")
    assert advice < decision


def test_without_a_coach_nobody_speaks() -> None:
    assert "Coach" not in played(keys="\nr\nq\n")
