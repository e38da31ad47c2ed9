"""The bets a player means to place next: kept from round to round, changed key by key."""

from collections.abc import Callable, Mapping

from rich.text import Text

from headsup.cli.screen import short
from headsup.game.amounts import parse_cents
from headsup.game.money import Cents, dollars
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import SIDE_WAGERS, Wager

SIDE_KEYS: Mapping[str, Wager] = {
    "t": Wager.TRIPS_PLUS,
    "p": Wager.POCKET_BONUS,
    "6": Wager.ALL_6,
    "j": Wager.PROGRESSIVE,
}

LABEL = 24  # of a wager, at most so wide

# What a person typed to this question; None if they thought better of it.
Ask = Callable[[str], str | None]


class Bets:
    """Ante and Odds, always the same, and the side wagers; in cents, none is zero."""

    def __init__(self, rules: TableRules, kept: Mapping[str, Cents], chips: Cents) -> None:
        self._rules = rules
        self.stakes = _first(rules, kept, chips)

    def change(self, key: str, ask: Ask) -> bool:
        """Do what the key means; False if it means no bet. An amount follows the key or is
        asked for."""
        name, argument = key[:1].lower(), key[1:].strip()
        if name == "a":
            cents = self._amount(Wager.ANTE, argument, ask)
            if cents:
                self.stakes |= {Wager.ANTE: cents, Wager.ODDS: cents}
        elif name == "x":
            self.stakes = {wager: self.stakes[wager] for wager in (Wager.ANTE, Wager.ODDS)}
        elif (wager := SIDE_KEYS.get(name)) and self._rules.offers(wager):
            self._change_side(wager, argument, ask)
        else:
            return False
        return True

    def _change_side(self, wager: Wager, argument: str, ask: Ask) -> None:
        if wager is Wager.PROGRESSIVE:  # its stake is fixed: on or off
            cents: Cents | None = 0 if wager in self.stakes else self._rules.progressive_stake
        else:
            cents = self._amount(wager, argument, ask)
        if cents is not None:
            stakes = {**self.stakes, wager: cents}
            self.stakes = {wager: stakes[wager] for wager in Wager if stakes.get(wager)}

    def _amount(self, wager: Wager, argument: str, ask: Ask) -> Cents | None:
        """Dollars, typed after the key or asked for; None leaves the wager as it is."""
        label = short(self._rules.book.label(wager), LABEL)
        typed = argument or (ask(f"{label}, in dollars: ") or "").strip()
        if not typed:
            return None
        cents = parse_cents(typed.removeprefix("$"), label)
        if cents < 0:
            raise Refused(Code.BAD_MONEY, "below_zero", where=label)
        return cents

    def lines(self, width: int) -> list[Text]:
        """Each wager with its key and its amount, as many to a line as fit."""
        ante = Text.assemble("  ", ("a ", "bold"), ("Ante + Odds ", "cyan"))
        parts = [ante.append(f"{dollars(self.stakes[Wager.ANTE])} each")]
        for key, wager in SIDE_KEYS.items():
            if self._rules.offers(wager):
                cents = self.stakes.get(wager, 0)
                part = Text.assemble("  ", (f"{key} ", "bold"))
                part.append(f"{short(self._rules.book.label(wager), LABEL)} ", style="cyan")
                parts.append(part.append(dollars(cents) if cents else "–"))
        lines = [Text()]
        for part in parts:
            if len(lines[-1]) + len(part) > width:
                lines.append(Text())
            lines[-1].append_text(part)
        return lines


def _first(rules: TableRules, kept: Mapping[str, Cents], chips: Cents) -> dict[Wager, Cents]:
    """What was bet last under these rules, as far as it is on offer; else a $10.00 Ante."""
    limit = rules.limits.get(Wager.ANTE)
    ante = kept.get("ante") or max(limit.min if limit else 0, min(1000, chips // 8 or 100))
    stakes = {Wager.ANTE: ante, Wager.ODDS: ante}
    for wager in SIDE_WAGERS:
        if rules.offers(wager) and (cents := kept.get(wager.value)):
            fixed = wager is Wager.PROGRESSIVE
            stakes[wager] = rules.progressive_stake if fixed else cents
    return stakes
