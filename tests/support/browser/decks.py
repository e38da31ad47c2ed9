"""Decks that give known rounds."""

from collections.abc import Callable

from headsup.game.round.dealing import ALL_6, BOARD, DEALER, build_deck, deal_order, seat_place
from headsup.game.values.cards import DECK, parse_cards

PLAIN = ("9c5d", "KhQd", "2c7dJh3s8h")  # loses to the dealer's king high, who does not qualify


BEATEN = ("9c5d", "KhKd", "2c7dJh3s8h")


BAD_BEAT = ("4h3h", "2h2s", "AhKh9h2c2d")


WINNER = ("AhAd", "KhKd", "2c7dJh3s8h")


def dealing(*rounds: tuple[str, str, str]) -> Callable[[int], tuple[int, ...]]:
    """Decks for rounds with one player at seat 1: the player's cards, the dealer's, the board."""
    where = deal_order("hand", (1,), True)

    def deck(number: int) -> tuple[int, ...]:
        hole, dealer, board = rounds[min(number, len(rounds)) - 1]
        texts = {seat_place(1): hole, DEALER: dealer, BOARD: board}
        cards = {place: parse_cards(text) for place, text in texts.items()}
        used = {card for held in cards.values() for card in held}
        rest = [card for card in DECK if card not in used]
        return build_deck(where, {**cards, ALL_6: rest[:4]})

    return deck
