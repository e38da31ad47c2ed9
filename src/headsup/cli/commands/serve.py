"""`headsup serve`: runs the server for tables in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from headsup.cli.options.databases import require_server_extra


def serve(
    demo: Annotated[
        bool, typer.Option("--demo", help="Play money, automatic players; this machine only.")
    ] = False,
    database: Annotated[
        str,
        typer.Option(
            "--database",
            metavar="URL",
            help="sqlite:///FILE or postgresql://…; default: a file in your data folder.",
        ),
    ] = "",
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="PORT", help="The port; 0 picks a free one.", min=0, max=65535
        ),
    ] = 8433,
    anchors: Annotated[
        str,
        typer.Option(
            "--anchors",
            metavar="FILE",
            help="Add each log's head to this file, so that a rewritten database is detected.",
        ),
    ] = "",
    approved: Annotated[
        Path | None,
        typer.Option(
            "--approved",
            metavar="FILE",
            help="A list of the program's files (headsup manifest); run no other program.",
        ),
    ] = None,
    public: Annotated[
        list[str] | None,
        typer.Option(
            "--public",
            metavar="URL",
            help="The server's address behind a proxy, such as https://tables.example.",
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            metavar="ADDRESS",
            help="A proxy or network whose X-Forwarded-For header is trusted.",
        ),
    ] = None,
    pace: Annotated[
        float,
        typer.Option(
            "--pace",
            metavar="TIMES",
            help="Slow down automatic dealers: 2 is half as fast.",
            min=0.0,
            max=10.0,
        ),
    ] = 1.0,
    spread: Annotated[
        bool,
        typer.Option(
            "--spread/--no-spread",
            help="Take a share of the idle floors when joining other servers.",
        ),
    ] = True,
) -> None:
    """Serve tables to browsers and programs; Ctrl-C stops it once everything is stored."""
    from headsup.house.integrity.program_files import read_manifest, restart_without_bytecode

    with require_server_extra("server"):
        from headsup.web.server.server import run_server
        from headsup.web.server.settings import Settings, proxy_networks, public_origins

    origins = public_origins(tuple(public or ()))
    settings = Settings(
        database,
        demo=demo,
        origins=origins,
        secure=bool(origins) and all(origin.startswith("https:") for origin in origins),
        anchors=anchors,
        proxies=proxy_networks(tuple(proxy or ())),
        pace_factor=pace,
        takes_share=spread,
        approved_files=None if approved is None else read_manifest(approved),
    )
    if approved is not None:
        restart_without_bytecode()
    run_server(settings, host, port)
