"""`headsup play`: play against the dealer in the terminal."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headsup.cli.options.common import parse_sets, rules_option, sets_option
from headsup.cli.shell.command import Command, option
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.analysis.solver.strategy import Strategy
    from headsup.analysis.strategies.written_strategy import WrittenStrategy
    from headsup.cli.play.adviser import Adviser
    from headsup.cli.play.coach import Coach
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.table.opening import OpenTable
    from headsup.game.table.shuffle import ShuffleSource
    from headsup.game.values.money import Cents
    from headsup.house.dealing.shoe import DeckSource
    from headsup.house.fairness.sealed_shuffles import SecretSealer
    from headsup.house.solo.bankroll import Bankroll, BankrollFile
    from headsup.house.training.seat_decision import CoachMode


@click.command(cls=Command)
@rules_option
@sets_option
@option("--bankroll", metavar="AMOUNT", default="", help="Start over with this much money.")
@option("--no-save", is_flag=True, help="Neither load nor save the bankroll.")
@option("--seed", metavar="TEXT", help="Deal the same cards each time.")
@option("--my-seed", metavar="TEXT", default="", help="Mix this into every shuffle.")
@option(
    "--coupon",
    "coupons",
    metavar="WAGER=AMOUNT",
    multiple=True,
    help="Hold a promotional coupon (New York). Repeatable.",
)
@option("--log", metavar="FILE", default="", help="Record every event for replay and audit.")
@option("--coach", is_flag=True, help="Rate each decision after you make it.")
@option("--coach-before", is_flag=True, help="Show the best play before each decision.")
@option(
    "--strategy", metavar="FILE|NAME", help="Also compare with this strategy (see strategy list)."
)
def play(
    rules: str,
    sets: tuple[str, ...],
    bankroll: str,
    no_save: bool,
    seed: str | None,
    my_seed: str,
    coupons: tuple[str, ...],
    log: str,
    coach: bool,
    coach_before: bool,
    strategy: str | None,
) -> None:
    """Play against the dealer. One key per decision; ? shows them."""
    from headsup.cli.play.keys import open_keys
    from headsup.cli.play.session import PlaySession
    from headsup.cli.screens.style import console
    from headsup.house.solo.table import SoloTable
    from headsup.house.store.log_file import Logbook

    written = None if strategy is None else _read_strategy(strategy)
    shuffle, shoe = _choose_shuffle(seed, my_seed)
    held = [_parse_coupon(coupon) for coupon in coupons]
    paytables, options = parse_sets(sets)
    if held:
        options.setdefault("coupons", True)
    opening, notes = _opening(rules, paytables, options)
    opening = replace(opening, shuffle=shuffle)
    money, bankroll_file, warning = _load_bankroll(bankroll, no_save)
    logbook = None
    try:
        logbook = Logbook(Path(log)) if log else None
        table = SoloTable(opening, shoe, logbook, own_seed=my_seed)
        for wager, cents in held:
            table.issue_coupon(wager, cents)
        mode = _coach_mode(coach or written is not None, coach_before)
        advisers = _advisers(table.table.rules, mode, not no_save, written)
        with open_keys() as keys:
            session = PlaySession(table, keys, console(), money, bankroll_file, advisers)
            for note in (*notes, warning):
                if note:
                    session.screen.say(note, "yellow" if note is warning else "")
            session.run()
    finally:
        if logbook is not None:
            logbook.close()
        if bankroll_file is not None:
            bankroll_file.release()


def _read_strategy(name: str) -> "WrittenStrategy":
    from headsup.library.strategies import read_strategy

    return read_strategy(name)


def _advisers(
    rules: "TableRules", mode: "CoachMode", save_notes: bool, written: "WrittenStrategy | None"
) -> "list[Adviser]":
    """The coach. It solves these rules when it is first switched on."""
    from headsup.cli.play.adviser import CoachSwitch
    from headsup.house.training.notebook import NotebookFile

    def make_coach() -> "Coach":
        from headsup.cli.options.workbench import open_workbench
        from headsup.cli.play.coach import Coach

        notebook, solve = NotebookFile() if save_notes else None, open_workbench().strategy
        if written is None:
            return Coach(rules, solve, notebook)
        from headsup.analysis.joint.seating import build_strategy
        from headsup.cli.play.followed_strategy import FollowedStrategy
        from headsup.cli.screens.style import raise_word

        def follow(best: "Strategy") -> "FollowedStrategy":
            strategy = build_strategy(written, written.name, best)
            return FollowedStrategy(written.name, strategy, raise_word(rules))

        return Coach(rules, solve, notebook, follow=follow)

    return [CoachSwitch(make_coach, mode)]


def _coach_mode(coach: bool, before: bool) -> "CoachMode":
    from headsup.house.training.seat_decision import CoachMode

    if before:
        return CoachMode.BEFORE
    return CoachMode.AFTER if coach else CoachMode.OFF


def _opening(
    rules: str, paytables: dict[str, Any], options: dict[str, Any]
) -> "tuple[OpenTable, list[str]]":
    """The command that opens the table, and notes for the player about its progressive."""
    from headsup.game.bank.meter import HOME_CONTRIBUTION_MICROS, HOME_SEED_MICROS
    from headsup.game.rulebook.loader import recordable_rules
    from headsup.game.rulebook.table_rules import table_rules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.table.opening import OpenTable
    from headsup.game.values.frozen_json import FrozenJson
    from headsup.game.values.money import format_micros, show_dollars, show_micro_dollars

    chosen = table_rules(rules, paytables, options)
    notes = []
    if chosen.offers(Wager.PROGRESSIVE):
        if not chosen.meter_seed and "meter_seed" not in options:
            options["meter_seed"] = format_micros(HOME_SEED_MICROS)
        contributes = chosen.meter_contribution or "meter_contribution" in options
        if not contributes and not chosen.bonus_jackpot:
            options["meter_contribution"] = format_micros(HOME_CONTRIBUTION_MICROS)
        chosen = table_rules(rules, paytables, options)
        label = chosen.book.label(Wager.PROGRESSIVE)
        note = f"{label}: starts at {show_micro_dollars(chosen.meter_seed)}"
        if not chosen.bonus_jackpot:
            part = show_micro_dollars(chosen.meter_contribution)
            note += f"; {part} of each {show_dollars(chosen.progressive_stake)} wager goes to it"
        notes.append(f"{note}.")
    if "tribal" in chosen.book.options:  # Washington's questions to a card room
        options = {"approval": "none: a game at home", "single_wager_max": "500.00", **options}
    opening = OpenTable(
        recordable_rules(rules), tuple(sorted(paytables.items())), FrozenJson(options)
    )
    return opening, notes


def _load_bankroll(bankroll: str, no_save: bool) -> "tuple[Bankroll, BankrollFile | None, str]":
    """The money to play with, the file to save it in, and a warning for the player, if any."""
    from headsup.game.values.money import show_dollars
    from headsup.house.solo.bankroll import STARTING_CENTS, Bankroll, BankrollFile

    new_cents = _parse_bankroll(bankroll) if bankroll else 0
    file = None if no_save else BankrollFile()
    if file is not None and not file.lock():
        money, file = Bankroll(), None
        warning = "Another game is using your bankroll; results of this game are not saved."
    else:
        money, warning = file.load() if file else (Bankroll(), "")
    if new_cents:
        money = Bankroll(new_cents, bets=money.bets)
    elif money.cents == 0:
        money = Bankroll(STARTING_CENTS, money.rounds, money.bets)
        warning = warning or f"You lost your bankroll; here is {show_dollars(STARTING_CENTS)}."
    return money, file, warning


def _parse_coupon(text: str) -> "tuple[Wager, Cents]":
    """`ante=10` as a wager and an amount."""
    from headsup.cli.options.amounts import read_cents
    from headsup.game.rulebook.wagers import Wager

    name, _, amount = text.partition("=")
    if name not in list(Wager):
        raise Refused(Code.BAD_ARGUMENTS, "coupon", where=f"--coupon {text}")
    return Wager(name), read_cents(amount, "--coupon")


def _parse_bankroll(text: str) -> "Cents":
    from headsup.cli.options.amounts import read_cents
    from headsup.game.values.money import MAX_STAKE_CENTS

    cents = read_cents(text, "--bankroll")
    if not 0 < cents <= MAX_STAKE_CENTS:
        raise Refused(Code.BAD_BANKROLL, where=f"--bankroll {text}", most=MAX_STAKE_CENTS)
    return cents


def _choose_shuffle(
    seed: str | None, my_seed: str
) -> "tuple[ShuffleSource, DeckSource | SecretSealer]":
    """Random shuffles, sealed before the bets; with --seed, reproducible ones."""
    from headsup.game.table.sealing import MAX_PLAYER_SEED_CHARACTERS, is_player_seed
    from headsup.game.table.shuffle import ShuffleSource
    from headsup.house.dealing.shoe import seeded_bits, shuffle_deck
    from headsup.house.fairness.sealed_shuffles import SecretSealer, fresh_secret

    if my_seed and (not _is_encodable(my_seed) or not is_player_seed(my_seed)):
        raise Refused(Code.BAD_SEED, "player", where="--my-seed", most=MAX_PLAYER_SEED_CHARACTERS)
    if seed is None:
        return ShuffleSource.SEALED, SecretSealer(fresh_secret())
    if my_seed:
        raise Refused(Code.BAD_ARGUMENTS, "both_seeds")
    if not _is_encodable(seed):
        raise Refused(Code.BAD_ARGUMENTS, "seed", where="--seed")
    return ShuffleSource.SEED, lambda number: shuffle_deck(seeded_bits(seed, number))


def _is_encodable(argument: str) -> bool:
    """False if the argument has invalid bytes, which Python passes on as surrogates."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True
