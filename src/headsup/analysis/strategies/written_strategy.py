"""A strategy as a person writes it, read from TOML, and the decision it makes everywhere."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import PurePath
from typing import Any

import numpy as np

from headsup.analysis.kernels.base.arrays import MAX_RAISE, MIN_RAISE, PASSIVE
from headsup.analysis.kernels.solve.features import Features, flop_features, river_features
from headsup.analysis.solver.actions import Actions, PocketValues, RiverActions, StrategyActions
from headsup.analysis.strategies.positions import situation_cards
from headsup.analysis.strategies.ranges import POCKET_CLASSES, parse_range
from headsup.analysis.strategies.vocabulary import FLOP, RIVER, Mask, Rule, parse_rule
from headsup.analysis.strategies.vocabulary import POCKET as POCKET
from headsup.game.refusal import Code, Mistake, MistakesRefused, Refusal, Refused, closest_name
from headsup.game.values.safe_parse import parse_toml

PASSIVE_ACTIONS = {POCKET: "check", FLOP: "check", RIVER: "fold"}  # the other choice of each street
RAISE, RAISE_LEAST = "raise", "raise_least"
BYTE_ORDER_MARK = "\ufeff"  # some editors begin a file with it
STRATEGY_KEYS = {"name", "about", POCKET, FLOP, RIVER}

Lines = tuple[str, ...]
MaskOf = Callable[[str], Mask]  # where one line applies


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
    """Everything wrong with the words is told at once."""
    try:
        read = parse_toml(text.removeprefix(BYTE_ORDER_MARK))
    except Refused as refused:
        raise Refused.of(refused.refusal.within(where)) from None
    wrong = _Mistakes(where)
    _check_keys(read, sorted(STRATEGY_KEYS), "", wrong)
    streets = {street: _street(read, street, wrong) for street in PASSIVE_ACTIONS}
    name = _words(read, "name", wrong) or PurePath(where).stem
    written = WrittenStrategy(name, _words(read, "about", wrong), streets)
    _check_words(written, wrong)
    wrong.refuse()
    return written


@dataclass(frozen=True)
class _Mistakes:
    """The mistakes of one file as they are found; reading goes on behind each."""

    file: str
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, place: str, case: str, /, **data: object) -> None:
        why = Refusal(Code.BAD_STRATEGY, case, data=data)
        self.mistakes.append(Mistake(place, why, self.file))

    def told(self, key: str, case: str, *choices: str) -> bool:
        """Rivers are decided twice, without and with a flush in reach, and err alike."""
        return any(
            (one.key, one.refusal.case) == (key, case)
            and choices
            == tuple(one.refusal.data[name] for name in ("first", "second")[: len(choices)])
            for one in self.mistakes
        )

    def refuse(self) -> None:
        if self.mistakes:
            raise MistakesRefused(self.mistakes, Code.BAD_STRATEGY)


def _check_keys(read: Mapping[str, Any], known: list[str], place: str, wrong: _Mistakes) -> None:
    for key in read:
        if key not in known:
            wrong.add(place, "key", key=key[:40], keys=known, meant=closest_name(key, known))


def _words(read: Mapping[str, Any], key: str, wrong: _Mistakes) -> str:
    value = read.get(key, "")
    if not isinstance(value, str):
        wrong.add(key, "text")
    elif not _is_printable(value):
        wrong.add(key, "printable")
    else:
        return value
    return ""


def _is_printable(text: str) -> bool:
    """It is shown on screens and cards; no text may steer those. It may have several lines."""
    return text.replace("\n", " ").replace("\t", " ").isprintable()


def _street(read: Mapping[str, Any], street: str, wrong: _Mistakes) -> StreetRules:
    table = read.get(street)
    if not isinstance(table, dict):
        wrong.add("", "no_street", street=street)
        return StreetRules({}, None)
    choices = (RAISE, RAISE_LEAST, PASSIVE_ACTIONS[street])
    _check_keys(table, [*choices, "otherwise"], street, wrong)
    otherwise = table.get("otherwise")
    if otherwise is not None and otherwise not in choices:
        near = closest_name(otherwise, choices)
        wrong.add(street, "otherwise", choices=list(choices), found=otherwise, meant=near)
    lines = {key: _lines(table[key], f"{street}: {key}", wrong) for key in choices if key in table}
    return StreetRules(lines, otherwise)


def _lines(value: object, place: str, wrong: _Mistakes) -> Lines:
    lines = [value] if isinstance(value, str) else value
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        wrong.add(place, "text")
    elif not all(map(_is_printable, lines)):
        wrong.add(place, "printable")
    else:
        return tuple(lines)
    return ()


def _check_words(written: WrittenStrategy, wrong: _Mistakes) -> None:
    """Every word is read before anything is decided."""
    for street, rules in written.streets.items():
        for choice, lines in rules.lines.items():
            for line in lines:
                for part in line.split("," if street == POCKET else " and "):
                    try:
                        _read(street, part)
                    except Refused as refused:
                        why = refused.refusal
                        wrong.add(f"{street}: {choice}", why.case, **why.data)


def _read(street: str, line: str) -> Rule | frozenset[int]:
    return parse_range(line, "") if street == POCKET else parse_rule(line, street, "")


# Decisions.


def strategy_actions(written: WrittenStrategy, where: str, values: PocketValues) -> StrategyActions:
    """What the strategy does everywhere; refused where it says nothing, or two things at once.

    `values` are the game's own, and only their actions are replaced.
    """
    wrong = _Mistakes(where)
    pocket = _decide(written, POCKET, _pocket_mask, np.ones(POCKET_CLASSES, bool), wrong)
    flop = _decide_street(written, FLOP, flop_features(), wrong)
    rivers = [_decide_street(written, RIVER, features, wrong) for features in river_features()]
    wrong.refuse()
    return StrategyActions(replace(values, actions=pocket.tolist()), flop, RiverActions(*rivers))


def _decide_street(
    written: WrittenStrategy, street: str, features: Features, wrong: _Mistakes
) -> Actions:
    def mask(line: str) -> Mask:
        return parse_rule(line, street, "").applies(features)

    return _decide(written, street, mask, features.category >= 0, wrong)


def _pocket_mask(text: str) -> Mask:
    found = np.zeros(POCKET_CLASSES, np.bool_)
    found[[*parse_range(text, POCKET)]] = True
    return found


def _decide(
    written: WrittenStrategy, street: str, mask: MaskOf, dealt: Mask, wrong: _Mistakes
) -> Actions:
    rules = written.streets[street]
    codes = {RAISE: MAX_RAISE, RAISE_LEAST: MIN_RAISE, PASSIVE_ACTIONS[street]: PASSIVE}
    action = np.full(dealt.shape, codes[rules.otherwise] if rules.otherwise else PASSIVE, np.uint8)
    claimed: dict[str, Mask] = {}
    for choice, lines in rules.lines.items():
        claimed[choice] = np.zeros(dealt.shape, np.bool_)
        for part in _parts(street, lines):
            claimed[choice] |= mask(part)
        action[claimed[choice]] = codes[choice]
    for first, second in combinations(claimed, 2):
        twice = claimed[first] & claimed[second] & dealt
        if twice.any() and not wrong.told(street, "twice", first, second):
            at = _first(twice)
            one, other = (
                next(part for part in _parts(street, rules.lines[choice]) if mask(part)[at])
                for choice in (first, second)
            )
            wrong.add(
                *(street, "twice"), at=situation_cards(street, at, dealt.shape), first=first,
                one=one[:60], second=second, other=other[:60],
            )  # fmt: skip
    if rules.otherwise is None:
        never = dealt & ~np.logical_or.reduce([np.zeros(dealt.shape, np.bool_), *claimed.values()])
        if never.any() and not wrong.told(street, "never"):
            wrong.add(street, "never", at=situation_cards(street, _first(never), dealt.shape))
    return action


def _parts(street: str, lines: Lines) -> Lines:
    """What applies or not by itself: a rule, or one of the ranges of a line."""
    if street != POCKET:
        return lines
    return tuple(part.strip() for line in lines for part in line.split(",") if part.strip())


def _first(mask: Mask) -> tuple[int, ...]:
    return tuple(int(place) for place in np.unravel_index(mask.argmax(), mask.shape))
