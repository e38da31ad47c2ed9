"""Fills the data of what happened into the sentences of one language.

A sentence's key is the event's name, followed by its cases: `Checked/late/you`. Its fields in
braces are data of the announcement and nothing else, so a sentence cannot say what the viewer may
not know. What follows a colon says how a value is written:

- `cards`: cards in words; screens that draw cards get them as they are
- `$`, `+$`, `u$`: cents, cents with a sign, millionths of a dollar
- `hand`, `with_hand`: a made hand by its strength; the second with its preposition, if there is one
- `choices`, `stakes`, `counts`, `holdings`: lists of data
- `who`: a player by name or seat, without being asked for in a field of that name
- any other word: a group of labels, such as `cause` for the label `cause/foul_deck`
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, NamedTuple, TypeAlias

from headsup.game.values.cards import Cards
from headsup.game.values.money import show_dollars, show_micro_dollars

# Text, with cards among it where a sentence shows some.
Part: TypeAlias = str | Cards


class Words(NamedTuple):
    """What is to be said: the key of a sentence, and the data that it may say."""

    key: str
    data: Mapping[str, Any]


# A player by name; a seat by its number where nobody is named.
Who: TypeAlias = str | int


class Choice(NamedTuple):
    """What a seat did on a street, for a sentence that names several seats."""

    who: Who
    action: str
    label: str  # the Raise's name at this table
    multiple: int


class Stake(NamedTuple):
    label: str
    amount: int
    by_coupon: bool


class Count(NamedTuple):
    label: str
    number: int


class Holding(NamedTuple):
    who: Who
    cards: Cards


@dataclass(frozen=True, slots=True)
class Hands:
    """How a language names cards and hands."""

    card: Callable[[int], str]
    hand: Callable[[int], str]  # by its strength
    with_hand: Callable[[int], str]  # " with a pair of nines, ace kicker"
    named: Callable[[str, int], str]  # a hand that the dealer has named, by name and strength


_Writer: TypeAlias = Callable[[Mapping[str, Any]], Part]


@dataclass(frozen=True, eq=False)
class Catalogue:
    """The sentences and labels of one language."""

    language: str
    sentences: Mapping[str, str]
    labels: Mapping[str, str]
    hands: Hands
    _compiled: dict[str, tuple[_Writer, ...]] = field(default_factory=dict)

    def say(self, words: Words) -> str:
        """The sentence, with cards in words."""
        return "".join(
            [part if isinstance(part, str) else self.card_names(part) for part in self.parts(words)]
        )

    def parts(self, words: Words) -> tuple[Part, ...]:
        """The sentence in parts, for screens that draw its cards."""
        writers = self._compiled.get(words.key)
        if writers is None:
            writers = self._compiled[words.key] = self._compile(self.sentences[words.key])
        data = words.data
        return tuple([write(data) for write in writers])

    def label(self, group: str, key: object) -> str:
        """A label, such as `phase` and `betting`."""
        return self.labels[f"{group}/{key}"]

    def fill_label(self, key: str, **data: Any) -> str:
        """A label with fields, filled with its data."""
        return "".join(str(write(data)) for write in self._compile(self.labels[key]))

    def card_names(self, cards: Sequence[int]) -> str:
        """`ace of spades, king of diamonds`"""
        return ", ".join(map(self.hands.card, cards))

    def _compile(self, template: str) -> tuple[_Writer, ...]:
        writers: list[_Writer] = []
        for literal, name, spec, _ in Formatter().parse(template):
            if literal:
                writers.append(lambda _, literal=literal: literal)  # type: ignore[misc]
            if name is not None:
                write = self._field_writer(spec or ("who" if name == "who" else ""))
                writers.append(lambda data, name=name, write=write: write(data[name]))  # type: ignore[misc]
        return tuple(writers)

    def _field_writer(self, spec: str) -> Callable[[Any], Part]:
        writers: Mapping[str, Callable[[Any], Part]] = {
            "": str,
            "who": self._show_who,
            "cards": tuple,
            "$": show_dollars,
            "+$": show_signed_dollars,
            "u$": show_micro_dollars,
            "hand": self.hands.hand,
            "with_hand": lambda strength: self.hands.with_hand(strength) if strength else "",
            "choices": self._show_choices,
            "stakes": self._show_stakes,
            "counts": self._show_counts,
            "holdings": self._show_holdings,
        }
        return writers.get(spec) or (lambda value: self.label(spec, value))

    def _show_who(self, who: Who) -> str:
        return self.fill_label("seat", seat=who) if isinstance(who, int) else who

    def _show_choices(self, choices: Sequence[Choice]) -> str:
        if not choices:
            return ""
        return (
            ", ".join(
                self.fill_label(f"choice/{choice.action}", **choice._asdict()) for choice in choices
            )
            + ". "
        )

    def _show_stakes(self, stakes: Sequence[Stake]) -> str:
        return ", ".join(
            f"{stake.label} {show_dollars(stake.amount)}{self.label('by_coupon', stake.by_coupon)}"
            for stake in stakes
        )

    def _show_counts(self, counts: Sequence[Count]) -> str:
        counted = [f"{one.number} {one.label}" for one in counts if one.number]
        return ", ".join(counted) or self.labels["no_wagers"]

    def _show_holdings(self, holdings: Sequence[Holding]) -> str:
        return "; ".join(
            self.fill_label("holds", who=one.who, cards=self.card_names(one.cards))
            for one in holdings
        )


def show_signed_dollars(cents: int) -> str:
    """What was won or lost: `+$5.00`, `−$5.00`, `$0.00`."""
    if cents == 0:
        return show_dollars(0)
    return f"{'+' if cents > 0 else '−'}{show_dollars(abs(cents))}"
