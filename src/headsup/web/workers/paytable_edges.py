"""House edges for the set-up form: what each paytable would be worth to the house."""

from typing import NamedTuple

from headsup.analysis.exact_numbers import percent
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solver import solve_many
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import RulesChoice, TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.frozen_json import FrozenJson

MAIN_GAME_KEY = "main"
MAIN_PAYTABLES = ("odds", "bad_beat")  # the paytables that the main game depends on
# Options that do not affect the main game, and so do not change its edge.
SIDE_ONLY_OPTIONS = frozenset(
    {
        *("limits", "meter_seed", "meter_contribution", "meter_max", "reseed_floor"),
        *("progressive_stake", "progressive_basis", "progressive_after_fold"),
        *("percentage_awards", "jackpot_regime"),
    }
)


class PaytableEdge(NamedTuple):
    """The edge of the table with this paytable; None if cells are open."""

    key: str
    id: str
    edge: str | None


def side_edges(choice: RulesChoice) -> list[PaytableEdge]:
    """The edge of every side paytable; a progressive has one only with a meter seed."""
    printed = table_rules(choice.rules)
    seeded = "meter_seed" in choice.options or printed.meter_seed
    return [
        PaytableEdge(
            wager.value,
            id,
            None if wager is Wager.PROGRESSIVE and not seeded else _side_edge(choice, wager, id),
        )
        for wager in SIDE_WAGERS
        for id in printed.book.paytables.get(wager.value, ())
    ]


def _side_edge(choice: RulesChoice, wager: Wager, id: str) -> str | None:
    rules = _rules_with(choice, wager.value, id)
    if rules is None:
        return None
    return percent(side_sheet(rules, wager, rules.meter_seed).house_edge)


def main_edges(choice: RulesChoice) -> list[PaytableEdge]:
    """The edge of the main game with every paytable; None for choices that are incomplete."""
    book = table_rules(choice.rules).book
    variants = [(key, id) for key in MAIN_PAYTABLES for id in book.paytables.get(key, ())]
    variants.append((MAIN_GAME_KEY, ""))
    payoffs = {variant: _payoffs_with(choice, *variant) for variant in variants}
    games = {game.key: game for game in payoffs.values() if game is not None}
    solutions = dict(zip(games, solve_many([*games.values()]), strict=True))
    return [
        PaytableEdge(*variant, None if game is None else percent(solutions[game.key].house_edge))
        for variant, game in payoffs.items()
    ]


def _payoffs_with(choice: RulesChoice, key: str, id: str) -> Payoffs | None:
    """None if the rules are incomplete, or beyond the solver."""
    rules = _rules_with(choice, key, id)
    try:
        return None if rules is None else compile_payoffs(rules)
    except Refused:
        return None


def _rules_with(choice: RulesChoice, key: str, id: str) -> TableRules | None:
    paytables = dict(choice.paytables) | ({} if key == MAIN_GAME_KEY else {key: id})
    try:
        return table_rules(choice.rules, paytables, choice.options)
    except Refused:
        return None


def main_game_choice(choice: RulesChoice) -> RulesChoice:
    """The part of the choice that the main game depends on, so that changes of side wagers cost
    nothing."""
    options = {
        key: value
        for key, value in choice.options.to_dict().items()
        if key not in SIDE_ONLY_OPTIONS
    }
    if isinstance(cells := options.get("bonus"), dict):
        options["bonus"] = {key: cells[key] for key in MAIN_PAYTABLES if key in cells}
    paytables = tuple((key, id) for key, id in choice.paytables if key in MAIN_PAYTABLES)
    return RulesChoice(choice.rules, paytables, FrozenJson(options))
