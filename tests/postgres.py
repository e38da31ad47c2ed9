"""A real PostgreSQL server for tests: started once, over a socket of its own, never as root, and
gone with the tests however they end."""

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

from tests.programs import missing

_NUMBERS = count(1)

# A killed test tidies nothing up. This waits at a pipe whose other end dies with it.
_UNDERTAKER = """read -r _; "$0" -D data -m immediate -w stop; cd / && rm -rf "$1" """


def server_programs() -> Path | None:
    """The folder of `initdb` and the others, or None where PostgreSQL is not installed."""
    found = shutil.which("pg_ctl")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    initdb = next((file for folder in folders if (file := folder / "initdb").exists()), None)
    return initdb.resolve().parent if initdb else None


@contextmanager
def running_server() -> Iterator["Server"]:
    programs = server_programs()
    if programs is None:
        missing("PostgreSQL")
    server = Server(Path(tempfile.mkdtemp(prefix="headsup-pg-")), programs)
    try:
        server.initialise()
        server.start()
        yield server
    finally:
        server.end()


class Server:
    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.newest: str | None = None  # the database that others are copies of
        # The server refuses to run as root.
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        self._undertaker = subprocess.Popen(
            ["/bin/sh", "-c", _UNDERTAKER, str(programs / "pg_ctl"), str(folder)],
            cwd=folder,
            user=self._user,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what is sent to the group of the tests does not reach it
        )

    def initialise(self) -> None:
        self._run("initdb", "-D", "data", "-A", "trust", "-U", "headsup", "-N", "-E", "UTF8")

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=60"
        self._run("pg_ctl", "-D", "data", "-o", options, "-l", "log", "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", "data", "-m", mode, "-w", "stop")

    def fall_silent(self) -> None:
        """No connection is closed, and nobody is answered; until `speak`."""
        self._signal(signal.SIGSTOP)

    def speak(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        main = (self.folder / "data" / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for process in (main, *children):
            os.kill(int(process), number)

    def end(self) -> None:
        self._undertaker.communicate()

    def new_database(self, like: str | None = None) -> str:
        """The address of a fresh database: empty, or a copy."""
        name = f"t{next(_NUMBERS)}"
        self.create(name, *(("-T", like) if like else ()))
        return self.address(name)

    def create(self, name: str, *options: str) -> None:
        self._run("createdb", "-h", str(self.folder), "-U", "headsup", *options, name)

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
