"""
What the core asks its shell to do. The core is generators: each yields effects and gets their results, so that it has
no I/O, and the blocking and the asyncio shell share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from ssl import SSLContext
from typing import Any, Generator, Optional, Protocol, TypeVar, Union


class Link(Protocol):
    """A connection. Neither method waits, so that the core can clean up at any time."""

    def opened(self) -> None:
        """Gives up its turn at the gate: it is open, and costs little from now on."""

    def close(self) -> None:
        """Closes it, once or more often."""


@dataclass(frozen=True)
class Connect:
    """Returns a `Link`. Raises `OSError`, also if its turn did not arrive in time."""

    host: str
    port: int
    tls: Optional[SSLContext]
    # The gate at which it waits for its turn, and how long it waits there.
    gate: str
    turn_seconds: float
    seconds: float


@dataclass(frozen=True)
class Send:
    link: Any
    data: bytes
    seconds: float


@dataclass(frozen=True)
class Receive:
    """Returns bytes, empty at the end of the connection, or `None` if nothing arrived in time."""

    link: Any
    seconds: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


Effect = Union[Connect, Send, Receive, Sleep]
T = TypeVar("T")
Steps = Generator[Effect, Any, T]
