"""Runs the steps of the core with blocking sockets."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from typing import Any, Callable, Dict, Optional, Tuple

from ._bounds import AT_ONCE, MAX_SERVICES, READ_BYTES
from ._effects import Connect, Effect, Receive, Send, Steps, T

# Where the threads of this process wait for their turn, by the host, the port and the gate.
_gates: Dict[Tuple[str, int, str], threading.BoundedSemaphore] = {}
_gates_lock = threading.Lock()


def run(steps: Steps[T]) -> T:
    """Runs steps to their end, in this thread."""
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
    """Tries each address of the host, within one time for all."""
    end = time.monotonic() + effect.seconds
    trouble: OSError = TimeoutError("timed out")
    for family, kind, protocol, _, address in socket.getaddrinfo(effect.host, effect.port, type=socket.SOCK_STREAM):
        one = socket.socket(family, kind, protocol)
        try:
            one.settimeout(_bounded(end - time.monotonic()))
            one.connect(address)
            if not effect.tls:
                return one
            one.settimeout(_bounded(end - time.monotonic()))
            return ssl.create_default_context().wrap_socket(one, server_hostname=effect.host)
        except OSError as error:
            one.close()
            trouble = error
        except BaseException:
            one.close()
            raise
    raise trouble


def _receive(effect: Receive) -> Optional[bytes]:
    effect.link.socket.settimeout(_bounded(effect.seconds))
    try:
        data: bytes = effect.link.socket.recv(READ_BYTES)
        return data
    # Python 3.9 has a class of its own for it.
    except (TimeoutError, socket.timeout):
        return None


def _bounded(seconds: float) -> float:
    """A time of 0 would not wait at all, and miss what is there."""
    return max(seconds, 0.001)


def _gate(effect: Connect) -> threading.BoundedSemaphore:
    key = (effect.host, effect.port, effect.gate)
    with _gates_lock:
        if key not in _gates:
            if len(_gates) >= 2 * MAX_SERVICES:
                _gates.clear()
            _gates[key] = threading.BoundedSemaphore(AT_ONCE)
        return _gates[key]
