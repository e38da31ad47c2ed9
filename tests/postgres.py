"""A real PostgreSQL server for tests: started once, over a socket of its own, never as root."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine, text

from tests.programs import missing

_NUMBERS = count(1)


def server_programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, or None where PostgreSQL is not installed."""
    found = shutil.which("pg_ctl")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


@contextmanager
def running_server() -> Iterator["Server"]:
    programs = server_programs()
    if programs is None:
        missing("PostgreSQL")
    with tempfile.TemporaryDirectory(prefix="headsup-pg-") as name:
        server = Server(Path(name), programs)
        server.start()
        try:
            yield server
        finally:
            server.stop()


class Server:
    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        # The server refuses to run as root.
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "-D", "data", "-A", "trust", "-U", "headsup", "-N", "-E", "UTF8")

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=60"
        self._run("pg_ctl", "-D", "data", "-o", options, "-l", "log", "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", "data", "-m", mode, "-w", "stop")

    def new_database(self) -> str:
        """The address of a fresh, empty database."""
        name = f"t{next(_NUMBERS)}"
        engine = create_engine(self.address("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return self.address(name)

    def address(self, database: str) -> str:
        return f"postgresql+psycopg://headsup@/{database}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        with (self.folder / "said").open("ab") as said:
            done = subprocess.run(
                command, cwd=self.folder, user=self._user, stdout=said, stderr=said, check=False
            )
        if done.returncode:
            raise RuntimeError(f"{program}: {(self.folder / 'said').read_text()}")
