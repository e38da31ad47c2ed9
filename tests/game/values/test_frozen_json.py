"""Immutable JSON values: hashable, and equal if their JSON is."""

import json
from decimal import Decimal
from typing import Any

import pytest

from headsup.game.refusal import Refused
from headsup.game.values.frozen_json import FrozenJson

CHOSEN = {"limits": {"ante": {"max": "500.00"}}, "pocket_raises": [1, 3], "face_up": True}


def test_frozen_values_write_the_same_json() -> None:
    assert json.loads(json.dumps(FrozenJson(CHOSEN).to_dict())) == CHOSEN
    assert FrozenJson(FrozenJson(CHOSEN)) == FrozenJson(CHOSEN)
    assert FrozenJson(CHOSEN)["pocket_raises"] == (1, 3)


def test_the_order_of_keys_does_not_matter() -> None:
    turned = FrozenJson(dict(reversed(CHOSEN.items())))
    assert turned == FrozenJson(CHOSEN)
    assert hash(turned) == hash(FrozenJson(CHOSEN))


@pytest.mark.parametrize(("value", "other"), [(1, True), ("1", 1), ((), ""), (0, None)])
def test_numbers_flags_and_texts_are_never_equal(value: Any, other: Any) -> None:
    assert FrozenJson({"key": value}) != FrozenJson({"key": other})


DEEP: Any = "x"
for _ in range(5000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value",
    [1.5, Decimal("1.5"), float("nan"), b"x", {1}, object(), 1 << 20000, DEEP, {1: "x"}],
    ids=lambda value: type(value).__name__,
)
def test_values_that_are_not_json_are_refused(value: Any) -> None:
    with pytest.raises(Refused) as refused:
        FrozenJson({"key": value})
    assert refused.value.code == "bad_options"
    assert len(refused.value.message) < 200


@pytest.mark.parametrize("raw", ["{}", [], 5, {1: 2}])
def test_equal_values_share_one_object(raw: Any) -> None:
    with pytest.raises(Refused, match="options must be a JSON object"):
        FrozenJson(raw)
