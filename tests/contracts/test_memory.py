"""The memory store writes answers and wallets together with entries, as a database does."""

from headsup.game.record.chain import Head, make_link
from headsup.house.store.memory import MemoryStore
from headsup.house.store.projection_rows import Projection, StoredAnswer
from headsup.house.store.protocol import Append, AppendResult
from tests.support.house.houses import moved

ANSWER = Projection(answers=(StoredAnswer("command 1", 0),))


def test_a_command_is_answered_once_and_wallets_never_fall_below_zero() -> None:
    store = MemoryStore()
    store.open_floor("F")
    lease = store.take_lease("F", "one")
    assert lease is not None
    first = make_link(Head(), "first")
    paid = moved(("Ann", 100, "deposit"), ("Ann", -40, "buy_in"))
    assert store.commit([Append(lease, Head(), (first,), (ANSWER, *paid))]) == [AppendResult.STORED]
    second = (make_link(first.head, "second"),)
    again = Append(lease, first.head, second, (ANSWER,))
    short = Append(lease, first.head, second, moved(("Ann", -61, "buy_in")))
    assert store.commit([again, short]) == [AppendResult.ANSWERED, AppendResult.WALLET_SHORT]
    assert (store.wallet("Ann"), store.wallet("Bob"), store.head("F")) == (60, 0, first.head)
    assert store.find_entry("F", "command 1") == first
    assert store.find_entry("F", "command 2") is None
