"""`headsup simulate`, as people and programs use it."""

import pytest

from tests.cli.run import headsup, refused


def test_a_simulation_as_json() -> None:
    words = ("simulate", "--rounds", "2e4", "--seats", "2", "--seed", "9", "--json")
    answer = headsup(*words).json
    assert answer["rounds"] == 20_000
    assert abs(float(answer["ante"]["z"])) < 5
    assert answer["ante"]["exact"] == "-0.0235842316"
    assert 0 < float(answer["seat_correlation"]) < 0.5
    assert headsup(*words, "--threads", "1").json == answer


def test_a_simulation_for_people() -> None:
    assert "95% between" in headsup("simulate", "--rounds", "1000").out


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (("--rounds", "0"), "--rounds"),
        (("--rounds", "-3"), "--rounds"),
        (("--rounds", "1.5"), "--rounds"),
        (("--rounds", "many"), "--rounds"),
        (("--rounds", "nan"), "--rounds"),
        (("--seats", "7"), "--seats"),
        (("--seed", "-1"), "--seed"),
        (("--workers", "0"), "--workers"),
        (("--threads", "0"), "--threads"),
    ],
)
def test_bad_questions(words: tuple[str, ...], where: str) -> None:
    assert refused(headsup("simulate", *words)).startswith(f"{where}: must be a whole number")
