"""What a run of tests reports of each test (D68)."""

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
# What it says if nothing of the run is to be reported.
OFF = "off"

_SECRET = re.compile(f"[a-z2-7]{{{LONG_SECRET_LENGTH}}}")
# Terminal color sequences, and control characters except line ends.
_COLOURS = re.compile(r"[\x1b\x9b]\[?[\d;]{0,32}m")
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def run_secret() -> Optional[str]:
    """
    The secret of the run, from `MAYFLY_RUN`; `None` if it is `off`, or missing. Raises `MayflyOptionError` for anything
    else.
    """
    given = os.environ.get(VARIABLE, "")
    if given in ("", OFF):
        return None
    if _SECRET.fullmatch(given):
        return given
    # The text is not repeated: it may be a secret with a slip, and logs are read by others.
    raise MayflyOptionError(
        "MAYFLY_RUN is not the secret of a run. Write 26 random characters of a-z and 2-7, or off to report no run."
    )


class ReportedTest:
    """One attempt of one test, as its run has it. It is reported from its first inbox on, or when it has failed."""

    def __init__(self, reports: RunReports, page_url: str, title: str) -> None:
        """`page_url` is where the page shows the run."""
        self.id = random_text(TEST_ID_LENGTH)
        self._reports = reports
        self._page_url = page_url
        self._title = title
        # A test may use its inboxes in several threads, while another reports them: each change is one step.
        self._inboxes: List[str] = []
        self._waits: List[Tuple[str, str]] = []
        self._end: Tuple[str, Optional[str]] = ("running", None)

    def uses(self, inbox: str) -> None:
        if len(self._inboxes) < MAX_REPORTED_INBOXES and inbox not in self._inboxes:
            self._inboxes.append(inbox)
            self._reports.changed(self)

    def waited(self, to: str, text: str) -> None:
        self._waits.append((to, text))
        # The last ones are those that the test failed with.
        del self._waits[:-MAX_REPORTED_WAITS]

    def ended(self, outcome: str, error: Optional[str]) -> Optional[str]:
        """Ends a test. Returns the address of its page if it has failed."""
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
    """The run of this process: its tests, by the service and the key that they use."""

    def __init__(self) -> None:
        self._reports: Dict[Tuple[str, Optional[str]], RunReports] = {}

    def test(self, settings: Settings, title: str) -> Optional[ReportedTest]:
        """A test that begins; `None` if nothing is to be reported. Raises `MayflyOptionError` as `run_secret` does."""
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
        """Waits, within a bound, until all is reported."""
        for reports in self._reports.values():
            if not reports.reported(LAST_REPORTS):
                reports.end()

    def end(self) -> None:
        """The service ends with the run."""
        self.reported()
        self._reports.clear()

    def page_url(self) -> Optional[str]:
        """Where the page shows it, if a service has heard of it."""
        return next((url for (url, _), reports in self._reports.items() if reports.is_heard), None)


def _cut(text: str, longest: int) -> str:
    """In plain text: what a terminal shows in colours is read on a page."""
    plain = _CONTROLS.sub(" ", _COLOURS.sub("", text))
    return plain if len(plain) <= longest else f"{plain[: max(longest - 1, 0)]}…"[:longest]
