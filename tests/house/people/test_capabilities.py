"""What a viewer is offered is accepted by the table, and nothing that it accepts is missing."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from headsup.game.record.message_codec import read_command
from headsup.game.refusal import Refusal
from headsup.game.round.commands import Check, Fold, Raise, WithdrawBets
from headsup.game.round.state import STREET_BY_PHASE, Phase
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.decide import decide
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import Leave
from headsup.game.words.languages import CATALOGUES
from headsup.house.floor.next_step import DealerStep
from headsup.house.people.capabilities import (
    DESK_FORMS,
    Standing,
    desk_forms,
    desk_part,
    rail_forms,
    seat_commands,
    seat_forms,
)
from headsup.house.people.permissions import permission
from headsup.house.people.person import Role
from tests.support.secrets import Table
from tests.support.tables import BOOKS, opened, table_at

ENGLISH = CATALOGUES["en"]
DESK = Staff("Dee")


def standing(floor: Any, table: str = "T1") -> Standing:
    return Standing(floor, floor.tables[table], ENGLISH)


def is_accepted(at: Standing, by: Actor, command: Command) -> bool:
    return not isinstance(decide(at.floor, at.table.id, by, command), Refusal)


def filled(form: Any) -> dict[str, Any]:
    """The form with the first choice of each field, and signed as the house signs it."""
    command = dict(form["command"])
    for field in form["fields"]:
        match field["kind"]:
            case "choice" | "pool":
                options = field["options"]
                command |= options[0]["set"] if options else _outside()
            case "text":
                command[field["name"]] = "6" if field["name"] == "pay" else "because"
            case "date":
                command[field["name"]] = "2999-12-31"
            case "cents" | "micros":
                command[field["name"]] = field.get("min", 1) * (
                    10_000 if field["kind"] == "micros" else 1
                )
            case "whole":
                command[field["name"]] = field["value"]
            case "yes":
                command[field["name"]] = True
            case "counts":
                command["counts"] = {option["set"]["wager"]: 0 for option in field["options"]}
            case "stakes":
                command["stakes"] = {"ante": 1_000, "odds": 1_000}
    for name, value in SIGNED.items():
        if name in command:
            command[name] = value
    return command


SIGNED = {"approvals": ["Dee", "Sue"], "dealer": "Dee", "supervisor": "Sue", "by": "Dee / Sue"}


def _outside() -> dict[str, str]:
    return {"place": "outside", "to": "Keno", "floor": ""}


def moments() -> Iterator[Standing]:
    """Tables in every phase, in every book."""
    for book in BOOKS:
        play = opened(book, seats=(1, 2))
        yield standing(play.floor)
        play.does(OpenRound())
        yield standing(play.floor)
        for phase in Phase:
            yield standing(table_at(phase, book, seats=(1, 2)).floor)


@pytest.mark.parametrize("book", BOOKS)
def test_a_seat_is_offered_exactly_what_the_table_accepts(book: str) -> None:
    """At every step of random rounds, with chips for all Raises and without."""
    offered = 0
    for number in range(4):
        table = Table(book, Random(f"capabilities {book} {number}"))
        for _ in table.play():
            at = standing(table.floor)
            for seat in at.table.players:
                by = PlayerAt(seat)
                items = seat_commands(at, seat)
                commands = [read_command(item["command"]) for item in items]
                assert all(is_accepted(at, by, command) for command in commands)
                every = [Raise(seat, multiple) for multiple in range(1, 5)]
                every += [Check(seat), Fold(seat), WithdrawBets(seat), Leave(seat)]  # type: ignore[list-item]
                accepted = {repr(one) for one in every if is_accepted(at, by, one)}
                assert {repr(one) for one in commands} == accepted
                offered += len(items)
                keys = [key for item in items for key in item.get("keys", ())]
                assert len(keys) == len(set(keys))
    assert offered > 50


def test_every_form_of_a_seat_is_accepted_when_it_is_filled_in() -> None:
    seen = set()
    for at in moments():
        for seat in at.table.players:
            for name, form in seat_forms(at, seat).items():
                command = read_command(filled(form))
                assert is_accepted(at, PlayerAt(seat), command), (name, at.phase)
                seen.add(name)
    assert {"form.BuyIn", "form.CashOut", "form.PlaceBets"} <= seen


def test_every_form_of_the_desk_is_accepted_when_it_is_filled_in() -> None:
    seen = set()
    for at in moments():
        forms = desk_forms(at, Role.SUPERVISOR, DESK_FORMS)
        forms |= desk_forms(at, Role.DEALER, DESK_FORMS)
        forms.pop("form.CorrectFlag", None)  # only the dealer sees which light is wrong
        for name, form in forms.items():
            answer = decide(at.floor, "T1", DESK, read_command(filled(form)))
            assert not isinstance(answer, Refusal), (name, at.phase, answer.message)
            seen.add(name)
    assert len(seen) >= 8, sorted(seen)


def test_a_role_is_offered_no_form_that_it_may_not_send() -> None:
    for at in moments():
        for role in Role:
            for name in desk_forms(at, role, DESK_FORMS):
                spec = next(spec for spec in DESK_FORMS if f"form.{spec.name}" == name)
                assert role in permission(spec.example).roles


def test_only_a_player_on_the_rail_is_offered_a_seat() -> None:
    at = standing(opened("galaxy", seats=(1, 2)).floor)
    assert rail_forms(at, Role.AUDITOR) == {}
    (field,) = rail_forms(at, Role.PLAYER)["form.Sit"]["fields"]
    assert [option["set"] for option in field["options"]] == [
        {"seat": seat} for seat in (3, 4, 5, 6)
    ]


def test_nobody_is_offered_to_play_a_round_whose_cards_may_be_known() -> None:
    floor = table_at(Phase.POCKET, seats=(1, 2), clockwise=False).floor
    at = Standing(floor, floor.tables["T1"], ENGLISH, known=True, notice="void the round")
    assert [item["command"]["command"] for item in seat_commands(at, 1)] == []
    assert desk_part(at, may_deal=True)["notice"] == "void the round"


def test_the_desk_names_the_step_and_who_is_waited_for() -> None:
    floor = table_at(Phase.POCKET, seats=(1, 2), clockwise=False).floor
    due = desk_part(standing(floor), may_deal=True)["due"]
    assert due["text"] == "Waiting for seat 1 (P1), seat 2 (P2)"
    assert (due["step"], due["seats"]) == ("decisions", [1, 2])
    assert "can" not in due


@pytest.mark.parametrize("language", sorted(CATALOGUES))
def test_every_step_phase_and_form_has_words(language: str) -> None:
    labels = CATALOGUES[language].labels
    for step in DealerStep:
        assert labels[f"due/{step}"]
    for phase in Phase:
        assert labels[f"phase/{phase}"]
    for street in STREET_BY_PHASE.values():
        assert labels[f"street/{street}"]
    for spec in DESK_FORMS:
        assert labels[f"form/{spec.name}"]
