"""Draws the pictures of training in this folder: a real server, its pages as a browser shows them.

.venv/bin/python docs/images/training.py
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import FloatRect, Page, ViewportSize, sync_playwright

HERE = Path(__file__).parent
HEADSUP = Path(sys.executable).with_name("headsup")
SIZE: ViewportSize = {"width": 1180, "height": 760}


def chart(page: Page, address: str) -> None:
    page.goto(f"{address}/train#chart")
    page.locator(".cell").first.wait_for(timeout=240_000)  # solved, the first time compiled
    page.locator('[data-place="5 3"]').hover()


def explorer(page: Page, address: str) -> None:
    page.goto(f"{address}/train#explore")
    page.get_by_role("textbox", name="Your cards").fill("Qh Jh")
    page.get_by_role("textbox", name="Board").fill("10h 9c 2d")
    page.get_by_text("Flop: open-ended straight draw").wait_for()


def coach(page: Page, address: str) -> None:
    page.goto(address)
    page.evaluate("localStorage.setItem('headsup', JSON.stringify({ guide: 'done' }))")
    page.reload()
    page.get_by_role("button", name="Sit here: Galaxy").first.click()
    page.get_by_label("Coach").select_option("before")
    page.get_by_role("button", name="Place bets").click()
    page.locator("#coach .values").wait_for(timeout=240_000)
    page.wait_for_timeout(1_500)  # the cards have come to lie


PICTURES = {
    "train-coach.png": coach,
    "train-chart.png": chart,
    "train-explorer.png": explorer,
}


# Where only a part is looked at.
CLIPS: dict[str, FloatRect] = {
    "train-coach.png": {"x": 0, "y": 340, "width": SIZE["width"], "height": SIZE["height"] - 340}
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = f"sqlite:///{folder}/house.db"
        command = [HEADSUP, "serve", "--demo", "--port", "0", "--database", database]
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = server.stdout.readline().split()[-1]
                for name, arrange in PICTURES.items():
                    page = browser.new_page(viewport=SIZE, color_scheme="dark")
                    arrange(page, address)
                    page.screenshot(path=HERE / name, clip=CLIPS.get(name))
                    page.close()
            finally:
                server.terminate()
        browser.close()


if __name__ == "__main__":
    main()
