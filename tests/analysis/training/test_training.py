"""The pure parts of training: kinds, notes, tallies, what comes back when, new questions."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from headsup.analysis.advice.advice import ActionValue
from headsup.analysis.advice.advisor import advise
from headsup.analysis.advice.showdown_odds import DEALS_PER_HOLE, pocket_probabilities
from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.solver.payoffs import LOSE, TIE, WIN, Payoffs
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.training.kinds import Kind, kind_of
from headsup.analysis.training.note import Note, NoteSource, UnreadableNote, read_note, write_note
from headsup.analysis.training.questions import CLOSE_MARGIN, margin, new_question
from headsup.analysis.training.repetition import REPEAT_AFTER_QUESTIONS, Repetition
from headsup.analysis.training.summary import Summary, draw_summary, summary_page
from headsup.analysis.training.tally import Tally, last_evening
from headsup.analysis.training.valuer import KnownGame
from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import DECK, parse_cards

VALUES = (
    ActionValue("raise", 2, Fraction(1, 3)),
    ActionValue("check", 0, Fraction(1, 2)),
)


def note(
    hole: str = "AsKd",
    board: str = "2c7d9h",
    right: bool = True,
    source: NoteSource = NoteSource.TABLE,
    at: str = "2026-03-01T20:00:00Z",
    ante: int = 1_000,
) -> Note:
    cards = parse_cards(hole), parse_cards(board)
    return Note(at, source, "galaxy", "game", *cards, ante, VALUES, VALUES[right])


@pytest.mark.parametrize(
    ("hole", "board", "kind"),
    [
        ("AsAd", "", Kind.POCKET_PAIR),
        ("As2d", "", Kind.ACE),
        ("Js2d", "", Kind.FACE),
        ("Ts9d", "", Kind.SMALL),
        ("AsKd", "2c7d9h", Kind.NOTHING),
        ("AsKs", "2s7s9h", Kind.DRAW),  # four to a flush
        ("AsKs", "2h7h9h", Kind.NOTHING),  # three hearts, none of them one's own
        ("8s6d", "7c9hKd", Kind.DRAW),  # 6-7-8-9
        ("As4d", "2c3hKd", Kind.DRAW),  # A-2-3-4
        ("AsKd", "7c7h2d", Kind.BOARD),
        ("8s6d", "7c9h9d", Kind.DRAW),  # the board's pair, and four to a straight
        ("AsKd", "Ac7h2d", Kind.PAIR),
        ("AsKd", "AcKh2d", Kind.STRONG),
        ("AsKd", "7c7h7d", Kind.BOARD),
        ("AsKd", "AcAhKs2d3c", Kind.STRONG),
        ("8s6d", "7c9hKd2c2h", Kind.BOARD),  # no draw is left on the river
        ("8s6d", "7c9hKd2c3h", Kind.NOTHING),
    ],
)
def test_hands_are_sorted_as_a_learner_does(hole: str, board: str, kind: Kind) -> None:
    found = kind_of(parse_cards(hole), parse_cards(board))
    assert found is kind
    assert {0: Street.POCKET, 3: Street.FLOP, 5: Street.RIVER}[len(board) // 2] in kind.streets


def test_a_note_reads_back_as_it_was_written() -> None:
    for one in (note(), note("2c2d", "", right=False), replace(note(), place="T1, round 3")):
        assert read_note(write_note(one)) == one


@pytest.mark.parametrize(
    "line",
    [
        "",
        "3",
        "[]",
        "{}",
        write_note(note()).replace('"AsKd"', '"AsAs"'),
        write_note(note()).replace('"1/3"', '"1/0"'),
        write_note(note()).replace('"chosen":1', '"chosen":2'),
        write_note(note()).replace('"chosen":1', '"chosen":true'),
        write_note(note()).replace("1000", "-5"),
        write_note(note()).replace('"table"', '"dealer"'),
        write_note(note()).replace("2026-03-01", "yesterday"),
        "[" * 100_000,
        write_note(note()).replace("galaxy", "x" * 5_000),
    ],
)
def test_what_is_no_note_is_refused(line: str) -> None:
    with pytest.raises(UnreadableNote):
        read_note(line)


def test_a_tally_counts_tables_and_drills_apart_by_street_and_kind() -> None:
    dear, cheap = note(right=False, ante=5_000), note("AsAd", "", right=False)
    drilled = note("7s2d", "", source=NoteSource.DRILL)
    tally = Tally.of([note(), dear, cheap, drilled])
    assert (tally.total.decisions, tally.total.correct) == (3, 1)
    assert tally.total.cost == Fraction(1, 3)
    assert tally.total.cents == Fraction(1, 6) * 6_000
    assert tally.drilled.decisions == 1
    assert tally.by_street[Street.FLOP].decisions == 2
    assert tally.by_street[Street.RIVER].decisions == 0
    assert set(tally.by_kind) == {Kind.NOTHING, Kind.POCKET_PAIR}
    assert tally.worst(5) == (dear, cheap)


def test_an_evening_ends_with_a_long_pause() -> None:
    times = ("2026-03-01T20:00:00Z", "2026-03-02T19:00:00Z", "2026-03-02T22:30:00Z")
    notes = [note(at=at) for at in times]
    assert last_evening(notes) == tuple(notes[1:])
    assert last_evening([]) == ()


def test_a_missed_question_comes_back_soon_and_later_each_time_it_is_right() -> None:
    history = [note(right=False, source=NoteSource.DRILL)]
    right = note(source=NoteSource.DRILL)
    for gap in REPEAT_AFTER_QUESTIONS:
        for number in range(gap):
            assert not Repetition.of(history).due
            other = parse_cards("2c3d"), (DECK[8 + number % 40], *parse_cards("KhQc"))
            history.append(replace(right, hole=other[0], board=other[1]))
        assert [one.note.question for one in Repetition.of(history).due] == [right.question]
        history.append(right)
    assert Repetition.of(history).repeats == ()  # learned


def test_a_question_missed_again_starts_from_the_first_step() -> None:
    wrong, right = note(right=False, source=NoteSource.DRILL), note(source=NoteSource.DRILL)
    (repeat,) = Repetition.of([wrong, right, wrong]).repeats
    assert (repeat.step, repeat.due) == (0, 3 + REPEAT_AFTER_QUESTIONS[0])


def test_a_mistake_at_the_table_is_due_at_once_whatever_the_order_of_the_cards() -> None:
    played = note("AsKd", "2c7d9h", right=False)
    (repeat,) = Repetition.of([played]).due
    assert repeat.note == played
    again = note("KdAs", "9h2c7d", source=NoteSource.DRILL)
    assert Repetition.of([played, again]).due == ()
    assert Repetition.of([played, again]).repeats[0].step == 1


def test_what_was_never_missed_does_not_come_back() -> None:
    assert Repetition.of([note(), note(source=NoteSource.DRILL)]).repeats == ()


@pytest.fixture(scope="module")
def game(strategy: Strategy) -> KnownGame:
    return KnownGame(strategy.solution.payoffs, strategy)


@pytest.mark.parametrize("street", list(Street))
def test_a_new_question_is_close_exact_and_reached_by_good_play(
    game: KnownGame, street: Street
) -> None:
    for seed in range(20):
        found = new_question(game, seed, street)
        assert found is not None
        assert found == new_question(game, seed, street)
        assert margin(found.advice) <= CLOSE_MARGIN
        assert found.advice.street == street
        if found.board:
            assert found.advice == advise(game.payoffs, found.hole, found.board)
            assert game.strategy.pocket(found.hole).best == 0
        if len(found.board) == 5:
            assert game.strategy.on_flop(found.hole, found.board[:3]) == 0


def test_a_new_question_is_of_the_kind_asked_for(game: KnownGame) -> None:
    for kind in (Kind.ACE, Kind.DRAW, Kind.PAIR):
        found = new_question(game, 7, kind=kind)
        assert found is not None
        assert kind_of(found.hole, found.board) is kind
    assert new_question(game, 7, Street.RIVER, Kind.POCKET_PAIR) is None


def test_pocket_chances_are_those_of_the_advisor(game: KnownGame) -> None:
    hole = parse_cards("AsKd")
    found = advise(game.payoffs, hole, seen=())
    chances = pocket_probabilities(hole)
    assert (found.win, found.tie, found.lose) == (chances.win, chances.tie, chances.lose)
    assert advise(game.payoffs, hole, strategy=game.strategy).win == chances.win


@pytest.mark.slow
def test_every_pocket_chance_follows_from_a_game_that_pays_for_nothing_else() -> None:
    """With a Raise of 1, base 1 for a win gives 3W + T − 1, base 1 for a tie 2W + 2T − 1."""

    def paying(result: int) -> Payoffs:
        showdown = np.zeros((3, 10, 3, 2), np.int64)
        for place, raised in ((LOSE, -1), (TIE, 0), (WIN, 1)):
            showdown[:, :, place, :] = raised
        showdown[:, :, result, :] += 1
        return Payoffs(1, showdown, np.full(10, -2), (1,), (1,), (1,), 0)

    wins, ties = solve_many([paying(WIN), paying(TIE)])
    seen = set()
    for first in DECK:
        for second in DECK[:first]:
            if (number := pocket_class(first, second)) in seen:
                continue
            seen.add(number)
            chances = pocket_probabilities((first, second))
            on_win = wins.class_values(number).raises[1]
            on_tie = ties.class_values(number).raises[1]
            assert on_win == 3 * chances.win + chances.tie - 1
            assert on_tie == 2 * chances.win + 2 * chances.tie - 1
            assert (chances.win * DEALS_PER_HOLE).denominator == 1
    assert len(seen) == 169


def test_a_summary_says_everything_and_links_to_nothing() -> None:
    tally = Tally.of([note(), note(right=False), note("2c2d", "", source=NoteSource.DRILL)])
    summary = Summary("Ann <&> the evening", "2026-03-01", tally)
    drawn, text = draw_summary(summary), summary_page(summary)
    assert drawn in text
    assert "Ann &lt;&amp;&gt; the evening" in text
    assert "50.0 %" in drawn
    assert "raise 2×, not check" in drawn
    assert "(1/3)" in text
    for link in ("<a ", "<script", "href", "src=", "url(", "@import"):
        assert link not in text


def test_a_summary_of_nothing_is_a_summary() -> None:
    assert "Not one mistake" in draw_summary(Summary("Nobody", "nothing yet", Tally.of([])))
