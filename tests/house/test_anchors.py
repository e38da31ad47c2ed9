"""The file of anchors, as the server makes it."""

from pathlib import Path

from headsup.game.record.chain import GENESIS, Head
from headsup.house.anchors import Anchors


def test_the_file_of_anchors_is_its_owners_alone_and_stays_as_it_was_given(tmp_path: Path) -> None:
    made, given = tmp_path / "made", tmp_path / "given"
    given.touch(0o640)
    given.chmod(0o640)
    for path in (made, given):
        anchors = Anchors(path, lambda: Head(2, GENESIS))
        for _ in range(2):
            anchors.add({"main": Head(1, GENESIS)}, "2026-01-31T12:00:00Z")
        assert path.read_text("ascii").count("\n") == 2  # of the floor, and of the house
    assert [path.stat().st_mode & 0o777 for path in (made, given)] == [0o600, 0o640]
