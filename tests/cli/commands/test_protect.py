"""`headsup protect`: screen, JSON and files."""

from fractions import Fraction

import pytest

from tests.support.cli.run import headsup, refusal_sentence


def test_a_seen_flop_card_as_json() -> None:
    answer = headsup("protect", "--see", "flop=1", "--json").json
    edge = answer["player_edge"]
    assert edge["decimal"] == f"{float(Fraction(edge['exact'])):.10f}" == "0.0138109653"
    assert answer["see"] == {"dealer": 0, "flop": 1, "river": 0}
    assert answer["raise_pocket"]["decimal"].startswith("0.3431")
    assert answer["classes"] == 5_083


@pytest.mark.slow
def test_a_face_up_layout_on_screen_and_as_json() -> None:
    shown = headsup("protect", "--face-up", "AsKd")
    assert "-3.8284%" in shown.out
    answer = headsup("protect", "--face-up", "As Kd", "--json").json
    assert answer["face_up"] == ["As", "Kd"]
    assert answer["player_edge"]["decimal"].startswith("-0.03828")


@pytest.mark.slow
def test_a_flop_card_and_hands_face_up_together() -> None:
    words = ("protect", "--see", "flop=1", "--face-up", "AsKd QhQs")
    answer = headsup(*words, "--json").json
    assert answer["see"] == {"dealer": 0, "flop": 1, "river": 0}
    assert answer["face_up"] == ["As", "Kd", "Qh", "Qs"]
    hands = headsup("protect", "--face-up", "AsKd QhQs", "--json").json
    assert Fraction(answer["player_edge"]["exact"]) > Fraction(hands["player_edge"]["exact"])
    assert "1 of the flop; other hands: As Kd Qh Qs" in headsup(*words).out


@pytest.mark.slow(seconds=10)
def test_other_hands_seen_as_json() -> None:
    answer = headsup("protect", "--hands", 2, "--layouts", 2, "--seed", 7, "--json").json
    edge = answer["player_edge"]
    assert (answer["hands"], answer["layouts"], answer["seed"]) == (2, 2, 7)
    low, high = map(float, edge["interval"])
    assert low < float(edge["mean"]) < high
    gain = float(edge["mean"]) - float(answer["unseen"]["decimal"])
    assert float(answer["gain"]) == pytest.approx(gain, abs=1e-9)


def test_errors_of_the_dealer() -> None:
    assert "the Ante is settled though the dealer" in headsup("protect", "--errors").out
    errors = headsup("protect", "--errors", "--json").json["errors"]
    assert Fraction(errors["missed_bad_beat"]["per_round"]["exact"]) < 0
    assert Fraction(errors["paid_pushing_odds"]["each"]["exact"]) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "protect takes --see, --face-up or both, or --hands or --errors"),
        (
            ("--see", "dealer=1", "--errors"),
            "--errors: cannot be combined with --see; only --see and --face-up can be combined",
        ),
        (("--hands", "2", "--face-up", "AsKd"), "--hands: cannot be combined with --face-up"),
        (
            ("--see", "flop=1", "--face-up", "AsKd", "--hands", "2"),
            "--hands: cannot be combined with --see",
        ),
        (("--see", "flop=1", "--face-up", "AsKdQh"), "--face-up: one to five hands of 2 cards"),
        (("--hands", "1", "--layouts", "20"), "--layouts: can be used only with --hands 2 to 5"),
        (("--hands", "1", "--seed", "3"), "--seed: can be used only with --hands 2 to 5"),
        (("--see", "flop=1", "--seed", "3"), "--seed: can be used only with --hands 2 to 5"),
        (("--see", "dealer=3"), "'dealer=3' is not dealer=0, 1 or 2"),
        (("--see", "turn=1"), "--see: 'turn' is not one of dealer, flop, river"),
        (("--see", "foo=0,dealer=1"), "--see: 'foo' is not one of dealer, flop, river"),
        (("--see", "Dealers=1"), "(did you mean dealer?)"),
        (("--see", "river=2"), "'river=2' is not dealer=0, 1 or 2, flop=0 to 3 or river=0 or 1"),
        (("--see", "dealer=1,dealer=1"), "'dealer=1' is not"),
        (("--see", "dealer=¹"), "is not dealer"),
        (("--see", "dealer=0"), "at least one card must be seen"),
        (("--face-up", "AsKdQ"), "--face-up"),
        (("--face-up", "AsKdQh"), "one to five hands of 2 cards expected, 3 cards given"),
        (("--face-up", "AsAs"), "As is in --face-up and again"),
        (("--hands", "6"), "--hands: must be a whole number from 1 to 5"),
        (("--hands", "1", "--layouts", "1"), "--layouts: must be"),
        (("--hands", "1", "--seed", "-1"), "--seed: must be"),
    ],
)
def test_bad_questions(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal_sentence(headsup("protect", *words))


def test_only_the_sweep_over_layouts_takes_workers() -> None:
    words = ("protect", "--see", "flop=1", "--workers", "2")
    assert refusal_sentence(headsup(*words)) == "--workers: can be used only with --hands"
