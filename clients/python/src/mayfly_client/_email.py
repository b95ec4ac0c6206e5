"""What an email holds."""

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
    # Its visible text, or else its title; "" if it has neither.
    text: str
    # 'subject', 'text' or 'html'.
    place: str
    # Whether the mail asks its reader to follow this link: at most one has this.
    action: bool


class Links(List[Link]):
    """The links of an email, in the order of the message."""

    def find(self, wanted: TextPattern) -> Optional[Link]:
        """The first link whose text or URL contains this text, ignoring case, or matches this pattern."""
        return next((link for link in self if contains(link.text, wanted) or contains(link.url, wanted)), None)

    @property
    def action(self) -> Optional[Link]:
        """The link that the mail asks its reader to follow."""
        return next((link for link in self if link.action), None)


@dataclass(frozen=True)
class Code:
    """A code that could be a one-time code."""

    value: str
    place: str
    score: float


@dataclass(frozen=True)
class Header:
    """A header field: as written, decoded, and its raw text."""

    name: str
    value: str
    raw: str


@dataclass(frozen=True)
class Contents:
    """What the message of an email holds beyond its fields."""

    html: Optional[str]
    links: Links
    codes: Tuple[Code, ...]
    headers: Tuple[Header, ...]
    # The attached parts, as the service tells them.
    attached: Tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Attempt:
    """An attempt to send mail to an inbox. `error` holds the reply's `code`, `enhanced` and `text`."""

    at: str
    way: str
    to: Optional[str]
    # 'kept', an error, or how the client left.
    outcome: str
    error: Optional[Mapping[str, Any]]
    received_at: Optional[str]
    # All that the service tells of it.
    fields: Mapping[str, Any] = field(repr=False)


def fields_of(wire: Dict[str, Any]) -> Dict[str, Any]:
    """The fields of an email of the wire. Raises `KeyError`, `TypeError` or `ValueError` where it is none."""
    raw = wire["rawBody"]
    return {
        "id": wire["id"],
        "from_": wire["from"],
        "from_name": _from_name(raw),
        "to": wire["to"],
        "subject": wire["subject"],
        "body": wire["body"],
        "raw_body": raw,
        "otp": wire["otp"],
        "magic_link": wire["magicLink"],
        "received_at": time_of(wire["receivedAt"]),
    }


def contents_of(wire: Dict[str, Any]) -> Contents:
    return Contents(
        html=wire["html"],
        links=Links(Link(one["url"], one["text"], one["place"], one["action"]) for one in wire["links"]),
        codes=tuple(Code(one["value"], one["place"], one["score"]) for one in wire["codes"]),
        headers=tuple(Header(one["name"], one["value"], one["raw"]) for one in wire["headers"]),
        attached=tuple(part for part in wire["parts"] if part["attachment"]),
    )


def attempt_of(wire: Dict[str, Any]) -> Attempt:
    return Attempt(wire["at"], wire["way"], wire["to"], wire["outcome"], wire["error"], wire["receivedAt"], wire)


def _from_name(message: str) -> str:
    """Decoded display name of the From header, in one line. An email travels without it."""
    try:
        value = str(HeaderParser().parsestr(message[:MAX_HEADER_LENGTH]).get("From", ""))
        name, _ = parseaddr(re.sub(r"\s+", " ", value))
        pieces = [
            piece if isinstance(piece, str) else piece.decode(charset or "latin-1", "replace")
            for piece, charset in decode_header(name)
        ]
    # Its sender may name an unknown charset, or write no valid words.
    except (LookupError, ValueError):
        return ""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", "".join(pieces)).strip()
