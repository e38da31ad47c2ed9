"""Random commands for a floor: some that suit the moment, some of any kind."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import NamedTuple, cast

from headsup.game.bank.meter import Closing, PoolPlace
from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectCards,
    CorrectDecision,
    CorrectStakes,
    DealCards,
    DealFaceDown,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReadCards,
    ReportIrregularity,
    TimeOut,
    TurnOver,
    WithdrawBets,
)
from headsup.game.round.dealing import deal_order
from headsup.game.round.decide import legal_actions
from headsup.game.round.irregularities import reporting_rule
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.round.turned_over import cards_due, known_cards_due
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.table.chips.felt import FeltSettings, is_guest_name
from headsup.game.table.chips.held_awards import PayAward, PayWay, RefuseAward, VerifyAward
from headsup.game.table.chips.shifts import (
    CloseShift,
    CountBox,
    CreditTray,
    FillTray,
    OpenShift,
    PullBox,
    SetFelt,
    refuse_without_shift,
)
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
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
from headsup.game.table.opening import OpenTable, SetBonusCell
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, ReportLostSeal, SealShuffle
from headsup.game.table.sealing import commitment_to, deck_from
from headsup.game.table.seating import BuyIn, CashOut, Leave, Sit, SitGuest
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Floor, Table
from headsup.game.values.cards import DECK
from headsup.game.values.frozen_json import FrozenJson
from tests.support.tables import ALL_6, ANTE, PROGRESSIVE, STAFF, TRIPS, TRIPS_6, opening

IDS = ("T1", "T2", "T3")
PLACES = ("board", "dealer", "all_6", "seat 1", "seat 2", "seat 9", "")


NAMES = ("Ann", "Bob", "Cem", "Dot", "Eve", "Fay", "Gus")


SERVER_SEED = "5" * 64


CAUSES = tuple(load_book("new-york").irregularities)


ODD_OPTIONS = (FrozenJson(), FrozenJson({"x": 1}), FrozenJson({"cap": [None]}))


class Request(NamedTuple):
    table: str
    by: Actor
    command: Command


JP7 = {
    "flopped_royal_flush_in_spades": "100%",
    "flopped_royal_flush": "50%",
    "royal_flush": "10%",
    "community_royal_flush": "10%",
    "straight_flush": "200",
    "four_of_a_kind": "50",
    "full_house": "10",
    "flush": "5",
}


TABLES: dict[str, list[OpenTable]] = {
    "galaxy": [
        opening("galaxy"),
        opening("galaxy", clockwise=True, dealing="shoe", pocket_raises=[1, 2, 3]),
        opening("galaxy", meter="T1 meter", paytables={"progressive": "9"}),
        opening("galaxy", meter_max="10000.30", percentage_awards="sequential"),
        opening("galaxy", paytables={"progressive": "none"}, positions_per_player=2),
        opening(
            "galaxy",
            chip_unit="1.00",
            rounding="nearest",
            cap={"amount": "40.00", "scope": "table"},
            limits={"ante": {"min": "5", "max": "100", "step": "5"}},
        ),
    ],
    "galaxy-wpt": [
        opening("galaxy-wpt"),
        opening("galaxy-wpt", dealing="shoe", clockwise=True, chip_unit="0.50", rounding="up"),
    ],
    "new-york": [
        opening("new-york"),
        opening("new-york", dealing="shoe", clockwise=True, trips_plus_after_fold="forfeits"),
        opening("new-york", progressive_basis="for", progressive_after_fold="forfeits"),
        opening("new-york", meter="T1 meter"),  # refused: one meter per table
        opening("new-york", trips_plus_hand="both_hole_cards", paytables={"progressive": "F"}),
        opening("new-york", coupons=True),
        opening("new-york", coupons=True, clockwise=True),
    ],
    "sugarhouse": [
        opening("sugarhouse"),
        opening("sugarhouse", dealing="shoe", clockwise=True),
    ],
    "washington": [
        opening("washington"),
        opening("washington", face_up=True, raise_counts_as_option=False),
        opening("washington", meter="T1 meter", dealing="shoe"),
        opening(
            "washington",
            paytables={"progressive": "HH/JP-7"},
            bonus={"progressive": JP7},
            meter_contribution="0",
        ),
        opening("washington", **TRIPS_6),
        opening("washington", jackpot_regime="bonus", meter_contribution="0", clockwise=True),
    ],
    "washington-no-qualifier": [
        opening("washington-no-qualifier"),
        opening("washington-no-qualifier", face_up=True, dealing="shoe", clockwise=True),
        opening("washington-no-qualifier", meter="T1 meter"),
    ],
}


def sensible(random: Random, floor: Floor, book: str) -> Request:
    """A command that suits the current phase and is mostly accepted."""
    request = _sensible(random, floor, book)
    table, by = floor.tables.get(request.table), request.by
    if table is not None and isinstance(by, PlayerAt) and table.is_guest(by.seat):
        return request._replace(by=STAFF)  # the dealer acts for guests
    return request


def _sensible(random: Random, floor: Floor, book: str) -> Request:
    id = random.choice(IDS)
    table = floor.tables.get(id)
    if table is None:
        linked = [command for command in TABLES[book] if command.meter] or TABLES[book]
        links = "T1" in floor.tables and random.random() < 0.3
        opened = random.choice(linked if links else TABLES[book])
        shuffle = random.choice(
            [ShuffleSource.SYSTEM] * 3 + [ShuffleSource.SEALED, ShuffleSource.TURNED_OVER]
        )
        return Request(id, STAFF, replace(opened, shuffle=shuffle))
    if not table.players or (len(table.players) < 4 and random.random() < 0.3):
        seat = random.randint(1, 6)
        if random.random() < 0.3:
            same_as = random.choice([0, 0, *table.felt.guests])
            return Request(id, STAFF, SitGuest(seat, random.choice(["", *NAMES]), same_as))
        return Request(id, PlayerAt(seat), Sit(seat, random.choice(NAMES)))
    poor = [
        seat
        for seat in table.players
        if not table.is_guest(seat) and floor.chips(id, seat) < 20_000
    ]
    if table.felt.held and random.random() < 0.4:
        return Request(id, STAFF, some_award_order(random, table))
    if random.random() < (0.03 if table.is_playing else 0.15 if table.rounds else 0.4):
        return Request(id, STAFF, some_tray_order(random, table))
    if refuse_without_shift(table) and not table.is_playing and random.random() < 0.5:
        return Request(id, STAFF, OpenShift(2_000_000, ("Dee", "Sue")))
    if table.felt.guests and random.random() < 0.05:
        return Request(id, STAFF, BuyIn(random.choice(list(table.felt.guests)), 10_000))
    if poor and random.random() < 0.5:
        seat = random.choice(poor)
        return Request(id, PlayerAt(seat), BuyIn(seat, random.choice([10_000, 50_000, 77_777])))
    is_down = table.tabulator is not None and table.tabulator.down
    if is_down and not table.is_playing and random.random() < 0.2:
        return Request(id, STAFF, RestoreEquipment(("Sue", "Tom")))
    if table.tabulator is not None and random.random() < 0.05:
        return Request(id, STAFF, some_equipment(random, random.choice(list(table.players))))
    if table.rules.coupons and random.random() < 0.1:
        return Request(id, STAFF, some_coupon_order(random, table))
    if not table.is_playing:
        meter = floor.meter_of(id)
        if meter is not None and isinstance(meter.standing, Closing) and random.random() < 0.3:
            return Request(id, STAFF, TransferPool(meter.standing.to, ("Sue", "Tom")))
        if random.random() < 0.7:
            return Request(id, STAFF, next_seal_command(table) or OpenRound())
        return between_rounds(random, table)
    return in_round(random, table)


def next_seal_command(table: Table) -> Command | None:
    """The house's next command for a sealed shuffle before the next round."""
    if table.shuffle is not ShuffleSource.SEALED:
        return None
    if table.sealed is None:
        return SealShuffle(commitment_to(table.id, table.rounds + 1, SERVER_SEED))
    if table.sealed.round > table.rounds:
        return None
    is_lost = table.rounds % 2 == 0
    return ReportLostSeal("gone", ("Sue", "Tom")) if is_lost else OpenShuffle(SERVER_SEED)


def between_rounds(random: Random, table: Table) -> Request:
    seat = random.choice(list(table.players))
    amount = random.choice([-700, -1, 1, 350, 90_000])
    commands: list[Command] = [
        Leave(seat),
        CashOut(seat, random.choice([1, 5_000])),
        CorrectPayout(seat, amount, "recount", "Dee", "Sue"),
        CorrectPayout(seat, amount, "recount", "Dee", "Sue", random.choice(NAMES)),
        CorrectMeter(amount * 1_000, "recount", ("Sue", "Tom")),
        FreezeMeter(random.choice(["down", ""])),
        SetBonusPrize(random.choice([0, 3_000_000_000]), "weekend", "Sue"),
        SetBonusCell("trips_plus", "flush", random.choice("456"), "weekend", ("Sue", "Tom")),
    ]
    if random.random() < 0.3:
        to = f"{random.choice(IDS)} meter"
        commands = [
            PlanMeterClosing("2026-12-31", "A-1", to),
            PlanMeterClosing("2026-12-31", "A-2", "Keno", PoolPlace.OUTSIDE),
            ReceivePool("Main / T9 meter", 700_000, "A-3", ("Sue", "Tom")),
            EndBonus("season over", "Sue"),
        ]
    return by_usual(table.id, random.choice(commands))


def by_usual(id: str, command: Command) -> Request:
    own = isinstance(command, Sit | Leave | BuyIn | CashOut | PlaceBets | WithdrawBets)
    own = own or isinstance(command, Check | Raise | Fold | AddSeed)
    return Request(id, PlayerAt(getattr(command, "seat", 0)) if own else STAFF, command)


def in_round(random: Random, table: Table) -> Request:
    state = table.round
    assert state is not None
    if state.seats and random.random() < 0.04:
        cause = random.choice([*CAUSES, Cause.MISSED_RAISE, Cause.MISSED_RAISE])
        seat = random.choice(list(state.seats)) if reporting_rule(cause).names_seat else None
        resolution = random.choice([Resolution.VOID, *Resolution])
        return Request(table.id, STAFF, ReportIrregularity(cause, "Dee", "Sue", seat, resolution))
    if state.phase is Phase.BETTING:
        unplaced = [seat for seat in table.players if seat not in state.seats]
        if unplaced and random.random() < 0.9:
            seat = random.choice(unplaced)
            if table.sealed is not None and random.random() < 0.2:
                return by_usual(table.id, AddSeed(seat, random.choice(NAMES)))
            if table.rules.coupons and random.random() < 0.8:
                return by_usual(table.id, bets_with_coupons(random, table, seat))
            return by_usual(table.id, PlaceBets(seat, some_stakes(random, table)))
        if state.seats and random.random() < 0.1:
            return by_usual(table.id, WithdrawBets(random.choice(list(state.seats))))
        return Request(table.id, STAFF, CloseBets())
    guests = [seat for seat in state.seats if table.is_guest(seat)]
    if state.felt is not None and guests and random.random() < 0.15:
        seat = random.choice(guests)
        if state.phase is Phase.NO_MORE_BETS:
            placed = some_stakes(random, table)
            return Request(table.id, STAFF, CorrectStakes(seat, placed, "told wrongly"))
        return Request(table.id, STAFF, CorrectDecision(seat, random.randrange(4), "told wrongly"))
    if state.phase is Phase.NO_MORE_BETS:
        first = before_the_deal(table, state)
        deals = DealCards(some_deck(random, table, state)) if state.felt is None else DealFaceDown()
        return Request(table.id, STAFF, first or deals)
    if state.phase in STREET_BY_PHASE:
        if state.felt is not None and table.rules.face_up and random.random() < 0.2:
            hands = [f"seat {seat}" for seat in state.dealt_seats()]
            return Request(table.id, STAFF, some_cards(random, state, random.choice(hands), 2))
        passed = [seat for seat in state.seats if seat not in state.seats_owing()]
        if passed and random.random() < 0.02:
            seat = random.choice(passed)
            missed = ReportIrregularity(Cause.MISSED_RAISE, "Dee", "Sue", seat, Resolution.CORRECT)
            return Request(table.id, STAFF, missed)
        seat = state.seats_owing()[0] if state.clockwise else random.choice(state.seats_owing())
        if random.random() < 0.1:
            late: list[Command] = [TimeOut(seat, 120), TimeOut(seat, None)]
            late.append(ExtendTime(seat, 60))
            return Request(table.id, STAFF, random.choice(late))
        return by_usual(table.id, random.choice(legal_actions(state, seat)))
    if state.felt is not None and random.random() < 0.03:
        places = [place for place in dict.fromkeys(state.places) if state.cards_at(place)]
        if places:
            place = random.choice(places)
            cards = some_cards(random, state, place, len(state.cards_at(place))).cards
            return Request(table.id, STAFF, CorrectCards(place, cards, "read wrongly"))
    if (due := cards_due(state)) is not None and not known_cards_due(state, due):
        return Request(table.id, STAFF, some_cards(random, state, due.place, due.cards))
    return Request(table.id, STAFF, Proceed())


def some_cards(random: Random, round: Round, place: str, count: int) -> TurnOver | ReadCards:
    """Cards for this place that nobody has seen; now and then a reader tells them."""
    seen = {card for place in dict.fromkeys(round.places) for card in round.cards_at(place)}
    cards = tuple(random.sample([card for card in DECK if card not in seen], count))
    makes = ReadCards if random.random() < 0.2 else TurnOver
    return makes(place, cards)


def before_the_deal(table: Table, state: Round) -> Command | None:
    """The command that is needed first if the count of wagers is wrong."""
    tabulator = table.tabulator
    if tabulator is None:
        return None
    staked = {number for number, seat in state.seats.items() if PROGRESSIVE in seat.stakes}
    placed = {number for number in staked if state.seats[number].void is None}
    if tabulator.round != state.number:
        return CountByHand({PROGRESSIVE: len(placed)})
    flags = set(tabulator.flags.get(PROGRESSIVE, ()))
    placed |= staked & flags  # a void hand's wager goes back, so none is counted late
    if tabulator.by_hand or flags == placed:
        return None
    seat = min(flags ^ placed)
    return CorrectFlag(seat, PROGRESSIVE, seat in placed, "recount", "Dee", "Sue")


def some_equipment(random: Random, seat: int) -> Command:
    commands: list[Command] = [
        ReadSensor(seat, PROGRESSIVE, random.random() < 0.5),
        ReadSensor(seat, PROGRESSIVE, random.random() < 0.5),
        ReportEquipmentDown("power"),
        RestoreEquipment(("Sue", "Tom")),
        RestoreEquipment(("Sue", "Tom")),
    ]
    return random.choice(commands)


def some_award_order(random: Random, table: Table) -> Command:
    """Mostly what comes next: verify it first, then pay it. At times the way to pay is wrong."""
    number, two = random.choice(list(table.felt.held)), ("Dee", "Sue")
    is_guest = is_guest_name(table.felt.held[number].player)
    right = [PayWay.TRAY, PayWay.CAGE] if is_guest else [PayWay.ACCOUNT] * 2
    pays = PayAward(number, random.choice([*right, *right, *PayWay]), two)
    commands: list[Command] = [
        VerifyAward(number, two),
        RefuseAward(number, random.choice(["recount", ""]), two),
        pays,
    ]
    if table.felt.held[number].verified:
        commands += [pays] * 5
    return random.choice(commands)


def some_tray_order(random: Random, table: Table) -> Command:
    """Open a shift, or do something in it; counting out and settings are for between rounds."""
    two, cents = ("Dee", "Sue"), random.choice([0, 100, 2_000_000])
    felt = table.felt
    # Low locks hold most awards of a pool, high ones only the greatest.
    lock = random.choice([0, 1, 1, 5_000, 100_000])
    sets = SetFelt(FeltSettings(random.random() < 0.5, lock), two)
    if not table.rounds and random.random() < 0.5:
        return sets
    if felt.boxes and random.random() < 0.3:
        return CountBox(random.choice(list(felt.boxes)), cents, two)
    commands: list[Command] = [
        FillTray(cents, two),
        CreditTray(0, two, {500: random.choice([0, 3])}),
        PullBox(two),
        CountBox(random.choice([*felt.boxes, 1]), cents, two),
    ]
    if not table.is_playing:
        commands += [sets, CloseShift(cents, two)]
    if felt.shift is None and random.random() < 0.7:
        return OpenShift(cents, two)
    return random.choice(commands)


def some_stakes(random: Random, table: Table) -> dict[Wager, int]:
    ante = random.choice([500, 1_000, 1_500, 2_500])
    placed = {ANTE: ante, Wager.ODDS: ante}
    offered = [wager for wager in SIDE_WAGERS if table.rules.offers(wager)]
    most = min(table.rules.max_side_wagers, len(offered))
    chosen: list[Wager] = [*random.sample(offered, random.randint(0, most))]
    if table.felt.settings.lock_above and table.rules.offers(PROGRESSIVE):
        chosen = [PROGRESSIVE, *chosen[1:]]  # without the pool no award is held
    for wager in dict.fromkeys(chosen):
        fixed = table.rules.progressive_stake
        placed[wager] = fixed if wager is PROGRESSIVE else random.choice([100, 500])
    return placed


def some_coupon_order(random: Random, table: Table) -> Command:
    if table.coupons.unspent and random.random() < 0.2:
        return CancelCoupon(random.choice(list(table.coupons.unspent)), "why", ("Dee", "Sue"))
    wager, cents = random.choice([(ANTE, 500), (ANTE, 1_000), (Wager.ODDS, 500), (TRIPS, 500)])
    return IssueCoupon(random.choice(NAMES), wager, cents, "2026-12-31", ("Dee", "Sue"))


def bets_with_coupons(random: Random, table: Table, seat: int) -> PlaceBets:
    """Bets with the player's own coupons, at times with somebody else's."""
    placed = some_stakes(random, table)
    own = table.coupons.of(table.players[seat])
    coupons = own if random.random() < 0.9 else table.coupons.unspent
    chosen: dict[Wager, int] = {}
    for number, coupon in coupons.items():
        if coupon.wager not in chosen and random.random() < 0.5:
            chosen[coupon.wager] = number
            equal = (ANTE, Wager.ODDS) if coupon.wager in (ANTE, Wager.ODDS) else (coupon.wager,)
            placed |= dict.fromkeys(equal, coupon.amount)
    return PlaceBets(seat, placed, chosen)


def some_deck(random: Random, table: Table, state: Round) -> tuple[int, ...]:
    """A shuffled deck; every other one has five suited high cards where they win the pool, and
    nearly every one where awards are held."""
    if table.sealed is not None:
        return deck_from(table.id, state.number, SERVER_SEED, table.sealed.seeds)
    deck = random.sample(DECK, 52)
    if random.random() < (0.9 if table.felt.settings.lock_above else 0.5):
        where = deal_order(table.rules.dealing, tuple(state.seats), table.rules.offers(ALL_6))
        plays = [seat for seat, bets in state.seats.items() if PROGRESSIVE in bets.stakes]
        seat = f"seat {random.choice(plays or list(state.seats))}"
        hole = [i for i, place in enumerate(where) if place == seat]
        board = [i for i, place in enumerate(where) if place == "board"]
        top, suit = random.choice([12, 12, 9]), random.choice([0, 3, 3])
        spots = random.choice([hole + board[:3], board, hole + board[1:4]])
        for i, rank in zip(spots, range(top, top - 5, -1), strict=True):
            there = deck.index(rank << 2 | suit)
            deck[i], deck[there] = deck[there], deck[i]
    return tuple(deck)


def irregularity(random: Random) -> ReportIrregularity:
    return ReportIrregularity(
        cast(Cause, random.choice([*CAUSES, "bad_luck"])),
        random.choice(["Dee", "Dee", "Sue", ""]),
        random.choice(["Sue", "Sue", " "]),
        random.choice([None, None, 1, 2, 3, 9]),
        cast(Resolution, random.choice(["void", Resolution.VOID, *Resolution, "ignore"])),
    )


def anything(random: Random, book: str) -> Request:
    """Any command with any arguments, by any actor, for any table."""
    seat = random.choice([1, 2, 3, 4, 5, 6, 6, 0, 7, -1, 99])
    cents = random.choice([1, 100, 500, 1_000, 0, -1, -500, 10**9, 10**9 + 1, 2**63])
    text = random.choice(["", " ", "x", "Ann", "a/b", "Sue"])
    wagers = random.sample(list(Wager), random.randint(0, 7))
    other = random.choice([*IDS, "T9", ""])
    make: list[Callable[[], Command]] = [
        lambda: random.choice(TABLES[book]),
        lambda: OpenTable(text, options=random.choice(ODD_OPTIONS)),
        lambda: Sit(seat, random.choice([*NAMES, text])),
        lambda: SitGuest(seat, text, random.choice([0, 1, seat])),
        lambda: OpenShift(cents, ("Dee", text)),
        lambda: FillTray(cents, ("Dee", "Sue"), {seat: seat}),
        lambda: CloseShift(cents, ("Dee", "Sue"), {cents: seat}),
        lambda: CountBox(seat, cents, ("Dee", "Sue")),
        lambda: Leave(seat),
        lambda: BuyIn(seat, cents),
        lambda: CashOut(seat, cents),
        OpenRound,
        lambda: PlaceBets(seat, {wager: random.choice([cents, 500]) for wager in wagers}),
        lambda: PlaceBets(seat, {ANTE: cents, Wager.ODDS: cents, PROGRESSIVE: 100}),
        lambda: PlaceBets(seat, {ANTE: 500, Wager.ODDS: 500}, dict.fromkeys(wagers, seat)),
        lambda: IssueCoupon(text, random.choice(list(Wager)), cents, text, ("Dee", text)),
        lambda: CancelCoupon(seat, text, ("Dee", "Sue")),
        lambda: WithdrawBets(seat),
        CloseBets,
        lambda: DealCards(random.choice([DECK, DECK[:51], (*DECK[:51], 0), ()])),
        DealFaceDown,
        lambda: TurnOver(random.choice(PLACES), DECK[: random.randrange(6)]),
        lambda: ReadCards(random.choice(PLACES), DECK[: random.randrange(6)]),
        lambda: SealShuffle(random.choice(["0" * 63, text])),
        lambda: AddSeed(seat, random.choice([text, "x" * 65])),
        lambda: OpenShuffle(random.choice(["0" * 64, SERVER_SEED, text])),
        lambda: ReportLostSeal(text, ("Sue", random.choice(["Tom", "sue"]))),
        lambda: Check(seat),
        lambda: Raise(seat, random.choice([1, 2, 3, 0, -1, 4, 10**6])),
        lambda: Fold(seat),
        lambda: TimeOut(seat, 120),
        Proceed,
        lambda: irregularity(random),
        lambda: CorrectPayout(seat, cents, text, "Dee", random.choice(["Sue", "dee"])),
        lambda: CorrectPayout(seat, cents, text, "Dee", "Sue", text, 1),
        lambda: CorrectMeter(random.choice([cents, -cents]), text, ("Sue", text)),
        lambda: FreezeMeter(text),
        lambda: some_equipment(random, seat),
        lambda: CountByHand({random.choice(wagers or [PROGRESSIVE]): cents}),
        lambda: CorrectFlag(seat, PROGRESSIVE, cents > 100, text, "Dee", "Sue"),
        lambda: PlanMeterClosing(random.choice([text, "2026-12-31"]), text, f"{other} meter"),
        lambda: TransferPool(f"{other} meter"),
        lambda: SetBonusPrize(cents, text, text),
        lambda: SetBonusCell("progressive", "flush", str(cents), text, ("Sue", text)),
        lambda: EndBonus(text, random.choice(["", "Sue"])),
    ]
    command = random.choice(make)()
    if random.random() < 0.6:
        return by_usual(other, command)
    by: list[Actor] = [PlayerAt(seat), PlayerAt(1), Staff("Sue")]
    return Request(other, random.choice(by), command)
