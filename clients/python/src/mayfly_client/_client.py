"""The blocking client. Made from `_async_client.py` by `make_blocking.py`."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, cast

from ._blocking import run
from ._calls import Calls
from ._email import AttachedPart, Attempt, Code, EmailData, Header, Links
from ._filter import Selection
from ._inbox_core import InboxCore, Reader, ready
from ._phones import new_number, phone_number
from ._settings import check_time
from ._shared_client import SharedClient, SharedInbox
from ._text import TextPattern

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Attachment:
    """A file attached to an email. Its content is fetched on demand."""

    def __init__(self, reader: Reader, part: AttachedPart) -> None:
        self._reader = reader
        self._part = part
        # Decoded, safe file name; if missing, `part-` and the number of the part.
        self.name = part.filename or f"part-{part.path}"
        # Media type in lower case.
        self.type = part.type
        # Decoded size in bytes.
        self.size = part.size

    def bytes(self) -> bytes:
        """The decoded content."""
        return run(self._reader.part(self._part.path))

    def text(self) -> str:
        """The content as text, decoded from the charset that the sender declared."""
        content = self.bytes()
        try:
            return content.decode(self._part.charset or "utf-8", "replace")
        # The sender named an unknown charset.
        except LookupError:
            return content.decode("utf-8", "replace")


@dataclass(frozen=True)
class Email(EmailData):
    """
    An email. Each method fetches its result on the first call and then keeps it. The methods raise `MayflyGoneError` if
    the email has expired or was deleted before the fetch.
    """

    _reader: Reader = field(repr=False, compare=False)

    def html(self) -> Optional[str]:
        """The HTML of the body, unmodified; `None` if the email has none."""
        return run(self._reader.contents()).html

    def links(self) -> Links:
        """Every link that a reader can follow, in the order of the message."""
        return run(self._reader.contents()).links

    def codes(self) -> Tuple[Code, ...]:
        """Every code that could be a one-time code, including codes with letters, best first."""
        return run(self._reader.contents()).codes

    def headers(self) -> Tuple[Header, ...]:
        """The decoded header fields."""
        return run(self._reader.contents()).headers

    def attachments(self) -> List[Attachment]:
        """The attached files."""
        contents = run(self._reader.contents())
        return [Attachment(self._reader, part) for part in contents.attached]

    def explain(self) -> Dict[str, Any]:
        """The codes and links that the service considered, with its verdict on each and the reasons."""
        return run(self._reader.explanation())


class Inbox(SharedInbox):
    """
    One inbox. Any name is an inbox; you neither create nor close it. Lists of emails are newest first. Times are in
    seconds. If the server is unreachable or limits requests, a call retries until its timeout; if the server has never
    answered, until `connect_timeout`.
    """

    def __init__(self, core: InboxCore) -> None:
        super().__init__(core)
        self._calls = Calls(core)

    def wait_for_email(self, *, timeout: Optional[float] = None, **selection: Unpack[Selection]) -> Email:
        """The newest email that matches, even if it arrived before the call. Raises `MayflyTimeoutError`."""
        found = run(self._calls.wait_for_email("wait_for_email", timeout, selection))
        return cast(Email, found.view)

    def wait_for_otp(self, *, timeout: Optional[float] = None, **selection: Unpack[Selection]) -> str:
        """The one-time code of the newest email that matches and has a code. Raises `MayflyTimeoutError`."""
        return run(self._calls.wait_for_flag("wait_for_otp", "has_otp", timeout, selection)).view.otp or ""

    def wait_for_magic_link(self, *, timeout: Optional[float] = None, **selection: Unpack[Selection]) -> str:
        """The link of the newest email that matches and has a link. Raises `MayflyTimeoutError`."""
        waiting = self._calls.wait_for_flag("wait_for_magic_link", "has_magic_link", timeout, selection)
        return run(waiting).view.magic_link or ""

    def wait_for_code(
        self,
        *,
        pattern: Optional[TextPattern] = None,
        timeout: Optional[float] = None,
        **selection: Unpack[Selection],
    ) -> str:
        """
        The best code, which may contain letters, in the newest email that matches and has a code. With `pattern`, the
        best code that matches; if an email has no code, its subject and body are searched for a match.
        """
        return run(self._calls.wait_for_code(pattern, timeout, selection))

    def wait_for_link(
        self,
        *,
        text: Optional[TextPattern] = None,
        pattern: Optional[TextPattern] = None,
        timeout: Optional[float] = None,
        **selection: Unpack[Selection],
    ) -> str:
        """
        The URL of the action link in the newest matching email that has one. With `text` or `pattern`, the URL of a
        link that matches: the action link if it matches, otherwise the first match.
        """
        return run(self._calls.wait_for_link(text, pattern, timeout, selection))

    def wait_for_emails(
        self,
        count: int,
        *,
        settle: Optional[float] = None,
        timeout: Optional[float] = None,
        **selection: Unpack[Selection],
    ) -> List[Email]:
        """
        Waits for exactly `count` matching emails, then watches for further ones for `settle` seconds. Raises
        `MayflyTimeoutError` if fewer arrive, and `MayflyUnexpectedEmailError` if more arrive.
        """
        return cast(List[Email], run(self._calls.wait_for_emails(count, settle, timeout, selection)))

    def expect_no_email(self, *, within: Optional[float] = None, **selection: Unpack[Selection]) -> None:
        """
        Passes if no matching email arrived before the call, and none arrives for `within` seconds. Raises
        `MayflyUnexpectedEmailError` as soon as an email matches.
        """
        run(self._calls.expect_no_email(within, selection))

    def emails(self, **selection: Unpack[Selection]) -> List[Email]:
        """The current emails."""
        return cast(List[Email], run(self._calls.emails(**selection)))

    def latest(self, **selection: Unpack[Selection]) -> Optional[Email]:
        """The newest current email, or `None`."""
        return cast(Optional[Email], run(self._calls.latest(**selection)))

    def mark(self) -> datetime:
        """A time to use as `after`, which separates current emails from later ones."""
        return run(self._core.mark())

    def attempts(self) -> List[Attempt]:
        """The newest 100 delivery attempts to this inbox, accepted or rejected, oldest first."""
        return run(self._core.attempts())

    def clear(self) -> None:
        """Deletes the current emails."""
        run(self._core.clear())

    def delete(self, email: EmailData) -> None:
        """Deletes one email; succeeds if it is already gone."""
        run(self._core.delete(email))

    def release(self, order: Optional[Sequence[int]] = None) -> int:
        """
        Releases emails that the fault `hold` holds back, and returns their number. Without `order`, releases all held
        emails, and holds no later ones. `order` lists positions; the email at position 1 was held the longest.
        """
        return run(self._core.release(order))


class Phone(Inbox):
    """The inbox of a phone number, for text messages. Every method waits for texts as an inbox does for emails."""

    @property
    def number(self) -> str:
        """The number with its country code, such as `+12015550142`."""
        return self.name

    def __str__(self) -> str:
        return self.name


class Mayfly(SharedClient):
    """A client for one Mayfly service. Creating the client or its inboxes sends no request."""

    def create_inbox(
        self,
        prefix: Optional[str] = None,
        simulate: Optional[Sequence[str]] = None,
        *,
        private: bool = False,
        rehearse: Optional[Sequence[str]] = None,  # the old name of simulate
    ) -> Inbox:
        """
        A new inbox with an unguessable name: the workspace's name, the prefix, two words and 60 random bits. `simulate`
        lists faults for its mail, such as `["451 x2", "lost250"]`. A private inbox opens only with its `secret`, so its
        address may appear in logs. A private inbox has no prefix and no workspace.
        """
        return Inbox(self._new(_view, prefix, simulate, rehearse, private))

    def inbox(self, name_or_address: str, *, secret: Optional[str] = None) -> Inbox:
        """The inbox with this address, or with this name in `domain`. `secret` opens a private inbox."""
        return Inbox(self._named(_view, name_or_address, secret))

    def create_phone(self, country: str = "US") -> Phone:
        """A new phone number of this country, from a range that is reserved for fiction."""
        return Phone(self._named(_view, new_number(country), None))

    def phone(self, number: str) -> Phone:
        """The phone with this number, in any notation with a country code."""
        return Phone(self._named(_view, phone_number(number), None))

    def ready(self, timeout: Optional[float] = None) -> None:
        """Returns once Mayfly accepts mail and answers requests, for tests that start Mayfly themselves."""
        check_time("ready", "timeout", timeout)
        run(ready(self._transport, self._settings.timeout if timeout is None else timeout))


def _view(fields: Dict[str, Any], reader: Reader) -> Email:
    return Email(**fields, _reader=reader)
