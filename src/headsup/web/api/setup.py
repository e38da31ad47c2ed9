"""Routes for setting up a table: rule books with their choices, and checking a choice."""

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field

from headsup.game.record.message_codec import read_command
from headsup.game.refusal import Code, Mistake, Refusal, Refused, RulesRefused, refusal
from headsup.game.rulebook.json_export import export_rules, summarize_rules
from headsup.game.rulebook.loader import SHIPPED_BOOKS, ensure_book_id
from headsup.game.rulebook.model import Limit
from headsup.game.rulebook.table_rules import TableRules, rules_from_record, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.table.commands import Staff
from headsup.game.table.decide import decide
from headsup.game.table.opening import OpenTable
from headsup.game.values.safe_parse import MAX_CHARACTERS
from headsup.house.dealing.pace import MAX_STEP_SECONDS
from headsup.house.people.permissions import role_refusal
from headsup.web.api.commands import refusal_error
from headsup.web.api.lobby import house_of
from headsup.web.api.login import COMMAND_RATE, CurrentPerson, StrictModel
from headsup.web.api.suggestions import describe_options, option_choices, suggested_options
from headsup.web.live.command_requests import check_pace, check_path_names
from headsup.web.live.protocol import FLOOR_NAME_PATTERN, OpeningJson, PaceSeconds
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["setup"])
_FLOOR_NAME = re.compile(FLOOR_NAME_PATTERN)


DraftName = Annotated[str, Field(max_length=60)]


class CheckTableRequest(StrictModel):
    """Like `OpenTableRequest`, but names that are not allowed are reported in `wrong`."""

    floor: DraftName
    table: DraftName
    command: OpeningJson
    pace: PaceSeconds | None = None


class FieldError(StrictModel):
    """`field` is `floor`, `table` or a path such as `options.meter_seed`, `limits.ante.max` or
    `pace.betting`; empty if the error is not about a single field."""

    field: str
    message: str


class CheckTableResponse(StrictModel):
    """Whether the table could be opened; if so, its rules with every clause."""

    refused: str | None
    rules: dict[str, Any] | None
    meters: list[str] = Field(description="The open meters of this floor, to link to.")
    wrong: list[FieldError] = Field(description="All errors, each with its field.")
    unlimited: list[str] = Field(description="Wagers without a maximum.")
    has_edges: bool = Field(description="Whether `POST /api/edges` works for this choice.")
    usual_pace: PaceSeconds = Field(description="The pace of a table opened without one.")
    longest: float = Field(description="The maximum for any step, in seconds.")


class CheckRulebookRequest(StrictModel):
    """The TOML text of a house's own rule book, and its file name if it has one."""

    text: str = Field(max_length=MAX_CHARACTERS)
    file: str = Field(default="", max_length=200)


class CheckRulebookResponse(StrictModel):
    """All mistakes in the book. Without any, `book` is as in `GET /api/rulebooks/{id}`. `rules` is
    the text for `OpenTable`, with an id added if it had none."""

    rules: str
    book: dict[str, Any] | None
    wrong: list[FieldError]


@router.get("/rulebooks", response_model=list[dict[str, Any]])
async def rulebooks(_person: CurrentPerson) -> list[dict[str, Any]]:
    """The shipped rule books: raises, qualifier, wagers, and the ids of their paytables."""
    return [summarize_rules(table_rules(name)) for name in SHIPPED_BOOKS]


@router.get("/rulebooks/{id}", response_model=dict[str, Any])
async def rulebook(
    id: Annotated[str, Path(min_length=1, max_length=40)], _person: CurrentPerson
) -> dict[str, Any]:
    """One rule book: limits, options and their choices, every paytable, every clause."""
    if id not in SHIPPED_BOOKS:
        raise ApiError(404, "no_such_rulebook")
    return _describe_rulebook(table_rules(id))


@router.post("/rulebooks", response_model=CheckRulebookResponse, dependencies=[COMMAND_RATE])
async def check_book(body: CheckRulebookRequest, person: CurrentPerson) -> CheckRulebookResponse:
    """Check a house's own rule book: its mistakes, or its full contents. Nothing is stored."""
    if refused := role_refusal(person, None, OpenTable(SHIPPED_BOOKS[0])):
        raise refusal_error(refused)
    text = body.text.removesuffix("\n") + "\n"  # end the last line
    rules = ensure_book_id(text, body.file)
    try:
        book = _describe_rulebook(table_rules(rules))
    except RulesRefused as error:
        wrong = _mistake_errors(error.mistakes)
        return CheckRulebookResponse(rules=rules, book=None, wrong=wrong)
    return CheckRulebookResponse(rules=rules, book=book, wrong=[])


def _describe_rulebook(rules: TableRules) -> dict[str, Any]:
    return {
        **export_rules(rules),
        "suggested": suggested_options(rules),
        "about": describe_options(rules.book),
        "choices": option_choices(rules.book),
    }


@router.post("/tables/check", response_model=CheckTableResponse)
async def check_table(
    body: CheckTableRequest, request: Request, person: CurrentPerson
) -> CheckTableResponse:
    """Check a new table without opening it."""
    try:
        opening = read_command(body.command)
        if not isinstance(opening, OpenTable):
            raise ApiError(400, "bad_request", "the command is not OpenTable")
    except Refused as error:
        raise refusal_error(error.refusal) from None
    if refused := role_refusal(person, None, opening):
        raise refusal_error(refused)
    floor = await house_of(request).read_floor(body.floor)
    meters = sorted(name for name, meter in floor.meters.items() if not meter.is_ended)
    answer = decide(floor, body.table, Staff(person.name), opening)
    bad_name = None if _FLOOR_NAME.match(body.floor) else refusal(Code.BAD_NAME, "floor")
    bad_name = bad_name or check_path_names(body.floor, body.table)
    wrong = [_field_error(bad_name)] if bad_name else []
    if isinstance(answer, Refusal):
        wrong += _field_errors(answer)
    pace_refusals = check_pace(opening, body.pace).items()
    wrong += [FieldError(field=field, message=item.message) for field, item in pace_refusals]
    usual = PaceSeconds(**asdict(house_of(request).usual_pace))
    rules = _load_rules(opening)
    if wrong or rules is None:
        return CheckTableResponse(
            refused=answer.message if isinstance(answer, Refusal) else wrong[0].message,
            rules=None,
            meters=meters,
            wrong=wrong,
            unlimited=[],
            has_edges=rules is not None,
            usual_pace=usual,
            longest=MAX_STEP_SECONDS,
        )
    return CheckTableResponse(
        refused=None,
        rules=export_rules(rules),
        meters=meters,
        wrong=[],
        unlimited=_find_unlimited_wagers(rules),
        has_edges=True,
        usual_pace=usual,
        longest=MAX_STEP_SECONDS,
    )


def _load_rules(opening: OpenTable) -> TableRules | None:
    try:
        return rules_from_record(opening.rules, opening.paytables, opening.options)
    except Refused:
        return None


def _field_errors(refused: Refusal) -> list[FieldError]:
    match refused.data.get("mistakes"):
        case tuple(mistakes):
            return _mistake_errors(mistakes)
        case _:
            return [_field_error(refused)]


def _mistake_errors(mistakes: Iterable[Mistake]) -> list[FieldError]:
    return [FieldError(field=mistake.key, message=mistake.reason) for mistake in mistakes]


def _field_error(refused: Refusal) -> FieldError:
    return FieldError(field=_field_of(refused), message=refused.message)


def _field_of(refused: Refusal) -> str:
    """The field of the form that the refusal is about."""
    match refused.code, refused.case:
        case (Code.BAD_NAME, "floor"):
            return "floor"
        case (Code.BAD_NAME | Code.TABLE_OPEN, _):
            return "table"
        case (Code.METER_UNSET, _):
            return f"options.{refused.data['option']}"
        case (Code.NEEDS_APPROVAL, "table"):
            return "options.approval"
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


def _find_unlimited_wagers(rules: TableRules) -> list[str]:
    if rules.single_wager_max:
        return []
    wagers = [Wager.ANTE, *(wager for wager in SIDE_WAGERS if rules.offers(wager))]
    limited = [wager for wager in wagers if wager is not Wager.PROGRESSIVE]
    return [wager.value for wager in limited if not rules.limits.get(wager, Limit()).max]
