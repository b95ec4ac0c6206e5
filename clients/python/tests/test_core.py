"""The core by itself: names, settings, the reading of answers, and why no mail came."""

from __future__ import annotations

import re
from typing import Any, Dict, List

import pytest

from mayfly_client import AsyncMayfly, Mayfly, MayflyOptionError
from mayfly_client._email import _from_name
from mayfly_client._http import EventParser, NotHttp, Response
from mayfly_client._names import checked_domain
from mayfly_client._no_mail import _causes, why_no_mail
from mayfly_client._text import one_line

KEY = "acme=f3a9c2d17b604e58"


def test_a_new_name_has_the_form_that_the_service_knows() -> None:
    names = {Mayfly(domain="app.test").create_inbox().name for _ in range(100)}
    assert len(names) == 100
    assert all(re.fullmatch(r"[a-z]{4,5}-[a-z]{3,5}-[a-z2-7]{12}", name) for name in names)


def test_a_workspace_and_a_prefix_stand_before_it() -> None:
    inbox = Mayfly(domain="app.test", api_key=KEY).create_inbox(prefix="sign-up", rehearse=["451 x2"])
    assert re.fullmatch(r"acme-sign-up-\w+-\w+-[a-z2-7]{12}--451x2@app\.test", inbox.address)
    assert str(inbox) == inbox.address


@pytest.mark.parametrize(
    ("text", "domain"),
    [("Inbox.TEST", "inbox.test"), ("bücher.test", "xn--bcher-kva.test"), ("straße.test", "xn--strae-oqa.test")],
)
def test_domains(text: str, domain: str) -> None:
    assert checked_domain(text) == domain


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"base_url": "ftp://a"}, "not a base address"),
        ({"base_url": "http://a/?b"}, "not a base address"),
        ({"base_url": "http://user@a/"}, "not a base address"),
        ({"base_url": "http://a:99999"}, "not a base address"),
        ({"base_url": "http://a/b\r\nX: y"}, "not a base address"),
        ({"base_url": 1}, "base_url must be a text"),
        ({"domain": "a b"}, "not a domain"),
        ({"api_key": "short"}, "is not valid. Write it as NAME=KEY"),
        ({"timeout": 0}, "timeout must be a number of seconds"),
        ({"timeout": float("nan")}, "timeout must be a number of seconds"),
        ({"connect_timeout": True}, "connect_timeout must be a number of seconds"),
    ],
)
@pytest.mark.parametrize("client", [Mayfly, AsyncMayfly])
def test_an_invalid_setting_is_refused_at_once(client: Any, options: Dict[str, Any], said: str) -> None:
    with pytest.raises(MayflyOptionError, match=said):
        client(**options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"subject": 1}, "subject must be a text or a compiled"),
        ({"subject": re.compile(b"x")}, "subject must be a text or a compiled"),
        ({"has_otp": 1}, "has_otp must be True or False"),
        ({"after": "now"}, "after must be a datetime with a time zone"),
        ({"where": "x"}, "where must be a function"),
        ({"timeout": -1}, "timeout must be a number"),
    ],
)
def test_an_invalid_option_is_refused_at_once(options: Dict[str, Any], said: str) -> None:
    with pytest.raises(MayflyOptionError, match=said):
        Mayfly().create_inbox().wait_for_email(**options)


def test_an_unknown_option_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(TypeError, match=r"wait_for_email\(\) has no option 'subjekt'. It selects by from_, subject"):
        Mayfly().create_inbox().wait_for_email(subjekt="x")  # type: ignore[call-arg]


def fed(data: bytes, size: int) -> Response:
    response = Response()
    body = b"".join(response.feed(data[at : at + size]) for at in range(0, len(data), size))
    response.headers["body"] = body.decode()
    return response


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nA: b\r\n\r\n",
    ],
)
def test_responses_in_pieces(data: bytes, size: int) -> None:
    response = fed(data, size)
    assert (response.status, response.headers["body"], response.is_whole) == (200, "hello", True)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"220 inbox.test ESMTP\r\n", "SMTP port"),
        (b"SSH-2.0-x\r\n", "not HTTP"),
        (b"HTTP/1.1 xx OK\r\n\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000, "head of the answer is longer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "no valid length"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "no valid chunks"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "no valid chunks"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 2000, "line that is too long"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n" + b"a" * (2**29 + 1), "longer than"),
    ],
)
def test_hostile_responses(data: bytes, said: str) -> None:
    with pytest.raises(NotHttp, match=said):
        Response().feed(data)


def test_a_response_that_breaks_off() -> None:
    response = Response()
    response.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
    with pytest.raises(NotHttp, match="ended early"):
        response.feed(b"")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events(end: bytes) -> None:
    parser = EventParser()
    told: List[Any] = [parser.push(piece) for piece in (b": hello", end + end, b"data: a" + end + b"da", b"ta:b" + end)]
    assert told == [None, None, None, None]
    assert parser.push(end) == "a\nb"


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("From: \"Billing, Acme\" <b@app.test>", "Billing, Acme"),
        ("From: =?utf-8?B?w7zDvA==?= <b@app.test>", "üü"),
        ("From: =?no-such?q?x?= <b@app.test>", ""),
        ("From: b@app.test", ""),
        ("Subject: x", ""),
    ],
)
def test_the_name_of_a_sender(field: str, name: str) -> None:
    assert _from_name(f"{field}\r\nTo: x\r\n\r\nText") == name


def test_no_control_character_of_a_subject_reaches_a_terminal() -> None:
    assert one_line("a\x1b[31mb\u202ec\n\nd") == "a [31mb c d"
    assert one_line("a" * 61) == "a" * 60 + "…"


SMTP = {"port": 2525, "startTls": False, "authWithoutTls": True}


@pytest.mark.parametrize("outcome", sorted(_causes()["sessions"]))
def test_each_cause_is_told(outcome: str) -> None:
    attempt = {"way": "smtp", "client": "10.0.0.7", "outcome": outcome, "error": None}
    sessions = {"attempts": [attempt, attempt], "counts": {outcome: 2}}
    said = why_no_mail({"smtp": SMTP, "attempts": [], "elsewhere": [], "sessions": sessions}, 50, True)
    assert said.startswith("In the last 50 s, 2 connections from 10.0.0.7 ")
    assert "{port}" not in said


def test_that_no_client_connected_is_told() -> None:
    seen = {"smtp": SMTP, "attempts": [], "elsewhere": [], "sessions": {"attempts": [], "counts": {}}}
    assert "no client connected to the SMTP port 2525: set" in why_no_mail(seen, 50, True)
    assert why_no_mail(seen, 50, False) == ""
