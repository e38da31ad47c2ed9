"""`headsup review` of saved decisions and of a log."""

import json
import re
from pathlib import Path

import pytest

from headsup.analysis.training.note import Note, read_note
from headsup.analysis.training.questions import CLOSE_MARGIN, margin
from tests.support.cli.run import headsup, piped, refusal_sentence
from tests.support.cli.terminal import Terminal, run

KEYS = "\nc\nc\nf\n\nr\n\nc\nr\nq\n"  # three rounds of seed x: some mistakes among them
PLAY = ("play", "--seed", "x", "--bankroll", "1000")


def review_json(home: Path, *words: str) -> dict[str, object]:
    answer = piped(home, "review", "--json", *words)
    assert answer.code == 0, answer.err
    report: dict[str, object] = answer.json
    return report


def test_without_the_coach_no_decisions_are_saved(tmp_path: Path) -> None:
    assert piped(tmp_path, *PLAY, keys=KEYS).code == 0
    assert "No decisions saved yet" in piped(tmp_path, "review").out


def test_decisions_of_several_evenings_add_up(tmp_path: Path) -> None:
    for evening in (1, 2):
        assert piped(tmp_path, *PLAY, "--coach", keys=KEYS).code == 0
        assert review_json(tmp_path)["decisions"] == 6 * evening
    streets = review_json(tmp_path)["by_street"]
    assert isinstance(streets, dict)
    assert sum(street["decisions"] for street in streets.values()) == 12
    screen = piped(tmp_path, "review").out
    assert "Most expensive mistakes" in screen
    assert "fold instead of raise 1×" in screen
    assert max(len(line) for line in screen.splitlines()) <= 80


def test_washingtons_decisions_use_its_words(tmp_path: Path) -> None:
    assert piped(tmp_path, *PLAY, "--rules", "washington", "--coach", keys=KEYS).code == 0
    for words in (["review"], ["review", "--drill", "--rules", "washington"]):
        output = piped(tmp_path, *words, keys="q\n").out
        assert "play 1×" in output
        assert "raise" not in output
    page, picture = tmp_path / "summary.html", tmp_path / "summary.svg"
    answer = piped(tmp_path, "review", "--html", str(page), "--picture", str(picture))
    assert answer.code == 0, answer.err
    for file in (page, picture):
        shown = file.read_text(encoding="utf-8")
        assert "fold, not play 1×" in shown
        assert "raise" not in shown
    assert "<td>fold<td>play 1×<td>play 1× " in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_money_is_never_cut(tmp_path: Path, columns: int) -> None:
    assert piped(tmp_path, *PLAY, "--coach", keys=KEYS).code == 0
    screen = headsup("review", XDG_DATA_HOME=str(tmp_path), COLUMNS=str(columns)).out
    lines = screen.splitlines()
    assert max(map(len, lines)) <= columns
    costs = [
        line.split()[-1] for line in lines[1 : lines.index("Most expensive mistakes") - 1] if line
    ]
    assert len(costs) == 8
    assert all(re.fullmatch(r"\$\d+\.\d\d", cost) for cost in costs)


def test_no_save_saves_no_decisions(tmp_path: Path) -> None:
    assert piped(tmp_path, *PLAY, "--no-save", "--coach", keys=KEYS).code == 0
    assert review_json(tmp_path)["decisions"] == 0


def test_a_key_switches_the_coach_on_and_off(tmp_path: Path) -> None:
    keys = "\nk\nc\nk\nk\nc\nf\nq\n"  # after the first decision it is off again
    screen = piped(tmp_path, *PLAY, keys=keys).out
    assert screen.index("The coach speaks after each decision.") < screen.index("Coach: ")
    assert "The coach is off." in screen
    assert review_json(tmp_path)["decisions"] == 1


def test_the_coach_names_the_chance_to_win_before_the_flop(tmp_path: Path) -> None:
    screen = piped(tmp_path, *PLAY, "--coach-before", keys="\nr\nq\n").out
    assert "of showdowns and tie" in " ".join(screen.split("r raise 3×")[0].split())


def test_reviewing_a_log_matches_the_evening(tmp_path: Path) -> None:
    log = tmp_path / "evening.jsonl"
    assert piped(tmp_path, *PLAY, "--coach", "--log", str(log), keys=KEYS).code == 0
    then, now = review_json(tmp_path), review_json(tmp_path, str(log))
    for key in ("decisions", "best", "cost", "dollars", "by_street", "by_kind"):
        assert now[key] == then[key], key
    mistakes = now["mistakes"]
    assert isinstance(mistakes, list)
    assert all("round " in mistake["place"] for mistake in mistakes)
    assert review_json(tmp_path, str(log), "--seat", "2")["decisions"] == 0


def test_a_drill_repeats_mistakes_and_saves_the_answers(tmp_path: Path) -> None:
    assert piped(tmp_path, *PLAY, "--coach", keys=KEYS).code == 0
    mistakes = review_json(tmp_path)["mistakes"]
    assert isinstance(mistakes, list)
    river = [mistake for mistake in mistakes if mistake["street"] == "river"]
    assert river
    answer = piped(tmp_path, "review", "--drill", "--street", "river", keys="r\nq\n")
    assert "Correct." in answer.out
    assert "1 of 1 correct" in answer.out
    drill = review_json(tmp_path)["drill"]
    assert isinstance(drill, dict)
    assert (drill["decisions"], drill["best"]) == (1, 1)
    assert review_json(tmp_path)["decisions"] == 6  # a drill is no decision at a table


def test_a_drill_asks_only_for_the_chosen_rules(tmp_path: Path) -> None:
    """Mistakes of another game wait until that game is drilled."""
    assert piped(tmp_path, *PLAY, "--rules", "washington", "--coach", keys=KEYS).code == 0
    for rules, missed in (("galaxy", 0), ("washington", 1)):
        answer = piped(tmp_path, "review", "--drill", "--rules", rules, keys="q\n")
        assert f", {rules}\n" in answer.out
        assert answer.out.count("missed before") == missed


def test_after_a_repeated_question_the_drill_asks_a_new_one(tmp_path: Path) -> None:
    assert piped(tmp_path, *PLAY, "--coach", keys=KEYS).code == 0
    screen = piped(tmp_path, "review", "--drill", keys="r\nr\nr\nq\n").out
    asked = ["missed before" in line for line in screen.splitlines() if line.endswith(", galaxy")]
    assert asked == [True, False, True, False]


def test_the_kind_of_hand_is_only_named_after_the_answer(tmp_path: Path) -> None:
    keys = "c\nq\n"
    answer = piped(tmp_path, "review", "--drill", "--street", "flop", "--kind", "pair", keys=keys)
    before, after = answer.out.split("option", maxsplit=1)
    assert "pair of your own" not in before
    assert "pair of your own" in after


def test_each_raise_of_a_question_has_its_number_as_key(tmp_path: Path) -> None:
    words = ("review", "--drill", "--rules", "new-york", "--street", "pocket")
    for key, multiple in (("2", 2), ("3", 3), ("r", 3)):
        answer = piped(tmp_path / key, *words, keys=f"{key}\nq\n")
        assert "1 raise 1× · 2 raise 2× · 3 raise 3×" in answer.out
        (note,) = _drill_lines(tmp_path / key)
        assert note.chosen.multiple == multiple


def test_a_drill_continues_with_new_close_decisions(tmp_path: Path) -> None:
    keys = "c\nc\nc\nq\n"
    answer = piped(tmp_path, "review", "--drill", "--street", "flop", "--kind", "pair", keys=keys)
    assert answer.out.count("A pair of your own") == 3
    answers = _drill_lines(tmp_path)
    assert len(answers) == 3
    assert all(margin(note.advice) <= CLOSE_MARGIN for note in answers)


def _drill_lines(home: Path) -> list[Note]:
    lines = (home / "headsup" / "decisions.jsonl").read_text().splitlines()
    return [read_note(line) for line in lines]


def test_a_summary_is_one_self_contained_file(tmp_path: Path) -> None:
    assert piped(tmp_path, *PLAY, "--coach", keys=KEYS).code == 0
    page, picture = tmp_path / "summary.html", tmp_path / "summary.svg"
    answer = piped(tmp_path, "review", "--html", str(page), "--picture", str(picture))
    assert answer.code == 0
    text = page.read_text(encoding="utf-8")
    assert picture.read_text(encoding="utf-8") in text
    for link in ("<a ", "<script", "<link", "src=", "href=", "url(", "@import"):
        assert link not in text
    assert "fold, not raise 1×" in text


def test_saved_decisions_can_be_deleted(tmp_path: Path) -> None:
    assert piped(tmp_path, *PLAY, "--coach", keys=KEYS).code == 0
    assert piped(tmp_path, "review", "--forget").code == 0
    assert review_json(tmp_path)["decisions"] == 0


@pytest.mark.parametrize(
    "words", [("--kind", "pair"), ("--rules", "washington"), ("--seat", "1"), ("--html", "x")]
)
def test_forgetting_is_for_everything_so_it_takes_no_other_option(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert piped(tmp_path, *PLAY, "--coach", keys=KEYS).code == 0
    answer = piped(tmp_path, "review", "--forget", *words)
    assert "--forget deletes everything" in refusal_sentence(answer)
    assert review_json(tmp_path)["decisions"] == 6


def test_a_damaged_line_is_skipped(tmp_path: Path) -> None:
    assert piped(tmp_path, *PLAY, "--coach", keys=KEYS).code == 0
    with (tmp_path / "headsup" / "decisions.jsonl").open("a") as file:
        file.write('{"at":\nnonsense\n' + json.dumps({"hole": 3}) + "\n")
    assert review_json(tmp_path)["decisions"] == 6


def test_an_unwritable_folder_is_reported_and_play_goes_on(tmp_path: Path) -> None:
    (tmp_path / "headsup").write_text("")  # no folder can be made there
    answer = piped(tmp_path, "review", "--drill", "--street", "river", keys="f\nf\nq\n")
    assert answer.code == 2
    assert "decisions.jsonl" in answer.err
    played = piped(tmp_path, *PLAY, "--coach", keys=KEYS)
    assert played.code == 0
    assert played.out.count("Decisions are not being saved") == 1


def test_unusable_input_is_refused(tmp_path: Path) -> None:
    for words, message in (
        (("--street", "turn"), "'turn' is not one of pocket, flop"),
        (("--kind", "quads"), "'quads' is not one of"),
        ((str(tmp_path / "none.jsonl"),), "none.jsonl"),
        (("--drill", "--json"), "--drill asks you"),
        (("--drill", "--html", str(tmp_path / "page.html")), "--drill asks you"),
        (("--drill", "--picture", str(tmp_path / "picture.svg")), "--drill asks you"),
        (("--seat", "2"), "--seat: can be used only with a log"),
    ):
        answer = headsup("review", *words, XDG_DATA_HOME=str(tmp_path))
        assert answer.code == 2
        assert message in answer.err


@pytest.mark.slow
def test_two_evenings_at_a_terminal(tmp_path: Path) -> None:
    """A mistake made with the coach on comes back in the drill the next day."""
    assert run(tmp_path, "advise", "--hole", "AsKd").returncode == 0  # the game is solved
    evening = Terminal(tmp_path, *PLAY)
    try:
        evening.until("q quit")
        evening.press("k")
        evening.until("The coach speaks after each decision.")
        evening.press("\r")
        evening.until("c check")
        evening.press("c")  # ace-ten was to be raised
        assert "was better by" in evening.until("Antes lost")
        evening.press("k")
        evening.until("The coach speaks before each decision.")
        evening.until("showdowns")
        evening.press("\x04")
        assert evening.end() == 0
    finally:
        evening.close()
    day_after = Terminal(tmp_path, "review", "--drill")
    try:
        question = day_after.until("q quit")
        assert "pocket, missed before" in question
        day_after.press("x")  # means nothing, and is asked again
        day_after.until("q quit")
        day_after.press("r")
        assert "Correct." in day_after.until("showdowns")
        day_after.until("q quit")
        day_after.press("q")
        day_after.until("1 of 1 correct")
        assert day_after.end() == 0
    finally:
        day_after.close()
    assert review_json(tmp_path)["decisions"] == 1
