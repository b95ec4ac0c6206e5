"""URLs of the user documentation, as in packages/protocol/src/docs.ts."""

from __future__ import annotations

import os
import re

DOCS_URL = "https://OWNER.github.io/mayfly/"


def docs_url(page: str) -> str:
    """URL of a documentation page, such as `isolation`. An http(s) `MAYFLY_DOCS_URL` replaces the base."""
    given = os.environ.get("MAYFLY_DOCS_URL", "")
    base = given if re.fullmatch(r"https?://[!-~]+", given) else DOCS_URL
    return f"{base.rstrip('/')}/{page}"
