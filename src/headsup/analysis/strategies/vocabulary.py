"""The closed vocabulary of flop and river rules, and what each asks of a situation.

A rule is conditions joined by `and`; a street's rules are alternatives. What a condition asks is a
number of the situation (`Features`), so that whole streets are decided by comparing arrays.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.solve.features import Features
from headsup.game.refusal import Code, Refused
from headsup.game.values.hands import Category

RANK_WORDS = (
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "jack", "queen", "king", "ace",
)  # fmt: skip
PLURALS = tuple(f"{word}es" if word == "six" else f"{word}s" for word in RANK_WORDS)
CATEGORY_WORDS = {
    "pair": Category.ONE_PAIR,
    "two pair": Category.TWO_PAIR,
    "three of a kind": Category.THREE_OF_A_KIND,
    "straight": Category.STRAIGHT,
    "flush": Category.FLUSH,
    "full house": Category.FULL_HOUSE,
    "four of a kind": Category.FOUR_OF_A_KIND,
}
POCKET, FLOP, RIVER = "pocket", "flop", "river"

Mask = NDArray[np.bool_]
FeatureTest = Callable[[Features], Any]


@dataclass(frozen=True)
class RuleForm:
    """One form of words: `pattern` reads it, `make` says what it asks; on some streets only."""

    form: str  # as documented
    pattern: str
    make: Callable[..., FeatureTest]
    streets: tuple[str, ...] = (FLOP, RIVER)


def _category(word: str) -> FeatureTest:
    least = CATEGORY_WORDS[word]
    return lambda of: of.category >= least


def _hidden_category(word: str) -> FeatureTest:
    least = CATEGORY_WORDS[word]
    if least is Category.ONE_PAIR:
        return lambda of: (of.category > of.board) & (of.category >= least) | (of.pair >= 0)
    return lambda of: (of.category > of.board) & (of.category >= least)


def _hidden_pair(word: str | None) -> FeatureTest:
    least = 0 if word is None else PLURALS.index(word)
    return lambda of: of.pair >= least


def _four_to_flush(word: str | None) -> FeatureTest:
    least = 0 if word is None else RANK_WORDS.index(word)
    return lambda of: of.flush_draw >= least


def _hidden_card(word: str) -> FeatureTest:
    least = RANK_WORDS.index(word)
    return lambda of: of.high >= least


def _dealer_outs(number: str) -> FeatureTest:
    fewer = int(number)
    return lambda of: of.outs < fewer


_RANK, _MANY = "|".join(RANK_WORDS), "|".join(PLURALS)
_HAND = "|".join(CATEGORY_WORDS)
RULE_FORMS = (
    RuleForm("HAND or better", rf"(?:a )?({_HAND}) or better", _category),
    RuleForm("hidden HAND or better", rf"(?:a )?hidden ({_HAND}) or better", _hidden_category),
    RuleForm(
        "hidden pair [of RANKS or better]",
        rf"(?:a )?hidden pair(?: of ({_MANY}) or better)?",
        _hidden_pair,
    ),
    RuleForm(
        "four to a flush [with a hidden RANK or better]",
        rf"four to a flush(?: with an? hidden ({_RANK}) or better)?",
        _four_to_flush,
        (FLOP,),
    ),
    RuleForm(
        "open-ended straight draw",
        "(?:an )?open-ended straight draw",
        lambda: lambda of: of.straight_draw >= 2,
        (FLOP,),
    ),
    RuleForm("hidden RANK or better", rf"(?:a )?hidden ({_RANK}) or better", _hidden_card),
    RuleForm(
        "fewer than N dealer outs",
        r"fewer than ([0-9]{1,2}) dealer outs(?: beat you)?",
        _dealer_outs,
        (RIVER,),
    ),
    RuleForm("anything", "anything", lambda: lambda of: of.high >= 0),
)


@dataclass(frozen=True)
class Rule:
    """One line of a strategy."""

    text: str
    tests: tuple[FeatureTest, ...]

    def applies(self, features: Features) -> Mask:
        first, *others = self.tests
        found: Mask = first(features)
        for test in others:
            found &= test(features)
        return found


def parse_rule(text: str, street: str, where: str) -> Rule:
    return Rule(text, tuple(_parse(part.strip(), street, where) for part in text.split(" and ")))


def _parse(text: str, street: str, where: str) -> FeatureTest:
    for condition in RULE_FORMS:
        if match := re.fullmatch(condition.pattern, text):
            if street not in condition.streets:
                other = condition.streets[0]
                raise Refused(
                    Code.BAD_STRATEGY, "street", where=where, text=text[:60], street=other
                )
            return condition.make(*match.groups())
    forms = [condition.form for condition in RULE_FORMS if street in condition.streets]
    raise Refused(Code.BAD_STRATEGY, "rule", where=where, text=text[:60], forms=forms)
