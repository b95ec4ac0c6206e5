"""The operations on one inbox, without I/O."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Callable, Dict, List, Optional, Protocol, Sequence
from urllib.parse import quote

from ._bounds import MAX_MESSAGES_BYTES
from ._effects import Steps
from ._email import (
    Attempt,
    Contents,
    EmailData,
    attempt_of,
    contents_of,
    explanation_of,
    fields_of,
    is_summary,
    list_in,
)
from ._errors import MayflyGoneError
from ._retry import Deadline, retried, within
from ._text import time_of, time_text
from ._transport import Query, Stream, Target, Transport

# Makes the email that the blocking or the asyncio client returns.
View = Callable[[Dict[str, Any], "Reader"], EmailData]


class Listener(Protocol):
    """Observes a client's inboxes."""

    def uses(self, inbox: str) -> None:
        """An inbox was created or opened, by name or by address."""

    def waited(self, to: str, text: str) -> None:
        """A wait failed with the message `text`, because no email or too many emails arrived."""


@dataclass(frozen=True)
class Place:
    """Identifies an inbox: by its name in the service's first domain, or by its address."""

    inbox: str
    address: str
    # The secret of a private inbox.
    secret: Optional[str] = field(repr=False)


class InboxCore:
    def __init__(
        self,
        transport: Transport,
        place: Place,
        view: View,
        listener: Optional[Listener],
        own: Optional[Dict[str, InboxCore]] = None,
        made_at: Optional[float] = None,
    ) -> None:
        inbox = quote(place.inbox, safe="@+:")
        page = f"{transport.settings.base_url}/inbox/{inbox}"
        self.transport = transport
        self.address = place.address
        self.secret = place.secret
        # The secret is after `#`, because browsers do not send that part to the service.
        self.page_url = f"{page}#{place.secret}" if place.secret else page
        self.view = view
        self.listener = listener
        # The client's newest inboxes by address. The message of a timeout lists their mail.
        self.own = {} if own is None else own
        # When the client made the name, by the transport's clock; `None` for a name that the user chose.
        self.made_at = made_at
        self._path = f"/api/inbox/{inbox}"
        if listener:
            listener.uses(place.inbox)

    def at(self, rest: str, query: Optional[Query] = None, method: str = "GET") -> Target:
        return Target(self._path + rest, query or {}, method, self.secret)

    def of_messages(self, rest: str, query: Optional[Query] = None) -> Target:
        """A target with the response limit for whole messages and parsed contents."""
        return replace(self.at(rest, query), most=MAX_MESSAGES_BYTES)

    def call(self, attempt: Callable[[Deadline], Steps[Any]], seconds: Optional[float] = None) -> Steps[Any]:
        """Tries a request until it succeeds or the call's time is over."""
        transport = self.transport
        deadline = transport.deadline(transport.cut(transport.settings.timeout if seconds is None else seconds))
        return within(deadline, retried(deadline, lambda: attempt(deadline)))

    def listed(self, deadline: Deadline, rest: str, query: Query) -> Steps[List[Dict[str, Any]]]:
        """Lists the emails, or with `/summary` their summaries."""
        kind = self.at if rest else self.of_messages
        answer = yield from self.transport.json(deadline, kind(rest, {**query, "source": "sdk"}))
        emails = answer.get("emails")
        if not isinstance(emails, list) or not all(is_summary(one) for one in emails):
            raise self.transport.strange()
        return emails

    def stream(self, deadline: Deadline, query: Query) -> Steps[Stream]:
        return self.transport.open(deadline, self.at("/stream", query))

    def email(self, deadline: Deadline, received_at: str) -> Steps[Optional[Dict[str, Any]]]:
        """One email as JSON; `None` if it has expired or was deleted since it was listed."""
        try:
            return (yield from self.transport.json(deadline, self.of_messages(f"/{received_at}")))
        except MayflyGoneError:
            return None

    def received(self, wire: Dict[str, Any]) -> Received:
        try:
            fields = fields_of(wire)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self.transport.strange() from None
        reader = Reader(self, wire["receivedAt"])
        return Received(wire, reader, self.view(fields, reader))

    def mark(self) -> Steps[datetime]:
        emails = yield from self.call(lambda deadline: self.listed(deadline, "/summary", {"limit": 1}))
        return time_of(emails[0]["receivedAt"] if emails else "1970-01-01T00:00:00.000Z")

    def asked_attempts(self, deadline: Deadline) -> Steps[Dict[str, Any]]:
        return self.transport.json(deadline, self.at("/attempts"))

    def sessions(self, deadline: Deadline, after: str) -> Steps[Dict[str, Any]]:
        return self.transport.json(deadline, Target("/api/attempts", {"after": after}))

    def attempts(self) -> Steps[List[Attempt]]:
        answer = yield from self.call(self.asked_attempts)
        try:
            return [attempt_of(one) for one in reversed(list_in(answer, "attempts"))]
        except (KeyError, TypeError):
            raise self.transport.strange() from None

    def clear(self) -> Steps[None]:
        yield from self.call(lambda deadline: self.transport.delete(deadline, self.at("", method="DELETE")))

    def delete(self, email: EmailData) -> Steps[None]:
        target = self.at(f"/{time_text(email.received_at)}", method="DELETE")
        try:
            yield from self.call(lambda deadline: self.transport.delete(deadline, target))
        except MayflyGoneError:
            return

    def release(self, order: Optional[Sequence[int]]) -> Steps[int]:
        if order is None:
            target = self.at("/release", method="POST")
            answer = yield from self.call(lambda deadline: self.transport.json(deadline, target))
        else:
            # Not retried: each release renumbers the positions, so a repeated one could release other emails.
            deadline = self.transport.deadline(self.transport.settings.timeout)
            target = self.at("/release", {"order": ",".join(str(position) for position in order)}, "POST")
            answer = yield from within(deadline, self.transport.json(deadline, target))
        released = answer.get("released")
        if not isinstance(released, int) or isinstance(released, bool):
            raise self.transport.strange()
        return released

    def domains(self, deadline: Deadline) -> Steps[List[str]]:
        """The domains for which this Mayfly accepts mail; `*` stands for any."""
        settings = yield from self.transport.json(deadline, Target("/api/settings"))
        domains = settings.get("domains")
        return [str(domain) for domain in domains] if isinstance(domains, list) else []


class Reader:
    """Reads the parsed contents of an email once, on the first call."""

    def __init__(self, inbox: InboxCore, received_at: str) -> None:
        self._inbox = inbox
        self._received_at = received_at
        self._contents: Optional[Contents] = None

    def load(self, deadline: Deadline) -> Steps[Contents]:
        """Reads the contents without retries."""
        if self._contents is None:
            wire = yield from self._inbox.transport.json(deadline, self._at("/parts"))
            try:
                self._contents = contents_of(wire)
            except (KeyError, TypeError, ValueError):
                raise self._inbox.transport.strange() from None
        return self._contents

    def contents(self) -> Steps[Contents]:
        return self._inbox.call(self.load)

    def part(self, path: str) -> Steps[bytes]:
        return self._inbox.call(lambda deadline: self._inbox.transport.data(deadline, self._at(f"/parts/{path}")))

    def explanation(self) -> Steps[Dict[str, Any]]:
        wire = yield from self._inbox.call(lambda deadline: self._inbox.transport.json(deadline, self._at("/explain")))
        try:
            return explanation_of(wire)
        except (KeyError, TypeError):
            raise self._inbox.transport.strange() from None

    def _at(self, rest: str) -> Target:
        return self._inbox.of_messages(f"/{self._received_at}{rest}")


class Received:
    """An email in the core: its JSON, and the object for the user."""

    def __init__(self, wire: Dict[str, Any], reader: Reader, view: EmailData) -> None:
        self.wire = wire
        self.reader = reader
        self.view = view


def ready(transport: Transport, seconds: float, connect_seconds: Optional[float] = None) -> Steps[None]:
    """Returns when Mayfly is ready. Raises if nothing answers within `connect_seconds` (default: `seconds`)."""
    deadline = transport.deadline(seconds, seconds if connect_seconds is None else connect_seconds)

    def ask() -> Steps[None]:
        answer = yield from transport.json(deadline, Target("/readyz"))
        if answer.get("status") != "ready":
            raise transport.strange()

    yield from within(deadline, retried(deadline, ask))
