"""Programs that some tests need and Python's packages do not bring: Chromium and PostgreSQL."""

import os
from typing import NoReturn

import pytest


def missing(program: str, otherwise: str = "") -> NoReturn:
    """Skip and say so plainly; in continuous integration nothing is skipped, so it fails there."""
    sentence = f"{program} is not installed; `make test` installs it where it may{otherwise}"
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)
