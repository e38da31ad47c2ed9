"""Checks that decks of cards were fixed before the bets: python verifier.py FILE

You need only Python. FILE holds one published round, or several, as a list or one per line:

    {"fair": 1, "table": "T1", "round": 12, "commitment": "...", "server_seed": "...",
     "player_seeds": {"3": "my own words"}, "deck": "AsKd..."}

Compare the commitment with the one you saw before you bet, and your seed with your own. This
program checks that the commitment was made from the server seed, and the deck from the server seed
and the players' seeds: then the house could not choose the cards after it had seen the bets. The
exit status is 1 if a round is not fair, 2 if it is not a published round.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

KEYS = {"fair", "table", "round", "commitment", "server_seed", "player_seeds", "deck"}
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


class Unfair(Exception):
    """The round does not match its commitment."""


class Unreadable(Exception):
    """Not a published round, so there is nothing to check."""


def verify(round: Any) -> None:
    """Raise Unfair unless commitment, seeds and deck match, Unreadable if the form is wrong."""
    check_form(round)
    table, number = json.dumps(round["table"]), str(round["round"])
    server_seed = bytes.fromhex(round["server_seed"])

    lines = ["headsup commitment", table, number, round["server_seed"]]
    commitment = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    if commitment != round["commitment"]:
        raise Unfair("the server seed is not the one that was committed to")

    seeds = sorted((int(seat), seed) for seat, seed in round["player_seeds"].items())
    lines = ["headsup shuffle", table, number, json.dumps(seeds)]
    deck = shuffle(server_seed, "\n".join(lines))
    if "".join(deck) != round["deck"]:
        raise Unfair("the deck does not follow from the seeds")


def shuffle(server_seed: bytes, start: str) -> list[str]:
    """Fisher-Yates from the last card down. Numbers that are too large are drawn again."""
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
    """The bits of HMAC-SHA-256(server seed, start + counter), highest first, endlessly."""
    counter = 0
    while True:
        block = hmac.new(server_seed, f"{start}\n{counter}".encode(), hashlib.sha256).digest()
        yield from map(int, f"{int.from_bytes(block, 'big'):0256b}")
        counter += 1


def check_form(round: Any) -> None:
    """Accept exactly one spelling, so that nothing can be read in two ways."""
    if not isinstance(round, dict) or set(round) != KEYS:
        raise Unreadable("it must have the keys " + ", ".join(sorted(KEYS)))
    if type(round["fair"]) is not int or round["fair"] != 1:
        raise Unreadable("fair: must be 1, the version this program knows")
    if not isinstance(round["table"], str):
        raise Unreadable("table: must be text")
    if type(round["round"]) is not int or not 1 <= round["round"] < 10**12:
        raise Unreadable("round: must be a whole number from 1")
    for key in ("commitment", "server_seed"):
        if not isinstance(round[key], str) or not re.fullmatch("[0-9a-f]{64}", round[key]):
            raise Unreadable(f"{key}: must be 64 hexadecimal digits in lower case")
    seeds = round["player_seeds"]
    texts = isinstance(seeds, dict) and all(isinstance(seed, str) for seed in seeds.values())
    if not texts or not set(seeds) <= set("123456"):
        raise Unreadable("player_seeds: must be an object with seats 1 to 6 and a text for each")
    if not isinstance(round["deck"], str) or len(round["deck"]) != 104:
        raise Unreadable("deck: must be 52 cards")


def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise Unreadable("a key occurs twice")
    return dict(pairs)


def read(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=no_repeats)
    except (ValueError, RecursionError):
        raise Unreadable("not JSON") from None


def rounds_in(text: str) -> list[str]:
    """Each round as JSON: from a list, from lines, or the whole text as one round."""
    if text.lstrip().startswith("["):
        return [json.dumps(round) for round in read(text)]
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return lines if lines and lines[0][0] + lines[0][-1] == "{}" else [text]


def check(text: str, name: str) -> int:
    try:
        round = read(text)
        verify(round)
    except Unreadable as error:
        print(f"{name}not a published round: {error}", file=sys.stderr)
        return 2
    except Unfair as unfair:
        print(f"{name}NOT FAIR: table {round['table']} round {round['round']}: {unfair}")
        return 1
    print(name + "fair: table {table} round {round}, sealed as {commitment}".format(**round))
    return 0


def main(file: str) -> int:
    try:
        with open(file, encoding="utf-8") as stream:
            texts = rounds_in(stream.read())
    except (OSError, UnicodeDecodeError, Unreadable) as error:
        print(f"{file}: cannot be read, or not a published round: {error}", file=sys.stderr)
        return 2
    if len(texts) == 1:
        return check(texts[0], "")
    results = [check(text, f"{i} of {len(texts)}: ") for i, text in enumerate(texts, 1)]
    print(f"{results.count(0)} of {len(results)} are fair")
    return 1 if 1 in results else max(results, default=2)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else 2)
