"""What the clauses of a settlement say, with this table's names of the wagers."""

from collections.abc import Iterator
from dataclasses import dataclass

from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager


@dataclass(frozen=True, slots=True)
class PostedText:
    """Text on the felt, the display or a page, with its clause."""

    text: str
    clause: str


# By the key in a rule book's [clauses]. The book says which clause it is.
_TEXTS = {
    "fold": "A hand that folds loses its {ante} and {odds}.",
    "forfeit": "A hand that folds also loses its side bets, except those that stay in play.",
    "not_qualified": "If the dealer does not qualify, the {ante} is returned.",
    "ante_win": "A hand that beats the dealer’s wins even money on the {ante}.",
    "ante_lose": "A better dealer’s hand takes the {ante}.",
    "ante_tie": "If the hands are equal, the {ante} is returned.",
    "raise_win": "A hand that beats the dealer’s wins even money on the {raise}.",
    "raise_lose": "A better dealer’s hand takes the {raise}.",
    "tie": "If the hands are equal, {raise} and {odds} are returned.",
    "odds_win": "A winning hand is paid by the {odds} paytable.",
    "odds_push": "A winning hand below that paytable gets its {odds} back.",
    "odds_lose": "A losing hand below the Bad Beat paytable loses its {odds}.",
    "bad_beat": "A losing hand is paid by the Bad Beat paytable.",
}
_SIDE_TEXTS = {
    Wager.TRIPS_PLUS: "{wager} pays by your own hand, whatever the dealer has.",
    Wager.POCKET_BONUS: "{wager} pays by your two hole cards.",
    Wager.ALL_6: "{wager} pays by your two cards and the four that are dealt for it.",
    Wager.PROGRESSIVE: "{wager} pays by your own hand, the highest ones from the meter.",
}
_AFTER_FOLD = {
    "stays": "{wager} stays in play after a fold.",
    "forfeits": "{wager} is lost with a folded hand.",
}


def clause_texts(rules: TableRules, offered: tuple[Wager, ...]) -> tuple[PostedText, ...]:
    """What each clause says. One clause may say several things."""
    texts: dict[str, list[str]] = {}
    for clause, text in _sentences(rules, offered):
        sentences = texts.setdefault(clause, [])
        if text not in sentences:
            sentences.append(text)
    return tuple(PostedText(" ".join(said), clause) for clause, said in texts.items())


def _sentences(rules: TableRules, offered: tuple[Wager, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of a clause and a sentence."""
    book = rules.book
    main = {wager.value: book.label(wager) for wager in (Wager.ANTE, Wager.ODDS, Wager.RAISE)}
    for key, text in _TEXTS.items():
        if clause := book.clauses.get(key):
            yield clause, text.format(**main)
    for wager in SIDE_WAGERS:
        if wager not in offered:
            continue
        label = book.label(wager)
        yield book.clauses[wager], _SIDE_TEXTS[wager].format(wager=label)
        if option := book.options.get(f"{wager.value}_after_fold"):
            yield option.clause, _AFTER_FOLD[str(option.value)].format(wager=label)
