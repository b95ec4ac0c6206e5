"""URLs of the user pages, as in packages/protocol/src/docs.ts."""

from __future__ import annotations

import os

DOCS_URL = "https://OWNER.github.io/mayfly/"


def docs_url(page: str) -> str:
    """URL of a user page, such as `isolation`. `MAYFLY_DOCS_URL` replaces the base, for a copy of the site."""
    base = os.environ.get("MAYFLY_DOCS_URL") or DOCS_URL
    return f"{base.rstrip('/')}/{page}"
