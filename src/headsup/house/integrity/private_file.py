"""Creates files that only their owner can read: databases and their copies hold password hashes
and the shuffles' secret."""

import os
from contextlib import suppress
from pathlib import Path


def create_private_file(path: Path) -> None:
    """Create an empty private file; an existing one is left as it is."""
    with suppress(OSError):  # opening the file will report the error
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
