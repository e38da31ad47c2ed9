"""The short card: a decision for every hand, and its exact cost."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from headsup.analysis.actions import BestActions
from headsup.analysis.chunks import Crew
from headsup.analysis.deck import Deck
from headsup.analysis.distribution import Distributor
from headsup.analysis.kernels.numbering import RANKS
from headsup.analysis.lessoncount import count_lessons
from headsup.analysis.lessons import SHORT_CARD, Lessons, lessons
from headsup.analysis.shortcard import CALLS, card_actions, card_cost, raises_pocket
from headsup.analysis.showdowns import Showdowns
from headsup.analysis.solution import Solution, class_name
from headsup.analysis.strategy import Strategy
from headsup.game.cards import parse_cards
from headsup.game.wagers import Street

COST = Fraction(1205453848, 144863593875)  # of an Ante: docs/strategy.md prints it


def test_the_cards_pocket_rule_is_the_chart(heads_up: Solution) -> None:
    for number in range(RANKS * RANKS):
        name = class_name(number)
        assert raises_pocket(number) == bool(heads_up.pocket[name].best), name


@pytest.fixture(scope="module")
def actions(heads_up: Solution) -> BestActions:
    with Crew(CALLS, None) as crew:
        showdowns = Showdowns.count(Deck(), heads_up.payoffs.qualifier, crew)
        return card_actions(heads_up.payoffs, showdowns)


@pytest.mark.parametrize(
    ("hole", "flop", "raises"),
    [
        ("9h4c", "9c7d2s", True),  # a pair with the own nine
        ("9h4c", "7c7d2s", False),  # the pair is the board's
        ("2h2d", "9c7d3s", False),  # two deuces alone
        ("2h2d", "9c7d2s", True),
        ("Th4h", "9h7h2s", True),  # four to a flush, with a ten
        ("8h4h", "9h7h2s", False),
        ("QsJd", "Tc9d2h", False),  # eight cards make a straight: not enough
    ],
)
def test_the_flop_rule_as_it_is_written(
    actions: BestActions, heads_up: Solution, hole: str, flop: str, raises: bool
) -> None:
    sections = {}
    for name, rows in (
        ("flop", actions.flop),
        ("river_ranks", actions.river.ranks),
        ("river_suited", actions.river.suited),
    ):
        flat = rows.ravel() & 3
        flat = np.concatenate([flat, np.zeros(-len(flat) % 4, np.uint8)]).reshape(-1, 4)
        packed = flat[:, 0] | flat[:, 1] << 2 | flat[:, 2] << 4 | flat[:, 3] << 6
        sections[name] = packed.astype(np.uint8)
    card = Strategy(heads_up, sections)
    assert bool(card.on_flop(parse_cards(hole), parse_cards(flop))) is raises


@pytest.mark.slow
def test_its_cost_is_exact(heads_up: Solution) -> None:
    found = card_cost(heads_up)
    assert found.cost == COST
    assert found.house_edge == heads_up.house_edge + COST


@pytest.mark.slow
def test_best_play_itself_costs_nothing_by_the_same_evaluation(heads_up: Solution) -> None:
    assert heads_up.actions is not None
    with Crew(CALLS, None) as crew:
        showdowns = Showdowns.count(Deck(), heads_up.payoffs.qualifier, crew)
        joint = Distributor(Deck(), showdowns, crew).distribute(heads_up.actions)
    assert Solution(heads_up.payoffs, Deck(), heads_up.pocket_values, joint).house_edge == (
        heads_up.house_edge
    )


@pytest.mark.slow
def test_lessons_are_of_every_hand_once_and_are_kept(
    strategy: Strategy, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSUP_CACHE_DIR", str(folder))
    found = lessons(strategy.solution.payoffs, lambda _: count_lessons(strategy))

    def again(_: object) -> Lessons:
        raise AssertionError("they are kept")

    assert lessons(strategy.solution.payoffs, again) == found
    for kinds in (found.flop, found.river):
        assert sum(kind.frequency for kind in kinds) == 1
        assert all(0 <= kind.raised <= 1 for kind in kinds)
    assert found.card.cost == COST
    assert found.flop[0].raised > Fraction(9, 10)


def test_the_card_has_a_rule_for_each_street() -> None:
    assert list(SHORT_CARD) == list(Street)
