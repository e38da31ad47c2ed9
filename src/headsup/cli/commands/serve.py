"""`headsup serve`: real tables in the browser."""

from typing import Annotated

import typer

from headsup.cli.commands.manifest import KEY_HELP, signed_manifest
from headsup.game.refusal import Code, Refused


def serve(
    demo: Annotated[
        bool, typer.Option("--demo", help="Play money, automatic players; this machine only.")
    ] = False,
    database: Annotated[
        str,
        typer.Option(
            "--database",
            metavar="URL",
            help="sqlite:///FILE or postgresql://…; a file in your data folder if none is named.",
        ),
    ] = "",
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen at.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="PORT", help="The port; 0 takes a free one.", min=0, max=65535
        ),
    ] = 8433,
    anchors: Annotated[
        str,
        typer.Option(
            "--anchors",
            metavar="FILE",
            help="Add each log's head to this file: a rewritten database is then found out.",
        ),
    ] = "",
    approved: Annotated[
        str,
        typer.Option(
            "--approved",
            metavar="FILE",
            help="The signed list of the program's files (headsup manifest): no other may run.",
        ),
    ] = "",
    key: Annotated[str, typer.Option("--key", metavar="FILE", help=KEY_HELP)] = "",
    public: Annotated[
        list[str] | None,
        typer.Option(
            "--public",
            metavar="URL",
            help="Where browsers reach the server through a proxy, such as https://tables.example.",
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            metavar="ADDRESS",
            help="A proxy, or a network of them, that says truly who asks (X-Forwarded-For).",
        ),
    ] = None,
    pace: Annotated[
        float,
        typer.Option(
            "--pace",
            metavar="TIMES",
            help="How long automatic dealers take: 2 is half as fast.",
            min=0.0,
            max=10.0,
        ),
    ] = 1.0,
    spread: Annotated[
        bool,
        typer.Option(
            "--spread/--no-spread",
            help="Whether it takes its share of idle floors when it joins other servers.",
        ),
    ] = True,
) -> None:
    """Serve tables to browsers and programs; Ctrl-C ends it when all is kept."""
    try:
        from headsup.web.server.server import run_server
        from headsup.web.server.settings import Settings, proxy_networks, public_origins
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "headsup":
            raise
        raise Refused(Code.MISSING_EXTRA, "server", library=missing.name) from None

    signed = signed_manifest(approved, key, "--approved")
    origins = public_origins(tuple(public or ()))
    settings = Settings(
        database,
        demo=demo,
        origins=origins,
        secure=bool(origins) and all(origin.startswith("https:") for origin in origins),
        anchors=anchors,
        proxies=proxy_networks(tuple(proxy or ())),
        pace=pace,
        spread=spread,
        approved=None if signed is None else signed.files,
    )
    run_server(settings, host, port)
