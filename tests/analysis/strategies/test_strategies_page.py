"""docs/strategies.md lists exactly the words that strategies may use."""

import re
from pathlib import Path

import pytest

from headsup.analysis.strategies.examples import shipped_names
from headsup.analysis.strategies.vocabulary import (
    CATEGORY_WORDS,
    FLOP,
    PLURALS,
    RANK_WORDS,
    RIVER,
    RULE_FORMS,
    SUIT_WORDS,
    RuleForm,
    parse_rule,
)
from headsup.analysis.strategies.written_strategy import (
    PASSIVE_ACTIONS,
    RAISE,
    RAISE_LEAST,
    STRATEGY_KEYS,
)
from headsup.game.refusal import Refused
from tests.support.cli.run import all_commands

PAGE = (Path(__file__).parents[3] / "docs" / "strategies.md").read_text(encoding="utf-8")
WORDS = PAGE.split("## The words")[1].split("\n## ")[0]
ROWS = dict(re.findall(r"^\| `(.+?)` \| ([a-z, ]+) \|", WORDS, re.MULTILINE))
PLACES = {"HAND": (*CATEGORY_WORDS,), "RANK": RANK_WORDS, "RANKS": PLURALS, "SUITS": SUIT_WORDS}


def test_the_page_lists_exactly_the_forms_and_their_streets() -> None:
    assert {form.form: ", ".join(form.streets) for form in RULE_FORMS} == ROWS


@pytest.mark.parametrize("place", PLACES)
def test_the_page_lists_exactly_the_words_for_places(place: str) -> None:
    (row,) = re.findall(rf"^\| {place} \| (.+) \|$", WORDS, re.MULTILINE)
    assert tuple(re.findall(r"`([^`]+)`", row)) == PLACES[place]


def documented_examples(form: str) -> list[str]:
    """Everything that the page says may be written for a form."""
    short, whole = re.sub(r" ?\[[^]]*\]", "", form), re.sub(r"[\[\]]", "", form)
    texts = {short, whole}
    for place in ("RANKS", "RANK", "HAND", "SUITS"):  # the longer name first
        texts = {text.replace(place, word) for text in texts for word in PLACES[place]}
    return sorted(text.replace(" N ", f" {n} ") for text in texts for n in (0, 21, 99))


@pytest.mark.parametrize("form", ROWS)
def test_documented_words_are_accepted_on_their_streets_only(form: str) -> None:
    for text in documented_examples(form):
        for street in (FLOP, RIVER):
            if street in ROWS[form]:
                assert parse_rule(text, street, "").text == text
            else:
                with pytest.raises(Refused, match="is a rule of the"):
                    parse_rule(text, street, "")


@pytest.mark.parametrize("form", RULE_FORMS, ids=lambda form: str(form.form))
def test_the_page_has_every_accepted_word(form: RuleForm) -> None:
    """Also those that may be left out, which no form shows."""
    known = {*re.findall(r"[a-z-]+", WORDS)}
    assert {
        *re.findall(r"[a-z-]+", form.pattern.replace("[0-9]", "").replace("an?", "a an"))
    } <= known


def test_articles_and_joined_conditions_work_as_documented() -> None:
    assert "joined with `and`" in WORDS
    parse_rule("an open-ended straight draw and a hidden jack or better", FLOP, "")
    parse_rule("fewer than 21 dealer outs beat you", RIVER, "")


def test_the_page_lists_exactly_the_keys() -> None:
    keys = PAGE.split("**Keys** are")[1].split("**Lines**")[0]
    known = {*STRATEGY_KEYS, RAISE, RAISE_LEAST, *PASSIVE_ACTIONS.values(), "otherwise"}
    assert {*re.findall(r"`(\w+)`", keys)} == known


def test_the_page_lists_exactly_the_shipped_strategies() -> None:
    text = PAGE.split("| Shipped")[1].split("\n\n")[0]
    assert {*re.findall(r"^\| `([a-z-]+)`", text, re.MULTILINE)} == {*shipped_names()}


def test_the_page_lists_every_command_that_uses_strategies() -> None:
    commands = all_commands()
    text = " ".join(PAGE.split())  # whatever the line breaks
    for name in commands:
        assert not name.startswith("strategy ") or f"headsup {name}" in text
    takes = {
        name
        for name, command in commands.items()
        if any("--strategy" in param.opts for param in command.params)
    }
    assert takes
    assert {*re.findall(r"`headsup (\w+) --strategy`", text)} == takes
