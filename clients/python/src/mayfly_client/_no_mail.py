"""
Why no mail came, by what the service saw of attempts to send it. The causes and their cures are those of the JavaScript
client: `causes.json` is made from its table.
"""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple, Union

from ._bounds import BEFORE_WAIT, MAX_KIND_LENGTH, MAX_KINDS
from ._effects import Steps
from ._inbox_core import InboxCore
from ._retry import Deadline
from ._text import one_line, time_of, time_text

Wire = Dict[str, Any]

# What says least of why no mail came: it is told last.
_VAGUE = ("no-command", "http-port")


def ask_why(inbox: InboxCore, is_empty: bool, seconds: float, deadline: Deadline) -> Steps[str]:
    """Asks the service once. Gives sentences, or none if the attempts explain nothing."""
    asked = yield from inbox.asked_attempts(deadline)
    window = seconds + BEFORE_WAIT
    try:
        # By the service's clock: that of the test may differ.
        after = time_text(time_of(asked["now"]) - timedelta(seconds=window))
        sessions: Wire = {"attempts": [], "counts": {}}
        if is_empty:
            sessions = yield from inbox.sessions(deadline, after)
        recent = {name: [one for one in asked[name] if one["at"] >= after] for name in ("attempts", "elsewhere")}
        seen = {**recent, "smtp": asked["smtp"], "newSpace": asked.get("newSpace") is True, "sessions": sessions}
        return why_no_mail(seen, window, is_empty)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        # The answer is not one that Mayfly gives, and explains nothing.
        return ""


def why_no_mail(seen: Wire, window: float, is_empty: bool) -> str:
    told = [*_of_inbox(seen, is_empty), *_of_others(seen)]
    if not told and seen["newSpace"]:
        return " ".join([_causes()["newSpace"], *_of_other_side(seen, window)])
    if not told and is_empty:
        told += _of_sessions(seen, window)
    return " ".join(one_line(one, MAX_KIND_LENGTH) for one in told[:MAX_KINDS])


def _causes() -> Wire:
    causes: Wire = json.loads(Path(__file__).with_name("causes.json").read_text("utf-8"))
    return causes


def _of_inbox(seen: Wire, is_empty: bool) -> Iterator[str]:
    causes = _causes()
    for newest, count in _kinds(seen["attempts"], lambda one: (one["way"], one["to"], one["outcome"])):
        way, to, outcome, error = newest["way"], newest["to"], newest["outcome"], newest["error"]
        by = "" if way == "smtp" else f"by the send API ({way}) "
        many = f"{_plural(count, 'attempt')} {by}to send to {to}"
        if outcome == "kept":
            if is_empty:
                is_held = "--hold" in f"{to}".lower()
                yield f"Mail to {to} was kept at {newest['receivedAt']} {causes['unshown'][is_held]}"
        elif error is None:
            yield f"{many} {causes['endings'].get(outcome, f'came to nothing: {outcome}.')}"
        else:
            yield f"{many} {_refused_with(count, error)} {causes['cures'].get(outcome, '')}".strip()


def _of_others(seen: Wire) -> Iterator[str]:
    """Where a domain is missing, or another than the application mails to."""
    for one in seen["elsewhere"]:
        yield f"Mail came to {one['to']}, which is another inbox: ask for mayfly.inbox('{one['to']}')."


def _of_sessions(seen: Wire, window: float) -> Iterator[str]:
    smtp, attempts, counts = seen["smtp"], seen["sessions"]["attempts"], seen["sessions"]["counts"]
    time = _time(window)
    sessions = _causes()["sessions"]
    if attempts is None:
        for outcome, count in counts.items():
            if outcome in sessions:
                many = _plural(count, "connection")
                yield f"{time}, {many} from this test's address {_cause(sessions[outcome], smtp)}"
    for one, count in _kinds(attempts or [], lambda one: (one["way"], one["client"], one["outcome"])):
        way, client, outcome, error = one["way"], one["client"], one["outcome"], one["error"]
        if way != "smtp" and error is not None:
            many = _plural(count, "request")
            refused = _refused_with(count, error)
            yield f"{time}, {many} from {client} to the send API ({way}) named no recipient and {refused}"
            continue
        ended = f"ended so: {outcome if error is None else _sentence(error['text'])}"
        what = _cause(sessions[outcome], smtp) if outcome in sessions else ended
        yield f"{time}, {_plural(count, 'connection')} from {client} {what}"
    if counts.get("kept"):
        yield f"{time}, {_plural(counts['kept'], 'email')} came to other inboxes: was it sent to this address?"
    yield from _of_other_side(seen, window)
    if any(outcome != "http-port" for outcome in counts):
        return
    whose = " from this test's address" if attempts is None else ""
    yield (
        f"{time}, no client connected to the SMTP port {smtp['port']}{whose}: set the application's SMTP host and port "
        "to Mayfly's. Inside a container, 127.0.0.1 is the container itself (docs/no-mail.md)."
    )


def _of_other_side(seen: Wire, window: float) -> Iterator[str]:
    """Attempts that a test does not see, because only one of the two is in a space."""
    counts = seen["sessions"]["counts"]
    for outcome, cause in _causes()["otherSide"].items():
        if counts.get(outcome):
            yield f"{_time(window)}, {_plural(counts[outcome], 'attempt')} to send mail came {cause}"


def _time(window: float) -> str:
    return f"In the last {round(window)} s"


def _cause(cause: Union[str, List[str]], smtp: Wire) -> str:
    """A cause may depend on what the service offers: then it has four texts."""
    text = cause if isinstance(cause, str) else cause[2 * bool(smtp["startTls"]) + bool(smtp["authWithoutTls"])]
    return text.replace("{port}", str(smtp["port"]))


def _kinds(attempts: List[Wire], kind_of: Callable[[Wire], Tuple[Any, ...]]) -> List[Tuple[Wire, int]]:
    """The newest of each kind, and how many there are, the most frequent first."""
    found: Dict[Tuple[Any, ...], Tuple[Wire, int]] = {}
    for attempt in attempts:
        newest, count = found.get(kind_of(attempt), (attempt, 0))
        found[kind_of(attempt)] = (newest, count + 1)
    return sorted(found.values(), key=lambda kind: (kind[0]["outcome"] in _VAGUE, -kind[1]))


def _refused_with(count: int, error: Wire) -> str:
    reply = " ".join(str(part) for part in (error["code"], error["enhanced"], _sentence(error["text"])) if part)
    return f"{'was' if count == 1 else 'were'} refused: {reply}"


def _plural(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
