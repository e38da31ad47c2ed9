"""The tests' database server stops when the tests are killed."""

import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.support.postgres import server_programs
from tests.support.programs import skip_without

HOLDER = """
from tests.support.postgres import running_server
with running_server() as server:
    print(server.folder, flush=True)
    input()
"""


@pytest.mark.slow
def test_the_server_stops_if_the_tests_are_killed() -> None:
    if server_programs() is None:
        skip_without("PostgreSQL")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    folder = holder.stdout.readline().strip()
    with psycopg.connect(host=folder, user="headsup", dbname="postgres") as connection:
        holder.kill()
        holder.communicate()
        deadline = time.monotonic() + 60
        while Path(folder).exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not Path(folder).exists()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
