"""
Watches an inbox for matching emails and reports each once, over any number of streams. All emails up to the cursor, a
`receivedAt`, were seen. A stream returns only the newest email after the cursor. If that email does not end the wait,
a read finds the emails that the stream skipped before the cursor moves past them. A read also replaces a failed stream.
"""

from __future__ import annotations

from typing import List, Optional

from ._bounds import EXPLAINED, HEDGE, LAST_LOOK, MAX_NAMED, SHORT_WAIT, SILENT, STARVED
from ._effects import Sleep, Steps
from ._errors import MayflyError
from ._explain import timeout_error, unexpected_error
from ._filter import Wanted
from ._inbox_core import InboxCore, Received
from ._retry import Deadline, is_passing, pause_after, within
from ._search import Ends, Found, LastLook, Search
from ._text import time_of
from ._transport import Stream


class Watch:
    def __init__(self, inbox: InboxCore, wanted: Wanted) -> None:
        self._inbox = inbox
        self._search = Search(inbox, wanted)
        self._wanted = wanted
        self._found: List[Received] = []
        self._trouble: Optional[MayflyError] = None
        self._cursor = wanted.after
        # When to read the inbox for the message of a timeout, and what the read found.
        self._look_at: Optional[float] = None
        self._look = LastLook()
        self._count = 1
        now = inbox.transport.deadline(0.0)
        self._ends = Ends(now, now, now)

    def for_count(self, count: int, seconds: float, asked: float) -> Steps[List[Received]]:
        """
        Waits for `count` emails, newest first. Raises `MayflyTimeoutError` if fewer arrive. `asked` is the requested
        timeout; `seconds` is less if the test ends earlier. The last read may delay the error past the timeout.
        """
        transport = self._inbox.transport
        deadline = transport.deadline(seconds)
        most = transport.latest_end + transport.spare - deadline.end
        spare = max(min(seconds - SHORT_WAIT, EXPLAINED, most), 0.0)
        silent, explained = transport.deadline(seconds + min(spare, SILENT)), transport.deadline(seconds + spare)
        self._ends = Ends(deadline, silent, explained)
        self._count = count
        self._look_at = deadline.end - min(LAST_LOOK, seconds / 2)
        found: List[Received] = yield from within(deadline, self._waited(count, seconds, asked, deadline))
        return found

    def _waited(self, count: int, seconds: float, asked: float, deadline: Deadline) -> Steps[List[Received]]:
        if (yield from self._until(count, deadline)):
            return self._found
        # A busy machine may give this process no CPU until long after the deadline. The last read then gets more time.
        if self._inbox.transport.clock() > deadline.end + STARVED:
            late = self._inbox.transport.deadline(LAST_LOOK)
            self._ends = Ends(deadline, late, late)
        if self._look_at is not None and self._ends.silent.left() > 0:
            yield from self._look_at_last()
        # The last read finds emails that a delayed stream has not reported.
        if len(self._look.found) >= count:
            return self._look.found
        raise timeout_error(self._wanted, count, seconds, asked, self._look, self._trouble)

    def for_no_more_than(self, count: int, quiet: float) -> Steps[List[Received]]:
        """
        Watches for `quiet` seconds, in which at most `count` emails may arrive. Raises `MayflyUnexpectedEmailError` as
        soon as more arrive. If the inbox cannot be read at the end, the count is unknown, so raises the read's error.
        """
        # Starts over, because a wait for one email has returned the newest and may have skipped older ones.
        self._cursor, self._look_at = self._wanted.after, None
        self._found = []
        if quiet > 0:
            deadline = self._inbox.transport.deadline(quiet)
            yield from within(deadline, self._until(count + 1, deadline))
        present = yield from self.newest(count + MAX_NAMED)
        # Counts emails that arrived during the watch even if they have expired since.
        emails = self._found if len(self._found) > len(present) else present
        if len(emails) > count:
            raise unexpected_error(self._wanted, count, emails)
        return emails

    def newest(self, most: int) -> Steps[List[Received]]:
        found: Found = yield from self._inbox.call(lambda deadline: self._search.find(most, deadline))
        return found.emails

    def all(self) -> Steps[List[Received]]:
        emails: List[Received] = yield from self._inbox.call(self._search.all)
        return emails

    def _until(self, count: int, deadline: Deadline) -> Steps[bool]:
        failures = 0
        while len(self._found) < count and deadline.left() > 0:
            trouble: Optional[MayflyError]
            try:
                trouble = yield from self._turn(count, deadline)
            except MayflyError as error:
                trouble = self._passing(error, deadline)
            failures = failures + 1 if trouble else 0
            if trouble:
                yield from self._pause(pause_after(failures, trouble, deadline.left()), deadline)
        return len(self._found) >= count

    def _turn(self, count: int, deadline: Deadline) -> Steps[Optional[MayflyError]]:
        """Runs a stream until its first event. Reads the inbox if the wait goes on. Returns the stream's error."""
        stream: Optional[Stream] = None
        try:
            stream = yield from self._search.open(deadline, self._cursor)
            data = yield from self._heard(stream, count, deadline)
            if data is None:
                return None
            email = self._search.email_of(data, stream, self._cursor)
        except MayflyError as error:
            if deadline.left() <= 0:
                return None
            self._trouble = error
            # Only a read shows whether the error is final, because some proxies do not pass streams.
            yield from self._seen(count, deadline)
            return error
        finally:
            if stream:
                stream.close()
        if email is None:
            return None
        wanted = yield from self._search.judge(email, deadline)
        if wanted is None or count > 1:
            yield from self._seen(count, deadline)
        # Takes the email if it expired before the read above. Otherwise the read has taken it, and this does nothing.
        self._take(Found([wanted] if wanted else [], email.view.received_at))
        return None

    def _heard(self, stream: Stream, count: int, deadline: Deadline) -> Steps[Optional[str]]:
        """
        Waits for a stream's event, and reads the inbox at growing intervals while none arrives. Returns `None` at the
        deadline, or after such a read found an email that the stream missed.
        """
        clock = self._inbox.transport.clock
        pause = HEDGE
        hedge_at = clock() + pause
        while True:
            until = hedge_at if self._look_at is None else min(hedge_at, self._look_at)
            data = yield from stream.event(max(0.0, min(until - clock(), deadline.left())))
            if data is not None or deadline.left() <= 0:
                return data
            if self._look_at is not None and clock() >= self._look_at:
                yield from self._look_at_last()
            elif clock() >= hedge_at:
                pause *= 2
                hedge_at = clock() + pause
                # Without conditions, any email ends the wait, so there is nothing to record.
                if self._wanted.in_words():
                    yield from self._notice(deadline)
                try:
                    if (yield from self._seen(count, deadline)):
                        return None
                except MayflyError as error:
                    self._passing(error, deadline)

    def _pause(self, seconds: float, deadline: Deadline) -> Steps[None]:
        clock = self._inbox.transport.clock
        end = clock() + min(seconds, deadline.left())
        if self._look_at is not None and end >= self._look_at:
            yield Sleep(max(0.0, self._look_at - clock()))
            yield from self._look_at_last()
        yield Sleep(max(0.0, min(end - clock(), deadline.left())))

    def _notice(self, deadline: Deadline) -> Steps[None]:
        if self._look_at is not None:
            yield from self._search.notice(self._look, deadline)

    def _look_at_last(self) -> Steps[None]:
        self._look_at = None
        yield from self._search.look_around(self._look, self._count, self._ends)

    def _seen(self, count: int, deadline: Deadline) -> Steps[bool]:
        found = yield from self._search.find(count - len(self._found), deadline, self._cursor)
        self._take(found)
        return bool(found.emails)

    def _passing(self, error: MayflyError, deadline: Deadline) -> Optional[MayflyError]:
        """Records a temporary failure, and raises any other. Ignores failures that the deadline caused."""
        if deadline.left() <= 0:
            return None
        if not is_passing(error):
            raise error
        self._trouble = error
        return error

    def _take(self, found: Found) -> None:
        """Takes emails, newest first, and moves the cursor past them. The caller must have seen all older emails."""
        cursor = self._cursor
        new = [one for one in found.emails if cursor is None or time_of(one.wire["receivedAt"]) > cursor]
        self._found[:0] = new
        if found.up_to is not None and (cursor is None or found.up_to > cursor):
            self._cursor = found.up_to
