"""`headsup serve`: real tables in the browser."""

from typing import Annotated

import typer


def serve(
    demo: Annotated[
        bool, typer.Option("--demo", help="Play money, automatic players; this machine only.")
    ] = False,
    database: Annotated[
        str,
        typer.Option("--database", metavar="URL", help="sqlite:///FILE or postgresql://…"),
    ] = "",
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port.", min=0, max=65535)] = 8433,
) -> None:
    """Serve tables to browsers and programs; Ctrl-C ends it when all is kept."""
    from headsup.web.server import run

    run(database, host, port, demo)
