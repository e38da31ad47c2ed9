"""`headsup serve`: runs the server for tables in the browser."""

import gc
from pathlib import Path

import click

from headsup.cli.options.databases import require_server_extra
from headsup.cli.shell.command import Command, Number, WholeNumber, option


@click.command(cls=Command)
@option("--demo", is_flag=True, help="Play money, automatic players; this machine only.")
@option(
    "--database",
    metavar="URL",
    default="",
    help="sqlite:///FILE or postgresql://…; default: a file in your data folder.",
)
@option("--host", metavar="ADDRESS", default="127.0.0.1", help="The address to listen on.")
@option(
    "--port",
    metavar="PORT",
    type=WholeNumber(65_535, minimum=0),
    default=8433,
    help="The port; 0 picks a free one.",
)
@option(
    "--anchors",
    metavar="FILE",
    default="",
    help="Add each log's head to this file, so that a rewritten database is detected.",
)
@option(
    "--approved",
    metavar="FILE",
    type=Path,
    help="A list of the program's files (headsup manifest); run no other program.",
)
@option(
    "--public",
    metavar="URL",
    multiple=True,
    help="The server's address behind a proxy, such as https://tables.example.",
)
@option(
    "--proxy",
    metavar="ADDRESS",
    multiple=True,
    help="A proxy or network whose X-Forwarded-For header is trusted.",
)
@option(
    "--pace",
    metavar="TIMES",
    type=Number(0, 10),
    default=1,
    help="Slow down automatic dealers: 2 is half as fast.",
)
@option(
    "--at",
    metavar="NAME",
    default="",
    help="This server's name in addresses, if the house has several servers behind a proxy.",
)
def serve(
    demo: bool,
    database: str,
    host: str,
    port: int,
    anchors: str,
    approved: Path | None,
    public: tuple[str, ...],
    proxy: tuple[str, ...],
    pace: float,
    at: str,
) -> None:
    """Serve tables to browsers and programs; Ctrl-C stops it once everything is stored."""
    gc.disable()  # during imports it would find nothing; `tune_gc` takes over
    from headsup.house.integrity.program_files import read_manifest, restart_without_bytecode

    with require_server_extra("server"):
        from headsup.web.server.server import run_server
        from headsup.web.server.settings import Settings, proxy_networks, public_origins, server_at

    origins = public_origins(public)
    settings = Settings(
        database,
        at=server_at(at),
        demo=demo,
        origins=origins,
        secure=bool(origins) and all(origin.startswith("https:") for origin in origins),
        anchors=anchors,
        proxies=proxy_networks(proxy),
        pace_factor=pace,
        approved_files=None if approved is None else read_manifest(approved),
    )
    if approved is not None:
        restart_without_bytecode()
    run_server(settings, host, port)
