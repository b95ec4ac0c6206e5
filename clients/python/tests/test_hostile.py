"""Tests both clients against hostile services, and with threads, forks and cancelled tasks."""

from __future__ import annotations

import asyncio
import json
import os
import select
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from typing import Any, Dict, Iterator, List, Tuple

import pytest

from mayfly_client import AsyncMayfly, Mayfly, MayflyError, MayflyNetworkError, MayflyResponseError, _lookup
from mayfly_client._bounds import MAX_EVENT_BYTES, MAX_LIST_BYTES
from mayfly_client.pytest_plugin import MayflyServer

from .servers import answer, answering, hosting, sending_slowly, serving

BOTH = pytest.mark.parametrize("shell", ["blocking", "asyncio"])
JSON = "Content-Type: application/json"
# Longer than each of these tests takes, and shorter than a wait without a bound.
PATIENCE = 60.0
EMAIL: Dict[str, Any] = {
    **{"id": "x", "from": "a@b.c", "to": "d@e.f", "subject": "Hi", "body": "", "rawBody": "", "otp": "482913"},
    **{"magicLink": None, "receivedAt": "2026-01-31T09:30:00.000Z"},
}


def waited(shell: str, url: str, call: str = "wait_for_otp", connect_timeout: float = 20, **options: Any) -> Any:
    """The result of a call on a new inbox."""
    context = options.pop("ssl_context", None)
    client: Dict[str, Any] = {"base_url": url, "connect_timeout": connect_timeout, "ssl_context": context}
    if shell == "blocking":
        return getattr(Mayfly(**client).create_inbox(), call)(**options)

    async def wait() -> Any:
        return await asyncio.wait_for(getattr(AsyncMayfly(**client).create_inbox(), call)(**options), PATIENCE)

    return asyncio.run(wait())


@BOTH
def test_a_redirect_is_not_followed_and_gets_no_key(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAYFLY_CREDENTIALS", "run-1:password")
    asked: List[bytes] = []

    def heard(request: bytes) -> bytes:
        asked.append(request)
        return b""

    with answering(heard) as other:
        moved = answer("307 Temporary Redirect", "", f"Location: {other}/api/inbox/x/summary")
        with answering(lambda _: moved) as url, pytest.raises(MayflyResponseError, match="answered 307"):
            waited(shell, url)
    assert asked == []


@BOTH
def test_proxies_of_the_environment_are_not_used(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: List[bytes] = []

    def heard(request: bytes) -> bytes:
        asked.append(request)
        return b""

    with answering(heard) as proxy, answering(lambda _: answer("200 OK", '{"emails":[]}', JSON)) as url:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy)
        assert waited(shell, url, "latest") is None
    assert asked == []


@BOTH
@pytest.mark.parametrize(
    "body",
    [
        "[" * 100_000,
        '{"emails":' + "1" * 100_000 + "}",
        '{"emails":null}',
        '{"emails":[1]}',
        '{"emails":[{"receivedAt":"../../../x"}]}',
        '{"emails":[{"receivedAt":"٢٠٢٦-01-31T09:30:00.000Z"}]}',
        '{"emails":[{"receivedAt":"2026-01-31T09:30:00.000Z\\r\\nX: y"}]}',
        json.dumps({"emails": [{**EMAIL, "subject": 7}]}),
        json.dumps({"emails": [{**EMAIL, "from": {}}]}),
        json.dumps({"emails": [{**EMAIL, "cut": 1}]}),
    ],
    ids=str,
)
def test_an_answer_of_the_wrong_shape_is_rejected(shell: str, body: str) -> None:
    with answering(lambda _: answer("200 OK", body, JSON)) as url, pytest.raises(MayflyResponseError):
        waited(shell, url, "latest", subject="Hi")


@BOTH
@pytest.mark.parametrize(
    "attempts",
    [{}, None, 5, "text", [None], [5], ["text"], [{}], [{"at": None, "way": "smtp", "outcome": "kept"}]],
    ids=str,
)
def test_attempts_of_the_wrong_shape_are_rejected(shell: str, attempts: Any) -> None:
    body = json.dumps({"attempts": attempts})
    with answering(lambda _: answer("200 OK", body, JSON)) as url:
        with pytest.raises(MayflyResponseError, match="answered 200: JSON, but not what Mayfly sends"):
            waited(shell, url, "attempts")


@BOTH
@pytest.mark.parametrize("call", ["mark", "latest", "attempts", "release"])
def test_an_answer_without_content_is_reported_with_its_status(shell: str, call: str) -> None:
    with answering(lambda _: b"HTTP/1.1 204 No Content\r\n\r\n") as url:
        with pytest.raises(MayflyResponseError, match="answered 204: no JSON, but an empty body") as caught:
            waited(shell, url, call)
    assert caught.value.status == 204


@BOTH
@pytest.mark.parametrize(
    ("begin", "status", "said"),
    [
        (b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 100\r\n\r\nHalf a sen", 401, "answered 401: Half a sen"),
        (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\n", 403, "answered 403"),
        (b"HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHal", 403, "answered 403: Hal"),
    ],
    ids=["half", "nothing", "a chunk"],
)
@pytest.mark.parametrize("is_open", [True, False], ids=["stalls", "breaks off"])
def test_an_error_has_its_status_even_if_its_text_is_cut_off(
    shell: str, begin: bytes, status: int, said: str, is_open: bool
) -> None:
    with hosting(lambda _: (begin, is_open)) as service:
        with pytest.raises(MayflyResponseError, match=said) as caught:
            waited(shell, service.url, "latest")
    assert caught.value.status == status


@BOTH
@pytest.mark.parametrize("data", ["Hello", "{}", "[]", "null", json.dumps({**EMAIL, "rawBody": None})], ids=str)
def test_an_event_without_an_email_is_reported_as_a_foreign_answer(shell: str, data: str) -> None:
    event = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: " + data.encode() + b"\n\n"

    def answers(request: bytes) -> bytes:
        return event if b"/stream" in request else answer("200 OK", '{"emails":[]}', JSON)

    with answering(answers) as url, pytest.raises(MayflyError) as caught:
        waited(shell, url, timeout=1.5)
    assert "answered 200: JSON, but not what Mayfly sends. Is this Mayfly?" in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"links": None},
        {"links": {}},
        {"codes": {}},
        {"headers": {}},
        {"parts": {}},
        {"html": 1},
        {"links": [{"url": 1, "text": "", "place": "text", "action": True}]},
        {"codes": [{"place": "text", "score": 1}]},
        {"parts": [{"attachment": True, "path": "1/../../x", "type": "a/b", "size": 1}]},
        {"parts": [{"attachment": True, "path": "\ud800", "type": "a/b", "size": 1}]},
        {"parts": [{"attachment": True, "path": "1", "size": 1}]},
        {"parts": [7]},
    ],
    ids=str,
)
def test_contents_of_the_wrong_shape_are_rejected(change: Dict[str, Any]) -> None:
    parts = {"html": None, "links": [], "codes": [], "headers": [], "parts": [], **change}

    def answers(request: bytes) -> bytes:
        target = request.split(b" ")[1]
        summary = json.dumps({"emails": [{**EMAIL, "cut": [], "size": 1}]})
        body = json.dumps(parts) if b"/parts" in target else summary if b"/summary" in target else json.dumps(EMAIL)
        return answer("200 OK", body, JSON)

    with answering(answers) as url:
        email = Mayfly(base_url=url).create_inbox().latest()
        assert email is not None
        with pytest.raises(MayflyResponseError, match="JSON, but not what Mayfly sends"):
            email.attachments()


@BOTH
@pytest.mark.parametrize(
    "change",
    [
        {"otpCandidates": None},
        {"letterCandidates": {}},
        {"magicLinkCandidates": [None]},
        {"otpCandidates": [{"value": 5, "verdict": "chosen", "where": "text", "reasons": []}]},
        {"otpCandidates": [{"value": "5", "verdict": "chosen", "where": "text", "reasons": "none"}]},
        {"otpCandidates": [{"value": "5", "verdict": "chosen", "where": "text", "reasons": [{"rule": 5}]}]},
    ],
    ids=str,
)
def test_an_explanation_of_the_wrong_shape_is_rejected(shell: str, change: Dict[str, Any]) -> None:
    right = {"otpCandidates": [], "letterCandidates": [], "magicLinkCandidates": []}
    given = [right, {**right, **change}]

    def answers(request: bytes) -> bytes:
        target = request.split(b" ")[1]
        summary = {"emails": [{**EMAIL, "cut": [], "size": 1}]}
        is_list = b"/summary" in target
        return answer(
            "200 OK", json.dumps(given.pop(0) if b"/explain" in target else summary if is_list else EMAIL), JSON
        )

    with answering(answers) as url:
        email = waited(shell, url, "latest")
        explain = email.explain if shell == "blocking" else lambda: asyncio.run(email.explain())
        assert explain() == right
        with pytest.raises(MayflyResponseError, match="JSON, but not what Mayfly sends"):
            explain()


@BOTH
@pytest.mark.parametrize(
    "begin",
    [
        b"HTTP/1.1 200 OK\r\nX: ",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1;",
    ],
    ids=["head", "body", "chunk"],
)
def test_an_answer_of_slow_single_bytes_ends_with_the_call(shell: str, begin: bytes) -> None:
    """Each byte arrives in time, but all of them would take hours."""
    with sending_slowly(begin, b"a") as url, pytest.raises(MayflyError):
        client = Mayfly(base_url=url, timeout=0.6, connect_timeout=0.3)
        if shell == "blocking":
            client.create_inbox().mark()
        else:
            asyncio.run(AsyncMayfly(base_url=url, timeout=0.6, connect_timeout=0.3).create_inbox().mark())


@BOTH
@pytest.mark.parametrize(
    "begin, more",
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", b":\n\n" * 1_000),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1;" + b"a" * 900 + b"\r\nx\r\n"),
    ],
    ids=["interim answers", "comments", "chunks"],
)
def test_an_endless_fast_answer_ends_with_the_wait(shell: str, begin: bytes, more: bytes) -> None:
    """Data is always available, so that no receive ever times out."""

    def serve(one: socket.socket) -> None:
        one.sendall(begin)
        while True:
            one.sendall(more)

    began = time.monotonic()
    with serving(serve) as server, pytest.raises(MayflyError):
        waited(shell, server.url, connect_timeout=1, timeout=1)
    assert time.monotonic() - began < PATIENCE


@BOTH
@pytest.mark.parametrize(
    ("call", "most"), [("latest", MAX_LIST_BYTES), ("wait_for_otp", MAX_EVENT_BYTES)], ids=["list", "event"]
)
def test_an_endless_answer_is_cut_at_the_bound_of_its_kind(shell: str, call: str, most: int) -> None:
    sent: Dict[int, int] = {}

    def serve(one: socket.socket) -> None:
        request = one.recv(65536)
        kind = b"text/event-stream" if b"/stream" in request else b"application/json"
        one.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\ndata: ")
        while True:
            sent[id(one)] = sent.get(id(one), 0) + 2**16
            one.sendall(b" " * 2**16)

    with serving(serve) as server, pytest.raises(MayflyError, match="the answer is longer than"):
        waited(shell, server.url, call, **({"timeout": 5} if call == "wait_for_otp" else {}))
    # The server may have sent more than the client has read: the sockets' buffers hold the rest.
    assert max(sent.values()) < most + 2**25


@pytest.mark.parametrize(
    "status, kind, body",
    [
        ("200 OK", "text/\x1b[2Jhtml", "\x1b[31mred\r\n\u202eder"),
        ("200 OK", "application/json", "\x1b[31mred"),
        ("400 Bad Request", "application/json", json.dumps({"error": "\x1b[31mred\u202e"})),
        ("500 Broken", "text/plain", "\x1b[31mred"),
    ],
)
def test_control_characters_of_an_answer_reach_no_terminal(status: str, kind: str, body: str) -> None:
    served = answering(lambda _: answer(status, body, f"Content-Type: {kind}", "Mayfly-Hint: \x1b[2J"))
    with served as url, pytest.raises(MayflyResponseError) as caught:
        Mayfly(base_url=url, timeout=1).inbox("abc-def").emails()
    assert str(caught.value).isprintable()


@BOTH
@pytest.mark.parametrize("begin", [b"", b": connected\n\n", b'data: {"id":'], ids=["nothing", "begun", "half"])
def test_a_stream_that_stalls_loses_no_email(shell: str, begin: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    def answers(request: bytes) -> Tuple[bytes, bool]:
        if b"/stream" in request:
            return head + begin, True
        body = json.dumps({"emails": [{**EMAIL, "cut": [], "size": 1}]} if b"/summary" in request else EMAIL)
        return answer("200 OK", body, JSON), False

    with hosting(answers) as service:
        assert waited(shell, service.url, timeout=PATIENCE) == "482913"


@BOTH
def test_a_lookup_that_takes_too_long_ends_the_call(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    resolve = socket.getaddrinfo
    asked: List[str] = []
    # A name for each client (blocking or asyncio), because the first one's lookup may not have ended yet.
    name = f"slow-{shell}.test"

    def slow(host: str, *rest: Any, **options: Any) -> Any:
        if host != name or "flags" in options:
            return resolve(host, *rest, **options)
        asked.append(host)
        go_on.wait(PATIENCE)
        raise OSError("no such name")

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    try:
        for _ in range(3):
            with pytest.raises(MayflyNetworkError, match="no connection in time"):
                waited(shell, f"http://{name}:8080", connect_timeout=0.5, timeout=PATIENCE)
    finally:
        go_on.set()
    # A hanging lookup is not started again.
    assert asked == [name]


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Tuple[str, str]:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    key, own = str(folder / "key.pem"), str(folder / "own.pem")
    names = "subjectAltName=IP:127.0.0.1,DNS:localhost"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", own, "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", names],
        check=True,
        capture_output=True,
    )
    return own, key


@pytest.fixture
def tls_url(certificate: Tuple[str, str], mayfly_server: MayflyServer) -> Iterator[str]:
    """Mayfly behind a TLS proxy."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    port = int(mayfly_server.url.rsplit(":", 1)[1])

    def passed_on(one: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", port)) as service:
            with context.wrap_socket(one.dup(), server_side=True) as inner:
                service.sendall(inner.recv(65536))
                # After its request, a client sends nothing, so readable input means that the client has closed.
                while inner not in select.select([service, inner], [], [])[0]:
                    data = service.recv(65536)
                    if not data:
                        break
                    inner.sendall(data)
        one.shutdown(socket.SHUT_RDWR)

    with serving(passed_on) as server:
        yield f"https://{server.address}"


@BOTH
def test_an_untrusted_certificate_is_reported_immediately(shell: str, tls_url: str) -> None:
    said = r"cannot be reached: its certificate is not trusted \(self.signed certificate\). Pass ssl_context, or set"
    with pytest.raises(MayflyNetworkError, match=said) as refused:
        waited(shell, tls_url, "latest")
    assert isinstance(refused.value.__cause__, ssl.SSLCertVerificationError)


@BOTH
def test_a_context_that_trusts_the_certificate_connects(shell: str, tls_url: str, certificate: Tuple[str, str]) -> None:
    context = ssl.create_default_context(cafile=certificate[0])
    waited(shell, tls_url, "expect_no_email", within=0.2, ssl_context=context)


@BOTH
def test_https_to_an_http_port_is_reported(shell: str, mayfly_server: MayflyServer) -> None:
    with pytest.raises(MayflyNetworkError, match="it does not speak TLS; does its URL begin with http://?"):
        waited(shell, mayfly_server.url.replace("http:", "https:"), "latest", connect_timeout=3)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("is_silent", [True, False], ids=["silent", "streams"])
def test_a_cancelled_task_leaves_no_open_connection(scheme: str, is_silent: bool) -> None:
    """The peer sees the end of each connection, in whatever state the task was cancelled."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: connected\n\n"
    heard = threading.Event()

    def answers(_: bytes) -> Tuple[bytes, bool]:
        heard.set()
        return b"" if is_silent else head, True

    async def cancel(url: str) -> None:
        inbox = AsyncMayfly(base_url=url).create_inbox()
        for turns in range(12):
            waiting = asyncio.ensure_future(inbox.wait_for_otp())
            for _ in range(turns):
                await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        heard.clear()
        waiting = asyncio.ensure_future(inbox.wait_for_otp())
        # Waits until a connection is certainly open.
        while not heard.is_set():
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    with hosting(answers) as server:
        asyncio.run(cancel(f"{scheme}://{server.address}"))
        assert server.all_ended(PATIENCE)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_works_while_all_turns_are_taken(mayfly_server: MayflyServer) -> None:
    """A turn is the right to connect. A fork inherits the threads' turns, lookups and locks, but not the threads."""
    with answering(lambda _: b"") as silent:
        silent_inbox = Mayfly(base_url=silent, timeout=1, connect_timeout=PATIENCE).create_inbox()

        def wait() -> None:
            try:
                silent_inbox.expect_no_email(within=2)
            except MayflyError:
                pass

        threads = [threading.Thread(target=wait, daemon=True) for _ in range(80)]
        for one in threads:
            one.start()
        with _lookup._lock:
            reading, writing = os.pipe()
            child = os.fork()
            if child == 0:
                _child(mayfly_server.url, silent, writing)
        os.close(writing)
        ready, _, _ = select.select([reading], [], [], PATIENCE)
        told = os.read(reading, 100) if ready else b"nothing"
        if not ready:
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        assert told == b"MayflyNetworkError"
        for one in threads:
            one.join(PATIENCE)


def _child(url: str, silent: str, writing: int) -> None:
    """Waits at the reachable service by host name, then at the silent one, whose turns the parent's threads have."""
    told = "no error"
    try:
        Mayfly(base_url=url.replace("127.0.0.1", "localhost")).create_inbox().expect_no_email(within=0.1)
        Mayfly(base_url=silent, connect_timeout=0.3).create_inbox().expect_no_email(within=0.2)
    except BaseException as error:
        told = type(error).__name__
    os.write(writing, told.encode())
    os._exit(0)
