"""Reads a trainee's answers and grades them item by item.

A wrong amount that follows from a wrong hand counts once: it is what settlement would have paid if
the hands had been those that the trainee named.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from headsup.game.refusal import Refused
from headsup.game.rulebook.outcomes import hand_outcome
from headsup.game.rulebook.wagers import Comparison, Wager
from headsup.game.school.exercise import Exercise, Item, ItemKind, payout_of
from headsup.game.settlement import Line, main_lines, paid_line
from headsup.game.values.amounts import drop_grouping, parse_cents
from headsup.game.values.hands import Category, category_of, hand_name
from headsup.game.values.money import format_cents
from headsup.game.values.str_enum import TextEnum

MAX_ANSWER_CHARACTERS = 60
PASS_PERCENT = 95  # a lesson or an exam needs more than this share of right items

# Short forms that dealers write.
_HANDS = {
    "high": Category.HIGH_CARD,
    "pair": Category.ONE_PAIR,
    "trips": Category.THREE_OF_A_KIND,
    "boat": Category.FULL_HOUSE,
    "full": Category.FULL_HOUSE,
    "quads": Category.FOUR_OF_A_KIND,
    "royal": Category.ROYAL_FLUSH,
    **{category.words: category for category in Category},
}
_ACTIONS = {"p": "pay", "t": "take", "r": "return", "=": "push"}
_PAYOUT = re.compile(r"(pay|take|return|push|p|t|r|=)\s*\$?\s*([\d.,]*)", re.ASCII)
_FATE = re.compile(r"(return|settle|stay|r|s|-)\s*\$?\s*([\d.,]*)", re.ASCII)
_FATES = {"r": "return", "s": "settle", "-": "stay"}
HINTS: Mapping[ItemKind, str] = {
    ItemKind.ORDER: "the seats in order, such as 5 3 1",
    ItemKind.HAND: "the hand, such as full house, trips or pair of aces",
    ItemKind.QUALIFIES: "yes or no",
    ItemKind.PAYOUT: "pay 75, take 10, return 10 or push",
    ItemKind.FATE: "return, settle or stay",
    ItemKind.METER: "how many contributions go back, such as 2 or 0",
}


class Mark(TextEnum):
    RIGHT = "right"
    WRONG = "wrong"
    FOLLOWS = "follows"  # wrong, but right for the hand that was named; it does not count again


@dataclass(frozen=True, slots=True)
class GradedItem:
    item: Item
    answer: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Score:
    right: int
    counted: int

    @property
    def passes(self) -> bool:
        return self.counted > 0 and 100 * self.right > PASS_PERCENT * self.counted

    def __add__(self, other: "Score") -> "Score":
        return Score(self.right + other.right, self.counted + other.counted)


@dataclass(frozen=True, slots=True)
class GradedExercise:
    exercise: Exercise
    items: tuple[GradedItem, ...]

    @property
    def score(self) -> Score:
        marks = [graded.mark for graded in self.items]
        return Score(marks.count(Mark.RIGHT), len(marks) - marks.count(Mark.FOLLOWS))


def read_answer(kind: ItemKind, text: str) -> str | None:
    """The answer in its one spelling, or None if it does not answer such an item."""
    text = " ".join(text.lower().split())
    if not text or len(text) > MAX_ANSWER_CHARACTERS or not text.isascii():
        return None
    match kind:
        case ItemKind.ORDER:
            seats = re.findall(r"\d+", text)
            return " ".join(seats) if re.fullmatch(r"[\d ,-]+", text) and seats else None
        case ItemKind.HAND:
            return text if _named_category(text) is not None else None
        case ItemKind.QUALIFIES:
            return {"yes": "yes", "y": "yes", "no": "no", "n": "no"}.get(text)
        case ItemKind.PAYOUT:
            return _read_action(_PAYOUT, _ACTIONS, text, needs_amount=True)
        case ItemKind.FATE:
            return _read_action(_FATE, _FATES, text, needs_amount=False)
        case ItemKind.METER:
            return str(int(text)) if re.fullmatch(r"\d{1,2}", text) else None
        case _:
            assert_never(kind)


def grade(exercise: Exercise, answers: Mapping[str, str]) -> GradedExercise:
    """Grade answers by the key of their item. A missing answer is wrong."""
    graded = []
    for item in exercise.items:
        answer = read_answer(item.kind, answers.get(item.key, "")) or ""
        mark = Mark.RIGHT if _is_right(item, answer) else Mark.WRONG
        graded.append(GradedItem(item, answer, mark))
    named = {(each.item.kind, each.item.seat): each for each in graded}
    marked = [
        GradedItem(each.item, each.answer, Mark.FOLLOWS)
        if each.mark is Mark.WRONG and _follows(exercise, each, named)
        else each
        for each in graded
    ]
    return GradedExercise(exercise, tuple(marked))


# Reading.


def _read_action(
    pattern: re.Pattern[str], short: Mapping[str, str], text: str, *, needs_amount: bool
) -> str | None:
    match = pattern.fullmatch(text)
    if match is None:
        return None
    action = short.get(match[1], match[1])
    amount = match[2]
    if action in ("push", "stay", "settle"):
        return None if amount else action
    if not amount:
        return None if needs_amount else action
    try:
        cents = parse_cents(drop_grouping(amount), "amount")
    except Refused:
        return None
    return f"{action} {format_cents(cents)}"


def _named_category(text: str) -> Category | None:
    """The category that the words name: `full house, kings full of aces` or `pair of aces`."""
    if text in _HANDS:
        return _HANDS[text]
    if text.endswith((" high", " kicker", " kickers")) and "," not in text:
        return Category.HIGH_CARD if re.fullmatch(r"\w+ high", text) else None
    found = [words for words in _HANDS if re.search(rf"\b{words}\b", text) and words != "high"]
    return _HANDS[max(found, key=len)] if found else None


# Grading.


def _is_right(item: Item, answer: str) -> bool:
    match item.kind:
        case ItemKind.HAND:
            return bool(answer) and _names_hand(answer, item.strength)
        case ItemKind.FATE:
            return answer in (item.right, item.right.partition(" ")[0])
        case ItemKind.ORDER | ItemKind.QUALIFIES | ItemKind.PAYOUT | ItemKind.METER:
            return answer == item.right
        case _:
            assert_never(item.kind)


def _names_hand(answer: str, strength: int) -> bool:
    """The kind of hand is enough. Whoever also says the ranks must say them right."""
    if answer in _HANDS:
        return _HANDS[answer] is category_of(strength)
    name = hand_name(strength)
    return name == answer or name.startswith(f"{answer},")


def _follows(
    exercise: Exercise,
    graded: GradedItem,
    named: Mapping[tuple[ItemKind, int | None], GradedItem],
) -> bool:
    """Whether a wrong answer is right for the hands that the trainee named."""
    item = graded.item
    own, dealer = named.get((ItemKind.HAND, item.seat)), named.get((ItemKind.HAND, None))
    qualifies = named.get((ItemKind.QUALIFIES, None))
    if item.kind is ItemKind.QUALIFIES:
        return dealer is not None and dealer.mark is Mark.WRONG and bool(graded.answer)
    if item.kind is not ItemKind.PAYOUT or own is None or dealer is None:
        return False
    others = (own, dealer, *([qualifies] if qualifies is not None else []))
    if all(each.mark is Mark.RIGHT for each in others) or item.seat is None:
        return False
    lines = _lines_as_named(exercise, item.seat, own, dealer, qualifies)
    return any(line.wager is item.wager and payout_of(line) == graded.answer for line in lines)


def _lines_as_named(
    exercise: Exercise,
    seat: int,
    own: GradedItem,
    dealer: GradedItem,
    qualifies: GradedItem | None,
) -> tuple[Line, ...]:
    """The lines of the seat if its hand and the dealer's were those named."""
    rules = exercise.rules
    (play,) = (play for play in exercise.round.seat_plays({}) if play.seat == seat)
    mine, theirs = (
        category_of(each.item.strength)
        if each.mark is Mark.RIGHT
        else _named_category(each.answer) or Category.HIGH_CARD
        for each in (own, dealer)
    )
    real, other = own.item.strength, dealer.item.strength
    difference = (mine > theirs) - (mine < theirs) or (real > other) - (real < other)
    comparison = tuple(Comparison)[difference + 1]
    qualified = qualifies is None or qualifies.answer == "yes"
    lines = main_lines(rules, play.stakes[Wager.ANTE], play.multiple, mine, comparison, qualified)
    outcome = hand_outcome(mine)
    for wager in (Wager.TRIPS_PLUS, Wager.PROGRESSIVE):
        if wager in play.stakes:
            lines = (*lines, paid_line(rules, wager, play.stakes[wager], outcome))
    return lines
