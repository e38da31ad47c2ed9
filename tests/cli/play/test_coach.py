"""`headsup play --coach` with keys from a pipe."""

from tests.support.cli.run import headsup, refusal_sentence

KEYS = "\nc\nc\nf\n\nr\n\nc\nr\nq\n"  # three rounds of seed x: some mistakes among them


def play_rounds(*words: str, keys: str = KEYS) -> str:
    done = headsup("play", "--no-save", "--seed", "x", *words, stdin=keys.encode())
    assert done.code == 0
    return done.out


def test_the_coach_values_every_decision_and_lists_the_worst_mistakes() -> None:
    screen = play_rounds("--coach")
    assert screen.count("Coach: ") == 7  # six decisions and the farewell
    assert "of 6 decisions were correct; mistakes cost" in screen
    assert "fold instead of raise 1×" in screen
    assert max(len(line) for line in screen.splitlines()) <= 80


def test_the_coach_advises_before_the_decision_if_requested() -> None:
    screen = play_rounds("--coach-before", keys="\nr\nq\n")
    advice, decision = screen.index("Coach: raise 3×"), screen.index("r raise 3×")
    assert advice < decision


def test_without_the_option_there_is_no_coaching() -> None:
    assert "Coach" not in play_rounds(keys="\nr\nq\n")


def test_the_coach_can_teach_a_chosen_strategy() -> None:
    screen = play_rounds("--strategy", "five-lines")
    assert "Five lines: followed." in screen
    assert "Five lines: raise 1×; yours is" in screen
    assert "Five lines: followed in" in screen
    assert "of 6 decisions; deviating from it cost" in screen
    assert max(len(line) for line in screen.splitlines()) <= 80
    before = play_rounds("--coach-before", "--strategy", "five-lines", keys="\nr\nq\n")
    assert "Five lines: raise 3×." in before


def test_an_unknown_strategy_is_refused_before_the_deal() -> None:
    answer = headsup("play", "--no-save", "--strategy", "fivelines")
    assert "five-lines" in refusal_sentence(answer)
    assert answer.out == ""


def test_the_coach_uses_the_tables_words() -> None:
    screen = play_rounds("--coach-before", "--rules", "washington", keys="\nr\nq\n")
    assert "Coach: play 3×" in screen
    assert "raise" not in screen
