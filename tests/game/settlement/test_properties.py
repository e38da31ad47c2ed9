"""Properties of every round under every rule book."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.game.notation.model import FinishedRound
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.round.decision import HAS_FOLDED, HasRaised
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Street, Wager
from headsup.game.settlement import Deal, Line, SeatPlay, Settlement, settle
from headsup.game.values.cards import CLUBS, DECK, DIAMONDS, HEARTS, SPADES, parse_cards
from headsup.game.values.hands import strength
from tests.support.strategies import PLANTED, Round, decks, plant, rounds, tables

enough = settings(max_examples=settings().max_examples // 2, deadline=None)

MAIN = (Wager.ANTE, Wager.ODDS, Wager.RAISE)


def settle_round(round: Round) -> Settlement:
    return settle(round.rules, round.deal, round.plays, round.meter)


def lines_by_seat(settlement: Settlement) -> dict[int, dict[Wager, Line]]:
    return {seat.seat: {line.wager: line for line in seat.lines} for seat in settlement.seats}


@enough
@given(rounds())
def test_the_net_of_a_seat_is_the_sum_of_its_lines(round: Round) -> None:
    """As written for people and programs, to the cent."""
    finished = FinishedRound(round.rules, round.deal, round.plays, round.meter)
    for seat in write_settlement(finished, settle_round(round))["seats"]:
        lines = seat["wagers"].values()
        assert Fraction(seat["net"]) == sum(Fraction(line["net"]) for line in lines)


@enough
@given(rounds())
def test_every_stake_has_one_line_and_no_line_loses_more_than_its_stake(round: Round) -> None:
    by_seat = lines_by_seat(settle_round(round))
    for play in round.plays:
        lines = by_seat[play.seat]
        placed = dict(play.stakes)
        if play.multiple:
            placed[Wager.RAISE] = play.stakes[Wager.ANTE] * play.multiple
        assert {wager: line.stake for wager, line in lines.items()} == placed
        assert all(line.net >= -line.stake for line in lines.values())


@enough
@given(rounds())
def test_what_leaves_the_meter_is_what_the_awards_pay(round: Round) -> None:
    """Fixed prizes never touch it (R75); after 100 % it starts again from the seed (R73)."""
    settlement = settle_round(round)
    lines = [line for seat in settlement.seats for line in seat.lines]
    shares = [line.pay for line in lines if line.pay and line.pay.kind is PayKind.POOL]
    assert settlement.meter_after is not None
    reseeded = round.rules.meter_seed if any(pay.amount == 1 for pay in shares) else 0
    taken = round.meter - (settlement.meter_after - reseeded)
    assert taken == sum(line.award for line in lines) * 10_000
    assert settlement.meter_after >= reseeded


@enough
@given(tables(), decks())
def test_a_better_hand_never_makes_ante_or_raise_pay_less(
    rules: TableRules, deck: list[int]
) -> None:
    deal = Deal(tuple(deck[:2]), tuple(deck[2:7]))
    holes = sorted((deck[7:9], deck[9:11]), key=lambda hole: strength((*hole, *deal.board)))
    stakes = {Wager.ANTE: 1000, Wager.ODDS: 1000}
    worse, better = (
        lines_by_seat(
            settle(rules, deal, [SeatPlay(1, tuple(hole), stakes, HasRaised(Street.RIVER, 1))])
        )[1]
        for hole in holes
    )
    assert better[Wager.ANTE].net >= worse[Wager.ANTE].net
    assert better[Wager.RAISE].net >= worse[Wager.RAISE].net


def test_a_better_hand_may_make_the_odds_pay_less() -> None:
    """A straight that loses is a Bad Beat at 5 to 1; a straight that wins pays even money."""
    rules = table_rules("galaxy")
    deal = Deal(parse_cards("JhTs"), parse_cards("9c8d7h2s2d"))
    stakes = {Wager.ANTE: 1000, Wager.ODDS: 1000}
    nets = []
    for hole in ("6h5s", "JsTh", "JcTc"):
        play = SeatPlay(1, parse_cards(hole), stakes, HasRaised(Street.RIVER, 1))
        nets.append(lines_by_seat(settle(rules, deal, [play]))[1][Wager.ODDS].net)
    assert nets == [5000, 0, 0]


def relabel_suits(round: Round, suits: Sequence[int]) -> Round:
    def cards(held: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card & ~3 | suits[card & 3] for card in held)

    deal = Deal(cards(round.deal.dealer), cards(round.deal.board), cards(round.deal.all_6))
    plays = tuple(play._replace(hole=cards(play.hole)) for play in round.plays)
    return replace(round, deal=deal, plays=plays)


@enough
@given(rounds(), st.permutations([CLUBS, DIAMONDS, HEARTS, SPADES]))
def test_relabelling_suits_changes_only_what_names_a_suit(
    round: Round, suits: Sequence[int]
) -> None:
    """Only the flopped royal in spades and the six-card royal in diamonds depend on a suit."""
    named = {
        "flopped_royal_flush_in_spades",
        "flopped_royal_flush",
        "six_card_royal_diamonds",
        "six_card_royal",
    }
    here, there = (
        lines_by_seat(settle_round(round)),
        lines_by_seat(settle_round(relabel_suits(round, suits))),
    )
    # A royal that changes its row may share the pool with others: their awards change with it.
    row_moved = any(
        line.outcome != there[seat][wager].outcome
        for seat, lines in here.items()
        for wager, line in lines.items()
    )
    for seat, lines in here.items():
        for wager, line in lines.items():
            other = there[seat][wager]
            if line.outcome in named and wager in (Wager.ALL_6, Wager.PROGRESSIVE):
                assert other.outcome in named
            elif not (row_moved and line.award):
                assert line == other


@enough
@given(rounds())
def test_swapping_clubs_and_hearts_changes_nothing(round: Round) -> None:
    here = settle_round(round)
    there = settle_round(relabel_suits(round, [HEARTS, DIAMONDS, CLUBS, SPADES]))
    assert here == there


@enough
@given(rounds(), st.randoms(use_true_random=False))
def test_the_order_of_seats_in_the_input_does_not_matter(round: Round, rng: Random) -> None:
    plays = list(round.plays)
    rng.shuffle(plays)
    here, there = settle_round(round), settle_round(replace(round, plays=tuple(plays)))
    assert lines_by_seat(here) == lines_by_seat(there)
    assert here.meter_after == there.meter_after


@enough
@given(rounds())
def test_a_fold_loses_exactly_the_ante_and_the_odds(round: Round) -> None:
    plays = tuple(play._replace(decision=HAS_FOLDED) for play in round.plays)
    by_seat = lines_by_seat(settle_round(replace(round, plays=plays)))
    for play in plays:
        main = {wager: line.net for wager, line in by_seat[play.seat].items() if wager in MAIN}
        ante = play.stakes[Wager.ANTE]
        assert main == {Wager.ANTE: -ante, Wager.ODDS: -ante}


@enough
@given(rounds())
def test_a_fold_leaves_the_side_wagers_as_they_were(round: Round) -> None:
    """Every shipped book keeps them in play unless an option says otherwise (R54, R58, R80)."""
    plays = tuple(play._replace(decision=HAS_FOLDED) for play in round.plays)
    raised = lines_by_seat(settle_round(round))
    folded = lines_by_seat(settle_round(replace(round, plays=plays)))
    for seat, lines in folded.items():
        for wager, line in lines.items():
            if wager not in MAIN:
                clause = round.rules.book.options[f"{wager.value}_after_fold"].clause
                assert line.clause == clause, "what survives a fold cites what says so"
            if wager not in MAIN and not line.award:
                assert replace(line, clause="") == replace(raised[seat][wager], clause="")


@enough
@given(rounds())
def test_doubling_the_stakes_doubles_the_nets(round: Round) -> None:
    """In whole dollars, below every cap; the Progressive's stake is fixed and its pool is not."""

    def double_stakes(play: SeatPlay) -> SeatPlay:
        fixed = (Wager.PROGRESSIVE,)
        stakes = {w: cents if w in fixed else 2 * cents for w, cents in play.stakes.items()}
        return play._replace(stakes=stakes)

    once = lines_by_seat(settle_round(round))
    twice = lines_by_seat(
        settle_round(replace(round, plays=tuple(map(double_stakes, round.plays))))
    )
    for seat, lines in once.items():
        for wager, line in lines.items():
            factor = 1 if wager is Wager.PROGRESSIVE else 2
            assert twice[seat][wager].net == factor * line.net
            assert twice[seat][wager].result is line.result


def test_planted_cards_make_the_rarest_hands() -> None:
    """The strategies would prove little if they never dealt the highest pays."""
    rules = table_rules("galaxy")
    stakes = dict.fromkeys((Wager.ANTE, Wager.ODDS, *SIDE_WAGERS), rules.progressive_stake)
    seen: set[str] = set()
    for places, suit in product(PLANTED, (DIAMONDS, SPADES)):
        deck = list(DECK)
        plant(deck, places, top=12, suit=suit)
        deal = Deal(tuple(deck[:2]), tuple(deck[2:7]), tuple(deck[7:11]))
        play = SeatPlay(1, tuple(deck[11:13]), stakes, HasRaised(Street.RIVER, 1))
        seen.update(line.outcome for line in settle(rules, deal, [play], 0).seats[0].lines)
    rare = {"royal_flush", "flopped_royal_flush", "flopped_royal_flush_in_spades"}
    assert rare | {"community_royal_flush", "six_card_royal_diamonds", "six_card_royal"} <= seen
