"""Written strategies: parsing, exact values, and costs that add up."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from headsup.analysis.kernels.base.arrays import MAX_RAISE
from headsup.analysis.kernels.base.numbering import (
    hole_number,
    multiset5_number,
    pair_number,
    pocket_class,
)
from headsup.analysis.kernels.solve.features import Features, flop_features, river_features
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import canonical_flop
from headsup.analysis.strategies.evaluation import Evaluation, SolvedBaseline, evaluate_against
from headsup.analysis.strategies.examples import shipped_names, shipped_text
from headsup.analysis.strategies.ranges import parse_range, write_range
from headsup.analysis.strategies.simplify import _flop_candidates, _join, simplify
from headsup.analysis.strategies.vocabulary import FLOP, RIVER, SUIT_WORDS, Mask, parse_rule
from headsup.analysis.strategies.written_strategy import (
    WrittenStrategy,
    card_toml,
    parse_strategy,
    situation_cards,
)
from headsup.analysis.workers.executor import KernelPool
from headsup.game.refusal import Code, MistakesRefused, Refused
from headsup.game.values.cards import parse_cards
from tests.oracles import written as oracle
from tests.support.analysis.games import HEADS_UP, payoffs

CHART = "33+, A2+, K4s+, K7o+, Q8s+, QTo+, JTs"
SHORT = """
[pocket]
raise = "TT+, AKs, AQo"
otherwise = "check"
[flop]
raise = ["two pair or better", "hidden pair of kings or better", "four to a flush"]
otherwise = "check"
[river]
raise = ["hidden pair or better"]
otherwise = "fold"
"""


@pytest.fixture(scope="module")
def solved() -> Iterator[SolvedBaseline]:
    with KernelPool(1) as pool:
        yield SolvedBaseline.of(payoffs(HEADS_UP), pool)


def evaluate(solved: SolvedBaseline, written: WrittenStrategy) -> Evaluation:
    with KernelPool(1) as pool:
        return evaluate_against(solved, written, "test", pool)


# Ranges.


def test_the_chart_has_416_hands() -> None:
    classes = parse_range(CHART, "here")
    hands = sum(6 if a == b else 4 if a > b else 12 for a, b in (divmod(c, 13) for c in classes))
    assert hands == 416


def test_ranges_survive_a_round_trip() -> None:
    chance = Random(3)
    for _ in range(200):
        classes = frozenset(chance.sample(range(169), chance.randrange(169)))
        assert parse_range(write_range(classes), "here") == classes
    assert write_range(parse_range(CHART, "here")) == CHART
    assert write_range(range(169)) == "anything"


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("54s-T9s", "T9s, 98s, 87s, 76s, 65s, 54s"),
        ("QJ-T9", "QJ, JT, T9"),
        ("J9o-86o", "J9o, T8o, 97o, 86o"),
        ("A5s-A3s", "A5s, A4s, A3s"),
        ("77-55", "77, 66, 55"),
        ("K9s-K9s", "K9s"),
        ("77-77", "77"),
    ],
)
def test_a_run_shares_a_high_card_or_a_gap(text: str, hands: str) -> None:
    turned = "-".join(reversed(text.split("-")))
    assert parse_range(text, "here") == parse_range(turned, "here") == parse_range(hands, "here")


@pytest.mark.parametrize(
    "text", ["AAs", "A", "1K", "AK-QT", "99-98", "99-54", "KQs-KJo", "22-AK", "AK++", "AKx"]
)
def test_unknown_ranges_are_refused_by_name(text: str) -> None:
    with pytest.raises(Refused, match="is not a range") as refused:
        parse_range(f"22, {text}", "here")
    assert text in str(refused.value)


# Files.


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("two pair or better", "two pears or better"), "'two pears or better' is not a rule"),
        (("four to a flush", "fewer than 9 dealer outs"), "is a rule of the river"),
        (("[river]", "[turn]"), "turn is not a key here"),
        (('otherwise = "fold"', 'otherwise = "check"'), "otherwise must be one of raise"),
        (('otherwise = "fold"', 'otherwise = "fodl"'), "not 'fodl' (did you mean fold?)"),
        (('otherwise = "fold"', ""), "river: no line covers"),
        (
            ('"TT+, AKs, AQo"', '"TT+"\ncheck = ["22, 99-JJ"]'),
            "pocket: two choices apply to TT: raise by 'TT+', and check by '99-JJ'",
        ),
        (
            (
                '["hidden pair or better"]',
                '["four of a kind or better"]\nfold = "full house or better"',
            ),
            "3d3h on 2c2d2h2s3c: raise by 'four of a kind or better', and fold by 'full house or",
        ),
        (('"TT+, AKs, AQo"', "7"), "pocket: raise: must be text"),
        (("[pocket]", "[pocket"), "is not TOML"),
        (("[river]", "[river]\nfolds = []"), "folds is not a key here"),
        (("[pocket]", f"a = {'[' * 5000}{']' * 5000}\n[pocket]"), "TOML is nested too deeply"),
        (("[pocket]", 'name = "\\u001b[31mRED"\n[pocket]'), "name: must be printable text"),
        (("[pocket]", 'about = "\\u202e"\n[pocket]'), "about: must be printable text"),
        (('"TT+, AKs, AQo"', '"TT+,\\u001f AKs"'), "pocket: raise: must be printable text"),
        (('otherwise = "fold"', 'fold = "fewer than ٢١ dealer outs"'), "is not a rule"),
    ],
)
def test_mistakes_are_reported(
    solved: SolvedBaseline, change: tuple[str, str], sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        evaluate(solved, parse_strategy(SHORT.replace(*change), "my.toml"))
    assert sentence in str(refused.value)


def test_a_byte_order_mark_is_ignored() -> None:
    assert parse_strategy("\ufeff" + SHORT, "my.toml") == parse_strategy(SHORT, "my.toml")


def test_a_strategy_without_a_name_takes_its_file_name() -> None:
    assert 'name = "' not in SHORT
    assert parse_strategy(SHORT, "folder/my.toml").name == "my"


def test_all_mistakes_are_reported_together() -> None:
    text = """
    nam = "mine"
    [pocket]
    raise = "TT+, AKx, 1K"
    otherwise = "chek"
    [flop]
    raise = ["two pears or better and hidden pear"]
    """
    with pytest.raises(MistakesRefused) as refused:
        parse_strategy(text, "my.toml")
    starts = (
        "my.toml: nam is not a key here (did you mean name?)",
        "my.toml: pocket: otherwise must be one of raise, raise_least, check, not 'chek' (did you",
        "my.toml: there is no [river]",
        "my.toml: pocket: raise: 'AKx' is not a range",
        "my.toml: pocket: raise: '1K' is not a range",
        "my.toml: flop: raise: 'two pears or better' is not a rule",
        "my.toml: flop: raise: 'hidden pear' is not a rule",
    )
    assert len(refused.value.lines) == len(starts)
    for line, start in zip(refused.value.lines, starts, strict=True):
        assert line.startswith(start)
    with pytest.raises(MistakesRefused) as many:
        parse_strategy(SHORT.replace("TT+", "1K, " * 30), "my.toml")
    assert many.value.code is Code.BAD_STRATEGY
    assert many.value.lines[20:] == ("and 10 more, 30 mistakes in all",)


def test_contradictions_are_reported_together(solved: SolvedBaseline) -> None:
    text = SHORT.replace("raise =", 'check = "22, 77-TT"\nraise =', 1).replace(
        'otherwise = "fold"', 'fold = "hidden pair of aces or better"'
    )
    with pytest.raises(MistakesRefused) as refused:
        evaluate(solved, parse_strategy(text, "my.toml"))
    cases = [(mistake.key, mistake.refusal.case) for mistake in refused.value.mistakes]
    assert cases == [("pocket", "twice"), ("river", "twice"), ("river", "never")]


def test_example_cards_of_a_river_match_its_features() -> None:
    chance = Random(11)
    for features in river_features():
        situations = np.argwhere(features.category >= 0)
        for situation in situations[chance.sample(range(len(situations)), 150)].tolist():
            text = situation_cards("river", tuple(situation), features.category.shape)
            hole, board = (parse_cards(cards) for cards in text.split(" on "))
            assert len({*hole, *board}) == 7
            assert features.category[tuple(situation)] == oracle.category(hole, board)
            assert features.outs[tuple(situation)] == oracle.dealer_outs(hole, board)
            assert features.low[tuple(situation)] == min(card >> 2 for card in hole)
        for situation in situations[chance.sample(range(len(situations)), 20)].tolist():
            text = situation_cards("river", tuple(situation), features.category.shape)
            hole, board = (parse_cards(cards) for cards in text.split(" on "))
            assert features.beaten[tuple(situation)] == oracle.hands_that_beat(hole, board)


def test_a_missing_street_is_reported() -> None:
    with pytest.raises(Refused, match=r"there is no \[river\]"):
        parse_strategy(SHORT.split("[river]")[0], "my.toml")


def test_a_strategy_survives_a_round_trip() -> None:
    for name in shipped_names():
        written = parse_strategy(shipped_text(name), name)
        assert parse_strategy(card_toml(written), name) == written


ODD_TEXT = 'Ann\u2019s \U0001f0cf "joker" \\ \t\n'


def test_a_strategys_name_may_have_any_printable_character() -> None:
    written = replace(parse_strategy(SHORT, "my.toml"), name=ODD_TEXT, about=ODD_TEXT)
    text = card_toml(written)
    assert parse_strategy(text, "my.toml") == written
    assert "\U0001f0cf" in text


# Features, against plain Python.


def test_flop_features() -> None:
    chance, features = Random(5), flop_features()
    for _ in range(300):
        cards = chance.sample(range(52), 5)
        hole, flop = tuple(cards[:2]), tuple(cards[2:])
        number, suits = canonical_flop(flop)
        first, second = (card >> 2 << 2 | suits[card & 3] for card in hole)
        situation = number, hole_number(first, second)
        assert features.category[situation] == oracle.category(hole, flop)
        assert (features.pair[situation] >= 0) == oracle.hidden_pair(hole, flop)
        assert (features.flush_draw[situation] >= 0) == oracle.four_to_a_flush(hole, flop)
        assert features.high[situation] == max(card >> 2 for card in hole)
        assert features.low[situation] == min(card >> 2 for card in hole)
        assert features.suits[situation] == len({card & 3 for card in flop})
        assert (0 <= features.span[situation] <= 4) == oracle.is_connected(flop)


def test_connected_flops_of_all_ranks() -> None:
    """Up to suits: each three different ranks, with an ace low and high."""
    features = flop_features()
    connected = rule("connected flop", FLOP, features)
    for ranks in combinations(range(13), 3):
        flop = tuple(4 * rank for rank in ranks)
        number, suits = canonical_flop(flop)
        hole = hole_number(*(card << 2 | suits[1] for card in (0, 1)))
        assert connected[number, hole] == oracle.is_connected(flop)


def rule(text: str, street: str, features: Features) -> Mask:
    return parse_rule(text, street, "test").applies(features)


def test_words_about_the_flop_divide_all_flops() -> None:
    features = flop_features()
    dealt = features.category >= 0
    suits = [rule(f"flop of {count}", FLOP, features) for count in SUIT_WORDS]
    assert (np.sum(suits, axis=0)[dealt] == 1).all()
    for word in ("paired", "connected"):
        plain, opposite = (rule(f"{start}{word} flop", FLOP, features) for start in ("", "un"))
        assert (plain ^ opposite).all()
        assert plain[dealt].any()
        assert opposite[dealt].any()


def test_the_lower_card_and_the_hands_that_beat_you() -> None:
    for features in river_features():
        dealt = features.category >= 0
        limit = rule("fewer than 600 hands beat you", RIVER, features)
        assert (limit[dealt] == (features.beaten[dealt] < 600)).all()
        lower = rule("lower hidden ten or better", RIVER, features)
        assert (lower == (features.low >= 8)).all()
        assert (features.low <= features.high)[dealt].all()


def test_river_features() -> None:
    chance, (features, _) = Random(7), river_features()
    checked = 0
    while checked < 200:
        cards = chance.sample(range(52), 7)
        hole, board = tuple(cards[:2]), tuple(cards[2:])
        if max(sum(card & 3 == suit for card in board) for suit in range(4)) > 2:
            continue
        checked += 1
        situation = (
            multiset5_number(*sorted(card >> 2 for card in board)),
            pair_number(*sorted(card >> 2 for card in hole)),
        )
        assert features.category[situation] == oracle.category(hole, board)
        assert features.outs[situation] == oracle.dealer_outs(hole, board)


# Values.


@pytest.mark.slow
def test_a_strategy_on_a_short_deck_matches_every_deal_played() -> None:
    ranks = (9, 10, 11, 12)
    with KernelPool(1) as pool:
        short = SolvedBaseline.of(payoffs(HEADS_UP), pool, Deck(ranks))
        evaluation = evaluate_against(short, parse_strategy(SHORT, "short"), "short", pool)
    classes = parse_range("TT+, AKs, AQo", "here")

    def flop(hole: tuple[int, ...], board: tuple[int, ...]) -> bool:
        hole_ranks = {card >> 2 for card in hole}
        has_high_pair = len(hole_ranks) == 1 and max(hole_ranks) >= 11
        has_high_pair |= any(card >> 2 in hole_ranks and card >> 2 >= 11 for card in board)
        has_two_pair = oracle.category(hole, board) >= 2
        return has_two_pair or has_high_pair or oracle.four_to_a_flush(hole, board)

    edge = oracle.played_edge(
        HEADS_UP,
        ranks,
        lambda hole: pocket_class(*hole) in classes,
        flop,
        oracle.hidden_pair_or_better,
    )
    assert evaluation.house_edge == edge
    assert sum(evaluation.streets.values()) == evaluation.cost


def test_costs_by_street_add_up_to_the_total(solved: SolvedBaseline, heads_up: Solution) -> None:
    evaluation = evaluate(solved, parse_strategy(shipped_text("published"), "published"))
    assert evaluation.best_edge == heads_up.house_edge
    assert evaluation.house_edge == evaluation.best_edge + evaluation.cost
    assert sum(evaluation.streets.values()) == evaluation.cost > 0
    assert evaluation.streets["pocket"] == 0  # its chart is the exact one
    costs = [departure.cost for departure in evaluation.departures]
    assert costs == sorted(costs, reverse=True)
    assert f"{100 * float(evaluation.cost):.4f}" == "0.5157"


def test_best_play_costs_nothing(solved: SolvedBaseline, heads_up: Solution) -> None:
    assert heads_up.actions is not None
    joint = solved.counter.count_results(heads_up.actions)
    assert (joint == heads_up.result_counts).all()
    assert solved.best_edge == heads_up.house_edge


FLOP_WAYS = {
    "always raise": (
        'otherwise = "raise"',
        'raise = ["anything"]',
        'raise = "pair or better"\notherwise = "raise"',
        'raise = []\notherwise = "raise"',
    ),
    "always raise the least": (
        'otherwise = "raise_least"',
        'raise_least = ["anything"]',
        'raise_least = ["hidden ten or better"]\notherwise = "raise_least"',
    ),
    "check two pair or better": (
        'check = "two pair or better"\notherwise = "raise"',
        'check = ["two pair or better", "flush or better"]\notherwise = "raise"',
    ),
    "raise two pair or better": (
        'raise = "two pair or better"\notherwise = "check"',
        'raise = ["flush or better", "two pair or better"]\notherwise = "check"',
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("ways", FLOP_WAYS.values(), ids=FLOP_WAYS)
def test_equivalent_strategies_have_equal_values(
    solved: SolvedBaseline, ways: tuple[str, ...]
) -> None:
    values = {
        evaluate(solved, parse_strategy(text, "way")).solution.result_counts.tobytes()
        for way in ways
        for text in [
            f'[pocket]\ncheck = "anything"\n[flop]\n{way}\n'
            '[river]\nraise = "hidden pair or better"\notherwise = "fold"'
        ]
    }
    assert len(values) == 1


def test_always_raising_the_flop_has_a_known_cost(solved: SolvedBaseline) -> None:
    text = '[pocket]\ncheck = "anything"\n[flop]\notherwise = "raise"\n[river]\nfold = "anything"'
    evaluation = evaluate(solved, parse_strategy(text, "always"))
    assert f"{100 * float(evaluation.house_edge):.4f}" == "33.3971"
    assert {(result.street, result.multiple) for result in evaluation.solution.results} == {
        ("flop", 2)
    }


def test_actions_for_cards_that_cannot_be_dealt_are_an_error(solved: SolvedBaseline) -> None:
    actions = solved.best
    flop = actions.flop.copy()
    flop[flop_features().category < 0] = MAX_RAISE
    with pytest.raises(ArithmeticError, match="do not add up"):
        solved.counter.count_results(replace(actions, flop=flop))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "easy", "most"),
    [
        *((5, False, 23_920), (6, False, 19_060), (12, False, 11_190)),
        *((5, True, 26_320), (7, True, 17_250), (12, True, 13_610)),
    ],
)
def test_short_strategies_are_found(
    solved: SolvedBaseline, lines: int, easy: bool, most: int
) -> None:
    """Their cost is below so many ten-millionths of an Ante."""
    with KernelPool(1) as pool:
        found = simplify(solved, lines, pool, easy=easy)
    assert found.size <= lines
    assert any("hands beat you" in line for line in found.streets["river"].lines["raise"]) != easy
    evaluation = evaluate(solved, found)
    assert Fraction() < evaluation.cost < Fraction(most, 10**7)
    assert any(" and " in line for line in found.streets["flop"].lines["raise"])


def test_a_joined_line_covers_what_both_conditions_cover(solved: SolvedBaseline) -> None:
    plain = _flop_candidates(solved)
    joined = _join(plain[:20], plain[-5:])
    by_text = {line.text: line for line in (*plain, *joined)}
    assert len({line.covers.tobytes() for line in joined}) == len(joined)
    for line in joined:
        first, _, second = line.text.rpartition(" and ")
        if first in by_text and second in by_text:
            both = by_text[first].covers & by_text[second].covers
            assert (line.covers == both).all()


def test_impossible_situations_have_no_features() -> None:
    assert int((flop_features().category >= 0).sum()) == 1755 * 1176
    assert np.unique(flop_features().category).tolist() == list(range(-1, 10))
