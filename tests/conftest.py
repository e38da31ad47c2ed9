"""How all tests run: property tests without a stopwatch, the same examples every time in CI and few
of them in the quick check; the long tests first; one PostgreSQL server for whoever asks."""

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.postgres import Server, running_server

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("quick", settings.get_profile("here"), max_examples=25)


def pytest_configure(config: pytest.Config) -> None:
    quick = "not slow" in config.getoption("markexpr")
    settings.load_profile("ci" if os.environ.get("CI") else "quick" if quick else "here")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """At the end only short tests are left to share, so that no core waits for another."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """What was collected stays to the end: the search for garbage need not walk it each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with running_server() as server:
        yield server
