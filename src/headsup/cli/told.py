"""Announcements in plain sentences, and the small felt that a replay shows under each."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from headsup.cli import felt
from headsup.cli.screen import cards_text, signed, words
from headsup.game.amounts import parse_cents
from headsup.game.cards import parse_cards
from headsup.game.rulebook.model import RuleBook
from headsup.game.shuffle import Shuffle
from headsup.game.wagers import Wager

Told = Mapping[str, Any]


def sentence(told: Told, book: RuleBook) -> Text:
    """One line for what happened."""
    name, seat = told["event"], f"Seat {told.get('seat')}"
    match name:
        case "TableOpened":
            seeded = "; dealt from a seed" if told.get("shuffle") == Shuffle.SEED else ""
            return Text(f"The table opens: {told.get('rules', book.id)}{seeded}.")
        case "PlayerSat":
            return Text(f"{seat} is taken by {told['player']}.")
        case "PlayerLeft":
            return Text(f"{seat} stands up.")
        case "BoughtIn" | "CashedOut":
            verb = "buys in" if name == "BoughtIn" else "cashes out"
            amount = f" {signed(told['amount']).lstrip('+')}" if "amount" in told else ""
            return Text(f"{seat} {verb}{amount}.")
        case "RoundOpened":
            number = f" {told['number']}" if "number" in told else ""
            return Text(f"Round{number} opens.")
        case "BetsPlaced":
            stakes = ", ".join(
                f"{book.label(Wager(wager))} {signed(cents).lstrip('+')}"
                for wager, cents in told["stakes"].items()
            )
            return Text(f"{seat} bets {stakes}.")
        case "BetsWithdrawn":
            return Text(f"{seat} takes the bets back.")
        case "BetsClosed":
            return Text("No more bets.")
        case "CardsDealt":
            return _dealt(told)
        case "Checked" | "Raised" | "Folded":
            return Text(f"{seat} {_verb(told)}.")
        case _:
            return _dealers(told, name)


def _verb(told: Told) -> str:
    verb = {
        "Checked": "checks",
        "Folded": "folds",
        "Raised": f"raises {told.get('multiple')}× on the {told.get('street')}",
    }[told["event"]]
    return f"{verb}, out of time" if told.get("auto") else verb


def _dealt(told: Told) -> Text:
    text = Text("The cards are dealt")
    for number, hole in told.get("holes", {}).items():
        text.append(f"; seat {number} holds ").append_text(cards_text(parse_cards(hole)))
    return text.append(".")


_CARDS = {
    "FlopRevealed": "The flop: ",
    "TurnAndRiverRevealed": "Turn and river: ",
    "DealerRevealed": "The dealer shows ",
    "BoardCompleted": "The rest of the board: ",
}
_PLAIN = {
    "RoundSettled": "The wagers are settled.",
    "RoundClosed": "The round is closed.",
    "MeterFrozen": "The meter is frozen.",
    "MeterUnfrozen": "The meter runs again.",
}


def _dealers(told: Told, name: str) -> Text:
    if name in _CARDS:
        return Text(_CARDS[name]).append_text(cards_text(parse_cards(told["cards"])))
    if name == "IrregularityReported":
        who = f" at seat {told['seat']}" if told["seat"] else ""
        solved = {"void": "void", "correct": "corrected", "play_on": "played on"}
        return Text(f"Irregularity{who}: {words(told['cause'])}; {solved[told['resolution']]}.")
    if name in ("HandVoided", "RoundVoided"):
        what = f"Seat {told['seat']}'s hand" if name == "HandVoided" else "The round"
        return Text(f"{what} is void: {words(told['cause'])}.", style="magenta")
    if name == "PayoutCorrected":
        return Text(f"Seat {told['seat']}'s payout is corrected by {signed(told['amount'])}.")
    return Text(_PLAIN.get(name, f"{_spaced(name)}."))


def _spaced(name: str) -> str:
    """`BonusPrizeSet` as words."""
    parts = "".join(f" {char.lower()}" if char.isupper() else char for char in name).split()
    return " ".join(parts).capitalize()


# What the viewer sees.


def small_felt(view: Mapping[str, Any], book: RuleBook) -> RenderableType:
    """Dealer, board and every seat, a line each."""
    if "notices" in view:
        return _tablevision(view)
    round = view["round"]
    if round is None:
        players = ", ".join(f"{seat} {name}" for seat, name in view["players"].items())
        return Text(f"    {players or 'nobody'} at the table", style="dim")
    lines = [_line("Dealer", round["dealer"], 2, _dealer_note(round))]
    lines.append(_line("Board", round["board"], 5, _board_note(round)))
    for number, seat in round["seats"].items():
        lines.append(
            _line(f"Seat {number}", seat["hole"], 2, _seat_note(round, number, seat, book))
        )
    return Group(*lines)


def _line(name: str, cards: str, count: int, note: Text) -> Text:
    known = parse_cards(cards)
    text = Text(f"    {name:<7}")
    row = cards_text(known)
    missing = count - len(known)
    row.append((" " if known else "") + " ".join(["··"] * missing) if missing else "")
    row.pad_right(max(3 * count - len(row), 0) + 1)
    return text.append_text(row).append_text(note)


def _dealer_note(round: Mapping[str, Any]) -> Text:
    if "dealer_category" not in round:
        return Text()
    note = f" {words(round['dealer_category'])}"
    return Text(note + ("" if round["dealer_qualifies"] else ", does not qualify"))


def _board_note(round: Mapping[str, Any]) -> Text:
    note = Text(f" VOID: {words(round['void'])}" if round["void"] else "", style="magenta")
    if round["all_6"]:
        note.append("   All 6 ", style="dim").append_text(cards_text(parse_cards(round["all_6"])))
    return note


def _seat_note(
    round: Mapping[str, Any], number: str, seat: Mapping[str, Any], book: RuleBook
) -> Text:
    note = Text(f" {_decided(seat['decision'])}", style="cyan")
    if hand := felt.hand_words(seat["hole"], round["board"]):
        note.append(f"  {hand}", style="default")
    result = round.get("results", {}).get(number)
    if result is None:
        return note
    net = parse_cents(result["net"], "net")
    note.append(f"  {signed(net)}", style="bold green" if net > 0 else "red" if net < 0 else "bold")
    parts = [
        f"{book.label(Wager(wager))} {signed(parse_cents(line['net'], 'net'))}"
        for wager, line in result["wagers"].items()
    ]
    return note.append(f"\n           {', '.join(parts)}", style="dim")


def _decided(decision: str) -> str:
    if decision.startswith("raise"):
        _, multiple, street = decision.split()
        return f"raised {multiple}× on the {street}"
    return {"owes": "to decide", "hidden": "", "check": "checked", "fold": "folded"}.get(
        decision, decision
    )


def _tablevision(view: Mapping[str, Any]) -> RenderableType:
    meter = view["meter"]
    shows = f"${meter['shows']}" if meter else "no meter"
    frozen = f" (frozen: {meter['frozen']})" if meter and meter["frozen"] else ""
    if view["prize"] is None:
        lines = [Text("    No progressive at this table.", style="bold")]
    else:
        lines = [Text(f"    {words(view['prize']).title()} {shows}{frozen}", style="bold")]
    for row in view["paytable"] or ():
        lines.append(Text(f"      {row['outcome']:<40}{row['pays']:>8}", style="dim"))
    lines += [Text(f"    {notice}", style="italic") for notice in view["notices"]]
    return Group(*lines)
