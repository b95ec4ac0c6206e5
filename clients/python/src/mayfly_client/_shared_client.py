"""What both clients are made of: the settings, and the inboxes with their names."""

from __future__ import annotations

import time
from typing import Optional, Sequence

from ._errors import MayflyOptionError
from ._inbox_core import InboxCore, View
from ._names import checked_domain, checked_name, new_name, rehearsing
from ._settings import check_text, read_settings
from ._transport import Transport


class SharedClient:
    def __init__(
        self,
        base_url: Optional[str] = None,
        domain: Optional[str] = None,
        api_key: Optional[str] = None,
        timeout: Optional[float] = None,
        connect_timeout: Optional[float] = None,
    ) -> None:
        """
        Missing options come from `MAYFLY_URL`, `MAYFLY_DOMAIN` and `MAYFLY_API_KEY`, or else from the defaults of
        `mayfly serve`. Times are in seconds. Raises `MayflyOptionError` if an option or a variable is invalid.
        """
        self._settings = read_settings(base_url, domain, api_key, timeout, connect_timeout)
        self._transport = Transport(self._settings, time.monotonic)

    @property
    def base_url(self) -> str:
        """Base URL of the service, without a trailing slash."""
        return self._settings.base_url

    @property
    def domain(self) -> str:
        """Domain of the inboxes."""
        return self._settings.domain

    def _new(self, view: View, prefix: Optional[str], rehearse: Sequence[str]) -> InboxCore:
        check_text("create_inbox", "prefix", prefix)
        if isinstance(rehearse, str) or not all(isinstance(step, str) for step in rehearse):
            raise MayflyOptionError("create_inbox: rehearse must be a list of texts.")
        return self._core(view, rehearsing(new_name(self._settings.workspace, prefix), rehearse), None)

    def _named(self, view: View, name_or_address: str) -> InboxCore:
        if not isinstance(name_or_address, str):
            raise MayflyOptionError("inbox: name_or_address must be a text.")
        name, at, domain = name_or_address.partition("@")
        return self._core(view, checked_name(name), checked_domain(domain) if at else None)

    def _core(self, view: View, name: str, given: Optional[str]) -> InboxCore:
        """Without a domain, neither given nor chosen, the name alone tells the inbox of the first domain."""
        address = f"{name}@{self.domain if given is None else given}"
        inbox = name if given is None and not self._settings.is_domain_chosen else address
        return InboxCore(self._transport, inbox, address, view)


class SharedInbox:
    def __init__(self, core: InboxCore) -> None:
        """Use the client to get an inbox."""
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
        """Address of the inbox page, for a browser."""
        return self._core.page_url

    def __str__(self) -> str:
        return self._core.address

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._core.address}>"
