"""Logs for tests: rounds of any rule book, with decisions from a seeded random generator."""

from collections.abc import Callable
from random import Random

from headsup.game.record.chain import Link, format_link
from headsup.game.record.journal import (
    AT_HOME,
    Checkpoint,
    Header,
    record_checkpoint,
    record_command,
    start_log,
)
from headsup.game.refusal import Refusal
from headsup.game.round.commands import (
    CloseBets,
    DealCards,
    PlaceBets,
    Proceed,
    ReportIrregularity,
    TimeOut,
)
from headsup.game.round.decide import legal_actions
from headsup.game.round.state import STREET_BY_PHASE, Round
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.model import Resolution
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.meter_control import CorrectMeter, FreezeMeter
from headsup.game.table.opening import OpenTable
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.values.cards import DECK
from headsup.game.values.frozen_json import FrozenJson
from tests.support.tables import CARD_ROOM

NOON = "2026-01-31T12:00:00Z"
DEALER = Staff("dealer")
METERED = FrozenJson({"meter_seed": "2500.00", "meter_contribution": "0.25"})


class Recorder:
    """Sends commands to a journal and stores the links."""

    def __init__(self, header: Header = AT_HOME) -> None:
        self.journal, first = start_log(header)
        self.links: list[Link] = [first]
        self.checkpoints: list[Checkpoint] = []

    @property
    def lines(self) -> list[str]:
        return [format_link(link) for link in self.links]

    def ask(self, table: str, by: Actor, command: Command) -> bool:
        """Send a command. Returns whether it was accepted."""
        self.journal, answer = record_command(self.journal, NOON, table, by, command)
        if isinstance(answer, Refusal):
            return False
        self.links += answer
        return True

    def do(self, table: str, by: Actor, command: Command) -> None:
        before = self.journal
        assert self.ask(table, by, command), (
            command,
            record_command(before, NOON, table, by, command)[1],
        )

    def check(self) -> None:
        """Add a checkpoint."""
        checkpoint = record_checkpoint(self.journal, NOON)
        self.journal = checkpoint.journal
        self.links.append(checkpoint.link)
        self.checkpoints.append(checkpoint)

    def round(self, table: str) -> Round:
        round = self.journal.floor.tables[table].round
        assert round is not None
        return round


def options_for(book: str) -> FrozenJson:
    if book.startswith("washington"):
        return FrozenJson({**METERED, **CARD_ROOM})
    return FrozenJson() if book in ("galaxy-wpt", "sugarhouse") else METERED


def open_table(log: Recorder, book: str, table: str, seats: tuple[int, ...] = (1, 2, 4)) -> None:
    log.do(table, DEALER, OpenTable(book, (), options_for(book)))
    for seat in seats:
        log.do(table, PlayerAt(seat), Sit(seat, f"P{seat}"))
        log.do(table, PlayerAt(seat), BuyIn(seat, 100_000_000))


def random_stakes(rules: TableRules, random: Random) -> dict[Wager, int]:
    ante = random.choice([500, 1000, 2500])
    stakes = {Wager.ANTE: ante, Wager.ODDS: ante}
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)]
    most = min(rules.max_side_wagers, len(offered))
    for wager in random.sample(offered, random.randint(0, most)):
        fixed = wager is Wager.PROGRESSIVE
        stakes[wager] = rules.progressive_stake if fixed else random.choice([100, 500])
    return stakes


def play_round(log: Recorder, table: str, random: Random, trouble: float = 0.02) -> None:
    """Play one round with all players, with occasional irregularities and time-outs."""
    rules = log.journal.floor.tables[table].rules
    log.do(table, DEALER, OpenRound())
    for seat in log.journal.floor.tables[table].players:
        log.do(table, PlayerAt(seat), PlaceBets(seat, random_stakes(rules, random)))
    log.do(table, DEALER, CloseBets())
    deck = random.sample(DECK, 52)
    while log.journal.floor.tables[table].is_playing:
        round = log.round(table)
        if random.random() < trouble:
            report(log, table, random)
        elif round.phase in STREET_BY_PHASE:
            seat = random.choice(round.seats_owing())
            if random.random() < 0.05:
                log.do(table, DEALER, TimeOut(seat, 120))
            else:
                log.do(table, PlayerAt(seat), random.choice(legal_actions(round, seat)))
        elif not round.deck and round.void is None:
            log.do(table, DEALER, DealCards(tuple(deck)))
        else:
            log.do(table, DEALER, Proceed())


def report(log: Recorder, table: str, random: Random) -> None:
    round = log.round(table)
    cause = random.choice(list(round.rules.book.irregularities))
    seat = random.choice([None, *round.seats])
    resolution = random.choice([Resolution.VOID, *Resolution])
    log.ask(
        table, DEALER, ReportIrregularity(cause, "Ann", "Bob", seat, resolution, "seen by camera")
    )


def between_rounds(log: Recorder, table: str, random: Random) -> None:
    """Occasionally, a correction by the staff or a change of seats."""
    chores: list[Callable[[], bool]] = [
        lambda: log.ask(table, DEALER, CorrectPayout(1, 500, "wrong chips", "Ann", "Bob")),
        lambda: log.ask(table, DEALER, CorrectMeter(250_000, "counted by hand", ("Ann", "Bob"))),
        lambda: log.ask(table, DEALER, FreezeMeter(random.choice(["sensor", ""]))),
        lambda: log.ask(table, PlayerAt(4), Leave(4)),
        lambda: (
            log.ask(table, PlayerAt(4), Sit(4, "P4"))
            and log.ask(table, PlayerAt(4), BuyIn(4, 100_000_000))
        ),
    ]
    if random.random() < 0.2:
        random.choice(chores)()


def record_rounds(
    rounds: int, seed: int, books: tuple[str, ...] = SHIPPED_BOOKS, header: Header = AT_HOME
) -> Recorder:
    """A log of this many rounds, dealt at one table of each book in turn, and a checkpoint after
    each round."""
    log, random = Recorder(header), Random(seed)
    for book in books:
        open_table(log, book, f"T {book}")
    for number in range(rounds):
        table = f"T {books[number % len(books)]}"
        play_round(log, table, random)
        between_rounds(log, table, random)
        log.check()
    return log
