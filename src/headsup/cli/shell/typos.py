"""What was typed wrongly: one sentence with the nearest right name, in place of Typer's box."""

from collections.abc import Iterator, Sequence
from typing import Any

from typer._click.exceptions import (
    BadOptionUsage,
    MissingParameter,
    NoArgsIsHelpError,
    NoSuchOption,
    UsageError,
)

from headsup.game.refusal import Code, Refused, closest_name


def refusal_for_usage(context: Any, error: UsageError) -> Refused:
    """The refusal for a command line that does not fit its command."""
    command = context.command_path
    match error:
        case NoArgsIsHelpError():  # nothing was typed wrongly: the help has been shown
            raise error
        case NoSuchOption():
            return _no_such_option(context, error.option_name)
        case BadOptionUsage() if error.option_name in _flags(context):
            return Refused(Code.BAD_ARGUMENTS, "no_value_taken", option=error.option_name)
        case BadOptionUsage():
            metavar = _metavar(context, error.option_name)
            return Refused(
                Code.BAD_ARGUMENTS, "value_missing", option=error.option_name, metavar=metavar
            )
        case MissingParameter() if error.param is not None:
            return _missing(command, error.param)
        case _:
            return Refused(Code.BAD_ARGUMENTS, "usage", text=error.message, command=command)


def refusal_for_command(context: Any, typed: str) -> Refused:
    """There is no such command here; perhaps it stands in a group."""
    known = {name: name for name in context.command.commands}
    for group, name in _grouped_commands(context.command):
        known.setdefault(name, f"{group} {name}")
    meant = known.get(closest_name(typed, known), "") or _book(context, typed)
    command = context.command_path
    return Refused(Code.BAD_ARGUMENTS, "command", typed=typed[:40], meant=meant, command=command)


def _book(context: Any, typed: str) -> str:
    """`rules galaxy`: a rule book where `show` is missing."""
    from headsup.game.rulebook.loader import SHIPPED_BOOKS

    book = closest_name(typed, SHIPPED_BOOKS)
    return f"show {book}" if book and "show" in context.command.commands else ""


def refusal_for_extra_word(context: Any, extra: Sequence[str]) -> Refused:
    """A word too many: an option without its dashes, or a rule book without `--rules`."""
    from headsup.game.rulebook.loader import SHIPPED_BOOKS

    word, options = extra[0], _options(context)
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
    command, inner = context.command_path, getattr(context.command, "commands", {})
    for name, one in inner.items():
        if any(typed in param.opts for param in one.params):
            example = f"{command} {name} {typed}"
            return Refused(Code.BAD_ARGUMENTS, "option_place", typed=typed, example=example)
    meant = closest_name(typed, _options(context))
    return Refused(Code.BAD_ARGUMENTS, "option", typed=typed[:40], meant=meant, command=command)


def _missing(command: str, param: Any) -> Refused:
    if param.param_type_name == "argument":
        return Refused(Code.BAD_ARGUMENTS, "missing", what=param.metavar, command=command)
    what = f"{param.opts[0]} {param.metavar}"
    return Refused(Code.BAD_ARGUMENTS, "missing", what=what, command=command)


def _grouped_commands(group: Any) -> Iterator[tuple[str, str]]:
    for name, command in group.commands.items():
        for inner in getattr(command, "commands", ()):
            yield name, inner


def _options(context: Any) -> list[str]:
    params = context.command.get_params(context)
    return [opt for param in params for opt in param.opts if opt.startswith("--")]


def _flags(context: Any) -> set[str]:
    params = context.command.get_params(context)
    return {opt for param in params for opt in param.opts if getattr(param, "is_flag", False)}


def _metavar(context: Any, option: str) -> str:
    params = context.command.get_params(context)
    return next((param.metavar or "…" for param in params if option in param.opts), "…")
