"""`headsup play --coach` with keys from a pipe."""

from tests.cli.run import headsup, refused

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


def test_the_coach_may_lead_towards_a_chosen_strategy() -> None:
    screen = played("--strategy", "five-lines")
    assert "Five lines: followed." in screen
    assert "Five lines: raise 1×; yours is" in screen
    assert "Five lines: followed in" in screen
    assert "of 6 decisions; departing from it cost" in screen
    assert max(len(line) for line in screen.splitlines()) <= 80
    before = played("--coach-before", "--strategy", "five-lines", keys="\nr\nq\n")
    assert "Five lines: raise 3×." in before


def test_a_strategy_that_is_none_is_refused_before_anything_is_dealt() -> None:
    answer = headsup("play", "--no-save", "--strategy", "fivelines")
    assert "five-lines" in refused(answer)
    assert answer.out == ""


def test_the_coach_speaks_in_the_words_of_the_table() -> None:
    screen = played("--coach-before", "--rules", "washington", keys="\nr\nq\n")
    assert "Coach: play 3×" in screen
    assert "raise" not in screen
