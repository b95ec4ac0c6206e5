"""Runs the generators of the core in asyncio."""

from __future__ import annotations

import asyncio
import weakref
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._bounds import AT_ONCE, MAX_SERVICES, READ_BYTES
from ._effects import Connect, Effect, Receive, Send, Steps, T
from ._lookup import Address, addresses_of

_Gates = Dict[Tuple[str, int, str], asyncio.Semaphore]
# For each event loop, limits the concurrent connections of its tasks, by host, port and gate.
_gates: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Gates] = weakref.WeakKeyDictionary()


async def run(steps: Steps[T]) -> T:
    try:
        effect = next(steps)
        while True:
            try:
                result = await _perform(effect)
            except OSError as error:
                effect = steps.throw(error)
            else:
                effect = steps.send(result)
    except StopIteration as end:
        value: T = end.value
        return value
    finally:
        # A cancelled wait closes its connection.
        steps.close()


class TaskLink:
    def __init__(self, release: Callable[[], None]) -> None:
        self.reader: Optional[asyncio.StreamReader] = None
        self.writer: Optional[asyncio.StreamWriter] = None
        # A read that outlasted the time limit of its receive. The next receive waits for it and starts no other.
        self.reading: Optional[asyncio.Task[bytes]] = None
        self._release: Optional[Callable[[], None]] = release

    def opened(self) -> None:
        release, self._release = self._release, None
        if release:
            release()

    def close(self) -> None:
        self.opened()
        if self.reading:
            self.reading.cancel()
        if self.writer:
            # Skips TLS's closing handshake, which waits for the peer.
            self.writer.transport.abort()


async def _perform(effect: Effect) -> Any:
    if isinstance(effect, Connect):
        return await _connect(effect)
    if isinstance(effect, Send):
        effect.link.writer.write(effect.data)
        return await _timed(effect.link.writer.drain(), effect.seconds)
    if isinstance(effect, Receive):
        return await _receive(effect)
    return await asyncio.sleep(effect.seconds)


async def _connect(effect: Connect) -> TaskLink:
    gate = _gate(effect)
    await _timed(gate.acquire(), effect.turn_seconds, lambda _: gate.release())
    link = TaskLink(gate.release)
    try:
        await _open(link, effect)
    except BaseException:
        link.close()
        raise
    return link


async def _open(link: TaskLink, effect: Connect) -> None:
    """Tries the host's addresses in turn. Divides the time among them, so that a silent address does not use it up."""
    clock = asyncio.get_running_loop().time
    end = clock() + effect.seconds
    lookup = asyncio.wrap_future(addresses_of(effect.host, effect.port))
    addresses: List[Address] = await _timed(lookup, effect.seconds)
    trouble: OSError = TimeoutError("timed out")
    for at, (_, _, _, _, place) in enumerate(addresses):
        name = effect.host if effect.tls else None
        opening = asyncio.open_connection(place[0], place[1], ssl=effect.tls, server_hostname=name)
        seconds = (end - clock()) / (len(addresses) - at)
        try:
            link.reader, link.writer = await _timed(opening, seconds, lambda streams: streams[1].transport.abort())
            return
        except OSError as error:
            trouble = error
    raise trouble


async def _receive(effect: Receive) -> Optional[bytes]:
    link: TaskLink = effect.link
    if link.reader is None:
        raise ConnectionError("the connection is closed")
    if link.reading is None:
        link.reading = asyncio.ensure_future(link.reader.read(READ_BYTES))
    done, _ = await asyncio.wait([link.reading], timeout=effect.seconds)
    if not done:
        return None
    reading, link.reading = link.reading, None
    return reading.result()


async def _timed(waited: Any, seconds: float, dispose: Callable[[Any], None] = lambda _: None) -> Any:
    """
    Returns the result if it arrives in time. If it arrives too late, or after a cancellation, passes it to `dispose`.
    Used instead of `asyncio.wait_for`, which up to Python 3.11 ignores a cancellation when the result arrives.
    """
    task = asyncio.ensure_future(waited)
    try:
        done, _ = await asyncio.wait([task], timeout=seconds)
        if done:
            return task.result()
        raise TimeoutError("timed out")
    except BaseException:
        task.add_done_callback(lambda one: None if one.cancelled() or one.exception() else dispose(one.result()))
        task.cancel()
        raise


def _gate(effect: Connect) -> asyncio.Semaphore:
    gates = _gates.setdefault(asyncio.get_running_loop(), {})
    key = (effect.host, effect.port, effect.gate)
    if key not in gates:
        if len(gates) >= 2 * MAX_SERVICES:
            gates.clear()
        gates[key] = asyncio.Semaphore(AT_ONCE)
    return gates[key]
