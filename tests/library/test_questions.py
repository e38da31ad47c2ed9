"""Sessions, simulations, strategies, protection and design: Python agrees with the commands."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import headsup
from headsup.game.rulebook.wagers import Street
from headsup.library.strategies import read_strategy
from tests.support.analysis.farm import farm
from tests.support.cli.run import headsup as command


def test_a_session_matches_the_command() -> None:
    bets = {"ante": 10, "trips_plus": 5}
    played = headsup.session(200, bets, bankroll=500, target=600, pace=60)
    answer = command(
        *("session", "--rounds", 200, "--trips-plus", 5, "--bankroll", 500, "--target", 600),
        *("--pace", 60, "--json"),
    ).json
    assert played.to_json() == answer
    assert f"{played.ruin:.10f}" == answer["ruin"]
    assert f"{played.ahead:.10f}" == answer["ahead"]
    assert played.mean == 200 * Fraction(answer["per_round"]["mean"]["exact"])


def test_a_simulation_matches_the_command() -> None:
    bets = {"ante": 10, "progressive": 1}
    dealt = headsup.simulate(5000, seats=2, seed=3, bets=bets, meter=80_000, session=100)
    answer = command(
        *("simulate", "--rounds", 5000, "--seats", 2, "--seed", 3, "--json"),
        *("--bets", "ante=10,progressive=1", "--meter", 80_000, "--session", 100),
    ).json
    assert dealt.to_json() == answer
    assert dealt.wagers["ante"].exact == -headsup.solve().house_edge


@pytest.mark.slow(seconds=10)
def test_simulations_and_designs_do_not_depend_on_workers() -> None:
    arguments: dict[str, Any] = {"rounds": 5000, "seats": 2, "seed": 3}
    wanted: dict[str, Any] = {"what": "bad_beat", "edge": "2.5%", "within": "0.5%"}
    with farm() as there:
        dealt = headsup.simulate(**arguments, scheduler=there.address)
        tables = headsup.design(**wanted, scheduler=there.address)
    assert dealt.to_json() == headsup.simulate(**arguments).to_json()
    assert tables.to_json() == headsup.design(**wanted).to_json()
    assert tables.answer.result.solved > 0


@pytest.mark.slow
def test_a_strategy_may_be_a_name_a_file_or_a_text(tmp_path: Path) -> None:
    known = read_strategy("five-lines")
    text = headsup.evaluate("five-lines").to_json()["toml"]
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    assert read_strategy(text) == read_strategy(str(file))
    assert read_strategy(text).name == known.name
    assert headsup.evaluate("five-lines").cost == Fraction(762047107, 278138100240)
    with pytest.raises(headsup.Refused, match="five-lines"):
        headsup.evaluate("fivelines")


def test_designed_tables_are_available_as_rules_and_books(tmp_path: Path) -> None:
    tables = headsup.design("pocket_bonus", edge="6%", within="0.5%", pays={"pair": range(3, 6)})
    answer = command(
        *("design", "pocket_bonus", "--edge", "6%", "--within", "0.5%", "--pay", "pair=3..5"),
        *("--most", 6, "--json"),
    ).json
    assert json.loads(json.dumps(tables.to_json())) == answer
    assert all(table.pays["pocket_bonus", "pair"] in (3, 4, 5) for table in tables.found)
    book = tmp_path / "house.toml"
    book.write_text(tables.to_toml(), encoding="utf-8")
    again = headsup.rules(str(book)).paytables["pocket_bonus"]
    assert again.pays == tables.best.rules.paytables["pocket_bonus"].pays


def test_a_progressive_meter_is_planned() -> None:
    designed = headsup.design("progressive", edge="20%", seed=50_000)
    plan = designed.meter
    assert plan is not None
    assert plan.house_edge == designed.best.house_edge  # one edge, though the average is no micro
    assert plan.seed == 50_000
    assert float(plan.house_edge) == pytest.approx(0.2, abs=1e-5)


@pytest.mark.slow
def test_numbers_are_read_as_on_the_command_line() -> None:
    for rounds in (1e3, "1000", "1,000", "1e3"):
        assert repr(headsup.session(rounds)).startswith("<1,000 rounds: mean ")
    dealt = headsup.simulate("1e2", strategies="five-lines", seats=2)
    assert [seat.style for seat in dealt.seats] == ["five-lines", "five-lines"]
    assert repr(dealt).startswith("<100 rounds, 2 seats: ")
    assert repr(headsup.simulate(1)).startswith("<1 round, 1 seat: ")
    exact = [
        headsup.design("pocket_bonus", edge=edge, within="0.5%").best
        for edge in (0.06, "0.06", "6%", Fraction(6, 100))
    ]
    assert len({table.house_edge for table in exact}) == 1


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: headsup.design("trips_plus", edge="3.5"), r"edge: .* mean 3\.5%"),
        (lambda: headsup.design("trips_plus", edge=3.5), r"edge: .* mean 3\.5%"),
        (lambda: headsup.design("trips_plus", edge="3%", pays={"flush": -1}), "pays: 'flush=-1'"),
        (lambda: headsup.simulate(1.5), "rounds: must be a whole number"),
        (lambda: headsup.simulate("many"), "rounds: must be a whole number"),
        (lambda: headsup.simulate(10, seats="two"), "seats: must be a whole number"),
        (lambda: headsup.simulate(10, strategies=["best"] * 2), "strategies: at most one for"),
        (lambda: headsup.simulate(10, workers=0), "workers: must be a whole number from 1 to 256"),
        (lambda: headsup.simulate(10, workers="two"), "workers: must be a whole number"),
        (
            lambda: headsup.simulate(10, workers=2, scheduler="HOST:8786"),
            "^workers: cannot be combined with scheduler: both choose where the work runs$",
        ),
        (
            lambda: headsup.simulate(10, scheduler="nowhere"),
            "^nowhere: no Dask scheduler answers there",
        ),
        (lambda: headsup.simulate(10, scheduler=" "), "^scheduler: .*the address is empty"),
        (lambda: headsup.simulate(10, session=11), "^session: must be a whole number from 1 to 10"),
        (lambda: headsup.simulate(10, bets={"ante": 5}, meter=9), "^meter: .* with progressive"),
        (lambda: headsup.session(10, {"ante": 5, "progressive": 1}, meter=-9), "^meter: -9 is not"),
        (lambda: headsup.par(meter=-9), "^meter: -9 is not between"),
        (lambda: headsup.par(progressive="none", meter=9), "^meter: .* with progressive"),
        (lambda: headsup.par("sugarhouse", bets={"ante": 5, "all_6": 5}), "All 6"),
        (lambda: headsup.design("odds", edge="3%", workers=0), "^workers: must be"),
        (lambda: headsup.session(10, bankroll=1), "^bankroll: does not cover"),
        (lambda: headsup.session(10, bankroll=500, target=4), "^target: must be above"),
        (lambda: headsup.session(10, target=400), "^target: a target needs a bankroll"),
        (lambda: headsup.session(10, strategy=""), "^strategy: is neither a file nor a strategy"),
        (
            lambda: headsup.simulate(10, strategies=""),
            "^strategy: is neither a file nor a strategy",
        ),
    ],
)
def test_a_refusal_names_the_argument_and_the_reason(
    ask: Callable[[], object], sentence: str
) -> None:
    with pytest.raises(headsup.Refused, match=sentence):
        ask()


UNTYPED: Any = headsup  # as called from code without type checks


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: UNTYPED.protect(flop="x"), "flop: must be a whole number from 0 to 3"),
        (lambda: UNTYPED.protect(flop=1.5), "flop: must be a whole number from 0 to 3"),
        (lambda: UNTYPED.protect(flop=True), "flop: must be a whole number from 0 to 3"),
        (lambda: UNTYPED.cards(None), "cards: must be text, not null"),
        (lambda: UNTYPED.cards(["As", "Xd"]), "cards: 'Xd' is not a card"),
        (lambda: UNTYPED.advise(5), "hole: must be text, not 5"),
        (lambda: UNTYPED.session(10).quantile(5), "chance: must be a chance from 0 to 1, not 5"),
        (lambda: UNTYPED.session(10).quantile(True), "chance: must be a chance from 0 to 1"),
        (lambda: UNTYPED.session(10).quantile(float("nan")), "chance: must be a chance"),
        (lambda: UNTYPED.session(10).quantile("abc"), "chance: must be a chance from 0 to 1"),
        (lambda: UNTYPED.simulate(10, scheduler=5), "scheduler: must be text, not 5"),
        (lambda: UNTYPED.simulate(10, strategies=5), "strategies: must be text, not 5"),
        (lambda: UNTYPED.simulate(10, strategies=[5]), "strategies: must be text, not 5"),
        (lambda: UNTYPED.session(10, []), "bets: '[]' is not WAGER=AMOUNT with ante, "),
        (lambda: UNTYPED.par("galaxy", bets=[]), "bets: '[]' is not WAGER=AMOUNT with ante, "),
        (lambda: UNTYPED.session(10, strategy=None), "strategy: must be text, not "),
        (lambda: UNTYPED.session(10, strategy=5), "strategy: must be text, not 5"),
        (lambda: UNTYPED.evaluate(5), "strategy: must be text, not 5"),
        (lambda: UNTYPED.session(name=5), "name: must be text, not 5"),
        (lambda: UNTYPED.par(5), "name: must be text, not 5"),
        (lambda: UNTYPED.design("trips_plus", "2%", pays=5), "pays: '5' is not a row and its pays"),
        (lambda: UNTYPED.design("trips_plus", "2%", pays={5: 1}), "pays: must be text, not 5"),
    ],
)
def test_a_wrong_type_is_refused_by_the_arguments_name(
    ask: Callable[[], object], sentence: str
) -> None:
    with pytest.raises(headsup.Refused) as refused:
        ask()
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: headsup.session(0),
        lambda: headsup.session(10, {"trips_plus": 5}),
        lambda: headsup.session(10, bankroll=500, target=400),
        lambda: headsup.session(10, target=400),
        lambda: headsup.session(
            *(10, {"ante": 10, "trips_plus": 5}),
            cap={"amount": "25.00", "wagers": ["odds", "trips_plus"]},
        ),
        lambda: headsup.session(10, strategy="five-line"),
        lambda: headsup.simulate(seats=7),
        lambda: headsup.simulate(strategies=["best", "best"]),
        headsup.protect,
        lambda: headsup.protect(dealer=3),
        lambda: headsup.design("trips_plus", edge="a lot"),
        lambda: headsup.design("trips_plus", edge="3%", within=0),
        lambda: headsup.design("ante", edge="3%"),
    ],
)
def test_impossible_requests_are_refused(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(headsup.Refused):
        ask()


def test_a_book_can_be_chosen_by_keyword() -> None:
    assert headsup.rules(rules="new-york", trips_plus="B") == headsup.rules(
        "new-york", trips_plus="B"
    )
    assert headsup.solve(rules="sugarhouse").rules.id == "sugarhouse"


def test_cards_may_be_one_text_several_texts_or_cards() -> None:
    named = headsup.cards("AsKd")
    assert headsup.cards(["As", "Kd"]) == headsup.cards(named) == named


def test_raises_may_be_a_list_or_a_text() -> None:
    for typed in ([1, 2, 3], "1,2,3", "[1, 2, 3]", " [3,2,1] "):
        chosen = headsup.rules("new-york", pocket_raises=typed)
        assert chosen.raises[Street.POCKET] == (1, 2, 3)
    for wrong in ("[1, 2", "1, 2]", "[[1]]", "[]"):
        with pytest.raises(headsup.Refused, match="pocket_raises"):
            headsup.rules("new-york", pocket_raises=wrong)


@pytest.mark.slow(seconds=3)
def test_hands_face_up_and_dealer_errors_equal_the_commands() -> None:
    seen = headsup.face_up("AsKd QhQs")
    answer = command("protect", "--face-up", "AsKd QhQs", "--json").json
    assert (
        f"{seen.player_edge.numerator}/{seen.player_edge.denominator}"
        == (answer["player_edge"]["exact"])
    )
    with pytest.raises(headsup.Refused, match=r"^cards: "):
        headsup.face_up("AsKd Qh")
    errors = headsup.dealer_errors("new-york")
    listed = command("protect", "--errors", "--rules", "new-york", "--json").json["errors"]
    assert errors.keys() == listed.keys()
    assert all(Fraction(listed[key]["each"]["exact"]) == errors[key].gain for key in listed)


@pytest.mark.slow(seconds=10)
def test_other_hands_seen_equal_the_command() -> None:
    seen = headsup.seen_hands(2, layouts=2, seed=7)
    answer = command("protect", "--hands", 2, "--layouts", 2, "--seed", 7, "--json").json
    assert seen.to_json() == answer
    assert f"{seen.player_edge:.10f}" == answer["player_edge"]["mean"]
    assert seen.unseen + seen.gain == pytest.approx(seen.player_edge)
    assert repr(seen).startswith("<2 other hands seen: player's edge -")
    with pytest.raises(headsup.Refused, match=r"^hands: must be a whole number from 1 to 5"):
        headsup.seen_hands(6)
    with pytest.raises(headsup.Refused, match=r"^layouts: must be a whole number from 2 to"):
        headsup.seen_hands(2, layouts=1)


@pytest.mark.slow
def test_cards_seen_with_hands_face_up_equal_the_command() -> None:
    seen = headsup.protect(flop=1, others="AsKd")
    assert (
        seen.to_json() == command("protect", "--see", "flop=1", "--face-up", "AsKd", "--json").json
    )
    assert seen.player_edge != headsup.protect(flop=1).player_edge
    with pytest.raises(headsup.Refused, match=r"^others: "):
        headsup.protect(flop=1, others="AsKd Qh")


@pytest.mark.slow
def test_a_short_strategy_is_found_and_evaluated() -> None:
    found = headsup.simplify(4)
    assert found.evaluation.written.size <= 4
    again = headsup.evaluate(found.to_json()["toml"])
    assert again.cost == found.cost < Fraction(4, 1000)
    with pytest.raises(headsup.Refused, match=r"^lines: "):
        headsup.simplify(2)
