"""Options that many commands share: workers, rules, paytables and JSON output."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from headsup.cli.shell.command import option
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.analysis.workers.executor import Executor
    from headsup.game.rulebook.table_rules import TableRules


threads_option = option("--threads", metavar="N", help="Threads to use; default: all cores.")
workers_option = option("--workers", metavar="N", help="Local worker processes, run by Dask.")
scheduler_option = option(
    "--scheduler", metavar="ADDRESS", help="Dask scheduler, such as host:8786."
)


@contextmanager
def open_executor(
    threads: str | None, workers: str | None, scheduler: str | None
) -> "Iterator[Executor]":
    """Threads, local processes or a Dask cluster. Results do not depend on the choice."""
    if workers is None and scheduler is None and threads is None:
        from headsup.analysis.workers.executor import Threads

        yield Threads()
        return
    from headsup.analysis.workers.executor import open_workers  # may load Dask

    with open_workers(threads, workers, scheduler, prefix="--") as executor:
        yield executor


# Rules, paytables and output.

rules_option = option(
    "--rules",
    metavar="ID|FILE",
    default="galaxy",
    help="A rule book's id, or your own .toml file.",
)
sets_option = option(
    "--set",
    "sets",
    metavar="KEY=VALUE",
    multiple=True,
    help="A paytable or option, e.g. trips_plus=3, limits.ante.max=500. Repeatable.",
)
json_option = option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def parse_sets(sets: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split `--set` pairs into (paytables, options). Dots make nested keys."""
    from headsup.game.rulebook.model import PAYTABLE_KEYS

    paytables: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for text in sets:
        key, equals, value = text.partition("=")
        key, value = key.strip(), value.strip()
        if not equals or not key or not value:
            raise Refused(Code.BAD_SET, text=text[:60])
        if key in PAYTABLE_KEYS:
            _set_once(paytables, key, value, text)
            continue
        *path, last = key.split(".")
        if len(path) > 3:
            raise Refused(Code.BAD_SET, "nested", text=text[:60])
        target = options
        for name in path:
            target = target.setdefault(name, {})
            if not isinstance(target, dict):
                raise Refused(Code.BAD_SET, "set_already", text=text[:60], name=name[:40])
        _set_once(target, last, value, text)
    return paytables, options


def _set_once(into: dict[str, Any], key: str, value: str, text: str) -> None:
    if key in into:
        raise Refused(Code.BAD_SET, "twice", text=text[:60], name=key[:40])
    into[key] = value


def read_rules(name: str, sets: Sequence[str]) -> "TableRules":
    from headsup.game.rulebook.table_rules import table_rules

    paytables, options = parse_sets(sets)
    return table_rules(name, paytables, options)
