"""Reads a strategy that a person wrote in TOML, and works out its decision in every situation."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import PurePath
from typing import Any

import numpy as np

from headsup.analysis.kernels.base.arrays import MAX_RAISE, MIN_RAISE, PASSIVE
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.solve.features import Features, flop_features, river_features
from headsup.analysis.solver.actions import Actions, PocketValues, RiverActions, StrategyActions
from headsup.analysis.solver.solution import pocket_class_name
from headsup.analysis.strategies.ranges import POCKET_CLASSES, parse_range
from headsup.analysis.strategies.vocabulary import FLOP, RIVER, Mask, Rule, parse_rule
from headsup.analysis.strategies.vocabulary import POCKET as POCKET
from headsup.game.refusal import Code, Mistake, MistakesRefused, Refusal, Refused, closest_name
from headsup.game.values.cards import card_name
from headsup.game.values.safe_parse import parse_toml, quote_toml

PASSIVE_ACTIONS = {POCKET: "check", FLOP: "check", RIVER: "fold"}  # what not raising is called
RAISE, RAISE_LEAST = "raise", "raise_least"
BYTE_ORDER_MARK = "\ufeff"  # some editors put it at the start of a file
STRATEGY_KEYS = {"name", "about", POCKET, FLOP, RIVER}
SUITS = 4
FLUSH_SUIT = SUITS - 1

Lines = tuple[str, ...]
MaskOf = Callable[[str], Mask]  # the situations where a line applies


@dataclass(frozen=True)
class StreetRules:
    """The lines of one street by choice. All other situations are decided by `otherwise`."""

    lines: Mapping[str, Lines]  # by choice: raise, raise_least, check or fold
    otherwise: str | None


@dataclass(frozen=True)
class WrittenStrategy:
    name: str
    about: str
    streets: Mapping[str, StreetRules]

    @property
    def size(self) -> int:
        """The number of lines. A pocket range counts as one."""
        return sum(len(lines) for rules in self.streets.values() for lines in rules.lines.values())


def parse_strategy(text: str, where: str) -> WrittenStrategy:
    """Parse a strategy file. All mistakes in it are reported together."""
    try:
        raw = parse_toml(text.removeprefix(BYTE_ORDER_MARK))
    except Refused as refused:
        raise Refused.of(refused.refusal.within(where)) from None
    mistakes = _Mistakes(where)
    _check_keys(raw, sorted(STRATEGY_KEYS), "", mistakes)
    streets = {street: _street(raw, street, mistakes) for street in PASSIVE_ACTIONS}
    name = _text_value(raw, "name", mistakes) or PurePath(where).stem
    written = WrittenStrategy(name, _text_value(raw, "about", mistakes), streets)
    _check_lines(written, mistakes)
    mistakes.refuse()
    return written


@dataclass(frozen=True)
class _Mistakes:
    """Collects the mistakes of one file, so that reading can go on after each."""

    file: str
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, place: str, case: str, /, **data: object) -> None:
        refusal = Refusal(Code.BAD_STRATEGY, case, data=data)
        self.mistakes.append(Mistake(place, refusal, self.file))

    def has(self, key: str, case: str, *choices: str) -> bool:
        """Whether this mistake is listed already.

        River rules are checked twice, without and with a possible flush, and may fail both times.
        """
        return any(
            (mistake.key, mistake.refusal.case) == (key, case)
            and choices
            == tuple(mistake.refusal.data[name] for name in ("first", "second")[: len(choices)])
            for mistake in self.mistakes
        )

    def refuse(self) -> None:
        if self.mistakes:
            raise MistakesRefused(self.mistakes, Code.BAD_STRATEGY)


def _check_keys(raw: Mapping[str, Any], known: list[str], place: str, mistakes: _Mistakes) -> None:
    for key in raw:
        if key not in known:
            mistakes.add(place, "key", key=key[:40], keys=known, meant=closest_name(key, known))


def _text_value(raw: Mapping[str, Any], key: str, mistakes: _Mistakes) -> str:
    value = raw.get(key, "")
    if not isinstance(value, str):
        mistakes.add(key, "text")
    elif not _is_printable(value):
        mistakes.add(key, "printable")
    else:
        return value
    return ""


def _is_printable(text: str) -> bool:
    """Whether a text has no control characters but line breaks and tabs."""
    return text.replace("\n", " ").replace("\t", " ").isprintable()


def _street(raw: Mapping[str, Any], street: str, mistakes: _Mistakes) -> StreetRules:
    table = raw.get(street)
    if not isinstance(table, dict):
        mistakes.add("", "no_street", street=street)
        return StreetRules({}, None)
    choices = (RAISE, RAISE_LEAST, PASSIVE_ACTIONS[street])
    _check_keys(table, [*choices, "otherwise"], street, mistakes)
    otherwise = table.get("otherwise")
    if otherwise is not None and otherwise not in choices:
        near = closest_name(otherwise, choices)
        mistakes.add(street, "otherwise", choices=list(choices), found=otherwise, meant=near)
    lines = {
        key: _lines(table[key], f"{street}: {key}", mistakes) for key in choices if key in table
    }
    return StreetRules(lines, otherwise)


def _lines(value: object, place: str, mistakes: _Mistakes) -> Lines:
    lines = [value] if isinstance(value, str) else value
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        mistakes.add(place, "text")
    elif not all(map(_is_printable, lines)):
        mistakes.add(place, "printable")
    else:
        return tuple(lines)
    return ()


def _check_lines(written: WrittenStrategy, mistakes: _Mistakes) -> None:
    """Parse every line now, so that mistakes in them are reported with the others."""
    for street, rules in written.streets.items():
        for choice, lines in rules.lines.items():
            for line in lines:
                for part in line.split("," if street == POCKET else " and "):
                    try:
                        _read(street, part)
                    except Refused as refused:
                        refusal = refused.refusal
                        mistakes.add(f"{street}: {choice}", refusal.case, **refusal.data)


def _read(street: str, line: str) -> Rule | frozenset[int]:
    return parse_range(line, "") if street == POCKET else parse_rule(line, street, "")


def card_toml(written: WrittenStrategy) -> str:
    """The strategy as TOML that `parse_strategy` reads."""
    text = [f"name = {quote_toml(written.name)}", f"about = {quote_toml(written.about)}"]
    for street, rules in written.streets.items():
        text += ["", f"[{street}]"]
        for choice, lines in rules.lines.items():
            text.append(f"{choice} = [{', '.join(map(quote_toml, lines))}]")
        if rules.otherwise is not None:
            text.append(f'otherwise = "{rules.otherwise}"')
    return "\n".join(text) + "\n"


# Decisions.


def strategy_actions(written: WrittenStrategy, where: str, values: PocketValues) -> StrategyActions:
    """The strategy's decision in every situation.

    Situations without a decision, or with two different ones, are refused. `values` are the solved
    game's; only their actions are replaced.
    """
    mistakes = _Mistakes(where)
    pocket = _decide(written, POCKET, _pocket_mask, np.ones(POCKET_CLASSES, bool), mistakes)
    flop = _decide_street(written, FLOP, flop_features(), mistakes)
    rivers = [_decide_street(written, RIVER, features, mistakes) for features in river_features()]
    mistakes.refuse()
    return StrategyActions(replace(values, actions=pocket.tolist()), flop, RiverActions(*rivers))


def _decide_street(
    written: WrittenStrategy, street: str, features: Features, mistakes: _Mistakes
) -> Actions:
    def mask(line: str) -> Mask:
        return parse_rule(line, street, "").applies(features)

    return _decide(written, street, mask, features.category >= 0, mistakes)


def _pocket_mask(text: str) -> Mask:
    mask = np.zeros(POCKET_CLASSES, np.bool_)
    mask[[*parse_range(text, POCKET)]] = True
    return mask


def _decide(
    written: WrittenStrategy, street: str, mask: MaskOf, dealt: Mask, mistakes: _Mistakes
) -> Actions:
    rules = written.streets[street]
    codes = {RAISE: MAX_RAISE, RAISE_LEAST: MIN_RAISE, PASSIVE_ACTIONS[street]: PASSIVE}
    action = np.full(dealt.shape, codes[rules.otherwise] if rules.otherwise else PASSIVE, np.uint8)
    masks: dict[str, Mask] = {}
    for choice, lines in rules.lines.items():
        masks[choice] = np.zeros(dealt.shape, np.bool_)
        for part in _parts(street, lines):
            masks[choice] |= mask(part)
        action[masks[choice]] = codes[choice]
    # Hole cards that are on the board cannot be dealt. The counts expect them to be passive.
    action[~dealt] = PASSIVE
    for first, second in combinations(masks, 2):
        decided_twice = masks[first] & masks[second] & dealt
        if decided_twice.any() and not mistakes.has(street, "twice", first, second):
            situation = _first(decided_twice)
            first_line, second_line = (
                next(part for part in _parts(street, rules.lines[choice]) if mask(part)[situation])
                for choice in (first, second)
            )
            mistakes.add(
                *(street, "twice"), at=situation_cards(street, situation, dealt.shape), first=first,
                one=first_line[:60], second=second, other=second_line[:60],
            )  # fmt: skip
    if rules.otherwise is None:
        undecided = dealt & ~np.logical_or.reduce(
            [np.zeros(dealt.shape, np.bool_), *masks.values()]
        )
        if undecided.any() and not mistakes.has(street, "never"):
            mistakes.add(
                street, "never", at=situation_cards(street, _first(undecided), dealt.shape)
            )
    return action


def _parts(street: str, lines: Lines) -> Lines:
    """The parts that apply separately: rules, or the single ranges of a pocket line."""
    if street != POCKET:
        return lines
    return tuple(part.strip() for line in lines for part in line.split(",") if part.strip())


def _first(mask: Mask) -> tuple[int, ...]:
    return tuple(int(index) for index in np.unravel_index(mask.argmax(), mask.shape))


def situation_cards(street: str, situation: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """A situation as text: a pocket class, or the cards of one example deal."""
    if street == POCKET:
        return pocket_class_name(situation[0])
    tables, (board, hole) = board_tables(), situation
    if street == FLOP:
        return _format_cards(tables.holes.cards[hole].tolist(), tables.flops.cards[board].tolist())
    if shape[1] != len(tables.types.ranks):  # a flush is possible
        ranks = tables.rank_boards.ranks[tables.suited_boards.ranks[board]].tolist()
        suited = int(tables.suited_boards.suited[board])
        kinds = [RANKS + rank for rank in range(RANKS) if suited >> rank & 1]
        for kind in kinds:
            ranks.remove(kind - RANKS)
        return _river([*kinds, *ranks], tables.types.kinds[hole].tolist(), SUITS - 1)
    return _river(
        tables.rank_boards.ranks[board].tolist(), tables.types.ranks[hole].tolist(), SUITS
    )


def _river(board: Iterable[int], hole: Iterable[int], off_suits: int) -> str:
    """An example deal for these kinds of cards; kinds from 13 up are of the flush suit.

    Other cards are spread over the suits, so that no other flush is close.
    """
    dealt: list[int] = []
    for kind in (*board, *hole):
        if kind >= RANKS:
            dealt.append((kind - RANKS) * SUITS + FLUSH_SUIT)
            continue
        cards = [kind * SUITS + suit for suit in range(off_suits)]
        free = [card for card in cards if card not in dealt]
        dealt.append(
            min(free, key=lambda card: sum(other % SUITS == card % SUITS for other in dealt))
        )
    return _format_cards(dealt[5:], sorted(dealt[:5]))


def _format_cards(hole: Iterable[int], board: Iterable[int]) -> str:
    first, second = ("".join(map(card_name, cards)) for cards in (hole, board))
    return f"{first} on {second}"
