"""Stores a player's bankroll between games of `headsup play`, in the user's data folder."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from headsup.game.refusal import Refused
from headsup.game.values.amounts import parse_cents
from headsup.game.values.money import Cents, format_cents

STARTING_CENTS: Cents = 100_000  # $1,000.00


@dataclass(frozen=True, slots=True)
class Bankroll:
    """Chips in cents, and the bets last placed under each rule book (cents by wager)."""

    cents: Cents = STARTING_CENTS
    rounds: int = 0
    bets: Mapping[str, Mapping[str, Cents]] = field(default_factory=lambda: MappingProxyType({}))

    def with_bets(self, book: str, stakes: Mapping[str, Cents]) -> "Bankroll":
        return replace(self, bets={**self.bets, book: dict(stakes)})


class BankrollFile:
    """Reads and writes a bankroll. An unreadable file is renamed, never overwritten."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_bankroll_path()
        self._lock: TextIO | None = None

    def lock(self) -> bool:
        """Lock the bankroll until `release`; False if another game has it."""
        try:
            import fcntl
        except ImportError:  # not on this system
            return True
        lock = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = self.path.with_name(f".{self.path.name}.lock").open("a")
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if lock is not None:
                lock.close()
            # If the folder cannot be written to, `save` reports it.
            return not isinstance(error, BlockingIOError)
        self._lock = lock
        return True

    def release(self) -> None:
        """Unlock. The lock file stays, since another game may be opening it at this moment."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def load(self) -> tuple[Bankroll, str]:
        """The bankroll, and a sentence if something was wrong with the file, else ""."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return Bankroll(), ""
        except (OSError, UnicodeDecodeError) as error:
            return Bankroll(), self._set_aside(type(error).__name__)
        try:
            return _read(json.loads(text)), ""
        except (ValueError, RecursionError, AttributeError, TypeError):
            return Bankroll(), self._set_aside("it is not a bankroll")

    def save(self, bankroll: Bankroll) -> str:
        """Replace the file in one step. Returns a sentence if that failed, else ""."""
        content = {
            "bankroll": format_cents(bankroll.cents),
            "rounds": bankroll.rounds,
            "bets": {
                book: {wager: format_cents(cents) for wager, cents in stakes.items()}
                for book, stakes in bankroll.bets.items()
            },
        }
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with temporary.open("w", encoding="utf-8") as file:
                json.dump(content, file, indent=2)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            return f"the bankroll was not saved: {self.path}: {error.strerror or error}"
        return ""

    def _set_aside(self, reason: str) -> str:
        target, number = self.path.with_name(self.path.name + ".unreadable"), 1
        while os.path.lexists(target):
            number += 1
            target = self.path.with_name(f"{self.path.name}.unreadable-{number}")
        try:
            self.path.replace(target)
        except OSError:
            return f"the bankroll in {self.path} cannot be read ({reason}); starting over"
        return f"the bankroll could not be read ({reason}) and was saved as {target}; starting over"


def default_bankroll_path() -> Path:
    from platformdirs import user_data_path

    return user_data_path("headsup", appauthor=False) / "bankroll.json"


def _read(raw: Any) -> Bankroll:
    cents = _amount(raw["bankroll"]) if "bankroll" in raw else STARTING_CENTS
    rounds = raw.get("rounds", 0)
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 0:
        raise ValueError("rounds")
    bets = {
        str(book): {str(wager): _amount(cents) for wager, cents in stakes.items()}
        for book, stakes in raw.get("bets", {}).items()
    }
    return Bankroll(cents, rounds, bets)


def _amount(value: object) -> Cents:
    try:
        cents = parse_cents(value, "bankroll")
    except Refused as refused:
        raise ValueError(refused.message) from None
    if cents < 0:
        raise ValueError("a bankroll is not below zero")
    return cents
