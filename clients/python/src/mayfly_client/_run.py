"""The tests of a run, and what they report (D68)."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, Optional, Tuple

from ._bounds import (
    FAILED_REPORT,
    LAST_REPORTS,
    LONG_SECRET_LENGTH,
    MAX_REPORTED_INBOXES,
    MAX_REPORTED_WAITS,
    MAX_SERVICES,
    MAX_TITLE_LENGTH,
    TEST_ID_LENGTH,
)
from ._errors import MayflyOptionError
from ._names import random_text
from ._run_reports import RunReports
from ._settings import Settings

VARIABLE = "MAYFLY_RUN"
# The value of `MAYFLY_RUN` that turns reports off.
OFF = "off"

_SECRET = re.compile(f"[a-z2-7]{{{LONG_SECRET_LENGTH}}}")
# Terminal color sequences, and control characters except line ends.
_COLOURS = re.compile(r"[\x1b\x9b]\[?[\d;]{0,32}m")
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def run_secret() -> Optional[str]:
    """
    The secret of the run, from `MAYFLY_RUN`; `None` if the variable is `off` or unset. Raises `MayflyOptionError` for
    an invalid secret.
    """
    given = os.environ.get(VARIABLE, "")
    if given in ("", OFF):
        return None
    if _SECRET.fullmatch(given):
        return given
    # Does not repeat the text: it may be a mistyped secret, and other people read logs.
    raise MayflyOptionError(
        "MAYFLY_RUN is not the secret of a run. Set 26 random characters of a-z and 2-7, or off to report no run."
    )


class ReportedTest:
    """One attempt of a test. Reported once the attempt uses an inbox or has failed."""

    def __init__(self, reports: RunReports, page_url: str, title: str) -> None:
        """`page_url` is the URL of the run's page."""
        self.id = random_text(TEST_ID_LENGTH)
        self._reports = reports
        self._page_url = page_url
        self._title = title
        # A test may use inboxes in several threads while another thread reports them, so changes are atomic.
        self._inboxes: List[str] = []
        self._waits: List[Tuple[str, str]] = []
        self._end: Tuple[str, Optional[str]] = ("running", None)

    def uses(self, inbox: str) -> None:
        if len(self._inboxes) < MAX_REPORTED_INBOXES and inbox not in self._inboxes:
            self._inboxes.append(inbox)
            self._reports.changed(self)

    def waited(self, to: str, text: str) -> None:
        self._waits.append((to, text))
        # Keeps the newest waits, because the newest made the test fail.
        del self._waits[:-MAX_REPORTED_WAITS]

    def ended(self, outcome: str, error: Optional[str]) -> Optional[str]:
        """Ends a test. If the test failed, returns the URL of its report."""
        self._end = (outcome, error)
        if not self._inboxes and outcome != "failed":
            return None
        self._reports.changed(self)
        if outcome != "failed":
            return None
        self._reports.reported(FAILED_REPORT)
        return f"{self._page_url}#{self.id}" if self._reports.is_heard else None

    def report(self, longest: int) -> Dict[str, Any]:
        outcome, error = self._end
        return {
            "id": self.id,
            "title": _cut(self._title, MAX_TITLE_LENGTH),
            "outcome": outcome,
            "inboxes": self._inboxes[:MAX_REPORTED_INBOXES],
            "error": None if error is None else _cut(error, longest),
            "waits": [{"to": to, "text": _cut(text, longest)} for to, text in self._waits[-MAX_REPORTED_WAITS:]],
        }


class Run:
    """The run of this process, with its reports by service and key."""

    def __init__(self) -> None:
        self._reports: Dict[Tuple[str, Optional[str]], RunReports] = {}

    def test(self, settings: Settings, title: str) -> Optional[ReportedTest]:
        """Begins a test; `None` if nothing is to be reported. Raises `MayflyOptionError` as `run_secret` does."""
        secret = run_secret()
        if secret is None:
            return None
        page_url = f"{settings.base_url}/run/{secret}"
        key = (page_url, settings.credentials or settings.key)
        if key not in self._reports:
            if len(self._reports) >= MAX_SERVICES:
                self._reports.clear()
            self._reports[key] = RunReports(settings, secret)
        return ReportedTest(self._reports[key], page_url, title)

    def reported(self) -> None:
        """Waits until all tests are reported, at most LAST_REPORTS for each service."""
        for reports in self._reports.values():
            if not reports.reported(LAST_REPORTS):
                reports.end()

    def end(self) -> None:
        """Forgets the pages of the run, because the service ends with the run."""
        self.reported()
        self._reports.clear()

    def page_url(self) -> Optional[str]:
        """The URL of the run's page, if a service accepted a report."""
        return next((url for (url, _), reports in self._reports.items() if reports.is_heard), None)


def _cut(text: str, longest: int) -> str:
    """Removes terminal colors, which a page cannot show, and shortens the text."""
    plain = _CONTROLS.sub(" ", _COLOURS.sub("", text))
    return plain if len(plain) <= longest else f"{plain[: max(longest - 1, 0)]}…"[:longest]
