"""Services that are missing, silent or not Mayfly, with the blocking and the asyncio client."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import smtplib
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Optional, Tuple

import pytest

from mayfly_client import (
    AsyncMayfly,
    Mayfly,
    MayflyError,
    MayflyNetworkError,
    MayflyResponseError,
    MayflyTimeoutError,
)
from mayfly_client.pytest_plugin import MayflyServer

from .servers import answer, answering

BOTH = pytest.mark.parametrize("shell", ["blocking", "asyncio"])


def waited(shell: str, url: str, call: str = "wait_for_otp", connect_timeout: float = 20, **options: Any) -> Any:
    """The result of a call on a new inbox."""
    if shell == "blocking":
        return getattr(Mayfly(base_url=url, connect_timeout=connect_timeout).create_inbox(), call)(**options)

    async def wait() -> Any:
        inbox = AsyncMayfly(base_url=url, connect_timeout=connect_timeout).create_inbox()
        return await getattr(inbox, call)(**options)

    return asyncio.run(wait())


@BOTH
def test_a_missing_service_ends_a_wait_after_connect_timeout(shell: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
    begin = time.monotonic()
    with pytest.raises(MayflyNetworkError, match=f"http://127.0.0.1:{port} cannot be reached: Connection refused"):
        waited(shell, f"http://127.0.0.1:{port}", connect_timeout=0.5, timeout=20)
    # Without the limit for connecting, the wait would take 20 s.
    assert time.monotonic() - begin < 15


@BOTH
def test_a_silent_connection_uses_the_whole_timeout_and_is_reported(shell: str) -> None:
    with answering(lambda _: b"") as url:
        begin = time.monotonic()
        with pytest.raises(MayflyNetworkError, match="accepts connections, but has not answered yet. The machine may"):
            waited(shell, url, connect_timeout=0.1, timeout=1)
        assert time.monotonic() - begin >= 1


@BOTH
def test_an_unopened_connection_ends_a_wait_after_connect_timeout(shell: str) -> None:
    # No process accepts connections from the queue, which has room for one.
    with socket.socket() as full, contextlib.ExitStack() as clients:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(8):
            one = clients.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}"
        begin = time.monotonic()
        with pytest.raises(MayflyNetworkError, match=": no connection in time. Is Mayfly running there"):
            waited(shell, url, connect_timeout=0.5, timeout=60)
        # Without the limit for connecting, the wait would take 60 s.
        assert time.monotonic() - begin < 45


@BOTH
def test_a_first_answer_after_connect_timeout_fails_no_call(shell: str) -> None:
    is_first = threading.Lock()
    fine = answer("200 OK", '{"emails":[],"count":0}', "Content-Type: application/json")

    def late(_: bytes) -> bytes:
        if is_first.acquire(blocking=False):
            time.sleep(1)
        return fine

    with answering(late) as url:
        assert waited(shell, url, "latest", connect_timeout=0.1) is None


@BOTH
@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (answer("200 OK", "<p>Hello", "Content-Type: text/html"), MayflyResponseError, "answered 200: text/html"),
        (answer("200 OK", "[1]", "Content-Type: application/json"), MayflyResponseError, "Is this Mayfly"),
        (answer("302 Found", "", "Location: /x"), MayflyResponseError, "answered 302"),
        (answer("404 Not Found", "nothing"), MayflyResponseError, "answered 404: nothing Is this Mayfly"),
        (answer("401 Unauthorized", '{"error":"No key."}', "Mayfly-Error: x"), MayflyError, "No key. Check api_key"),
        (
            b"220 inbox.example.com ESMTP\r\n",
            MayflyNetworkError,
            "that is an SMTP port. Use the HTTP port of Mayfly, by default 8080. Check base_url",
        ),
    ],
)
def test_a_wrong_answer_is_reported(shell: str, given: bytes, error: Any, said: str) -> None:
    with answering(lambda _: given) as url, pytest.raises(error, match=said):
        waited(shell, url, timeout=20, connect_timeout=3)


_DEAD = {
    "refuses connections": (None, "cannot be reached: Connection refused"),
    "answers 503": (answer("503 Busy", '{"error":"Too many."}'), "answered 503: Too many"),
    "answers 429": (answer("429 Many", '{"error":"Too many."}', "Retry-After: 1"), "answered 429: Too many"),
    "answers 429 for an hour": (answer("429 Many", '{"error":"Too many."}', "Retry-After: 3600"), "answered 429: Too"),
    "closes connections": (b"\r\n", "Meanwhile: Mayfly at http://127.0.0.1:"),
    "says nothing": (b"", "cannot be reached: no answer in time"),
}


@BOTH
def test_a_wait_at_a_vanished_service_ends_in_time_and_reports_it(shell: str) -> None:
    with ThreadPoolExecutor(len(_DEAD)) as threads:
        ended = list(threads.map(lambda state: _ended(shell, *state), _DEAD.values()))
    for (late, message), (_, said) in zip(ended, _DEAD.values()):
        assert said in message
        assert late < 2.5, message


def _ended(shell: str, given: Optional[bytes], _: str) -> Tuple[float, str]:
    """How late a wait ends, and its message. On a busy machine, tries the wait again with more time."""
    timeout = 4.0
    late, message = _late(shell, given, timeout)
    while late >= 2.5 and timeout < 60:
        timeout *= 2
        late, message = _late(shell, given, timeout)
    return late, message


def _late(shell: str, given: Optional[bytes], timeout: float) -> Tuple[float, str]:
    """How late a wait ends, and its message. The service answers once; after that, always `given`. `None` stops it."""
    answers = iter([answer("200 OK", '{"emails":[],"count":0}', "Content-Type: application/json")])
    with contextlib.ExitStack() as services, pytest.raises(MayflyTimeoutError) as raised:
        url = services.enter_context(answering(lambda _: next(answers, given or b"")))
        blocking, asynchronous = Mayfly(base_url=url).create_inbox(), AsyncMayfly(base_url=url).create_inbox()
        blocking.mark() if shell == "blocking" else asyncio.run(asynchronous.mark())
        if given is None:
            services.close()
        begin = time.monotonic()
        if shell == "blocking":
            blocking.wait_for_otp(timeout=timeout)
        else:
            asyncio.run(asynchronous.wait_for_otp(timeout=timeout))
    return time.monotonic() - begin - timeout, str(raised.value)


@BOTH
def test_a_temporary_failure_is_retried(shell: str) -> None:
    left = [answer("503 Busy", "{}"), answer("429 Many", "{}", "Retry-After: 0")]
    fine = answer("200 OK", '{"emails":[],"count":0}', "Content-Type: application/json")
    with answering(lambda _: left.pop() if left else fine) as url:
        assert waited(shell, url, "latest") is None
    assert left == []


@BOTH
def test_without_streams_a_wait_lists_the_inbox(shell: str, mayfly_server: MayflyServer) -> None:
    email = (
        '{"id":"x","from":"a@b.c","to":"d@e.f","subject":"Hi","body":"","rawBody":"","otp":"482913","magicLink":null,'
        '"receivedAt":"2026-01-31T09:30:00.000Z","size":1,"cut":[]}'
    )

    def answers(request: bytes) -> bytes:
        target = request.split(b" ")[1]
        if b"/stream" in target:
            return answer("502 Bad Gateway", "")
        body = f'{{"emails":[{email}]}}' if b"/summary" in target else email
        return answer("200 OK", body, "Content-Type: application/json")

    with answering(answers) as url:
        assert waited(shell, url, timeout=20) == "482913"


@BOTH
def test_a_wait_explains_a_mismatch_even_if_the_answer_is_late(shell: str) -> None:
    timeout = 6.0
    begin = time.monotonic()
    email = (
        '{"id":"x","from":"a@b.c","to":"d@e.f","subject":"Hi","body":"Your code is A7K-2QX","rawBody":"","otp":null,'
        '"magicLink":null,"receivedAt":"2026-01-31T09:30:00.000Z","size":1,"cut":[]}'
    )
    parts = '{"html":null,"codes":[{"value":"A7K-2QX","place":"text","score":1}],"links":[],"headers":[],"parts":[]}'

    def answers(request: bytes) -> bytes:
        target = request.split(b" ")[1]
        if b"/summary" in target:
            body = "[]" if b"hasOtp" in target else f"[{email}]"
            return answer("200 OK", f'{{"emails":{body}}}', "Content-Type: application/json")
        if b"/parts" in target:
            time.sleep(max(begin + timeout + 0.1 - time.monotonic(), 0))
            return answer("200 OK", parts, "Content-Type: application/json")
        if b"/2026-" in target:
            return answer("200 OK", email, "Content-Type: application/json")
        return b"" if b"/stream" in target else answer("404 Not Found", "nothing")

    with answering(answers) as url, pytest.raises(MayflyError) as raised:
        waited(shell, url, timeout=timeout)
    assert "'Hi' (no code: A7K-2QX has letters: use wait_for_code(); its text begins" in str(raised.value)


@BOTH
def test_a_wait_returns_a_matching_email_that_it_read_for_its_error(shell: str) -> None:
    email = (
        '{"id":"x","from":"a@b.c","to":"d@e.f","subject":"Hi","body":"Hello","rawBody":"","otp":null,'
        '"magicLink":null,"receivedAt":"2026-01-31T09:30:00.000Z","size":1,"cut":[]}'
    )

    def answers(request: bytes) -> bytes:
        target = request.split(b" ")[1]
        if b"subject=" in target:
            return answer("503 Service Unavailable", "busy")
        body = email if b"/2026-" in target else f'{{"emails":[{email}]}}'
        return answer("200 OK", body, "Content-Type: application/json")

    with answering(answers) as url:
        assert waited(shell, url, "wait_for_email", subject="Hi", timeout=6.0).subject == "Hi"


def test_a_cancelled_wait_frees_its_connection(mayfly_server: MayflyServer) -> None:
    async def cancelled() -> None:
        inbox = AsyncMayfly(base_url=mayfly_server.url).create_inbox()
        waiting = [asyncio.ensure_future(inbox.wait_for_otp()) for _ in range(80)]
        await asyncio.sleep(0)
        for one in waiting:
            one.cancel()
        ended = await asyncio.gather(*waiting, return_exceptions=True)
        assert [one for one in ended if not isinstance(one, asyncio.CancelledError)] == []
        # This succeeds only if each cancelled lookup has released its turn.
        await asyncio.gather(*(inbox.expect_no_email(within=0.1) for _ in range(80)))

    asyncio.run(cancelled())


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system stops no process")
@BOTH
def test_a_wait_whose_process_was_stopped_finds_its_mail(shell: str, mayfly_server: MayflyServer) -> None:
    wait = "print(inbox.wait_for_otp(timeout=3))"
    client = "Mayfly"
    if shell == "asyncio":
        wait = "async def main(): print(await inbox.wait_for_otp(timeout=3))\nasyncio.run(main())"
        client = "AsyncMayfly"
    program = f"""
import asyncio
from mayfly_client import {client}
inbox = {client}(base_url={mayfly_server.url!r}).create_inbox()
print(inbox.address, flush=True)
{wait}
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        os.kill(process.pid, signal.SIGSTOP)
        end = time.monotonic() + 3.5
        with smtplib.SMTP(str(mayfly_server.smtp_host), int(mayfly_server.smtp_port or 0)) as smtp:
            smtp.sendmail("a@app.test", address, "Subject: Hi\r\n\r\nYour code is 482913")
        while time.monotonic() < end:
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGCONT)
        assert process.stdout.read().strip() == "482913"
