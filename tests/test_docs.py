"""Links, pictures, commands, files and tests named in the docs exist."""

import json
import re
import shlex
from pathlib import Path

import pytest

import headsup
from headsup.analysis.advice.lesson_counting import SHORT_CARD, card_words
from headsup.analysis.strategies.examples import shipped_text
from headsup.analysis.strategies.written_strategy import parse_strategy
from headsup.house.cluster.membership import LEASE_SECONDS, RENEW_SECONDS
from tests.support.cli.run import all_commands

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
COMMANDS = all_commands()
# Prefixes of hashed texts (docs/fairness.md), not commands.
HASHED = {"commitment", "shuffle"}
# Files that the reader creates.
READER_FILES = {"my-house.toml", "rounds.jsonl", "evening.jsonl", "par.html", "par.pdf"}


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_has_a_target(page: Path) -> None:
    for target, section in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", text(page)):
        if re.match(r"[a-z]+:", target):
            continue
        linked = page.parent / target if target else page
        assert linked.exists(), target
        assert not section or section in sections(linked), f"{target}#{section}"


def sections(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_path_in_the_contributor_documents_exists(name: str) -> None:
    """Paths start at src/headsup, at the root, or at a folder that the same line names."""
    files = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if ".venv" not in path.parts}
    for line in text(ROOT / name).splitlines():
        for path in re.findall(r"`([\w./-]+(?:\.\w+|/[\w-]+))`", line):
            if not re.fullmatch(r"[\w./-]*(/[\w-]+|\.(py|js|toml|md|json))", path):
                continue
            ends = (f"src/headsup/{path}", path)
            found = any(end in files for end in ends) or any(
                file.endswith(f"/{path}") for file in files
            )
            assert found, f"{name}: {path}"


def test_every_picture_is_shown() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text(page))
    }
    pictures = {
        path.resolve()
        for path in (ROOT / "docs" / "images").iterdir()
        if path.suffix in (".svg", ".png")
    }
    assert pictures - shown == set()


def commands(page: Path) -> list[list[str]]:
    """Commands in code blocks and in running text."""
    blocks = "\n".join(re.findall(r"```\w*\n(.*?)```", text(page), re.DOTALL))
    found = re.findall(r"^(?:\$ )?headsup ([^#\n]*)", blocks, re.MULTILINE)
    found += re.findall(r"`headsup ([^`\n]*)`", text(page))
    lines = [shlex.split(line, comments=True) for line in found if "…" not in line]
    return [words for words in lines if words and words[0] not in HASHED]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_named_is_one_with_such_options(page: Path) -> None:
    for words in commands(page):
        if words[0].startswith("-"):
            continue
        command = COMMANDS.get(words[0])
        assert command is not None, words
        params = COMMANDS.get(" ".join(words[:2]), command).params
        known = {option for param in params for option in (*param.opts, *param.secondary_opts)}
        known |= {"-h", "--help"}
        for word in words[1:]:
            option = word.split("=")[0]
            assert not option.startswith("--") or option in known, words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_a_command_names_exists(page: Path) -> None:
    for words in commands(page):
        for word in words:
            if re.search(r"\.(json|jsonl|toml|html|pdf|csv|md)$", word):
                written = words[words.index(word) - 1] in (
                    "--html",
                    "--pdf",
                    "--csv",
                    "--svg",
                    "--log",
                )
                own = Path(word).name in READER_FILES or written or not word.startswith("docs/")
                assert own or (ROOT / word).exists(), words


def test_the_worked_hand_settles_as_described() -> None:
    round = json.loads(text(ROOT / "docs" / "examples" / "worked-hand.json"))
    paid = headsup.settle(round).seats[1]
    page = text(ROOT / "docs" / "how-to-play.md")
    results = {name: str(wager.net) for name, wager in paid.wagers.items()}
    assert results == {"ante": "10.00", "odds": "0.00", "raise": "20.00", "trips_plus": "-5.00"}
    assert "You are $25 up." in page
    assert paid.net == 25
    for cards in ("J♠ 9♠", "J♦ 7♣ 2♠", "A♣ 7♥"):
        assert cards in page


def test_the_card_in_the_docs_matches_the_evaluated_one() -> None:
    page = text(ROOT / "docs" / "strategy.md")
    card = parse_strategy(shipped_text(SHORT_CARD), SHORT_CARD)
    for street, rule in card_words(card).items():
        assert f"| {street.capitalize()} | {rule} |" in page
    assert "762047107/278138100240" in page


def test_every_test_named_in_the_docs_exists() -> None:
    """Pages may name the tests that prove a promise; coverage.md has a separate test."""
    tests = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    named = {name for page in PAGES for name in re.findall(r"`(test_\w+)`", text(page))}
    assert len(named) > 20
    assert named - tests == set()


def test_the_time_until_another_server_takes_over_follows_from_the_lease() -> None:
    page = text(ROOT / "docs" / "running-reference.md")
    assert f"the lease runs out after {LEASE_SECONDS} seconds" in page
    assert f"until the old lease has run out, at most {LEASE_SECONDS} seconds" in page
    (within,) = re.findall(r"within (\d+) seconds its tables continue on other servers", page)
    assert int(within) > LEASE_SECONDS + RENEW_SECONDS
