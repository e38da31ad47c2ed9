"""Values as JSON by their annotations: one value has one text, and nothing else is read."""

import json
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple, get_args

import pytest

from headsup.game.bank.meter import PoolPlace
from headsup.game.record.chain import canonical_json
from headsup.game.record.codec.base import MAX_STORED_INT, Expectation, Flaw, TypeMismatch
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.record.message_codec import read_command, refuse_malformed_request, write_command
from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectCards,
    CorrectDecision,
    CorrectStakes,
    DealCards,
    DealFaceDown,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReadCards,
    ReportIrregularity,
    TimeOut,
    TurnOver,
    WithdrawBets,
)
from headsup.game.round.state import Phase
from headsup.game.rulebook.model import Cause
from headsup.game.rulebook.wagers import Comparison, Street, Wager
from headsup.game.table.chips.felt import FeltSettings
from headsup.game.table.chips.held_awards import PayAward, PayWay, RefuseAward, VerifyAward
from headsup.game.table.chips.shifts import (
    CloseShift,
    CountBox,
    CreditTray,
    FillTray,
    OpenShift,
    PullBox,
    SetFelt,
)
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.dealing import SetDealing
from headsup.game.table.decide import decide
from headsup.game.table.equipment import (
    CorrectFlag,
    CountByHand,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
)
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    PlanMeterClosing,
    ReceivePool,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import CloseTable, OpenTable, SetBonusCell
from headsup.game.table.pacing import SetPace
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.reporting import SetThresholds
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, ReportLostSeal, SealShuffle
from headsup.game.table.seating import BuyIn, CashOut, Leave, Sit, SitGuest
from headsup.game.table.state import Pace
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents, Micros
from tests.support.tables import stakes, table_at


class Inner(NamedTuple):
    seat: int
    share: Fraction | int


@dataclass(frozen=True)
class Won:
    amount: Cents


@dataclass(frozen=True)
class Lost:
    pass


@dataclass(frozen=True)
class Everything:
    count: int
    text: str
    flag: bool
    pool: Micros
    cards: Cards
    street: Street
    comparison: Comparison
    maybe: Street | None
    fraction: Fraction
    inner: Inner
    row: tuple[Inner, ...]
    pair: tuple[str, str]
    stakes: Mapping[Wager, Cents]
    seats: Mapping[int, Inner]
    end: Won | Lost
    word: Literal["up", "down"]


FORM = CodecRegistry().codec_for(Everything)
VALUE = Everything(
    7,
    "Ann – é",
    True,
    10**16,
    (51, 0),
    Street.FLOP,
    Comparison.TIE,
    None,
    Fraction(1, 3),
    Inner(1, Fraction(1, 4)),
    (Inner(2, 5), Inner(3, Fraction(-2))),
    ("a", "b"),
    {Wager.ANTE: 1_000, Wager.ODDS: 1_000},
    {2: Inner(2, 0), 10: Inner(10, 0)},
    Won(5),
    "up",
)
TEXT = {
    "count": 7,
    "text": "Ann – é",
    "flag": True,
    "pool": 10**16,
    "cards": "As2c",
    "street": "flop",
    "comparison": 1,
    "maybe": None,
    "fraction": "1/3",
    "inner": {"seat": 1, "share": "1/4"},
    "row": [{"seat": 2, "share": 5}, {"seat": 3, "share": "-2"}],
    "pair": ["a", "b"],
    "stakes": {"ante": 1_000, "odds": 1_000},
    "seats": {"2": {"seat": 2, "share": 0}, "10": {"seat": 10, "share": 0}},
    "end": {"kind": "Won", "amount": 5},
    "word": "up",
}


def read(raw: object) -> Any:
    return FORM.read(json.loads(json.dumps(raw)))


def test_the_text_is_the_canonical_json() -> None:
    codecs = CodecRegistry()
    form = codecs.codec_for(Everything)
    for value in (VALUE, replace(VALUE, end=Lost(), text='"\n\u2028'), VALUE):
        assert form.text(value) == canonical_json(json.loads(form.text(value)))
    tagged = codecs.codec_for(Won | Lost | Everything, tag="nature")
    for outcome in (Won(-3), Lost(), VALUE):
        written = json.loads(tagged.text(outcome))
        assert tagged.text(outcome) == canonical_json(written)
        assert tagged.read(written) == outcome


def test_keys_are_sorted_as_text_not_as_its_spelling() -> None:
    """With its quotation marks, "a b" would come before "a", and "\\u00e9" before "z"."""
    form = CodecRegistry().codec_for(Mapping[str, int])
    for value in ({"a b": 1, "a": 2}, {"é": 1, "z": 2}, {"!": 1, '"': 2, "": 3}, {}):
        assert form.text(value) == canonical_json(value)
        assert form.read(json.loads(form.text(value))) == value


def test_each_type_survives_a_round_trip() -> None:
    assert json.loads(FORM.text(VALUE)) == TEXT
    assert read(TEXT) == VALUE
    other = replace(VALUE, end=Lost(), maybe=Street.RIVER)
    written = json.loads(FORM.text(other))
    assert written["end"] == {"kind": "Lost"}
    assert read(written) == other


def test_what_is_read_is_written_back_the_same() -> None:
    """Reading accepts one spelling of each value: any change is refused or another value."""
    values = [value for among in NOT_READ.values() for value in among]
    for name, item in TEXT.items():
        for changed in (item, *values):
            raw: Any = {**TEXT, name: changed}
            try:
                value = read(raw)
            except TypeMismatch:
                continue
            assert FORM.text(value) == canonical_json(raw)


def test_an_objects_keys_keep_their_order() -> None:
    value = read(TEXT | {"stakes": {"progressive": 1, "odds": 2, "ante": 2}})
    assert list(value.stakes) == [Wager.ANTE, Wager.ODDS, Wager.PROGRESSIVE]
    assert list(read(TEXT).seats) == [2, 10]


NOT_READ: dict[str, list[object]] = {
    "count": [True, 7.0, "7", None, MAX_STORED_INT + 1, -MAX_STORED_INT - 1],
    "text": [7, None, "half \ud800", "\0"],
    "flag": [1, 0, "true", None],
    "cards": ["As 2c", "as2c", "As2", [51, 0], 51, None],
    "street": ["turn", "FLOP", 1, None],
    "comparison": [True, "1", 3],
    "maybe": ["", False, 0, "turn"],
    "fraction": ["2/6", "1/0", "0/2", "+1/3", " 1/3", "1/3 ", "1.5", "01", "-0", 1, "1" * 5000],
    "inner": [None, {}, {"seat": 1}, {"seat": 1, "share": 0, "more": 1}, {"seat": 1, "share": 0.5}],
    "row": [None, {}, [1], [None]],
    "pair": [["a"], ["a", "b", "c"], ["a", 1], "ab"],
    "stakes": [{"anti": 1}, {"ante": "1"}, {"ante": True}, [["ante", 1]], None],
    "seats": [{"02": TEXT["inner"]}, {"x": TEXT["inner"]}, {"2": 1}, {"9" * 30: TEXT["inner"]}],
    "end": [{"kind": "Drawn"}, {"amount": 5}, {"kind": "Lost", "amount": 5}, "Lost", None],
    "word": ["left", "", 1],
}


@pytest.mark.parametrize(
    ("name", "raw"), [(name, raw) for name, values in NOT_READ.items() for raw in values]
)
def test_anything_else_is_rejected_and_the_field_is_named(name: str, raw: object) -> None:
    with pytest.raises(TypeMismatch) as unfit:
        read({**TEXT, name: raw})
    assert unfit.value.flaw.field.startswith(name)


def test_a_flaw_says_where_in_the_value_it_is() -> None:
    with pytest.raises(TypeMismatch) as unfit:
        read(TEXT | {"row": [{"seat": 2, "share": 5}, {"seat": True, "share": 1}]})
    assert unfit.value.flaw == Flaw("row[1].seat", Expectation.WHOLE, True)


@pytest.mark.parametrize(
    "change",
    [
        {"count": True},
        {"count": 7.0},
        {"street": "flop"},
        {"comparison": 1},
        {"maybe": "flop"},
        {"cards": (52,)},
        {"cards": (True, 0)},
        {"cards": [51, 0]},
        {"fraction": 0.5},
        {"inner": (1, 2)},
        {"row": [Inner(1, 2)]},
        {"pair": ("a",)},
        {"stakes": {"ante": 5}},
        {"stakes": {Wager.ANTE: True}},
        {"seats": {"2": Inner(1, 2)}},
        {"seats": {True: Inner(1, 2)}},
        {"seats": {2: Inner(1, 2), 3: Inner(True, 2)}},
        {"text": "half \ud800"},
        {"count": MAX_STORED_INT + 1},
        {"fraction": Fraction(1, 10**99)},
        {"pair": ("a", 1)},
        {"end": None},
        {"word": "left"},
    ],
    ids=str,
)
def test_a_value_built_with_another_type_is_not_written(change: dict[str, Any]) -> None:
    with pytest.raises(TypeMismatch) as unfit:
        FORM.text(replace(VALUE, **change))
    assert unfit.value.flaw.field.startswith(next(iter(change)))


@pytest.mark.parametrize("kind", [float, object, int | bool | float, str | Street, list[int]])
def test_a_type_without_a_canonical_text_is_a_bug(kind: Any) -> None:
    with pytest.raises(TypeError):
        CodecRegistry().codec_for(kind)


@dataclass(frozen=True)
class Kindly:
    kind: str


def test_a_tag_may_not_be_a_field() -> None:
    with pytest.raises(TypeError, match="has a field kind"):
        CodecRegistry().codec_for(Kindly | Lost)


# Commands.

COMMANDS: tuple[Command, ...] = (
    PlaceBets(1, stakes(trips_plus=500)),
    WithdrawBets(1),
    Check(1),
    Raise(1, 3),
    Fold(1),
    TimeOut(1, 120),
    TimeOut(1, None),
    ExtendTime(1, 60),
    CloseBets(),
    DealCards(tuple(range(52))),
    DealFaceDown(),
    TurnOver("seat 3", (0, 51)),
    ReadCards("board", (1, 2, 3)),
    CorrectCards("seat 3", (0, 50), "read wrongly"),
    CorrectDecision(3, 2, "told wrongly"),
    CorrectStakes(3, stakes(), "told wrongly"),
    Proceed(),
    ReportIrregularity(Cause.DEALER_CARD_EXPOSED, "Dee", "Sue", None),
    OpenTable("galaxy"),
    Sit(1, "Ann"),
    SitGuest(3, "Tom"),
    Leave(1),
    BuyIn(1, 500),
    CashOut(1, 500),
    IssueCoupon("Ann", Wager.ANTE, 500, "2026-12-31", ("Dee", "Sue")),
    CancelCoupon(1, "why", ("Dee", "Sue")),
    OpenRound(),
    SealShuffle("0" * 64),
    AddSeed(1, "my own words"),
    OpenShuffle("0" * 64),
    CorrectPayout(1, -5, "why", "Dee", "Sue"),
    CorrectMeter(-5, "why", ("Sue", "Tom")),
    FreezeMeter(""),
    PlanMeterClosing("2026-12-31", "A-1", "M", PoolPlace.OTHER_FLOOR, "High limit"),
    TransferPool("M", ("Sue", "Tom")),
    ReceivePool("Main / M", 5, "A-1", ("Sue", "Tom")),
    SetBonusPrize(1, "why", "Sue"),
    EndBonus("why", "Sue"),
    CloseTable("why", "Sue"),
    SetBonusCell("trips_plus", "royal_flush", "60", "why", ("Sue", "Tom")),
    ReadSensor(1, Wager.PROGRESSIVE, True),
    CorrectFlag(1, Wager.PROGRESSIVE, True, "why", "Dee", "Sue"),
    ReportEquipmentDown("power"),
    CountByHand({Wager.PROGRESSIVE: 2}),
    RestoreEquipment(("Sue", "Tom")),
    SetFelt(FeltSettings(True, 1_000_000, 120_000), ("Sue", "Sam")),
    OpenShift(0, ("Dee", "Sue"), {500: 400, 2_500: 200, 10_000: 130}),
    FillTray(500_000, ("Dee", "Sue")),
    CreditTray(250_000, ("Dee", "Sue")),
    PullBox(("Dee", "Sue")),
    CountBox(4, 730_000, ("Sue", "Sam")),
    CloseShift(0, ("Dee", "Sue"), {500: 397, 2_500: 200, 10_000: 128}),
    VerifyAward(1, ("Dee", "Sue")),
    RefuseAward(1, "the cards are those of another round", ("Dee", "Sue")),
    PayAward(1, PayWay.TRAY, ("Dee", "Sue"), "W-2G 4711"),
    ReportLostSeal("why", ("Sue", "Tom")),
    SetDealing("a break", True),
    SetPace(None),
    SetPace(Pace(*(500,) * 7, "Sue", "2026-01-31T12:00:00Z")),
    SetThresholds(1, 2, 3),
)


def test_every_command_survives_a_round_trip() -> None:
    assert {type(command) for command in COMMANDS} == set(get_args(Command))
    for command in COMMANDS:
        assert read_command(json.loads(json.dumps(write_command(command)))) == command
        assert refuse_malformed_request("T1", Staff("Dee"), command) is None


def test_json_that_is_not_a_command_is_refused() -> None:
    for raw in (None, {"command": "Win"}, {"command": "Raise", "seat": 1}, {"event": "Raised"}):
        with pytest.raises(Refused) as refused:
            read_command(raw)
        assert refused.value.code is Code.BAD_COMMAND
        assert refused.value.message


ILL_TYPED: tuple[object, ...] = (1.0, 1.5, True, "ante", b"x", [], {"ante": 1}, object())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_the_game_refuses_values_of_the_wrong_type(command: Command) -> None:
    play = table_at(Phase.BETTING)
    for field in fields(command):
        held = getattr(command, field.name)
        for value in ILL_TYPED:
            if type(value) is type(held) and field.name != "stakes":
                continue
            wrong: Any = copy(command)
            object.__setattr__(wrong, field.name, value)
            assert play.refuses(wrong, by=Staff("Dee")) == Code.BAD_COMMAND, wrong


@pytest.mark.parametrize(
    "stake", [{"ante": 1_000, "odds": 1_000}, {Wager.ANTE: 1_000.0, Wager.ODDS: 1_000.0}]
)
def test_text_for_a_wager_is_refused(stake: Any) -> None:
    assert table_at(Phase.BETTING).refuses(PlaceBets(1, stake)) == Code.BAD_COMMAND


@pytest.mark.parametrize("by", [PlayerAt(True), PlayerAt(1.0), Staff(None), "dealer", None, 1])  # type: ignore[arg-type]
def test_the_actor_is_a_player_or_staff(by: Any) -> None:
    play = table_at(Phase.POCKET)
    decision = decide(play.floor, "T1", by, Check(1))
    assert isinstance(decision, Refusal)
    assert decision.code is Code.BAD_COMMAND


def test_objects_that_are_not_commands_are_refused() -> None:
    wrong: Any = "check"
    assert table_at(Phase.POCKET).refuses(wrong, by=PlayerAt(1)) == Code.BAD_COMMAND
