"""Commands for people: help in words of the game, values read plainly, mistakes in one sentence."""

from typing import Any

from typer._click.exceptions import UsageError
from typer.core import TyperArgument, TyperCommand, TyperGroup

from headsup.cli.shell.option_values import ValueReader
from headsup.cli.shell.typos import refusal_for_command, refusal_for_extra_word, refusal_for_usage


def _simplify_params(params: list[Any]) -> list[Any]:
    """What stands behind an option is a word of the game, or nothing, never a type or a range."""
    for param in params:
        shown = "" if isinstance(param, TyperArgument) else param.metavar or ""
        param.display_type_rich = lambda ctx, shown=shown: shown  # noqa: ARG005 (Typer gives it)
        param._get_number_range_help_str = lambda: None
        plain = ValueReader(param)
        param.get_runtime_param = lambda plain=plain: plain
    return params


class PlainCommand(TyperCommand):
    allow_extra_args = True  # they are refused below, in our words

    def get_params(self, ctx: Any) -> list[Any]:
        return _simplify_params(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            super().parse_args(ctx, args)
        except UsageError as error:
            raise refusal_for_usage(ctx, error) from None
        if ctx.args:
            raise refusal_for_extra_word(ctx, ctx.args)
        return []


class PlainGroup(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return _simplify_params(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            raise refusal_for_usage(ctx, error) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except UsageError:
            raise refusal_for_command(ctx, args[0]) from None
