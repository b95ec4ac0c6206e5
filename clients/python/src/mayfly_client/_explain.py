"""What a wait in vain says: what arrived instead and why it did not match, or why no mail came."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from ._bounds import MAX_NAMED, SHORT_WAIT
from ._email import Contents
from ._errors import MayflyError, MayflyTimeoutError, MayflyUnexpectedEmailError
from ._filter import Wanted
from ._inbox_core import Received
from ._search import LastLook
from ._text import one_line


def timeout_error(
    wanted: Wanted, count: int, seconds: float, look: LastLook, trouble: Optional[MayflyError]
) -> MayflyTimeoutError:
    """`trouble` is the last failure before the last look."""
    waited = f"Waited {seconds:g} s for {_phrase('an email' if count == 1 else _number(count), wanted)}."
    emails = [email.view for email in look.emails]
    # What went wrong in so short a time says nothing of the service.
    if look.summaries is None and seconds <= SHORT_WAIT:
        return MayflyTimeoutError(f"{waited} That is too short for an answer.", wanted.address, seconds, emails)
    cause = trouble or look.trouble
    meanwhile = f" Meanwhile: {cause}" if cause else ""
    message = f"{waited} {_what_came(wanted, look)}{_hint(wanted, look.contents)}{meanwhile}"
    error = MayflyTimeoutError(message, wanted.address, seconds, emails)
    error.__cause__ = cause
    return error


def unexpected_error(wanted: Wanted, count: int, emails: Sequence[Received]) -> MayflyUnexpectedEmailError:
    """What to say when more came than was expected."""
    expected = "no email" if count == 0 else f"exactly {_number(count)}"
    named = _list([_shown(email.wire) for email in emails])
    came = f"{_number(len(emails))} came to {wanted.address}: {named}"
    message = f"Expected {_phrase(expected, wanted)}, but {came}."
    return MayflyUnexpectedEmailError(message, wanted.address, count, [email.view for email in emails])


def _what_came(wanted: Wanted, look: LastLook) -> str:
    address = wanted.address
    if look.summaries is None:
        return f"What came to {address} could not be read in time."
    if not look.summaries:
        return f"No email came to {address}{_reason(wanted, look)}"
    named = _list([f"{_shown(one)} ({_verdict(wanted, one, look.emails)})" for one in look.summaries])
    saw = f" {look.attempts}" if look.attempts else ""
    return f"{_number(len(look.summaries))} came to {address}: {named}.{saw}"


def _reason(wanted: Wanted, look: LastLook) -> str:
    """Why nothing may have come: mail for a domain that is not this Mayfly's has gone elsewhere, or was refused."""
    domains = look.domains
    saw = f" {look.attempts}" if look.attempts else ""
    if domains and all(one != "*" and not wanted.address.endswith(f"@{one}") for one in domains):
        return f": this Mayfly takes mail for {', '.join(domains)} only. See domain and MAYFLY_DOMAIN.{saw}"
    if saw:
        return f".{saw}"
    return ": was it sent, and to the right address and domain? Mayfly's log says what it refused (docs/no-mail.md)."


def _hint(wanted: Wanted, contents: Sequence[Contents]) -> str:
    """Names the call that would have found something."""
    code = next((one.codes[0].value for one in contents if one.codes), None)
    if wanted.flags.get("hasOtp") and code:
        return f" wait_for_code finds '{one_line(code)}' in it."
    wants_link = wanted.flags.get("hasMagicLink")
    if not wants_link and not (wanted.condition and wanted.condition.what.startswith("link")):
        return ""
    if wants_link and any(one.links.action for one in contents):
        return " wait_for_link finds a link to follow in it."
    other = next((one.links[0].url for one in contents if one.links), None)
    return f" It has another link, {one_line(other)}: wait_for_link takes a pattern." if other else ""


def _verdict(wanted: Wanted, summary: Dict[str, Any], emails: Sequence[Received]) -> str:
    email = next((one for one in emails if one.wire["receivedAt"] == summary["receivedAt"]), None)
    reasons = wanted.mismatches(email.wire, email.view) if email else wanted.known_mismatches(summary)
    if not reasons and wanted.condition:
        reasons.append(f"no {wanted.condition.what}")
    if not wanted.is_later(summary["receivedAt"]):
        reasons.insert(0, "too early")
    return ", ".join(reasons) or ("matches" if email else "was not read")


def _phrase(what: str, wanted: Wanted) -> str:
    return f"{what} {', '.join(wanted.in_words())}".strip()


def _number(count: int) -> str:
    return "1 email" if count == 1 else f"{count} emails"


def _shown(summary: Dict[str, Any]) -> str:
    return f"'{one_line(str(summary.get('subject', '')))}'"


def _list(named: List[str]) -> str:
    others = len(named) - MAX_NAMED
    return ", ".join(named[:MAX_NAMED]) + (f" and {others} more" if others > 0 else "")
