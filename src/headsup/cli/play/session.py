"""A session of `headsup play`: bets, decisions and results, round after round."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from textwrap import wrap

from rich.console import Console, RenderableType
from rich.text import Text

from headsup.cli.play.adviser import Action, Adviser
from headsup.cli.play.bets import Bets, min_ante, raise_shortfall, wager_limit
from headsup.cli.play.keys import ENTER, RESIZE, EndOfInput, Keys, key_name
from headsup.cli.play.screen import PlayScreen
from headsup.cli.screens import felt
from headsup.cli.screens.pages import fairness_lines, key_lines, posted_lines
from headsup.cli.screens.payouts import draw_results, result_rows
from headsup.cli.screens.style import raise_word, signed_dollars
from headsup.cli.shell.streams import UnwritableOutput
from headsup.game.refusal import Code, Refused
from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.state import STREET_BY_PHASE, Round
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import MAX_STAKE_CENTS, Cents, show_dollars
from headsup.game.views.model import PlayerView
from headsup.house.solo.bankroll import STARTING_CENTS, Bankroll, BankrollFile
from headsup.house.solo.table import SEAT, SoloTable
from headsup.house.store.log_file import UnwritableLog

_STREET_SECONDS = 0.7  # how long a street without a decision is shown


class _PlayerExit(Exception):
    """The player leaves."""


class PlaySession:
    """One player at one table. Every decision is one key; `advisers` may comment on each."""

    def __init__(
        self,
        table: SoloTable,
        keys: Keys,
        console: Console,
        bankroll: Bankroll,
        bankroll_file: BankrollFile | None = None,
        advisers: Sequence[Adviser] = (),
    ) -> None:
        self.table, self.keys, self.screen = table, keys, PlayScreen(console)
        self.advisers = advisers
        self._saved_bankroll, self._file = bankroll, bankroll_file
        self._reserve: Cents = 0  # money beyond what may be bought in
        self._starting_bankroll = bankroll.cents
        self._bets = Bets(self.rules, bankroll.bets.get(self.rules.id, {}), bankroll.cents)
        self._save_error = ""  # the last one reported
        self._warned: object = None  # the bets and chips of the last warning

    @property
    def rules(self) -> TableRules:
        return self.table.table.rules

    @property
    def bankroll(self) -> Cents:
        """All the player's money that is not on the felt."""
        return self.table.chips + self._reserve

    @property
    def result(self) -> Cents:
        return self.bankroll - self._starting_bankroll

    def run(self) -> None:
        """Play until the player leaves. An open round is then finished as if time ran out."""
        self._sit_down()
        try:
            self._play()
        except UnwritableLog as error:
            raise self._log_failure_refusal(error) from None

    def _play(self) -> None:
        try:
            try:
                while True:
                    self._bet()
                    self._decide_all()
            except (EndOfInput, _PlayerExit):
                self._leave()
        except UnwritableOutput:  # nobody can see the table any more
            self._stand_up()
            raise

    # Coming and going.

    def _sit_down(self) -> None:
        chips = min(self._saved_bankroll.cents, MAX_STAKE_CENTS)
        self._reserve = self._saved_bankroll.cents - chips
        self.table.sit_down(chips)

    def _leave(self) -> None:
        if self._in_hand:
            self.screen.say(
                "You are leaving mid-round: as with a time-out, your hand is checked, then folded.",
                "yellow",
            )
            self.table.time_out()
            self._show_round()
        self._stand_up()
        total = Text("You leave with ")
        total.append(show_dollars(self.bankroll), style="bold")
        total.append(f" ({signed_dollars(self.result)} this session).")
        advice = (line for adviser in self.advisers for line in adviser.farewell())
        self.screen.print_farewell([total, *advice])

    def _stand_up(self) -> None:
        """Finish an open hand as if time ran out, save, and take the chips off the table."""
        if SEAT not in self.table.table.players:
            return
        self.table.time_out()
        self._save()
        chips = self.table.chips
        self.table.stand_up()
        self._reserve += chips

    def _log_failure_refusal(self, failure: UnwritableLog) -> Refused:
        """End the game, since nothing may happen that is not logged.

        Bets on cards already seen stay on the felt, as in the log: a full disk must not undo a
        hand.
        """
        error = self._save_bankroll()
        self.screen.print_farewell([Text(error, style="red")] if error else [])
        reason, chips, felt = failure.message, self.bankroll, self.table.on_felt
        if felt:
            return Refused(Code.UNWRITABLE_LOG, "felt", reason=reason, chips=chips, felt=felt)
        return Refused(Code.UNWRITABLE_LOG, "halt", reason=reason, chips=chips)

    def _save(self) -> None:
        error = self._save_bankroll()
        if error and error != self._save_error:
            self.screen.say(error, "red")
        self._save_error = error

    def _save_bankroll(self) -> str:
        """Save the money that is not on the felt. Returns an error sentence if that fails."""
        if self._file is None:
            return ""
        bets = {wager.value: cents for wager, cents in self._bets.to_repeat.items()}
        rounds = self._saved_bankroll.rounds + self.table.table.rounds
        bankroll = replace(self._saved_bankroll, cents=self.bankroll, rounds=rounds)
        return self._file.save(bankroll.with_bets(self.rules.id, bets))

    # Betting.

    def _bet(self) -> None:
        """Let the player change the bets until they are placed, then deal."""
        self.table.seal()
        self._bets.hold(self.table.view().coupons or ())
        full = True
        while True:
            self._show_bets(full)
            key = self.keys.key()
            full = key.lower() in ("s", "show")
            if full or self._handle_common_key(key):
                continue
            try:
                if key == ENTER:
                    if self._warn():
                        continue
                    self.table.bet(self._bets.stakes, self._bets.coupons)
                    self._save()  # once dealt, the stake is gone, even if the program is killed
                    self.table.deal()
                    return
                self._change(key)
            except UnwritableLog:
                raise
            except Refused as refused:
                self.screen.say(_refusal_sentence(refused), "red")

    def _warn(self) -> bool:
        """Warn once about bets that leave too little to raise. Returns whether it did."""
        bets = self._bets
        now = (dict(bets.stakes), dict(bets.coupons), self.table.chips)
        warning = raise_shortfall(self.rules, bets.stakes, self.table.chips, bets.coupons)
        if not warning or self._warned == now:
            return False
        self._warned = now
        self.screen.say(f"{warning} Press Enter again to deal anyway.", "yellow")
        return True

    def _change(self, key: str) -> None:
        if key.lower() == "n" and self.bankroll < STARTING_CENTS:
            self.table.buy_in(STARTING_CENTS)
            self._starting_bankroll += STARTING_CENTS
            self.screen.say(f"{show_dollars(STARTING_CENTS)} more on the table.", "green")
        elif not self._bets.change(key, self._ask):
            self._say_key_does_nothing(key)

    def _ask(self, question: str) -> str | None:
        return self.keys.line(lambda typed: self.screen.ask(question + typed))

    # Deciding.

    def _decide_all(self) -> None:
        while self.table.table.is_playing:
            self._advise_before()
            self._show_round()
            self._decide(self.keys.key())
        for adviser in self.advisers:
            self._say_advice(adviser.at_end(self._round, SEAT))

    def _decide(self, key: str) -> None:
        if self._handle_common_key(key):
            return
        action = self._action(key)
        if action is None:
            return
        before, choices = self._round, self.table.choices()
        try:
            views = self.table.decide(action)
        except UnwritableLog:
            raise
        except Refused as refused:
            self.screen.say(_refusal_sentence(refused), "red")
            return
        self._save()
        self._reveal(views)
        for adviser in self.advisers:
            self._say_advice(adviser.after(before, SEAT, choices, action))

    def _reveal(self, views: Sequence[PlayerView]) -> None:
        """Show each street in turn, except the last view, which comes with the next prompt."""
        if self.screen.is_terminal:
            for view in views[:-1]:
                self.screen.show(partial(self._parts, view))
                self.keys.pause(_STREET_SECONDS)

    def _action(self, key: str) -> Action | None:
        """The action that the key stands for. If there is none, tell the player why."""
        choices = self.table.choices()
        name = key[:1].lower()
        raises = _raises(choices)
        if name == "r" or (name.isdigit() and len(raises) > 1):
            return self._raise(key.lower().removeprefix("r").strip(), raises)
        for choice in choices:
            if (name == "c" and isinstance(choice, Check)) or (
                name == "f" and isinstance(choice, Fold)
            ):
                return choice
        if name == "f":
            self.screen.say(
                "You can fold only once the whole board is out; press c to check.", "yellow"
            )
        elif name == "c":
            self.screen.say(f"You cannot check on the river: {self._raise_word} or fold.", "yellow")
        else:
            self._say_key_does_nothing(key)
        return None

    def _raise(self, multiple: str, raises: Sequence[Raise]) -> Raise | None:
        if not raises:
            self.screen.say(self._raise_too_expensive(), "red")
            return None
        if not multiple and len(raises) > 1:
            times = "/".join(str(choice.multiple) for choice in raises)
            highest = str(raises[-1].multiple)
            word = self._raise_word.capitalize()
            self.screen.ask(f"{word} {times} times the Ante? (Enter: {highest}) ")
            multiple = self.keys.key() or highest
        for choice in raises:
            if multiple in ("", str(choice.multiple)):
                return choice
        allowed = " or ".join(f"{choice.multiple}×" for choice in raises)
        self.screen.say(f"A {self._raise_word} is {allowed} the Ante here.", "yellow")
        return None

    def _raise_too_expensive(self) -> str:
        """The smallest raise of this street, and the player's chips."""
        street = STREET_BY_PHASE[self._round.phase]
        ante = self._round.seats[SEAT].stakes[Wager.ANTE]
        smallest = show_dollars(min(self.rules.raises[street]) * ante)
        chips = show_dollars(self.table.chips)
        return f"A {self._raise_word} here is at least {smallest}; you have {chips}."

    def _advise_before(self) -> None:
        for adviser in self.advisers:
            self._say_advice(adviser.before(self._round, SEAT, self.table.choices()))
        if any(adviser.active for adviser in self.advisers):
            self.keys.discard_typed_ahead()  # pressed before the advice was on the screen

    def _say_advice(self, sentences: str) -> None:
        for sentence in sentences.splitlines():
            self.screen.say(sentence, "cyan")

    @property
    def _raise_word(self) -> str:
        """What this rule book calls a raise."""
        return raise_word(self.rules)

    @property
    def _round(self) -> Round:
        round = self.table.round
        if round is None:
            raise RuntimeError("no round is open")
        return round

    # Keys that mean the same everywhere.

    def _handle_common_key(self, key: str) -> bool:
        if key == RESIZE:
            self.screen.repeat_notes()
            return True
        if key.lower() in ("q", "quit", "exit"):
            if not self._in_hand or self._confirm_leaving():
                raise _PlayerExit
            return True
        if key.lower() in ("?", "h", "help"):
            self.screen.page("The keys", key_lines(self.rules), self.keys.key)
            return True
        if key.lower() in ("l", "layout"):
            lines = posted_lines(
                self.table.view(), self._bets.stakes[Wager.ANTE], self.screen.width
            )
            self.screen.page("Posted at this table", lines, self.keys.key)
            return True
        if key.lower() in ("k", "coach") and self.advisers:
            for adviser in self.advisers:
                self._say_advice(adviser.switch())
            return True
        if key.lower() in ("v", "verify"):
            self.screen.page(
                "Sealed shuffles",
                fairness_lines(self.table.view(), self.screen.width),
                self.keys.key,
            )
            return True
        return False

    @property
    def _in_hand(self) -> bool:
        """Whether leaving now would give up a hand."""
        return bool(self.table.table.is_playing and self.table.round and self.table.round.dealt)

    def _confirm_leaving(self) -> bool:
        """Ask whether to leave mid-hand. Ctrl-C and Ctrl-D leave without asking."""
        felt = show_dollars(self.table.on_felt)
        self.screen.ask(f"Leave? Your hand will be folded, with {felt} on the felt. (y/n) ")
        return self.keys.key().lower() in ("y", "yes", "q")

    def _say_key_does_nothing(self, key: str) -> None:
        self.screen.say(f"{key_name(key)} does nothing here; ? shows the keys.", "yellow")

    # The screen.

    def _show_bets(self, full: bool) -> None:
        """Show the last round, if any, and below it the bets for the next, each with its key."""
        drawing = self._table if full or self.screen.is_terminal else None
        width = self.screen.width
        sealed = felt.seal_lines(self.table.view(), width) if drawing else []
        limit = wager_limit(self.rules, width) if drawing else []
        below = [*sealed, *self._out_of_chips(), *limit, *self._bets.lines(width)]
        self.screen.show(drawing, below, self.keys.key if full else None)
        more = (
            [f"n {show_dollars(STARTING_CENTS)} more"]
            if self.bankroll < STARTING_CENTS // 10
            else []
        )
        self.screen.prompt(["Enter deal", *more, "? help", "l layout", "q quit"])

    def _out_of_chips(self) -> list[Text]:
        if self.bankroll >= 2 * min_ante(self.rules):
            return []
        money = show_dollars(self.bankroll)
        warning = f"You are out of chips: {money} is less than the minimum bet."
        return [
            Text(f"  {line}", style="bold yellow") for line in wrap(warning, self.screen.width - 2)
        ]

    def _show_round(self) -> None:
        self.screen.show(self._table)
        if self.table.table.is_playing:
            self.screen.prompt(self._action_keys())

    def _action_keys(self) -> list[str]:
        parts = []
        choices = self.table.choices()
        ante = self._round.seats[SEAT].stakes[Wager.ANTE]
        raises = _raises(choices)
        if raises:
            times = "/".join(f"{choice.multiple}×" for choice in raises)
            amount = f" ({show_dollars(raises[0].multiple * ante)})" if len(raises) == 1 else ""
            parts.append(f"r {self._raise_word} {times}{amount}")
        if any(isinstance(choice, Check) for choice in choices):
            parts.append("c check")
        if any(isinstance(choice, Fold) for choice in choices):
            parts.append("f fold")
        return [*parts, "? help", "l layout", "q quit"]

    def _table(self, tightness: int) -> list[RenderableType]:
        return self._parts(self.table.view(), tightness)

    def _parts(self, view: PlayerView, tightness: int) -> list[RenderableType]:
        """The felt from the title to the results.

        On a low screen the cards are in one row; on a very low or narrow one they are text. Reasons
        and money are never left out.
        """
        book, width = self.rules.book, self.screen.width
        # The chips of that view: the current ones would give the result away.
        chips = self.bankroll if view.chips is None else view.chips + self._reserve
        parts: list[RenderableType] = [
            *felt.title(view, book, f"Chips {show_dollars(chips)}", width),
            *felt.bonus_notice_lines(view, width),
        ]
        result = (view.round.results or {}).get(SEAT) if view.round else None
        if tightness > 1 or width < felt.MIN_BOXED_WIDTH:
            parts.append(felt.flat_cards(view, SEAT, book, width))
        elif tightness and result is not None:
            parts.append(felt.one_row(view, SEAT))
        else:
            parts += [
                felt.shared_cards(view, SEAT, width),
                felt.draw_player_hand(view, SEAT, book, width),
            ]
        if view.round and result is not None and not self.table.table.is_playing:
            seat = view.round.seats[SEAT]
            rows = result_rows(result, seat.decision, seat.coupons)
            parts += [draw_results(rows, book, width), self._totals(result.net)]
        return parts

    def _totals(self, net: Cents) -> Text:
        total = Text("  This round ", style="bold")
        total.append(signed_dollars(net), style=_colour(net))
        total.append("\n" if self.screen.width < felt.MIN_BOXED_WIDTH else " ")
        total.append("  This session ")
        return total.append(signed_dollars(self.result), style=_colour(self.result))


def _raises(choices: Sequence[Action]) -> list[Raise]:
    return [choice for choice in choices if isinstance(choice, Raise)]


def _colour(cents: Cents) -> str:
    return "bold green" if cents > 0 else "bold red" if cents < 0 else "bold"


def _refusal_sentence(refused: Refused) -> str:
    """The refusal without the seat number, which means nothing to a single player."""
    refusal = refused.refusal
    if refusal.code is Code.NOT_ENOUGH_CHIPS:
        refusal = replace(refusal, case="you")
    if refusal.where == f"seat {SEAT}":
        refusal = replace(refusal, where="")
    text = refusal.message
    return text[:1].upper() + text[1:] + "."
