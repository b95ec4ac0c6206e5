"""
Looks up the addresses of a host in a separate thread, because the system's lookup can neither be limited nor
interrupted. A wait or an event loop that gives up on a lookup continues immediately.
"""

from __future__ import annotations

import os
import socket
import threading
from concurrent.futures import Future
from ipaddress import ip_address
from typing import Any, Dict, List, Tuple

from ._bounds import MAX_LOOKUPS

# An address, as `socket.getaddrinfo` returns it.
Address = Tuple[Any, Any, int, str, Any]

_lock = threading.Lock()
# Running lookups by host and port. A hanging lookup is not started again.
_under_way: Dict[Tuple[str, int], Future[List[Address]]] = {}


def addresses_of(host: str, port: int) -> Future[List[Address]]:
    """Resolves to addresses, or raises `OSError`. Cancelling has no effect, because calls may share a lookup."""
    if _is_number(host):
        return _done(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
    with _lock:
        known = _under_way.get((host, port))
        if known:
            return known
        if len(_under_way) >= MAX_LOOKUPS:
            raise OSError("too many names are being looked up")
        lookup: Future[List[Address]] = Future()
        lookup.set_running_or_notify_cancel()
        try:
            threading.Thread(target=_look_up, args=(host, port, lookup), daemon=True).start()
        except RuntimeError as error:
            raise OSError(str(error)) from error
        _under_way[host, port] = lookup
        return lookup


def _look_up(host: str, port: int, lookup: Future[List[Address]]) -> None:
    addresses: List[Address] = []
    trouble: Exception = OSError("the name has no address")
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        trouble = error
    except UnicodeError:
        trouble = OSError("that is not a valid host name")
    # Waits for the lock, which `addresses_of` holds until it has stored this lookup.
    with _lock:
        _under_way.pop((host, port), None)
    if addresses:
        lookup.set_result(addresses)
    else:
        lookup.set_exception(trouble)


def _is_number(host: str) -> bool:
    """Whether a host is an IP address, which needs no lookup."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _done(addresses: List[Address]) -> Future[List[Address]]:
    lookup: Future[List[Address]] = Future()
    lookup.set_result(addresses)
    return lookup


def _begin_anew() -> None:
    """Resets a forked process: it lacks the threads, and may hold a lock that no thread will release."""
    global _lock
    _lock = threading.Lock()
    _under_way.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
