"""A12: decks are sealed before the bets, and anybody can check it."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headsup.game.values.cards import DECK
from headsup.house.fairness import verifier
from headsup.house.fairness.sealed_shuffles import Seal, SecretSealer, fresh_secret

VERIFIER = Path(verifier.__file__)
SECRET = bytes(range(32))


def published(number: int = 12, **seeds: str) -> dict[str, Any]:
    players = {int(seat.removeprefix("seat")): text for seat, text in seeds.items()}
    return Seal("T1", number, SECRET).publish(players)


def test_the_deck_of_a_seal_is_the_same_for_all_time() -> None:
    """A pinned round: if the method changed, published rounds could no longer be checked."""
    round = published(seat3="my own words")
    assert round["commitment"] == (
        "dbdc6662cd6ddc7544bce875a60a0f5dcf67a9972efb5a2b2cad17bafd92490a"
    )
    assert str(round["deck"]).startswith("As2d9c6s8d3dTsQc4d4s")
    verifier.verify(round)


def test_every_seal_deals_all_52_cards_and_no_two_are_alike() -> None:
    sealer = SecretSealer(fresh_secret(), "F")
    seals = [sealer.seal("T1", number) for number in range(1, 200)]
    assert len({one.commitment for one in seals}) == len(seals)
    for one in seals:
        assert sorted(one.deck({})) == list(DECK)


def test_a_players_seed_changes_the_deck_and_no_commitment() -> None:
    one, other = published(seat1="a"), published(seat1="b")
    assert one["commitment"] == other["commitment"]
    assert one["deck"] != other["deck"]
    assert published(seat1="a")["deck"] != published(seat2="a")["deck"]


def test_a_seal_belongs_to_one_round_of_one_table() -> None:
    seals = [Seal("T1", 1, SECRET), Seal("T1", 2, SECRET), Seal("T2", 1, SECRET)]
    assert len({one.commitment for one in seals}) == 3
    assert len({one.deck({}) for one in seals}) == 3


def test_texts_of_players_and_tables_are_unambiguous() -> None:
    """Quotes, newlines and brackets in seeds and names are unambiguous."""
    nasty = ['a","2":"b', 'x"], [2, "y', "line\nbreak", "\\", "ünï", '"', ""]
    decks = [Seal("T1", 1, SECRET).deck({1: text}) for text in nasty]
    decks.append(Seal("T1", 1, SECRET).deck({1: "a", 2: "b"}))
    assert len(set(decks)) == len(decks)
    for text in nasty:
        verifier.verify(Seal(text, 1, SECRET).publish({6: text}))


def test_the_secret_is_never_shown_by_accident() -> None:
    sealer = SecretSealer(fresh_secret(), "F")
    one = sealer.seal("T1", 1)
    for shown in (repr(one), f"{one}", repr([one]), repr(sealer), f"{sealer}"):
        assert one.server_seed.hex() not in shown
        assert sealer.secret.hex() not in shown
        assert repr(sealer.secret) not in shown


def test_a_seal_is_made_again_from_the_houses_secret() -> None:
    """A server that restarts, or takes over a floor, deals and opens the sealed rounds."""
    secret = fresh_secret()
    assert SecretSealer(secret, "F").seal("T1", 7) == SecretSealer(secret, "F").seal("T1", 7)
    others = [
        SecretSealer(secret, "F").seal("T1", 8),
        SecretSealer(secret, "F").seal("T2", 7),
        SecretSealer(secret, "G").seal("T1", 7),
        SecretSealer(fresh_secret(), "F").seal("T1", 7),
    ]
    seeds = {
        SecretSealer(secret, "F").seal("T1", 7).server_seed,
        *(one.server_seed for one in others),
    }
    assert len(seeds) == 5


def test_the_verifier_shares_no_code_with_the_house() -> None:
    text = VERIFIER.read_text(encoding="utf-8")
    assert "headsup." not in text.replace("headsup commitment", "").replace("headsup shuffle", "")
    assert len(text.splitlines()) < 150


def test_the_verifier_runs_alone(tmp_path: Path) -> None:
    alone = tmp_path / "verifier.py"
    alone.write_bytes(VERIFIER.read_bytes())
    file = tmp_path / "round.json"
    file.write_text(json.dumps(published(seat3="my own words"), indent=1))
    run = _run(alone, file)
    assert (run.returncode, run.stdout[:22]) == (0, "fair: table T1 round 1"), run.stderr
    file.write_text(json.dumps(published() | {"round": 13}))
    run = _run(alone, file)
    assert (run.returncode, run.stdout[:28]) == (1, "NOT FAIR: table T1 round 13:")
    for text, why in (
        ("{", "not JSON"),
        ("[{]", "not JSON"),
        ("{}", "it must have the keys"),
        ('{"a":1,"a":2}', "twice"),
    ):
        file.write_text(text)
        run = _run(alone, file)
        assert (run.returncode, run.stdout) == (2, "")
        assert "not a published round" in run.stderr
        assert why in run.stderr
    run = _run(alone)
    assert (run.returncode, run.stdout) == (2, "")
    assert "python verifier.py FILE" in run.stderr


def _lines(rounds: list[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, rounds)) + "\n\n"


@pytest.mark.parametrize("written", [json.dumps, lambda all: json.dumps(all, indent=1), _lines])
def test_the_verifier_reads_many_rounds_and_names_the_one_that_fails(
    tmp_path: Path, written: Callable[[list[dict[str, Any]]], str]
) -> None:
    file = tmp_path / "rounds"
    file.write_text(written([published(1), published(2, seat3="luck"), published(3)]))
    run = _run(VERIFIER, file)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines()[1].startswith("2 of 3: fair: table T1 round 2, sealed as ")
    assert run.stdout.endswith("\n3 of 3 are fair\n")
    file.write_text(written([published(1), published(2) | {"player_seeds": {"1": "x"}}, {}]))
    run = _run(VERIFIER, file)
    assert run.returncode == 1, "not fair comes before not readable"
    assert "2 of 3: NOT FAIR: table T1 round 2: the deck does not follow" in run.stdout
    assert "3 of 3: not a published round: it must have the keys" in run.stderr
    assert run.stdout.endswith("\n1 of 3 are fair\n")
    file.write_text(written([published(1), {}]))
    assert _run(VERIFIER, file).returncode == 2


def test_no_rounds_at_all_are_not_fair(tmp_path: Path) -> None:
    file = tmp_path / "rounds.json"
    for text in ("[]", "", "\n"):
        file.write_text(text)
        assert _run(VERIFIER, file).returncode == 2


def _run(*words: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", *words], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_twenty_thousand_seals_pass_the_independent_verifier() -> None:
    chance = random.Random(7)
    for number in range(1, 20_001):
        one = Seal(f"T{chance.randrange(9)}", number, chance.randbytes(32))
        seats = chance.sample(range(1, 7), chance.randrange(7))
        seeds = {seat: chance.randbytes(chance.randrange(20)).hex() for seat in seats}
        verifier.verify(one.publish(seeds))


@pytest.mark.slow
def test_ten_thousand_changed_rounds_are_all_rejected() -> None:
    chance = random.Random(8)
    text = json.dumps(published(seat3="my own words", seat5="luck"))
    rejected = 0
    for _ in range(10_000):
        changed = mutated(text, chance)
        try:
            verifier.verify(verifier.read(changed))
        except (verifier.Unfair, verifier.Unreadable):
            rejected += 1
    assert rejected == 10_000


def mutated(text: str, chance: random.Random) -> str:
    """The text with one visible change: a character replaced, removed, doubled or swapped."""
    while True:
        place = chance.randrange(len(text) - 1)
        kind = chance.randrange(4)
        if kind == 0:
            other = text[:place] + chance.choice('0123456789abcdefAKs"{}:, ') + text[place + 1 :]
        elif kind == 1:
            other = text[:place] + text[place + 1 :]
        elif kind == 2:
            other = text[: place + 1] + text[place:]
        else:
            other = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
        if not same(other, text):
            return other


def same(one: str, other: str) -> bool:
    """Whether both texts mean the same, apart from white space and the like."""
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False
