"""Running kernel calls on threads: all of them, or after a failure none that had not started."""

from threading import Event, Timer

import pytest

from headsup.analysis.workers.executor import AccumulatorPool, KernelPool, split_range


@pytest.mark.parametrize(("last", "parts"), [(10, 3), (2, 5), (7, 7), (1, 1)])
def test_split_covers_a_range_exactly_once(last: int, parts: int) -> None:
    ranges = split_range(0, last, parts)
    assert [i for first, end in ranges for i in range(first, end)] == list(range(last))
    assert len(ranges) <= parts


def test_all_calls_are_made() -> None:
    done: list[int] = []
    with KernelPool(20) as crew:
        crew.run((lambda i=i: done.append(i)) for i in range(20))  # type: ignore[misc]
    assert sorted(done) == list(range(20))


def test_a_failure_cancels_waiting_calls() -> None:
    """All threads are blocked until well after the failure, so the last call cannot start."""
    begun: list[str] = []
    seen = Event()

    def fail() -> None:
        raise ZeroDivisionError

    with KernelPool(3) as crew:
        held = [seen.wait] * crew.size
        Timer(0.3, seen.set).start()  # the pool waits for what has begun
        with pytest.raises(ZeroDivisionError):
            crew.run([fail, *held, lambda: begun.append("last")])
    assert not begun


def test_an_accumulator_is_lent_to_one_thread_at_a_time() -> None:
    sums: AccumulatorPool[list[int]] = AccumulatorPool(list)
    with sums.borrow() as mine, sums.borrow() as other:
        assert mine is not other
    with sums.borrow() as again:
        again.append(1)
    assert sorted(sums.collect()) == [[], [1]]


def test_unused_accumulators_are_empty() -> None:
    assert AccumulatorPool(list[int]).collect() == [[]]
