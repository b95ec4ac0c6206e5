"""The message of a timeout: the emails that arrived and why they did not match, or why no email arrived."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Sequence

from ._bounds import MAX_HINTED_LENGTH, MAX_NAMED, MAX_NUMBERED_LENGTH, MAX_SUBJECT_LENGTH, SECRET_LENGTH, SHORT_WAIT
from ._docs import docs_url
from ._email import Contents, EmailData
from ._errors import MayflyError, MayflyTimeoutError, MayflyUnexpectedEmailError
from ._filter import Wanted
from ._inbox_core import Received
from ._search import LastLook, SeenEmail
from ._text import kind_at, one_line, title_of

# Minimum and maximum number of digits in the `otp` of an email.
_LEAST_DIGITS, _MOST_DIGITS = 4, 8

_NUMBER = re.compile(r"(?<![\w.,:/-])[0-9]+(?:[ -][0-9]+)*(?![\w/-])(?![.,:][0-9])")

# Names that `create_inbox` and `create_phone` make, including private ones and names with faults after `--`.
_RANDOM_NAME = re.compile(rf"^p-|^\+|-[a-z2-7]{{{SECRET_LENGTH}}}(?:--.*)?$")


def timeout_error(
    wanted: Wanted, count: int, seconds: float, asked: float, look: LastLook, trouble: Optional[MayflyError]
) -> MayflyTimeoutError:
    """Builds the error of a timeout. `asked` is the requested timeout, `trouble` the last failed request."""
    time = f"{seconds:g} s" if seconds >= asked else f"{seconds:.1f} s of {asked:g} s, because its test ends then,"
    kind = kind_at(wanted.address)
    one = "an email" if kind == "email" else f"a {kind}"
    waited = f"Waited {time} for {_phrase(one if count == 1 else _number(count, kind), wanted)}."
    emails = [one.email.view for one in (look.seen or [])[:MAX_NAMED] if one.email]
    # A failure in so short a time proves nothing about the service.
    if look.seen is None and seconds <= SHORT_WAIT:
        return MayflyTimeoutError(f"{waited} The wait was too short for an answer.", wanted.address, seconds, emails)
    cause = trouble or look.trouble
    meanwhile = f" Meanwhile: {cause}" if cause else ""
    message = f"{waited} {_what_came(wanted, count, look)}{meanwhile}"
    error = MayflyTimeoutError(message, wanted.address, seconds, emails)
    error.__cause__ = cause
    return error


def unexpected_error(wanted: Wanted, count: int, emails: Sequence[Received]) -> MayflyUnexpectedEmailError:
    """Builds the error for more emails than expected."""
    kind = kind_at(wanted.address)
    expected = f"no {kind}" if count == 0 else f"exactly {_number(count, kind)}"
    named = _list([_shown(email.wire) for email in emails])
    came = f"{_number(len(emails), kind)} came to {wanted.address}: {named}"
    views = [email.view for email in emails]
    message = f"Expected {_phrase(expected, wanted)}, but {came}.{_twice(views)}{_fixed(wanted.address)}"
    return MayflyUnexpectedEmailError(message, wanted.address, count, views)


def _twice(emails: Sequence[EmailData]) -> str:
    """Explains copies of the same email."""
    for at, email in enumerate(emails):
        title = title_of(email.subject, email.body)
        older = next((one for one in emails[at + 1 :] if title_of(one.subject, one.body) == title), None)
        if older:
            apart = (email.received_at - older.received_at).total_seconds()
            return f" The application sent '{title}' more than once, {apart:g} s apart."
    return ""


def _fixed(address: str) -> str:
    """Explains that others may send to the same name."""
    name = address.partition("@")[0]
    if _RANDOM_NAME.search(name):
        return ""
    return (
        f' The name "{name}" is fixed, so other tests and earlier runs may have sent there: use create_inbox() for '
        "each test."
    )


def _what_came(wanted: Wanted, count: int, look: LastLook) -> str:
    address, seen, kind = wanted.address, look.seen, kind_at(wanted.address)
    if seen is None:
        return f"The inbox {address} could not be read in time."
    if not seen:
        return f"No {kind} came to {address}{_reason(wanted, look)}"
    is_nothing_later = not any(wanted.is_later(one.summary["receivedAt"]) for one in seen)
    named = _list([f"{_shown(one.summary)} ({_verdict(wanted, one, is_nothing_later)})" for one in seen])
    missing = _missing(count, look, is_nothing_later)
    saw = f" {look.attempts}" if look.attempts else ""
    return f"{_number(len(seen), kind)} came to {address}: {named}.{missing}{saw}"


def _missing(count: int, look: LastLook, is_nothing_later: bool) -> str:
    """Explains a missing email when earlier ones arrived."""
    if look.attempts or not (is_nothing_later or (count > 1 and look.found)):
        return ""
    some = "" if is_nothing_later else f" Only {len(look.found)} of {count} came."
    seen = "T" if look.attempts is None else "Mayfly saw no other attempt to send here: t"
    return f"{some} {seen}he application did not send again, or only after this timeout."


def _reason(wanted: Wanted, look: LastLook) -> str:
    """Explains why no mail arrived: the domain that this Mayfly does not accept, or what the delivery log shows."""
    domains = look.domains
    saw = f" {look.attempts}" if look.attempts else ""
    if domains and all(one != "*" and not wanted.address.endswith(f"@{one}") for one in domains):
        return f": this Mayfly accepts mail for {', '.join(domains)} only. Check domain and MAYFLY_DOMAIN.{saw}"
    if saw:
        return f".{saw}"
    cure = f"Mayfly's log shows refused mail ({docs_url('troubleshooting')})."
    return f": was it sent, and to the right address and domain? {cure}"


def _verdict(wanted: Wanted, one: SeenEmail, is_nothing_later: bool) -> str:
    summary, email = one.summary, one.email
    reasons = wanted.mismatches(email.wire, email.view) if email else wanted.known_mismatches(summary)
    if not reasons and wanted.condition:
        reasons.append(f"no {wanted.condition.what}")
    sender = f"from {one_line(str(summary.get('from') or ''))}, which does not match"
    reasons = [sender if reason == "from does not match" else reason for reason in reasons]
    if not wanted.is_later(summary["receivedAt"]):
        since = "; nothing has arrived since" if is_nothing_later else ""
        reasons.insert(0, f"not after `after`{since}")
    why = _lacking(wanted, email.view, one.contents) if email and one.contents else ""
    verdict = ", ".join(reasons) + why or ("matches" if email else "was not read")
    return f"{verdict}; gone by now" if one.is_gone else verdict


def _lacking(wanted: Wanted, email: EmailData, contents: Contents) -> str:
    """
    Explains why an email lacks the code or link that the wait requires. If the email has a different code or link,
    names the call that returns it. The explanation follows a sentence that says what is missing.
    """
    wants_magic_link = wanted.flags.get("hasMagicLink") is True
    if wants_magic_link or (wanted.condition and wanted.condition.what.startswith("link")):
        why = _why_no_link(wants_magic_link, contents)
    else:
        why = _why_no_code(wanted.flags.get("hasOtp") is True, email, contents)
    line = next((line.strip() for line in email.body.split("\n") if line.strip()), "")
    if line:
        # Without a subject, the message already shows the beginning of the text.
        text = f'; its text begins "{one_line(line)}"' if email.subject else ""
        return (f": {why}" if why else "") + text
    return f": {why}" if why else "; it has no text"


def _why_no_code(wants_otp: bool, email: EmailData, contents: Contents) -> str:
    if not contents.codes:
        found = _number_in(email.subject) or _number_in(email.body)
        if found is None:
            return ""
        if _LEAST_DIGITS <= _digits_in(found) <= _MOST_DIGITS:
            return f"no keyword marks {found} as a code: use {_by_pattern(found)}"
        return _wrong_length(found)
    if not wants_otp:
        return f"it has {', '.join(one_line(code.value) for code in contents.codes[:MAX_NAMED])}"
    code = contents.codes[0].value
    if any(one.isalpha() for one in code):
        return f"{one_line(code)} has letters: use wait_for_code()"
    return _wrong_length(code) if _digits_in(code) > _MOST_DIGITS else f"{code} may be a code: use wait_for_code()"


def _wrong_length(code: str) -> str:
    digits = f"{_digits_in(code)} digits and a code has {_LEAST_DIGITS} to {_MOST_DIGITS}"
    return f"{one_line(code)} has {digits}: use {_by_pattern(code)}"


def _by_pattern(code: str) -> str:
    shape = re.sub("[0-9]+", lambda digits: rf"\d{{{len(digits[0])}}}", code)
    pattern = shape if " " in code else f"^{shape}$"
    return f'wait_for_code(pattern=re.compile(r"{pattern}"))'


def _number_in(text: str) -> Optional[str]:
    """The first number that may be a code: at least three digits, possibly in groups."""
    numbers = (match[0] for match in _NUMBER.finditer(text[:MAX_NUMBERED_LENGTH]))
    return next((one for one in numbers if _digits_in(one) > 2 and len(one) <= MAX_SUBJECT_LENGTH), None)


def _digits_in(text: str) -> int:
    return sum(one.isdigit() for one in text)


def _why_no_link(wants_magic_link: bool, contents: Contents) -> str:
    action = contents.links.action
    if action and wants_magic_link:
        return f"no keyword in the link {_hinted(action.url)}: use wait_for_link()"
    if not contents.links:
        return ""
    url = contents.links[0].url
    pattern = _hinted(re.sub(r"^\w+:/*|[?#].*$", "", url, flags=re.DOTALL))
    return f"it has another link, {_hinted(url)}: use wait_for_link(pattern='{pattern}')"


def _hinted(url: str) -> str:
    return one_line(url, MAX_HINTED_LENGTH)


def _phrase(what: str, wanted: Wanted) -> str:
    return f"{what} {', '.join(wanted.in_words())}".strip()


def _number(count: int, kind: str) -> str:
    return f"{count} {kind}{'' if count == 1 else 's'}"


def _shown(summary: Dict[str, Any]) -> str:
    """`summary` is a summary, which has the beginning of the text, or a whole email."""
    return f"'{title_of(summary.get('subject'), summary.get('text') or summary.get('body'))}'"


def _list(named: List[str]) -> str:
    others = len(named) - MAX_NAMED
    return ", ".join(named[:MAX_NAMED]) + (f" and {others} more" if others > 0 else "")
