"""Servers that are no Mayfly, or a bad one."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import Callable, Iterator, List


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
