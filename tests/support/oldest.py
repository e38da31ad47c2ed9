"""Prints the oldest versions that pyproject.toml allows, as constraints for pip.

`make oldest` installs them in an environment of its own and runs the fast tests. Tools of the `dev`
extra keep the versions of constraints.txt: their lower bounds are those.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = ("dev", "bench")
BOUND = re.compile(r"([\w.-]+)(\[[\w,]+\])?>=([\w.]+)(,<[\w.]+)?")


def requirements() -> Iterator[tuple[str, str, str]]:
    """Each bounded requirement as its extra ("" for none), name and oldest version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra, lines in groups.items():
        for line in lines:
            if line.startswith("headsup["):
                continue
            bound = BOUND.fullmatch(line)
            if bound is None:
                raise ValueError(f"{line} has no lower bound")
            yield extra, bound[1].lower(), bound[3]


def pinned() -> dict[str, str]:
    """The versions in constraints.txt, by name."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = (line.partition("==") for line in lines if "==" in line and not line.startswith("#"))
    return {name.strip().lower().replace("_", "-"): version.strip() for name, _, version in pins}


def oldest() -> Iterator[str]:
    versions = pinned()
    for extra, name, version in requirements():
        yield f"{name}=={versions[name] if extra in TOOLS else version}"


if __name__ == "__main__":
    print("\n".join(oldest()))
