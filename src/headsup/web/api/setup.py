"""Setting a table up: the rule books with all their choices, and what a choice comes to."""

import re
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field

from headsup.game.record.command_codec import read_command
from headsup.game.refusal import Code, Refusal, Refused, RulesRefused, refusal
from headsup.game.rulebook.json_export import summary, whole
from headsup.game.rulebook.loader import SHIPPED, identified
from headsup.game.rulebook.model import Limit
from headsup.game.rulebook.table_rules import TableRules, recorded_rules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.table.commands import OpenTable, Staff
from headsup.game.table.decide import decide
from headsup.game.table.state import Floor
from headsup.game.values.safe_parse import MAX_CHARACTERS
from headsup.house.dealing.pace import LONGEST
from headsup.house.people.permissions import forbidden
from headsup.web.api.lobby import house_of
from headsup.web.api.login import Asker, _Strict
from headsup.web.api.suggestions import about_options, option_choices, suggested_options
from headsup.web.live.command_requests import unreachable, wrong_pace
from headsup.web.live.commands import declined_as, not_too_often
from headsup.web.live.protocol import FLOOR_NAME, OpeningJson, SecondsShown
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["setup"])
_FLOOR = re.compile(FLOOR_NAME)


NameTried = Annotated[str, Field(max_length=60)]


class OpeningTried(_Strict):
    """As `OpeningAsked`; a name that does not fit is one of the things found wrong."""

    floor: NameTried
    table: NameTried
    command: OpeningJson
    pace: SecondsShown | None = None


class FieldWrong(_Strict):
    """`field` is `floor`, `table` or a path such as `options.meter_seed`, `limits.ante.max` or
    `pace.betting`; empty where it is none of one field."""

    field: str
    message: str


class OpeningChecked(_Strict):
    """Whether the table could be opened so, and then its rules with every clause."""

    refused: str | None
    rules: dict[str, Any] | None
    meters: list[str] = Field(description="Open on this floor, to link to.")
    wrong: list[FieldWrong] = Field(description="Everything that is refused, each at its field.")
    unlimited: list[str] = Field(description="Wagers on which nothing bounds a stake.")
    has_edges: bool = Field(description="Whether `POST /api/edges` can tell the choice's edges.")
    usual_pace: SecondsShown = Field(description="Of a table that is opened without a pace.")
    longest: float = Field(description="Seconds that any step may wait.")


class BookTried(_Strict):
    """The TOML text of a house's own rule book, and the name of its file where it has one."""

    text: str = Field(max_length=MAX_CHARACTERS)
    file: str = Field(default="", max_length=200)


class BookChecked(_Strict):
    """Everything wrong with the book; without a mistake `book` is as `GET /api/rulebooks/{id}`
    has it, and `rules` what `OpenTable` is to say: the text, with an id where it had none."""

    rules: str
    book: dict[str, Any] | None
    wrong: list[FieldWrong]


@router.get("/rulebooks", response_model=list[dict[str, Any]])
async def rulebooks(_person: Asker) -> list[dict[str, Any]]:
    """The rule books there are: raises, qualifier, wagers, and the ids of their paytables."""
    return [summary(table_rules(name)) for name in SHIPPED]


@router.get("/rulebooks/{id}", response_model=dict[str, Any])
async def rulebook(
    id: Annotated[str, Path(min_length=1, max_length=40)], _person: Asker
) -> dict[str, Any]:
    """One rule book whole: limits, options and what each may be, every paytable, every clause."""
    if id not in SHIPPED:
        raise ApiError(404, "no_such_rulebook")
    return _book_whole(table_rules(id))


@router.post("/rulebooks", response_model=BookChecked)
async def check_book(tried: BookTried, request: Request, person: Asker) -> BookChecked:
    """A house's own rule book: what is wrong with it, or all it says. Nothing is kept of it."""
    if forbids := forbidden(person, None, OpenTable(SHIPPED[0])):
        raise declined_as(forbids)
    not_too_often(request, person.id)
    rules = identified(tried.text.removesuffix("\n") + "\n", tried.file)  # a text has lines
    try:
        book = _book_whole(table_rules(rules))
    except RulesRefused as refused:
        wrong = [FieldWrong(field=one.key, message=one.reason) for one in refused.mistakes]
        return BookChecked(rules=rules, book=None, wrong=wrong)
    return BookChecked(rules=rules, book=book, wrong=[])


def _book_whole(rules: TableRules) -> dict[str, Any]:
    return {
        **whole(rules),
        "suggested": suggested_options(rules),
        "about": about_options(rules.book),
        "choices": option_choices(rules.book),
    }


@router.post("/tables/check", response_model=OpeningChecked)
async def check(tried: OpeningTried, request: Request, person: Asker) -> OpeningChecked:
    """What a table would be that is opened so. Nothing is opened."""
    try:
        opening = read_command(tried.command)
        if not isinstance(opening, OpenTable):
            raise ApiError(400, "bad_request", "the command is not OpenTable")
    except Refused as refused:
        raise declined_as(refused.refusal) from None
    if forbids := forbidden(person, None, opening):
        raise declined_as(forbids)
    host = house_of(request).hosts.get(tried.floor)
    floor = Floor() if host is None else host.journal.floor
    meters = sorted(name for name, meter in floor.meters.items() if not meter.ended)
    answer = decide(floor, tried.table, Staff(person.name), opening)
    unfit = None if _FLOOR.match(tried.floor) else refusal(Code.BAD_NAME, "floor")
    unfit = unfit or unreachable(tried.floor, tried.table)
    wrong = [_wrong(unfit)] if unfit else []
    if isinstance(answer, Refusal):
        wrong += _all_wrong(answer)
    wrong_seconds = wrong_pace(opening, tried.pace).items()
    wrong += [FieldWrong(field=at, message=one.message) for at, one in wrong_seconds]
    usual = SecondsShown(**asdict(house_of(request).usual_pace))
    rules = _chosen(opening)
    if wrong or rules is None:
        return OpeningChecked(
            refused=answer.message if isinstance(answer, Refusal) else wrong[0].message,
            rules=None,
            meters=meters,
            wrong=wrong,
            unlimited=[],
            has_edges=rules is not None,
            usual_pace=usual,
            longest=LONGEST,
        )
    return OpeningChecked(
        refused=None,
        rules=whole(rules),
        meters=meters,
        wrong=[],
        unlimited=_unlimited(rules),
        has_edges=True,
        usual_pace=usual,
        longest=LONGEST,
    )


def _chosen(opening: OpenTable) -> TableRules | None:
    try:
        return recorded_rules(opening.rules, opening.paytables, opening.options)
    except Refused:
        return None


def _all_wrong(refused: Refusal) -> list[FieldWrong]:
    match refused.data.get("mistakes"):
        case tuple(mistakes):
            return [FieldWrong(field=one.key, message=one.reason) for one in mistakes]
        case _:
            return [_wrong(refused)]


def _wrong(refused: Refusal) -> FieldWrong:
    return FieldWrong(field=_field(refused), message=refused.message)


def _field(refused: Refusal) -> str:
    """Where on the form it is put right."""
    match refused.code, refused.case:
        case (Code.BAD_NAME, "floor"):
            return "floor"
        case (Code.BAD_NAME | Code.TABLE_OPEN, _):
            return "table"
        case (Code.METER_UNSET, _):
            return f"options.{refused.data['option']}"
        case (Code.NEEDS_LIMIT, _):
            return f"limits.{refused.data['key']}.max"
        case (Code.METER_RULES, "seed_below_zero"):
            return "options.meter_seed"
        case (Code.METER_RULES, "maximum_below_seed" | "too_large"):
            return "options.meter_max"
        case (Code.METER_RULES, "contribution_below_zero" | "contribution_above_stake"):
            return "options.meter_contribution"
        case (Code.METER_AMOUNT, "above_stake"):
            return "options.meter_contribution"
        case _:
            return ""


def _unlimited(rules: TableRules) -> list[str]:
    if rules.single_wager_max:
        return []
    wagers = [Wager.ANTE, *(wager for wager in SIDE_WAGERS if rules.offers(wager))]
    limited = [wager for wager in wagers if wager is not Wager.PROGRESSIVE]
    return [wager.value for wager in limited if not rules.limits.get(wager, Limit()).max]
