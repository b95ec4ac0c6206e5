"""The errors of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

if TYPE_CHECKING:
    from ._email import EmailData


class MayflyError(Exception):
    """Base class of all errors of this client."""


class MayflyOptionError(MayflyError, ValueError):
    """An option or an environment variable has an invalid value. Raised immediately."""


class MayflyNetworkError(MayflyError):
    """Mayfly could not be reached, or the connection broke. `__cause__` is the error of the platform."""

    def __init__(self, message: str, base_url: str) -> None:
        super().__init__(message)
        self.base_url = base_url


class MayflyResponseError(MayflyError):
    """Mayfly rejected the request, or the response is not one that Mayfly sends."""

    def __init__(self, message: str, status: int, retry_after: Optional[float] = None) -> None:
        super().__init__(message)
        self.status = status
        # Seconds after which the server will accept the request.
        self.retry_after = retry_after


class MayflyAuthError(MayflyResponseError):
    """The API key is unknown, or the key of the inbox's workspace is missing (401)."""


class MayflyGoneError(MayflyResponseError):
    """The inbox has no such email (404), because it expired or was deleted."""


class MayflyRateLimitError(MayflyResponseError):
    """The service rejected the request (429) and will accept the next one only after the call's timeout."""


class MayflyTimeoutError(MayflyError, TimeoutError):
    """The expected email did not arrive. The message says what arrived instead."""

    def __init__(self, message: str, address: str, timeout: float, emails: Sequence[EmailData]) -> None:
        super().__init__(message)
        self.address = address
        self.timeout = timeout
        # The newest emails of the inbox that did not match, at most ten and 4 MiB in total.
        self.emails = list(emails)


class MayflyUnexpectedEmailError(MayflyError, AssertionError):
    """More emails arrived than expected."""

    def __init__(self, message: str, address: str, expected: int, emails: Sequence[EmailData]) -> None:
        super().__init__(message)
        self.address = address
        self.expected = expected
        # The matching emails, newest first; at most ten more than expected.
        self.emails = list(emails)
