"""The same deck at two tables: dealt from the shoe, and turned over place by place."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectCards,
    DealCards,
    DealFaceDown,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TurnOver,
)
from headsup.game.round.dealing import ALL_6 as ALL_6_PLACE
from headsup.game.round.dealing import BOARD, DEALER, build_deck, deal_order, seat_place
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.round.turned_over import cards_due
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.table.commands import Command
from headsup.game.table.events import Event
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.cards import DECK, Cards
from tests.support.strategies import PLANTED, plant
from tests.support.tables import Play, irregularity_report, opened, opening

SEATS = (1, 2, 3, 4, 5, 6)


def real_table(book: str = "galaxy", seats: Sequence[int] = SEATS, **choices: Any) -> Play:
    """A table whose cards are turned over, with players."""
    return opened(book, seats, 10_000_000, shuffle=ShuffleSource.TURNED_OVER, **choices)


def lying(round: Round, deck: Sequence[int]) -> dict[str, Cards]:
    """The cards of each place when this deck is dealt to the round."""
    order = deal_order(round.rules.dealing, round.dealt_seats(), round.rules.offers(Wager.ALL_6))
    cards: dict[str, Cards] = dict.fromkeys(order, ())
    for place, card in zip(order, deck, strict=False):
        cards[place] = (*cards[place], card)
    return cards


def turn_over_due(play: Play, cards: dict[str, Cards]) -> tuple[Event, ...]:
    """Do the dealer's next step with these cards on the felt."""
    due = cards_due(play.round)
    if due is None:
        return play.does(Proceed())
    shown = play.round.board_shown if due.place == BOARD else 0
    return play.does(TurnOver(due.place, cards[due.place][shown : shown + due.cards]))


def planted_deck(play: Play, random: Random) -> Cards:
    """A shuffled deck; half of them hold six suited cards in a row where they matter."""
    deck = random.sample(DECK, 52)
    if random.random() < 0.5:
        plant(
            deck, random.choice(PLANTED), random.choice([12, 12, 11, 9, 6, 5]), random.randrange(4)
        )
    round = play.round
    order = deal_order(round.rules.dealing, round.dealt_seats(), round.rules.offers(Wager.ALL_6))
    cards: dict[str, Sequence[int]] = {DEALER: deck[:2], BOARD: deck[2:7], ALL_6_PLACE: deck[7:11]}
    for i, seat in enumerate(round.dealt_seats()):
        cards[seat_place(seat)] = deck[11 + 2 * i : 13 + 2 * i]
    return build_deck(order, {place: cards[place] for place in order})


def random_bets(play: Play, random: Random) -> dict[int, dict[Wager, int]]:
    rules = play.table.rules
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)]
    bets = {}
    for seat in random.sample(SEATS, random.randint(1, 6)):
        ante = random.choice((500, 1_500, 2_500))
        sides = random.sample(offered, random.randint(0, min(rules.max_side_wagers, len(offered))))
        bets[seat] = {Wager.ANTE: ante, Wager.ODDS: ante} | {
            wager: rules.progressive_stake if wager is Wager.PROGRESSIVE else 500 for wager in sides
        }
    return bets


def place_random_bets(play: Play, random: Random) -> None:
    play.does(OpenRound())
    play.does(*(PlaceBets(seat, bets) for seat, bets in random_bets(play, random).items()))
    play.does(CloseBets())


def play_twins(shoe: Play, felt: Play, random: Random, with_reports: bool = True) -> None:
    """One random round at both tables with the same deck, now and then with an irregularity."""
    bets = random_bets(shoe, random)
    for play in (shoe, felt):
        play.does(OpenRound(), *(PlaceBets(seat, wagers) for seat, wagers in bets.items()))
        play.does(CloseBets())
    deck = planted_deck(shoe, random)
    cards = lying(felt.round, deck)
    shoe.does(DealCards(deck))
    felt.does(DealFaceDown())
    report = random.choice([None] * 6 + ["dealer_card_exposed", "player_card_count", "foul_deck"])
    report = report if with_reports else None
    reported_at = random.choice((Phase.POCKET, Phase.FLOP, Phase.RIVER))
    while shoe.phase is not Phase.CLOSED:
        phase = shoe.phase
        if phase is reported_at and report is not None:
            seat = shoe.round.seats_owing()[0] if report == "player_card_count" else None
            for play in (shoe, felt):
                play.does(irregularity_report(report, seat))
            report = None
        elif phase in STREET_BY_PHASE:
            for command in random_decisions(shoe.round, random):
                shoe.does(command)
                felt.does(command)
        else:
            shoe.does(Proceed())
            while _is_behind(felt.round, shoe.round):
                turn_over_due(felt, cards)
    while felt.phase is not Phase.CLOSED:
        turn_over_due(felt, cards)


def _is_behind(felt: Round, shoe: Round) -> bool:
    order = tuple(Phase)
    settled = order.index(Phase.SETTLEMENT_DUE)
    return order.index(felt.phase) < min(order.index(shoe.phase), settled)


def random_decisions(round: Round, random: Random) -> Iterator[Check | Raise | Fold]:
    street = STREET_BY_PHASE[round.phase]
    for seat in round.seats_owing():
        if random.random() < 0.4:
            yield Raise(seat, random.choice(round.rules.raises[street]))
        else:
            yield Fold(seat) if round.phase is Phase.RIVER else Check(seat)


def evening(random: Random, rounds: int) -> list[Command]:
    """The commands of some rounds with a real deck, with a correction and a void."""
    play = Play()
    script: list[Command] = []

    def does(*commands: Command) -> None:
        play.does(*commands)
        script.extend(commands)

    does(opening("new-york", shuffle=ShuffleSource.TURNED_OVER))
    for seat in SEATS:
        does(Sit(seat, f"P{seat}"), BuyIn(seat, 100_000))
    for number in range(rounds):
        does(OpenRound())
        does(*(PlaceBets(seat, bets) for seat, bets in random_bets(play, random).items()))
        does(CloseBets(), DealFaceDown())
        deck = random.sample(DECK, 52)
        cards, spare = lying(play.round, deck), deck[51]
        while play.phase is not Phase.CLOSED:
            if play.phase in STREET_BY_PHASE:
                does(*random_decisions(play.round, random))
                continue
            due = cards_due(play.round)
            if due is None:
                does(Proceed())
                continue
            if number == 1 and play.phase is Phase.RIVER_DUE:
                does(irregularity_report("foul_deck"))
                continue
            shown = play.round.board_shown if due.place == BOARD else 0
            right = cards[due.place][shown : shown + due.cards]
            if due.place.startswith("seat") and number == 0:
                does(TurnOver(due.place, (spare, right[1])))
                does(CorrectCards(due.place, right, "read wrongly"))
            else:
                does(TurnOver(due.place, right))
    return script
