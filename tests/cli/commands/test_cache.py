"""`headsup cache` shows the cached files, and removes only those."""

import re
from pathlib import Path

from tests.support.cli.run import headsup


def test_cached_files_are_listed_and_cleared(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "a.strategy").write_bytes(b"12345")
    (tmp_path / "a.cases").write_bytes(b"1234567")
    (tmp_path / "mine.txt").write_text("a person's own")
    (tmp_path / "kernels-1").mkdir()
    (tmp_path / "kernels-1" / "sweep.kernel").write_bytes(b"123")
    answer = headsup("cache", "--json", HEADSUP_CACHE_DIR=str(tmp_path)).json
    assert answer["folder"] == str(tmp_path)
    assert answer["kept"]["strategies"] == {"files": 1, "bytes": 5}
    assert answer["kept"]["rounds"] == {"files": 1, "bytes": 7}
    assert answer["kept"]["machine code"] == {"files": 1, "bytes": 3}
    listing = headsup("cache", HEADSUP_CACHE_DIR=str(tmp_path)).out
    assert re.search(r"rounds +1 file +0\.0 MB  every way a round can end", listing)
    assert "Cleared" in headsup("cache", "--clear", HEADSUP_CACHE_DIR=str(tmp_path)).out
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
