"""The commands, groups and option types that `headsup` builds from Click's.

Their mistakes are refusals in one sentence, and help is printed as all other text is.
"""

import inspect
import math
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Generic, TypeVar

import click
from click.shell_completion import CompletionItem

from headsup.cli.shell.usage import refusal_for_choice, refusal_for_extra_word
from headsup.game.refusal import Code, Refused
from headsup.game.values.amounts import is_ascii_number, parse_count

F = TypeVar("F", bound=Callable[..., Any])
E = TypeVar("E", bound=StrEnum)


class _Base(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # the refusal names the command; Click does not always
            raise

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Help is printed to sys.stdout: Click itself writes UTF-8 to an ASCII terminal."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _print_help
        return option


class Command(_Base):
    allow_extra_args = True  # refused below, with a suggestion

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise refusal_for_extra_word(ctx, rest[0])
        return rest


class Group(_Base, click.Group):
    """Lists its commands in the order of their definition, each with its first sentences."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands]

    def summary(self, name: str) -> str:
        """The first paragraph of a command's help."""
        return inspect.cleandoc(self.commands[name].help or "").partition("\n\n")[0]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.summary(name)) for name in self.list_commands(ctx)])


def _print_help(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not context.resilient_parsing:
        print(context.get_help())
        context.exit()


# Options.


def option(*names: str, **attributes: Any) -> Callable[[F], F]:
    """Declare an option. Its help shows the default, unless that is empty."""
    attributes.setdefault("show_default", bool(attributes.get("default")))
    return click.option(*names, **attributes)


class WholeNumber(click.ParamType[int, Any]):
    name = "number"

    def __init__(self, maximum: int, minimum: int = 1) -> None:
        self.minimum, self.maximum = minimum, maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return parse_count(value, _name(param), self.maximum, self.minimum)


class Number(click.ParamType[float, Any]):
    name = "number"

    def __init__(self, minimum: float, maximum: float) -> None:
        self.minimum, self.maximum = minimum, maximum

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            number = float(value) if is_ascii_number(str(value)) else math.nan
        except ValueError:
            number = math.nan
        if not self.minimum <= number <= self.maximum:
            least, most = self.minimum, self.maximum
            where = _name(param)
            raise Refused(Code.BAD_ARGUMENTS, "measure", where=where, least=least, most=most)
        return number


class OneOf(click.ParamType[E, Any], Generic[E]):
    """A member of an enum, by its value."""

    name = "choice"

    def __init__(self, kind: type[E]) -> None:
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> E:
        if value not in tuple(self._kind):
            raise refusal_for_choice(_name(param), value, tuple(self._kind))
        return self._kind(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(one) for one in self._kind if one.startswith(incomplete)]


def _name(param: click.Parameter | None) -> str:
    return param.opts[0] if param is not None else ""
