"""The HTTP of one Mayfly. Every request is one try, on a connection of its own."""

from __future__ import annotations

import json
import os
import random
from typing import Any, Callable, Dict, Optional, Tuple
from urllib.parse import urlencode

from ._bounds import (
    FIRST_BYTES_TIMEOUT,
    FIRST_PAUSE,
    LEAST_RETRY,
    LONGEST_PAUSE,
    MAX_QUOTE_LENGTH,
    MOST_RETRY,
    RETRY_SPREAD,
    SILENCE_TIMEOUT,
    STANDARD_RETRY,
)
from ._effects import Connect, Link, Receive, Send, Sleep, Steps
from ._errors import (
    MayflyAuthError,
    MayflyError,
    MayflyGoneError,
    MayflyNetworkError,
    MayflyRateLimitError,
    MayflyResponseError,
)
from ._http import EventParser, NotHttp, Response
from ._settings import Settings

Clock = Callable[[], float]
Query = Dict[str, Any]

_NO_ANSWER = "no answer in time"
_JSON = "application/json"
_ANY = "*/*"


class Transport:
    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        # Whether anything has ever answered at this address, and why it was not reached when it was last tried.
        self.is_reached = False
        self.trouble: Optional[MayflyNetworkError] = None

    def deadline(self, seconds: float, connect_seconds: Optional[float] = None) -> Deadline:
        return Deadline(self, seconds, self.settings.connect_timeout if connect_seconds is None else connect_seconds)

    def json(self, deadline: Deadline, path: str, query: Optional[Query] = None, method: str = "GET") -> Steps[Any]:
        """Fetches a JSON object."""
        _, body = yield from self._whole(deadline, method, path, query, _JSON)
        text = body.decode("utf-8", "replace")
        try:
            value = json.loads(text)
        # A hostile answer may be nested too deep.
        except (ValueError, RecursionError):
            raise self.foreign(200, f"no JSON, but {_quoted(text)}") from None
        if not isinstance(value, dict):
            raise self.foreign(200, "something else than was asked for.")
        return value

    def data(self, deadline: Deadline, path: str) -> Steps[bytes]:
        return (yield from self._whole(deadline, "GET", path, None, _ANY))[1]

    def delete(self, deadline: Deadline, path: str) -> Steps[None]:
        yield from self._whole(deadline, "DELETE", path, None, _JSON)

    def open(self, deadline: Deadline, path: str, query: Query) -> Steps[Stream]:
        """Opens a stream. Its user closes it."""
        exchange = Exchange(self, deadline, "opening", FIRST_BYTES_TIMEOUT)
        try:
            yield from exchange.begin("GET", path, query, "text/event-stream")
            return Stream(exchange)
        except BaseException:
            exchange.close()
            raise

    def _whole(
        self, deadline: Deadline, method: str, path: str, query: Optional[Query], accept: str
    ) -> Steps[Tuple[int, bytes]]:
        exchange = Exchange(self, deadline, "asking", SILENCE_TIMEOUT)
        try:
            yield from exchange.begin(method, path, query, accept)
            return exchange.response.status, (yield from exchange.rest())
        finally:
            exchange.close()

    def unreached(self, saw: str) -> MayflyNetworkError:
        url = self.settings.base_url
        return MayflyNetworkError(
            f"Mayfly at {url} cannot be reached: {saw}. Is it running there? See base_url and MAYFLY_URL.", url
        )

    def foreign(self, status: int, quote: str) -> MayflyResponseError:
        """What to say to an answer that hardly comes from Mayfly."""
        url = self.settings.base_url
        message = f"{url} answered {status}: {quote} Is this Mayfly? See base_url and MAYFLY_URL."
        return MayflyResponseError(message, status)

    def error_of(self, response: Response, body: bytes) -> MayflyResponseError:
        status, headers = response.status, response.headers
        text = body.decode("utf-8", "replace")
        if 200 <= status < 300:
            return self.foreign(status, f"{headers.get('content-type') or 'no type'}: {_quoted(text)}")
        # What the interface says of a limit is short: the hint names it, and the way.
        sentence = f"{_error_in(text) or _quoted(text)} {_quoted(headers.get('mayfly-hint', ''))}".strip()
        code = headers.get("mayfly-error")
        if status < 400 or (status == 404 and code is None):
            return self.foreign(status, sentence)
        message = f"Mayfly at {self.settings.base_url} answered {status}: {sentence}"
        if status == 401:
            return MayflyAuthError(f"{message} See api_key and MAYFLY_API_KEY.", status)
        if status == 429:
            return MayflyRateLimitError(message, status, _retry_after(headers))
        if status == 503 and "retry-after" in headers:
            return MayflyResponseError(message, status, _retry_after(headers))
        return (MayflyGoneError if code == "no-such-email" else MayflyResponseError)(message, status)


class Deadline:
    """The end of a call. Of a service that has never answered, it comes as soon as the time to connect is over."""

    def __init__(self, transport: Transport, seconds: float, connect_seconds: float) -> None:
        self._transport = transport
        self.begin = transport.clock()
        self.end = self.begin + seconds
        self._connect_end = self.begin + connect_seconds

    def left(self) -> float:
        end = self.end if self._transport.is_reached else min(self.end, self._connect_end)
        return max(0.0, end - self._transport.clock())

    def raise_if_unreached(self) -> None:
        transport = self._transport
        if transport.is_reached:
            return
        if transport.trouble:
            raise transport.trouble
        if transport.clock() >= self._connect_end:
            raise transport.unreached(_NO_ANSWER)


class Exchange:
    """One request and its response. Raises `MayflyError` alone."""

    def __init__(self, transport: Transport, deadline: Deadline, gate: str, first_seconds: float) -> None:
        self.transport = transport
        self.response = Response()
        self.deadline = deadline
        self._gate = gate
        self._first_seconds = first_seconds
        self._link: Optional[Link] = None
        # What came of the body together with the head.
        self._body = b""
        self.last_bytes_at = transport.clock()

    def begin(self, method: str, path: str, query: Optional[Query], accept: str) -> Steps[None]:
        """Sends the request and reads the head of the answer. Raises where that is not one of the accepted type."""
        settings, left = self.transport.settings, self.deadline.left
        try:
            turn = Connect(
                *(settings.host, settings.port, settings.tls, self._gate),
                turn_seconds=left(),
                seconds=min(self._first_seconds, left()),
            )
            self._link = yield turn
            request = self._request(method, path, query, accept)
            yield Send(self._link, request, min(self._first_seconds, left()))
        except OSError as error:
            raise self._unreached(error) from error
        self.last_bytes_at = self.transport.clock()
        while self.response.status == 0:
            self._body += yield from self._receive(self._first_seconds)
        self.transport.is_reached = True
        kind = self.response.headers.get("content-type", "")
        status = self.response.status
        if status == 204 or (status == 200 and (accept == _ANY or kind.startswith(accept))):
            return
        raise self.transport.error_of(self.response, (yield from self.rest()))

    def rest(self) -> Steps[bytes]:
        pieces = [self.taken()]
        while not self.response.is_whole:
            pieces.append((yield from self._receive(SILENCE_TIMEOUT)))
        return b"".join(pieces)

    def taken(self) -> bytes:
        body, self._body = self._body, b""
        return body

    def receive(self, seconds: float, silence: float) -> Steps[Optional[bytes]]:
        """What comes of the body within a time; `None` if nothing does. Raises after so much silence."""
        until_silent = self.last_bytes_at + silence - self.transport.clock()
        try:
            data = yield Receive(self._link, max(0.0, min(seconds, until_silent)))
            if data is None:
                if self.transport.clock() < self.last_bytes_at + silence:
                    return None
                raise TimeoutError(_NO_ANSWER)
            self.last_bytes_at = self.transport.clock()
            return self.response.feed(data)
        except (OSError, NotHttp) as error:
            raise self._unreached(error) from error

    def _receive(self, silence: float) -> Steps[bytes]:
        body = yield from self.receive(self.deadline.left(), silence)
        if body is None:
            raise self._unreached(TimeoutError(_NO_ANSWER))
        return body

    def opened(self) -> None:
        if self._link:
            self._link.opened()

    def close(self) -> None:
        if self._link:
            self._link.close()

    def _request(self, method: str, path: str, query: Optional[Query], accept: str) -> bytes:
        settings = self.transport.settings
        parameters = {name: _text_of(value) for name, value in (query or {}).items() if value is not None}
        target = f"{settings.path}{path}{'?' if parameters else ''}{urlencode(parameters)}"
        host = settings.base_url.split("//", 1)[1].split("/", 1)[0]
        lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", f"Accept: {accept}", "Connection: close"]
        if method == "POST":
            lines.append("Content-Length: 0")
        if settings.key:
            lines.append(f"Authorization: Bearer {settings.key}")
        return "\r\n".join([*lines, "", ""]).encode("ascii")

    def _unreached(self, error: Exception) -> MayflyNetworkError:
        saw = _NO_ANSWER if isinstance(error, TimeoutError) or "timed out" in str(error) else _reason_of(error)
        trouble = self.transport.unreached(saw)
        trouble.__cause__ = error
        self.transport.trouble = trouble
        return trouble


class Stream:
    """An open stream."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._parser = EventParser()
        self._has_begun = False
        self.opened_at = exchange.transport.clock()

    def event(self, seconds: float) -> Steps[Optional[str]]:
        """The data of the event that ends it; `None` if it does not come within a time."""
        exchange = self._exchange
        clock = exchange.transport.clock
        end = clock() + seconds
        body: Optional[bytes] = exchange.taken()
        while True:
            if body:
                self._has_begun = True
                exchange.opened()
                data = self._parser.push(body)
                if data is not None:
                    return data
            if exchange.response.is_whole:
                raise exchange.transport.unreached("the stream ended early")
            silence = SILENCE_TIMEOUT if self._has_begun else FIRST_BYTES_TIMEOUT
            body = yield from exchange.receive(max(0.0, end - clock()), silence)
            if body is None:
                return None

    def close(self) -> None:
        self._exchange.close()


def is_passing(error: MayflyError) -> bool:
    """Whether what went wrong may be gone the next time."""
    if isinstance(error, MayflyResponseError):
        return error.status in (408, 429) or error.status >= 500
    return isinstance(error, MayflyNetworkError)


def pause_after(failures: int, error: MayflyError, left: float) -> float:
    """
    The pause after consecutive failures: as the server asks, or longer each time. If the server asks for more than
    the time left, the next try comes after half of that, because other clients may have freed a place.
    """
    asked = error.retry_after if isinstance(error, MayflyResponseError) else None
    if asked is None:
        return min(FIRST_PAUSE * 2.0 ** min(failures - 1, 10), LONGEST_PAUSE) * (1 - random.random() / 2)
    pause = asked * (1 + random.random() * RETRY_SPREAD)
    return pause if pause < left else max(LEAST_RETRY, left / 2)


def retried(deadline: Deadline, attempt: Callable[[], Steps[Any]]) -> Steps[Any]:
    """Tries until it works or the time is over. Raises the last failure, or at once one that does not pass."""
    trouble: Optional[MayflyError] = None
    failures = 0
    while True:
        try:
            return (yield from attempt())
        except MayflyError as error:
            # An attempt that is cut short says less than what went wrong before.
            if trouble is None or deadline.left() > 0:
                trouble = error
            failures += 1
        if not is_passing(trouble) or deadline.left() <= 0:
            raise trouble
        yield Sleep(min(pause_after(failures, trouble, deadline.left()), deadline.left()))
        if deadline.left() <= 0:
            raise trouble


def within(deadline: Deadline, steps: Steps[Any]) -> Steps[Any]:
    """Runs a call. Where nothing has ever answered, it raises `MayflyNetworkError` instead of what that led to."""
    try:
        return (yield from steps)
    except MayflyError:
        deadline.raise_if_unreached()
        raise


def _error_in(text: str) -> Optional[str]:
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return error if isinstance(error, str) else None


def _quoted(text: str) -> str:
    return text[:MAX_QUOTE_LENGTH]


def _retry_after(headers: Dict[str, str]) -> float:
    """`Retry-After` in whole seconds (RFC 9110 section 10.2.3), as Mayfly gives it."""
    text = headers.get("retry-after", "")
    asked = float(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0.0
    return min(max(asked or STANDARD_RETRY, LEAST_RETRY), MOST_RETRY)


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _reason_of(error: Exception) -> str:
    # In asyncio, the text of the error names the call instead of the reason.
    if isinstance(error, ConnectionError) and error.errno:
        return os.strerror(error.errno)
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
