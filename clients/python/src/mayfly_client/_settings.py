"""The address of Mayfly and the options of the client. Unset options come from the environment."""

from __future__ import annotations

import math
import os
import re
import ssl
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Mapping, Optional, Tuple, TypeVar
from urllib.parse import urlsplit

from ._bounds import MAX_COUNT, MAX_WAIT, STANDARD_CONNECT_TIMEOUT, STANDARD_TIMEOUT
from ._errors import MayflyOptionError
from ._names import STANDARD_DOMAIN, ascii_domain, checked_domain

_Value = TypeVar("_Value")

STANDARD_URL = "http://127.0.0.1:8080"

# No query, no credentials, and no character that would end the request line. A path is allowed.
_BASE_URL = re.compile(r"https?://[^/?#@\s\x00-\x1f]+(?:/[!-~]*)?", re.IGNORECASE)
# The server's rule for `--workspace`: a name, and a key of 16 to 512 characters.
_API_KEY = re.compile(r"([a-z0-9](?:-?[a-z0-9]){0,31})=(?=.{16,512}\Z)([A-Za-z0-9_.~+/-]+=*)")

# UTF-8 cannot encode the surrogates of UTF-16.
_SURROGATE = re.compile("[\ud800-\udfff]")
_CREDENTIALS = re.compile(r"[!-9;-~]+:[!-~]+")
# The service's rule for keys (RFC 6750 section 2.1).
_SECRET = re.compile(r"(?=.{16,512}\Z)[A-Za-z0-9_.~+/-]+=*")


@dataclass(frozen=True)
class Settings:
    # Without a slash at the end.
    base_url: str
    # Host and port as in the base URL.
    authority: str
    host: str
    port: int
    tls_context: Optional[ssl.SSLContext] = field(repr=False)
    # The path of the base URL, without a slash at the end.
    path: str
    domain: str
    # Whether the caller chose the domain. If not, inboxes are in the service's first domain.
    is_domain_chosen: bool
    workspace: Optional[str]
    key: Optional[str] = field(repr=False)
    credentials: Optional[str] = field(repr=False)
    timeout: float
    connect_timeout: float


def read_settings(
    base_url: Optional[str],
    domain: Optional[str],
    api_key: Optional[str],
    timeout: Optional[float],
    connect_timeout: Optional[float],
    credentials: Optional[str],
    space: Optional[str],
    ssl_context: Optional[ssl.SSLContext],
) -> Settings:
    """Raises `MayflyOptionError` for an invalid value, wherever it comes from."""
    texts = {"base_url": base_url, "domain": domain, "api_key": api_key, "credentials": credentials, "space": space}
    for name, value in texts.items():
        check_text("Mayfly", name, value)
    credentials = current("Mayfly: ", "credentials", credentials, "space", space)
    check_time("Mayfly", "timeout", timeout)
    check_time("Mayfly", "connect_timeout", connect_timeout)
    if ssl_context is not None and not isinstance(ssl_context, ssl.SSLContext):
        raise MayflyOptionError("Mayfly: ssl_context must be an ssl.SSLContext.")
    variables = os.environ
    url = base_url if base_url is not None else variables.get("MAYFLY_URL") or STANDARD_URL
    chosen = domain if domain is not None else _domain_of_server(variables.get("MAYFLY_DOMAIN", ""))
    workspace, key = _workspace_of(api_key if api_key is not None else variables.get("MAYFLY_API_KEY"))
    host, port, is_tls, path = _parts_of(url)
    shown_host = f"[{host}]" if ":" in host else host
    authority = shown_host if port == (443 if is_tls else 80) else f"{shown_host}:{port}"
    return Settings(
        base_url=f"http{'s' if is_tls else ''}://{authority}{path}",
        authority=authority,
        host=host,
        port=port,
        # One context for all connections, because a new one reads the system's certificates and blocks an event loop.
        tls_context=(ssl_context or ssl.create_default_context()) if is_tls else None,
        path=path,
        domain=checked_domain(STANDARD_DOMAIN if chosen is None else chosen),
        is_domain_chosen=chosen is not None,
        workspace=workspace,
        key=key,
        credentials=_checked_credentials(_credentials_in(variables) if credentials is None else credentials),
        timeout=STANDARD_TIMEOUT if timeout is None else timeout,
        connect_timeout=STANDARD_CONNECT_TIMEOUT if connect_timeout is None else connect_timeout,
    )


def _parts_of(text: str) -> Tuple[str, int, bool, str]:
    try:
        url = urlsplit(text)
        host, port = ascii_domain(url.hostname or ""), url.port
    except ValueError:
        host, port = "", None
    if not host or port == 0 or not _BASE_URL.fullmatch(text) or "?" in text or "#" in text:
        raise MayflyOptionError(
            f'"{text}" is not a base URL. Set base_url or MAYFLY_URL to one such as {STANDARD_URL}, without '
            "query or credentials."
        )
    is_tls = url.scheme == "https"
    return host, port or (443 if is_tls else 80), is_tls, url.path.rstrip("/")


def _domain_of_server(variable: str) -> Optional[str]:
    """The first domain in `MAYFLY_DOMAIN`. The server reads it too, so it may be a list or contain `*` (any domain)."""
    domains = (domain.strip() for domain in variable.split(","))
    return next((domain for domain in domains if domain not in ("", "*")), None)


def _workspace_of(text: Optional[str]) -> Tuple[Optional[str], Optional[str]]:
    if not text:
        return None, None
    parts = _API_KEY.fullmatch(text)
    if parts:
        return parts[1], parts[2]
    # Does not repeat the text: it may be a key, and other people read logs.
    raise MayflyOptionError(
        "api_key or MAYFLY_API_KEY is not valid. Write it as NAME=KEY; a key has 16 to 512 characters."
    )


def _credentials_in(variables: Mapping[str, str]) -> Optional[str]:
    names = "MAYFLY_CREDENTIALS", "MAYFLY_SPACE"
    given, old = (variables.get(name) or None for name in names)
    return current("", names[0], given, names[1], old)


def current(start: str, name: str, value: Optional[_Value], old: str, of_old: Optional[_Value]) -> Optional[_Value]:
    """The value of a renamed option. Raises `MayflyOptionError` if it is given by both names."""
    if value is not None and of_old is not None:
        raise MayflyOptionError(f"{start}{old} is the old name of {name}, and both are set. Remove {old}.")
    return of_old if value is None else value


def _checked_credentials(text: Optional[str]) -> Optional[str]:
    """Accepts only visible ASCII, because other characters could end a header. The service checks further rules."""
    if not text or _CREDENTIALS.fullmatch(text):
        return text or None
    # Does not repeat the text, which may be a password.
    raise MayflyOptionError(
        "credentials or MAYFLY_CREDENTIALS is not valid. Write it as USER:PASSWORD, in visible ASCII characters."
    )


def check_secret(call: str, value: Any) -> None:
    if value is not None and not (isinstance(value, str) and _SECRET.fullmatch(value)):
        raise MayflyOptionError(f"{call}: secret must be 16 to 512 letters, digits and -._~+/.")


def check_text(call: str, name: str, value: Any) -> None:
    if value is not None and not isinstance(value, str):
        raise MayflyOptionError(f"{call}: {name} must be a string.")


def check_pattern(call: str, name: str, value: Any) -> None:
    is_pattern = isinstance(value, re.Pattern) and isinstance(value.pattern, str)
    if value is not None and not isinstance(value, str) and not is_pattern:
        raise MayflyOptionError(f"{call}: {name} must be a string or a compiled regular expression.")
    if isinstance(value, str) and _SURROGATE.search(value):
        raise MayflyOptionError(f"{call}: {name} contains an unpaired surrogate, which no email contains.")


def check_flag(call: str, name: str, value: Any) -> None:
    if value is not None and not isinstance(value, bool):
        raise MayflyOptionError(f"{call}: {name} must be True or False.")


def check_date(call: str, name: str, value: Any) -> None:
    if value is None or (isinstance(value, datetime) and value.utcoffset() is not None):
        return
    raise MayflyOptionError(
        f"{call}: {name} must be a datetime with a time zone, such as an email's received_at or what mark() returns."
    )


def check_time(call: str, name: str, value: Any, least: float = 0.001) -> None:
    if value is None:
        return
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and math.isfinite(value) and least <= value <= MAX_WAIT:
        return
    message = f"{call}: {name} must be a number of seconds from {least:g} to {MAX_WAIT:g}."
    # The value may be meant in milliseconds, as in other tools.
    if is_number and MAX_WAIT < value <= MAX_WAIT * 1000:
        message = f"{message[:-1]}, and {value:.10g} s are {value / 3600:.1f} hours. Did you mean {value / 1000:.10g}?"
    raise MayflyOptionError(message)


def check_count(call: str, name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_COUNT:
        raise MayflyOptionError(f"{call}: {name} must be a whole number of emails from 1 to {MAX_COUNT}.")
