"""Commands with any values at all, for property tests."""

from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st

from headsup.game.bank.meter import PoolPlace
from headsup.game.round.commands import CorrectStakes, DealCards, PlaceBets, ReportIrregularity
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.chips.felt import FeltSettings
from headsup.game.table.chips.held_awards import PayWay
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.equipment import CountByHand
from headsup.game.table.opening import OpenTable, SetBonusCell
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Pace
from headsup.game.values.cards import DECK
from headsup.game.values.frozen_json import FrozenJson
from tests.support.tables import BOOKS

# Numbers and texts that a keyboard, a program or a malicious message might send. Numbers are
# drawn by place: Hypothesis may print a strategy, and Python prints no number of 5,000 digits.
ODD_NUMBERS = (100, 500, 1_000, 10**9, 10**9 + 1, 2**63, -(2**63), 10**16, 10**400, 10**5000)
numbers = st.one_of(
    st.integers(-2, 7),
    st.sampled_from(range(len(ODD_NUMBERS))).map(ODD_NUMBERS.__getitem__),
)


texts = st.one_of(
    st.sampled_from(
        ["", " ", "Sue", "Tom", "T1", "T1 meter", "2026-12-31", "a/b", "\x1b[2J", "x" * 5_000]
    ),
    st.sampled_from(["trips_plus", "progressive", "flush", "8", "10%", "Ann\u202e", "seat 1"]),
    st.text(max_size=8),
)


wagers = st.sampled_from(list(Wager))


two = st.tuples(texts, texts)


values = st.dictionaries(
    st.sampled_from(["meter_seed", "meter_contribution", "dealing", "bonus", "limits", "cap"]),
    st.one_of(texts, st.integers(-1, 10**18), st.booleans(), st.none(), st.just([1]), st.just({})),
    max_size=3,
).map(FrozenJson)


OWN: dict[type[Any], st.SearchStrategy[Any]] = {
    PlaceBets: st.builds(
        PlaceBets,
        numbers,
        st.dictionaries(wagers, numbers, max_size=7),
        st.dictionaries(wagers, numbers, max_size=2),
    ),
    CorrectStakes: st.builds(
        CorrectStakes, numbers, st.dictionaries(wagers, numbers, max_size=4), texts
    ),
    CountByHand: st.builds(CountByHand, st.dictionaries(wagers, numbers, max_size=2)),
    DealCards: st.sampled_from([DealCards(DECK), DealCards(()), DealCards(DECK[:51])]),
    OpenTable: st.builds(
        OpenTable,
        st.sampled_from(BOOKS) | texts,
        st.lists(two, max_size=2).map(tuple),
        values,
        st.booleans(),
        texts,
        st.sampled_from(list(ShuffleSource)),
    ),
    CorrectPayout: st.builds(CorrectPayout, numbers, numbers, *[texts] * 4, numbers),
    SetBonusCell: st.builds(SetBonusCell, texts, texts, texts, texts, two),
    ReportIrregularity: st.builds(
        ReportIrregularity,
        st.sampled_from(list(Cause)),
        texts,
        texts,
        st.none() | numbers,
        st.sampled_from(list(Resolution)),
        texts,
    ),
}


FIELDS: dict[Any, st.SearchStrategy[Any]] = {
    int: numbers,
    int | None: st.none() | numbers,
    str: texts,
    bool: st.booleans(),
    Wager: wagers,
    PayWay: st.sampled_from(list(PayWay)),
    PoolPlace: st.sampled_from(list(PoolPlace)),
    tuple[str, str]: two,
    tuple[int, ...]: st.lists(st.integers(0, 51), max_size=6).map(tuple),
    FeltSettings: st.builds(FeltSettings, st.booleans(), numbers, numbers),
    Mapping[int, int]: st.dictionaries(numbers, numbers, max_size=3),
    Pace | None: st.none() | st.builds(Pace, *[numbers] * 7, texts, texts),
}


def commands_of(kind: type[Any]) -> st.SearchStrategy[Any]:
    if kind in OWN:
        return OWN[kind]
    return st.builds(
        kind,
        **{name: FIELDS[hint] for name, hint in get_type_hints(kind).items()},
    )


commands = st.one_of([commands_of(kind) for kind in get_args(Command)])


askers = st.one_of(st.builds(PlayerAt, numbers), st.builds(Staff, texts), st.just(Staff("Dee")))
