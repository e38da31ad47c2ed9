"""Who may know which card: worked out from the events alone, the slow twin of the views."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from headsup.game.refusal import Refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TimeOut,
)
from headsup.game.round.events import (
    BetsPlaced,
    BoardCompleted,
    CardsDealt,
    Checked,
    DealerRevealed,
    DecisionReopened,
    FlopRevealed,
    Folded,
    HandResolved,
    HandVoided,
    Raised,
    RoundSettled,
    RoundVoided,
    TurnAndRiverRevealed,
)
from headsup.game.round.irregularities import reporting_rule
from headsup.game.rulebook.model import Cause
from headsup.game.rulebook.wagers import SIDE_WAGERS
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.game.table.decide import decide
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.rounds import OpenRound, RoundOpened
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, SealShuffle, ShuffleOpened
from headsup.game.table.sealing import SEED_BYTES, commitment_to, deck_from
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Floor
from headsup.game.values.cards import DECK, format_cards
from headsup.game.values.money import format_cents
from headsup.game.words.english import ENGLISH
from tests.support.tables import (
    ANTE,
    PROGRESSIVE,
    STAFF,
    TRIPS,
    irregularity_report,
    opened,
    stakes,
)

# Checking what precedes a row only after its first card is found is five times as fast.
CARDS = re.compile(r"[2-9TJQKA][cdhs](?<![A-Za-z0-9]..)(?:[2-9TJQKA][cdhs])*(?![A-Za-z0-9])")


RAISES: dict[str, dict[str, tuple[int, ...]]] = {
    "galaxy": {"pocket": (3,), "flop": (2,), "river": (1,)},
    "galaxy-wpt": {"pocket": (1, 2, 3), "flop": (1, 2), "river": (1,)},
    "new-york": {"pocket": (1, 2, 3), "flop": (1, 2), "river": (1,)},
    "sugarhouse": {"pocket": (3,), "flop": (2,), "river": (1,)},
    "washington": {"pocket": (3,), "flop": (2,), "river": (1,)},
    "washington-no-qualifier": {"pocket": (3,), "flop": (2,), "river": (1,)},
}


TRIPS_SETTLES = ("dealer_card_exposed", "card_found_face_up", "early_board_card")


CAUSES = tuple(cause.value for cause in Cause)


def choices(book: str) -> Iterator[dict[str, Any]]:
    """The options that change what may be seen: seals, dealing, acting order, face up, forfeits."""
    yield {"shuffle": ShuffleSource.SEALED}
    for clockwise in (False, True):
        for dealing in ("hand", "shoe"):
            yield {"clockwise": clockwise, "dealing": dealing}
    if book.startswith("washington"):
        yield {"face_up": True}
        yield {"face_up": True, "clockwise": True}
    if book == "new-york":
        yield {"trips_plus_after_fold": "forfeits"}


SEATS = (1, 2, 3, 4)


@cache
def floors(book: str) -> tuple[tuple[Floor, dict[str, Any]], ...]:
    """Four players with so few chips that a high Ante soon uses them up."""
    return tuple((opened(book, seats=SEATS, **choice).floor, choice) for choice in choices(book))


@dataclass
class Secrets:
    book: str
    face_up: bool
    clockwise: bool
    forfeits: bool
    known: dict[str, set[str]] = field(default_factory=dict)
    at: dict[str, list[str]] = field(default_factory=dict)  # place → cards
    stakes: dict[int, Any] = field(default_factory=dict)
    raised: dict[int, tuple[int, str]] = field(default_factory=dict)
    folded: set[int] = field(default_factory=set)
    void: dict[int, str] = field(default_factory=dict)
    all_void: bool = False
    street: str = ""  # the open one
    last_street: str = ""
    acted: set[int] = field(default_factory=set)
    seed: str = ""  # the server's, of a sealed shuffle
    opened: bool = False  # which all may know since then
    before: str = ""  # the deck of the round before, which was opened
    chosen: dict[int, str] = field(default_factory=dict)  # on the open street, or the last
    chosen_before: dict[int, str] = field(default_factory=dict)  # on the one before it
    begun: bool = True  # else that round is still shown, and all of it may be known

    def owing(self) -> list[int]:
        decided = self.raised.keys() | self.folded | self.void.keys() | self.acted
        return [seat for seat in sorted(self.stakes) if seat not in decided]

    def everyone(self, cards: list[str]) -> None:
        for viewer in self.known:
            if viewer != "tablevision":
                self.known[viewer] |= set(cards)

    def opens(self, street: str) -> None:
        self.street = self.last_street = street
        self.chosen_before, self.chosen = self.chosen, {}
        self.acted &= self.void.keys()  # a void hand keeps what it last did
        self.closes_if_nobody_owes()

    def closes_if_nobody_owes(self) -> None:
        if not self.owing():
            self.street = ""

    def see(self, event: Event) -> None:
        match event:
            case RoundOpened() if not self.begun:
                self.begun, self.known = True, {viewer: set() for viewer in self.known}
            case BetsPlaced(seat, placed):
                self.stakes[seat] = placed
            case CardsDealt(deck, where):
                for card, place in zip(deck, where, strict=False):
                    self.at.setdefault(place, []).append(format_cards([card]))
                for seat in self.stakes.keys() - self.void.keys():  # void hands get no cards
                    self.known[f"seat {seat}"] |= set(self.at[f"seat {seat}"])
                    if self.face_up:
                        self.everyone(self.at[f"seat {seat}"])
                self.opens("pocket")
            case Checked(seat):
                self.chosen[seat] = "check"
                self.acted.add(seat)
                self.closes_if_nobody_owes()
            case Raised(seat, street, multiple):
                self.chosen[seat] = f"raise {multiple} {street.value}"
                self.raised[seat] = (multiple, street.value)
                self.closes_if_nobody_owes()
            case Folded(seat):
                self.chosen[seat] = "fold"
                self.folded.add(seat)
                self.closes_if_nobody_owes()
            case FlopRevealed():
                self.everyone(self.at["board"][:3])
                self.opens("flop")
            case TurnAndRiverRevealed():
                self.everyone(self.at["board"])
                self.opens("river")
            case BoardCompleted():
                self.everyone(self.at["board"])
            case DealerRevealed():
                self.everyone(self.at["dealer"])
            case HandVoided(seat, cause):
                self.void[seat] = cause
                self.closes_if_nobody_owes()
            case DecisionReopened(seat):
                self.acted.discard(seat)
                self.folded.discard(seat)
                del self.chosen[seat]
                self.street = self.last_street
            case RoundVoided(cause):
                self.void = {seat: self.void.get(seat, cause) for seat in self.stakes}
                self.all_void, self.street = True, ""
            case RoundSettled():
                if self.at and not self.all_void:
                    self.everyone(self.at.get("all_6", []))
            case ShuffleOpened(deck=deck):
                self.opened = True
                for viewer in self.known:  # the display above the table as well
                    self.known[viewer] |= {format_cards([card]) for card in deck}
            case HandResolved(seat):
                if self.at and self.turned_up(seat):
                    self.everyone(self.at[f"seat {seat}"])
            case _:
                pass

    def turned_up(self, seat: int) -> bool:
        """NY (e)(9)–(10), (j)(2): a hand on which a wager is decided."""
        if seat in self.void:
            return self.void[seat] in TRIPS_SETTLES and TRIPS in self.stakes[seat]
        sides = set(self.stakes[seat]) & set(SIDE_WAGERS)
        return seat in self.raised or bool(sides - ({TRIPS} if self.forfeits else set()))

    def legal(self, seat: int, chips: int) -> list[dict[str, Any]]:
        owing = self.owing()
        turn = bool(self.street) and seat in (owing[:1] if self.clockwise else owing)
        if not turn:
            return []
        most = chips // self.stakes[seat][ANTE]
        raises = [m for m in RAISES[self.book][self.street] if m <= most]
        last = "fold" if self.street == "river" else "check"
        ante = self.stakes[seat][ANTE]
        return [
            *({"action": "raise", "multiple": m, "amount": format_cents(m * ante)} for m in raises),
            {"action": last},
        ]

    def uncovered(self, event: str) -> dict[str, str]:
        """The hidden decisions of a street that are announced with the cards after it."""
        closed = self.chosen if event == "DealerRevealed" else self.chosen_before
        alive = {
            str(seat): text
            for seat, text in sorted(closed.items())
            if text != "check" or seat not in self.void
        }
        return {} if self.clockwise or event not in TURNED_UP else alive

    def decision(self, viewer: int, seat: int) -> str:
        """What this viewer may know of the seat's decision; viewer 0 is nobody's seat."""
        raised = self.raised.get(seat)
        now = raised is None or raised[1] == self.street
        if self.street and now and not self.clockwise and viewer != seat:
            return "hidden"
        if raised:
            return "raise {} {}".format(*raised)
        if seat in self.folded:
            return "fold"
        if seat in self.acted:
            return "check"
        return "owes" if self.street and seat not in self.void else ""


VIEWERS = ("seat 1", "seat 2", "seat 3", "seat 4", "seat 6", "dealer", "rail", "tablevision")


def cards_in(text: str) -> set[str]:
    """Every card named anywhere in the text, alone or in a row."""
    cards = set()
    for row in CARDS.findall(text):
        cards |= {row[i : i + 2] for i in range(0, len(row), 2)}
    return cards


WRITTEN = re.compile(r"(\w+) of (clubs|diamonds|hearts|spades)")
RANKS_IN_WORDS = dict(
    zip(
        [ENGLISH.card_names((card,)).split()[0] for card in range(0, 52, 4)],
        "23456789TJQKA",
        strict=True,
    )
)


def written_cards(sentence: str) -> set[str]:
    """The cards that a sentence names in words, such as `ace of spades`."""
    return {RANKS_IN_WORDS[rank] + suit[0] for rank, suit in WRITTEN.findall(sentence)}


# A number in a list; in an object, a comma is followed by a name.
LISTED = re.compile(r"[\[,] ?-?\d")


HOLDERS = (dict, list, tuple)


def numbers_in(value: Any, key: str = "") -> Iterator[str]:
    """Where a view has lists of numbers, in which a card could hide."""
    held = [(key, value)]
    while held:
        key, value = held.pop()
        if isinstance(value, dict):
            held += [pair for pair in value.items() if isinstance(pair[1], HOLDERS)]
        elif isinstance(value, list | tuple):
            if any(isinstance(item, int) for item in value):
                yield key
            held += [(key, item) for item in value if isinstance(item, HOLDERS)]


DECISIONS = ("Checked", "Raised", "Folded")


TURNED_UP = ("FlopRevealed", "TurnAndRiverRevealed", "DealerRevealed")


class Table:
    """One round at a table, with its commands, so that it can be played again."""

    seats: tuple[int, ...] = SEATS
    viewers: tuple[str, ...] = VIEWERS

    def __init__(
        self, book: str, random: Random, start: tuple[Floor, dict[str, Any]] | None = None
    ) -> None:
        self.book = book
        self.start, self.choice = start or random.choice(floors(book))
        self.floor = self.start
        self.random = random
        self.script: list[tuple[Actor, Command]] = []
        self.last: Event = RoundOpened(1)
        sealed = self.choice.get("shuffle") is ShuffleSource.SEALED
        self.seed = random.randbytes(SEED_BYTES).hex() if sealed else ""
        self.secrets = self.no_secrets()

    def no_secrets(self) -> Secrets:
        before = self.start.tables["T1"].opened
        known = set() if before is None else {format_cards([card]) for card in DECK}
        return Secrets(
            self.book,
            self.choice.get("face_up", False),
            self.choice.get("clockwise", False),
            "trips_plus_after_fold" in self.choice,
            {viewer: {*known} for viewer in self.viewers},
            seed=self.seed,
            before="" if before is None else format_cards(before.deck),
            begun=before is None,
        )

    def is_settled(self, floor: Floor) -> bool:
        state = floor.tables["T1"].round
        return state is not None and state.settlement is not None

    def ask(self, by: Actor, command: Command) -> Iterator[None]:
        """The command's events, one at a time."""
        answer = decide(self.floor, "T1", by, command)
        if isinstance(answer, Refusal):
            return
        self.script.append((by, command))
        for event in answer:
            self.floor = evolve(self.floor, "T1", event)
            self.secrets.see(event)
            self.last = event
            yield

    def play(self) -> Iterator[None]:
        """A random round, one event at a time; sealed before it and opened after it."""
        number = self.floor.tables["T1"].rounds + 1
        if self.seed:
            yield from self.ask(STAFF, SealShuffle(commitment_to("T1", number, self.seed)))
        yield from self.round()
        if self.seed:
            yield from self.ask(STAFF, OpenShuffle(self.seed))
            assert self.secrets.opened

    def round(self) -> Iterator[None]:
        random, table = self.random, self.floor.tables["T1"]
        yield from self.ask(STAFF, OpenRound())
        for seat in sorted(random.sample(self.seats, random.randint(1, len(self.seats)))):
            offered = [wager for wager in SIDE_WAGERS if table.rules.offers(wager)]
            most = min(len(offered), table.rules.max_side_wagers)
            placed = stakes(random.choice([1_000, 20_000]))
            for wager in random.sample(offered, random.randint(0, most)):
                placed[wager] = 100 if wager is PROGRESSIVE else 500
            yield from self.ask(PlayerAt(seat), PlaceBets(seat, placed))
            if self.seed and random.random() < 0.5:
                yield from self.ask(PlayerAt(seat), AddSeed(seat, f"rain in May {seat}"))
        void_after = random.randint(0, 60) if random.random() < 0.5 else 99
        yield from self.ask(STAFF, CloseBets())
        for step in range(60):
            if not self.floor.tables["T1"].is_playing:
                return
            if step >= void_after / 4 and not self.secrets.forfeits:
                yield from self.report()
            yield from self.due()
        raise AssertionError("the round does not end")

    def report(self) -> Iterator[None]:
        cause = self.random.choice(CAUSES)
        names_seat = reporting_rule(Cause(cause)).names_seat
        seat = self.random.choice([*self.secrets.stakes]) if names_seat else None
        how = self.random.choice(["void", "void", "correct", "play_on"])
        yield from self.ask(STAFF, irregularity_report(cause, seat, how))

    def due(self) -> Iterator[None]:
        secrets, random = self.secrets, self.random
        if not secrets.street:
            if not secrets.at and secrets.stakes.keys() - secrets.void.keys():
                yield from self.ask(STAFF, DealCards(self.deck()))
            else:
                yield from self.ask(STAFF, Proceed())
            return
        owing = secrets.owing()
        seat = owing[0] if secrets.clockwise else random.choice(owing)
        if random.random() < 0.15:
            yield from self.ask(STAFF, TimeOut(seat, 120))
        else:
            yield from self.ask(PlayerAt(seat), self.decides(seat))

    def deck(self) -> tuple[int, ...]:
        sealed = self.floor.tables["T1"].sealed
        if sealed is None:
            return tuple(self.random.sample(DECK, 52))
        return deck_from("T1", sealed.round, self.seed, sealed.seeds)

    def decides(self, seat: int) -> Command:
        options: list[Command] = [
            Fold(seat) if self.secrets.street == "river" else Check(seat),
            Raise(seat, self.random.choice(RAISES[self.book][self.secrets.street])),
        ]
        affordable = self.secrets.legal(seat, self.floor.chips("T1", seat))
        return self.random.choice(options if len(affordable) > 1 else options[:1])
