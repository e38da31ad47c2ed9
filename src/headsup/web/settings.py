"""What a server is started with."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    database: str
    server: str  # this server's name, unlike every other's on the same database
    demo: bool = False  # a newcomer sits down in one click, with play money; loopback only
    origins: tuple[str, ...] = ()  # pages of other addresses that may talk to this server
    secure: bool = False  # behind HTTPS: cookies are sent over nothing else
    anchors: str = ""  # the file to which each floor's head is added
