"""Decides which emails match, and explains why one does not."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, Dict, List, Optional, TypedDict

from ._email import Contents, EmailData
from ._errors import MayflyOptionError
from ._settings import check_date, check_flag, check_pattern
from ._text import TextPattern, contains, shown_pattern, time_of, time_text

Where = Callable[[Any], bool]

_TEXTS = ("from", "subject", "body")
# Each flag, the JSON field that the flag requires, and the word for the field in messages.
_FLAGS = (("hasOtp", "otp", "code"), ("hasMagicLink", "magicLink", "link"))


class Selection(TypedDict, total=False):
    """The conditions for an email, which must all hold."""

    # Strings (ignoring case) or patterns that the sender's address, the subject and the text must contain.
    from_: TextPattern
    subject: TextPattern
    body: TextPattern
    # Whether the email has a one-time code, or a verification or reset link.
    has_otp: bool
    has_magic_link: bool
    # Any other condition. Called with the email, returns True or False.
    where: Where
    # Only emails received after this time: an email's `received_at`, or the result of `mark()`.
    after: datetime


OPTIONS = tuple(Selection.__annotations__)


@dataclass(frozen=True)
class Condition:
    """A condition on an email's parsed contents, which require another request."""

    # For messages, such as `code that matches /x/`.
    what: str
    pick: Callable[[Contents, EmailData], Optional[str]]


@dataclass(frozen=True)
class Wanted:
    """Selects emails of an inbox. `texts` and `flags` use the names of the JSON fields."""

    address: str
    texts: Dict[str, TextPattern]
    flags: Dict[str, bool]
    where: Optional[Where]
    after: Optional[datetime]
    condition: Optional[Condition] = None

    @property
    def is_all_servers(self) -> bool:
        """Whether the server applies all conditions, so that every listed email matches."""
        only_texts = all(isinstance(value, str) for value in self.texts.values())
        return only_texts and self.where is None and self.condition is None

    def query(self, after: Optional[datetime]) -> Dict[str, Any]:
        """The conditions that the server applies (D9), for emails after a cursor if one is given."""
        texts = {name: value for name, value in self.texts.items() if isinstance(value, str)}
        return {**texts, **self.flags, "after": None if after is None else time_text(after)}

    def is_later(self, received_at: str) -> bool:
        return self.after is None or time_of(received_at) > self.after

    def known_mismatches(self, fields: Dict[str, Any]) -> List[str]:
        """Returns why an email or summary does not match. Skips truncated fields, because their rest may match."""
        cut = fields.get("cut") or ()
        reasons = []
        for name in _TEXTS:
            wanted, text = self.texts.get(name), None if name in cut else fields.get(name)
            if wanted is not None and text is not None and not contains(text, wanted):
                reasons.append(f"{name} does not match")
        for flag, name, word in _FLAGS:
            has = fields.get(name) is not None
            if flag in self.flags and self.flags[flag] != has and name not in cut:
                reasons.append(f"has a {word}" if has else f"no {word}")
        return reasons

    def mismatches(self, fields: Dict[str, Any], email: EmailData) -> List[str]:
        reasons = self.known_mismatches(fields)
        # Checks `where` last, because the caller's function may rely on the other conditions.
        if not reasons and self.where is not None and not _is_accepted(self.where, email):
            reasons.append("where() refuses it")
        return reasons

    def in_words(self) -> List[str]:
        parts = [f"with a {self.condition.what}"] if self.condition else []
        for flag, _, word in _FLAGS:
            if flag in self.flags:
                parts.append(f"with{'' if self.flags[flag] else 'out'} a {word}")
        parts += [f"{name} {shown_pattern(self.texts[name])}" for name in _TEXTS if name in self.texts]
        return parts + (["that where() accepts"] if self.where else [])


def wanted_of(
    call: str,
    address: str,
    *,
    from_: Optional[TextPattern] = None,
    subject: Optional[TextPattern] = None,
    body: Optional[TextPattern] = None,
    has_otp: Optional[bool] = None,
    has_magic_link: Optional[bool] = None,
    where: Optional[Where] = None,
    after: Optional[datetime] = None,
    condition: Optional[Condition] = None,
) -> Wanted:
    """Raises `MayflyOptionError` for an invalid value."""
    texts = {"from": from_, "subject": subject, "body": body}
    for name, text in texts.items():
        check_pattern(call, f"{name}_" if name == "from" else name, text)
    check_flag(call, "has_otp", has_otp)
    check_flag(call, "has_magic_link", has_magic_link)
    check_date(call, "after", after)
    if where is not None and not callable(where):
        raise MayflyOptionError(f"{call}: where must be a function.")
    flags = {"hasOtp": has_otp, "hasMagicLink": has_magic_link}
    return Wanted(
        address=address,
        texts={name: text for name, text in texts.items() if text is not None},
        flags={name: flag for name, flag in flags.items() if flag is not None},
        where=where,
        after=after,
        condition=condition,
    )


def code_condition(pattern: Optional[TextPattern]) -> Condition:
    """Selects the best code, or the best that matches `pattern`. Without codes, searches the email's texts for it."""

    def pick(contents: Contents, email: EmailData) -> Optional[str]:
        if contents.codes or pattern is None:
            return next((code.value for code in contents.codes if contains(code.value, pattern)), None)
        return _match_in(email.subject, pattern) or _match_in(email.body, pattern)

    return Condition(f"code{_told('that matches', pattern)}", pick)


def link_condition(text: Optional[TextPattern], pattern: Optional[TextPattern]) -> Condition:
    """Selects the action link if it matches; otherwise, if a text or pattern is given, the first link that matches."""

    def pick(contents: Contents, email: EmailData) -> Optional[str]:
        matching = [link for link in contents.links if contains(link.text, text) and contains(link.url, pattern)]
        chosen = next((link for link in matching if link.action), None)
        if chosen is None and matching and (text is not None or pattern is not None):
            chosen = matching[0]
        return chosen.url if chosen else None

    return Condition(f"link{_told('with the text', text)}{_told('to', pattern)}", pick)


# A word: letters and digits, which hyphens and underscores may join.
_WORD = re.compile(r"[^\W_]+(?:[-_][^\W_]+)*")


def _is_code_like(text: str) -> bool:
    """Whether a word may be a code: it contains a digit, or consists of at least four capitals."""
    return any(one.isnumeric() for one in text) or (len(text) >= 4 and not any(one.islower() for one in text))


def _match_in(text: str, pattern: TextPattern) -> Optional[str]:
    words = (match[0] for match in _WORD.finditer(text))
    word = next((one for one in words if _is_code_like(one) and contains(one, pattern)), None)
    if word is not None or isinstance(pattern, str):
        return word
    match = pattern.search(text)
    return match[0] if match and _is_code_like(match[0]) else None


def _told(how: str, pattern: Optional[TextPattern]) -> str:
    return "" if pattern is None else f" {how} {shown_pattern(pattern)}"


def _is_accepted(where: Where, email: EmailData) -> bool:
    answer: Any = where(email)
    if isinstance(answer, bool):
        return answer
    # A coroutine is truthy and would pass as a match.
    if inspect.iscoroutine(answer):
        answer.close()
        raise MayflyOptionError("where() must return True or False, not a coroutine.")
    raise MayflyOptionError(f"where() must return True or False, not {answer!r}.")
