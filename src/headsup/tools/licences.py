"""Prints docs/licences.md: `make licences`. The packages that headsup uses, and their licences."""

import re
from collections.abc import Iterator
from importlib import metadata

EXTRAS = ("server", "reports", "cluster", "gym")
# Packages that name their licence in words of their own, or only among the classifiers.
SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
}
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(\[(?P<extras>[\w, -]+)\])?")
INTRODUCTION = """\
# Licences

*For everyone who installs or passes on headsup. After this page you know what comes with it, and
on which terms.*

headsup itself is under the [MIT licence](../LICENSE). Its wheel contains no code of others. These
packages are installed with it, each from its own authors, in the versions that the tests use.
`base` comes with every installation, the others with an [extra](installing.md#extras).

| Package | Version | Licence | With |
|---|---|---|---|
"""


def _requirements(package: str, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """What an installed package needs here, for these extras of it."""
    for line in metadata.requires(package) or ():
        requirement, _, marker = line.partition(";")
        found = REQUIREMENT.match(requirement)
        extra = re.search(r"extra == ['\"]([\w-]+)", marker)
        if found is None or (extra and extra[1] not in extras):
            continue
        try:
            metadata.distribution(found["name"])
        except metadata.PackageNotFoundError:
            continue  # for other systems or versions of Python
        named = (name.strip() for name in (found["extras"] or "").split(","))
        yield found["name"], frozenset(filter(None, named))


def packages_of(extra: str = "") -> dict[str, str]:
    """[package]: its version, for an installation with this extra."""
    versions: dict[str, str] = {}
    waiting = [("headsup", frozenset({extra} - {""}))]
    seen = set()
    while waiting:
        if (each := waiting.pop()) in seen:
            continue
        seen.add(each)
        found = metadata.distribution(each[0])
        versions[found.metadata["Name"]] = found.version
        waiting += _requirements(*each)
    del versions["headsup"]
    return versions


def licence_of(package: str) -> str:
    about = metadata.metadata(package).json
    classifiers = about.get("classifier", [])
    names = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    licence = about.get("license_expression") or about.get("license") or "".join(names[:1])
    first_line = str(licence).strip().partition("\n")[0]
    return SPDX.get(first_line, first_line)


def licence_page() -> str:
    groups = {"base": packages_of(), **{extra: packages_of(extra) for extra in EXTRAS}}
    versions = {name: version for group in groups.values() for name, version in group.items()}
    rows = []
    for name in sorted(versions, key=str.lower):
        extras = [extra for extra, group in groups.items() if name in group]
        where = "base" if "base" in extras else ", ".join(extras)
        rows.append(f"| {name} | {versions[name]} | {licence_of(name)} | {where} |\n")
    return INTRODUCTION + "".join(rows)


if __name__ == "__main__":
    print(licence_page(), end="")
