"""
Generates the blocking client from the asyncio one. With "--check", writes nothing and exits with 1 if the blocking
client is out of date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "src" / "mayfly_client"
SOURCE = FOLDER / "_async_client.py"
MADE = FOLDER / "_client.py"

RULES = (
    (r"\A\"\"\"The client for asyncio", f'"""The blocking client. Made from `{SOURCE.name}` by `make_blocking.py`'),
    (r"\basync def\b", "def"),
    (r"\(await (run\([^\n]*\))\)\.", r"\1."),
    (r"\bawait ", ""),
    (r"\b_asynchronous\b", "_blocking"),
    (r"\bAsync(?=[A-Z])", ""),
)


def blocking(text: str) -> str:
    for pattern, becomes in RULES:
        text, count = re.subn(pattern, becomes, text)
        if count == 0:
            raise SystemExit(f"make_blocking.py: {SOURCE.name} has no {pattern}. Mend the rule.")
    left = re.search(r"(?i).*(?:async|await).*", text.split("\n", 1)[1])
    if left:
        raise SystemExit(f"make_blocking.py: no rule for '{left[0].strip()}' in {SOURCE.name}. Add one.")
    return text


def main() -> None:
    made = blocking(SOURCE.read_text("utf-8"))
    if sys.argv[1:] != ["--check"]:
        MADE.write_text(made, "utf-8")
    elif made != MADE.read_text("utf-8"):
        raise SystemExit(f"{MADE.name} differs from {SOURCE.name}: run clients/python/make_blocking.py.")


if __name__ == "__main__":
    main()
