"""`headsup play --coach` with keys from a pipe."""

from tests.cli.run import headsup

KEYS = "\nc\nc\nf\n\nr\n\nc\nr\nq\n"  # three rounds of seed x: some mistakes among them


def played(*words: str, keys: str = KEYS) -> str:
    done = headsup("play", "--no-save", "--seed", "x", *words, stdin=keys.encode())
    assert done.code == 0
    return done.out


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
