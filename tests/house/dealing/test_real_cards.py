"""Cards of a real deck are entered in the order of the deal or by place, each once."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.refusal import Refused
from headsup.game.round.commands import DealCards, PlaceBets
from headsup.game.round.dealing import is_deck
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.model import Dealing
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.cards import DECK, card_name, format_cards
from headsup.house.dealing.real_cards import (
    parse_by_place,
    parse_deal,
    places_to_enter,
    preview_entry,
)
from tests.support.tables import BOOKS, Play, opening, stakes


def dealings(book: str) -> Iterator[Dealing]:
    """The dealing orders that the book allows."""
    for dealing in Dealing:
        try:
            play = Play()
            play.does(opening(book, dealing=dealing.value))
        except AssertionError:
            continue
        yield dealing


WAYS = [(book, dealing) for book in BOOKS for dealing in dealings(book)]


def closed(book: str = "galaxy", dealing: str = "hand", seats: tuple[int, ...] = (1, 4)) -> Play:
    """A table with real cards, after "no more bets"."""
    play = Play()
    play.does(replace(opening(book, dealing=dealing), shuffle=ShuffleSource.ENTERED))
    for seat in seats:
        play.does(Sit(seat, f"P{seat}"), BuyIn(seat, 100_000))
    play.does(OpenRound(), *(PlaceBets(seat, stakes()) for seat in seats))
    play.bets_close()
    return play


def by_place(round: Round, deck: tuple[int, ...]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for place, card in zip(places_to_enter(round), deck, strict=False):
        texts[place] = texts.get(place, "") + format_cards([card])
    return texts


def code(round: Round, text: str) -> str:
    with pytest.raises(Refused) as refused:
        parse_deal(round, text)
    assert refused.value.message.isprintable()
    return refused.value.code


def test_every_book_can_be_dealt_by_hand_and_from_a_shoe() -> None:
    assert {book for book, dealing in WAYS if dealing is Dealing.HAND} == set(BOOKS)
    assert {book for book, dealing in WAYS if dealing is Dealing.SHOE} == set(BOOKS)


@pytest.mark.parametrize(("book", "dealing"), WAYS)
@pytest.mark.parametrize("seats", [(1,), (2, 5), (1, 2, 3, 4, 5, 6)])
def test_the_cards_entered_are_the_cards_dealt(
    book: str, dealing: Dealing, seats: tuple[int, ...]
) -> None:
    """Both in deal order and by place; the rest of the deck follows in new-deck order."""
    play = closed(book, dealing.value, seats)
    round = play.round
    deck = tuple(Random(f"{book} {dealing} {seats}").sample(DECK, 52))
    count = len(places_to_enter(round))
    in_order = parse_deal(round, format_cards(deck[:count]))
    assert in_order.deck[:count] == deck[:count]
    assert list(in_order.deck[count:]) == sorted(deck[count:])
    assert is_deck(in_order.deck)
    texts = by_place(round, deck)
    assert parse_by_place(round, texts) == in_order
    typed = ", ".join(f"{place}={cards}" for place, cards in reversed(texts.items()))
    assert parse_deal(round, typed) == in_order
    play.does(in_order)
    assert play.phase is Phase.POCKET
    for seat in seats:
        assert format_cards(play.round.seats[seat].hole) == texts[f"seat {seat}"]
    assert format_cards(play.round.deal.board) == texts["board"]
    assert format_cards(play.round.deal.dealer) == texts["dealer"]
    assert format_cards(play.round.deal.all_6) == texts.get("all_6", "")


PLACED = "board=Kd9c5h5s2d, seat 1=KsKh, seat 4=7h2s, dealer=AcQd"


def round_of_two() -> Round:
    return closed("new-york").round


def test_places_are_typed_as_they_are_called() -> None:
    round = round_of_two()
    dealt = parse_deal(round, PLACED)
    for text in (
        PLACED.replace(", ", "\n"),
        PLACED.replace(", ", " ;") + ";\n",
        PLACED.replace("=", " = ").replace("Kd9c5h5s2d", " Kd 9c 5h5s 2d "),
        PLACED.replace("seat 1", " seat   1 "),
    ):
        assert parse_deal(round, text) == dealt


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("", "wrong_card_count"),
        ("AsKd", "wrong_card_count"),
        ("AsKd" * 6, "duplicate_card"),
        ("Ax", "unknown_card"),
        ("A", "unknown_card"),
        ("As K", "unknown_card"),
        ("x" * 1000, "unknown_card"),
        ("x" * 500, "unknown_card"),
        (PLACED.replace("7h2s", "7h7h"), "duplicate_card"),
        (PLACED.replace("7h2s", "KsKh"), "duplicate_card"),
        (PLACED.replace("7h2s", "7h2d"), "duplicate_card"),
        (PLACED.replace("7h2s", "7h"), "wrong_card_count"),
        (PLACED.replace("7h2s", "7h2s3s"), "wrong_card_count"),
        (PLACED.replace("7h2s", "7h2"), "unknown_card"),
        (PLACED.replace("7h2s", ""), "wrong_card_count"),
        (PLACED.replace(", seat 4=7h2s", ""), "missing_cards"),
        (PLACED.replace(", dealer=AcQd", ""), "missing_cards"),
        (PLACED.replace("seat 4", "seat 3"), "bad_place"),
        (PLACED.replace("seat 4", "Dealer"), "bad_place"),
        (PLACED.replace("seat 4", "seat 1"), "bad_place"),
        (f"{PLACED}, all_6=3c3d4h6s", "bad_place"),
        (f"{PLACED}, 3c", "bad_place"),
        (f"{PLACED}, =3c", "bad_place"),
        ("=", "bad_place"),
    ],
)
def test_incomplete_entries_and_duplicate_cards_are_refused(text: str, refused: str) -> None:
    assert code(round_of_two(), text) == refused


def test_a_refusal_says_where_both_cards_are() -> None:
    with pytest.raises(Refused, match="2d is in board and again in seat 4"):
        parse_deal(round_of_two(), PLACED.replace("7h2s", "7h2d"))
    row = "AsKdQh" + "JcTsAs" + "9d8c7h6s5d"
    with pytest.raises(Refused, match="As is in seat 1 and again in dealer"):
        parse_deal(round_of_two(), row)


def test_all_6_has_its_four_cards_where_it_is_on_the_layout() -> None:
    round = closed("galaxy").round
    with pytest.raises(Refused, match="all_6: 4 cards"):
        parse_deal(round, PLACED)
    assert isinstance(parse_deal(round, f"{PLACED}, all_6=3c3d4h6s"), DealCards)


@pytest.mark.parametrize("place", ["all 6", "All 6", " all  6 "])
def test_a_place_is_typed_as_the_console_calls_it(place: str) -> None:
    round = closed("galaxy").round
    named = parse_deal(round, f"{PLACED}, all_6=3c3d4h6s")
    assert parse_deal(round, f"{PLACED}, {place}=3c3d4h6s") == named
    assert parse_deal(round, f"{place}=3c3d4h6s, {PLACED.replace('seat', 'Seat')}") == named
    assert preview_entry(round, f"{PLACED}, {place}=3c3d4h6s").complete
    both = preview_entry(round, f"{place}=3c3d4h6s, all_6=3c3d4h6s, dealer=").refusal
    assert both is not None
    assert both.code == "bad_place"


@given(st.text(max_size=300))
def test_whatever_is_typed_gets_a_deck_or_a_refusal(text: str) -> None:
    try:
        answer: tuple[int, ...] | str = parse_deal(ROUND, text).deck
    except Refused as refused:
        answer = refused.message
    assert answer.isprintable() if isinstance(answer, str) else is_deck(answer)


ROUND = round_of_two()


@pytest.mark.parametrize(("book", "dealing"), WAYS)
def test_cards_are_shown_at_their_places_while_they_are_typed(book: str, dealing: Dealing) -> None:
    round = closed(book, dealing.value).round
    where = places_to_enter(round)
    text = format_cards(DECK[: len(where)])
    for typed in range(len(text) + 1):
        found = preview_entry(round, text[:typed])
        assert found.refusal is None
        known = [card for _, card in found.cards if card is not None]
        assert known == list(DECK[: typed // 2])
        assert [place for place, _ in found.cards] == list(where)
        assert found.complete is (typed == len(text))


def test_a_card_is_refused_as_soon_as_it_is_typed_twice() -> None:
    round = closed().round
    assert preview_entry(round, "AsKdA").refusal is None
    twice = preview_entry(round, "AsKdAs")
    assert twice.refusal is not None
    assert twice.refusal.code == "duplicate_card"
    assert twice.cards == preview_entry(round, "AsKd").cards  # the cards before it stay
    nonsense = preview_entry(round, "AsXx").refusal
    assert nonsense is not None
    assert nonsense.code == "unknown_card"
    too_many = preview_entry(round, format_cards(DECK)).refusal
    assert too_many is not None
    assert too_many.code == "wrong_card_count"


@pytest.mark.parametrize("ten", ["10s", "10♠", "T♠", "ts"])
def test_cards_are_typed_as_people_write_them(ten: str) -> None:
    round = closed().round
    where, cards = places_to_enter(round), [card for card in DECK if card_name(card) != "Ts"]
    typed = [ten, *map(card_name, cards[: len(where) - 1])]
    for kept in range(len(typed)):
        for begun in ("", "1", "10", "q"):
            found = preview_entry(round, " ".join([*typed[:kept], begun]))
            assert found.refusal is None
            known = [card_name(card) for _, card in found.cards if card is not None]
            assert known == ["Ts", *typed[1:kept]][:kept]
    assert preview_entry(round, "".join(typed)).complete
    assert parse_deal(round, "".join(typed)) == parse_deal(round, " ".join(["Ts", *typed[1:]]))
    twice = preview_entry(round, f"{ten}Kd{ten}")
    assert twice.refusal is not None
    assert twice.cards == preview_entry(round, f"{ten}Kd").cards


def test_cards_typed_by_place_are_shown_there_in_any_order() -> None:
    round = closed().round
    found = preview_entry(round, "dealer=AsKd, seat 1=7h")
    laid = [(place, format_cards([card])) for place, card in found.cards if card is not None]
    assert sorted(laid) == [("dealer", "As"), ("dealer", "Kd"), ("seat 1", "7h")]
    assert found.refusal is None
    assert not found.complete
    twice, nowhere = preview_entry(round, "dealer=As, seat 1=As"), preview_entry(round, "moon=As")
    assert twice.refusal is not None
    assert twice.refusal.code == "duplicate_card"
    assert nowhere.refusal is not None
    assert nowhere.refusal.code == "bad_place"
    every = ", ".join(f"{place}={text}" for place, text in by_place(round, DECK).items())
    assert preview_entry(round, every).complete
