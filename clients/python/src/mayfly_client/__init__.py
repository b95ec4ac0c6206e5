"""Waits for emails in tests, with the service Mayfly: `Mayfly().create_inbox().wait_for_otp()`."""

from ._async_client import AsyncAttachment, AsyncEmail, AsyncInbox, AsyncMayfly, AsyncPhone
from ._client import Attachment, Email, Inbox, Mayfly, Phone
from ._email import Attempt, Code, EmailData, Header, Link, Links
from ._errors import (
    MayflyAuthError,
    MayflyError,
    MayflyGoneError,
    MayflyNetworkError,
    MayflyOptionError,
    MayflyRateLimitError,
    MayflyResponseError,
    MayflyTimeoutError,
    MayflyUnexpectedEmailError,
)
from ._filter import Selection

__all__ = [
    "AsyncAttachment",
    "AsyncEmail",
    "AsyncInbox",
    "AsyncMayfly",
    "AsyncPhone",
    "Attachment",
    "Attempt",
    "Code",
    "Email",
    "EmailData",
    "Header",
    "Inbox",
    "Link",
    "Links",
    "Mayfly",
    "MayflyAuthError",
    "MayflyError",
    "MayflyGoneError",
    "MayflyNetworkError",
    "MayflyOptionError",
    "MayflyRateLimitError",
    "MayflyResponseError",
    "MayflyTimeoutError",
    "MayflyUnexpectedEmailError",
    "Phone",
    "Selection",
]

# Makes tracebacks and help show the module that users import from.
for _name in __all__:
    globals()[_name].__module__ = __name__
