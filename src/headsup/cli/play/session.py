"""A session at the terminal: bets, decisions, results, round after round, until the player goes."""

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
from headsup.cli.screens.results import draw_results, result_rows
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
from headsup.house.solo.logbook import UnwritableLog
from headsup.house.solo.table import SEAT, SoloTable

_LOOK_SECONDS = 0.7  # seconds for which a street that needs no decision is looked at


class _PlayerExit(Exception):
    """The player goes."""


class PlaySession:
    """One player's evening. Every decision is one key; `advisers` may speak around each."""

    def __init__(
        self,
        table: SoloTable,
        keys: Keys,
        console: Console,
        purse: Bankroll,
        purse_file: BankrollFile | None = None,
        advisers: Sequence[Adviser] = (),
    ) -> None:
        self.table, self.keys, self.screen = table, keys, PlayScreen(console)
        self.advisers = advisers
        self._purse, self._file = purse, purse_file
        self._pocket: Cents = 0  # what could not be bought in at once
        self._came_with = purse.cents
        self._bets = Bets(self.rules, purse.bets.get(self.rules.id, {}), purse.cents)
        self._trouble = ""  # why the purse was not saved, as last said
        self._warned: object = None  # the bets and chips of which was warned last

    @property
    def rules(self) -> TableRules:
        return self.table.table.rules

    @property
    def bankroll(self) -> Cents:
        """All the player has that is not on the felt."""
        return self.table.chips + self._pocket

    @property
    def result(self) -> Cents:
        return self.bankroll - self._came_with

    def run(self) -> None:
        """Play until the player leaves; an open round is then played out by the clock."""
        self._sit_down()
        try:
            self._play()
        except UnwritableLog as lost:
            raise self._halted(lost) from None

    def _play(self) -> None:
        try:
            try:
                while True:
                    self._bet()
                    self._decide_all()
            except (EndOfInput, _PlayerExit):
                self._leave()
        except UnwritableOutput:  # nobody sees the table any more
            self._stand_up()
            raise

    # Coming and going.

    def _sit_down(self) -> None:
        chips = min(self._purse.cents, MAX_STAKE_CENTS)
        self._pocket = self._purse.cents - chips
        self.table.sit_down("you", chips)

    def _leave(self) -> None:
        if self._in_hand:
            self.screen.say(
                "You leave in the middle of a round: as after a time-out, the hand is "
                "checked and then folded.",
                "yellow",
            )
            self.table.time_out()
            self._show_round()
        self._stand_up()
        total = Text("You leave with ")
        total.append(show_dollars(self.bankroll), style="bold")
        total.append(f" ({signed_dollars(self.result)} this session).")
        self.screen.end([total, *(line for one in self.advisers for line in one.farewell())])

    def _stand_up(self) -> None:
        """An open hand is played out by the clock, and the chips go into the purse."""
        if SEAT not in self.table.table.players:
            return
        self.table.time_out()
        self._save()
        chips = self.table.chips
        self.table.stand_up()
        self._pocket += chips

    def _halted(self, lost: UnwritableLog) -> Refused:
        """Nothing may happen that is not recorded. What was bet on cards that were seen stays on
        the felt, where the log has it: a hand is not taken back because a disk is full."""
        trouble = self._saved()
        self.screen.end([Text(trouble, style="red")] if trouble else [])
        reason, chips, felt = lost.message, self.bankroll, self.table.on_felt
        if felt:
            return Refused(Code.UNWRITABLE_LOG, "felt", reason=reason, chips=chips, felt=felt)
        return Refused(Code.UNWRITABLE_LOG, "halt", reason=reason, chips=chips)

    def _save(self) -> None:
        trouble = self._saved()
        if trouble and trouble != self._trouble:
            self.screen.say(trouble, "red")
        self._trouble = trouble

    def _saved(self) -> str:
        """Keep what is not on the felt; a sentence when that failed."""
        if self._file is None:
            return ""
        bets = {wager.value: cents for wager, cents in self._bets.stakes.items()}
        rounds = self._purse.rounds + self.table.table.rounds
        kept = replace(self._purse, cents=self.bankroll, rounds=rounds)
        return self._file.save(kept.with_bets(self.rules.id, bets))

    # Betting.

    def _bet(self) -> None:
        """Change the bets until they are placed, then deal."""
        self.table.seal()
        whole = True
        while True:
            self._show_bets(whole)
            key = self.keys.key()
            whole = key.lower() in ("s", "show")
            if whole or self._common(key):
                continue
            try:
                if key == ENTER:
                    if self._warn():
                        continue
                    self.table.bet(self._bets.stakes)
                    self._save()  # a stake is gone when the cards come, however the program ends
                    self.table.deal()
                    return
                self._change(key)
            except UnwritableLog:
                raise
            except Refused as refused:
                self.screen.say(_refusal_sentence(refused), "red")

    def _warn(self) -> bool:
        """Whether these bets are better thought of twice; the same bets are then dealt."""
        now = (dict(self._bets.stakes), self.table.chips)
        warning = raise_shortfall(self.rules, self._bets.stakes, self.table.chips)
        if not warning or self._warned == now:
            return False
        self._warned = now
        self.screen.say(f"{warning} Enter once more deals all the same.", "yellow")
        return True

    def _change(self, key: str) -> None:
        if key.lower() == "n" and self.bankroll < STARTING_CENTS:
            self.table.buy_in(STARTING_CENTS)
            self._came_with += STARTING_CENTS
            self.screen.say(f"{show_dollars(STARTING_CENTS)} more on the table.", "green")
        elif not self._bets.change(key, self._ask):
            self._nothing(key)

    def _ask(self, question: str) -> str | None:
        return self.keys.line(lambda typed: self.screen.ask(question + typed))

    # Deciding.

    def _decide_all(self) -> None:
        while self.table.table.playing:
            self._advise_before()
            self._show_round()
            self._decide(self.keys.key())
        for adviser in self.advisers:
            self._advice(adviser.at_end(self._round, SEAT))

    def _decide(self, key: str) -> None:
        if self._common(key):
            return
        action = self._action(key)
        if action is None:
            return
        before, choices = self._round, self.table.choices()
        try:
            looks = self.table.decide(action)
        except UnwritableLog:
            raise
        except Refused as refused:
            self.screen.say(_refusal_sentence(refused), "red")
            return
        self._save()
        self._reveal(looks)
        for adviser in self.advisers:
            self._advice(adviser.after(before, SEAT, choices, action))

    def _reveal(self, looks: Sequence[PlayerView]) -> None:
        """Street after street, for who watches; the last look comes with what is then asked."""
        if self.screen.is_terminal:
            for look in looks[:-1]:
                self.screen.show(partial(self._parts, look))
                self.keys.pause(_LOOK_SECONDS)

    def _action(self, key: str) -> Action | None:
        """What the key means now; None, and why, if nothing."""
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
                "A hand is folded only when the whole board is out; check with c.", "yellow"
            )
        elif name == "c":
            self.screen.say(
                f"On the river there is no check: {self._raise_word} or fold.", "yellow"
            )
        else:
            self._nothing(key)
        return None

    def _raise(self, multiple: str, raises: Sequence[Raise]) -> Raise | None:
        if not raises:
            self.screen.say(self._too_dear(), "red")
            return None
        if not multiple and len(raises) > 1:
            times = "/".join(str(choice.multiple) for choice in raises)
            most = str(raises[-1].multiple)
            word = self._raise_word.capitalize()
            self.screen.ask(f"{word} {times} times the Ante? (Enter: {most}) ")
            multiple = self.keys.key() or most
        for choice in raises:
            if multiple in ("", str(choice.multiple)):
                return choice
        allowed = " or ".join(f"{choice.multiple}×" for choice in raises)
        self.screen.say(f"A {self._raise_word} is {allowed} the Ante here.", "yellow")
        return None

    def _too_dear(self) -> str:
        """The least raise of this street, and what there is to pay it with."""
        street = STREET_BY_PHASE[self._round.phase]
        ante = self._round.seats[SEAT].stakes[Wager.ANTE]
        least = min(self.rules.raises[street]) * ante
        chips = show_dollars(self.table.chips)
        return f"A {self._raise_word} here is at least {show_dollars(least)}; you have {chips}."

    def _advise_before(self) -> None:
        for adviser in self.advisers:
            self._advice(adviser.before(self._round, SEAT, self.table.choices()))
        if any(adviser.active for adviser in self.advisers):
            self.keys.forget()  # advice may take a moment; a key pressed meanwhile costs nothing

    def _advice(self, sentences: str) -> None:
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

    def _common(self, key: str) -> bool:
        if key == RESIZE:
            self.screen.again()
            return True
        if key.lower() in ("q", "quit", "exit"):
            if not self._in_hand or self._sure():
                raise _PlayerExit
            return True
        if key.lower() in ("?", "h", "help"):
            self.screen.page("The keys", key_lines(self.rules), self.keys.key)
            return True
        if key.lower() in ("l", "layout"):
            lines = posted_lines(
                self.table.view(), self._bets.stakes[Wager.ANTE], self.screen.width
            )
            self.screen.page("What is posted at the table", lines, self.keys.key)
            return True
        if key.lower() in ("k", "coach") and self.advisers:
            for adviser in self.advisers:
                self._advice(adviser.switch())
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
        """Whether a hand is open that leaving would give up."""
        return bool(self.table.table.playing and self.table.round and self.table.round.deck)

    def _sure(self) -> bool:
        """Ask who leaves in the middle of a hand; Ctrl-C and Ctrl-D are not asked."""
        felt = show_dollars(self.table.on_felt)
        self.screen.ask(f"Leave? Your hand is checked and folded, {felt} on the felt. (y/n) ")
        return self.keys.key().lower() in ("y", "yes", "q")

    def _nothing(self, key: str) -> None:
        self.screen.say(f"{key_name(key)} does nothing here; ? shows the keys.", "yellow")

    # What is shown.

    def _show_bets(self, whole: bool) -> None:
        """The last round, if any, and under it the bets for the next, each with its key."""
        drawn = self._table if whole or self.screen.is_terminal else None
        width = self.screen.width
        sealed = felt.seal_lines(self.table.view(), width) if drawn else []
        limit = wager_limit(self.rules, width) if drawn else []
        below = [*sealed, *self._out_of_chips(), *limit, *self._bets.lines(width)]
        self.screen.show(drawn, below, self.keys.key if whole else None)
        more = (
            [f"n {show_dollars(STARTING_CENTS)} more"]
            if self.bankroll < STARTING_CENTS // 10
            else []
        )
        self.screen.prompt(["Enter deal", *more, "? help", "l layout", "q quit"])

    def _out_of_chips(self) -> list[Text]:
        if self.bankroll >= 2 * min_ante(self.rules):
            return []
        said = f"You are out of chips: {show_dollars(self.bankroll)} is less than the least bet."
        return [
            Text(f"  {line}", style="bold yellow") for line in wrap(said, self.screen.width - 2)
        ]

    def _show_round(self) -> None:
        self.screen.show(self._table)
        if self.table.table.playing:
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
        """The felt from the title to the results: with few lines the cards lie in one row, with
        fewer, or few columns, they are written; reasons and money stay."""
        book, width = self.rules.book, self.screen.width
        # Of that moment: while the streets come one by one, chips do not tell the end.
        chips = self.bankroll if view.chips is None else view.chips + self._pocket
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
        if view.round and result is not None and not self.table.table.playing:
            rows = result_rows(result, view.round.seats[SEAT].decision)
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
    """A sentence without the seat number, which a single player has no use for."""
    refusal = refused.refusal
    if refusal.code is Code.NOT_ENOUGH_CHIPS:
        refusal = replace(refusal, case="you")
    if refusal.where == f"seat {SEAT}":
        refusal = replace(refusal, where="")
    text = refusal.message
    return text[:1].upper() + text[1:] + "."
