"""Decides how long a call lasts, and when it tries again."""

from __future__ import annotations

import random
import ssl
from typing import TYPE_CHECKING, Any, Callable, Optional

from ._bounds import FIRST_PAUSE, LEAST_RETRY, LONGEST_PAUSE, RETRY_SPREAD
from ._effects import Sleep, Steps
from ._errors import MayflyError, MayflyNetworkError, MayflyResponseError

if TYPE_CHECKING:
    from ._transport import Transport

NO_ANSWER = "no answer in time"


class Deadline:
    """The deadline of a call. Until a connection was opened, `connect_timeout` applies."""

    def __init__(self, transport: Transport, seconds: float, connect_seconds: float) -> None:
        self._transport = transport
        self.begin = transport.clock()
        self.end = self.begin + seconds
        self._connect_end = self.begin + connect_seconds

    def left(self) -> float:
        end = self.end if self._transport.is_connected else min(self.end, self._connect_end)
        return max(0.0, end - self._transport.clock())

    def raise_if_unreached(self) -> None:
        transport = self._transport
        if transport.is_reached:
            return
        if transport.trouble:
            raise transport.trouble
        if self.left() <= 0:
            raise transport.unreached(NO_ANSWER)


def is_passing(error: MayflyError) -> bool:
    """Whether a failure may be temporary."""
    if isinstance(error, MayflyResponseError):
        return error.status in (408, 429) or error.status >= 500
    # An untrusted certificate will not become trusted by waiting.
    return isinstance(error, MayflyNetworkError) and not isinstance(error.__cause__, ssl.SSLCertVerificationError)


def pause_after(failures: int, error: MayflyError, left: float) -> float:
    """
    The pause before a retry: as long as the server requests, or else a time that grows with each failure. If the server
    requests more than the time left, retries after half of it: the server may accept requests again before it said.
    """
    asked = error.retry_after if isinstance(error, MayflyResponseError) else None
    if asked is None:
        return min(FIRST_PAUSE * 2.0 ** min(failures - 1, 10), LONGEST_PAUSE) * (1 - random.random() / 2)
    pause = asked * (1 + random.random() * RETRY_SPREAD)
    return pause if pause < left else max(LEAST_RETRY, left / 2)


def retried(deadline: Deadline, attempt: Callable[[], Steps[Any]]) -> Steps[Any]:
    """Repeats `attempt` until success or the deadline. Raises the last failure, or a permanent one immediately."""
    trouble: Optional[MayflyError] = None
    failures = 0
    while True:
        try:
            return (yield from attempt())
        except MayflyError as error:
            # A try that the deadline cuts short explains less than the failure before it.
            if trouble is None or deadline.left() > 0:
                trouble = error
            failures += 1
        if not is_passing(trouble) or deadline.left() <= 0:
            raise trouble
        yield Sleep(min(pause_after(failures, trouble, deadline.left()), deadline.left()))
        if deadline.left() <= 0:
            raise trouble


def within(deadline: Deadline, steps: Steps[Any]) -> Steps[Any]:
    """Runs a call. If nothing has ever answered, raises `MayflyNetworkError` instead of the call's own error."""
    try:
        return (yield from steps)
    except MayflyError:
        deadline.raise_if_unreached()
        raise
