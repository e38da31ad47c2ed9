"""The player's bets for the next round. They carry over from round to round; keys change them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from textwrap import wrap

from rich.text import Text

from headsup.cli.options.amounts import read_cents
from headsup.cli.screens.style import shorten
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import Cents, show_dollars
from headsup.game.views.model import CouponView

SIDE_KEYS: Mapping[str, Wager] = {
    "t": Wager.TRIPS_PLUS,
    "p": Wager.POCKET_BONUS,
    "6": Wager.ALL_6,
    "j": Wager.PROGRESSIVE,
}

BET_LABEL_WIDTH = 24  # columns for a wager's name

# Asks a question and returns the answer; None if the player cancels.
Prompt = Callable[[str], str | None]


class Bets:
    """The stakes in cents, without zeros. Odds always equals the Ante.

    `coupons` names the stakes that are promotional coupons, and the number of each (R12).
    """

    def __init__(self, rules: TableRules, last_bets: Mapping[str, Cents], chips: Cents) -> None:
        self._rules = rules
        self.stakes = _initial_stakes(rules, last_bets, chips)
        self.coupons: dict[Wager, int] = {}
        self._held: Mapping[int, CouponView] = {}

    @property
    def to_repeat(self) -> dict[Wager, Cents]:
        """The stakes for the next evening: without side bets that only a coupon paid for."""
        main = (Wager.ANTE, Wager.ODDS)
        return {
            wager: cents
            for wager, cents in self.stakes.items()
            if wager in main or wager not in self.coupons
        }

    def hold(self, coupons: Sequence[CouponView]) -> None:
        """The player's unspent coupons. A side bet goes with the coupon that paid for it."""
        self._held = {coupon.coupon: coupon for coupon in coupons}
        for wager, number in list(self.coupons.items()):
            if number not in self._held:
                self._take_back(wager)

    def change(self, key: str, ask: Prompt) -> bool:
        """Change the bets as the key says, asking for an amount if none follows the key.

        Returns False if the key has nothing to do with bets.
        """
        name, argument = key[:1].lower(), key[1:].strip()
        if name == "a":
            cents = self._amount(Wager.ANTE, argument, ask)
            if cents:
                self.stakes |= {Wager.ANTE: cents, Wager.ODDS: cents}
        elif name == "u" and self._held:
            self._use_coupon(argument, ask)
        elif name == "x":
            self.stakes = {wager: self.stakes[wager] for wager in (Wager.ANTE, Wager.ODDS)}
        elif (wager := SIDE_KEYS.get(name)) and self._rules.offers(wager):
            self._change_side(wager, argument, ask)
        else:
            return False
        self.coupons = {
            wager: number
            for wager, number in self.coupons.items()
            if self.stakes.get(wager) == self._held[number].amount
        }
        return True

    def _use_coupon(self, argument: str, ask: Prompt) -> None:
        """Stake a coupon, or take it back. A coupon for the Ante also sets the Odds."""
        typed = argument
        if not typed and len(self._held) == 1:
            (typed,) = map(str, self._held)
        typed = typed or (ask("Which coupon, by its number? ") or "").strip()
        if not typed:
            return
        coupon = next((one for one in self._held.values() if str(one.coupon) == typed), None)
        if coupon is None:
            raise Refused(Code.NO_SUCH_COUPON, "you", coupon=typed)
        if self.coupons.get(coupon.wager) == coupon.coupon:
            self._take_back(coupon.wager)
            return
        main = (Wager.ANTE, Wager.ODDS)
        wagers = main if coupon.wager in main else (coupon.wager,)
        stakes = self.stakes | dict.fromkeys(wagers, coupon.amount)
        self.stakes = {wager: stakes[wager] for wager in Wager if stakes.get(wager)}
        self.coupons[coupon.wager] = coupon.coupon

    def _take_back(self, wager: Wager) -> None:
        del self.coupons[wager]
        if wager not in (Wager.ANTE, Wager.ODDS):
            self.stakes = {other: cents for other, cents in self.stakes.items() if other != wager}

    def _change_side(self, wager: Wager, argument: str, ask: Prompt) -> None:
        if wager is Wager.PROGRESSIVE:  # fixed stake: on or off
            cents: Cents | None = 0 if wager in self.stakes else self._rules.progressive_stake
        else:
            cents = self._amount(wager, argument, ask)
        if cents is not None:
            stakes = {**self.stakes, wager: cents}
            self.stakes = {wager: stakes[wager] for wager in Wager if stakes.get(wager)}

    def _amount(self, wager: Wager, argument: str, ask: Prompt) -> Cents | None:
        """The amount typed after the key or at the prompt; None leaves the wager as it is."""
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
        for coupon in self._held.values():
            part = Text.assemble("  ", ("u ", "bold"))
            label = shorten(self._rules.book.label(coupon.wager), BET_LABEL_WIDTH)
            part.append(f"Coupon {coupon.coupon}: {label} ", "cyan")
            part.append(show_dollars(coupon.amount))
            staked = self.coupons.get(coupon.wager) == coupon.coupon
            parts.append(part.append(" (in the bet)") if staked else part)
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
    rules: TableRules, last_bets: Mapping[str, Cents], chips: Cents
) -> dict[Wager, Cents]:
    """The last bets under these rules, as far as the table offers them; else a $10.00 Ante."""
    limit = rules.limits.get(Wager.ANTE)
    whole = chips // 8 // 100 * 100  # whole dollars
    ante = last_bets.get("ante") or max(limit.min if limit else 0, min(1000, whole or 100))
    stakes = {Wager.ANTE: ante, Wager.ODDS: ante}
    for wager in SIDE_WAGERS:
        if rules.offers(wager) and (cents := last_bets.get(wager.value)):
            fixed = wager is Wager.PROGRESSIVE
            stakes[wager] = rules.progressive_stake if fixed else cents
    return stakes


def min_ante(rules: TableRules) -> Cents:
    """The smallest Ante the table takes: its posted minimum, or a cent."""
    limit = rules.limits.get(Wager.ANTE)
    return (limit.min if limit else 0) or 1


def raise_shortfall(
    rules: TableRules,
    stakes: Mapping[Wager, Cents],
    chips: Cents,
    coupons: Collection[Wager] = (),
) -> str:
    """A warning if these bets leave too few chips to raise; otherwise an empty text."""
    left = chips - sum(cents for wager, cents in stakes.items() if wager not in coupons)
    ante = stakes[Wager.ANTE]
    word = rules.book.label(Wager.RAISE).lower()
    min_raise, max_raise = (pick(map(pick, rules.raises.values())) * ante for pick in (min, max))
    if left < 0 or left >= max_raise:  # too little for the bets themselves is refused
        return ""
    if left < min_raise:
        return (
            f"These bets leave you {show_dollars(left)}, not enough for any {word}: "
            "you could only fold."
        )
    return (
        f"These bets leave you {show_dollars(left)}, not enough for a {word} "
        f"of {show_dollars(max_raise)}."
    )


def wager_limit(rules: TableRules, width: int) -> list[Text]:
    """How many side bets are allowed at once, if a document limits it (R10)."""
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)]
    allowed = rules.max_side_wagers
    if not rules.book.max_options or allowed >= len(offered):
        return []
    bets = "one side bet" if allowed == 1 else f"{_NUMBER_WORDS.get(allowed, allowed)} side bets"
    sentence = f"This table allows {bets} per round ({rules.book.max_options_clause})."
    return [Text(f"  {line}", style="dim") for line in wrap(sentence, width - 2)]


_NUMBER_WORDS = {0: "no", 2: "two", 3: "three", 4: "four"}
