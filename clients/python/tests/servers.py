"""Servers other than Mayfly, and broken ones."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from typing import Callable, Iterator, List, Tuple


class Server:
    """Serves each connection in a separate thread. `close` ends all connections."""

    def __init__(self, serve: Callable[[socket.socket], None]) -> None:
        self._serve = serve
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._threads: List[threading.Thread] = []
        self._open: List[socket.socket] = []
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.url = f"http://{self.address}"
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def close(self) -> None:
        # Closing alone does not wake a blocked accept.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        for one in self._open:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self._threads:
            thread.join()
        for one in self._open:
            one.close()

    def all_ended(self, seconds: float) -> bool:
        """Whether every client closes its connection within a time."""
        end = time.monotonic() + seconds
        for one in self._open:
            one.settimeout(max(0.01, end - time.monotonic()))
            try:
                while one.recv(65536):
                    pass
            # A client's reset also ends the connection.
            except ConnectionError:
                pass
            except OSError:
                return False
        return True

    def _accept(self) -> None:
        while True:
            try:
                one, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(one)
            thread = threading.Thread(target=self._quietly, args=(one,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _quietly(self, one: socket.socket) -> None:
        try:
            self._serve(one)
        except OSError:
            pass


@contextmanager
def serving(serve: Callable[[socket.socket], None]) -> Iterator[Server]:
    server = Server(serve)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def answering(answers: Callable[[bytes], bytes]) -> Iterator[str]:
    """A server that answers each connection once and then closes it. If it has no answer, the server stays silent."""

    def serve(one: socket.socket) -> None:
        given = answers(one.recv(65536))
        if given:
            one.sendall(given)
            one.shutdown(socket.SHUT_RDWR)

    with serving(serve) as server:
        yield server.url


@contextmanager
def hosting(answers: Callable[[bytes], Tuple[bytes, bool]]) -> Iterator[Server]:
    """A server whose answers also decide whether the connection stays open."""

    def serve(one: socket.socket) -> None:
        given, is_kept = answers(one.recv(65536))
        one.sendall(given)
        if not is_kept:
            one.shutdown(socket.SHUT_RDWR)

    with serving(serve) as server:
        yield server


@contextmanager
def sending_slowly(begin: bytes, drip: bytes) -> Iterator[str]:
    """A server that sends a prefix, and then a byte every few milliseconds without end."""
    is_over = threading.Event()

    def serve(one: socket.socket) -> None:
        one.sendall(begin)
        while not is_over.wait(0.02):
            one.sendall(drip)

    with serving(serve) as server:
        try:
            yield server.url
        finally:
            is_over.set()


def answer(status: str, body: str, *headers: str) -> bytes:
    data = body.encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(data)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + data
