"""Reads JSON that may be hostile."""

from __future__ import annotations

import json
from typing import Any

from ._bounds import MAX_DIGITS


def json_of(text: str) -> Any:
    """The value of a JSON text. Raises `ValueError` for anything else."""
    try:
        return json.loads(text, parse_int=_whole_number)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _whole_number(digits: str) -> int:
    """Limits the digits, because a conversion takes time quadratic in their number (CVE-2020-10735)."""
    if len(digits) > MAX_DIGITS:
        raise ValueError("a number is too long")
    return int(digits)
