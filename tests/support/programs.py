"""Skips tests that need a missing program, such as Chromium or PostgreSQL."""

import os
from typing import NoReturn

import pytest


def skip_without(program: str, note: str = "") -> NoReturn:
    """Skip the test; in continuous integration, fail instead."""
    sentence = f"{program} is not installed; `make test` installs it if it can{note}"
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)
