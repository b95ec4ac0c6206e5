"""URLs of the user pages, as in packages/protocol/src/docs.ts."""

from __future__ import annotations

import os
import re

DOCS_URL = "https://OWNER.github.io/mayfly/"


def docs_url(page: str) -> str:
    """URL of a user page, such as `isolation`. `MAYFLY_DOCS_URL`, if it is http(s), replaces the base."""
    given = os.environ.get("MAYFLY_DOCS_URL", "")
    base = given if re.fullmatch(r"https?://[!-~]+", given) else DOCS_URL
    return f"{base.rstrip('/')}/{page}"
