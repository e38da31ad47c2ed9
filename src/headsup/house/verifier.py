"""Check that a deck of cards was sealed before the bets. Needs Python, and nothing else.

    python verifier.py round.json

The file is what the table published after the round:

    {"fair": 1, "table": "T1", "round": 12, "commitment": "...", "server_seed": "...",
     "player_seeds": {"3": "my own words"}, "deck": "AsKd..."}

Compare the commitment with the one you were shown before you bet, and your seed with your own.
Then this program shows two things: the server seed is the one the commitment was made from, and
the deck follows from the server seed and the players' seeds. So the house could not choose the
cards after it had seen the bets.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from typing import Any

KEYS = {"fair", "table", "round", "commitment", "server_seed", "player_seeds", "deck"}
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
MOST_BYTES = 100_000  # a published round is far smaller


class Unfair(Exception):
    """The round is not what was promised."""


class Unreadable(Exception):
    """Not a published round at all, so nothing can be said about it."""


def verify(round: Any) -> None:
    """Raise Unfair unless commitment, seeds and deck belong together; Unreadable if it has none."""
    check_form(round)
    table, number = json.dumps(round["table"]), str(round["round"])
    server_seed = bytes.fromhex(round["server_seed"])

    lines = ["headsup commitment", table, number, round["server_seed"]]
    commitment = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    if commitment != round["commitment"]:
        raise Unfair("the server seed is not the one that was committed to")

    seeds = sorted((int(seat), seed) for seat, seed in round["player_seeds"].items())
    lines = ["headsup shuffle", table, number, json.dumps([list(pair) for pair in seeds])]
    deck = shuffle(server_seed, "\n".join(lines))
    if "".join(deck) != round["deck"]:
        raise Unfair("the deck does not follow from the seeds")


def shuffle(server_seed: bytes, start: str) -> list[str]:
    """Fisher-Yates from the last card down; numbers that are too large are drawn again."""
    bits = random_bits(server_seed, start)
    deck = list(CARDS)
    for last in range(51, 0, -1):
        other = last + 1
        while other > last:
            other = 0
            for _ in range(last.bit_length()):
                other = other * 2 + next(bits)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def random_bits(server_seed: bytes, start: str) -> Iterator[int]:
    """The bits of HMAC-SHA-256(server seed, start + counter), highest first, without end."""
    counter = 0
    while True:
        block = hmac.new(server_seed, f"{start}\n{counter}".encode(), hashlib.sha256).digest()
        for byte in block:
            for place in range(7, -1, -1):
                yield byte >> place & 1
        counter += 1


def check_form(round: Any) -> None:
    """Only the one exact spelling is accepted, so that nothing can be read in two ways."""
    if not isinstance(round, dict) or set(round) != KEYS:
        raise Unreadable("one has the keys " + ", ".join(sorted(KEYS)))
    if type(round["fair"]) is not int or round["fair"] != 1:
        raise Unreadable("fair: this program knows version 1")
    if not isinstance(round["table"], str):
        raise Unreadable("table: must be text")
    if type(round["round"]) is not int or not 1 <= round["round"] < 10**12:
        raise Unreadable("round: must be a whole number from 1")
    for key in ("commitment", "server_seed"):
        if not is_hex(round[key]):
            raise Unreadable(f"{key}: must be 64 hexadecimal digits in lower case")
    seeds = round["player_seeds"]
    if not isinstance(seeds, dict):
        raise Unreadable("player_seeds: must be an object, seat to seed")
    for seat, seed in seeds.items():
        if seat not in ("1", "2", "3", "4", "5", "6") or not isinstance(seed, str):
            raise Unreadable("player_seeds: a seat from 1 to 6, and its seed as text")
    if not isinstance(round["deck"], str) or len(round["deck"]) != 104:
        raise Unreadable("deck: must be 52 cards")


def is_hex(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise Unreadable("a key stands twice")
    return dict(pairs)


def read(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=no_repeats)
    except (ValueError, RecursionError):
        raise Unreadable("not JSON") from None


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python verifier.py FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            text = file.read(MOST_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        print(f"{arguments[0]}: cannot be read: {error}", file=sys.stderr)
        return 2
    try:
        round = read(text)
        verify(round)
    except Unreadable as why:
        print(f"{arguments[0]}: not a published round: {why}", file=sys.stderr)
        return 2
    except Unfair as unfair:
        print(f"NOT FAIR: {unfair}")
        return 1
    print(f"fair: table {round['table']} round {round['round']}, sealed as {round['commitment']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
