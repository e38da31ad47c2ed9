"""docs/strategies.md has every word that a strategy may be written in, and no other."""

import re
from pathlib import Path

import pytest
import typer

from headsup.analysis.strategies.examples import shipped_names
from headsup.analysis.strategies.vocabulary import (
    CATEGORY_WORDS,
    FLOP,
    PLURALS,
    RANK_WORDS,
    RIVER,
    RULE_FORMS,
    RuleForm,
    parse_rule,
)
from headsup.analysis.strategies.written_strategy import (
    PASSIVE_ACTIONS,
    RAISE,
    RAISE_LEAST,
    STRATEGY_KEYS,
)
from headsup.cli.shell.registry import build_app
from headsup.game.refusal import Refused

PAGE = (Path(__file__).parents[3] / "docs" / "strategies.md").read_text(encoding="utf-8")
WORDS = PAGE.split("## The words")[1].split("\n## ")[0]
ROWS = dict(re.findall(r"^\| `(.+?)` \| ([a-z, ]+) \|", WORDS, re.MULTILINE))
PLACES = {"HAND": (*CATEGORY_WORDS,), "RANK": RANK_WORDS, "RANKS": PLURALS}


def test_the_page_has_every_form_with_its_streets_and_no_other() -> None:
    assert {one.form: ", ".join(one.streets) for one in RULE_FORMS} == ROWS


@pytest.mark.parametrize("place", PLACES)
def test_the_page_has_every_word_of_a_place_and_no_other(place: str) -> None:
    (row,) = re.findall(rf"^\| {place} \| (.+) \|$", WORDS, re.MULTILINE)
    assert tuple(re.findall(r"`([^`]+)`", row)) == PLACES[place]


def written(form: str) -> list[str]:
    """Everything that the page says may be written for a form."""
    short, whole = re.sub(r" \[.*\]", "", form), re.sub(r"[\[\]]", "", form)
    texts = {short, whole}
    for place in ("RANKS", "RANK", "HAND"):  # the longer name first
        texts = {text.replace(place, word) for text in texts for word in PLACES[place]}
    return sorted(text.replace(" N ", f" {n} ") for text in texts for n in (0, 21, 99))


@pytest.mark.parametrize("form", ROWS)
def test_what_the_page_says_is_read_on_its_streets_alone(form: str) -> None:
    for text in written(form):
        for street in (FLOP, RIVER):
            if street in ROWS[form]:
                assert parse_rule(text, street, "").text == text
            else:
                with pytest.raises(Refused, match="is a rule of the"):
                    parse_rule(text, street, "")


@pytest.mark.parametrize("one", RULE_FORMS, ids=lambda one: str(one.form))
def test_the_page_has_every_word_that_is_read(one: RuleForm) -> None:
    """Also those that may be left out, which no form shows."""
    known = {*re.findall(r"[a-z-]+", WORDS)}
    assert {
        *re.findall(r"[a-z-]+", one.pattern.replace("[0-9]", "").replace("an?", "a an"))
    } <= known


def test_articles_and_joined_conditions_are_read_as_the_page_says() -> None:
    assert "joined with `and`" in WORDS
    parse_rule("an open-ended straight draw and a hidden jack or better", FLOP, "")
    parse_rule("fewer than 21 dealer outs beat you", RIVER, "")


def test_the_page_has_every_key_and_no_other() -> None:
    keys = PAGE.split("**Keys** are")[1].split("**Lines**")[0]
    known = {*STRATEGY_KEYS, RAISE, RAISE_LEAST, *PASSIVE_ACTIONS.values(), "otherwise"}
    assert {*re.findall(r"`(\w+)`", keys)} == known


def test_the_page_has_every_strategy_that_comes_along_and_no_other() -> None:
    told = PAGE.split("| shipped")[1].split("\n\n")[0]
    assert {*re.findall(r"^\| `([a-z-]+)`", told, re.MULTILINE)} == {*shipped_names()}


def test_the_page_has_every_command_that_is_about_strategies_or_takes_one() -> None:
    commands = typer.main.get_command(build_app()).commands  # type: ignore[attr-defined]
    told = " ".join(PAGE.split())  # whatever the line breaks
    for name in commands["strategy"].commands:
        assert f"headsup strategy {name}" in told
    takes = {
        name
        for name, command in commands.items()
        if any("--strategy" in param.opts for param in command.params)
    }
    assert takes
    assert {*re.findall(r"`headsup (\w+) --strategy`", told)} == takes
