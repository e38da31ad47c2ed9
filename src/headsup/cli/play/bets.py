"""The bets a player means to place next: kept from round to round, changed key by key."""

from collections.abc import Callable, Mapping
from textwrap import wrap

from rich.text import Text

from headsup.cli.options.amounts import read_cents
from headsup.cli.screens.style import shorten
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import Cents, show_dollars

SIDE_KEYS: Mapping[str, Wager] = {
    "t": Wager.TRIPS_PLUS,
    "p": Wager.POCKET_BONUS,
    "6": Wager.ALL_6,
    "j": Wager.PROGRESSIVE,
}

BET_LABEL_WIDTH = 24  # of a wager, at most so wide

# What a person typed to this question; None if they thought better of it.
Prompt = Callable[[str], str | None]


class Bets:
    """Ante and Odds, always the same, and the side wagers; in cents, none is zero."""

    def __init__(self, rules: TableRules, kept: Mapping[str, Cents], chips: Cents) -> None:
        self._rules = rules
        self.stakes = _initial_stakes(rules, kept, chips)

    def change(self, key: str, ask: Prompt) -> bool:
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

    def _change_side(self, wager: Wager, argument: str, ask: Prompt) -> None:
        if wager is Wager.PROGRESSIVE:  # its stake is fixed: on or off
            cents: Cents | None = 0 if wager in self.stakes else self._rules.progressive_stake
        else:
            cents = self._amount(wager, argument, ask)
        if cents is not None:
            stakes = {**self.stakes, wager: cents}
            self.stakes = {wager: stakes[wager] for wager in Wager if stakes.get(wager)}

    def _amount(self, wager: Wager, argument: str, ask: Prompt) -> Cents | None:
        """Dollars, typed after the key or asked for; None leaves the wager as it is."""
        label = shorten(self._rules.book.label(wager), BET_LABEL_WIDTH)
        typed = argument or (ask(f"{label}, in dollars: ") or "").strip()
        if not typed:
            return None
        cents = read_cents(typed, label)
        if cents < 0:
            raise Refused(Code.BAD_MONEY, "below_zero", where=label)
        return cents

    def lines(self, width: int) -> list[Text]:
        """Each wager with its key and its amount, as many to a line as fit."""
        ante = Text.assemble("  ", ("a ", "bold"), ("Ante + Odds ", "cyan"))
        parts = [ante.append(f"{show_dollars(self.stakes[Wager.ANTE])} each")]
        for key, wager in SIDE_KEYS.items():
            if self._rules.offers(wager):
                cents = self.stakes.get(wager, 0)
                part = Text.assemble("  ", (f"{key} ", "bold"))
                part.append(
                    f"{shorten(self._rules.book.label(wager), BET_LABEL_WIDTH)} ", style="cyan"
                )
                parts.append(part.append(show_dollars(cents) if cents else "–"))
        lines = [Text()]
        for part in parts:
            if len(lines[-1]) + len(part) > width:
                lines.append(Text())
            lines[-1].append_text(part)
        return lines


def _initial_stakes(
    rules: TableRules, kept: Mapping[str, Cents], chips: Cents
) -> dict[Wager, Cents]:
    """What was bet last under these rules, as far as it is on offer; else a $10.00 Ante."""
    limit = rules.limits.get(Wager.ANTE)
    whole = chips // 8 // 100 * 100  # whole dollars
    ante = kept.get("ante") or max(limit.min if limit else 0, min(1000, whole or 100))
    stakes = {Wager.ANTE: ante, Wager.ODDS: ante}
    for wager in SIDE_WAGERS:
        if rules.offers(wager) and (cents := kept.get(wager.value)):
            fixed = wager is Wager.PROGRESSIVE
            stakes[wager] = rules.progressive_stake if fixed else cents
    return stakes


def min_ante(rules: TableRules) -> Cents:
    """The smallest Ante the table takes: its posted minimum, or a cent."""
    limit = rules.limits.get(Wager.ANTE)
    return (limit.min if limit else 0) or 1


def raise_shortfall(rules: TableRules, stakes: Mapping[Wager, Cents], chips: Cents) -> str:
    """What is missing to raise once these bets lie on the felt; nothing where all is there."""
    left = chips - sum(stakes.values())
    ante = stakes[Wager.ANTE]
    word = rules.book.label(Wager.RAISE).lower()
    least, most = (pick(map(pick, rules.raises.values())) * ante for pick in (min, max))
    if left < 0 or left >= most:  # too little for the bets themselves is refused
        return ""
    if left < least:
        return (
            f"These bets leave you {show_dollars(left)}: too little for any {word}, "
            "so only to fold."
        )
    return (
        f"These bets leave you {show_dollars(left)}: too little for a {word} "
        f"of {show_dollars(most)}."
    )


def wager_limit(rules: TableRules, width: int) -> list[Text]:
    """How many side bets may be made together, where a document limits it (R10)."""
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)]
    allowed, options = rules.max_side_wagers, rules.book.max_options
    if not options or allowed >= len(offered):
        return []
    names = [rules.book.label(wager) for wager in (Wager.ANTE, Wager.ODDS)]
    if allowed + len(names) < options:
        names.append(rules.book.label(Wager.RAISE))
    sides = "no side bet" if not allowed else f"{_NUMBER_WORDS.get(allowed, allowed)} of these"
    said = (
        f"At most {_NUMBER_WORDS.get(options, options)} wagers here: "
        f"{', '.join(names)} and {sides} "
        f"({rules.book.max_options_clause})."
    )
    return [Text(f"  {line}", style="dim") for line in wrap(said, width - 2)]


_NUMBER_WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}
