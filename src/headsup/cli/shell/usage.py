"""Refuses command lines that do not fit, in one sentence with the nearest name."""

from collections.abc import Iterator, Sequence

import click

from headsup.game.refusal import Code, Refused, closest_name


def refusal_for_usage(error: click.UsageError) -> Refused:
    """The refusal for a mistake that Click found on the command line."""
    context = error.ctx
    if context is None:
        return Refused(Code.BAD_ARGUMENTS, "usage", text=error.message, command="headsup")
    match error:
        case click.NoSuchCommand():
            return _no_such_command(context, error.command_name)
        case click.NoSuchOption():
            return _no_such_option(context, error.option_name)
        case click.BadOptionUsage():
            return _bad_value(context, error.option_name)
        case click.MissingParameter() if error.param is not None:
            return _missing_parameter(context, error.param)
        case _:
            command = context.command_path
            return Refused(Code.BAD_ARGUMENTS, "usage", text=error.message, command=command)


def _no_such_command(context: click.Context, typed: str) -> Refused:
    """The command may exist in a group, such as `strategy list`."""
    known: dict[str, str] = {}
    for name, command in _subcommands(context):
        known[name] = name
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                known.setdefault(inner, f"{name} {inner}")
    suggestion = known.get(closest_name(typed, known), "") or _suggest_show(typed, known)
    command_path = context.command_path
    return Refused(
        Code.BAD_ARGUMENTS, "command", typed=typed[:40], meant=suggestion, command=command_path
    )


def _suggest_show(typed: str, known: dict[str, str]) -> str:
    """Suggest `rules show galaxy` for `rules galaxy`."""
    from headsup.game.rulebook.loader import SHIPPED_BOOKS

    book = closest_name(typed, SHIPPED_BOOKS)
    return f"show {book}" if book and known.get("show") == "show" else ""


def _no_such_option(context: click.Context, typed: str) -> Refused:
    command = context.command_path
    for name, subcommand in _subcommands(context):
        if any(typed in param.opts for param in subcommand.params):
            example = f"{command} {name} {typed}"
            return Refused(Code.BAD_ARGUMENTS, "option_place", typed=typed, example=example)
    meant = closest_name(typed, _option_names(context))
    return Refused(Code.BAD_ARGUMENTS, "option", typed=typed[:40], meant=meant, command=command)


def _bad_value(context: click.Context, name: str) -> Refused:
    """An option without its value, or a flag with one."""
    params = context.command.get_params(context)
    param = next((param for param in params if name in param.opts), None)
    if isinstance(param, click.Option) and param.is_flag:
        return Refused(Code.BAD_ARGUMENTS, "no_value_taken", option=name)
    metavar = "…" if param is None else param.make_metavar(context)
    return Refused(Code.BAD_ARGUMENTS, "value_missing", option=name, metavar=metavar)


def _missing_parameter(context: click.Context, param: click.Parameter) -> Refused:
    what = param.make_metavar(context)
    if isinstance(param, click.Option):
        what = f"{param.opts[0]} {what}"
    return Refused(Code.BAD_ARGUMENTS, "missing", what=what, command=context.command_path)


def refusal_for_extra_word(context: click.Context, word: str) -> Refused:
    """The refusal for an extra word: an option without dashes, or a rule book without `--rules`."""
    from headsup.game.rulebook.loader import SHIPPED_BOOKS

    options = _option_names(context)
    if word in SHIPPED_BOOKS and "--rules" in options:
        meant = f"--rules {word}"
    elif "=" in word and "--set" in options:
        meant = f"--set {word[:40]}"
    else:
        meant = closest_name(word.partition("=")[0], options)
    return Refused(
        Code.BAD_ARGUMENTS, "extra", typed=word[:40], meant=meant, command=context.command_path
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


def _subcommands(context: click.Context) -> Iterator[tuple[str, click.Command]]:
    group = context.command
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            if (command := group.get_command(context, name)) is not None:
                yield name, command


def _option_names(context: click.Context) -> list[str]:
    params = context.command.get_params(context)
    return [opt for param in params for opt in param.opts if opt.startswith("--")]
