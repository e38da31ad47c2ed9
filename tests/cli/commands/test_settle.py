"""`headsup settle`, end to end."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.run import EXAMPLE, headsup, refusal_sentence, run_process

ROUND: dict[str, Any] = json.loads(EXAMPLE.read_text(encoding="utf-8"))
LINE = json.dumps(ROUND)
BAD_LINE = json.dumps({**ROUND, "board": "Kd9c5h5sXx"})
TOML = """
rules = "sugarhouse"
dealer = "AcQd"
board = "Kd9c5h5s2d"

[[seats]]
seat = 4
hole = "KsKh"
ante = "10.00"
odds = "10.00"
raise = { street = "flop", multiple = 2 }
"""


def save_text(folder: Path, text: str | bytes, name: str = "round.json") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# One round.


@pytest.mark.parametrize("indent", [None, 2])
def test_json_is_one_line_or_indented(tmp_path: Path, indent: int | None) -> None:
    answer = headsup("settle", save_text(tmp_path, json.dumps(ROUND, indent=indent)), "--json")
    assert (answer.code, answer.err) == (0, "")
    assert [seat["net"] for seat in answer.json["seats"]] == ["139.00", "-20.00"]
    assert answer.json["meter"] == {"before": "100000.00", "after": "100000.00"}


def test_the_default_output_is_for_people() -> None:
    answer = headsup("settle", EXAMPLE)
    assert answer.code == 0
    assert "Seat 1  K♠ K♥  full house" in answer.out
    assert "+$139.00" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


def test_standard_input() -> None:
    answer = headsup("settle", "-", "--json", stdin=LINE.encode())
    assert answer.json["dealer"]["best"] == "5h5sAcKdQd"


def test_a_toml_round(tmp_path: Path) -> None:
    answer = headsup("settle", save_text(tmp_path, TOML, "round.toml"), "--json")
    (seat,) = answer.json["seats"]
    assert seat["seat"] == 4
    assert {w: line["net"] for w, line in seat["wagers"].items()} == {
        "ante": "10.00",
        "odds": "30.00",
        "raise": "20.00",
    }
    assert answer.json["meter"] is None


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + LINE.encode(),
        json.dumps(ROUND, indent=1).replace("\n", "\r\n").encode(),
        b"\n\n" + LINE.encode() + b"\n\n",
        b"  " + LINE.encode(),
    ],
    ids=["byte order mark", "CRLF", "blank lines around", "indented"],
)
def test_other_line_ends_and_encodings_are_accepted(tmp_path: Path, data: bytes) -> None:
    answer = headsup("settle", save_text(tmp_path, data), "--json")
    assert answer.code == 0
    assert answer.json["seats"][0]["net"] == "139.00"


# Many rounds.


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["rounds.jsonl", "rounds.json", "rounds"])
def test_a_refused_line_does_not_affect_the_others(tmp_path: Path, name: str, ending: str) -> None:
    text = ending.join([LINE, BAD_LINE, "", LINE, ""])
    answer = headsup("settle", save_text(tmp_path, text, name), "--json")
    first, second, third = answer.lines
    assert first == third
    assert first["seats"][0]["net"] == "139.00"
    assert second == {
        "error": {
            "code": "unknown_card",
            "message": "board: 'Xx' is not a card: a rank of 23456789TJQKA or 10, then a suit "
            "of cdhs or ♣♦♥♠, like As",
            "line": 2,
        }
    }
    assert refusal_sentence(answer) == "1 of 3 rounds refused"


def test_line_numbers_include_blank_lines() -> None:
    text = "\n\n".join([LINE, "not json", "[]", LINE])
    answer = headsup("settle", "-", "--json", stdin=text.encode())
    assert [(line["error"]["code"], line["error"]["line"]) for line in answer.lines[1:3]] == [
        ("bad_json", 3),
        ("bad_round", 5),
    ]
    assert refusal_sentence(answer) == "2 of 4 rounds refused"


def test_other_line_separators_inside_text_do_not_end_a_line() -> None:
    line = json.dumps({**ROUND, "note": "a\u2028b\x85c"}, ensure_ascii=False)
    answer = headsup("settle", "-", "--json", stdin=f"{line}\n{line}\n".encode())
    assert (answer.code, len(answer.lines)) == (0, 2)


def test_a_refused_line_for_people() -> None:
    answer = headsup("settle", "-", stdin=f"{LINE}\n{BAD_LINE}\n{LINE}\n".encode())
    assert answer.code == 2
    assert answer.out.count("+$139.00") == 2
    assert "line 2 refused: board: 'Xx' is not a card" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


def test_lines_may_have_rules_of_their_own() -> None:
    other = deepcopy(ROUND) | {"rules": "washington", "paytables": {}, "id": "second"}
    del other["all_6"]
    other["seats"] = other["seats"][1:]
    answer = headsup("settle", "-", "--json", stdin=f"{LINE}\n{json.dumps(other)}\n".encode())
    assert answer.code == 0
    assert answer.lines[1]["id"] == "second"
    assert answer.lines[1]["seats"][0]["wagers"]["ante"]["clause"] == "WA 4"


def test_an_empty_batch_settles_nothing(tmp_path: Path) -> None:
    answer = headsup("settle", save_text(tmp_path, "", "rounds.jsonl"), "--json")
    assert answer == (0, "", "")


# Rules and options from the command line.


def test_set_applies_to_rounds_without_that_option() -> None:
    silent = {key: value for key, value in ROUND.items() if key not in ("paytables", "options")}
    nets = []
    for choice in ("trips_plus=1", "trips_plus=3", "trips_plus=4"):
        answer = headsup(
            "settle", "-", "--json", "--set", choice, stdin=json.dumps(silent).encode()
        )
        nets.append(answer.json["seats"][0]["wagers"]["trips_plus"]["net"])
    assert nets == ["45.00", "40.00", "35.00"]
    stated = headsup("settle", EXAMPLE, "--json", "--set", "trips_plus=4")
    assert stated.json["seats"][0]["wagers"]["trips_plus"]["net"] == "40.00"


def test_set_reaches_nested_options() -> None:
    answer = headsup("settle", EXAMPLE, "--set", "limits.ante.max=5", "--json")
    assert answer.json["error"]["code"] == "above_maximum"


def test_rules_apply_to_rounds_without_their_own() -> None:
    silent = {**ROUND, "paytables": {}}
    del silent["rules"], silent["all_6"]
    silent["seats"] = silent["seats"][1:]
    answer = headsup(
        "settle", "-", "--json", "--rules", "new-york", stdin=json.dumps(silent).encode()
    )
    assert answer.json["seats"][0]["wagers"]["ante"]["clause"] == "NY (e)(7)"


def test_a_rule_book_file_is_used(tmp_path: Path) -> None:
    house = save_text(
        tmp_path,
        'extends = "galaxy"\ntitle = "House [/rules]"\n[options]\npocket_raises = [1, 2, 3]\n',
        "my-house.toml",
    )
    raw = deepcopy(ROUND)
    del raw["rules"]
    raw["seats"][0]["raise"]["multiple"] = 2
    text = json.dumps(raw).encode()
    answer = headsup("settle", "-", "--rules", house, "--json", stdin=text)
    assert answer.json["seats"][0]["wagers"]["raise"]["net"] == "20.00"
    assert "House [/rules]" in headsup("settle", "-", "--rules", house, stdin=text).out


def test_every_mistake_in_a_rule_book_is_reported(tmp_path: Path) -> None:
    house = save_text(
        tmp_path,
        'extends = "galaxy"\ncolour = "red"\n[options]\nflop_raises = [7]\nqualifer = "44"\n',
        "bad.toml",
    )
    raw = json.dumps({key: value for key, value in ROUND.items() if key != "rules"}).encode()
    answer = headsup("settle", "-", "--rules", house, "--json", stdin=raw)
    assert answer.code == 2
    lines = answer.err.splitlines()
    assert len(lines) == 3
    for key in ("colour", "options.flop_raises", "options.qualifer"):
        assert any(line.startswith(f"headsup: {house}: {key}: ") for line in lines)
    assert answer.json["error"]["message"].count(str(house)) == 3


# Refusals.


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"", "empty_file", "there is nothing to settle"),
        (b" \n ", "empty_file", "there is nothing to settle"),
        (b"\xff\xfe\x00\x01", "unreadable_file", "is not UTF-8 text"),
        (LINE.encode("utf-16"), "unreadable_file", "is not UTF-8 text"),
        (b"\x7fELF\x00\x00", "bad_json", "this is not JSON"),
        (b"{", "bad_json", "this is not JSON"),
        (b"[" * 100_000, "bad_json", "nested too deeply"),
        (b"[]", "bad_round", "a round is an object"),
        (BAD_LINE.encode(), "unknown_card", "board: 'Xx' is not a card"),
        (LINE.replace("KsKh", "\\ud800").encode(), "unknown_card", r"seat 1: hole: '\ud800'"),
        (LINE.replace('"10.00"', "NaN", 1).encode(), "bad_money", "seat 1: ante: NaN"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refused_input(tmp_path: Path, data: bytes, code: str, words: str) -> None:
    path = save_text(tmp_path, data)
    plain, for_programs = headsup("settle", path), headsup("settle", path, "--json")
    assert plain.out == ""
    assert words in refusal_sentence(plain)
    error = for_programs.json["error"]
    assert error == {"code": code, "message": refusal_sentence(for_programs)}


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("/no/such/file.json",), "unreadable_file", "/no/such/file.json: cannot be read: No such"),
        (("/",), "unreadable_file", "/: cannot be read: Is a directory"),
        ((EXAMPLE, "--set", "trips_plus"), "bad_set", "--set trips_plus: must be KEY=VALUE"),
        ((EXAMPLE, "--set", "=3"), "bad_set", "--set =3: must be KEY=VALUE"),
        ((EXAMPLE, "--set", "a.b=1", "--set", "a=1"), "bad_set", "--set a=1: a is set twice"),
        (
            (EXAMPLE, "--set", "a=1", "--set", "a.b=1"),
            "bad_set",
            "--set a.b=1: a is already set",
        ),
        ((EXAMPLE, "--set", "a." * 5000 + "b=1"), "bad_set", "nested so deeply"),
        ((EXAMPLE, "--set", "nope=1"), "unknown_option", "options.nope: there is no such option"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refused_commands(words: tuple[object, ...], code: str, sentence: str) -> None:
    answer = headsup("settle", *words, "--json")
    assert sentence in refusal_sentence(answer)
    assert answer.json["error"]["code"] == code


@pytest.mark.parametrize(
    "id", ["[/]", "[bold]x", "[link=file:///etc/passwd]x[/link]", "{x}", "%s", "日本"]
)
def test_an_id_is_shown_as_written(id: str) -> None:
    answer = headsup("settle", "-", stdin=json.dumps({**ROUND, "id": id}).encode())
    assert answer.code == 0
    assert id in answer.out


# As a real process.


@pytest.mark.slow
def test_exit_codes_of_a_real_process(tmp_path: Path) -> None:
    good = run_process("settle", EXAMPLE, "--json")
    assert (good.code, good.err) == (0, "")
    assert good.json["seats"][0]["net"] == "139.00"
    bad = run_process("settle", save_text(tmp_path, BAD_LINE))
    assert refusal_sentence(bad).startswith("board: 'Xx' is not a card")
    batch = run_process("settle", "-", "--json", stdin=f"{LINE}\n{BAD_LINE}\n{LINE}\n".encode())
    assert refusal_sentence(batch) == "1 of 3 rounds refused"
    assert [("error" in line) for line in batch.lines] == [False, True, False]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_utf_8_gets_letters_for_suits(encoding: str) -> None:
    answer = run_process("settle", EXAMPLE, PYTHONIOENCODING=encoding)
    assert (answer.code, answer.err) == (0, "")
    assert "Seat 1  Ks Kh  full house" in answer.out


def test_the_settlement_names_version_and_fingerprint_of_the_rules() -> None:
    """R4: a settlement differs from one under other rules with the same name."""
    plain, other = (
        headsup("settle", "-", "--json", *chosen, stdin=LINE.encode()).json["rules"]
        for chosen in ((), ("--set", "chip_unit=1.00"))
    )
    assert (plain["id"], plain["version"]) == ("galaxy", "1")
    assert len(plain["fingerprint"]) == 64
    assert plain["fingerprint"] != other["fingerprint"]


@pytest.mark.clause("NY (c)(6)")
@pytest.mark.parametrize(
    ("book", "options", "code"),
    [
        ("new-york", {}, "one_position"),
        ("galaxy", {}, None),  # a round that says nothing may come from a table that allows it
        ("galaxy", {"positions_per_player": 1}, "one_position"),
        ("galaxy", {"positions_per_player": 2}, None),
    ],
)
def test_a_player_may_hold_only_the_positions_allowed(
    book: str, options: dict[str, int], code: str | None
) -> None:
    seat = {"ante": "10", "odds": "10", "fold": True, "player": "Ann"}
    seats = [{**seat, "hole": "KsKh"}, {**seat, "hole": "7h2s"}]
    cards = {"dealer": "AcQd", "board": "Kd9c5h5s2d"}
    round = {"rules": book, "options": options, **cards, "seats": seats}
    answer = headsup("settle", "-", "--json", stdin=json.dumps(round).encode())
    assert answer.json.get("error", {}).get("code") == code


def test_a_batch_answers_each_line_as_if_it_were_alone() -> None:
    """A number and a text that equal each other in Python are different values; one is refused."""
    rounds = [
        {**ROUND, "options": {"chip_unit": 0.05}},
        {**ROUND, "options": {"chip_unit": "Decimal('0.05')"}},
        {**ROUND, "options": {"face_up": True}},
        {**ROUND, "options": {"positions_per_player": 1}},
        {**ROUND, "options": {"positions_per_player": True}},
        {**ROUND, "rules": "new-york", "paytables": {}},
        ROUND,
    ]
    for order in (rounds, rounds[::-1]):
        lines = [json.dumps(round) for round in order]
        batch = headsup("settle", "-", "--json", stdin="\n".join(lines).encode())
        for number, line in enumerate(lines, 1):
            alone = headsup("settle", "-", "--json", stdin=line.encode()).json
            if "error" in alone:
                alone["error"]["line"] = number
            assert batch.lines[number - 1] == alone


@pytest.mark.parametrize(
    "hole", ["K s K h", "KsK h", "K sKh", ["K", "sKh"], ["KsK", "h"], ["Ks", "K", "h"]], ids=repr
)
def test_half_a_card_is_refused(hole: object) -> None:
    seats = [{**ROUND["seats"][0], "hole": hole}, *ROUND["seats"][1:]]
    answer = headsup("settle", "-", "--json", stdin=json.dumps({**ROUND, "seats": seats}).encode())
    assert answer.code == 2
    assert answer.json["error"]["code"] == "unknown_card"


def test_spaces_may_stand_between_cards() -> None:
    seats = [{**ROUND["seats"][0], "hole": " Ks  Kh "}, *ROUND["seats"][1:]]
    spaced = {**ROUND, "seats": seats, "board": ["Kd9c", "5h5s", "2d"]}
    answer = headsup("settle", "-", "--json", stdin=json.dumps(spaced).encode())
    assert [seat["net"] for seat in answer.json["seats"]] == ["139.00", "-20.00"]


def test_seats_are_listed_in_order_of_settlement() -> None:
    answer = headsup("settle", "-", "--json", stdin=LINE.encode()).json
    assert [seat["seat"] for seat in answer["seats"]] == [1, 2]
    assert answer["order"] == [2, 1], "the folder first"
    output = headsup("settle", EXAMPLE).out
    assert output.index("Seat 2") < output.index("Seat 1")


def test_an_oversized_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headsup.cli.commands.settle.MAX_BYTES", 1_000)
    long = save_text(tmp_path, "\n".join([LINE] * 3), "rounds.jsonl")
    for answer in (
        headsup("settle", long, "--json"),
        headsup("settle", "-", "--json", stdin=long.read_bytes()),
    ):
        assert "is longer than 1,000 bytes" in refusal_sentence(answer)


BONUS: dict[str, Any] = {
    "rules": "washington",
    "options": {"jackpot_regime": "bonus"},
    "meter": "5000.00",
    "dealer": "AcQd",
    "board": "QsJsTs5h2d",
    "seats": [
        {
            "seat": 1,
            "hole": "AsKs",
            "ante": "10.00",
            "odds": "10.00",
            "progressive": "1.00",
            "raise": {"street": "pocket", "multiple": 3},
        }
    ],
}
WORDS = "Bonus Jackpot prizes are paid by the casino"


@pytest.mark.clause("WA App. D note 5 language")
def test_washington_uses_its_own_words_and_prints_the_notice_with_the_figure() -> None:
    line = json.dumps(BONUS).encode()
    output = headsup("settle", "-", stdin=line).out
    assert "Play 3× pocket" in output
    assert "Bonus Jackpot  $5,000.00" in output
    assert WORDS in " ".join(output.split())
    assert "Raise" not in output
    assert "Meter" not in output
    meter = headsup("settle", "-", "--json", stdin=line).json["meter"]
    assert meter["notices"][0].startswith(WORDS)
    plain = json.dumps({**BONUS, "options": {}}).encode()
    assert "notices" not in headsup("settle", "-", "--json", stdin=plain).json["meter"]
    raised = {**BONUS["seats"][0], "raise": {"street": "pocket", "multiple": 2}}
    wrong = json.dumps({**BONUS, "seats": [raised]}).encode()
    assert "a Play of 2× on the pocket" in refusal_sentence(headsup("settle", "-", stdin=wrong))
