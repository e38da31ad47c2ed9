"""The identity cache makes each value once and does not grow without bound."""

from headsup.game.values.identity_cache import IdentityCache


def test_a_value_is_computed_once_per_object_not_per_equality() -> None:
    made: list[tuple[int, ...]] = []

    def total(value: tuple[int, ...]) -> int:
        made.append(value)
        return sum(value)

    remembered = IdentityCache(total)
    value, equal = (tuple(range(1, 3)) for _ in "ab")
    assert [remembered(value), remembered(value), remembered(equal)] == [3, 3, 3]
    assert len(made) == 2


def test_recently_used_values_stay_and_others_are_dropped() -> None:
    made: list[int] = []
    values = [(number,) for number in range(7)]

    def first(value: tuple[int]) -> int:
        made.append(value[0])
        return value[0]

    remembered = IdentityCache(first, max_entries=2)
    for value in values[1:]:
        remembered(values[0])
        remembered(value)
    assert made == list(range(7))
    remembered(values[1])
    assert made == [*range(7), 1]
