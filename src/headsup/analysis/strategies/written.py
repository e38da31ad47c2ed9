"""A strategy as a person writes it, read from TOML, and the decision it makes everywhere."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.actions import Actions, BestActions, PocketValues, RiverActions
from headsup.analysis.kernels.arrays import LEAST, MOST, PASSIVE
from headsup.analysis.kernels.features import Features, flop_features, river_features
from headsup.analysis.kernels.lattice import lattice
from headsup.analysis.solution import class_name
from headsup.analysis.strategies.ranges import CLASSES, parse_range
from headsup.analysis.strategies.wording import FLOP, RIVER, Rule, parse_rule
from headsup.game.cards import RANKS as RANK_NAMES
from headsup.game.cards import card_name
from headsup.game.refusal import Code, Refused

POCKET = "pocket"
PASSES = {POCKET: "check", FLOP: "check", RIVER: "fold"}  # the other choice of each street
RAISE, RAISE_LEAST = "raise", "raise_least"
NAMES = {"name", "about", POCKET, FLOP, RIVER}

Lines = tuple[str, ...]


@dataclass(frozen=True)
class StreetRules:
    """What a strategy says of one street; each choice by its lines, the rest by `otherwise`."""

    lines: Mapping[str, Lines]  # by choice: raise, raise_least, check or fold
    otherwise: str | None


@dataclass(frozen=True)
class WrittenStrategy:
    name: str
    about: str
    streets: Mapping[str, StreetRules]

    @property
    def size(self) -> int:
        """Lines in all, a range being one."""
        return sum(len(lines) for rules in self.streets.values() for lines in rules.lines.values())


def parse_strategy(text: str, where: str) -> WrittenStrategy:
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(Code.BAD_TOML, "strategy", where=where, reason=str(error)) from None
    for key in read:
        if key not in NAMES:
            raise Refused(Code.BAD_STRATEGY, "key", where=where, key=key[:40], keys=sorted(NAMES))
    streets = {street: _street(read, street, where) for street in PASSES}
    written = WrittenStrategy(_words(read, "name", where), _words(read, "about", where), streets)
    _check_words(written, where)
    return written


def _words(read: Mapping[str, Any], key: str, where: str) -> str:
    value = read.get(key, "")
    if not isinstance(value, str):
        raise Refused(Code.BAD_STRATEGY, "text", where=f"{where}: {key}")
    return value


def _street(read: Mapping[str, Any], street: str, where: str) -> StreetRules:
    place = f"{where}: {street}"
    table = read.get(street)
    if not isinstance(table, dict):
        raise Refused(Code.BAD_STRATEGY, "no_street", where=where, street=street)
    choices = (RAISE, RAISE_LEAST, PASSES[street])
    for key in table:
        if key not in (*choices, "otherwise"):
            keys = [*choices, "otherwise"]
            raise Refused(Code.BAD_STRATEGY, "key", where=place, key=key[:40], keys=keys)
    otherwise = table.get("otherwise")
    if otherwise is not None and otherwise not in choices:
        raise Refused(Code.BAD_STRATEGY, "otherwise", where=place, choices=list(choices))
    lines = {key: _lines(table[key], f"{place}: {key}") for key in choices if key in table}
    return StreetRules(lines, otherwise)


def _lines(value: object, where: str) -> Lines:
    lines = [value] if isinstance(value, str) else value
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise Refused(Code.BAD_STRATEGY, "text", where=where)
    return tuple(lines)


def _check_words(written: WrittenStrategy, where: str) -> None:
    """Every word is read before anything is decided."""
    for street, rules in written.streets.items():
        for choice, lines in rules.lines.items():
            for line in lines:
                _read(street, line, f"{where}: {street}: {choice}")


def _read(street: str, line: str, where: str) -> Rule | frozenset[int]:
    return parse_range(line, where) if street == POCKET else parse_rule(line, street, where)


# Decisions.


def written_actions(written: WrittenStrategy, where: str, values: PocketValues) -> BestActions:
    """What the strategy does everywhere; refused where it says nothing, or two things at once.

    `values` are the game's own, and only their actions are replaced.
    """
    pocket = _decide(written.streets[POCKET], _pocket_masks, np.ones(CLASSES, bool), POCKET, where)
    flop = flop_features()
    ranks, suited = river_features()
    return BestActions(
        replace(values, actions=pocket.tolist()),
        _on_street(written, FLOP, flop, where),
        RiverActions(
            _on_street(written, RIVER, ranks, where), _on_street(written, RIVER, suited, where)
        ),
    )


def _on_street(written: WrittenStrategy, street: str, features: Features, where: str) -> Actions:
    def masks(lines: Lines) -> NDArray[np.bool_]:
        found = np.zeros(features.category.shape, np.bool_)
        for line in lines:
            found |= parse_rule(line, street, where).applies(features)
        return found

    return _decide(written.streets[street], masks, features.category >= 0, street, where)


def _pocket_masks(lines: Lines) -> NDArray[np.bool_]:
    found = np.zeros(CLASSES, np.bool_)
    for line in lines:
        found[[*parse_range(line, POCKET)]] = True
    return found


def _decide(
    rules: StreetRules, masks: Any, dealt: NDArray[np.bool_], street: str, where: str
) -> Actions:
    codes = {RAISE: MOST, RAISE_LEAST: LEAST, PASSES[street]: PASSIVE}
    action = np.full(dealt.shape, codes[rules.otherwise] if rules.otherwise else PASSIVE, np.uint8)
    decided = np.zeros(dealt.shape, np.bool_)
    for choice, lines in rules.lines.items():
        mask = masks(lines)
        if len(rules.lines) > 1 and (twice := decided & mask & dealt).any():
            raise Refused(
                Code.BAD_STRATEGY, "twice", where=f"{where}: {street}", at=_example(street, twice)
            )
        decided |= mask
        action[mask] = codes[choice]
    if rules.otherwise is None and (never := dealt & ~decided).any():
        raise Refused(
            Code.BAD_STRATEGY, "never", where=f"{where}: {street}", at=_example(street, never)
        )
    return action


def _example(street: str, mask: NDArray[np.bool_]) -> str:
    """The cards of one situation, for a person."""
    at = np.argwhere(mask)[0].tolist()
    known = lattice()
    if street == POCKET:
        return class_name(at[0])
    if street == FLOP:
        hole, flop = known.holes.cards[at[1]].tolist(), known.flops.cards[at[0]].tolist()
        return f"{_cards(hole)} on {_cards(flop)}"
    suited = mask.shape[1] != len(known.types.ranks)
    board = known.suited_boards.ranks[at[0]] if suited else at[0]
    kinds = known.types.kinds[at[1]] if suited else known.types.ranks[at[1]]
    hole_ranks = "".join(RANK_NAMES[int(kind) % len(RANK_NAMES)] for kind in kinds)
    return f"{hole_ranks} on {''.join(RANK_NAMES[r] for r in known.rank_boards.ranks[board])}"


def _cards(cards: list[int]) -> str:
    return "".join(card_name(card) for card in cards)
