"""Help for people: what stands behind an option is a word of the game, or nothing, never a type."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


def _without_types(params: list[Any]) -> list[Any]:
    for param in params:
        param.display_type_rich = lambda ctx, shown=param.metavar or "": shown  # noqa: ARG005
    return params


class PlainCommand(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))


class PlainGroup(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))
