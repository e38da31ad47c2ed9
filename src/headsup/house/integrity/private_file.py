"""Files that are their owner's alone: a database holds password hashes and the secret of the
shuffles, and so does every copy of it."""

import os
from contextlib import suppress
from pathlib import Path


def create_private_file(path: Path) -> None:
    """An empty file that nobody else reads; one that is there stays as its owner wants it. What
    cannot be made is told by who opens it next."""
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
