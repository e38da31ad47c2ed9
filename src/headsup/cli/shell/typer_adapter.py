"""Adapts Typer: plain help, fast option parsing, and typing errors as one-sentence refusals.

It relies on private parts of Typer, so a new Typer version can break it.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, get_origin

from typer._click.exceptions import (
    BadOptionUsage,
    MissingParameter,
    NoArgsIsHelpError,
    NoSuchOption,
    UsageError,
)
from typer.core import TyperArgument, TyperCommand, TyperGroup

from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.values.amounts import drop_grouping, is_ascii_number


def refusal_for_usage(context: Any, error: UsageError) -> Refused:
    """The refusal for a command line that does not fit its command."""
    command = context.command_path
    match error:
        case NoArgsIsHelpError():  # not an error: the help has been printed
            raise error
        case NoSuchOption():
            return _no_such_option(context, error.option_name)
        case BadOptionUsage() if error.option_name in _flag_names(context):
            return Refused(Code.BAD_ARGUMENTS, "no_value_taken", option=error.option_name)
        case BadOptionUsage():
            metavar = _metavar(context, error.option_name)
            return Refused(
                Code.BAD_ARGUMENTS, "value_missing", option=error.option_name, metavar=metavar
            )
        case MissingParameter() if error.param is not None:
            return _missing_parameter(command, error.param)
        case _:
            return Refused(Code.BAD_ARGUMENTS, "usage", text=error.message, command=command)


def refusal_for_command(context: Any, typed: str) -> Refused:
    """The refusal for an unknown command; it may exist in a group, such as `strategy list`."""
    known = {name: name for name in context.command.commands}
    for group, name in _grouped_commands(context.command):
        known.setdefault(name, f"{group} {name}")
    suggestion = known.get(closest_name(typed, known), "") or _suggest_show(context, typed)
    command = context.command_path
    return Refused(
        Code.BAD_ARGUMENTS, "command", typed=typed[:40], meant=suggestion, command=command
    )


def _suggest_show(context: Any, typed: str) -> str:
    """Suggest `rules show galaxy` for `rules galaxy`."""
    from headsup.game.rulebook.loader import SHIPPED_BOOKS

    book = closest_name(typed, SHIPPED_BOOKS)
    return f"show {book}" if book and "show" in context.command.commands else ""


def refusal_for_extra_word(context: Any, extra: Sequence[str]) -> Refused:
    """The refusal for an extra word: an option without dashes, or a rule book without `--rules`."""
    from headsup.game.rulebook.loader import SHIPPED_BOOKS

    word, options = extra[0], _option_names(context)
    key = word.partition("=")[0]
    if word in SHIPPED_BOOKS and "--rules" in options:
        meant = f"--rules {word}"
    elif "=" in word and "--set" in options:
        meant = f"--set {word[:40]}"
    else:
        meant = closest_name(key, options)
    return Refused(
        Code.BAD_ARGUMENTS, "extra", typed=word[:40], meant=meant, command=context.command_path
    )


def _no_such_option(context: Any, typed: str) -> Refused:
    command, subcommands = context.command_path, getattr(context.command, "commands", {})
    for name, subcommand in subcommands.items():
        if any(typed in param.opts for param in subcommand.params):
            example = f"{command} {name} {typed}"
            return Refused(Code.BAD_ARGUMENTS, "option_place", typed=typed, example=example)
    meant = closest_name(typed, _option_names(context))
    return Refused(Code.BAD_ARGUMENTS, "option", typed=typed[:40], meant=meant, command=command)


def _missing_parameter(command: str, param: Any) -> Refused:
    if param.param_type_name == "argument":
        return Refused(Code.BAD_ARGUMENTS, "missing", what=param.metavar, command=command)
    what = f"{param.opts[0]} {param.metavar}"
    return Refused(Code.BAD_ARGUMENTS, "missing", what=what, command=command)


def _grouped_commands(group: Any) -> Iterator[tuple[str, str]]:
    for name, command in group.commands.items():
        for inner in getattr(command, "commands", ()):
            yield name, inner


def _option_names(context: Any) -> list[str]:
    params = context.command.get_params(context)
    return [opt for param in params for opt in param.opts if opt.startswith("--")]


def _flag_names(context: Any) -> set[str]:
    params = context.command.get_params(context)
    return {opt for param in params for opt in param.opts if getattr(param, "is_flag", False)}


def _metavar(context: Any, option: str) -> str:
    params = context.command.get_params(context)
    return next((param.metavar or "…" for param in params if option in param.opts), "…")


# Option values.


class ValueReader:
    """Converts an option's text to its type: text, number, path, enum or list of text.

    Typer would use Pydantic, whose import takes longer than most commands.
    """

    def __init__(self, param: Any) -> None:
        self.annotation = param.type_descriptor.annotation
        self.minimum = param.type_descriptor.parameter_info.min
        self.maximum = param.type_descriptor.parameter_info.max

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002 (Typer passes it)
        if get_origin(self.annotation) is list:
            return list(value or ())
        if value is None or not isinstance(value, str):  # the default
            return value
        if self.annotation is int or self.annotation is float:
            return self._parse_number(value, param)
        if isinstance(self.annotation, type) and issubclass(self.annotation, Enum):
            return self._parse_choice(value, param, [member.value for member in self.annotation])
        return Path(value) if self.annotation is Path else value

    def _parse_choice(self, typed: str, param: Any, choices: list[str]) -> Any:
        if typed in choices:
            return self.annotation(typed)
        raise refusal_for_choice(param.opts[0], typed, choices)

    def _parse_number(self, typed: str, param: Any) -> int | float:
        if not is_ascii_number(typed):
            raise self._refusal(param)
        plain = drop_grouping(typed.strip())
        if "," in plain:
            raise Refused(Code.BAD_ARGUMENTS, "comma", where=param.opts[0], value=typed)
        try:
            number = int(plain) if self.annotation is int else float(plain)
        except ValueError:
            raise self._refusal(param) from None
        minimum = number if self.minimum is None else self.minimum
        maximum = number if self.maximum is None else self.maximum
        if not minimum <= number <= maximum:
            raise self._refusal(param)
        return number

    def _refusal(self, param: Any) -> Refused:
        if self.annotation is float:
            case = "measure"
        elif self.minimum is None:
            case = "number_any"
        else:
            case = "number_least" if self.maximum is None else "number"
        return Refused(
            Code.BAD_ARGUMENTS, case, where=param.opts[0], least=self.minimum, most=self.maximum
        )


def refusal_for_choice(option: str, typed: str, known: Sequence[str]) -> Refused:
    """The refusal for a value that is not among an option's choices."""
    return Refused(
        Code.BAD_CHOICE,
        "none_of",
        where=option,
        name=typed[:40],
        known=known,
        meant=closest_name(typed, known),
    )


# Commands and groups.


def _simplify_params(params: list[Any]) -> list[Any]:
    """Show only metavars in the help, no types or ranges, and read values without Pydantic."""
    for param in params:
        metavar = "" if isinstance(param, TyperArgument) else param.metavar or ""
        param.display_type_rich = lambda ctx, shown=metavar: shown  # noqa: ARG005 (Typer passes it)
        param._get_number_range_help_str = lambda: None
        reader = ValueReader(param)
        param.get_runtime_param = lambda reader=reader: reader
    return params


class PlainCommand(TyperCommand):
    allow_extra_args = True  # refused below, with a better message

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
