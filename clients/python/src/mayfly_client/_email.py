"""The types of an email and its contents."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from email.header import decode_header
from email.parser import HeaderParser
from email.utils import parseaddr
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._bounds import MAX_HEADER_LENGTH
from ._text import TextPattern, contains, time_of

_PART_PATH = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,99}")


@dataclass(frozen=True)
class EmailData:
    """The fields of an email."""

    # The Message-ID header.
    id: str
    # Address of the sender, and the decoded display name; "" if missing.
    from_: str
    from_name: str
    to: str
    subject: str
    # Readable text, at most the first 5,000 characters.
    body: str
    # The whole message as received.
    raw_body: str = field(repr=False)
    otp: Optional[str]
    magic_link: Optional[str]
    # When the message arrived, by the server's clock. Strictly increases within an inbox.
    received_at: datetime


@dataclass(frozen=True)
class Link:
    """A link of an email."""

    url: str
    # The link's visible text, or else its title; "" if it has neither.
    text: str
    # 'subject', 'text' or 'html'.
    place: str
    # Whether this is the action link. An email has at most one action link.
    action: bool


class Links(List[Link]):
    """The links of an email, in the order of the message."""

    def find(self, wanted: TextPattern) -> Optional[Link]:
        """The first link whose text or URL contains this text, ignoring case, or matches this pattern."""
        return next((link for link in self if contains(link.text, wanted) or contains(link.url, wanted)), None)

    @property
    def action(self) -> Optional[Link]:
        """The action link."""
        return next((link for link in self if link.action), None)


@dataclass(frozen=True)
class Code:
    """A code that could be a one-time code."""

    value: str
    place: str
    score: float


@dataclass(frozen=True)
class Header:
    """A header field: its name as written, its decoded value, and its raw text."""

    name: str
    value: str
    raw: str


@dataclass(frozen=True)
class AttachedPart:
    """A part of a message that is an attached file."""

    # The part's number, such as `1.2`.
    path: str
    filename: Optional[str]
    type: str
    size: int
    charset: Optional[str]


@dataclass(frozen=True)
class Contents:
    """The parsed contents of an email."""

    html: Optional[str]
    links: Links
    codes: Tuple[Code, ...]
    headers: Tuple[Header, ...]
    attached: Tuple[AttachedPart, ...]


@dataclass(frozen=True)
class Attempt:
    """An attempt to send mail to an inbox. `error` holds the reply's `code`, `enhanced` and `text`."""

    at: str
    way: str
    to: Optional[str]
    # 'kept', the name of an error, or where the client stopped.
    outcome: str
    error: Optional[Mapping[str, Any]]
    received_at: Optional[str]
    # All fields that the service returned.
    fields: Mapping[str, Any] = field(repr=False)


def fields_of(wire: Dict[str, Any]) -> Dict[str, Any]:
    """Reads the JSON of an email. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    raw = _text_in(wire, "rawBody")
    return {
        "id": _text_in(wire, "id"),
        "from_": _text_in(wire, "from"),
        "from_name": _from_name(raw),
        "to": _text_in(wire, "to"),
        "subject": _text_in(wire, "subject"),
        "body": _text_in(wire, "body"),
        "raw_body": raw,
        "otp": _text_or_none(wire, "otp"),
        "magic_link": _text_or_none(wire, "magicLink"),
        "received_at": time_of(wire["receivedAt"]),
    }


def is_summary(one: Any) -> bool:
    """Whether a value has the fields of an email or summary that a search uses."""
    try:
        time_of(one["receivedAt"])
        for name in ("from", "subject", "body", "otp", "magicLink"):
            _text_or_none(one, name)
        return isinstance(one.get("cut", []), list)
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def contents_of(wire: Dict[str, Any]) -> Contents:
    """Reads the JSON of parsed contents. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    return Contents(
        html=_text_or_none(wire, "html"),
        links=Links(
            Link(_text_in(one, "url"), _text_in(one, "text"), _text_in(one, "place"), one["action"] is True)
            for one in list_in(wire, "links")
        ),
        codes=tuple(
            Code(_text_in(one, "value"), _text_in(one, "place"), one["score"]) for one in list_in(wire, "codes")
        ),
        headers=tuple(
            Header(_text_in(one, "name"), _text_in(one, "value"), _text_in(one, "raw"))
            for one in list_in(wire, "headers")
        ),
        attached=tuple(_attached(part) for part in list_in(wire, "parts") if part["attachment"]),
    )


def _attached(part: Dict[str, Any]) -> AttachedPart:
    path, size = _text_in(part, "path"), part["size"]
    # Checked, because the value becomes part of a request's URL.
    if not _PART_PATH.fullmatch(path):
        raise ValueError("not the number of a part")
    return AttachedPart(
        path,
        _text_or_none(part, "filename"),
        _text_in(part, "type"),
        size if isinstance(size, int) else 0,
        _text_or_none(part, "charset"),
    )


def list_in(wire: Dict[str, Any], name: str) -> List[Any]:
    """The list in a field. Raises `KeyError` or `TypeError` for anything else."""
    value = wire[name]
    if not isinstance(value, list):
        raise TypeError(f"{name} is not a list")
    return value


def _text_in(wire: Dict[str, Any], name: str) -> str:
    value = wire[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} is not a text")
    return value


def _text_or_none(wire: Dict[str, Any], name: str) -> Optional[str]:
    return None if wire.get(name) is None else _text_in(wire, name)


def explanation_of(wire: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the JSON of an explanation unchanged. Raises `KeyError` or `TypeError` for anything else."""
    for name in ("otpCandidates", "letterCandidates", "magicLinkCandidates"):
        for one in list_in(wire, name):
            for text in ("value", "verdict", "where"):
                _text_in(one, text)
            for reason in list_in(one, "reasons"):
                _text_in(reason, "rule"), _text_in(reason, "text")
    return wire


def attempt_of(wire: Dict[str, Any]) -> Attempt:
    """Reads the JSON of a delivery attempt. Raises `KeyError` or `TypeError` for anything else."""
    at, way, outcome = _text_in(wire, "at"), _text_in(wire, "way"), _text_in(wire, "outcome")
    return Attempt(at, way, wire["to"], outcome, wire["error"], wire["receivedAt"], wire)


def _from_name(message: str) -> str:
    """Decoded display name of the From header, in one line. The JSON of an email lacks this name."""
    try:
        value = str(HeaderParser().parsestr(message[:MAX_HEADER_LENGTH]).get("From", ""))
        name, _ = parseaddr(re.sub(r"\s+", " ", value))
        pieces = [
            piece if isinstance(piece, str) else piece.decode(charset or "latin-1", "replace")
            for piece, charset in decode_header(name)
        ]
    # The sender may name an unknown charset, or write invalid words.
    except (LookupError, ValueError):
        return ""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", "".join(pieces)).strip()
