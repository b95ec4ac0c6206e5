"""The operations on one inbox, without I/O."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Callable, Dict, List, Optional, Sequence
from urllib.parse import quote

from ._effects import Steps
from ._email import Attempt, Contents, EmailData, attempt_of, contents_of, fields_of
from ._errors import MayflyGoneError
from ._text import time_of, time_text
from ._transport import Deadline, Query, Stream, Transport, retried, within

# Makes what the user of a shell gets of an email.
View = Callable[[Dict[str, Any], "Reader"], EmailData]


class InboxCore:
    def __init__(self, transport: Transport, inbox: str, address: str, view: View) -> None:
        """`inbox` is its name, which means the first domain of the service, or its whole address."""
        self.transport = transport
        self.address = address
        self.page_url = f"{transport.settings.base_url}/inbox/{quote(inbox, safe='@+:')}"
        self.view = view
        self._path = f"/api/inbox/{quote(inbox, safe='@+:')}"

    def call(self, attempt: Callable[[Deadline], Steps[Any]], seconds: Optional[float] = None) -> Steps[Any]:
        """Tries something until it works or the time of a call is over."""
        deadline = self.transport.deadline(self.transport.settings.timeout if seconds is None else seconds)
        return within(deadline, retried(deadline, lambda: attempt(deadline)))

    def listed(self, deadline: Deadline, path: str, query: Query) -> Steps[List[Dict[str, Any]]]:
        answer = yield from self.transport.json(deadline, self._path + path, {**query, "source": "sdk"})
        emails = answer.get("emails")
        if not isinstance(emails, list) or not all(_has_time(one) for one in emails):
            raise self.transport.foreign(200, "something else than was asked for.")
        return emails

    def stream(self, deadline: Deadline, query: Query) -> Steps[Stream]:
        return self.transport.open(deadline, f"{self._path}/stream", query)

    def email(self, deadline: Deadline, received_at: str) -> Steps[Optional[Dict[str, Any]]]:
        """One email of the wire; `None` if it has expired or was deleted since it was listed."""
        try:
            wire: Dict[str, Any] = yield from self.transport.json(deadline, f"{self._path}/{received_at}")
            return wire
        except MayflyGoneError:
            return None

    def received(self, wire: Dict[str, Any]) -> Received:
        try:
            fields = fields_of(wire)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self.transport.foreign(200, "something else than was asked for.") from None
        reader = Reader(self, wire["receivedAt"])
        return Received(wire, reader, self.view(fields, reader))

    def at_email(self, received_at: str, rest: str) -> str:
        return f"{self._path}/{received_at}{rest}"

    def mark(self) -> Steps[datetime]:
        emails = yield from self.call(lambda deadline: self.listed(deadline, "/summary", {"limit": 1}))
        return time_of(emails[0]["receivedAt"] if emails else "1970-01-01T00:00:00.000Z")

    def asked_attempts(self, deadline: Deadline) -> Steps[Dict[str, Any]]:
        answer: Dict[str, Any] = yield from self.transport.json(deadline, f"{self._path}/attempts")
        return answer

    def sessions(self, deadline: Deadline, after: str) -> Steps[Dict[str, Any]]:
        answer: Dict[str, Any] = yield from self.transport.json(deadline, "/api/attempts", {"after": after})
        return answer

    def attempts(self) -> Steps[List[Attempt]]:
        answer = yield from self.call(self.asked_attempts)
        try:
            return [attempt_of(one) for one in reversed(answer["attempts"])]
        except (KeyError, TypeError):
            raise self.transport.foreign(200, "something else than was asked for.") from None

    def clear(self) -> Steps[None]:
        yield from self.call(lambda deadline: self.transport.delete(deadline, self._path))

    def delete(self, email: EmailData) -> Steps[None]:
        path = self.at_email(time_text(email.received_at), "")
        try:
            yield from self.call(lambda deadline: self.transport.delete(deadline, path))
        except MayflyGoneError:
            return

    def release(self, order: Optional[Sequence[int]]) -> Steps[int]:
        path = f"{self._path}/release"
        if order is None:
            answer = yield from self.call(lambda deadline: self.transport.json(deadline, path, method="POST"))
        else:
            # Positions count anew after each release, so one that may have happened is not tried again.
            deadline = self.transport.deadline(self.transport.settings.timeout)
            query = {"order": ",".join(str(position) for position in order)}
            answer = yield from within(deadline, self.transport.json(deadline, path, query, "POST"))
        released = answer.get("released")
        if not isinstance(released, int):
            raise self.transport.foreign(200, "something else than was asked for.")
        return released

    def domains(self, deadline: Deadline) -> Steps[List[str]]:
        """The domains that this Mayfly takes mail for; `*` stands for any."""
        settings = yield from self.transport.json(deadline, "/api/settings")
        return [str(domain) for domain in settings.get("domains") or []]


class Reader:
    """Reads what the message of an email holds, once, when it is first asked for."""

    def __init__(self, inbox: InboxCore, received_at: str) -> None:
        self._inbox = inbox
        self._received_at = received_at
        self._contents: Optional[Contents] = None

    def load(self, deadline: Deadline) -> Steps[Contents]:
        """Reads it in one try."""
        if self._contents is None:
            transport = self._inbox.transport
            wire = yield from transport.json(deadline, self._inbox.at_email(self._received_at, "/parts"))
            try:
                self._contents = contents_of(wire)
            except (KeyError, TypeError):
                raise transport.foreign(200, "something else than was asked for.") from None
        return self._contents

    def contents(self) -> Steps[Contents]:
        contents: Contents = yield from self._inbox.call(self.load)
        return contents

    def part(self, path: str) -> Steps[bytes]:
        target = self._inbox.at_email(self._received_at, f"/parts/{quote(path)}")
        data: bytes = yield from self._inbox.call(lambda deadline: self._inbox.transport.data(deadline, target))
        return data

    def explanation(self) -> Steps[Dict[str, Any]]:
        target = self._inbox.at_email(self._received_at, "/explain")
        told: Dict[str, Any] = yield from self._inbox.call(
            lambda deadline: self._inbox.transport.json(deadline, target)
        )
        return told


class Received:
    """An email as the core keeps it: of the wire, and as its user gets it."""

    def __init__(self, wire: Dict[str, Any], reader: Reader, view: EmailData) -> None:
        self.wire = wire
        self.reader = reader
        self.view = view


def ready(transport: Transport, seconds: float) -> Steps[None]:
    """Ends when Mayfly is ready. Until the time is over it may also not be there."""
    deadline = transport.deadline(seconds, seconds)

    def ask() -> Steps[None]:
        answer = yield from transport.json(deadline, "/readyz")
        if answer.get("status") != "ready":
            raise transport.foreign(200, "something else than was asked for.")

    yield from within(deadline, retried(deadline, ask))


def _has_time(one: Any) -> bool:
    try:
        time_of(one["receivedAt"])
    except (KeyError, TypeError, ValueError):
        return False
    return True
