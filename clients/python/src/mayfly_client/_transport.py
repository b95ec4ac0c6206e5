"""HTTP to one Mayfly. Every request is a single try on a new connection."""

from __future__ import annotations

import math
import os
import ssl
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional, Tuple
from urllib.parse import urlencode

from ._bounds import (
    ERROR_TEXT_TIMEOUT,
    FIRST_BYTES_TIMEOUT,
    LEAST_RETRY,
    MAX_ERROR_BYTES,
    MAX_EVENT_BYTES,
    MAX_LIST_BYTES,
    MAX_QUOTE_LENGTH,
    MOST_RETRY,
    SILENCE_TIMEOUT,
    STANDARD_RETRY,
)
from ._effects import Connect, Link, Receive, Send, Steps
from ._errors import (
    MayflyAuthError,
    MayflyGoneError,
    MayflyNetworkError,
    MayflyRateLimitError,
    MayflyResponseError,
)
from ._http import IS_SMTP, EventParser, NotHttp, Response
from ._json import json_of
from ._retry import NO_ANSWER, Deadline
from ._settings import Settings
from ._text import one_line

Clock = Callable[[], float]
Query = Dict[str, Any]

_JSON = "application/json"
_ANY = "*/*"
# OpenSSL's errors for a response without TLS, which depend on the version of OpenSSL.
_NOT_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST")


@dataclass(frozen=True)
class Target:
    """A path below the base address, and what to send to it."""

    path: str
    query: Query = field(default_factory=dict)
    method: str = "GET"
    key: Optional[str] = field(default=None, repr=False)
    body: Optional[bytes] = field(default=None, repr=False)
    most: int = MAX_LIST_BYTES


class Transport:
    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        # Whether a connection was ever opened, and whether anything ever answered.
        self.is_connected = False
        self.is_reached = False
        # The deadline of all calls. It is before the test's own deadline, so that the test fails with an explanation.
        self.latest_end = math.inf
        # How long after `latest_end` a wait may still collect its explanation.
        self.spare = 0.0
        self.trouble: Optional[MayflyNetworkError] = None

    def cut(self, seconds: float) -> float:
        """The seconds that a call may take: those that it requests, or fewer if its test ends earlier."""
        return max(0.001, min(seconds, self.latest_end - self.clock()))

    def deadline(self, seconds: float, connect_seconds: Optional[float] = None) -> Deadline:
        return Deadline(self, seconds, self.settings.connect_timeout if connect_seconds is None else connect_seconds)

    def json(self, deadline: Deadline, target: Target) -> Steps[Dict[str, Any]]:
        status, body = yield from self._whole(deadline, target, _JSON)
        text = body.decode("utf-8", "replace")
        try:
            value = json_of(text)
        except ValueError:
            raise self.foreign(status, f"no JSON, but {_quoted(text) or 'an empty body.'}") from None
        if not isinstance(value, dict):
            raise self.strange()
        return value

    def data(self, deadline: Deadline, target: Target) -> Steps[bytes]:
        _, body = yield from self._whole(deadline, target, _ANY)
        return body

    def delete(self, deadline: Deadline, target: Target) -> Steps[None]:
        yield from self._whole(deadline, target, _JSON)

    def open(self, deadline: Deadline, target: Target) -> Steps[Stream]:
        """Opens a stream, which the caller must close."""
        exchange = Exchange(self, deadline, "opening", FIRST_BYTES_TIMEOUT, MAX_EVENT_BYTES)
        try:
            yield from exchange.begin(target, "text/event-stream")
            return Stream(exchange)
        except BaseException:
            exchange.close()
            raise

    def _whole(self, deadline: Deadline, target: Target, accept: str) -> Steps[Tuple[int, bytes]]:
        exchange = Exchange(self, deadline, "asking", SILENCE_TIMEOUT, target.most)
        try:
            yield from exchange.begin(target, accept)
            return exchange.response.status, (yield from exchange.rest())
        finally:
            exchange.close()

    def unreached(self, saw: str) -> MayflyNetworkError:
        url = self.settings.base_url
        if saw == NO_ANSWER and self.is_connected and not self.is_reached:
            return MayflyNetworkError(
                f"Mayfly at {url} accepts connections, but has not answered yet. The machine may be too busy: raise "
                "the timeout, or run fewer workers.",
                url,
            )
        saw = "no connection in time" if saw == NO_ANSWER and not self.is_connected else saw
        advice = {
            IS_SMTP: "Use the HTTP port of Mayfly, by default 8080.",
            NO_ANSWER: "Mayfly may be busy or stopped: raise the timeout, or check the service.",
        }.get(saw, "Is Mayfly running there?")
        return MayflyNetworkError(
            f"Mayfly at {url} cannot be reached: {saw}. {advice} Check base_url and MAYFLY_URL.", url
        )

    def foreign(self, status: int, quote: str) -> MayflyResponseError:
        """Explains an answer that is probably not Mayfly's."""
        url = self.settings.base_url
        message = f"{url} answered {status}: {quote} Is this Mayfly? Check base_url and MAYFLY_URL."
        return MayflyResponseError(message, status)

    def strange(self) -> MayflyResponseError:
        return self.foreign(200, "JSON, but not what Mayfly sends.")

    def error_of(self, response: Response, body: bytes) -> MayflyResponseError:
        status, headers = response.status, response.headers
        text = body.decode("utf-8", "replace")
        if 200 <= status < 300:
            return self.foreign(status, f"{_quoted(headers.get('content-type') or 'no type')}: {_quoted(text)}")
        # The service's error text is short; the hint adds the limit and the fix.
        sentence = f"{_error_in(text) or _quoted(text)} {_quoted(headers.get('mayfly-hint', ''))}".strip()
        code = headers.get("mayfly-error")
        if status < 400 or (status == 404 and code is None):
            return self.foreign(status, sentence)
        message = f"Mayfly at {self.settings.base_url} answered {status}: {sentence}"
        if status == 401:
            sent = "credentials and MAYFLY_CREDENTIALS" if self.settings.credentials else "api_key and MAYFLY_API_KEY"
            remedy = "" if code == "private-inbox" else f" Check {sent}."
            return MayflyAuthError(f"{message}{remedy}", status)
        if status == 429:
            return MayflyRateLimitError(message, status, _retry_after(headers))
        if status == 503 and "retry-after" in headers:
            return MayflyResponseError(message, status, _retry_after(headers))
        return (MayflyGoneError if code == "no-such-email" else MayflyResponseError)(message, status)


class Exchange:
    """One request and its response. Raises only `MayflyError`."""

    def __init__(self, transport: Transport, deadline: Deadline, gate: str, first_seconds: float, most: int) -> None:
        self.transport = transport
        self.response = Response(most)
        self.deadline = deadline
        self._gate = gate
        self._first_seconds = first_seconds
        self._link: Optional[Link] = None
        # The part of the body that arrived with the header section.
        self._body = b""
        self.last_bytes_at = transport.clock()

    def begin(self, target: Target, accept: str) -> Steps[None]:
        """Sends the request and reads the response's header section. Raises for an error or another media type."""
        settings, left = self.transport.settings, self.deadline.left
        try:
            turn = Connect(
                *(settings.host, settings.port, settings.tls_context, self._gate),
                turn_seconds=left(),
                seconds=min(self._first_seconds, left()),
            )
            self._link = yield turn
            self.transport.is_connected = True
            yield Send(self._link, self._request(target, accept), min(self._first_seconds, left()))
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
        raise self.transport.error_of(self.response, (yield from self._beginning()))

    def rest(self) -> Steps[bytes]:
        pieces = [self.taken()]
        while not self.response.is_whole:
            pieces.append((yield from self._receive(SILENCE_TIMEOUT)))
        return b"".join(pieces)

    def _beginning(self) -> Steps[bytes]:
        """The part of an error's text that arrives in time. A slow text must not delay the error with the status."""
        clock, text = self.transport.clock, self.taken()
        end = clock() + min(ERROR_TEXT_TIMEOUT, self.deadline.left())
        while not self.response.is_whole and len(text) < MAX_ERROR_BYTES and clock() < end:
            try:
                text += (yield from self.receive(end - clock(), SILENCE_TIMEOUT)) or b""
            except MayflyNetworkError:
                break
        return text[:MAX_ERROR_BYTES]

    def taken(self) -> bytes:
        body, self._body = self._body, b""
        return body

    def receive(self, seconds: float, silence: float) -> Steps[Optional[bytes]]:
        """The bytes of the body that arrive within `seconds`, or `None`. Raises after `silence` seconds without any."""
        until_silent = self.last_bytes_at + silence - self.transport.clock()
        try:
            data = yield Receive(self._link, max(0.0, min(seconds, until_silent)))
            if data is None:
                if self.transport.clock() < self.last_bytes_at + silence:
                    return None
                raise TimeoutError(NO_ANSWER)
            self.last_bytes_at = self.transport.clock()
            return self.response.feed(data)
        except (OSError, NotHttp) as error:
            raise self._unreached(error) from error

    def _receive(self, silence: float) -> Steps[bytes]:
        left = self.deadline.left()
        # Checks the deadline here, because no receive times out while the server sends without a pause.
        body = (yield from self.receive(left, silence)) if left > 0 else None
        if body is None:
            raise self._unreached(TimeoutError(NO_ANSWER))
        return body

    def opened(self) -> None:
        if self._link:
            self._link.opened()

    def close(self) -> None:
        if self._link:
            self._link.close()

    def _request(self, target: Target, accept: str) -> bytes:
        settings = self.transport.settings
        parameters = {name: _text_of(value) for name, value in target.query.items() if value is not None}
        path = f"{settings.path}{target.path}{'?' if parameters else ''}{urlencode(parameters)}"
        lines = [f"{target.method} {path} HTTP/1.1", f"Host: {settings.authority}", f"Accept: {accept}"]
        lines.append("Connection: close")
        body = target.body or b""
        if target.method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        if body:
            lines.append(f"Content-Type: {_JSON}")
        # Credentials take precedence over keys, because they open all inboxes of their ad-hoc workspace.
        key = settings.credentials or target.key or settings.key
        if key:
            lines.append(f"Authorization: Bearer {key}")
        return "\r\n".join([*lines, "", ""]).encode("ascii") + body

    def _unreached(self, error: Exception) -> MayflyNetworkError:
        saw = NO_ANSWER if isinstance(error, TimeoutError) or "timed out" in str(error) else _reason_of(error)
        trouble = self.transport.unreached(saw)
        trouble.__cause__ = error
        # A try that the deadline cuts short explains less than the failure before it.
        if self.transport.trouble is None or self.deadline.left() > 0:
            self.transport.trouble = trouble
        return trouble


class Stream:
    """An open stream of server-sent events."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._parser = EventParser()
        self._has_begun = False
        self.opened_at = exchange.transport.clock()

    def event(self, seconds: float) -> Steps[Optional[str]]:
        """The data of the event that ends the stream; `None` if it does not arrive in time."""
        exchange = self._exchange
        clock = exchange.transport.clock
        end = clock() + seconds
        body: Optional[bytes] = exchange.taken()
        is_over = False
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
            left = end - clock()
            # Reads once more after the deadline: if this process was paused, the event may have arrived meanwhile.
            if is_over:
                return None
            is_over = left <= 0
            body = yield from exchange.receive(max(0.0, left), silence)
            if body is None:
                return None

    def close(self) -> None:
        self._exchange.close()


def _error_in(text: str) -> Optional[str]:
    try:
        error = json_of(text)["error"]
    except (ValueError, KeyError, TypeError):
        return None
    return one_line(error, MAX_QUOTE_LENGTH * 4) if isinstance(error, str) else None


def _quoted(text: str) -> str:
    return one_line(text[:MAX_QUOTE_LENGTH], MAX_QUOTE_LENGTH)


def _retry_after(headers: Dict[str, str]) -> float:
    """Reads `Retry-After` in whole seconds (RFC 9110 section 10.2.3), the only form that Mayfly sends."""
    text = headers.get("retry-after", "")
    asked = float(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0.0
    return min(max(asked or STANDARD_RETRY, LEAST_RETRY), MOST_RETRY)


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _reason_of(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        reason = getattr(error, "verify_message", None) or error.reason
        return (
            f"its certificate is not trusted ({reason}). Pass ssl_context, or set SSL_CERT_FILE to a file with the "
            "certificate"
        )
    if isinstance(error, ssl.SSLError) and error.reason in _NOT_TLS:
        return "it does not speak TLS; does its URL begin with http://?"
    # In asyncio, the error's text names the call instead of the reason.
    if isinstance(error, ConnectionError) and error.errno:
        return os.strerror(error.errno)
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
