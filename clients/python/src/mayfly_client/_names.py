"""Names of inboxes and their domains, by the rules of the service (D1, D64)."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from typing import Optional, Sequence, Tuple

from ._bounds import LONG_SECRET_LENGTH, MAX_DOMAIN_LENGTH, MAX_NAME_LENGTH, MAX_PREFIX_LENGTH, SECRET_LENGTH
from ._errors import MayflyOptionError

# 16 words each, which make names easy to tell apart. They are not secret, and the service recognizes them (D48).
ADJECTIVES = "able bold calm clear cool fair fast fine glad good kind neat nice swift warm wise".split()
ANIMALS = "ant ape bat bear bee cat cow crow deer dog duck fox goat hare hen otter".split()
# The alphabet of Base32 (RFC 4648 section 6) in lower case.
BASE32 = "abcdefghijklmnopqrstuvwxyz234567"

STANDARD_DOMAIN = "inbox.example.com"

_NAME = re.compile(r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*")
_DOMAIN = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# An address literal in place of a domain (RFC 5321 section 4.1.3).
_LITERAL = re.compile(r"\[[a-z0-9:.]+\]")


def new_name(*prefixes: Optional[str]) -> str:
    """A new name, such as `swift-otter-k3v2x7m5q4tp`, after the given prefixes."""
    parts = [prefix for prefix in prefixes if prefix]
    prefix = "-".join(parts)
    if len(prefix) > MAX_PREFIX_LENGTH:
        raise MayflyOptionError(f'"{prefix}" is too long: a prefix has at most {MAX_PREFIX_LENGTH} characters.')
    secret = random_text(SECRET_LENGTH)
    return checked_name("-".join([*parts, secrets.choice(ADJECTIVES), secrets.choice(ANIMALS), secret]), prefix)


def new_private_name() -> Tuple[str, str]:
    """A new private name and the secret that opens it. The name has 130 bits of the secret's SHA-256 (D65)."""
    secret = random_text(LONG_SECRET_LENGTH)
    digest = int.from_bytes(hashlib.sha256(secret.encode("ascii")).digest(), "big") >> (256 - 5 * LONG_SECRET_LENGTH)
    shifts = range(5 * (LONG_SECRET_LENGTH - 1), -1, -5)
    return "p-" + "".join(BASE32[digest >> shift & 31] for shift in shifts), secret


def random_text(length: int) -> str:
    return "".join(secrets.choice(BASE32) for _ in range(length))


def checked_name(text: str, given: Optional[str] = None) -> str:
    """Normalizes a name for storage. Errors quote `given`."""
    if len(text) <= MAX_NAME_LENGTH and _NAME.fullmatch(text):
        return text.lower()
    quoted = text if given is None else given
    raise MayflyOptionError(
        f'"{quoted}" is not an inbox name. Use 1 to {MAX_NAME_LENGTH} characters of a-z 0-9 _ + - and single dots '
        "between them."
    )


def simulating(name: str, faults: Sequence[str]) -> str:
    """A name with faults, each after `--` and without spaces."""
    return checked_name("--".join([name, *("".join(fault.split()) for fault in faults)]))


def checked_domain(text: str, address: Optional[str] = None) -> str:
    """Normalizes a domain, or the domain of `address`, to lower case and ASCII (RFC 5890)."""
    domain = ascii_domain(text) if len(text) <= MAX_DOMAIN_LENGTH else ""
    if len(domain) <= MAX_DOMAIN_LENGTH and (_DOMAIN.fullmatch(domain) or _LITERAL.fullmatch(domain)):
        return domain
    start, remedy = "", "Set domain or MAYFLY_DOMAIN to"
    if address is not None:
        start, remedy = f'"{address}" is not an address: ', "Use"
    raise MayflyOptionError(f'{start}"{text}" is not a domain. {remedy} one such as {STANDARD_DOMAIN}.')


def ascii_domain(text: str) -> str:
    """The ASCII form of a domain (RFC 5890); `""` if it has none."""
    if text.isascii():
        return text.lower()
    # Python implements IDNA 2003, which turns "ß" into "ss" and so names a different domain.
    labels = unicodedata.normalize("NFKC", text).lower().split(".")
    if not all(unicodedata.category(one)[0] in "LMN" or one in "_-" for label in labels for one in label):
        return ""
    return ".".join(label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}" for label in labels)
