"""What those who run the server ask it: is it alive, is it ready, how much does it do.

Logs are lines of JSON on standard error. They name persons, tables and outcomes; no log line
ever holds a card that is face down, a token or a password: `_SECRET` keys are cut here, commands
are logged by their name alone, and errors by their kind and place, whose own text may name any of
these.
"""

import asyncio
import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from headsup.house.floor.host import OWNED_ELSEWHERE, FloorHost
from headsup.house.house import House
from headsup.house.log import short_traceback

_SECRET = frozenset(
    {
        "token",
        "ticket",
        "password",
        "cookie",
        "deck",
        "hole",
        "cards",
        "server_seed",
        "authorization",
    }
)


async def halted_floors(house: House) -> frozenset[str]:
    """Those that nobody can play at: halted here, and not worked by another server."""
    here = {floor for floor, host in house.hosts.items() if is_halted(host)} - house.shut
    if not here:
        return frozenset()
    return await asyncio.to_thread(house.database.free, house.server) & here


def is_halted(host: FloorHost) -> bool:
    """Whether a floor has lost its store. One that could not keep something is taken again at
    once: whether it could now is asked of the store itself (`readiness`)."""
    return host.lost != "" and not host.lost.endswith(OWNED_ELSEWHERE)


def configure_logs(level: int = logging.INFO) -> None:
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _cut_secrets,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.getLogger().handlers = [_LibraryLogHandler(logging.WARNING)]


class _LibraryLogHandler(logging.Handler):
    """What libraries log, as lines like our own: the first line of what they say, and of an error
    its kind and place. They would print it whole, with what was in the statement that failed."""

    def emit(self, record: logging.LogRecord) -> None:
        said = (record.getMessage().splitlines() or [""])[0]
        error = record.exc_info[1] if record.exc_info else None
        about = (
            {} if error is None else {"kind": type(error).__name__, "at": short_traceback(error)}
        )
        line = structlog.get_logger("headsup.library").bind(source=record.name, **about)
        line.log(record.levelno, said)


def _cut_secrets(
    _logger: Any, _method: str, line: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    for key in line.keys() & _SECRET:
        line[key] = "(not logged)"
    return line


class Metrics:
    """The figures of one server, for Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands = Counter(
            "headsup_commands_total", "Commands by outcome", ["outcome"], registry=self.registry
        )
        self.answered = Histogram(
            "headsup_command_seconds",
            "From a command's arrival until its answer is durable",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
            registry=self.registry,
        )
        self.sockets = Gauge("headsup_sockets", "Open sockets", registry=self.registry)
        self.floors = Gauge("headsup_floors", "Floors owned here", registry=self.registry)
        self.followed = Gauge(
            "headsup_floors_followed", "Floors shown here and not owned", registry=self.registry
        )
        self.commits = Counter("headsup_commits_total", "Commits", registry=self.registry)
        self.entries = Counter("headsup_entries_total", "Entries kept", registry=self.registry)
        self.dropped = Counter(
            "headsup_sockets_dropped_total", "Sockets closed by us", ["why"], registry=self.registry
        )
        self.unmet = Gauge(
            "headsup_anchors_unmet",
            "Anchors found in the file since the start that are none of this database",
            registry=self.registry,
        )
        self._counted = (0, 0)

    def look(self, house: House) -> None:
        """What the house itself counts."""
        self.floors.set(len(house.owned()))
        self.followed.set(len(house.hosts) - len(house.owned()))
        self.unmet.set(house.anchoring.unmet if house.anchoring else 0)
        commits, entries = house.keeper.commits, house.keeper.entries
        self.commits.inc(commits - self._counted[0])
        self.entries.inc(entries - self._counted[1])
        self._counted = commits, entries
