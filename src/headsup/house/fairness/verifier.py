"""Check that decks of cards were sealed before the bets: python verifier.py FILE

It needs Python, and nothing else. The file is what the table published after a round, or many of
them, as a list or one on each line:

    {"fair": 1, "table": "T1", "round": 12, "commitment": "...", "server_seed": "...",
     "player_seeds": {"3": "my own words"}, "deck": "AsKd..."}

Compare the commitment with the one you were shown before you bet, and your seed with your own.
Then this program shows that the server seed is the one the commitment was made from, and that the
deck follows from it and the players' seeds: the house could not choose the cards after it had seen
the bets. The exit status is 1 if a round is not fair, 2 if something is no such round.
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
    lines = ["headsup shuffle", table, number, json.dumps(seeds)]
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
        yield from map(int, f"{int.from_bytes(block, 'big'):0256b}")
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
        if not isinstance(round[key], str) or not re.fullmatch("[0-9a-f]{64}", round[key]):
            raise Unreadable(f"{key}: must be 64 hexadecimal digits in lower case")
    seeds = round["player_seeds"]
    texts = isinstance(seeds, dict) and all(isinstance(seed, str) for seed in seeds.values())
    if not texts or not set(seeds) <= set("123456"):
        raise Unreadable("player_seeds: must be an object, seats from 1 to 6 to seeds as text")
    if not isinstance(round["deck"], str) or len(round["deck"]) != 104:
        raise Unreadable("deck: must be 52 cards")


def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise Unreadable("a key stands twice")
    return dict(pairs)


def read(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=no_repeats)
    except (ValueError, RecursionError):
        raise Unreadable("not JSON") from None


def rounds_in(text: str) -> list[str]:
    """Each round as JSON: those of a list, those on the lines, or the one that the text is."""
    if text.lstrip().startswith("["):
        return [json.dumps(one) for one in read(text)]
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return lines if lines and lines[0][0] + lines[0][-1] == "{}" else [text]


def check(text: str, name: str) -> int:
    try:
        round = read(text)
        verify(round)
    except Unreadable as why:
        print(f"{name}not a published round: {why}", file=sys.stderr)
        return 2
    except Unfair as unfair:
        print(f"{name}NOT FAIR: table {round['table']} round {round['round']}: {unfair}")
        return 1
    print(name + "fair: table {table} round {round}, sealed as {commitment}".format(**round))
    return 0


def main(file: str) -> int:
    try:
        with open(file, encoding="utf-8") as opened:
            texts = rounds_in(opened.read())
    except (OSError, UnicodeDecodeError, Unreadable) as error:
        print(f"{file}: cannot be read, or not a published round: {error}", file=sys.stderr)
        return 2
    if len(texts) == 1:
        return check(texts[0], "")
    found = [check(text, f"{at} of {len(texts)}: ") for at, text in enumerate(texts, 1)]
    print(f"{found.count(0)} of {len(found)} are fair")
    return 1 if 1 in found else max(found, default=2)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else 2)
