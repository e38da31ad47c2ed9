"""Refusals that are raised in a worker process."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from headsup.game.record.chain import UnreadableLine
from headsup.game.record.codec.base import Expectation, Flaw
from headsup.game.refusal import Code, Mistake, MistakesRefused, Refused, refusal
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import parse_cards
from headsup.house.store.log_file import UnwritableLog

KINDS = ("Refused", "reason", "UnreadableLine", "UnwritableLog", "RulesRefused", "MistakesRefused")


def refuse(kind: str) -> None:
    match kind:
        case "Refused":
            raise Refused(Code.BAD_ARGUMENTS, "number", where="--hands", least=1, most=5)
        case "reason":
            try:
                parse_cards("A")
            except ValueError as error:
                raise Refused(Code.UNKNOWN_CARD, "unreadable", reason=error) from None
        case "UnreadableLine":
            raise UnreadableLine(3, "no_link")
        case "UnwritableLog":
            raise UnwritableLog(Path("log"), "full")
        case "RulesRefused":
            table_rules("galaxy", options={"cap": "much", "nonsense": 1})
        case "MistakesRefused":
            flaw = Flaw("ante", Expectation.WHOLE, "ten")
            mistake = Mistake("seats[0]", refusal(Code.UNKNOWN_EVENT, flaw=flaw))
            raise MistakesRefused([mistake], Code.BAD_RULES)


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_comes_back_whole_from_a_worker_process(
    kind: str, workers: ProcessPoolExecutor
) -> None:
    with pytest.raises(Refused) as here:
        refuse(kind)
    with pytest.raises(Refused) as there:
        workers.submit(refuse, kind).result()
    assert type(there.value) is type(here.value)
    assert str(there.value) == str(here.value)
    assert there.value.code == here.value.code
    assert there.value.__dict__.keys() - {"__notes__"} == here.value.__dict__.keys()
    assert workers.submit(abs, -1).result() == 1, "the pool goes on"
