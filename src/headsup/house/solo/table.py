"""The table of `headsup play`: one player against the house.

Each of the player's actions is stored in the log, whole or not at all, before anything is shown.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

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
from headsup.game.round.stakes import NO_COUPONS
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.coupon_control import IssueCoupon
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, SealShuffle
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.state import Table
from headsup.game.values.cards import Cards
from headsup.game.values.money import MICROS_PER_CENT, Cents
from headsup.game.views.builder import player_view
from headsup.game.views.model import PlayerView
from headsup.house import clock
from headsup.house.dealing.shoe import DeckSource
from headsup.house.fairness.sealed_shuffles import SecretSealer
from headsup.house.store.log_file import Logbook, UnwritableLog

SEAT = 1
PLAYER = "you"
COUPON_TIME = timedelta(days=365)
COUPON_APPROVALS = ("the house", "the player")  # nobody else is in a game at home
DEALER = Staff("dealer")
CLOCK = Staff("clock")


class SoloTable:
    """A table with one player. `shoe` deals the decks.

    With a sealer, each shuffle is sealed before the bets, with the player's own seed mixed in if
    there is one, and opened after the round.

    Actions raise Refused if the rules forbid them, and UnwritableLog if the log cannot be written;
    the table is then as it was before.
    """

    def __init__(
        self,
        opening: OpenTable,
        shoe: DeckSource | SecretSealer,
        logbook: Logbook | None = None,
        now: Callable[[], str] = clock.now,
        own_seed: str = "",
    ) -> None:
        self._journal = self._stored = logbook.journal if logbook else Journal()
        self._links: list[Link] = []  # decided but not yet in the log
        self._shoe, self._logbook, self._now = shoe, logbook, now
        self._own_seed = own_seed
        self.id = _unused_table_id(self._journal)
        self._decide(DEALER, opening)
        self._commit()

    @property
    def table(self) -> Table:
        return self._journal.floor.tables[self.id]

    @property
    def round(self) -> Round | None:
        return self.table.round

    @property
    def chips(self) -> Cents:
        """The player's chips that are not on the felt."""
        return self._journal.floor.chips(self.id, SEAT) if SEAT in self.table.players else 0

    @property
    def on_felt(self) -> Cents:
        """The player's chips on the felt, in cents."""
        ledger = self._journal.floor.ledger
        micros = sum(ledger.balance(wager_account(self.id, SEAT, wager)) for wager in Wager)
        return micros // MICROS_PER_CENT

    def view(self) -> PlayerView:
        return player_view(self._journal.floor, self.id, SEAT)

    def choices(self) -> tuple[Check | Raise | Fold, ...]:
        """The decisions that are legal now and that the player can afford."""
        if self.round is None or self.round.phase not in STREET_BY_PHASE:
            return ()
        max_multiple = self.chips // self.round.seats[SEAT].stakes[Wager.ANTE]
        return tuple(
            choice
            for choice in legal_actions(self.round, SEAT)
            if not isinstance(choice, Raise) or choice.multiple <= max_multiple
        )

    # Actions.

    def sit_down(self, cents: Cents) -> None:
        self._decide(PlayerAt(SEAT), Sit(SEAT, PLAYER))
        self.buy_in(cents)

    def buy_in(self, cents: Cents) -> None:
        self._decide(PlayerAt(SEAT), BuyIn(SEAT, cents))
        self._commit()

    def stand_up(self) -> None:
        self._decide(PlayerAt(SEAT), Leave(SEAT))
        self._commit()

    def seal(self) -> None:
        """Seal the next shuffle, if shuffles are sealed. Call it before the player bets."""
        self._seal()
        self._commit()

    def _seal(self) -> None:
        if isinstance(self._shoe, SecretSealer) and self.table.sealed is None:
            seal = self._shoe.seal(self.id, self.table.rounds + 1)
            self._decide(DEALER, SealShuffle(seal.commitment))
            if self._own_seed:
                self._decide(PlayerAt(SEAT), AddSeed(SEAT, self._own_seed))

    def issue_coupon(self, wager: Wager, cents: Cents) -> None:
        """Give the player a promotional coupon, good for a year (R12). Call it before they sit."""
        expires = (datetime.fromisoformat(self._now()) + COUPON_TIME).date().isoformat()
        command = IssueCoupon(PLAYER, wager, cents, expires, COUPON_APPROVALS)
        self._decide(DEALER, command)
        self._commit()

    def bet(self, stakes: Mapping[Wager, Cents], coupons: Mapping[Wager, int] = NO_COUPONS) -> None:
        """Place bets. They are stored with the deal: without it they were never placed."""
        if not self.table.is_playing:
            self._seal()
            self._decide(DEALER, OpenRound())
        self._decide(PlayerAt(SEAT), PlaceBets(SEAT, stakes, coupons))

    def deal(self) -> None:
        self._decide(DEALER, CloseBets())
        self._decide(DEALER, DealCards(self._deck()))
        self._commit()

    def decide(self, choice: Check | Raise | Fold) -> tuple[PlayerView, ...]:
        """Decide and play on. Returns a view for each time that cards were turned up."""
        self._decide(PlayerAt(SEAT), choice)
        views = self._proceed()
        self._commit()
        return views

    def time_out(self) -> None:
        """Check and fold to the end of the round for a player who has left (R33)."""
        if self.round is not None and self.round.phase is Phase.BETTING:
            if SEAT in self.round.seats:
                self._decide(PlayerAt(SEAT), WithdrawBets(SEAT))
        else:
            while self.table.is_playing:
                self._decide(CLOCK, TimeOut(SEAT, None))
                self._proceed()
        self._commit()

    def _proceed(self) -> tuple[PlayerView, ...]:
        """Let the dealer proceed until the player has to decide or the round is closed."""
        views = [self.view()]
        while (
            self.round is not None
            and self.table.is_playing
            and self.round.phase not in STREET_BY_PHASE
        ):
            self._decide(DEALER, Proceed())
            view = self.view()
            if _count_face_up(view) > _count_face_up(views[-1]):
                views.append(view)
        sealed = self.table.sealed
        if (
            isinstance(self._shoe, SecretSealer)
            and sealed is not None
            and not self.table.is_playing
        ):
            seal = self._shoe.seal(self.id, sealed.round)
            self._decide(DEALER, OpenShuffle(seal.server_seed.hex()))
        return tuple(views[1:])

    def _deck(self) -> Cards:
        if not isinstance(self._shoe, SecretSealer):
            return self._shoe(self.table.rounds)
        seeds = self.table.sealed.seeds if self.table.sealed is not None else {}
        return self._shoe.seal(self.id, self.table.rounds).deck(seeds)

    def _decide(self, by: Actor, command: Command) -> None:
        journal, links = record_command(self._journal, self._now(), self.id, by, command)
        if isinstance(links, Refusal):
            raise Refused.of(links)
        self._links += links
        self._journal = journal

    def _commit(self) -> None:
        """Write everything decided since the last commit to the log, or undo all of it."""
        links, self._links = self._links, []
        try:
            if self._logbook is not None:
                self._logbook.append(links)
        except UnwritableLog:
            self._journal = self._stored
            raise
        self._stored = self._journal


def _count_face_up(view: PlayerView) -> int:
    """The number of the board's and dealer's cards that are face up."""
    return len(view.round.board) + len(view.round.dealer) if view.round else 0


def _unused_table_id(journal: Journal) -> str:
    number = 1
    while f"solo {number}" in journal.floor.tables:
        number += 1
    return f"solo {number}"
