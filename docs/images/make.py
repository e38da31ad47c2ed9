"""Draws the pictures in this folder: real commands, run now, as a terminal or a browser shows them.

.venv/bin/python docs/images/make.py              # all of them
.venv/bin/python docs/images/make.py table.png    # one
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HEADSUP = Path(sys.executable).with_name("headsup")
PICTURES = {
    "settle.svg": ["settle", "docs/examples/round.json"],
    "rules.svg": ["rules"],
    "advise.svg": ["advise", "--hole", "QhJh", "--board", "Th9c2d"],
    "play.svg": ["play", "--coach", "--no-save", "--seed", "3"],
}
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


def _last_screen(output: str) -> str:
    """The last screen that was complete: a command that asks clears it before each question."""
    *screens, last = output.split(CLEARED)
    screen = (screens or [last])[-1] if len(screens) < 2 else last
    return "\n".join(line for line in screen.splitlines() if "You leave" not in line).strip("\n")


def photograph(name: str) -> None:
    """A table of the demonstration, in the middle of a round."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/house.db"
        command = [HEADSUP, "serve", "--demo", "--port", "0", "--database", database]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                _play(server.stdout.readline().split()[-1], HERE / name)
            finally:
                server.terminate()


def _play(address: str, picture: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.get_by_role("button", name="Sit here: Galaxy").click()
        page.get_by_text("Kim (automatic) bets").wait_for()
        page.get_by_label("Trips Plus").fill("5")
        page.get_by_label("Progressive").check()
        page.get_by_role("button", name="Place bets").click()
        page.get_by_role("button", name="Check").click()
        page.get_by_role("button", name="Raise 2×").wait_for()
        page.screenshot(path=picture)
        browser.close()


PHOTOGRAPH = "table.png"


if __name__ == "__main__":
    wanted = sys.argv[1:] or [*PICTURES, PHOTOGRAPH]
    for name in wanted:
        if name == PHOTOGRAPH:
            photograph(name)
        else:
            draw(name, PICTURES[name])
