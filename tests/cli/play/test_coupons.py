"""Promotional coupons in `headsup play` (New York (c)(1), R12)."""

import json
from pathlib import Path

import pytest

from headsup.cli.play.session import PlaySession
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.opening import OpenTable
from headsup.game.values.cards import DECK, parse_cards
from headsup.game.values.frozen_json import FrozenJson
from headsup.house.solo.bankroll import Bankroll
from headsup.house.solo.table import SoloTable
from tests.support.cli.run import piped
from tests.support.cli.typed import ScriptedKeys, fake_pipe, screen_text

pytestmark = pytest.mark.clause("NY (c)(1) coupon")
# One player by hand: player, dealer, player, dealer, then the board.
LOSES = parse_cards("2c Ah 7d Ad Ks Qh 9c 5s 3h")
WINS = parse_cards("Ah 2c Ad 7d As Qh 9c 7s 3h")


def play(
    cards: tuple[int, ...], *keys: str, chips: int = 100_000, **coupons: int
) -> tuple[SoloTable, str]:
    """Play with these coupons; `ante=1_000` is one for a $10 Ante. The keys end with the input."""
    deck = (*cards, *(card for card in DECK if card not in cards))
    options = FrozenJson({"coupons": True, "meter_seed": "100", "meter_contribution": "0.25"})
    table = SoloTable(OpenTable("new-york", options=options), lambda _: deck)
    for name, cents in coupons.items():
        table.issue_coupon(Wager(name), cents)
    console = fake_pipe()
    session = PlaySession(table, ScriptedKeys(*keys), console, Bankroll(cents=chips))
    session.run()
    return table, " ".join(screen_text(console).split()) + f" result {session.result}"


def unspent(table: SoloTable) -> list[int]:
    return list(table.table.coupons.unspent)


@pytest.mark.parametrize(
    ("cards", "ante"), [(LOSES, 0), (WINS, 1_000)], ids=["the coupon loses", "the coupon wins"]
)
def test_a_coupon_wins_chips_and_costs_none(cards: tuple[int, ...], ante: int) -> None:
    table, shown = play(cards, "u", "", "c", "c", "r", ante=1_000)
    assert "u Coupon 1: Ante $10.00 (in the bet)" in shown
    assert "by coupon: " in shown
    main = 1_000 if cards is WINS else -2_000  # the Raise wins and the Odds push, or both lose
    assert shown.endswith(f"result {main + ante}")
    assert unspent(table) == []


def test_a_coupon_that_is_not_bet_stays_with_the_player() -> None:
    for keys, lost in ((("",), 2_000), (("u", "u", ""), 2_000), (("u", "a 25", ""), 5_000)):
        table, shown = play(LOSES, *keys, "c", "c", "f", ante=1_000)
        assert unspent(table) == [1], keys
        assert shown.endswith(f"result -{lost}"), keys


def test_a_side_bet_goes_with_the_coupon_that_paid_for_it() -> None:
    table, shown = play(LOSES, "u", "", "c", "c", "f", "", "c", "c", "f", trips_plus=500)
    assert unspent(table) == []
    assert shown.endswith("result -4000"), "the second round has no Trips Plus"


def test_one_of_several_coupons_is_chosen_by_its_number() -> None:
    table, shown = play(LOSES, "u", "2", "u", "7", "", "c", "c", "f", ante=1_000, trips_plus=500)
    assert "You have no coupon '7'." in shown
    assert unspent(table) == [1]


def test_coupons_are_bet_without_chips() -> None:
    keys = ("u1", "u2", "", "c", "c", "f")
    table, shown = play(LOSES, *keys, chips=3_000, ante=1_000, odds=1_000)
    assert "These bets leave you" not in shown, "the chips are all there for a raise of 3 Antes"
    assert unspent(table) == []
    assert shown.endswith("result 0")


def test_a_side_bet_by_coupon_is_not_repeated_in_the_next_game(tmp_path: Path) -> None:
    words = ("play", "--rules", "new-york", "--coupon", "trips_plus=5")
    assert "(in the bet)" in piped(tmp_path, *words, keys="u\nq\n").out
    saved = json.loads((tmp_path / "headsup" / "bankroll.json").read_text(encoding="utf-8"))
    assert saved["bets"]["new-york"] == {"ante": "10.00", "odds": "10.00"}


def test_coupons_come_from_the_command_line(tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--rules", "new-york", "--coupon", "ante=10", keys="u\n?\n\nq\n")
    assert done.code == 0
    assert "Coupon 1: Ante $10.00 (in the bet)" in done.out
    assert "bet a coupon, or take it back" in done.out


@pytest.mark.parametrize(
    ("book", "coupon", "words"),
    [
        ("galaxy", "ante=10", "coupons"),
        ("new-york", "ante", "--coupon"),
        ("new-york", "blind=10", "a coupon is a wager and an amount, such as ante=10"),
        ("new-york", "progressive=1", "Progressive must be staked in chips"),
    ],
)
def test_coupons_that_cannot_be_bet_are_refused(
    tmp_path: Path, book: str, coupon: str, words: str
) -> None:
    done = piped(tmp_path, "play", "--rules", book, "--coupon", coupon, keys="q\n")
    assert done.code == 2
    assert words in done.err
