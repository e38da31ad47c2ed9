"""One way of running property tests: no stopwatch, the same examples every time in CI, and few of
them in the quick check."""

import os

import pytest
from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("quick", settings.get_profile("here"), max_examples=25)


def pytest_configure(config: pytest.Config) -> None:
    quick = config.getoption("markexpr") == "not slow"
    settings.load_profile("ci" if os.environ.get("CI") else "quick" if quick else "here")
