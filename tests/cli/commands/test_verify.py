"""`headsup verify`, from a game to the proof of its shuffles."""

import json
from pathlib import Path
from typing import Any

import pytest

from headsup.house.fairness.sealed_shuffles import Seal
from tests.support.cli.run import headsup, piped, refusal_sentence

SECRET = bytes(range(32))


def published(number: int = 1, **change: Any) -> dict[str, Any]:
    return Seal("T1", number, SECRET).publish({3: "my own words"}) | change


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "round.json"


def test_a_fair_round(file: Path) -> None:
    file.write_text(json.dumps(published(), indent=2))
    answer = headsup("verify", file)
    sealed = published()["commitment"]
    assert answer == (0, f"fair: table T1 round 1, sealed as {sealed}\n", "")
    answer = headsup("verify", "-", "--json", stdin=file.read_bytes())
    assert answer.json == {"fair": True, "table": "T1", "round": 1, "commitment": sealed}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"round": 2}, "the server seed is not the one that was committed to"),
        ({"player_seeds": {}}, "the deck does not follow from the seeds"),
        ({"deck": published(2)["deck"]}, "the deck does not follow from the seeds"),
    ],
)
def test_an_unfair_round(file: Path, change: dict[str, Any], reason: str) -> None:
    file.write_text(json.dumps(published() | change))
    answer = headsup("verify", file)
    assert (answer.code, answer.err) == (1, "")
    number = change.get("round", 1)
    assert answer.out.startswith(f"NOT FAIR: table T1 round {number}: {reason}")


def test_every_line_of_a_file_gets_a_verdict(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    lines = [published(1), published(2, round=7), published(3)]
    file.write_text("\n".join(map(json.dumps, lines)) + "\n\nnot a round\n")
    answer = headsup("verify", file, "--json")
    assert (answer.code, answer.err) == (1, "headsup: 1 of 4 are not published rounds\n")
    assert [(line["line"], line.get("fair")) for line in answer.lines] == [
        (1, True),
        (2, False),
        (3, True),
        (5, None),
    ]
    assert answer.lines[3]["error"]["code"] == "not_a_published_round"
    output = headsup("verify", file).out
    assert "line 2: NOT FAIR" in output
    assert "line 5: refused: is not a published round: not JSON" in output


@pytest.mark.parametrize("indent", [None, 2])
def test_every_round_of_a_list_gets_a_verdict(file: Path, indent: int | None) -> None:
    many = [published(number) for number in range(1, 301)]  # longer than any one round
    file.write_text(json.dumps(many, indent=indent))
    answer = headsup("verify", file, "--json")
    assert (answer.code, len(answer.lines)) == (0, 300)
    assert answer.lines[299] == {
        "fair": True,
        "table": "T1",
        "round": 300,
        "commitment": many[299]["commitment"],
        "number": 300,
    }
    file.write_text(json.dumps([published(1), published(2, round=7), 3], indent=indent))
    answer = headsup("verify", file)
    assert (answer.code, answer.err) == (1, "headsup: 1 of 3 are not published rounds\n")
    assert "number 2: NOT FAIR: table T1 round 7: the server seed is not" in answer.out
    assert "number 3: refused: is not a published round" in answer.out


def test_a_line_that_is_not_a_round_does_not_make_a_file_unfair(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(json.dumps(published()) + "\n[]\n")
    answer = headsup("verify", file)
    assert refusal_sentence(answer) == "1 of 2 are not published rounds"
    assert "NOT FAIR" not in answer.out


def test_unreadable_input_is_refused(file: Path) -> None:
    assert "cannot be read" in refusal_sentence(headsup("verify", file))
    file.write_text(" \n")
    assert "is empty" in refusal_sentence(headsup("verify", file))


@pytest.mark.parametrize("text", ["{", "[]", "null", "1" * 5000, "[" * 5000, "\x00", '{"a":1}' * 9])
def test_input_that_is_not_a_round_is_refused_not_called_unfair(file: Path, text: str) -> None:
    file.write_text(text)
    answer = headsup("verify", file, "--json")
    assert refusal_sentence(answer).startswith(f"{file}: is not a published round: ")
    assert answer.json["error"]["code"] == "not_a_published_round"


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"more": 1}, "it must have the keys commitment, deck"), ({"deck": "As"}, "deck: must be 52")],
)
def test_a_round_in_an_unknown_format_is_refused(
    file: Path, change: dict[str, Any], reason: str
) -> None:
    file.write_text(json.dumps(published() | change))
    assert f"is not a published round: {reason}" in refusal_sentence(headsup("verify", file))


def test_oversized_input_is_refused(file: Path) -> None:
    file.write_text(json.dumps(published()) + " " * 200_000)
    assert "far too long" in refusal_sentence(headsup("verify", file))


def test_from_a_game_to_its_proof(tmp_path: Path) -> None:
    """The seal is shown before the bets; the log gives what verify checks."""
    log = tmp_path / "log.jsonl"
    keys = "".join(f"{key}\n" for key in ("", "c", "c", "f", "v", "", "c", "c", "f", "q"))
    words = ("play", "--rules", "galaxy-wpt", "--no-save", "--my-seed", "luck ♠", "--log", str(log))
    game = piped(tmp_path, *words, keys=keys)
    assert (game.code, game.err) == (0, "")
    proofs = headsup("replay", log, "--fair")
    assert [line["round"] for line in proofs.lines] == [1, 2]
    for line in proofs.lines:
        assert line["player_seeds"] == {"1": "luck ♠"}
        assert f"sealed before you bet: {line['commitment'][:16]}…" in game.out
        assert line["commitment"] in game.out, "the page has it whole"
    shown = game.out.index(f"sealed before you bet: {proofs.lines[0]['commitment'][:16]}")
    assert shown < game.out.index("Enter deal"), "before the bets"
    assert proofs.lines[0]["server_seed"] in game.out, "the page says how it was opened"
    assert "fair: seal, seeds and cards match" in game.out
    assert headsup("verify", "-", stdin=proofs.out.encode()).code == 0
    (second,) = headsup("replay", log, "--fair", "--round", 2).lines
    assert second == proofs.lines[1]
    assert headsup("audit", log).code == 0


def test_the_server_seed_is_not_shown_before_the_round_is_over(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    keys = "".join(f"{key}\n" for key in ("v", "", "v", "c", "c", "v", "f", "q"))
    game = piped(
        tmp_path, "play", "--rules", "galaxy-wpt", "--no-save", "--log", str(log), keys=keys
    )
    (round,) = headsup("replay", log, "--fair").lines
    assert round["server_seed"] not in game.out
    text = log.read_text()
    assert text.index("RoundClosed") < text.index(round["server_seed"])
    naming = [entry for entry in text.splitlines() if round["server_seed"] in entry]
    assert len(naming) == 1
    assert "ShuffleOpened" in naming[0]


def test_a_replayed_round_starts_with_its_seal_and_ends_with_its_opening(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    keys = "".join(f"{key}\n" for key in ("", "c", "c", "f", "", "c", "c", "f", "q"))
    words = ("play", "--rules", "galaxy-wpt", "--no-save", "--my-seed", "x", "--log", str(log))
    piped(tmp_path, *words, keys=keys)
    events = [
        line["event"]["event"] for line in headsup("replay", log, "--round", 1, "--json").lines
    ]
    assert events[:3] == ["ShuffleSealed", "SeedAdded", "RoundOpened"]
    assert events[-1] == "ShuffleOpened"
    assert events.count("ShuffleSealed") == 1
    assert "The shuffle of round 1 is sealed: " in headsup("replay", log).out


def test_a_game_dealt_from_a_seed_cannot_be_verified(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    game = piped(tmp_path, "play", "--seed", "x", "--no-save", "--log", str(log), keys="v\nq\n")
    assert "not sealed" in game.out
    assert "to replay" in refusal_sentence(headsup("replay", log, "--fair"))


@pytest.mark.parametrize("seed", ["x" * 65, "line\nbreak", "\udc80"])
def test_a_players_seed_is_short_and_printable(seed: str, tmp_path: Path) -> None:
    assert "1 to 64 printable" in refusal_sentence(piped(tmp_path, "play", "--my-seed", seed))


def test_a_dealing_seed_and_a_players_seed_exclude_each_other(tmp_path: Path) -> None:
    assert "--my-seed" in refusal_sentence(piped(tmp_path, "play", "--seed", "a", "--my-seed", "b"))
