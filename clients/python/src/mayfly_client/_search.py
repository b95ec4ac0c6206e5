"""
Finds the matching emails of an inbox. Reads only emails whose summaries may match, each of them once, because the
service limits fetches of whole inboxes (D26).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Dict, List, Optional

from ._bounds import (
    MAX_EXPLAINED_BYTES,
    MAX_INSPECTED,
    MAX_NAMED,
    MAX_READ_SINGLY,
    PAGE_SIZE,
    SHORTEST_STREAM,
)
from ._effects import Steps
from ._email import Contents
from ._errors import MayflyError, MayflyGoneError, MayflyResponseError
from ._filter import Wanted
from ._inbox_core import InboxCore, Received
from ._json import json_of
from ._no_mail import InVain, ask_why
from ._retry import Deadline, retried
from ._text import time_of
from ._transport import Stream


@dataclass
class Found:
    """The matching emails of a read, newest first, and the time up to which the read saw all emails."""

    emails: List[Received] = field(default_factory=list)
    up_to: Optional[datetime] = None


@dataclass
class SeenEmail:
    """An email that was in the inbox during a wait."""

    summary: Dict[str, Any]
    # Only the newest emails are read; `contents` only if all conditions hold except the one for a code or link.
    email: Optional[Received] = None
    contents: Optional[Contents] = None
    # Whether the email has since been deleted or has expired.
    is_gone: bool = False


@dataclass
class LastLook:
    """The content of an inbox shortly before a timeout, as far as it was read."""

    # The emails, newest first; `None` if they could not be listed.
    seen: Optional[List[SeenEmail]] = None
    found: List[Received] = field(default_factory=list)
    domains: Optional[List[str]] = None
    # Sentences about attempts to send mail; `None` if the service was not asked.
    attempts: Optional[str] = None
    # The error if the emails could not be listed.
    trouble: Optional[MayflyError] = None


@dataclass
class Ends:
    """The times when a wait times out, gives up an unanswered last read, and stops collecting facts for its message."""

    wait: Deadline
    silent: Deadline
    explained: Deadline


class Search:
    def __init__(self, inbox: InboxCore, wanted: Wanted) -> None:
        self._inbox = inbox
        self._wanted = wanted
        # Emails that were read, by their `receivedAt`; `None` for those that do not match.
        self._judged: Dict[str, Optional[Received]] = {}

    def open(self, deadline: Deadline, after: Optional[datetime]) -> Steps[Stream]:
        return self._inbox.stream(deadline, self._wanted.query(after))

    def email_of(self, data: str, stream: Stream, after: Optional[datetime]) -> Optional[Received]:
        """The email that ended a stream; `None` if the stream ended without an email."""
        transport = self._inbox.transport
        if data == "__timeout__":
            if transport.clock() - stream.opened_at >= SHORTEST_STREAM:
                return None
        else:
            try:
                email = self._inbox.received(json_of(data))
            except ValueError:
                raise transport.strange() from None
            if after is None or email.view.received_at > after:
                return email
        raise MayflyResponseError("The server is not Mayfly. Check base_url.", 200)

    def find(self, most: int, deadline: Deadline, after: Optional[datetime] = None) -> Steps[Found]:
        """The newest matching emails received after a time, up to a limit."""
        wanted = self._wanted
        query = wanted.query(wanted.after if after is None else after)
        limit = min(most, PAGE_SIZE) if wanted.is_all_servers else PAGE_SIZE
        found = Found()
        before: Optional[str] = None
        while True:
            page = yield from self._inbox.listed(deadline, "/summary", {**query, "limit": limit, "before": before})
            if page and found.up_to is None:
                found.up_to = time_of(page[0]["receivedAt"])
            yield from self._read(page, found.emails, most, deadline)
            if len(page) < limit or len(found.emails) >= most or page[-1]["receivedAt"] == before:
                return found
            before = page[-1]["receivedAt"]

    def all(self, deadline: Deadline) -> Steps[List[Received]]:
        """All matching emails, newest first. Reads up to MAX_READ_SINGLY one by one, and more with one fetch."""
        query = self._wanted.query(self._wanted.after)
        listed = yield from self._inbox.listed(deadline, "/summary", {**query, "limit": MAX_READ_SINGLY + 1})
        emails: List[Received] = []
        if len(listed) <= MAX_READ_SINGLY:
            yield from self._read(listed, emails, MAX_READ_SINGLY, deadline)
            return emails
        for wire in (yield from self._inbox.listed(deadline, "", query)):
            email = yield from self.judge(self._inbox.received(wire), deadline)
            if email:
                emails.append(email)
        return emails

    def look_around(self, look: LastLook, count: int, ends: Ends) -> Steps[None]:
        """Reads the inbox at the end of a wait, and records results as they arrive. Does not raise."""
        inbox, deadline = self._inbox, ends.explained
        try:
            # Starts no retry after the wait has ended, but a read that has begun by then may last until `ends.silent`.
            self._note(look, (yield from retried(ends.wait, lambda: inbox.listed(ends.silent, "/summary", {}))))
        except MayflyError as error:
            look.trouble = error
            return
        seen = look.seen or []
        # Ignores a failure of either part below, because the list alone explains enough.
        try:
            look.found = (yield from self.find(count, deadline)).emails
        except MayflyError:
            pass
        try:
            if not seen:
                look.domains = yield from inbox.domains(deadline)
            is_settled = any(self._wanted.is_later(one.summary["receivedAt"]) for one in seen)
            vain = InVain([one.summary for one in seen], is_settled, ends.wait.begin, self._wanted.after)
            look.attempts = yield from ask_why(inbox, vain, deadline)
        except MayflyError:
            pass
        yield from self._read_seen(look, deadline)

    def notice(self, look: LastLook, deadline: Deadline) -> Steps[None]:
        """Reads emails during the wait, because they may expire before the wait ends. Does not raise."""
        try:
            self._note(look, (yield from self._inbox.listed(deadline, "/summary", {})))
        except MayflyError:
            return
        yield from self._read_seen(look, deadline)

    def _note(self, look: LastLook, summaries: List[Dict[str, Any]]) -> None:
        known = {one.summary["receivedAt"]: one for one in look.seen or []}
        present = [known.pop(summary["receivedAt"], SeenEmail(summary)) for summary in summaries]
        gone = list(known.values())[:MAX_NAMED]
        for one in gone:
            one.is_gone = True
        look.seen = sorted(present + gone, key=lambda one: time_of(one.summary["receivedAt"]), reverse=True)
        for one in look.seen[MAX_NAMED:]:
            one.email = one.contents = None

    def judge(self, email: Received, deadline: Deadline) -> Steps[Optional[Received]]:
        """The email if it matches; otherwise `None`."""
        received_at = email.wire["receivedAt"]
        if received_at not in self._judged:
            is_wanted = yield from self._is_wanted(email, deadline)
            self._judged[received_at] = email if is_wanted else None
        return self._judged[received_at]

    def _read_seen(self, look: LastLook, deadline: Deadline) -> Steps[None]:
        seen, size = look.seen or [], 0
        try:
            for one in seen[:MAX_NAMED]:
                told = one.summary.get("size")
                size += told if isinstance(told, int) else 0
                if size > MAX_EXPLAINED_BYTES:
                    break
                if one.email is None and not one.is_gone:
                    wire = yield from self._inbox.email(deadline, one.summary["receivedAt"])
                    one.email = None if wire is None else self._inbox.received(wire)
                    yield from self._note_wanted(look, one.email, deadline)
            lacking = [one for one in seen if one.contents is None and self._lacks_only_contents(one)]
            for one in lacking[:MAX_INSPECTED]:
                if one.email:
                    one.contents = yield from self._contents_of(one.email, deadline)
        except MayflyError:
            pass

    def _note_wanted(self, look: LastLook, email: Optional[Received], deadline: Deadline) -> Steps[None]:
        """Adds an email to `look.found` if it matches. It is missing there if the search of the last read failed."""
        if email is None or any(one.wire["receivedAt"] == email.wire["receivedAt"] for one in look.found):
            return
        if (yield from self.judge(email, deadline)):
            found = [*look.found, email]
            look.found = sorted(found, key=lambda one: time_of(one.wire["receivedAt"]), reverse=True)

    def _lacks_only_contents(self, one: SeenEmail) -> bool:
        wanted, email = self._wanted, one.email
        if email is None or one.is_gone or not (wanted.condition or any(wanted.flags.values())):
            return False
        rest = Wanted(wanted.address, wanted.texts, {}, wanted.where, wanted.after)
        return wanted.is_later(email.wire["receivedAt"]) and not rest.mismatches(email.wire, email.view)

    def _is_wanted(self, email: Received, deadline: Deadline) -> Steps[bool]:
        wanted = self._wanted
        if not wanted.is_later(email.wire["receivedAt"]) or wanted.mismatches(email.wire, email.view):
            return False
        if wanted.condition is None:
            return True
        contents = yield from self._contents_of(email, deadline)
        return contents is not None and wanted.condition.pick(contents, email.view) is not None

    def _contents_of(self, email: Received, deadline: Deadline) -> Steps[Optional[Contents]]:
        try:
            contents: Contents = yield from email.reader.load(deadline)
            return contents
        except MayflyGoneError:
            return None

    def _read(self, page: List[Dict[str, Any]], emails: List[Received], most: int, deadline: Deadline) -> Steps[None]:
        for summary in page:
            if len(emails) >= most:
                return
            if self._wanted.known_mismatches(summary):
                continue
            received_at = summary["receivedAt"]
            if received_at in self._judged:
                email = self._judged[received_at]
            else:
                wire = yield from self._inbox.email(deadline, received_at)
                email = None if wire is None else (yield from self.judge(self._inbox.received(wire), deadline))
            if email:
                emails.append(email)
