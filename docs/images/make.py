"""Draws the pictures of commands in this folder: run now, as a terminal shows them. Those of the
pages are made by `make screenshots`.

.venv/bin/python docs/images/make.py              # all of them
.venv/bin/python docs/images/make.py play.svg     # one
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from headsup.analysis.solver.compile import compile_payoffs
from headsup.game.rulebook.table_rules import table_rules
from headsup.library.game import get_strategy
from headsup.report.plots.par_sheet import pocket_chart
from headsup.report.plots.svg import svg_file

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HEADSUP = Path(sys.executable).with_name("headsup")
PICTURES = {
    "settle.svg": ["settle", "docs/examples/round.json"],
    "rules.svg": ["rules"],
    "advise.svg": ["advise", "--hole", "QhJh", "--board", "Th9c2d"],
    "play.svg": ["play", "--coach", "--no-save", "--seed", "3"],
}
POCKET_CHART = "par-pocket.svg"
# What is typed, for commands that ask; the picture is the screen that was there then.
KEYS = {"play.svg": "\nc\nr\n"}
CLEARED = "\x1b[2J"
# The reader's own monospace font, so that a picture fetches nothing from the network.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono"
)
ENVIRONMENT = {"COLUMNS": "80", "FORCE_COLOR": "1", "TERM": "xterm-256color"}


def draw(name: str, words: list[str]) -> None:
    done = subprocess.run(
        [HEADSUP, *words],
        cwd=ROOT,
        env={**os.environ, **ENVIRONMENT},
        input=KEYS.get(name, ""),
        capture_output=True,
        text=True,
        check=True,
    )
    with Path(os.devnull).open("w") as nowhere:
        screen = Console(record=True, width=80, file=nowhere, force_terminal=True)
        screen.print(Text(f"$ headsup {' '.join(words)}", style="bold"))
        screen.print(Text.from_ansi(_last_screen(done.stdout)))
    svg = screen.export_svg(title="headsup", code_format=FORMAT, unique_id=name.split(".")[0])
    lines = (line.rstrip() for line in svg.splitlines())
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw_pocket_chart() -> None:
    solution = get_strategy(compile_payoffs(table_rules("galaxy"))).solution
    (HERE / POCKET_CHART).write_text(svg_file(pocket_chart(solution)), encoding="utf-8")


def _last_screen(output: str) -> str:
    """The last screen that was complete: a command that asks clears it before each question."""
    *screens, last = output.split(CLEARED)
    screen = (screens or [last])[-1] if len(screens) < 2 else last
    return "\n".join(line for line in screen.splitlines() if "You leave" not in line).strip("\n")


if __name__ == "__main__":
    for name in sys.argv[1:] or [*PICTURES, POCKET_CHART]:
        if name == POCKET_CHART:
            draw_pocket_chart()
        else:
            draw(name, PICTURES[name])
