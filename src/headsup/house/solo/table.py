"""A table for one: what a player's key sets off is decided, timed and, if there is a log, on the
disk, all of it or none, before the player is shown any of it."""

from collections.abc import Callable, Mapping

from headsup.game.bank.ledger import wager_account
from headsup.game.record.chain import Link
from headsup.game.record.journal import Journal, record_command
from headsup.game.refusal import Refusal, Refused
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.decide import legal_actions
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import (
    Actor,
    AddSeed,
    BuyIn,
    Command,
    Leave,
    OpenRound,
    OpenShuffle,
    OpenTable,
    PlayerAt,
    SealShuffle,
    Sit,
    Staff,
)
from headsup.game.table.state import Table
from headsup.game.values.cards import Cards
from headsup.game.values.money import MICROS_PER_CENT, Cents
from headsup.game.views.builder import player_view
from headsup.game.views.model import PlayerView
from headsup.house import clock
from headsup.house.dealing.shoe import DeckSource
from headsup.house.fairness.sealed_shuffles import SecretSealer
from headsup.house.solo.logbook import Logbook, UnwritableLog

SEAT = 1
DEALER = Staff("dealer")
CLOCK = Staff("clock")


class SoloTable:
    """One player against the dealer, from the first buy-in to the last cash-out.

    `shoe` gives the decks; with a sealer each shuffle is sealed before the bets, with the player's
    own seed mixed in if there is one, and opened when the round is over.
    """

    def __init__(
        self,
        opening: OpenTable,
        shoe: DeckSource | SecretSealer,
        logbook: Logbook | None = None,
        now: Callable[[], str] = clock.now,
        own_seed: str = "",
    ) -> None:
        self._journal = self._kept = logbook.journal if logbook else Journal()
        self._links: list[Link] = []  # decided, and not yet in the log
        self._shoe, self._logbook, self._now = shoe, logbook, now
        self._own_seed = own_seed
        self.id = _unused_table_id(self._journal)
        self._ask(DEALER, opening)
        self._keep()

    # What there is to see.

    @property
    def table(self) -> Table:
        return self._journal.floor.tables[self.id]

    @property
    def round(self) -> Round | None:
        return self.table.round

    @property
    def chips(self) -> Cents:
        """What the player has here that is not on the felt."""
        return self._journal.floor.chips(self.id, SEAT) if SEAT in self.table.players else 0

    @property
    def on_felt(self) -> Cents:
        """Cents of the player's that lie on the felt, as the ledger has them."""
        ledger = self._journal.floor.ledger
        micros = sum(ledger.balance(wager_account(self.id, SEAT, wager)) for wager in Wager)
        return micros // MICROS_PER_CENT

    def view(self) -> PlayerView:
        return player_view(self._journal.floor, self.id, SEAT)

    def choices(self) -> tuple[Check | Raise | Fold, ...]:
        """What may be decided now, with the chips there are."""
        if self.round is None or self.round.phase not in STREET_BY_PHASE:
            return ()
        most = self.chips // self.round.seats[SEAT].stakes[Wager.ANTE]
        return tuple(
            choice
            for choice in legal_actions(self.round, SEAT)
            if not isinstance(choice, Raise) or choice.multiple <= most
        )

    # What can be done. All of it raises Refused, without effect, where the rules say no, and
    # LogLost where the log cannot be kept: the table is then as the log has it.

    def sit_down(self, name: str, cents: Cents) -> None:
        self._ask(PlayerAt(SEAT), Sit(SEAT, name))
        self.buy_in(cents)

    def buy_in(self, cents: Cents) -> None:
        self._ask(PlayerAt(SEAT), BuyIn(SEAT, cents))
        self._keep()

    def stand_up(self) -> None:
        self._ask(PlayerAt(SEAT), Leave(SEAT))
        self._keep()

    def seal(self) -> None:
        """Commit to the next shuffle, where shuffles are sealed: before the bets are thought of."""
        self._seal()
        self._keep()

    def _seal(self) -> None:
        if isinstance(self._shoe, SecretSealer) and self.table.sealed is None:
            seal = self._shoe.seal(self.id, self.table.rounds + 1)
            self._ask(DEALER, SealShuffle(seal.commitment))
            if self._own_seed:
                self._ask(PlayerAt(SEAT), AddSeed(SEAT, self._own_seed))

    def bet(self, stakes: Mapping[Wager, Cents]) -> None:
        """Recorded with the deal: a bet on which no card can be dealt was never placed."""
        if not self.table.playing:
            self._seal()
            self._ask(DEALER, OpenRound())
        self._ask(PlayerAt(SEAT), PlaceBets(SEAT, stakes))

    def deal(self) -> None:
        self._ask(DEALER, CloseBets())
        self._ask(DEALER, DealCards(self._deck()))
        self._keep()

    def decide(self, choice: Check | Raise | Fold) -> tuple[PlayerView, ...]:
        """What was turned up on the way to where the round now stands, one look for each."""
        self._ask(PlayerAt(SEAT), choice)
        looks = self._go_on()
        self._keep()
        return looks

    def time_out(self) -> None:
        """Check, check and fold for a player who has gone (R33), to the end of the round."""
        if self.round is not None and self.round.phase is Phase.BETTING:
            if SEAT in self.round.seats:
                self._ask(PlayerAt(SEAT), WithdrawBets(SEAT))
        else:
            while self.table.playing:
                self._ask(CLOCK, TimeOut(SEAT, None))
                self._go_on()
        self._keep()

    def _go_on(self) -> tuple[PlayerView, ...]:
        """The dealer does what is due until the player decides or the round is closed."""
        looks = [self.view()]
        while (
            self.round is not None
            and self.table.playing
            and self.round.phase not in STREET_BY_PHASE
        ):
            self._ask(DEALER, Proceed())
            look = self.view()
            if _count_face_up(look) > _count_face_up(looks[-1]):
                looks.append(look)
        sealed = self.table.sealed
        if isinstance(self._shoe, SecretSealer) and sealed is not None and not self.table.playing:
            seal = self._shoe.seal(self.id, sealed.round)
            self._ask(DEALER, OpenShuffle(seal.server_seed.hex()))
        return tuple(looks[1:])

    def _deck(self) -> Cards:
        if not isinstance(self._shoe, SecretSealer):
            return self._shoe(self.table.rounds)
        seeds = self.table.sealed.seeds if self.table.sealed is not None else {}
        return self._shoe.seal(self.id, self.table.rounds).deck(seeds)

    def _ask(self, by: Actor, command: Command) -> None:
        journal, answer = record_command(self._journal, self._now(), self.id, by, command)
        if isinstance(answer, Refusal):
            raise Refused.of(answer)
        self._links += answer
        self._journal = journal

    def _keep(self) -> None:
        """Put everything decided since into the log at once; else none of it has happened."""
        links, self._links = self._links, []
        try:
            if self._logbook is not None:
                self._logbook.append(links)
        except UnwritableLog:
            self._journal = self._kept
            raise
        self._kept = self._journal


def _count_face_up(view: PlayerView) -> int:
    """Cards of the board and the dealer that lie face up."""
    return len(view.round.board) + len(view.round.dealer) if view.round else 0


def _unused_table_id(journal: Journal) -> str:
    number = 1
    while f"solo {number}" in journal.floor.tables:
        number += 1
    return f"solo {number}"
