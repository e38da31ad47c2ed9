"""Limits how often clients may send requests: a burst first, then so many per second."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address, ip_network

MESSAGE_BURST, MESSAGES_PER_SECOND = 20, 2.0  # per socket, and per person's commands


@dataclass(slots=True)
class TokenBucket:
    """One client's limit: it starts with `burst` tokens and regains `per_second`."""

    burst: int
    per_second: float
    held: float = 0  # tokens left
    at: float = 0  # when they were last counted

    def __post_init__(self) -> None:
        self.held = self.burst

    def take(self, now: float, tokens: int = 1) -> bool:
        """Take tokens; False if there are not enough."""
        self.held = min(self.burst, self.held + (now - self.at) * self.per_second)
        self.at = now
        if self.held < tokens:
            return False
        self.held -= tokens
        return True


def address_group(address: str) -> str:
    """The addresses that one client can use: an IPv6 network of 64 bits, or one IPv4 address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((int(parsed), 64), strict=False))


class RateLimiter:
    """Buckets by client. The least recently used are dropped, so that memory stays bounded."""

    def __init__(self, burst: int, per_second: float, max_clients: int = 10_000) -> None:
        self._burst, self._per_second, self._max_clients = burst, per_second, max_clients
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, client: str, now: float | None = None) -> bool:
        now = time.monotonic() if now is None else now
        bucket = self._buckets.pop(client, None)
        bucket = bucket or TokenBucket(self._burst, self._per_second, at=now)
        self._buckets[client] = bucket
        if len(self._buckets) > self._max_clients:
            self._buckets.popitem(last=False)
        return bucket.take(now)
