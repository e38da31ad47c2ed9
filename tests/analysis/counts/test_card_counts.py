"""Counts of hands that are shipped, made again."""

from headsup.analysis.counts.card_counting import count_hands
from headsup.analysis.counts.card_counts import hand_counts, read_counts, write_counts


def test_the_shipped_counts_are_those_of_the_cards() -> None:
    assert count_hands() == hand_counts()


def test_counts_are_read_as_they_are_written() -> None:
    assert read_counts(write_counts(hand_counts())) == hand_counts()
