"""The words that flop and river rules may use, and the test behind each.

A rule is one or more conditions joined by `and`; the rules of a street are alternatives. Each
condition compares a number of the situation (`Features`), so whole streets are decided by comparing
arrays.
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
SUIT_WORDS = ("one suit", "two suits", "three suits")
STRAIGHT_SPAN = 4  # from the lowest to the highest rank of a straight
POCKET, FLOP, RIVER = "pocket", "flop", "river"

Mask = NDArray[np.bool_]
FeatureTest = Callable[[Features], Any]


@dataclass(frozen=True)
class RuleForm:
    """One kind of condition: `pattern` matches its words and `make` builds its test."""

    form: str  # as documented and shown in error messages
    pattern: str
    make: Callable[..., FeatureTest]
    streets: tuple[str, ...] = (FLOP, RIVER)


def _category(word: str) -> FeatureTest:
    minimum = CATEGORY_WORDS[word]
    return lambda situation: situation.category >= minimum


def _hidden_category(word: str) -> FeatureTest:
    minimum = CATEGORY_WORDS[word]
    if minimum is Category.ONE_PAIR:
        return lambda situation: (
            (situation.category > situation.board) & (situation.category >= minimum)
            | (situation.pair >= 0)
        )
    return lambda situation: (
        (situation.category > situation.board) & (situation.category >= minimum)
    )


def _hidden_pair(word: str | None) -> FeatureTest:
    minimum = 0 if word is None else PLURALS.index(word)
    return lambda situation: situation.pair >= minimum


def _four_to_flush(word: str | None) -> FeatureTest:
    minimum = 0 if word is None else RANK_WORDS.index(word)
    return lambda situation: situation.flush_draw >= minimum


def _hidden_card(word: str) -> FeatureTest:
    minimum = RANK_WORDS.index(word)
    return lambda situation: situation.high >= minimum


def _dealer_outs(number: str) -> FeatureTest:
    limit = int(number)
    return lambda situation: situation.outs < limit


def _lower_card(word: str) -> FeatureTest:
    minimum = RANK_WORDS.index(word)
    return lambda situation: situation.low >= minimum


def _suits(word: str) -> FeatureTest:
    number = SUIT_WORDS.index(word) + 1
    return lambda situation: situation.suits == number


def _paired(word: str | None) -> FeatureTest:
    is_paired = word is None
    return lambda situation: (situation.board >= Category.ONE_PAIR) == is_paired


def _connected(word: str | None) -> FeatureTest:
    is_connected = word is None
    return lambda situation: (
        ((situation.span >= 0) & (situation.span <= STRAIGHT_SPAN)) == is_connected
    )


def _hands_that_beat(number: str) -> FeatureTest:
    limit = int(number)
    return lambda situation: situation.beaten < limit


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
        lambda: lambda situation: situation.straight_draw >= 2,
        (FLOP,),
    ),
    RuleForm("hidden RANK or better", rf"(?:a )?hidden ({_RANK}) or better", _hidden_card),
    RuleForm(
        "lower hidden RANK or better", rf"(?:a )?lower hidden ({_RANK}) or better", _lower_card
    ),
    RuleForm("flop of SUITS", rf"(?:a )?flop of ({'|'.join(SUIT_WORDS)})", _suits, (FLOP,)),
    RuleForm("[un]paired flop", r"(?:an? )?(un)?paired flop", _paired, (FLOP,)),
    RuleForm("[un]connected flop", r"(?:an? )?(un)?connected flop", _connected, (FLOP,)),
    RuleForm(
        "fewer than N hands beat you",
        r"fewer than ([0-9]{1,3}) hands beat you",
        _hands_that_beat,
        (RIVER,),
    ),
    RuleForm(
        "fewer than N dealer outs",
        r"fewer than ([0-9]{1,2}) dealer outs(?: beat you)?",
        _dealer_outs,
        (RIVER,),
    ),
    RuleForm("anything", "anything", lambda: lambda situation: situation.high >= 0),
)


@dataclass(frozen=True)
class Rule:
    """One line of a strategy."""

    text: str
    tests: tuple[FeatureTest, ...]

    def applies(self, features: Features) -> Mask:
        first, *others = self.tests
        mask: Mask = first(features)
        for test in others:
            mask &= test(features)
        return mask


def parse_rule(text: str, street: str, where: str) -> Rule:
    return Rule(text, tuple(_parse(part.strip(), street, where) for part in text.split(" and ")))


def _parse(text: str, street: str, where: str) -> FeatureTest:
    for rule_form in RULE_FORMS:
        if match := re.fullmatch(rule_form.pattern, text):
            if street not in rule_form.streets:
                other = rule_form.streets[0]
                raise Refused(
                    Code.BAD_STRATEGY, "street", where=where, text=text[:60], street=other
                )
            return rule_form.make(*match.groups())
    forms = [rule_form.form for rule_form in RULE_FORMS if street in rule_form.streets]
    raise Refused(Code.BAD_STRATEGY, "rule", where=where, text=text[:60], forms=forms)
