"""nginx in front of a server, configured as the documents say."""

import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.cli.run import ROOT

EXAMPLE = ROOT / "docs" / "examples" / "nginx.conf"


NAME = "tables.example"


ORIGIN = f"https://{NAME}"


def nginx() -> str:
    found = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if found is None:
        pytest.skip("nginx is not installed")
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def configured(folder: Path, addresses: Sequence[str], port: int) -> Path:
    """The example configuration for one to three servers on this machine, with other addresses and
    no certificate."""
    lines = []
    for line in EXAMPLE.read_text().splitlines():
        number = re.search(r"10\.0\.0\.1([123]):8433", line)
        if (number and int(number[1]) > len(addresses)) or "ssl_" in line:
            continue
        lines.append(line.replace(number[0], addresses[int(number[1]) - 1]) if number else line)
    site = "\n".join(lines).replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    site = site.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    written = folder / "nginx.conf"
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    written.write_text(
        f"pid {folder}/nginx.pid;\nerror_log {folder}/nginx.log;\ndaemon off;\n"
        f"events {{}}\nhttp {{\n    access_log off;\n{temporary}{site}\n}}\n"
    )
    return written


@contextmanager
def proxied(folder: Path, *addresses: str) -> Iterator[str]:
    """nginx in front of servers a, b and c; yields its address."""
    port = free_port()
    written = configured(folder, [one.removeprefix("http://") for one in addresses], port)
    command = [nginx(), "-p", str(folder), "-e", str(folder / "nginx.log"), "-c", str(written)]
    tested = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    with subprocess.Popen(command) as process:
        try:
            for _ in range(200):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.02)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGTERM)
