"""The English catalogue, and how it names cards and hands."""

from headsup.game.values.hands import Category, category_of, hand_name
from headsup.game.words.catalogue import Catalogue, Hands
from headsup.game.words.english.events import EVENTS
from headsup.game.words.english.labels import LABELS

_RANKS = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
_SUITS = ("clubs", "diamonds", "hearts", "spades")
# Other names, such as "ace high" and "two pair", have no article.
_WITH_ARTICLE = {
    Category.ONE_PAIR,
    Category.STRAIGHT,
    Category.FULL_HOUSE,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
}


def _card(card: int) -> str:
    return f"{_RANKS[card >> 2]} of {_SUITS[card & 3]}"


def _with_hand(strength: int) -> str:
    """`" with a pair of nines, ace kicker"`"""
    name, category = hand_name(strength), category_of(strength)
    if category is Category.FLUSH:
        return f" with {'an' if name[0] in 'ae' else 'a'} {name}"
    return f" with {'a ' if category in _WITH_ARTICLE else ''}{name}"


ENGLISH = Catalogue("en", EVENTS, LABELS, Hands(_card, hand_name, _with_hand, lambda name, _: name))
