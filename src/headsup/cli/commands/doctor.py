"""`headsup doctor`: checks the installation and the house."""

import json
from collections.abc import Iterator

import click

from headsup.cli.doctor.checks import Finding, State
from headsup.cli.options.common import json_option
from headsup.cli.options.databases import database_option
from headsup.cli.shell.command import Command, option

MARKS = {State.GOOD: "ok", State.NOTE: "note", State.WRONG: "WRONG"}


@click.command(cls=Command)
@database_option
@option("--public", metavar="URL", default="", help="Also ask the server at this address.")
@json_option
def doctor(database: str, public: str, as_json: bool) -> None:
    """Check that everything is in order: packages, compiled code, cache, disk, clock and database.

    Each finding that is not good comes with its remedy. Exit status 1 if anything is wrong.
    """
    findings = list(_findings(database, public))
    wrong = [finding for finding in findings if finding.state is State.WRONG]
    if as_json:
        rows = [
            {
                "what": each.what,
                "state": each.state.value,
                "text": each.text,
                "remedy": each.remedy,
            }
            for each in findings
        ]
        print(json.dumps({"well": not wrong, "findings": rows}))
    else:
        _print_findings(findings)
        print("All is well." if not wrong else f"Wrong: {', '.join(each.what for each in wrong)}.")
    if wrong:
        raise SystemExit(1)


def _findings(database: str, public: str) -> Iterator[Finding]:
    from headsup.cli.doctor import checks
    from headsup.cli.doctor.house_checks import check_database, check_proxy

    for check in (
        checks.check_python,
        checks.check_packages,
        checks.check_code,
        checks.check_cache,
        checks.check_disk,
        checks.check_clock,
    ):
        yield from check()
    yield from check_database(database)
    if public:
        yield from check_proxy(public)


def _print_findings(findings: list[Finding]) -> None:
    width = max(len(each.what) for each in findings)
    for each in findings:
        print(f"{MARKS[each.state]:5}  {each.what:{width}}  {each.text}")
        if each.remedy:
            print(f"{'':5}  {'':{width}}  Remedy: {each.remedy}")
