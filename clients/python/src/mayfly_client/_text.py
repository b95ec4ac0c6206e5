"""Compares texts, and formats them for messages."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timezone
from typing import Optional, Pattern, Union

from ._bounds import MAX_SUBJECT_LENGTH

# A string that matches part of a text, ignoring case, or a compiled regular expression.
TextPattern = Union[str, Pattern[str]]

# Only ASCII digits, because a time becomes part of a request's path.
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
# The characters of Unicode's Default_Ignorable_Code_Point.
_WIDTHLESS = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_DATE = "%Y-%m-%dT%H:%M:%S.%fZ"


def contains(text: str, wanted: Optional[TextPattern]) -> bool:
    if wanted is None:
        return True
    if isinstance(wanted, str):
        return comparable(wanted) in comparable(text)
    return wanted.search(text) is not None


def comparable(text: str) -> str:
    """The visible text as the service compares it: in lower case, with one space for all whitespace between words."""
    seen = _WIDTHLESS.sub("", unicodedata.normalize("NFC", text.lower()))
    return re.sub(r"[^\S\n]+", " ", seen)


def kind_at(address: str) -> str:
    """The kind of message that an address receives: the address of a phone number receives text messages."""
    return "text message" if re.match(r"\+[0-9]+@", address) else "email"


def shown_pattern(wanted: TextPattern) -> str:
    return f'"{wanted}"' if isinstance(wanted, str) else f"/{wanted.pattern}/"


def one_line(text: str, longest: int = MAX_SUBJECT_LENGTH) -> str:
    """A text on one line. Replaces characters that could control a terminal or change the direction of text."""
    line = "".join(" " if unicodedata.category(one) in ("Cc", "Cf") else one for one in text[: longest + 1])
    line = re.sub(r" {2,}", " ", line)
    return f"{line[:longest]}…" if len(text) > longest else line


def title_of(subject: object, text: object) -> str:
    """The title of an email in messages: its subject or, as text messages have none, the beginning of its text."""
    return one_line(str(subject or "")) or one_line(str(text or "").strip())


def time_of(text: str) -> datetime:
    """A time as the service writes it. Raises `ValueError` for anything else."""
    if not _TIME.fullmatch(text):
        raise ValueError("not a time of the service")
    return datetime.strptime(text, _DATE).replace(tzinfo=timezone.utc)


def time_text(moment: datetime) -> str:
    utc = moment.astimezone(timezone.utc)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"
