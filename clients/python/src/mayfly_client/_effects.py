"""
The effects that the core requests. The core consists of generators that yield effects and receive their results. The
core has no I/O, so the blocking and the asyncio client share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from ssl import SSLContext
from typing import Any, Generator, Optional, Protocol, TypeVar, Union


class Link(Protocol):
    """A connection. Its methods do not block, so that the core can clean up at any time."""

    def opened(self) -> None:
        """Lets the next waiting connection open. Called once this one has a stream, which costs the service little."""

    def close(self) -> None:
        """Closes the connection. Idempotent."""


@dataclass(frozen=True)
class Connect:
    """Opens a connection and returns its `Link`. Raises `OSError`, also if the gate is full for `turn_seconds`."""

    host: str
    port: int
    tls: Optional[SSLContext]
    # The gate that limits concurrent connections, and how long to wait until it lets this one open.
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
