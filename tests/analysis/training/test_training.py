"""The pure parts of training: kinds, notes, tallies, repetition, new questions."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from headsup.analysis.advice.advice import DEALS_PER_HOLE, ActionValue, pocket_probabilities
from headsup.analysis.advice.advisor import advise
from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import LOSE, TIE, WIN, Payoffs
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.training.kinds import Kind, kind_of
from headsup.analysis.training.note import Note, NoteSource, UnreadableNote, read_note, write_note
from headsup.analysis.training.questions import CLOSE_MARGIN, is_close, margin, new_question
from headsup.analysis.training.repetition import REPEAT_AFTER_QUESTIONS, Repetition, is_repeat
from headsup.analysis.training.tally import Tally, last_evening
from headsup.analysis.training.valuer import KnownGame, Valuer
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import DECK, parse_cards
from headsup.report.files.training_summary import Summary, draw_summary, summary_page

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
        # Only the same ranks as on the board are the board's. A kicker changes nothing.
        ("AsAd", "KhKc2d2h7s", Kind.STRONG),
        ("8s7d", "KhKc2d2h7s", Kind.STRONG),
        ("As3d", "KhKc2d2h7s", Kind.BOARD),
        ("As3d", "KhKcKd9h7s", Kind.BOARD),
        ("As3d", "KhKcKdKs7s", Kind.BOARD),
        ("As3d", "KsJs9s5s2s", Kind.STRONG),  # a higher flush
        ("3s4d", "KsJs9s5s2s", Kind.STRONG),
        ("As3s", "KsJs9s5s4s", Kind.STRONG),
        ("Ad3d", "KsJs9s5s4s", Kind.BOARD),
        ("9s2d", "4c5h6d7c8h", Kind.STRONG),  # a higher straight
        ("3s2d", "4c5h6d7c8h", Kind.BOARD),
        ("AsAd", "KhKcKd2h2s", Kind.STRONG),  # kings full of aces, not of deuces
        ("QsJd", "KhKcKd2h2s", Kind.BOARD),
        ("9s2d", "4c5c6c7c8c", Kind.BOARD),
        ("9c2d", "4c5c6c7c8c", Kind.STRONG),
    ],
)
def test_hands_are_sorted_as_a_learner_would_sort_them(hole: str, board: str, kind: Kind) -> None:
    actual = kind_of(parse_cards(hole), parse_cards(board))
    assert actual is kind
    assert {0: Street.POCKET, 3: Street.FLOP, 5: Street.RIVER}[len(board) // 2] in kind.streets


def test_a_note_survives_a_round_trip() -> None:
    for original in (note(), note("2c2d", "", right=False), replace(note(), place="T1, round 3")):
        assert read_note(write_note(original)) == original


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
def test_invalid_notes_are_refused(line: str) -> None:
    with pytest.raises(UnreadableNote):
        read_note(line)


@pytest.mark.parametrize(
    ("stake", "ante"), [(999_983, 9_999_991), (5_000_011, 1_000_003), (700_000_001, 100_003)]
)
def test_r54_an_odd_trips_plus_stake_is_valued_as_the_nearest_the_solver_can_count(
    stake: int, ante: int, strategy: Strategy
) -> None:
    rules = table_rules("new-york", options={"trips_plus_after_fold": "forfeits"})
    with pytest.raises(Refused, match="too large or too fine"):
        compile_payoffs(rules, Fraction(stake, ante))
    payoffs = Valuer(lambda _: strategy).game(rules, Fraction(stake, ante)).payoffs
    folded = -Fraction(int(payoffs.fold[0]), payoffs.unit) - 2  # Ante and Odds are lost as well
    assert folded == pytest.approx(Fraction(stake, ante), rel=1e-3)


def test_trips_plus_that_survives_a_fold_is_no_part_of_the_game(strategy: Strategy) -> None:
    for options in ({}, {"trips_plus_after_fold": "stays"}):
        rules = table_rules("new-york", options=options)
        game = Valuer(lambda _: strategy).game(rules, Fraction(1, 2))
        assert game.payoffs.key == compile_payoffs(rules).key


def test_a_tally_counts_tables_and_drills_separately_by_street_and_kind() -> None:
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


def test_a_long_pause_starts_a_new_evening() -> None:
    times = ("2026-03-01T20:00:00Z", "2026-03-02T19:00:00Z", "2026-03-02T22:30:00Z")
    notes = [note(at=at) for at in times]
    assert last_evening(notes) == tuple(notes[1:])
    assert last_evening([]) == ()


def test_a_missed_question_returns_soon_then_later_after_each_right_answer() -> None:
    history = [note(right=False, source=NoteSource.DRILL)]
    right = note(source=NoteSource.DRILL)
    for gap in REPEAT_AFTER_QUESTIONS:
        for number in range(gap):
            assert not Repetition.of(history).due
            other = parse_cards("2c3d"), (DECK[8 + number % 40], *parse_cards("KhQc"))
            history.append(replace(right, hole=other[0], board=other[1]))
        assert [item.note.question for item in Repetition.of(history).due] == [right.question]
        history.append(right)
    assert Repetition.of(history).repeats == ()  # learned


def test_a_question_missed_again_starts_over() -> None:
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


def test_a_question_never_missed_does_not_come_back() -> None:
    assert Repetition.of([note(), note(source=NoteSource.DRILL)]).repeats == ()


@pytest.fixture(scope="module")
def game(strategy: Strategy) -> KnownGame:
    return KnownGame(strategy.solution.payoffs, strategy)


@pytest.mark.parametrize("street", list(Street))
def test_a_new_question_is_close_exact_and_reached_by_good_play(
    game: KnownGame, street: Street
) -> None:
    for seed in range(20):
        question = new_question(game, seed, street)
        assert question is not None
        assert question == new_question(game, seed, street)
        assert margin(question.advice) <= CLOSE_MARGIN
        assert question.advice.street == street
        if question.board:
            assert question.advice == advise(game.payoffs, question.hole, question.board)
            assert game.strategy.pocket(question.hole).best == 0
        if len(question.board) == 5:
            assert game.strategy.on_flop(question.hole, question.board[:3]) == 0


def test_a_new_question_is_of_the_requested_kind(game: KnownGame) -> None:
    for kind in (Kind.ACE, Kind.DRAW, Kind.PAIR):
        question = new_question(game, 7, kind=kind)
        assert question is not None
        assert kind_of(question.hole, question.board) is kind
    assert new_question(game, 7, Street.RIVER, Kind.POCKET_PAIR) is None


@pytest.mark.slow
def test_pocket_chances_match_the_advisor(game: KnownGame) -> None:
    hole = parse_cards("AsKd")
    advice = advise(game.payoffs, hole, seen=())
    chances = pocket_probabilities(hole)
    assert (advice.win, advice.tie, advice.lose) == (chances.win, chances.tie, chances.lose)
    assert advise(game.payoffs, hole, strategy=game.strategy).win == chances.win


@pytest.mark.slow
def test_pocket_chances_match_games_that_pay_for_wins_or_ties_alone() -> None:
    """With a Raise of 1, base 1 for a win gives 3W + T − 1, base 1 for a tie 2W + 2T − 1."""

    def paying(result: int) -> Payoffs:
        showdown = np.zeros((3, 10, 3, 2), np.int64)
        for result_index, raised in ((LOSE, -1), (TIE, 0), (WIN, 1)):
            showdown[:, :, result_index, :] = raised
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
            on_win = wins.starting_hand(number).raises[1]
            on_tie = ties.starting_hand(number).raises[1]
            assert on_win == 3 * chances.win + chances.tie - 1
            assert on_tie == 2 * chances.win + 2 * chances.tie - 1
            assert (chances.win * DEALS_PER_HOLE).denominator == 1
    assert len(seen) == 169


def test_a_summary_is_complete_and_has_no_links() -> None:
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


def test_a_summary_without_decisions_is_valid() -> None:
    assert "No mistakes" in draw_summary(Summary("Nobody", "nothing yet", Tally.of([])))


def test_mistakes_are_sorted_by_what_they_cost_in_antes() -> None:
    """As they are shown: the Ante at which they were made does not matter."""
    costly = (ActionValue("raise", 2, Fraction(0)), ActionValue("check", 0, Fraction(1)))
    small = note(right=False, ante=90_000)
    large = replace(note("AsAd", "", right=False), values=costly, chosen=costly[0])
    assert Tally.of([small, large]).worst(5) == (large, small)


def test_after_a_repeated_question_comes_a_new_one() -> None:
    first, second = (note(text, source=NoteSource.DRILL) for text in ("AsKd", "QsJd"))
    assert not is_repeat([])
    assert not is_repeat([first, second])
    assert is_repeat([first, second, replace(first, at="2026-03-02T20:00:00Z")])
    assert is_repeat([note("QsJd"), second])  # a mistake at the table, asked again
    assert not is_repeat([first, note("AsKd")])  # played at the table meanwhile


def test_only_decisions_within_a_seventh_of_an_ante_are_close() -> None:
    far = (ActionValue("fold", 0, Fraction(-2)), ActionValue("raise", 1, Fraction(1)))
    assert not is_close(replace(note("AsAd", ""), values=far, chosen=far[0]).advice)
    near = (ActionValue("check", 0, Fraction(0)), ActionValue("raise", 1, Fraction(1, 7)))
    assert is_close(replace(note("AsAd", ""), values=near, chosen=near[0]).advice)
