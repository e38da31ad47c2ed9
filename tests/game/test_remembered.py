"""Values made once: found again by identity, and never more of them than are asked for."""

from headsup.game.remembered import Remembered


def test_the_same_value_is_made_once_and_an_equal_one_again() -> None:
    made: list[tuple[int, ...]] = []

    def total(value: tuple[int, ...]) -> int:
        made.append(value)
        return sum(value)

    remembered = Remembered(total)
    one, other = (tuple(range(1, 3)) for _ in "ab")
    assert [remembered(one), remembered(one), remembered(other)] == [3, 3, 3]
    assert len(made) == 2


def test_the_longest_known_is_forgotten_first() -> None:
    made: list[int] = []
    values = [(number,) for number in range(4)]

    def first(value: tuple[int]) -> int:
        made.append(value[0])
        return value[0]

    remembered = Remembered(first, most=3)
    for value in (*values, values[1], values[0]):
        remembered(value)
    assert made == [0, 1, 2, 3, 0]
