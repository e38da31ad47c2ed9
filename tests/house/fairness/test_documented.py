"""A verifier written from docs/fairness.md alone, without Python's JSON writer."""

import hashlib
import hmac
import json
import random
from typing import Any

from headsup.house.fairness.sealed_shuffles import Seal
from tests.support.cli.run import ROOT

SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def json_string(text: str) -> str:
    written = ""
    for character in text:
        if character in SHORT:
            written += SHORT[character]
        elif " " <= character <= "~":
            written += character
        else:
            units = character.encode("utf-16-be", "surrogatepass")
            for at in range(0, len(units), 2):
                written += f"\\u{units[at]:02x}{units[at + 1]:02x}"
    return f'"{written}"'


def is_fair(round: dict[str, Any]) -> bool:
    place = f"{json_string(round['table'])}\n{round['round']}\n"
    seed = round["server_seed"]
    commitment = hashlib.sha256(f"headsup commitment\n{place}{seed}".encode("ascii"))
    if commitment.hexdigest() != round["commitment"]:
        return False
    seeds = round["player_seeds"]
    pairs = (f"[{seat}, {json_string(seeds[seat])}]" for seat in sorted(seeds, key=int))
    start = f"headsup shuffle\n{place}[{', '.join(pairs)}]\n"
    bits, block = "", 0
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    for i in range(51, 0, -1):
        count = len(bin(i)) - 2
        while True:
            while len(bits) < count:
                text = f"{start}{block}".encode("ascii")
                digest = hmac.digest(bytes.fromhex(seed), text, "sha256")
                bits += "".join(f"{byte:08b}" for byte in digest)
                block += 1
            j, bits = int(bits[:count], 2), bits[count:]
            if j <= i:
                break
        cards[i], cards[j] = cards[j], cards[i]
    return "".join(cards) == str(round["deck"])


def test_a_verifier_written_from_the_page_accepts_the_example() -> None:
    round = json.loads((ROOT / "docs" / "examples" / "fair-round.json").read_text())
    assert is_fair(round)
    assert not is_fair({**round, "deck": round["deck"][2:] + round["deck"][:2]})
    assert not is_fair({**round, "round": round["round"] + 1})


def test_a_verifier_written_from_the_page_accepts_what_the_house_publishes() -> None:
    chance = random.Random(7)
    texts = ["my own words", "", "ünï – 🂡", 'a", [2, "b', "tab\tline\nback\\ \x00\x1f\x7f"]
    for _ in range(200):
        seats = chance.sample(range(1, 7), chance.randrange(7))
        seeds = {seat: chance.choice(texts) for seat in seats}
        seal = Seal(
            chance.choice(["T1", "Tisch 3", "桌"]), chance.randrange(1, 10**6), chance.randbytes(32)
        )
        assert is_fair(seal.publish(seeds))
