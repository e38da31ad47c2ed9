"""A real PostgreSQL server for tests, on a Unix socket in a temporary folder.

It is started once, never as root, and stops when the tests end, even if they are killed.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.support.programs import skip_without

_NUMBERS = count(1)

# Killed tests cannot clean up. This script waits on a pipe that closes when they die.
_CLEANUP_SCRIPT = """read -r _; "$0" -D data -m immediate -w stop; cd / && rm -rf "$1" """


def server_programs() -> Path | None:
    """The folder of `initdb` and the others, or None where PostgreSQL is not installed."""
    found = shutil.which("pg_ctl")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    initdb = next((file for folder in folders if (file := folder / "initdb").exists()), None)
    return initdb.resolve().parent if initdb else None


@contextmanager
def running_server() -> Iterator["PostgresServer"]:
    programs = server_programs()
    if programs is None:
        skip_without("PostgreSQL")
    server = PostgresServer(Path(tempfile.mkdtemp(prefix="headsup-pg-")), programs)
    try:
        server.initialise()
        server.start()
        yield server
    finally:
        server.end()


class PostgresServer:
    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.newest: str | None = None  # the database that others are copies of
        # The server refuses to run as root.
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        self._cleanup = subprocess.Popen(
            ["/bin/sh", "-c", _CLEANUP_SCRIPT, str(programs / "pg_ctl"), str(folder)],
            cwd=folder,
            user=self._user,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # signals to the tests' process group do not reach it
        )

    def initialise(self) -> None:
        self._run("initdb", "-D", "data", "-A", "trust", "-U", "headsup", "-N", "-E", "UTF8")

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=60"
        self._run("pg_ctl", "-D", "data", "-o", options, "-l", "log", "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", "data", "-m", mode, "-w", "stop")

    def freeze(self) -> None:
        """Freeze the server: connections stay open, but nothing is answered until `speak`."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        main = (self.folder / "data" / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for process in (main, *children):
            os.kill(int(process), number)

    def end(self) -> None:
        self._cleanup.communicate()

    def new_database(self, like: str | None = None) -> str:
        """Create an empty database, or a copy of `like`. Returns its address."""
        name = f"t{next(_NUMBERS)}"
        self.create(name, *(("-T", like) if like else ()))
        return self.address(name)

    def create(self, name: str, *options: str) -> None:
        self._run("createdb", "-h", str(self.folder), "-U", "headsup", *options, name)

    def address(self, database: str) -> str:
        return f"postgresql+psycopg://headsup@/{database}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        with (self.folder / "output").open("ab") as output:
            done = subprocess.run(
                command, cwd=self.folder, user=self._user, stdout=output, stderr=output, check=False
            )
        if done.returncode:
            raise RuntimeError(f"{program}: {(self.folder / 'output').read_text()}")
