"""What a request must pass before the game decides it, as one ordered list of checks.

The floor's owner runs it when it decides the request, so that every check sees the table as it is
at that moment, whichever server the request came through.
"""

from collections.abc import Callable
from dataclasses import dataclass

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    DealFaceDown,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReadCards,
    TimeOut,
    TurnOver,
    WithdrawBets,
)
from headsup.game.table.commands import Command, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.state import Table
from headsup.house.floor.next_step import step_key
from headsup.house.floor.request import CommandRequest
from headsup.house.people.permissions import permission_refusal

HOUSE = Staff("house")  # acts where neither a person nor the dealer does
# Commands that move a round on.
DEALING_COMMANDS = (
    OpenRound,
    CloseBets,
    DealCards,
    DealFaceDown,
    TurnOver,
    ReadCards,
    Proceed,
    TimeOut,
)
# Commands that influence who wins.
PLAYING_COMMANDS = (PlaceBets, WithdrawBets, Check, Raise, Fold, TurnOver, Proceed, TimeOut)


@dataclass(frozen=True, slots=True)
class Gate:
    """The checks of one floor, with what the house knows beyond the floor itself."""

    has_known_cards: Callable[[Table], bool] = lambda _: False
    program_refusal: Callable[[Command], Refusal | None] = lambda _: None

    def refusal_for(self, request: CommandRequest, table: Table | None) -> Refusal | None:
        """Why the request does not reach the game. The table is None if it is not open yet."""
        return (
            _check_permission(request, table)
            or _check_pause(request, table)
            or self._check_known_cards(request, table)
            or _check_expected_step(request, table)
            or self.program_refusal(request.command)
        )

    def _check_known_cards(self, request: CommandRequest, table: Table | None) -> Refusal | None:
        """If cards of the round may be known to somebody, nobody plays it."""
        if not isinstance(request.command, PLAYING_COMMANDS) or table is None:
            return None
        if table.round is None or not table.round.seats or not self.has_known_cards(table):
            return None
        return refusal(Code.KNOWN_CARDS, round=table.rounds)


def _check_permission(request: CommandRequest, table: Table | None) -> Refusal | None:
    """Whether the person's role may do this, and the seat is theirs. The house may do anything."""
    person = request.person
    return None if person is None else permission_refusal(person, table, request.command)


def _check_pause(request: CommandRequest, table: Table | None) -> Refusal | None:
    """At a paused table nothing is dealt, but players may decide and leave, and mistakes can be
    put right. Only the house itself still ends empty rounds, after it was restored."""
    is_house = request.person is None and request.by == HOUSE
    if table is None or is_house or not isinstance(request.command, DEALING_COMMANDS):
        return None
    return refusal(Code.PAUSED, why=table.dealing.paused) if table.dealing.paused else None


def _check_expected_step(request: CommandRequest, table: Table | None) -> Refusal | None:
    """Whether the dealer's step that the sender saw is still the next one."""
    if not request.expected_step or (table and step_key(table) == request.expected_step):
        return None
    return refusal(Code.NOT_DUE_ANY_MORE)
