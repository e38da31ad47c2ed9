"""What a viewer may do at a table now: commands to click, forms to fill in, and the next step.

It follows from the table of permissions and the state, so pages list no commands and no roles. It
is advice to the page: the floor decides.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from headsup.game.bank.meter import Active, Closing, Meter, PoolPlace, Regime
from headsup.game.record.message_codec import write_command
from headsup.game.refusal import Code, Refusal
from headsup.game.round.commands import (
    Check,
    ExtendTime,
    Fold,
    PlaceBets,
    Raise,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.decide import legal_actions
from headsup.game.round.state import STREET_BY_PHASE, Phase
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.decide import decide
from headsup.game.table.equipment import (
    CorrectFlag,
    CountByHand,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
)
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    PlanMeterClosing,
    ReceivePool,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import CloseTable, SetBonusCell
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.sealed_shuffles import AddSeed, ReportLostSeal
from headsup.game.table.sealing import MAX_PLAYER_SEED_CHARACTERS
from headsup.game.table.seating import BuyIn, CashOut, Leave, Sit, SitGuest
from headsup.game.table.state import Floor, Table
from headsup.game.values.money import MICROS_PER_CENT, show_dollars, show_micro_dollars
from headsup.game.views.parts import coupons_part
from headsup.game.views.parts_model import DeskPart, DuePart, Field, FormPart, MayItem, Option
from headsup.game.views.posted import offered_wagers
from headsup.game.words.catalogue import Catalogue
from headsup.house.dealing.real_cards import places_to_enter
from headsup.house.floor.next_step import DealerStep, is_doable, next_step, step_key
from headsup.house.people.permissions import permission
from headsup.house.people.person import Role

MAX_TEXT = 200
MAX_SEED_TEXT = MAX_PLAYER_SEED_CHARACTERS
MAX_EXTRA_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Standing:
    """A table at a moment, and what the house knows about it beyond the log."""

    floor: Floor
    table: Table
    catalogue: Catalogue
    known: bool = False  # cards of the round may be known, so nobody may play it
    notice: str = ""  # why the round must stop, and what to do

    @property
    def phase(self) -> Phase | None:
        return None if self.table.round is None else self.table.round.phase

    @property
    def meter(self) -> Meter | None:
        meter = self.floor.meters.get(self.table.meter)
        return None if meter is None or meter.is_ended else meter

    @property
    def owing(self) -> list[int]:
        round = self.table.round
        on_street = round is not None and round.phase in STREET_BY_PHASE
        return sorted(round.seats_owing()) if round is not None and on_street else []


# Commands to click.


def seat_commands(at: Standing, seat: int) -> list[MayItem]:
    """The commands that the seat's player may send as they are."""
    by = PlayerAt(seat)
    decisions = [] if at.known else _decisions(at, seat, by)
    others = [
        _item(at, command, hint=at.catalogue.labels[f"hint/{type(command).__name__}"])
        for command in (WithdrawBets(seat), Leave(seat))
        if not (at.known and isinstance(command, WithdrawBets)) and _is_accepted(at, by, command)
    ]
    return decisions + others


def _decisions(at: Standing, seat: int, by: Actor) -> list[MayItem]:
    """The largest Raise first, as its key is the one under the finger."""
    round = at.table.round
    if round is None or seat not in round.seats:
        return []
    ante = round.seats[seat].stakes[Wager.ANTE]
    items: list[MayItem] = []
    choices = [choice for choice in legal_actions(round, seat) if _is_accepted(at, by, choice)]
    raises = sorted(
        (choice for choice in choices if isinstance(choice, Raise)), key=lambda one: -one.multiple
    )
    labels = at.catalogue.labels
    for place, one in enumerate(raises):
        amount = one.multiple * ante
        hint = at.catalogue.fill_label("hint/Raise", amount=show_dollars(amount))
        keys = [*(("r",) if place == 0 else ()), str(one.multiple)]
        items.append({**_item(at, one, hint), "amount": amount, "keys": keys})
    for choice in choices:
        if isinstance(choice, Check):
            hint = labels[f"hint/Check/{round.phase.value}"]
            items.append({**_item(at, choice, hint), "keys": ["c"]})
        elif isinstance(choice, Fold):
            items.append({**_item(at, choice, labels["hint/Fold"]), "keys": ["f"]})
    return items


def _item(at: Standing, command: Command, hint: str) -> MayItem:
    label = at.catalogue.labels[f"may/{type(command).__name__}"]
    if isinstance(command, Raise):
        name = at.table.rules.book.label(Wager.RAISE)
        label = at.catalogue.fill_label("may/Raise", label=name, multiple=command.multiple)
    return {"command": write_command(command), "label": label, "hint": hint}


def _is_accepted(at: Standing, by: Actor, command: Command) -> bool:
    return not isinstance(decide(at.floor, at.table.id, by, command), Refusal)


def guest_commands(at: Standing) -> list[MayItem]:
    """The decisions that the dealer enters for guests, who have no account (R109)."""
    items: list[MayItem] = []
    for seat in sorted(at.table.felt.guests):
        decisions = [] if at.known else _decisions(at, seat, _DESK)
        for item in decisions:
            where = at.catalogue.fill_label("seat", seat=seat)
            plain: MayItem = {**item, "label": f"{where}: {item['label']}"}
            plain.pop("keys", None)
            items.append(plain)
    return items


# Forms.

FieldMaker: TypeAlias = Callable[[Standing], Field]


@dataclass(frozen=True, slots=True)
class FormSpec:
    """A form, with an example of its command; the example's other fields are sent as they are."""

    name: str
    example: Command
    fields: tuple[tuple[str, FieldMaker], ...]  # what each sets, and the field
    is_open: Callable[[Standing], bool]
    sheet: str = ""

    def part(self, at: Standing) -> FormPart:
        command = write_command(self.example)
        for names, _ in self.fields:
            for name in names.split():
                command.pop(name, None)
        part: FormPart = {
            "command": command,
            "label": at.catalogue.labels[f"form/{self.name}"],
            "fields": [make(at) for _, make in self.fields],
        }
        if self.sheet:
            part["sheet"] = self.sheet
        if permission(self.example).two_persons:
            part["two_persons"] = True
        return part


def _field(name: str, kind: Any, label: str = "", **more: Any) -> tuple[str, FieldMaker]:
    def make(at: Standing) -> Field:
        text = at.catalogue.labels[f"field/{label or name}"]
        return {"name": name, "label": text, "kind": kind, **more}  # type: ignore[typeddict-item]

    return name, make


def _choice(
    names: str, label: str, options: Callable[[Standing], Iterator[Option]], kind: Any = "choice"
) -> tuple[str, FieldMaker]:
    def make(at: Standing) -> Field:
        text = at.catalogue.labels[f"field/{label}"]
        return {"name": label, "label": text, "kind": kind, "options": list(options(at))}

    return names, make


REASON = _field("reason", "text", max=MAX_TEXT)


def _seat_options(seats: Callable[[Standing], Any]) -> Callable[[Standing], Iterator[Option]]:
    def options(at: Standing) -> Iterator[Option]:
        for seat in seats(at):
            name = at.table.players.get(seat, "")
            yield {"set": {"seat": seat}, "label": f"{seat} · {name}" if name else str(seat)}

    return options


def _seat_field(seats: Callable[[Standing], Any]) -> tuple[str, FieldMaker]:
    return _choice("seat", "seat", _seat_options(seats))


def _taken(at: Standing) -> list[int]:
    return sorted(at.table.players)


def _free(at: Standing) -> list[int]:
    return [seat for seat in _positions(at) if seat not in at.table.players]


def _leaving(at: Standing) -> list[int]:
    return [seat for seat in _taken(at) if not at.table.in_round(seat)]


def _positions(at: Standing) -> range:
    return range(1, at.table.rules.book.seats + 1)


def _players(at: Standing) -> Iterator[Option]:
    accounts = {name for seat, name in at.table.players.items() if not at.table.is_guest(seat)}
    for name in sorted(accounts):
        yield {"set": {"player": name}, "label": name}


def _offered(at: Standing) -> tuple[Wager, ...]:
    return offered_wagers(at.table.rules, not at.floor.jackpot_ended(at.table.id))


def _coupon_wagers(at: Standing) -> Iterator[Option]:
    for wager in _offered(at):
        if wager is not Wager.PROGRESSIVE:  # it takes chips only
            yield {"set": {"wager": wager.value}, "label": at.table.rules.book.label(wager)}


def _coupons(at: Standing) -> Iterator[Option]:
    for number, coupon in sorted(at.table.coupons.unspent.items()):
        label = at.table.rules.book.label(coupon.wager)
        text = f"{number} · {coupon.player}, {label} {show_dollars(coupon.amount)}"
        yield {"set": {"coupon": number}, "label": f"{text}, {coupon.expires}"}


def _counted(at: Standing) -> Iterator[Option]:
    for wager in () if at.table.tabulator is None else at.table.tabulator.counts:
        yield {"set": {"wager": wager.value}, "label": at.table.rules.book.label(wager)}


def _chips(at: Standing) -> Iterator[Option]:
    for seen in (True, False):
        yield {"set": {"chip": seen}, "label": at.catalogue.labels[f"chip/{seen}"]}


def _cells(at: Standing) -> Iterator[Option]:
    for key, outcome, label in bonus_cells(at.table.rules):
        name = f"{at.table.rules.book.label_for_key(key)}: {label}"
        yield {"set": {"key": key, "outcome": outcome}, "label": name}


def bonus_cells(rules: TableRules) -> Iterator[tuple[str, str, str]]:
    """The rows whose amount the operator sets: paytable, outcome, and the row as it reads now."""
    for key, table in rules.paytables.items():
        printed = rules.book.tables_of(key).get(table.id)
        for row in () if printed is None else table.rows:
            if printed is None or not printed.is_bonus(row.outcome):
                continue
            if not table.is_unreachable(row.outcome):
                yield key, row.outcome.value, f"{row.label} ({row.pay.printed})"


def _pools(at: Standing) -> Iterator[Option]:
    """The meters of this floor that could take the pool."""
    for name, meter in sorted(at.floor.meters.items()):
        takes = meter.rules.regime is Regime.PROGRESSIVE and isinstance(meter.standing, Active)
        if takes and name != at.table.meter:
            to = {"place": PoolPlace.THIS_FLOOR.value, "to": name, "floor": ""}
            yield {"set": to, "label": f"{name} ({show_micro_dollars(meter.displayed)})"}


def _planned(at: Standing) -> Iterator[Option]:
    if plan := _plan(at):
        where = f"{plan.to}, {plan.floor}" if plan.floor else plan.to
        yield {"set": {"to": plan.to}, "label": where}


def _plan(at: Standing) -> Closing | None:
    standing = None if at.meter is None else at.meter.standing
    return standing if isinstance(standing, Closing) else None


def _is_shared(at: Standing) -> bool:
    """Whether the table plays for a pool of the players' money."""
    return at.meter is not None and not at.table.rules.bonus_jackpot


def _is_bonus(at: Standing) -> bool:
    return at.table.rules.bonus_jackpot and not at.floor.jackpot_ended(at.table.id)


def _is_down(at: Standing) -> bool:
    return at.table.tabulator is not None and bool(at.table.tabulator.down)


def _is_open(at: Standing) -> bool:
    return not at.table.closed


def _is_between_rounds(at: Standing) -> bool:
    return not at.table.is_playing


def _may_lose_seal(at: Standing) -> bool:
    return at.table.sealed is not None and _is_between_rounds(at) and _is_open(at)


_BOTH = ("", "")
_DESK = Staff("dealer")
DESK_FORMS: tuple[FormSpec, ...] = (
    FormSpec(
        "FreezeMeter",
        FreezeMeter("why"),
        (REASON,),
        lambda at: at.meter is not None and not at.meter.frozen_reason,
        "meter",
    ),
    FormSpec(
        "UnfreezeMeter",
        FreezeMeter(""),
        (),
        # While the equipment is down, the display is frozen anyway.
        lambda at: at.meter is not None and bool(at.meter.frozen_reason) and not _is_down(at),
        "meter",
    ),
    FormSpec(
        "CorrectMeter",
        CorrectMeter(MICROS_PER_CENT, "why", _BOTH),
        (_field("amount", "micros", "correction"), REASON),
        lambda at: at.meter is not None,
        "meter",
    ),
    FormSpec(
        "PlanMeterClosing",
        PlanMeterClosing("2999-12-31", "letter", "to"),
        (
            _field("date", "date"),
            _choice("to place floor", "to", _pools, "pool"),
            _field("approval", "text", max=MAX_TEXT),
        ),
        _is_shared,
        "meter",
    ),
    FormSpec(
        "TransferPool",
        TransferPool("to", _BOTH),
        (_choice("to", "to", _planned),),
        lambda at: _is_shared(at) and _plan(at) is not None,
        "meter",
    ),
    FormSpec(
        "ReceivePool",
        ReceivePool("from", MICROS_PER_CENT, "letter", _BOTH),
        (
            _field("sender", "text", max=MAX_TEXT),
            _field("amount", "micros", min=1),
            _field("approval", "text", max=MAX_TEXT),
        ),
        _is_shared,
        "meter",
    ),
    FormSpec(
        "SetBonusPrize",
        SetBonusPrize(MICROS_PER_CENT, "why", ""),
        (_field("prize", "micros", min=1), REASON),
        lambda at: _is_bonus(at) and _is_open(at),
        "meter",
    ),
    FormSpec(
        "EndBonus",
        EndBonus("why", ""),
        (REASON,),
        lambda at: _is_bonus(at) and _is_open(at),
        "meter",
    ),
    FormSpec(
        "SetBonusCell",
        SetBonusCell("trips_plus", "flush", "6", "why", _BOTH),
        (_choice("key outcome", "cell", _cells), _field("pay", "text", max=40), REASON),
        lambda at: _is_open(at) and any(bonus_cells(at.table.rules)),
        "meter",
    ),
    FormSpec(
        "CountByHand",
        CountByHand({}),
        (_choice("counts", "counts", _counted, "counts"),),
        lambda at: _is_open(at) and _is_down(at) and at.phase is Phase.NO_MORE_BETS,
        "tabulator",
    ),
    FormSpec(
        "ReadSensor",
        ReadSensor(1, Wager.PROGRESSIVE, True),
        (
            _seat_field(_positions),
            _choice("wager", "wager", _counted),
            _choice("chip", "chip", _chips),
        ),
        lambda at: at.table.tabulator is not None and _is_open(at),
        "tabulator",
    ),
    FormSpec(
        "CorrectFlag",
        CorrectFlag(1, Wager.PROGRESSIVE, True, "why", "", ""),
        (
            _seat_field(_positions),
            _choice("wager", "wager", _counted),
            _field("wagered", "yes"),
            REASON,
        ),
        lambda at: at.table.tabulator is not None and at.phase is Phase.NO_MORE_BETS,
        "tabulator",
    ),
    FormSpec(
        "ReportEquipmentDown",
        ReportEquipmentDown("why"),
        (REASON,),
        lambda at: at.table.tabulator is not None and not _is_down(at) and _is_open(at),
        "tabulator",
    ),
    FormSpec(
        "RestoreEquipment",
        RestoreEquipment(_BOTH),
        (),
        lambda at: _is_down(at) and _is_open(at),
        "tabulator",
    ),
    FormSpec("ReportLostSeal", ReportLostSeal("why", _BOTH), (REASON,), _may_lose_seal, "seats"),
    FormSpec(
        "SitGuest",
        SitGuest(1, ""),
        (_seat_field(_free), _field("name", "text", "player", max=40)),
        lambda at: _is_open(at) and bool(_free(at)),
        "seats",
    ),
    FormSpec(
        "CloseTable",
        CloseTable("why", ""),
        (REASON,),
        lambda at: _is_open(at) and not at.table.players and _is_between_rounds(at),
        "seats",
    ),
    FormSpec(
        "ExtendTime",
        ExtendTime(1, 60),
        (
            _seat_field(lambda at: at.owing),
            _field("seconds", "whole", min=1, max=MAX_EXTRA_SECONDS, value=60),
        ),
        lambda at: bool(at.owing),
        "seats",
    ),
    FormSpec(
        "TimeOut",
        TimeOut(1, None),
        (_seat_field(lambda at: at.owing),),
        lambda at: bool(at.owing),
        "seats",
    ),
    FormSpec(
        "Leave",
        Leave(1),
        (_seat_field(_leaving),),
        lambda at: _is_open(at) and bool(_leaving(at)),
        "seats",
    ),
    FormSpec(
        "IssueCoupon",
        IssueCoupon("Ann", Wager.ANTE, 100, "2999-12-31", _BOTH),
        (
            _choice("player", "player", _players),
            _choice("wager", "wager", _coupon_wagers),
            _field("amount", "cents", min=1),
            _field("expires", "date"),
        ),
        lambda at: at.table.rules.coupons and _is_open(at) and any(_players(at)),
        "seats",
    ),
    FormSpec(
        "CancelCoupon",
        CancelCoupon(1, "why", _BOTH),
        (_choice("coupon", "coupon", _coupons), REASON),
        lambda at: bool(at.table.coupons.unspent),
        "seats",
    ),
    FormSpec(
        "CorrectPayout",
        CorrectPayout(1, 100, "why", "", ""),
        (_seat_field(_taken), _field("amount", "cents", "payout"), REASON),
        lambda at: at.table.last_settled is not None and bool(at.table.players),
        "pay",
    ),
)


# These change with every decision; the others seldom.
TURN_FORMS = tuple(spec for spec in DESK_FORMS if spec.name in ("ExtendTime", "TimeOut"))
OTHER_FORMS = tuple(spec for spec in DESK_FORMS if spec not in TURN_FORMS)


def desk_forms(at: Standing, role: Role, specs: tuple[FormSpec, ...]) -> dict[str, FormPart]:
    """The forms on the dealer's console that this role may send."""
    by_hand = at.table.shuffle.by_hand
    return {
        f"form.{spec.name}": spec.part(at)
        for spec in specs
        if role in (allowed := permission(spec.example)).roles
        and not (allowed.by_hand and not by_hand)
        and spec.is_open(at)
        and not _is_refused_for_now(at, spec.example)
    }


def _is_refused_for_now(at: Standing, example: Command) -> bool:
    """Whether the table refuses such a command whatever its fields are, while a round is open."""
    answer = decide(at.floor, at.table.id, _DESK, example)
    return isinstance(answer, Refusal) and answer.code is Code.ROUND_OPEN


def seat_forms(at: Standing, seat: int) -> dict[str, FormPart]:
    """The forms of a seat's player: chips, bets and a seed of their own."""
    forms: dict[str, FormPart] = {}
    by, chips = PlayerAt(seat), at.floor.chips_of_seat(at.table, seat)
    if _is_accepted(at, by, BuyIn(seat, 1)):
        spec = FormSpec("BuyIn", BuyIn(seat, 1), (_field("amount", "cents", min=1),), _is_open)
        forms["form.BuyIn"] = spec.part(at)
    if chips and _is_accepted(at, by, CashOut(seat, chips)):
        amount = _field("amount", "cents", min=1, max=chips)
        forms["form.CashOut"] = FormSpec("CashOut", CashOut(seat, 1), (amount,), _is_open).part(at)
    # Bets that lie there can be taken back and placed again.
    if at.phase is Phase.BETTING and not at.known and not at.table.in_round(seat):
        stakes = _field("stakes", "stakes")
        spec = FormSpec("PlaceBets", PlaceBets(seat, {}), (stakes,), _is_open)
        forms["form.PlaceBets"] = spec.part(at)
    if at.table.sealed is not None and _is_accepted(at, by, AddSeed(seat, "seed")):
        text = _field("text", "text", max=MAX_SEED_TEXT)
        forms["form.AddSeed"] = FormSpec("AddSeed", AddSeed(seat, ""), (text,), _is_open).part(at)
    return forms


def rail_forms(at: Standing, role: Role) -> dict[str, FormPart]:
    """What somebody who only watches may do: a player may take a free seat."""
    free = _free(at)
    if role is not Role.PLAYER or not free or at.table.closed:
        return {}
    # The house fills in the player's name.
    spec = FormSpec("Sit", Sit(free[0], ""), (_seat_field(_free),), _is_open)
    return {"form.Sit": spec.part(at)}


# The dealer's desk.

_SHEETS: Mapping[DealerStep, str] = {
    DealerStep.COUNT_BY_HAND: "tabulator",
    DealerStep.CORRECT_FLAG: "tabulator",
}


def desk_part(at: Standing, may_deal: bool) -> DeskPart:
    """The next step, and how the table is dealt."""
    table, mode = at.table, at.table.dealing
    by_hand = mode.by_hand
    deals = "entered" if table.shuffle.by_hand else "hand" if by_hand else "house"
    part: DeskPart = {"due": due_part(at, may_deal), "deals": deals, "attend": []}  # type: ignore[typeddict-item]
    if may_deal and not table.closed:
        part["attend"].append("resume" if mode.paused else "pause")
        if not mode.paused and not table.shuffle.by_hand:
            part["attend"].append("hand_back" if by_hand else "take_over")
    if at.notice:
        part["notice"] = at.notice
    if at.owing:
        part["owing"] = at.owing
    if table.rules.coupons:
        part["coupons"] = coupons_part(table.coupons.unspent)
    return part


def due_part(at: Standing, may_deal: bool) -> DuePart:
    step, seats = next_step(at.table)
    due: DuePart = {
        "step": step.value,
        "key": step_key(at.table),
        "text": _due_text(at, step, seats),
    }
    if seats:
        due["seats"] = list(seats)
    if step is DealerStep.ENTER_CARDS and at.table.round is not None:
        due["places"] = list(places_to_enter(at.table.round))
    if step is DealerStep.BETS:
        due["empty"] = True
    elif may_deal and is_doable(step):
        due["can"] = True
    if step in _SHEETS:
        due["sheet"] = _SHEETS[step]
    return due


def _due_text(at: Standing, step: DealerStep, seats: tuple[int, ...]) -> str:
    round = at.table.round
    if step is DealerStep.SETTLE and round is not None and round.void is not None:
        return at.catalogue.labels["due/settle_void"]
    if step not in (DealerStep.DECISIONS, DealerStep.RESOLVE):
        return at.catalogue.label("due", step)
    named = ", ".join(_named(at, seat) for seat in seats)
    return at.catalogue.fill_label(f"due/{step.value}", seats=named)


def _named(at: Standing, seat: int) -> str:
    """`seat 4 (Robin, automatic)`"""
    player = at.table.players.get(seat, "")
    if not player:
        return at.catalogue.fill_label("due_seat", seat=seat)
    if player.endswith(")") and " (" in player:
        name, _, note = player[:-1].rpartition(" (")
        player = f"{name}, {note}"
    return at.catalogue.fill_label("due_player", seat=seat, player=player)
