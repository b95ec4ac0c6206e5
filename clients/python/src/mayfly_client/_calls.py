"""The calls of an inbox as generators, which the blocking and the asyncio client run."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, List, Optional, Tuple

from ._bounds import STANDARD_QUIET
from ._effects import Steps, T
from ._email import EmailData
from ._errors import MayflyTimeoutError, MayflyUnexpectedEmailError
from ._filter import OPTIONS, Condition, code_condition, link_condition, wanted_of
from ._inbox_core import InboxCore, Received
from ._settings import check_count, check_pattern, check_time
from ._text import TextPattern
from ._watch import Watch

_OWN_OPTIONS = {
    "wait_for_email": ("timeout",),
    "wait_for_otp": ("timeout",),
    "wait_for_magic_link": ("timeout",),
    "wait_for_code": ("pattern", "timeout"),
    "wait_for_link": ("text", "pattern", "timeout"),
    "wait_for_emails": ("count", "settle", "timeout"),
    "expect_no_email": ("within",),
}


class Calls:
    def __init__(self, inbox: InboxCore) -> None:
        self.inbox = inbox

    def emails(self, **selection: Any) -> Steps[List[EmailData]]:
        watch = self._watch("emails", selection)
        return _views(watch.all())

    def latest(self, **selection: Any) -> Steps[Optional[EmailData]]:
        watch = self._watch("latest", selection)

        def newest() -> Steps[Optional[EmailData]]:
            found = yield from watch.newest(1)
            return found[0].view if found else None

        return newest()

    def wait_for_email(
        self, call: str, timeout: Optional[float], selection: Any, condition: Optional[Condition] = None
    ) -> Steps[Received]:
        watch = self._watch(call, selection, condition)
        seconds, asked = self._seconds(call, timeout)

        def wait() -> Steps[Received]:
            return (yield from watch.for_count(1, seconds, asked))[0]

        return self._heard(wait())

    def wait_for_flag(self, call: str, flag: str, timeout: Optional[float], selection: Any) -> Steps[Received]:
        """Waits for an email that `flag` selects. The call implies the flag, so the selection may not set it."""
        if flag in selection:
            raise TypeError(f"{call}() has no option '{flag}', which the call implies.")
        return self.wait_for_email(call, timeout, {**selection, flag: True})

    def wait_for_code(self, pattern: Optional[TextPattern], timeout: Optional[float], selection: Any) -> Steps[str]:
        check_pattern("wait_for_code", "pattern", pattern)
        return self._picked("wait_for_code", timeout, selection, code_condition(pattern))

    def wait_for_link(
        self,
        text: Optional[TextPattern],
        pattern: Optional[TextPattern],
        timeout: Optional[float],
        selection: Any,
    ) -> Steps[str]:
        check_pattern("wait_for_link", "text", text)
        check_pattern("wait_for_link", "pattern", pattern)
        return self._picked("wait_for_link", timeout, selection, link_condition(text, pattern))

    def wait_for_emails(
        self, count: int, settle: Optional[float], timeout: Optional[float], selection: Any
    ) -> Steps[List[EmailData]]:
        check_count("wait_for_emails", "count", count)
        check_time("wait_for_emails", "settle", settle, 0)
        watch = self._watch("wait_for_emails", selection)
        seconds, asked = self._seconds("wait_for_emails", timeout)

        def wait() -> Steps[List[Received]]:
            yield from watch.for_count(count, seconds, asked)
            return (yield from watch.for_no_more_than(count, STANDARD_QUIET if settle is None else settle))

        return self._heard(_views(wait()))

    def expect_no_email(self, within: Optional[float], selection: Any) -> Steps[None]:
        check_time("expect_no_email", "within", within, 0)
        watch = self._watch("expect_no_email", selection)

        def wait() -> Steps[None]:
            yield from watch.for_no_more_than(0, STANDARD_QUIET if within is None else within)

        return self._heard(wait())

    def _heard(self, wait: Steps[T]) -> Steps[T]:
        """Runs a wait, and notifies the listener if no email or too many emails arrive."""
        try:
            return (yield from wait)
        except (MayflyTimeoutError, MayflyUnexpectedEmailError) as error:
            if self.inbox.listener:
                self.inbox.listener.waited(self.inbox.address, str(error))
            raise

    def _picked(self, call: str, timeout: Optional[float], selection: Any, condition: Condition) -> Steps[str]:
        waited = self.wait_for_email(call, timeout, selection, condition)

        def wait() -> Steps[str]:
            email = yield from waited
            contents = yield from email.reader.contents()
            return condition.pick(contents, email.view) or ""

        return wait()

    def _seconds(self, call: str, timeout: Optional[float]) -> Tuple[float, float]:
        """How long a wait may take, at most until its test ends, and the timeout that was requested."""
        check_time(call, "timeout", timeout)
        transport = self.inbox.transport
        asked = transport.settings.timeout if timeout is None else timeout
        return transport.cut(asked), asked

    def _watch(self, call: str, selection: Any, condition: Optional[Condition] = None) -> Watch:
        unknown = next((name for name in selection if name not in OPTIONS), None)
        if unknown is not None:
            known = (*OPTIONS, *_OWN_OPTIONS.get(call, ()))
            near = get_close_matches(unknown, known, 1)
            advice = f"Did you mean {near[0]}?" if near else f"It takes {', '.join(known)}."
            raise TypeError(f"{call}() has no option '{unknown}'. {advice}")
        return Watch(self.inbox, wanted_of(call, self.inbox.address, condition=condition, **selection))


def _views(steps: Steps[List[Received]]) -> Steps[List[EmailData]]:
    return [email.view for email in (yield from steps)]
