"""Values made once: found again by identity, and never more of them than are asked for."""

from headsup.game.values.identity_cache import IdentityCache


def test_the_same_value_is_made_once_and_an_equal_one_again() -> None:
    made: list[tuple[int, ...]] = []

    def total(value: tuple[int, ...]) -> int:
        made.append(value)
        return sum(value)

    remembered = IdentityCache(total)
    one, other = (tuple(range(1, 3)) for _ in "ab")
    assert [remembered(one), remembered(one), remembered(other)] == [3, 3, 3]
    assert len(made) == 2


def test_what_is_asked_for_now_and_then_is_kept_and_what_is_not_is_forgotten() -> None:
    made: list[int] = []
    values = [(number,) for number in range(7)]

    def first(value: tuple[int]) -> int:
        made.append(value[0])
        return value[0]

    remembered = IdentityCache(first, most=2)
    for value in values[1:]:
        remembered(values[0])
        remembered(value)
    assert made == list(range(7))
    remembered(values[1])
    assert made == [*range(7), 1]
