"""Servers that are no Mayfly, or a bad one."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from typing import Callable, Iterator, List, Tuple


@contextmanager
def answering(answers: Callable[[bytes], bytes]) -> Iterator[str]:
    """A server that answers each connection once, and then closes it; with no bytes, it stays silent."""
    listener = socket.create_server(("127.0.0.1", 0))
    kept: List[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                one, _ = listener.accept()
            except OSError:
                return
            answer = answers(one.recv(65536))
            if answer:
                one.sendall(answer)
                one.close()
            else:
                kept.append(one)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.close()
        for one in kept:
            one.close()


def answer(status: str, body: str, *headers: str) -> bytes:
    data = body.encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(data)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + data


class Host:
    """A server that answers each connection once, and tells whether each of its clients has ended its own."""

    def __init__(self, answers: Callable[[bytes], Tuple[bytes, bool]]) -> None:
        """`answers` gives what to send, and whether to keep the connection open after it."""
        self._answers = answers
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._open: List[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        # Counts the connections that were answered.
        self.opened = threading.Semaphore(0)
        threading.Thread(target=self._serve, daemon=True).start()

    def all_ended(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        for one in self._open:
            one.settimeout(max(0.01, end - time.monotonic()))
            try:
                while one.recv(65536):
                    pass
            # A client that aborts does so, too.
            except ConnectionError:
                pass
            except OSError:
                return False
        return True

    def close(self) -> None:
        self._listener.close()
        for one in self._open:
            one.close()

    def _serve(self) -> None:
        while True:
            try:
                one, _ = self._listener.accept()
                data, is_kept = self._answers(one.recv(65536))
                one.sendall(data)
            except ConnectionError:
                continue
            except OSError:
                return
            if is_kept:
                self._open.append(one)
            else:
                one.close()
            self.opened.release()


@contextmanager
def hosting(answers: Callable[[bytes], Tuple[bytes, bool]]) -> Iterator[Host]:
    host = Host(answers)
    try:
        yield host
    finally:
        host.close()


@contextmanager
def sending_slowly(begin: bytes, drip: bytes) -> Iterator[str]:
    """A server that sends a beginning, and then a byte every few milliseconds without end."""
    listener = socket.create_server(("127.0.0.1", 0))
    is_over = threading.Event()

    def drop(one: socket.socket) -> None:
        with one:
            try:
                one.sendall(begin)
                while not is_over.wait(0.02):
                    one.sendall(drip)
            except OSError:
                return

    def serve() -> None:
        while True:
            try:
                one, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=drop, args=(one,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        is_over.set()
        listener.close()
