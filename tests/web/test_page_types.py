"""Checks the JSDoc types of the page modules with the TypeScript compiler, if node is installed.

Nothing else needs node, and nothing is installed for good: npx fetches the compiler into its own
cache. If it cannot, the test is skipped and says so.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILER = "typescript@5.9.3"
NPX = ("--yes", "--fetch-retries=0", "--fetch-timeout=20000", "--package", COMPILER, "tsc")
SECONDS = 300  # usually six; more on a busy machine


def compiler(*arguments: str) -> "subprocess.CompletedProcess[str]":
    npx = shutil.which("npx")
    if npx is None or shutil.which("node") is None:
        pytest.skip("the types of the page's modules are NOT checked: there is no node here")
    return subprocess.run(
        [npx, *NPX, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.slow(seconds=8)
def test_the_types_of_the_page_modules_are_right() -> None:
    try:
        there = compiler("--version")
    except subprocess.TimeoutExpired:
        pytest.skip(f"the types of the page's modules are NOT checked: no answer for {COMPILER}")
    if there.returncode or "Version" not in there.stdout:
        said = [line for line in there.stderr.splitlines() if "error" in line]
        why = (said or ["npx says nothing"])[0]
        pytest.skip(f"the types of the page's modules are NOT checked: no {COMPILER} here ({why})")
    checked = compiler("--project", "jsconfig.json")
    assert checked.returncode == 0, checked.stdout
