"""The shipped counts of hands match a new count."""

from headsup.analysis.counts.hand_counting import count_hands
from headsup.analysis.counts.hand_counts import hand_counts, read_counts, write_counts


def test_shipped_counts_match_a_new_count() -> None:
    assert count_hands() == hand_counts()


def test_counts_survive_a_round_trip() -> None:
    assert read_counts(write_counts(hand_counts())) == hand_counts()
