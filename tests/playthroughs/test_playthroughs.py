"""Golden rounds, as every viewer sees them after every event: `<rule book>-<dealing>.txt`.

After `> what was asked` come the events. `all` is what every viewer is shown alike, `display` is
TableVision; `....` are cards face down.

A rule book enters with a playthrough for each way it may be dealt. After a change that is meant,
write the files anew and read the difference:

    HEADSUP_WRITE_PLAYTHROUGHS=1 .venv/bin/python -m pytest tests/playthroughs
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from headsup.game.refusal import Refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TimeOut,
)
from headsup.game.round.events import CardsDealt, RoundSettled
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.game.table.decide import decide
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.rounds import OpenRound
from headsup.game.values.cards import format_cards
from tests.support import wire
from tests.support.tables import STAFF, Play, irregularity_report, opened

HERE = Path(__file__).parent
FELT = [wager.value for wager in Wager if wager is not Wager.RAISE] + ["raise"]
WRITE = "HEADSUP_WRITE_PLAYTHROUGHS"


@dataclass(frozen=True)
class Scenario:
    about: str
    cards: dict[str, str]
    script: str
    options: dict[str, Any] = field(default_factory=dict)


SCENARIOS = {
    "galaxy-hand": Scenario(
        "All wagers; seat 3 runs out of time: check, check, fold, its side wagers stay",
        {
            "1": "KsKh",
            "2": "9h9s",
            "3": "7h2s",
            "dealer": "AcQd",
            "board": "Kd9c5h5s2d",
            "all_6": "2c3c4c6c",
        },
        """
        1 bets 10 trips_plus 5 pocket_bonus 5 all_6 5 progressive 1
        2 bets 20 trips_plus 5
        3 bets 10 trips_plus 5 all_6 5
        no more bets
        deal
        2 checks
        1 raises 3
        3 is late
        flop
        3 is late
        2 raises 2
        turn and river
        3 is late
        reveal
        settle
        next hand
        next hand
        next hand
        close
        """,
    ),
    "galaxy-shoe": Scenario(
        "In turn from the dealer's left; a royal flush takes a tenth of the meter",
        {
            "1": "AsKs",
            "4": "9d9s",
            "dealer": "9h9c",
            "board": "QsJs2c4dTs",
            "all_6": "3d3h7c8d",
        },
        """
        4 bets 25 all_6 1
        1 bets 10 progressive 1 pocket_bonus 5
        no more bets
        deal
        1 checks
        4 checks
        flop
        1 raises 2
        4 checks
        turn and river
        4 folds
        reveal
        settle
        next hand
        next hand
        close
        """,
        {"dealing": "shoe", "clockwise": True},
    ),
    "galaxy-machine": Scenario(
        "Galaxy 4, 6, 8: the board lies face down from the start and is turned over",
        {"1": "AsTh", "2": "8c4s", "dealer": "KhQc", "board": "Kd9c7h5s2d", "all_6": "3c3d4h6s"},
        """
        1 bets 10 all_6 1
        2 bets 10 trips_plus 5
        no more bets
        deal
        1 raises 3
        2 checks
        flop
        2 checks
        turn and river
        2 folds
        reveal
        settle
        next hand
        next hand
        close
        """,
        {"dealing": "machine"},
    ),
    "galaxy-wpt-hand": Scenario(
        "A raise of 1×; the dealer does not qualify; a folded pair still has its Pocket Bonus",
        {"1": "AsTh", "2": "4c4s", "dealer": "QcJh", "board": "Kd9c7h5s2d"},
        """
        1 bets 10
        2 bets 10 pocket_bonus 5
        1 bets 15 trips_plus 5
        no more bets
        deal
        1 raises 1
        2 checks
        flop
        2 checks
        turn and river
        2 folds
        reveal
        settle
        next hand
        next hand
        close
        """,
    ),
    "galaxy-wpt-shoe": Scenario(
        "A straight on the board: all hands are copies",
        {"3": "2c2h", "5": "As4d", "dealer": "3c3h", "board": "9c8d7h6s5d"},
        """
        3 bets 10 trips_plus 5
        5 bets 10
        no more bets
        deal
        5 checks
        3 checks
        flop
        3 raises 1
        5 raises 2
        turn and river
        reveal
        settle
        next hand
        next hand
        close
        """,
        {"dealing": "shoe"},
    ),
    "galaxy-wpt-machine": Scenario(
        "WPT 3, 5, 7: machine dealt; two pair beat the dealer's pair",
        {"2": "Kc9h", "dealer": "KhQc", "board": "Kd9c7h5s2d"},
        """
        2 bets 10 trips_plus 5
        no more bets
        deal
        2 raises 2
        flop
        turn and river
        reveal
        settle
        next hand
        close
        """,
        {"dealing": "machine"},
    ),
    "new-york-hand": Scenario(
        "(j)(3): seat 3 is dealt three cards. (j)(1): the dealer's card is exposed on the flop; "
        "Trips Plus is dealt out and settled, all else returned",
        {"1": "9h9s", "2": "8c4s", "3": "Ts6h", "dealer": "KhQc", "board": "Kd9c7h5s2d"},
        """
        1 bets 10 trips_plus 5 progressive 1
        2 bets 10 pocket_bonus 5
        3 bets 10 trips_plus 5
        no more bets
        deal
        void player_card_count 3
        1 raises 3
        2 checks
        flop
        void dealer_card_exposed
        settle
        next hand
        next hand
        next hand
        close
        """,
    ),
    "new-york-shoe": Scenario(
        "(e)(7), (9): in turn; seat 2 folds with side wagers, seat 6 folds without",
        {"2": "AcJd", "5": "8h6s", "6": "Jc6d", "dealer": "KhQc", "board": "Kd9c7h5s2d"},
        """
        2 bets 10 trips_plus 5 pocket_bonus 5 progressive 1
        5 bets 10 trips_plus 5
        6 bets 10
        no more bets
        deal
        2 checks
        5 raises 2
        6 checks
        flop
        2 checks
        6 checks
        turn and river
        2 folds
        6 folds
        reveal
        settle
        next hand
        next hand
        next hand
        close
        """,
        {"dealing": "shoe", "clockwise": True},
    ),
    "sugarhouse-hand": Scenario(
        "A flush loses to a higher one: the Odds are paid as a Bad Beat",
        {"1": "6d3d", "dealer": "AdTd", "board": "Kd9d7d5s2c"},
        """
        1 bets 10 trips_plus 5 pocket_bonus 5
        no more bets
        deal
        1 checks
        flop
        1 raises 2
        turn and river
        reveal
        settle
        next hand
        close
        """,
    ),
    "sugarhouse-shoe": Scenario(
        "All 52 cards are in question: the round is void and everything returned",
        {"1": "AsAh", "2": "KsKh", "dealer": "AdTd", "board": "Kd9d7d5s2c"},
        """
        1 bets 10 trips_plus 5
        2 bets 10 pocket_bonus 5
        no more bets
        deal
        1 raises 3
        2 raises 3
        flop
        void foul_deck
        settle
        next hand
        next hand
        close
        """,
        {"dealing": "shoe"},
    ),
    "sugarhouse-machine": Scenario(
        "The board is spread face down with the hole cards; the dealer does not qualify",
        {"1": "AsTh", "dealer": "QcJh", "board": "Kd9c7h5s2d"},
        """
        1 bets 10 pocket_bonus 5
        no more bets
        deal
        1 checks
        flop
        1 checks
        turn and river
        1 raises 1
        reveal
        settle
        next hand
        close
        """,
        {"dealing": "machine"},
    ),
    "washington-hand": Scenario(
        "Dealt face up (letter of 15 June 2020): the players' cards, not the dealer's",
        {"1": "KsKh", "2": "8c4s", "dealer": "AcQd", "board": "Kd9c5h5s2d"},
        """
        1 bets 10 trips_plus 5
        2 bets 10 progressive 1
        no more bets
        deal
        1 raises 3
        2 checks
        flop
        2 checks
        turn and river
        2 folds
        reveal
        settle
        next hand
        next hand
        close
        """,
        {"face_up": True},
    ),
    "washington-shoe": Scenario(
        "A Bonus Jackpot: the house's prize, with its notice",
        {"1": "AsKs", "2": "8c4s", "dealer": "9h9c", "board": "QsJs2c4dTs"},
        """
        1 bets 10 progressive 1
        2 bets 10 pocket_bonus 5
        no more bets
        deal
        1 raises 3
        2 checks
        flop
        2 raises 2
        turn and river
        reveal
        settle
        next hand
        next hand
        close
        """,
        {"dealing": "shoe", "jackpot_regime": "bonus", "meter_contribution": "0"},
    ),
    "washington-machine": Scenario(
        "App. E: a machine that deals changes no rule; a folded hand wins its prize",
        {"1": "8s8h", "2": "Jd4c", "dealer": "KhQc", "board": "Kd8c8d5s2d"},
        """
        1 bets 10 progressive 1
        2 bets 10
        no more bets
        deal
        1 checks
        2 checks
        flop
        1 checks
        2 checks
        turn and river
        1 folds
        2 folds
        reveal
        settle
        next hand
        next hand
        close
        """,
        {"dealing": "machine"},
    ),
    "washington-no-qualifier-hand": Scenario(
        "Without a qualifier the Ante is paid although the dealer has nothing",
        {"1": "AsTh", "2": "8c4s", "dealer": "QcJh", "board": "Kd9c7h5s2d"},
        """
        1 bets 10
        2 bets 10 trips_plus 5
        no more bets
        deal
        1 checks
        2 checks
        flop
        1 checks
        2 checks
        turn and river
        2 folds
        1 raises 1
        reveal
        settle
        next hand
        next hand
        close
        """,
    ),
    "washington-no-qualifier-shoe": Scenario(
        "Face up and in turn; a board card shown early stands, as its street was closed",
        {"1": "KsKh", "2": "8c4s", "dealer": "KcQd", "board": "Kd9c5h5s2d"},
        """
        1 bets 10 pocket_bonus 5
        2 bets 10
        no more bets
        deal
        1 raises 3
        2 checks
        stands early_board_card
        flop
        2 checks
        turn and river
        2 folds
        reveal
        settle
        next hand
        next hand
        close
        """,
        {"dealing": "shoe", "face_up": True, "clockwise": True},
    ),
    "washington-no-qualifier-machine": Scenario(
        "In turn, machine dealt; a straight wins even money on the Odds",
        {"3": "JhTh", "6": "As4d", "dealer": "KhQc", "board": "9c8d7h5s2d"},
        """
        3 bets 10
        6 bets 10 trips_plus 5
        no more bets
        deal
        3 raises 3
        6 checks
        flop
        6 raises 2
        turn and river
        reveal
        settle
        next hand
        next hand
        close
        """,
        {"dealing": "machine", "clockwise": True},
    ),
}


# Playing a scenario.


def command(line: str, play: Play, cards: dict[str, str]) -> Command:
    words = line.split()
    seat = int(words[0]) if words[0].isdigit() else 0
    match words[1:] if seat else words:
        case ["bets", ante, *sides]:
            placed = {Wager.ANTE: int(ante) * 100, Wager.ODDS: int(ante) * 100}
            for name, dollars in zip(sides[::2], sides[1::2], strict=True):
                placed[Wager(name)] = int(dollars) * 100
            return PlaceBets(seat, placed)
        case ["no", "more", "bets"]:
            return CloseBets()
        case ["deal"]:
            shared = {place: text for place, text in cards.items() if not place.isdigit()}
            holes = {int(place): text for place, text in cards.items() if place.isdigit()}
            return DealCards(play.deck(holes, **shared))
        case ["checks"]:
            return Check(seat)
        case ["raises", multiple]:
            return Raise(seat, int(multiple))
        case ["folds"]:
            return Fold(seat)
        case ["is", "late"]:
            return TimeOut(seat, 120)
        case ["void", cause, *whose]:
            return irregularity_report(cause, int(whose[0]) if whose else None)
        case ["stands", cause]:
            return irregularity_report(cause, resolution="play_on")
        case ["flop"] | ["turn", "and", "river"] | ["reveal"] | ["settle"]:
            return Proceed()
        case ["next", "hand"] | ["close"]:
            return Proceed()
    raise ValueError(f"'{line}' is no step of a playthrough")


def play_scenario(name: str) -> str:
    """The whole playthrough as text."""
    scenario = SCENARIOS[name]
    book, _, dealing = name.rpartition("-")
    assert scenario.options.get("dealing", "hand") == dealing
    seats = [int(place) for place in scenario.cards if place.isdigit()]
    play = opened(book, seats, chips=50_000, **scenario.options)
    lines = [f"{name}: {scenario.about}", "", *tablevision_posts(play)]
    numbers = iter(range(1, 100))
    for line in ["open", *filter(None, map(str.strip, scenario.script.splitlines()))]:
        asked = OpenRound() if line == "open" else command(line, play, scenario.cards)
        lines += ["", f"> {line}"]
        answer = decide(play.floor, play.id, by(asked), asked)
        assert not isinstance(answer, Refusal), f"{name}: {line}: {answer}"
        for event in answer:
            play.floor = evolve(play.floor, play.id, event)
            lines += [
                "",
                f"{next(numbers):2} {announcement_lines(event)}",
                *view_lines(play, seats),
            ]
    assert not play.table.is_playing, f"{name} does not end"
    return "\n".join(line.rstrip() for line in lines) + "\n"


def by(asked: Command) -> Actor:
    if isinstance(asked, PlaceBets | Check | Raise | Fold):
        return PlayerAt(asked.seat)
    return STAFF


# Telling it.


def announcement_lines(event: Event) -> str:
    """The event and its fields, cards as text; a settlement is told by what is seen of it."""
    if isinstance(event, RoundSettled):
        return "RoundSettled"
    words = [type(event).__name__]
    for item in fields(event):
        value = getattr(event, item.name)
        if isinstance(event, CardsDealt) and item.name == "deck":
            value = format_cards(value[: len(event.places)]) + " …"
        elif item.name == "cards":
            value = format_cards(value)
        elif item.name == "stakes":
            value = ", ".join(f"{wager.value} {cents}" for wager, cents in value.items())
        elif item.name == "flags":
            seats = (f"{wager.value} {' '.join(map(str, held))}" for wager, held in value.items())
            value = ", ".join(seats) or "none"
        elif item.name == "coupons":
            value = ", ".join(value) or "none"
        elif item.name in ("places", "picked_up"):
            value = ", ".join(value)
        elif isinstance(value, Enum):
            value = value.value
        words.append(f"{item.name}: {value}")
    return " | ".join(words)


KEYS = {"table", "rules", "players", "meter", "round", "offered", "posted", "tabulator"}
ROUND_KEYS = {
    *("number", "phase", "board", "board_down", "dealer", "all_6", "void", "voided", "seats"),
    "dealer_hand",
}
RESULT_KEYS = {"results", "dealer_category", "dealer_qualifies"}
SEAT_KEYS = {
    *("stakes", "coupons", "hole", "decision", "void", "voided", "raises", "grace_seconds", "hand"),
    *("reads", "draws"),
}


def _board(state: dict[str, Any]) -> str:
    """Cards face up, and as many stars as lie face down."""
    return state["board"] + "*" * state["board_down"] or "-"


def felt_order(value: Any) -> Any:
    """The value with wagers in the order of the felt: JSON's objects have no order."""
    if isinstance(value, list):
        return [felt_order(item) for item in value]
    if not isinstance(value, dict):
        return value
    names = sorted(value, key=lambda name: FELT.index(name) if name in FELT else -1)
    return {name: felt_order(value[name]) for name in names}


def view_lines(play: Play, seats: list[int]) -> Iterator[str]:
    """What all see alike, and then what each viewer sees of the seats."""
    views = {f"seat {seat}": felt_order(wire.for_seat(play.floor, play.id, seat)) for seat in seats}
    views |= {
        "dealer": felt_order(wire.for_dealer(play.floor, play.id)),
        "rail": felt_order(wire.for_rail(play.floor, play.id)),
    }
    shared = {viewer: list(same_for_all(view)) for viewer, view in views.items()}
    display_view = felt_order(wire.for_tablevision(play.floor, play.id))
    for view in views.values():
        for key in ("meter", "offered", "posted"):
            assert view[key] == display_view[key]
    assert all(lines == shared["rail"] for lines in shared.values())
    yield from shared["rail"]
    for viewer, view in views.items():
        yield f"   {viewer:<8}{own_view(view)}"
    yield "   display " + display(display_view)


def same_for_all(view: dict[str, Any]) -> Iterator[str]:
    """The part of a view that is the same for all."""
    assert view.keys() - {"you", "chips", "legal", "owing"} == KEYS, "show what is new in a view"
    state = view["round"]
    assert state.keys() - RESULT_KEYS == ROUND_KEYS, "show what is new in a round"
    void = f" | {_void(state)}" if state["void"] else ""
    yield (
        f"   all     {state['phase']} | board {_board(state)} | "
        f"dealer {state['dealer'] or '-'} | all 6 {state['all_6'] or '-'}{void}{_counted(view)}"
    )
    for seat, held in state["seats"].items():
        assert held.keys() == SEAT_KEYS, "show what is new of a seat"
        stakes = ", ".join(
            f"{wager} {dollars}" + (" by coupon" if wager in held["coupons"] else "")
            for wager, dollars in held["stakes"].items()
        )
        yield f"           {seat} {view['players'][seat]}: {stakes}" + (
            f" | {_void(held)}" if held["void"] else ""
        )
    if "results" in state:
        words = {None: "", True: ", qualifies", False: ", does not qualify"}
        qualifies = words[state.get("dealer_qualifies")]
        if "dealer_category" in state:
            assert state["dealer_hand"]["category"] == state["dealer_category"]
            yield f"           dealer has {_hand(state['dealer_hand'])}{qualifies}"
        for seat, result in state["results"].items():
            hand = state["seats"][seat]["hand"]
            yield f"           {seat} net {result['net']}" + (f" | {_hand(hand)}" if hand else "")
            for wager, line in result["wagers"].items():
                yield (
                    f"             {wager:<13}{line['result']:<5}{line['net']:>9}  "
                    f"{line['why']} ({line['clause']})"
                    + (f", {line['gesture']}" if line["gesture"] else "")
                    + (f" [{line['table']}: {line['outcome']}]" if line["table"] else "")
                )


def _counted(view: dict[str, Any]) -> str:
    """How many wagers the tabulator counted, and where its lights are lit."""
    tabulator = view["tabulator"]
    if tabulator is None or not any(tabulator["counts"].values()):
        return ""
    assert not tabulator["down"]
    counts = ", ".join(f"{count} {wager}" for wager, count in tabulator["counts"].items())
    lit = [str(seat) for seats in tabulator["lights"].values() for seat in seats]
    return f" | counted {counts}" + (f", lit at {', '.join(lit)}" if lit else "")


def _void(held: dict[str, Any]) -> str:
    """Of a round or a seat: the cause, and by which rule."""
    why = held["voided"]
    assert why["cause"] == held["void"]
    return f"void: {why['cause']} ({why['clause']}{', house rule' * why['house_rule']})"


def _hand(hand: dict[str, str]) -> str:
    return f"{hand['name']}: {hand['best']}"


def own_view(view: dict[str, Any]) -> str:
    """The part of a view that differs: cards and decisions, chips, what may be decided."""
    parts = [
        f"{seat} {held['hole'] or '....'} {held['decision'] or '-'}"
        + (f" ({held['reads']['name']})" if held["reads"] else "")
        for seat, held in view["round"]["seats"].items()
    ]
    if "chips" in view:
        parts.append(f"chips {view['chips']}")
    if view.get("legal"):
        words = [f"{item['action']} {item.get('multiple', '')}".strip() for item in view["legal"]]
        parts.append("may " + ", ".join(words))
    if view.get("owing"):
        parts.append("waits for " + ", ".join(map(str, view["owing"])))
    return " | ".join(parts)


def display(view: dict[str, Any]) -> str:
    meter = view["meter"]
    figure = "no meter" if meter is None else f"meter {meter['shows']} {meter['frozen']}".strip()
    figure += " and its notice" * bool(meter and meter["notices"])
    return f"{figure} | round {view['round']['number']} {view['round']['phase']}"


def tablevision_posts(play: Play) -> list[str]:
    """What the display shows all the time."""
    view = felt_order(wire.for_tablevision(play.floor, play.id))
    rows = [f"   {row['pays']:>6}  {row['outcome']}" for row in view["paytable"] or ()]
    shown = [f"display: {view['prize'] or 'no prize'}", *rows, *view["notices"]]
    return [*shown, *posts(view["posted"])]


def posts(posted: dict[str, Any]) -> Iterator[str]:
    """What is posted at the table, in every view."""
    yield "posted: " + ", ".join(posted["labels"].values())
    for limit in posted["limits"]:
        yield f"   limit {limit}"
    for raises in posted["raises"]:
        times = " or ".join(f"{multiple}x" for multiple in raises["multiples"])
        yield f"   raise on the {raises['street']} {times} ({raises['clause']})"
    if posted["qualifier"]:
        yield f"   {posted['qualifier']['text']} ({posted['qualifier']['clause']})"
    if posted["cap"]:
        yield f"   at most {posted['cap']['amount']} to a {posted['cap']['scope']}"
    for table in posted["paytables"]:
        rows = ", ".join(f"{row['label']} {row['pays']}" for row in table["rows"])
        yield f"   {table['key']} {table['id']} ({table['basis']} 1): {rows}"
    for text in (*posted["notices"], *posted["layout"]):
        yield f"   {text['text']} ({text['clause']})"


# The tests.


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_playthrough_matches_its_file(name: str) -> None:
    file = HERE / f"{name}.txt"
    text = play_scenario(name)
    if os.environ.get(WRITE):
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines()


def test_every_rule_book_and_way_of_dealing_has_a_playthrough() -> None:
    wanted = set()
    for book in SHIPPED_BOOKS:
        option = load_book(book).options["dealing"]
        wanted |= {f"{book}-{dealing}" for dealing in (option.value, *option.may_be)}
    assert wanted == SCENARIOS.keys()
    assert wanted == {file.stem for file in HERE.glob("*.txt")}


def test_the_playthroughs_cover_every_required_situation() -> None:
    texts = {name: (HERE / f"{name}.txt").read_text(encoding="utf-8") for name in SCENARIOS}
    assert SCENARIOS["washington-hand"].options["face_up"]
    assert "RoundVoided" in texts["new-york-hand"]
    assert "BoardCompleted" in texts["new-york-hand"]
    assert SCENARIOS["new-york-shoe"].options["clockwise"]
    assert "Folded" in texts["new-york-shoe"]
    assert "auto: True" in texts["galaxy-hand"]
