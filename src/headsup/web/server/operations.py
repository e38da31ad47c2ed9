"""Logs and Prometheus metrics for whoever operates the server.

Logs are JSON lines on standard error. They name people, tables and outcomes, but never a
face-down card, a token or a password: `_SECRET_KEYS` are masked here, commands are logged by name
only, and errors by type and location, because their text could contain any of these.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from headsup.house.house import House
from headsup.house.log import short_traceback

_SECRET_KEYS = frozenset(
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


def halted_floors(house: House) -> frozenset[str]:
    """Floors of this server that nobody can play on, because they have lost their store."""
    return frozenset(
        floor
        for floor, host in house.hosts.items()
        if host.halt_reason and floor not in house.broken_floors
    )


def configure_logs(level: int = logging.INFO) -> None:
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _mask_secrets,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.getLogger().handlers = [_LibraryLogHandler(logging.WARNING)]


class _LibraryLogHandler(logging.Handler):
    """Logs library messages in our format: only their first line, and an error's type and location.

    Libraries would print the whole error, with the values of the SQL statement that failed.
    """

    def emit(self, record: logging.LogRecord) -> None:
        message = (record.getMessage().splitlines() or [""])[0]
        error = record.exc_info[1] if record.exc_info else None
        details = (
            {} if error is None else {"kind": type(error).__name__, "at": short_traceback(error)}
        )
        line = structlog.get_logger("headsup.library").bind(source=record.name, **details)
        line.log(record.levelno, message)


def _mask_secrets(
    _logger: Any, _method: str, line: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    for key in line.keys() & _SECRET_KEYS:
        line[key] = "(not logged)"
    return line


class Metrics:
    """The Prometheus metrics of one server."""

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
        self.broken = Gauge(
            "headsup_floors_broken",
            "Floors kept shut here, because their logs are broken",
            registry=self.registry,
        )
        self.commits = Counter("headsup_commits_total", "Commits", registry=self.registry)
        self.entries = Counter("headsup_entries_total", "Entries stored", registry=self.registry)
        self.dropped = Counter(
            "headsup_sockets_dropped_total",
            "Sockets dropped by the server",
            ["why"],
            registry=self.registry,
        )
        # A client that falls behind gets a whole view instead of its changes.
        self.resyncs = Counter(
            "headsup_view_resyncs_total",
            "Whole views sent to clients that fell behind",
            registry=self.registry,
        )
        self.cut = Counter(
            "headsup_connections_cut_total",
            "Connections cut off for going over a limit",
            ["why"],
            registry=self.registry,
        )
        self.anchor_mismatches = Gauge(
            "headsup_anchors_unmet",
            "Anchors in the file since the start that do not match this database",
            registry=self.registry,
        )
        self.lost_seals = Gauge(
            "headsup_seals_lost",
            "Tables that wait because the seed of their sealed shuffle is missing or altered",
            registry=self.registry,
        )
        self._last_totals = (0, 0)

    def update(self, house: House) -> None:
        """Copy the figures that the house counts."""
        owned, broken = house.owned_floors().keys(), house.broken_floors
        self.floors.set(len(owned))
        self.broken.set(len(broken))
        self.anchor_mismatches.set(house.anchor_writer.mismatches if house.anchor_writer else 0)
        lost = [table for table in house.tables() if house.lost_seals.of(table) is not None]
        self.lost_seals.set(len(lost))
        commits, entries = house.group_commit.commits, house.group_commit.entries
        self.commits.inc(commits - self._last_totals[0])
        self.entries.inc(entries - self._last_totals[1])
        self._last_totals = commits, entries
