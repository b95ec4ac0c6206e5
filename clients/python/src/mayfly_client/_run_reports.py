"""
Reports the tests of a run to its service (D68), one request at a time, in a separate thread. Changes during a request
go into the next one. No test waits for reports, and none fails because of them.
"""

from __future__ import annotations

import json
import os
import threading
import time
import weakref
from typing import Any, Dict, List, Optional, Protocol, Tuple

from ._blocking import run
from ._bounds import (
    FIRST_PAUSE,
    MAX_REPORT_BYTES,
    MAX_REPORT_TRIES,
    MAX_REPORTED_AT_ONCE,
    MAX_UNREPORTED,
    MOST_REPORT_PAUSE,
    REPORT_TIMEOUT,
    REPORTED_TEXT_LENGTHS,
)
from ._errors import MayflyError, MayflyResponseError
from ._retry import is_passing
from ._settings import Settings
from ._transport import Target, Transport


class Reportable(Protocol):
    """A test whose state can be reported."""

    id: str

    def report(self, longest: int) -> Dict[str, Any]:
        """The current state, with texts cut to `longest` characters."""


class RunReports:
    def __init__(self, settings: Settings, secret: str) -> None:
        self._transport = Transport(settings, time.monotonic)
        self._path = f"/api/run/{secret}"
        self._begin_anew()
        # Whether the service has accepted a report.
        self.is_heard = False
        _all.add(self)

    def changed(self, test: Reportable) -> None:
        """Schedules a report of a test whose state has changed."""
        with self._changed:
            if self._is_over:
                return
            self._unreported[test.id] = test
            if len(self._unreported) > MAX_UNREPORTED:
                del self._unreported[next(iter(self._unreported))]
            if not self._is_sending:
                self._start()

    def reported(self, seconds: float) -> bool:
        """Waits until everything is reported, or for `seconds`. Returns whether everything is reported."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._is_sending, seconds)

    def end(self) -> None:
        """Stops reporting, because waiting for a service that does not answer would delay the end of the run."""
        with self._changed:
            self._is_over = True
            self._unreported.clear()

    def _begin_anew(self) -> None:
        self._changed = threading.Condition()
        # Unreported states by ID.
        self._unreported: Dict[str, Reportable] = {}
        self._is_sending = False
        self._is_over = False

    def _start(self) -> None:
        try:
            threading.Thread(target=self._send, daemon=True).start()
            self._is_sending = True
        # Raised if the process cannot start another thread.
        except RuntimeError:
            self._is_over = True

    def _send(self) -> None:
        failures = 0
        while True:
            with self._changed:
                tests, body = self._next()
                if not tests:
                    # Set inside the lock, so that any later change starts a new thread.
                    self._is_sending = False
                    self._changed.notify_all()
                    return
            pause = self._post(body)
            if pause is None:
                failures = 0
                continue
            failures += 1
            if pause > MOST_REPORT_PAUSE or failures >= MAX_REPORT_TRIES:
                self.end()
                continue
            with self._changed:
                # `end` may have been called in the meantime.
                for test in [] if self._is_over else tests:
                    self._unreported.setdefault(test.id, test)
            time.sleep(pause * failures)

    def _next(self) -> Tuple[List[Reportable], bytes]:
        """As many tests as fit into one request, and the body of that request."""
        tests: List[Reportable] = []
        reports: List[bytes] = []
        size = 0
        for test in self._unreported.values():
            report = _small_report(test)
            size += len(report) + 1
            if tests and (size > MAX_REPORT_BYTES or len(tests) >= MAX_REPORTED_AT_ONCE):
                break
            tests.append(test)
            reports.append(report)
        for test in tests:
            del self._unreported[test.id]
        return tests, b'{"tests":[' + b",".join(reports) + b"]}"

    def _post(self, body: bytes) -> Optional[float]:
        """`None` if the service accepted the report; otherwise the pause before a retry, infinite after a refusal."""
        deadline = self._transport.deadline(REPORT_TIMEOUT, REPORT_TIMEOUT)
        try:
            run(self._transport.json(deadline, Target(self._path, method="POST", body=body)))
        except MayflyError as error:
            if not is_passing(error):
                return float("inf")
            asked = error.retry_after if isinstance(error, MayflyResponseError) else None
            return FIRST_PAUSE if asked is None else asked
        self.is_heard = True
        return None


def _small_report(test: Reportable) -> bytes:
    for longest in REPORTED_TEXT_LENGTHS:
        report = _json_bytes(test.report(longest))
        if len(report) <= MAX_REPORT_BYTES:
            return report
    # Without texts, a report always fits, because addresses and a title are short.
    return _json_bytes(test.report(0))


def _json_bytes(value: Any) -> bytes:
    # An error's text may contain lone surrogates, which UTF-8 cannot encode.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


_all: weakref.WeakSet[RunReports] = weakref.WeakSet()


def _begin_anew() -> None:
    """Resets a forked process: it lacks the threads, and its parent sends the reports."""
    for one in list(_all):
        one._begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
