"""Whole evenings at one table as lists of commands, for tests that interrupt and compare them."""

from dataclasses import dataclass, field

from headsup.game.refusal import Refusal
from headsup.game.round.commands import PlaceBets, Proceed
from headsup.game.round.state import Phase
from headsup.game.table.commands import Actor, Command
from headsup.game.table.events import Event
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.house.floor.request import CommandRequest
from tests.support.tables import Play, every_wager, irregularity_report, opening

SEATS = (1, 2, 3, 4, 5, 6)
CHIPS = 100_000


@dataclass
class ScriptRecorder(Play):
    """Plays on a separate floor and records the requests."""

    requests: list[CommandRequest] = field(default_factory=list)

    def ask(self, command: Command, by: Actor | None = None) -> tuple[Event, ...] | Refusal:
        by = by or self._default_actor(command)
        self.requests.append(
            CommandRequest(f"{self.id}-command-{len(self.requests)}", self.id, by, command)
        )
        return super().ask(command, by)


def scripted_commands(
    book: str = "galaxy", id: str = "T1", rounds: int = 1
) -> list[CommandRequest]:
    """Six players sit down and play rounds with every wager and one fold, then a round that becomes
    void half-way; all but two cash out and leave."""
    play = ScriptRecorder(id=id)
    play.does(opening(book))
    for seat in SEATS:
        play.does(Sit(seat, f"P{seat}"), BuyIn(seat, CHIPS))
    for _ in range(rounds):
        play.does(OpenRound())
        play.does(*(PlaceBets(seat, every_wager(play.table)) for seat in SEATS))
        play.bets_close()
        play.reaches(Phase.SETTLED, fold=(2,))
        play.does(Proceed())
    play.does(OpenRound())
    play.does(*(PlaceBets(seat, every_wager(play.table)) for seat in SEATS))
    play.bets_close()
    play.reaches(Phase.FLOP)
    play.does(irregularity_report("foul_deck"))
    play.reaches(Phase.CLOSED)
    play.does(*(Leave(seat) for seat in SEATS[2:]))
    return play.requests
