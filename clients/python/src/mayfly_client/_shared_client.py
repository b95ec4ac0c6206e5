"""The base of both clients: settings, inboxes and their names."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Dict, Optional, Sequence

from ._bounds import MAX_OWN
from ._errors import MayflyOptionError
from ._inbox_core import InboxCore, Listener, Place, View
from ._names import checked_domain, checked_name, new_name, new_private_name, simulating
from ._settings import check_flag, check_secret, check_text, current, read_settings
from ._transport import Transport

if TYPE_CHECKING:
    from ssl import SSLContext


class SharedClient:
    def __init__(
        self,
        base_url: Optional[str] = None,
        domain: Optional[str] = None,
        api_key: Optional[str] = None,
        timeout: Optional[float] = None,
        connect_timeout: Optional[float] = None,
        credentials: Optional[str] = None,
        ssl_context: Optional[SSLContext] = None,
        *,
        space: Optional[str] = None,  # the old name of credentials
    ) -> None:
        """
        Missing options come from `MAYFLY_URL`, `MAYFLY_DOMAIN`, `MAYFLY_API_KEY` and `MAYFLY_CREDENTIALS`, or else from
        the defaults of `mayfly serve`. Times are in seconds. `ssl_context` is for a base URL with `https`. Raises
        `MayflyOptionError` if an option or a variable is invalid.
        """
        self._settings = read_settings(
            base_url, domain, api_key, timeout, connect_timeout, credentials, space, ssl_context
        )
        self._transport = Transport(self._settings, time.monotonic)
        # The observer that the pytest plugin uses for run reports.
        self._listener: Optional[Listener] = None
        self._own: Dict[str, InboxCore] = {}

    @property
    def base_url(self) -> str:
        """Base URL of the service, without a trailing slash."""
        return self._settings.base_url

    @property
    def domain(self) -> str:
        """Domain of the inboxes."""
        return self._settings.domain

    def _new(
        self,
        view: View,
        prefix: Optional[str],
        simulate: Optional[Sequence[str]],
        rehearse: Optional[Sequence[str]],
        private: bool,
    ) -> InboxCore:
        check_text("create_inbox", "prefix", prefix)
        check_flag("create_inbox", "private", private)
        given = current("create_inbox: ", "simulate", simulate, "rehearse", rehearse)
        faults = () if given is None else given
        # A list, because the check would exhaust an iterator.
        is_list = isinstance(faults, Sequence) and not isinstance(faults, str)
        if not is_list or not all(isinstance(fault, str) for fault in faults):
            raise MayflyOptionError("create_inbox: simulate must be a list of strings.")
        # The name of a private inbox is a hash, so it has no prefix.
        if private and prefix is not None:
            raise MayflyOptionError("create_inbox: prefix must be left out with private.")
        name, secret = new_private_name() if private else (new_name(self._settings.workspace, prefix), None)
        return self._core(view, simulating(name, faults), None, secret, time.monotonic())

    def _named(self, view: View, name_or_address: str, secret: Optional[str]) -> InboxCore:
        if not isinstance(name_or_address, str):
            raise MayflyOptionError("inbox: name_or_address must be a string.")
        check_secret("inbox", secret)
        name, at, domain = name_or_address.partition("@")
        given = checked_domain(domain, name_or_address) if at else None
        return self._core(view, checked_name(name), given, secret)

    def _core(
        self,
        view: View,
        name: str,
        given: Optional[str],
        secret: Optional[str],
        made_at: Optional[float] = None,
    ) -> InboxCore:
        """Makes an inbox. If no domain was chosen, requests have only its name, and the service adds a domain."""
        address = f"{name}@{self.domain if given is None else given}"
        inbox = name if given is None and not self._settings.is_domain_chosen else address
        own = self._own
        core = InboxCore(self._transport, Place(inbox, address, secret), view, self._listener, own, made_at)
        own.setdefault(address, core)
        if len(own) > MAX_OWN:
            own.pop(next(iter(own)), None)
        return core


class SharedInbox:
    def __init__(self, core: InboxCore) -> None:
        """Internal. A client's methods return inboxes."""
        self._core = core

    @property
    def name(self) -> str:
        """The part of the address before the domain."""
        return self._core.address.partition("@")[0]

    @property
    def address(self) -> str:
        """The whole address."""
        return self._core.address

    @property
    def page_url(self) -> str:
        """URL of the inbox's page for a browser. The URL of a private inbox contains the secret after `#`."""
        return self._core.page_url

    @property
    def secret(self) -> Optional[str]:
        """The secret of a private inbox, for `mayfly.inbox(address, secret=…)`; `None` for any other."""
        return self._core.secret

    def __str__(self) -> str:
        return self._core.address

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._core.address}>"
