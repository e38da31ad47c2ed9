"""A real PostgreSQL server for tests, on a Unix socket in a temporary folder.

It never runs as root, and stops when the tests end, even if they are killed. All workers of a run
share one; a test that stops the server or changes its settings starts its own.
"""

import fcntl
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
from typing import IO

from tests.support.programs import skip_without

_NUMBERS = count(1)

# Killed tests cannot clean up. This script waits on a pipe that closes when they die.
_CLEANUP_SCRIPT = """read -r _; "$0" -D data -m immediate -w stop; cd / && rm -rf "$1" """

# The folder of this run's server. Workers inherit it from the process that started them.
_RUN_FOLDER = "HEADSUP_TEST_POSTGRES"


def server_programs() -> Path | None:
    """The folder of `initdb` and the others, or None where PostgreSQL is not installed."""
    found = shutil.which("pg_ctl")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    initdb = next((file for folder in folders if (file := folder / "initdb").exists()), None)
    return initdb.resolve().parent if initdb else None


@contextmanager
def running_server() -> Iterator["PostgresServer"]:
    """A server of one test's own."""
    server = PostgresServer(Path(tempfile.mkdtemp(prefix="headsup-pg-")), _installed_programs())
    reads, writes = os.pipe()
    with open(reads, "rb") as pipe, open(writes, "wb"):
        server.clean_up_when_closed(pipe)
        server.initialise()
        server.start()
        yield server


@contextmanager
def share_server() -> Iterator[None]:
    """Let the workers of this run share a server: the first that needs one starts it.

    It stops when the pipe closes, which this process alone holds open for writing.
    """
    with tempfile.TemporaryDirectory(prefix="headsup-run-") as folder:
        pipe = Path(folder, "open")
        os.mkfifo(pipe)
        held = os.open(pipe, os.O_RDWR)
        os.environ[_RUN_FOLDER] = folder
        try:
            yield
        finally:
            os.close(held)
            del os.environ[_RUN_FOLDER]


def shared_server() -> "PostgresServer":
    """The server of this run."""
    run = Path(os.environ[_RUN_FOLDER])
    with (run / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        where = run / "server"
        if where.exists():
            return PostgresServer(Path(where.read_text()), _installed_programs())
        server = PostgresServer(Path(tempfile.mkdtemp(prefix="headsup-pg-")), _installed_programs())
        with (run / "open").open("rb") as pipe:
            server.clean_up_when_closed(pipe)
        server.initialise()
        server.start()
        where.write_text(str(server.folder))
        return server


def _installed_programs() -> Path:
    return server_programs() or skip_without("PostgreSQL")


class PostgresServer:
    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        # The server refuses to run as root.
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(folder, owner.pw_uid, owner.pw_gid)

    def clean_up_when_closed(self, pipe: IO[bytes]) -> None:
        """Stop the server and remove its folder once nobody holds the other end of the pipe open.

        The shell that waits for that is in the background, so that it outlives the tests.
        """
        script = 'exec 3<&0; /bin/sh -c "$@" <&3 3<&- &'
        subprocess.run(
            [
                *("/bin/sh", "-c", script, "sh", _CLEANUP_SCRIPT),
                *(str(self.programs / "pg_ctl"), str(self.folder)),
            ],
            cwd=self.folder,
            user=self._user,
            stdin=pipe,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # signals to the tests' process group do not reach it
            check=True,
        )

    def initialise(self) -> None:
        self._run("initdb", "-D", "data", "-A", "trust", "-U", "headsup", "-N", "-E", "UTF8")

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=200"
        self._run("pg_ctl", "-D", "data", "-o", options, "-l", "log", "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", "data", "-m", mode, "-w", "stop")

    def freeze(self) -> None:
        """Freeze the server: connections stay open, but nothing is answered until `thaw`."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        main = (self.folder / "data" / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for process in (main, *children):
            os.kill(int(process), number)

    def new_database(self, like: str | None = None) -> str:
        """Create an empty database, or a copy of `like`. Returns its address."""
        name = f"t{os.getpid()}_{next(_NUMBERS)}"
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
