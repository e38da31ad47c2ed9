"""A session at the terminal: bets, decisions, results, round after round, until the player goes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Protocol

from rich.console import Console, RenderableType
from rich.text import Text

from headsup.cli import felt
from headsup.cli.keys import ENTER, EndOfInput, Keys
from headsup.cli.screen import printable, signed
from headsup.game.amounts import parse_cents
from headsup.game.money import dollars
from headsup.game.refusal import Refused
from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.state import STREETS, Round
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import SIDE_WAGERS, Wager
from headsup.house.logbook import LogLost
from headsup.house.purse import START, Purse, PurseFile
from headsup.house.solo import SEAT, SoloTable

Decision = Check | Raise | Fold

SIDE_KEYS: Mapping[str, Wager] = {
    "t": Wager.TRIPS_PLUS,
    "p": Wager.POCKET_BONUS,
    "6": Wager.ALL_6,
    "j": Wager.PROGRESSIVE,
}


class Adviser(Protocol):
    """Someone looking over the player's shoulder; each answer is lines to show, or none."""

    def before(self, round: Round, seat: int, choices: Sequence[Decision]) -> str:
        """Asked when a decision is open; `choices` are those the chips allow."""

    def after(
        self, round: Round, seat: int, choices: Sequence[Decision], decision: Decision
    ) -> str:
        """Asked with the round and the choices as they were when the decision was made."""

    def at_end(self, round: Round, seat: int) -> str:
        """Asked when the round is settled."""

    def farewell(self) -> Sequence[Text]:
        """Asked once, when the player leaves."""


class _Leave(Exception):
    """The player goes."""


class Session:
    """One player's evening. Every decision is one key; `advisers` may speak around each."""

    def __init__(
        self,
        table: SoloTable,
        keys: Keys,
        screen: Console,
        purse: Purse,
        purse_file: PurseFile | None = None,
        advisers: Sequence[Adviser] = (),
    ) -> None:
        self.table, self.keys, self.screen = table, keys, screen
        self.advisers = advisers
        self._purse, self._file = purse, purse_file
        self._pocket = 0  # cents that could not be bought in at once
        self._came_with = purse.cents
        self._bets = _first_bets(self.rules, purse)
        self._notes: list[Text] = []
        self._trouble = ""  # why the purse was not saved, as last said

    @property
    def rules(self) -> TableRules:
        return self.table.table.rules

    @property
    def bankroll(self) -> int:
        """All the player has that is not on the felt."""
        return self.table.chips + self._pocket

    @property
    def result(self) -> int:
        return self.bankroll - self._came_with

    def run(self) -> None:
        """Play until the player leaves; an open round is then played out by the clock."""
        self._sit_down()
        try:
            try:
                while True:
                    self._bet()
                    self._decide_all()
            except (EndOfInput, _Leave):
                self._leave()
        except LogLost as lost:
            raise self._halted(lost) from None

    # Coming and going.

    def _sit_down(self) -> None:
        from headsup.game.money import MAX_STAKE_CENTS

        chips = min(self._purse.cents, MAX_STAKE_CENTS)
        self._pocket = self._purse.cents - chips
        self.table.sit_down("you", chips)

    def _leave(self) -> None:
        if self.table.table.playing and self.table.round and self.table.round.deck:
            self.say(
                "You leave in the middle of a round: as after a time-out, the hand is "
                "checked and then folded.",
                "yellow",
            )
            self.table.time_out()
            self._show_round()
        else:
            self.table.time_out()
        self._save()
        total = Text("You leave with ")
        total.append(dollars(self.bankroll), style="bold")
        total.append(f" ({signed(self.result)} this session).")
        chips = self.table.chips
        self.table.stand_up()
        self._pocket += chips
        self._flush()
        if self.screen.is_terminal:
            self.screen.print()  # from the prompt to a line of its own
        self.screen.print(total)
        for adviser in self.advisers:
            for line in adviser.farewell():
                self.screen.print(line)

    def _halted(self, lost: LogLost) -> LogLost:
        """Nothing may happen that is not recorded: the round ends here as if void, so what lies
        on the felt is the player's again. The sentence that says so."""
        stakes = self.table.on_felt
        self._pocket += stakes
        trouble = self._saved()
        if self.screen.is_terminal:
            self.screen.print()  # from the prompt to a line of its own
        sentence = f"the table halts: {lost.message}; "
        if stakes:
            sentence += f"the {dollars(stakes)} on the felt are returned, and "
        sentence += f"you leave with {dollars(self.bankroll)}"
        return LogLost(f"{sentence}; {trouble}" if trouble else sentence)

    def _save(self) -> None:
        trouble = self._saved()
        if trouble and trouble != self._trouble:
            self.say(trouble, "red")
        self._trouble = trouble

    def _saved(self) -> str:
        """Keep what is not on the felt; a sentence when that failed."""
        if self._file is None:
            return ""
        bets = {wager.value: cents for wager, cents in self._bets.items()}
        rounds = self._purse.rounds + self.table.table.rounds
        kept = replace(self._purse, cents=self.bankroll, rounds=rounds)
        return self._file.save(kept.with_bets(_key(self), bets))

    # Betting.

    def _bet(self) -> None:
        """Change the bets until they are placed, then deal."""
        whole = True
        while True:
            self._show_bets(whole)
            whole = False
            key = self._key()
            if self._common(key):
                continue
            try:
                if key == ENTER:
                    self.table.bet(self._bets)
                    self._save()  # a stake is gone when the cards come, however the program ends
                    self.table.deal()
                    return
                self._change(key)
            except LogLost:
                raise
            except Refused as refused:
                self.say(_plain(refused), "red")

    def _change(self, key: str) -> None:
        name, argument = key[:1].lower(), key[1:].strip()
        if name == "a":
            cents = self._amount(Wager.ANTE, argument)
            if cents:
                self._bets |= {Wager.ANTE: cents, Wager.ODDS: cents}
        elif name == "x":
            self._bets = {wager: self._bets[wager] for wager in (Wager.ANTE, Wager.ODDS)}
        elif name == "n" and self.bankroll < START:
            self.table.buy_in(START)
            self._came_with += START
            self.say(f"{dollars(START)} more on the table.", "green")
        elif (wager := SIDE_KEYS.get(name)) and self.rules.offers(wager):
            self._change_side(wager, argument)
        else:
            self.say(f"'{printable(key[:10])}' does nothing here; ? shows the keys.", "yellow")

    def _change_side(self, wager: Wager, argument: str) -> None:
        if wager is Wager.PROGRESSIVE:  # its stake is fixed: on or off
            cents = 0 if wager in self._bets else self.rules.progressive_stake
        else:
            asked = self._amount(wager, argument)
            if asked is None:
                return
            cents = asked
        sides = {**self._bets, wager: cents}
        self._bets = {wager: sides[wager] for wager in Wager if sides.get(wager)}

    def _amount(self, wager: Wager, argument: str) -> int | None:
        """Dollars, typed after the key or asked for; None leaves the wager as it is."""
        label = self.rules.book.label(wager)
        if not argument:
            typed = self.keys.line(lambda text: self._ask_inline(f"{label}, in dollars: {text}"))
            argument = (typed or "").strip()
        if not argument:
            return None
        cents = parse_cents(argument.removeprefix("$"), label)
        if cents < 0:
            raise Refused("bad_money", f"{label}: a bet is not below zero")
        return cents

    # Deciding.

    def _decide_all(self) -> None:
        while self.table.table.playing:
            self._advise_before()
            self._show_round()
            self._decide(self._key())
        for adviser in self.advisers:
            self._note(adviser.at_end(self._round, SEAT))
        self._result_notes()

    def _decide(self, key: str) -> None:
        if self._common(key):
            return
        decision = self._decision(key)
        if decision is None:
            return
        before, choices = self._round, self.table.choices()
        try:
            self.table.decide(decision)
        except LogLost:
            raise
        except Refused as refused:
            self.say(_plain(refused), "red")
            return
        self._save()
        for adviser in self.advisers:
            self._note(adviser.after(before, SEAT, choices, decision))

    def _decision(self, key: str) -> Decision | None:
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
            self.say("A hand is folded only when the whole board is out; check with c.", "yellow")
        elif name == "c":
            self.say("On the river there is no check: raise or fold.", "yellow")
        else:
            self.say(f"'{printable(key[:10])}' does nothing here; ? shows the keys.", "yellow")
        return None

    def _raise(self, multiple: str, raises: Sequence[Raise]) -> Raise | None:
        if not raises:
            self.say(self._too_dear(), "red")
            return None
        if not multiple and len(raises) > 1:
            times = "/".join(str(choice.multiple) for choice in raises)
            self._ask_inline(f"Raise {times} times the Ante? (enter: {raises[-1].multiple}) ")
            multiple = self._key() or str(raises[-1].multiple)
        for choice in raises:
            if multiple in ("", str(choice.multiple)):
                return choice
        allowed = " or ".join(f"{choice.multiple}×" for choice in raises)
        self.say(f"A raise is {allowed} the Ante here.", "yellow")
        return None

    def _too_dear(self) -> str:
        """The least raise of this street, and what there is to pay it with."""
        street = STREETS[self._round.phase]
        ante = self._round.seats[SEAT].stakes[Wager.ANTE]
        least = min(self.rules.raises[street]) * ante
        return f"A raise here is at least {dollars(least)}; you have {dollars(self.table.chips)}."

    def _advise_before(self) -> None:
        for adviser in self.advisers:
            self._note(adviser.before(self._round, SEAT, self.table.choices()))
        if self.advisers:
            self.keys.forget()  # advice may take a moment; a key pressed meanwhile costs nothing

    @property
    def _round(self) -> Round:
        round = self.table.round
        if round is None:
            raise RuntimeError("no round is open")
        return round

    # Keys that mean the same everywhere.

    def _key(self) -> str:
        return self.keys.key()

    def _common(self, key: str) -> bool:
        if key.lower() in ("q", "quit", "exit"):
            raise _Leave
        if key.lower() in ("?", "h", "help"):
            self._help()
            return True
        return False

    def _help(self) -> None:
        """The keys; at a terminal on a screen of their own, until the next key."""
        if not self.screen.is_terminal:
            for line in self._help_lines():
                self.say(line)
            return
        self._new_screen()
        self.screen.print(Text(" The keys", style="bold white on dark_green"))
        for line in self._help_lines():
            self.screen.print(Text(f"  {line}"))
        self._prompt("any key goes back")
        self._key()

    def _help_lines(self) -> list[str]:
        label = self.rules.book.label
        offered = [(key, wager) for key, wager in SIDE_KEYS.items() if self.rules.offers(wager)]
        return [
            "Before the cards",
            "  enter  deal with the bets shown",
            "  a      Ante and Odds, always the same amount",
            *(
                f"  {key}      {label(wager)}"
                + (" on or off" if wager is Wager.PROGRESSIVE else ", in dollars; 0 for none")
                for key, wager in offered
            ),
            *(["  x      no side bets"] if offered else []),
            f"  n      {dollars(START)} more, when you have less than that",
            "With the cards",
            "  r      raise; then 1, 2 or 3 times the Ante where there is a choice",
            "  c      check, before the flop and after it",
            "  f      fold, when the whole board is out",
            "Any time",
            "  q      leave, as with Ctrl-C and Ctrl-D; an open hand is checked and folded",
            "  ? h    this help",
        ]

    # The screen.

    def say(self, sentence: str, style: str = "") -> None:
        """A line under the table at the next look, or as many as it takes."""
        for line in wrap(sentence, felt.WIDTH - 2):
            self._notes.append(Text(f"  {line}", style=style))

    def _note(self, sentences: str) -> None:
        for sentence in sentences.splitlines():
            self.say(sentence, "cyan")

    def _show_bets(self, whole: bool) -> None:
        """The last round, if any, and under it the bets for the next, each with its key."""
        self._show(whole or self.screen.is_terminal, self._bet_lines())
        more = f"n {dollars(START)} more · " if self.bankroll < START // 10 else ""
        self._prompt(f"enter deal · {more}? help · q quit")

    def _show(self, whole: bool, below: Sequence[Text] = ()) -> None:
        """The table if wanted, the notes and what is below them; as large as the screen allows."""
        under = [*self._notes, *below]
        self._notes.clear()
        parts: list[RenderableType] = []
        if whole:
            self._new_screen()
            for tightness in range(3):
                parts = self._table(tightness)
                if not self.screen.is_terminal or self._fits([*parts, *under]):
                    break
        for part in (*parts, *under):
            self.screen.print(part)

    def _fits(self, parts: Sequence[RenderableType]) -> bool:
        """Whether these and the prompt are no more lines than the screen has."""
        lines = sum(len(self.screen.render_lines(part, pad=False)) for part in parts)
        return lines < self.screen.height

    def _bet_lines(self) -> list[Text]:
        ante = Text.assemble("  ", ("a ", "bold"), ("Ante + Odds ", "cyan"))
        parts = [ante.append(f"{dollars(self._bets[Wager.ANTE])} each")]
        for key, wager in SIDE_KEYS.items():
            if self.rules.offers(wager):
                cents = self._bets.get(wager, 0)
                part = Text.assemble("  ", (f"{key} ", "bold"))
                part.append(f"{self.rules.book.label(wager)} ", style="cyan")
                parts.append(part.append(dollars(cents) if cents else "–"))
        lines = [Text()]
        for part in parts:
            if len(lines[-1]) + len(part) > felt.WIDTH:
                lines.append(Text())
            lines[-1].append_text(part)
        return lines

    def _show_round(self) -> None:
        self._show(whole=True)
        if self.table.table.playing:
            self._prompt(self._decision_keys())

    def _decision_keys(self) -> str:
        parts = []
        choices = self.table.choices()
        ante = self._round.seats[SEAT].stakes[Wager.ANTE]
        raises = _raises(choices)
        if raises:
            times = "/".join(f"{choice.multiple}×" for choice in raises)
            amount = f" ({dollars(raises[0].multiple * ante)})" if len(raises) == 1 else ""
            parts.append(f"r {self.rules.book.label(Wager.RAISE).lower()} {times}{amount}")
        if any(isinstance(choice, Check) for choice in choices):
            parts.append("c check")
        if any(isinstance(choice, Fold) for choice in choices):
            parts.append("f fold")
        return " · ".join([*parts, "? help", "q quit"])

    def _new_screen(self) -> None:
        if self.screen.is_terminal and not self.screen.is_dumb_terminal:
            self.screen.clear()
        else:
            self.screen.print()

    def _table(self, tightness: int) -> list[RenderableType]:
        """The felt from the title to the results; where it is tight the results without their
        reasons, and where it is tighter still the cards in a line each."""
        view, book = self.table.view(), self.rules.book
        parts: list[RenderableType] = [felt.title(view, book, f"Chips {dollars(self.bankroll)}")]
        if tightness < 2:
            parts += [felt.shared_cards(view), felt.own_hand(view, str(SEAT), book)]
        else:
            parts.append(felt.flat_cards(view, str(SEAT)))
        round = self.table.round
        if round is not None and round.settlement is not None and not self.table.table.playing:
            rows = [felt.line_row(line) for line in round.settlement.seats[0].lines]
            drawn = felt.short_results if tightness else felt.results
            parts += [drawn(rows, book), self._totals(round.settlement.seats[0].net)]
        return parts

    def _totals(self, net: int) -> Text:
        total = Text("  This round ", style="bold")
        total.append(signed(net), style=_colour(net))
        total.append("   This session ")
        return total.append(signed(self.result), style=_colour(self.result))

    def _result_notes(self) -> None:
        view = self.table.view()["round"]
        if view and view["all_6"] and Wager.ALL_6 in self._round.seats[SEAT].stakes:
            from headsup.cli.screen import cards_text
            from headsup.game.cards import parse_cards

            self._notes.append(
                Text("  All 6: ").append_text(cards_text(parse_cards(view["all_6"])))
            )

    def _flush(self) -> None:
        for note in self._notes:
            self.screen.print(note)
        self._notes.clear()

    def _prompt(self, text: str) -> None:
        self.screen.print(Text(f"  {text} ", style="dim"), end="")
        self.screen.print(Text("› ", style="bold"), end="" if self.screen.is_terminal else "\n")

    def _ask_inline(self, text: str) -> None:
        if self.screen.is_terminal:
            dumb = self.screen.is_dumb_terminal
            self.screen.file.write(f"\r{' ' * felt.WIDTH}\r" if dumb else "\r\x1b[2K")
            self.screen.print(Text(f"  {text}"), end="")
        else:
            self.screen.print(Text(f"  {text}"))


def _raises(choices: Sequence[Decision]) -> list[Raise]:
    return [choice for choice in choices if isinstance(choice, Raise)]


def _colour(cents: int) -> str:
    return "bold green" if cents > 0 else "bold red" if cents < 0 else "bold"


def _plain(refused: Refused) -> str:
    """The reason without the seat number, which a single player has no use for."""
    text = refused.message.removeprefix(f"seat {SEAT}: ").replace(f"seat {SEAT} has", "you have")
    return text[:1].upper() + text[1:] + "."


def _key(session: Session) -> str:
    return session.rules.id


def _first_bets(rules: TableRules, purse: Purse) -> dict[Wager, int]:
    """What was bet last under these rules, as far as it is on offer; else a $10.00 Ante."""
    kept = purse.bets.get(rules.id, {})
    limit = rules.limits.get(Wager.ANTE)
    ante = kept.get("ante") or max(limit.min if limit else 0, min(1000, purse.cents // 8 or 100))
    bets = {Wager.ANTE: ante, Wager.ODDS: ante}
    for wager in SIDE_WAGERS:
        if rules.offers(wager) and (cents := kept.get(wager.value)):
            fixed = wager is Wager.PROGRESSIVE
            bets[wager] = rules.progressive_stake if fixed else cents
    return bets
