"""Runs the generators of the core with blocking sockets."""

from __future__ import annotations

import os
import socket
import threading
import time
from concurrent.futures import TimeoutError as LookupTimeout
from typing import Any, Callable, Dict, Optional, Tuple

from ._bounds import AT_ONCE, MAX_SERVICES, READ_BYTES
from ._effects import Connect, Effect, Receive, Send, Steps, T
from ._lookup import Address, addresses_of

# Limits the concurrent connections of this process's threads, by host, port and gate.
_gates: Dict[Tuple[str, int, str], threading.BoundedSemaphore] = {}
_gates_lock = threading.Lock()


def run(steps: Steps[T]) -> T:
    try:
        effect = next(steps)
        while True:
            try:
                result = _perform(effect)
            except OSError as error:
                effect = steps.throw(error)
            else:
                effect = steps.send(result)
    except StopIteration as end:
        value: T = end.value
        return value
    finally:
        # An interrupted wait closes its connection.
        steps.close()


class SocketLink:
    def __init__(self, release: Callable[[], None]) -> None:
        self.socket: Optional[socket.socket] = None
        self._release: Optional[Callable[[], None]] = release

    def opened(self) -> None:
        release, self._release = self._release, None
        if release:
            release()

    def close(self) -> None:
        self.opened()
        if self.socket:
            self.socket.close()


def _perform(effect: Effect) -> Any:
    if isinstance(effect, Connect):
        return _connect(effect)
    if isinstance(effect, Send):
        effect.link.socket.settimeout(_bounded(effect.seconds))
        return effect.link.socket.sendall(effect.data)
    if isinstance(effect, Receive):
        return _receive(effect)
    time.sleep(effect.seconds)
    return None


def _connect(effect: Connect) -> SocketLink:
    gate = _gate(effect)
    if not gate.acquire(timeout=_bounded(effect.turn_seconds)):
        raise TimeoutError("timed out")
    link = SocketLink(gate.release)
    try:
        link.socket = _connected(effect)
    except BaseException:
        link.close()
        raise
    return link


def _connected(effect: Connect) -> socket.socket:
    """Tries the host's addresses in turn. Divides the time among them, so that a silent address does not use it up."""
    end = time.monotonic() + effect.seconds
    try:
        addresses = addresses_of(effect.host, effect.port).result(effect.seconds)
    # This error is no `OSError` up to Python 3.10.
    except LookupTimeout:
        raise TimeoutError("timed out") from None
    trouble: OSError = TimeoutError("timed out")
    for at, address in enumerate(addresses):
        try:
            return _opened(effect, address, (end - time.monotonic()) / (len(addresses) - at))
        except OSError as error:
            trouble = error
    raise trouble


def _opened(effect: Connect, address: Address, seconds: float) -> socket.socket:
    family, kind, protocol, _, place = address
    end = time.monotonic() + seconds
    one = socket.socket(family, kind, protocol)
    try:
        one.settimeout(_bounded(seconds))
        one.connect(place)
        if effect.tls is None:
            return one
        one.settimeout(_bounded(end - time.monotonic()))
        return effect.tls.wrap_socket(one, server_hostname=effect.host)
    except BaseException:
        one.close()
        raise


def _receive(effect: Receive) -> Optional[bytes]:
    effect.link.socket.settimeout(_bounded(effect.seconds))
    try:
        data: bytes = effect.link.socket.recv(READ_BYTES)
        return data
    # Python 3.9 has a separate class for this error.
    except (TimeoutError, socket.timeout):
        return None


def _bounded(seconds: float) -> float:
    """Returns a timeout above 0, because 0 would not wait at all and would miss available data."""
    return max(seconds, 0.001)


def _gate(effect: Connect) -> threading.BoundedSemaphore:
    key = (effect.host, effect.port, effect.gate)
    with _gates_lock:
        if key not in _gates:
            if len(_gates) >= 2 * MAX_SERVICES:
                _gates.clear()
            _gates[key] = threading.BoundedSemaphore(AT_ONCE)
        return _gates[key]


def _begin_anew() -> None:
    """A forked process lacks the threads that hold turns to connect, so it must not wait for those turns."""
    global _gates_lock
    _gates_lock = threading.Lock()
    _gates.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
