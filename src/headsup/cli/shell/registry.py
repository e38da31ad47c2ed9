"""Lists all commands, and loads one when it is needed.

Only the command being run is imported: importing the others would take longer than printing a
cached answer.
"""

from importlib import import_module

import click

from headsup.cli.shell.command import Group
from headsup.version import __version__

# The first paragraph of each command's help, in the order of the list.
COMMANDS = {
    "settle": "Settle finished rounds: one JSON object, or JSON Lines for many.",
    "solve": "Solve the game exactly: house edge, risk, frequencies and the pocket chart.",
    "par": "Print the par sheet: exact edge, hit frequency and volatility of every wager of a "
    "table.",
    "advise": "Advise on one decision: the exact value of each option, in Antes.",
    "session": "Analyse a session of many rounds: chance to be ahead, quantiles, ruin, the table's "
    "hold.",
    "simulate": "Deal random rounds: results by wager, seat, session and meter, beside the exact "
    "values.",
    "protect": "Game protection: the exact edge of a player who has seen cards, and the cost of "
    "errors.",
    "design": "Find paytables with a target house edge: whole-number pays, better hands never pay "
    "less.",
    "play": "Play against the dealer. One key per decision; ? shows them.",
    "review": "Review your decisions: accuracy by street and kind of hand, and the most expensive "
    "mistakes.",
    "school": "Train dealers: rounds as they lie at settlement; say what each hand is and what it "
    "gets.",
    "serve": "Serve tables to browsers and programs; Ctrl-C stops it once everything is stored.",
    "replay": "Step through a round or a log, event by event, as a viewer sees it.",
    "audit": "Verify the hash chain of a log and re-derive every state, balance and meter from its "
    "events.",
    "verify": "Check published rounds: commitment, seeds and deck must match.",
    "shifts": "Report win, hold and variance of tables with real chips, by count and by the "
    "rounds.",
    "takings": "Compare what tables won with the exact expected win on the stakes placed.",
    "export": "Write a floor's log to standard output.",
    "backup": "Copy the database of a house into FILE while it is in use, and check the copy.",
    "restore": "Put a backup where a server will find it. An existing database is never "
    "overwritten.",
    "manifest": "List every file of the program, rule books included, with its SHA-256, as "
    "sha256sum does.",
    "doctor": "Check that everything is in order: packages, compiled code, cache, disk, clock and "
    "database.",
    "cache": "Show or clear the cache, which keeps solved games and compiled kernels between runs.",
    "rules": "List the rule books, or show one.",
    "strategy": "Evaluate written strategies exactly, or find short ones.",
}
MODULES = {"restore": "backup"}  # the others have the name of their command

EXIT_STATUS_HELP = (
    "Exit status: 0 success; 1 a log is broken, a round was not fair, the program is not the "
    "approved one, or the doctor found something wrong; 2 refused, or the output could not be "
    "written; 70 internal error; 130 interrupted; 141 the output pipe was closed."
)


class LazyGroup(Group):
    """Knows the names and summaries of its commands, and imports a command when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"headsup.cli.commands.{MODULES.get(cmd_name, cmd_name)}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def summary(self, name: str) -> str:
        return COMMANDS[name]


def _print_version(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        print(f"headsup {__version__}")
        context.exit()


@click.group(
    cls=LazyGroup,
    epilog=EXIT_STATUS_HELP,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version.",
)
def app() -> None:
    """Heads Up Hold'em: every published rule, the exact mathematics, the table."""
