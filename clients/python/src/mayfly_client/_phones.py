"""Phone numbers that are reserved for fiction, so that no person has them (docs/sms.md)."""

from __future__ import annotations

import re
import secrets
from typing import Dict, List, Optional, Tuple

from ._errors import MayflyOptionError
from ._text import one_line

US = (
    "201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 "
    "253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 "
    "321 323 330 334 336 337 339 347 351 352 360 361 386 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 "
    "423 425 432 434 435 440 443 469 478 479 480"
)
CA = "204 250 306 403 416 418 450 506 514 519 604 613 647 705 709 780 819 867 902 905"

# For each country the start of its numbers, the parts that may follow, and the end, in which each x is a digit.
RANGES: Dict[str, Tuple[str, str, str]] = {
    "US": ("+1", US, "55501xx"),
    "CA": ("+1", CA, "55501xx"),
    "GB": ("+44207946", "0", "xxx"),
    "FR": ("+33199", "00", "xxxx"),
    "DE": ("+49171392", "00", "xx"),
    "SE": ("+467017406", "1 2 3 4 5 6 7 8 9", "x"),
}

# Numbers that no call in this process got, by country. Ranges are small, so another process may create the same.
_unused: Dict[str, List[str]] = {}


def new_number(country: str) -> str:
    """A number that no other call in this process got, unless the range is used up."""
    if country not in RANGES:
        raise MayflyOptionError(f"create_phone: country must be one of {', '.join(RANGES)}.")
    numbers = _unused.get(country) or _numbers_of(country)
    _unused[country] = numbers
    return numbers.pop(secrets.randbelow(len(numbers)))


def _numbers_of(country: str) -> List[str]:
    code, areas, end = RANGES[country]
    digits = end.count("x")
    ends = [end.rstrip("x") + str(at).zfill(digits) for at in range(10**digits)]
    return [code + area + last for area in areas.split() for last in ends]


def phone_number(text: str) -> str:
    """The name of a number's inbox. Accepts any notation with a country code."""
    digits = re.sub(r"^(?:\+|00)", "", re.sub(r"\(0\)|[\s().\-/]", "", text)) if isinstance(text, str) else ""
    found: Optional[re.Match[str]] = re.fullmatch(r"[1-9][0-9]{6,14}", digits)
    if found is None:
        raise MayflyOptionError(f'"{one_line(str(text))}" is not a phone number. Use one such as +12015550142.')
    return f"+{digits}"
