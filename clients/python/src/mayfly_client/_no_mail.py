"""
Explains missing mail from the delivery log. The causes and fixes are in `causes.json`, which is generated from the
table of the JavaScript client.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

from ._bounds import BEFORE_WAIT, MAX_CLOCK, MAX_KIND_LENGTH, MAX_KINDS, MAX_NAMED, MAX_OWN_ASKED
from ._docs import docs_url
from ._effects import Steps
from ._inbox_core import InboxCore
from ._retry import Deadline
from ._text import kind_at, one_line, time_of, time_text, title_of

Wire = Dict[str, Any]
Kind = Tuple[Wire, int, str]

# The least specific causes, which are listed last.
_VAGUE = ("no-command", "http-port", "quit")

# Outcomes of connections that a limit rejected. Shown even if other mail arrived: they may be from this test.
_LIMITS = ("too-many-connections", "all-connections-taken")

# The fix if mail arrived in another inbox of the test.
_OTHER_INBOX = "Use that inbox, or check which address the test gave the application."

# The outcome of connections that only test the port, from clients that also deliver mail. They explain no missing mail.
_TESTED = "tested"


@dataclass(frozen=True)
class InVain:
    """A wait that has ended or is about to end."""

    # `seen`: summaries of all mail in the inbox. `is_settled`: whether some of it arrived after `after`.
    seen: List[Wire]
    is_settled: bool
    # Start of the wait, by the transport's clock.
    begun_at: float
    after: Optional[datetime]


def ask_why(inbox: InboxCore, vain: InVain, deadline: Deadline) -> Steps[str]:
    """Asks the service why mail is missing. Returns sentences; empty if the delivery attempts explain nothing."""
    asked_at = time.time()
    # Measured before the request. If its time were included, attempts before the wait would count as during the wait.
    waited = inbox.transport.clock() - vain.begun_at
    asked = yield from inbox.asked_attempts(deadline)
    answered_at = time.time()
    taken = inbox.transport.clock() - vain.begun_at - waited
    core = inbox.own.get(inbox.address, inbox)
    made = BEFORE_WAIT if core.made_at is None else vain.begun_at - core.made_at + taken
    before = min(made, BEFORE_WAIT)
    try:
        # Computed by the service's clock, because the test's clock may differ.
        after = time_text(time_of(asked["now"]) - timedelta(seconds=waited + before))
        came = yield from _of_own(inbox, after, deadline)
        whose = "test" if inbox.listener else "client"
        recipients = [] if vain.is_settled else _recipients_of(came, vain.seen)
        own = [_own(newest, to, whose) for newest, to in recipients]
        # Mail in another inbox shows that the application reaches this server, so failed connections explain nothing.
        is_elsewhere = bool(own) and whose == "test"
        if is_elsewhere:
            own.append(_OTHER_INBOX)
        is_empty = not vain.seen and not is_elsewhere
        sessions: Wire = {"attempts": [], "counts": {}}
        if is_empty:
            sessions = yield from inbox.sessions(deadline, after)
        recent = {name: [one for one in asked[name] if one["at"] >= after] for name in ("attempts", "elsewhere")}
        told = [address for _, to in recipients for address in to]
        recent["elsewhere"] = [one for one in recent["elsewhere"] if one["to"] not in told]
        seen = {
            **recent,
            **{name: asked[name] for name in ("now", "smtp")},
            "newSpace": asked.get("newSpace") is True,
            "acrossSpaces": asked.get("acrossSpaces", 0),
            "sessions": sessions,
            "address": inbox.address,
            "ownKept": sum(len(summaries) for _, summaries in came),
        }
        why = why_no_mail(seen, waited, before, is_empty)
        clocks = of_clocks(asked["now"], vain.after, asked_at, answered_at)
        return " ".join(one for one in (*own, why, clocks) if one)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        # The answer is not Mayfly's, so it explains nothing.
        return ""


def _of_own(inbox: InboxCore, after: str, deadline: Deadline) -> Steps[List[Tuple[str, List[Wire]]]]:
    """Lists mail in other inboxes of the client."""
    came = []
    for to, other in [one for one in inbox.own.items() if one[0] != inbox.address][-MAX_OWN_ASKED:]:
        summaries = yield from other.listed(deadline, "/summary", {"after": after, "limit": MAX_NAMED})
        came.append((to, summaries))
    return came


def _recipients_of(came: List[Tuple[str, List[Wire]]], seen: List[Wire]) -> List[Tuple[Wire, List[str]]]:
    """The newest email of each of these inboxes. If several have the same one, it appears once, with all recipients."""

    def key_of(summary: Wire) -> str:
        return repr([summary.get(name) for name in ("id", "subject", "otp")])

    known = {key_of(summary) for summary in seen}
    found: Dict[str, Tuple[Wire, List[str]]] = {}
    for to, summaries in came:
        if summaries and key_of(summaries[0]) not in known:
            found.setdefault(key_of(summaries[0]), (summaries[0], []))[1].append(to)
    return list(found.values())


def _own(newest: Wire, to: List[str], whose: str) -> str:
    code = f" ({newest['otp']})" if newest.get("otp") else ""
    which = "another inbox" if len(to) == 1 else "other inboxes"
    return f"'{title_of(newest.get('subject'), newest.get('text'))}'{code} came to {' and '.join(to)}, {which} of this {whose}."


def why_no_mail(seen: Wire, waited: float, before: float, is_empty: bool) -> str:
    told = [*_of_inbox(seen, waited, is_empty), *_of_others(seen)]
    if not told and seen["newSpace"]:
        return " ".join([_causes()["newSpace"], *_of_other_side(seen, waited, before)])
    if not told and is_empty:
        told += _of_sessions(seen, waited, before)
    return " ".join(one_line(one, MAX_KIND_LENGTH) for one in told if one)


def of_clocks(now: str, after: Optional[datetime], asked_at: float, answered_at: float) -> str:
    """A warning if the clocks of service and test differ so much that `after` means another time to the service."""
    if after is None:
        return ""
    service = time_of(now)
    ahead = (asked_at + answered_at) / 2 - service.timestamp()
    cure = "set `after` to what mark() returns, or to the time of an email."
    # Tolerates half of the time between request and answer, because the service read its clock at some time in between.
    if abs(ahead) - (answered_at - asked_at) / 2 > MAX_CLOCK:
        side = "ahead of" if ahead > 0 else "behind"
        return f"The clock of this machine is {_seconds(abs(ahead))} s {side} the service's: {cure}"
    future = (after.astimezone(timezone.utc) - service).total_seconds()
    if future <= 0:
        return ""
    return f"`after` is {_seconds(future)} s in the future: {cure.replace('`after`', 'it')}"


def _seconds(seconds: float) -> str:
    return f"{round(seconds, 1):g}"


@lru_cache(maxsize=1)
def _causes() -> Wire:
    text = Path(__file__).with_name("causes.json").read_text("utf-8")
    causes: Wire = json.loads(text.replace("{docs}", json.dumps(docs_url(""))[1:-1]))
    return causes


def _of_inbox(seen: Wire, waited: float, is_empty: bool) -> Iterator[str]:
    causes = _causes()
    kinds = _timed(seen, waited, seen["attempts"], lambda one: (one["way"], one["to"], one["outcome"]))
    for newest, count, when in kinds:
        way, to, outcome, error = newest["way"], newest["to"], newest["outcome"], newest["error"]
        by = "" if way == "smtp" else f"by the send API ({way}) "
        many = f"{when}{_plural(count, 'attempt')} {by}to send to {to}"
        if outcome == "kept":
            if is_empty:
                is_held = "--hold" in f"{to}".lower()
                mail = "mail" if when else "Mail"
                yield f"{when}{mail} to {to} was kept at {newest['receivedAt']} {causes['unshown'][is_held]}"
        elif error is None:
            yield f"{many} {_filled(causes['endings'].get(outcome, f'came to nothing: {outcome}.'), newest, seen)}"
        else:
            yield f"{many} {_refused_with(count, error)} {causes['cures'].get(outcome, '')}".strip()


def _of_others(seen: Wire) -> Iterator[str]:
    """Explains that mail for the same name arrived in another domain: test and application use different domains."""
    for one in seen["elsewhere"]:
        yield f"Mail came to {one['to']}, which is another inbox: use mayfly.inbox('{one['to']}')."


def _of_sessions(seen: Wire, waited: float, before: float) -> Iterator[str]:
    """
    Explains connections without a recipient. If mail for others arrived, its senders probably made these connections,
    so explains only the connections that a limit rejected.
    """
    smtp, attempts, counts = seen["smtp"], seen["sessions"]["attempts"], seen["sessions"]["counts"]
    time = _time(waited, before)
    whose = f" from this test's address ({_causes()['others']})" if attempts is None else ""
    # SMTP connections do not explain why a phone number got no text.
    if kind_at(seen["address"]) != "email":
        yield f"{time}, {_causes()['noText']}"
        requests = [one for one in attempts or [] if one["way"] != "smtp"]
        # Without counts of outcomes, which include SMTP connections, only whether others got mail matters.
        counts = {"kept": counts.get("kept", 0)}
        texts = {**seen, "sessions": {"attempts": requests, "counts": counts}}
        yield from list(_of_connections(texts, waited, before))[:MAX_KINDS]
        return
    causes = list(_of_connections(seen, waited, before))[:MAX_KINDS]
    yield from _of_other_side(seen, waited, before)
    is_smtp_used = any(outcome != "http-port" for outcome in counts)
    if is_smtp_used:
        yield f"{time}, no client named this address on the SMTP port {smtp['port']}{whose}."
    yield from causes
    if causes:
        yield "Such a connection names no address, so it may be another test's."
    elif is_smtp_used:
        yield _causes()["nothingSent"]
    else:
        yield (
            f"{time}, no client connected to the SMTP port {smtp['port']}{whose}: set the application's SMTP host and "
            f"port to Mayfly's. Inside a container, 127.0.0.1 is the container itself ({docs_url('troubleshooting')})."
        )
        yield _validators(seen["address"])


def _of_connections(seen: Wire, waited: float, before: float) -> Iterator[str]:
    smtp, attempts, counts = seen["smtp"], seen["sessions"]["attempts"], seen["sessions"]["counts"]
    sessions = _causes()["sessions"]
    is_shared = counts.get("kept", 0) > seen["ownKept"]
    for outcome, count in counts.items():
        is_counted = attempts is None or outcome in _LIMITS
        if is_counted and outcome in sessions and (outcome in _LIMITS or not is_shared):
            whose = " from this test's address" if attempts is None else ""
            yield f"{_time(waited, before)}, {_plural(count, 'connection')}{whose} {_cause(sessions[outcome], smtp)}"
    told = [one for one in attempts or [] if not is_shared and one["outcome"] not in (*_LIMITS, _TESTED)]
    for one, count, when in _timed(seen, waited, told, lambda one: (one["way"], one["client"], _cause_of(one))):
        way, client, error = one["way"], one["client"], one["error"]
        when = when or "Since this wait began, "
        if way != "smtp" and error is not None:
            many = _plural(count, "request")
            refused = _refused_with(count, error)
            yield f"{when}{many} from {client} to the send API ({way}) named no recipient and {refused}"
            continue
        ended = f"ended: {one['outcome'] if error is None else _sentence(error['text'])}"
        outcome = _cause_of(one)
        what = _cause(sessions[outcome], smtp) if outcome in sessions else ended
        yield f"{when}{_plural(count, 'connection')} from {client} {_filled(what, one, seen)}"


def _of_other_side(seen: Wire, waited: float, before: float) -> Iterator[str]:
    """Explains attempts that the test cannot see: only it or only the application has credentials, or AUTH failed."""
    counts, time = seen["sessions"]["counts"], _time(waited, before)
    for outcome, cause in _causes()["otherSide"].items():
        if not counts.get(outcome):
            continue
        if outcome == "refused-sign-ins":
            yield f"{time}, {_plural(counts[outcome], 'attempt')} to send mail came {cause} Other tests may cause this."
        elif seen["acrossSpaces"] > 0:
            yield f"{time}, {_plural(seen['acrossSpaces'], 'attempt')} to send mail to this address came {cause}"


def _validators(address: str) -> str:
    domain = address.rpartition("@")[2]
    text: str = next((text for end, text in _causes()["validators"].items() if domain.endswith(end)), "")
    return text.replace("{domain}", domain)


def _time(waited: float, before: float) -> str:
    return "Since this inbox was made" if before < BEFORE_WAIT else f"In the last {-int(-(waited + before) // 1)} s"


def _cause_of(attempt: Wire) -> str:
    """The outcome that selects the cause: `quit` if a client without a message ended the connection by QUIT."""
    outcome: str = attempt["outcome"]
    return "quit" if outcome == "no-mail" and attempt.get("lastCommand") == "QUIT" else outcome


def _cause(cause: Union[str, List[str]], smtp: Wire) -> str:
    """The text of a cause. A cause that depends on the service's features has four texts."""
    text = cause if isinstance(cause, str) else cause[2 * bool(smtp["startTls"]) + bool(smtp["authWithoutTls"])]
    return text.replace("{port}", str(smtp["port"]))


def _filled(text: str, attempt: Wire, seen: Wire) -> str:
    """The text of a cause, filled in with the data of an attempt."""
    ago = max(0, round((time_of(seen["now"]) - time_of(attempt["at"])).total_seconds()))
    return text.replace("{ago}", f"{ago}").replace("{command}", str(attempt.get("lastCommand") or "none"))


def _timed(seen: Wire, waited: float, attempts: List[Wire], kind_of: Callable[[Wire], Tuple[Any, ...]]) -> List[Kind]:
    """The newest attempt of each kind, with the kind's count and time. Attempts during the wait come first."""
    begun = time_text(time_of(seen["now"]) - timedelta(seconds=waited))
    new = _kinds([one for one in attempts if one["at"] >= begun], kind_of)
    old = _kinds([one for one in attempts if one["at"] < begun], kind_of)
    kinds = [(one, count, "") for one, count in new] + [(one, count, "Before this wait began, ") for one, count in old]
    return kinds[:MAX_KINDS]


def _kinds(attempts: List[Wire], kind_of: Callable[[Wire], Tuple[Any, ...]]) -> List[Tuple[Wire, int]]:
    """The newest attempt of each kind, with the kind's count. Frequent kinds are first, the least specific last."""
    found: Dict[Tuple[Any, ...], Tuple[Wire, int]] = {}
    for attempt in attempts:
        newest, count = found.get(kind_of(attempt), (attempt, 0))
        found[kind_of(attempt)] = (newest, count + 1)
    return sorted(found.values(), key=lambda kind: (_cause_of(kind[0]) in _VAGUE, -kind[1]))


def _refused_with(count: int, error: Wire) -> str:
    reply = " ".join(str(part) for part in (error["code"], error["enhanced"], _sentence(error["text"])) if part)
    return f"{'was' if count == 1 else 'were'} refused: {reply}"


def _plural(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
