"""How often somebody may ask: a burst of so many, then so many a second."""

import time
from collections import OrderedDict
from dataclasses import dataclass

MESSAGE_BURST, MESSAGES_PER_SECOND = 20, 2.0  # messages of one socket, commands of one person


@dataclass(slots=True)
class TokenBucket:
    """A burst of so many, then so many a second."""

    burst: int
    per_second: float
    held: float = 0
    at: float = 0

    def __post_init__(self) -> None:
        self.held = self.burst

    def take(self, now: float) -> bool:
        self.held = min(self.burst, self.held + (now - self.at) * self.per_second)
        self.at = now
        if self.held < 1:
            return False
        self.held -= 1
        return True


class RateLimiter:
    """Buckets by who asks; the longest unused are forgotten, so that memory stays bounded."""

    def __init__(self, burst: int, per_second: float, most: int = 10_000) -> None:
        self._burst, self._per_second, self._most = burst, per_second, most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, who: str, now: float | None = None) -> bool:
        now = time.monotonic() if now is None else now
        bucket = self._buckets.pop(who, None) or TokenBucket(self._burst, self._per_second, at=now)
        self._buckets[who] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket.take(now)
