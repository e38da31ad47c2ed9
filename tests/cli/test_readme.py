"""The README's example settles as the README says."""

import json
import re
from typing import Any

from tests.cli.run import ROOT, headsup


def examples() -> list[str]:
    return re.findall(r"```json\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


def shortened(answer: dict[str, Any]) -> dict[str, Any]:
    for seat in answer["seats"]:
        for line in seat["wagers"].values():
            del line["outcome"], line["why"]
    return answer


def test_the_example_settles_as_shown() -> None:
    played, settled = examples()
    answer = headsup("settle", "-", "--json", stdin=played.encode())
    assert shortened(answer.json) == json.loads(settled)
