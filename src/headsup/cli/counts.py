"""Numbers of rounds as people write them: `1000000`, `1,000,000`, `1e6`."""

from headsup.game.counts import parse_count


def read_count(text: str, most: int, where: str = "--rounds") -> int:
    return parse_count(text, where, most)
