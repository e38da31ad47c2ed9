"""Values chosen for a table: what JSON can say, hashable, equal by what they say."""

import json
from decimal import Decimal
from typing import Any

import pytest

from headsup.game.refusal import Refused
from headsup.game.values.frozen_json import FrozenJson

CHOSEN = {"limits": {"ante": {"max": "500.00"}}, "pocket_raises": [1, 3], "face_up": True}


def test_they_are_what_json_wrote() -> None:
    assert json.loads(json.dumps(FrozenJson(CHOSEN).plain())) == CHOSEN
    assert FrozenJson(FrozenJson(CHOSEN)) == FrozenJson(CHOSEN)
    assert FrozenJson(CHOSEN)["pocket_raises"] == (1, 3)


def test_the_order_of_keys_does_not_matter() -> None:
    turned = FrozenJson(dict(reversed(CHOSEN.items())))
    assert turned == FrozenJson(CHOSEN)
    assert hash(turned) == hash(FrozenJson(CHOSEN))


@pytest.mark.parametrize(("one", "other"), [(1, True), ("1", 1), ((), ""), (0, None)])
def test_a_number_is_not_a_flag_nor_a_text(one: Any, other: Any) -> None:
    assert FrozenJson({"key": one}) != FrozenJson({"key": other})


DEEP: Any = "x"
for _ in range(5000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value",
    [1.5, Decimal("1.5"), float("nan"), b"x", {1}, object(), 1 << 20000, DEEP, {1: "x"}],
    ids=lambda value: type(value).__name__,
)
def test_what_no_record_holds_is_refused(value: Any) -> None:
    with pytest.raises(Refused) as refused:
        FrozenJson({"key": value})
    assert refused.value.code == "bad_options"
    assert len(refused.value.message) < 200


@pytest.mark.parametrize("raw", ["{}", [], 5, {1: 2}])
def test_they_are_one_object(raw: Any) -> None:
    with pytest.raises(Refused, match="options must be a JSON object"):
        FrozenJson(raw)
