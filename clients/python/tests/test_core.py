"""The core without I/O: names, settings, parsing of responses, and explanations of timeouts."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any, Callable, Dict, List

import pytest

from mayfly_client import AsyncMayfly, Mayfly, MayflyOptionError
from mayfly_client._email import _from_name
from mayfly_client._http import EventParser, NotHttp, Response
from mayfly_client._json import json_of
from mayfly_client._names import checked_domain
from mayfly_client._no_mail import _causes, of_clocks, why_no_mail
from mayfly_client._text import contains, one_line, time_of
from mayfly_client._transport import Target

KEY = "acme=f3a9c2d17b604e58"


def test_a_new_name_has_the_form_of_generated_names() -> None:
    names = {Mayfly(domain="app.test").create_inbox().name for _ in range(100)}
    assert len(names) == 100
    assert all(re.fullmatch(r"[a-z]{4,5}-[a-z]{3,5}-[a-z2-7]{12}", name) for name in names)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (lambda: Mayfly(space="run-1:password")._settings.credentials, "run-1:password"),
        (lambda: AsyncMayfly(space="run-1:password")._settings.credentials, "run-1:password"),
        (lambda: Mayfly().create_inbox(rehearse=["451 x2"]).name[-7:], "--451x2"),
        (lambda: AsyncMayfly().create_inbox(rehearse=["451 x2"]).name[-7:], "--451x2"),
        (lambda: Mayfly(space="a:b", credentials="a:b"), "Mayfly: space is the old name of credentials, and both"),
        (lambda: Mayfly().create_inbox(rehearse=[], simulate=[]), "rehearse is the old name of simulate, and both"),
    ],
)
def test_the_old_names_of_options_work(given: Callable[[], str], wanted: str) -> None:
    try:
        assert given() == wanted
    except MayflyOptionError as error:
        assert wanted in str(error)


def test_the_old_names_of_variables_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAYFLY_SPACE", "run-1:password")
    assert Mayfly()._settings.credentials == "run-1:password"
    monkeypatch.setenv("MAYFLY_CREDENTIALS", "run-2:password")
    with pytest.raises(MayflyOptionError, match="MAYFLY_SPACE is the old name of MAYFLY_CREDENTIALS, and both"):
        Mayfly()
    assert Mayfly(credentials="run-3:password")._settings.credentials == "run-3:password"


def test_a_workspace_and_a_prefix_precede_a_new_name() -> None:
    inbox = Mayfly(domain="app.test", api_key=KEY).create_inbox(prefix="sign-up", simulate=["451 x2"])
    assert re.fullmatch(r"acme-sign-up-\w+-\w+-[a-z2-7]{12}--451x2@app\.test", inbox.address)
    assert str(inbox) == inbox.address


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("Inbox.EXAMPLE.com", "inbox.example.com"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("straße.test", "xn--strae-oqa.test"),
    ],
)
def test_domains_are_normalized_and_checked(text: str, domain: str) -> None:
    assert checked_domain(text) == domain


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"base_url": "ftp://a"}, "not a base URL"),
        ({"base_url": "http://a/?b"}, "not a base URL"),
        ({"base_url": "http://user@a/"}, "not a base URL"),
        ({"base_url": "http://a:99999"}, "not a base URL"),
        ({"base_url": "http://a/b\r\nX: y"}, "not a base URL"),
        ({"base_url": 1}, "base_url must be a string"),
        ({"domain": "a b"}, "not a domain"),
        ({"base_url": "http://a..b/é"}, "not a base URL"),
        ({"base_url": "http://☃.test/"}, "not a base URL"),
        ({"api_key": "short"}, "is not valid. Write it as NAME=KEY"),
        ({"credentials": "user"}, "is not valid. Write it as USER:PASSWORD"),
        ({"credentials": ":password"}, "is not valid. Write it as USER:PASSWORD"),
        ({"credentials": "user:pass\r\nX: y"}, "is not valid. Write it as USER:PASSWORD"),
        ({"credentials": "user:pässword"}, "is not valid. Write it as USER:PASSWORD"),
        ({"ssl_context": True}, "ssl_context must be an ssl.SSLContext"),
        ({"timeout": 0}, "timeout must be a number of seconds"),
        ({"timeout": float("nan")}, "timeout must be a number of seconds"),
        ({"connect_timeout": True}, "connect_timeout must be a number of seconds"),
    ],
)
@pytest.mark.parametrize("client", [Mayfly, AsyncMayfly])
def test_an_invalid_setting_is_rejected_immediately(client: Any, options: Dict[str, Any], said: str) -> None:
    with pytest.raises(MayflyOptionError, match=said):
        client(**options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"subject": 1}, "subject must be a string or a compiled"),
        ({"subject": re.compile(b"x")}, "subject must be a string or a compiled"),
        ({"subject": "\ud800"}, "subject contains an unpaired surrogate"),
        ({"has_otp": 1}, "has_otp must be True or False"),
        ({"after": "now"}, "after must be a datetime with a time zone"),
        ({"where": "x"}, "where must be a function"),
        ({"timeout": -1}, "timeout must be a number"),
    ],
)
def test_an_invalid_option_is_rejected_immediately(options: Dict[str, Any], said: str) -> None:
    with pytest.raises(MayflyOptionError, match=said):
        Mayfly().create_inbox().wait_for_email(**options)


@pytest.mark.parametrize("client", [Mayfly, AsyncMayfly])
def test_only_the_page_url_of_a_private_inbox_contains_its_secret(client: Any) -> None:
    inbox = client(domain="app.test").create_inbox(private=True)
    assert re.fullmatch(r"p-[a-z2-7]{26}@app\.test", inbox.address)
    assert re.fullmatch("[a-z2-7]{26}", inbox.secret)
    assert inbox.page_url.endswith(f"/inbox/{inbox.address}#{inbox.secret}")
    assert inbox.secret not in f"{inbox} {inbox!r} {vars(inbox)}"
    again = Mayfly().inbox(inbox.address, secret=inbox.secret)
    assert (again.page_url.split("#")[1], again.secret) == (inbox.secret, inbox.secret)
    assert client().create_inbox().secret is None


def test_the_name_of_a_private_inbox_is_the_hash_of_its_secret() -> None:
    inbox = Mayfly(api_key=KEY).create_inbox(private=True, simulate=["451 x2"])
    digest = hashlib.sha256(str(inbox.secret).encode()).digest()
    assert inbox.name == f"p-{base64.b32encode(digest).decode().lower()[:26]}--451x2"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Mayfly().create_inbox("a", private=True), "prefix must be left out with private"),
        (lambda: Mayfly().create_inbox(private=1), "private must be True or False"),  # type: ignore[arg-type]
        (lambda: Mayfly().inbox("p-x", secret="short"), "secret must be 16 to 512"),
        (lambda: Mayfly().inbox("p-x", secret="a" * 20 + "\n"), "secret must be 16 to 512"),
        (lambda: Mayfly().inbox("a\r\nX: y"), "is not an inbox name"),
        (lambda: Mayfly().inbox("a@b\r\nX: y"), "is not a domain"),
        (lambda: Mayfly().inbox("a@b/c"), '"a@b/c" is not an address: "b/c" is not a domain. Use one such as inbox'),
        (lambda: Mayfly(domain="b/c"), '"b/c" is not a domain. Set domain or MAYFLY_DOMAIN to one such as'),
        (lambda: Mayfly().create_inbox(simulate=["451\r\nX: y"]), "is not an inbox name"),
        (lambda: Mayfly().create_inbox(simulate=""), "simulate must be a list of strings"),
        (lambda: Mayfly().create_inbox(simulate=451), "simulate must be a list of strings"),  # type: ignore[arg-type]
        (lambda: Mayfly().create_inbox(simulate=iter(["451"])), "simulate must be"),  # type: ignore[arg-type]
    ],
)
def test_an_invalid_name_or_secret_is_rejected_immediately(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(MayflyOptionError, match=said) as refused:
        call()
    assert "aaaa" not in str(refused.value)


def test_settings_and_requests_show_no_secret() -> None:
    shown = f"{Mayfly(api_key=KEY, credentials='run-1:password')._settings!r} {Target('/', key='secret-of-16-chars')!r}"
    assert not re.search("f3a9c2d17b604e58|password|secret-of", shown)


@pytest.mark.parametrize("milliseconds", [20_000, 5_000.0, 2_000, 1_800_000])
def test_rejecting_a_time_in_milliseconds_suggests_the_seconds(milliseconds: float) -> None:
    said = f"and {milliseconds:.10g} s are .* hours. Did you mean {milliseconds / 1000:g}\\?$"
    with pytest.raises(MayflyOptionError, match=f"^Mayfly: timeout must be a number of seconds from .* {said}"):
        Mayfly(timeout=milliseconds)
    with pytest.raises(MayflyOptionError, match=f"^wait_for_otp: timeout must be .* {said}"):
        Mayfly().create_inbox().wait_for_otp(timeout=milliseconds)
    with pytest.raises(MayflyOptionError, match=f"^expect_no_email: within must be .* {said}"):
        Mayfly().create_inbox().expect_no_email(within=milliseconds)


def test_rejecting_an_unknown_option_suggests_similar_or_all_options() -> None:
    with pytest.raises(TypeError, match=r"wait_for_email\(\) has no option 'sender'. It takes from_, subject"):
        Mayfly().create_inbox().wait_for_email(sender="x")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"wait_for_otp\(\) has no option 'timout'\. Did you mean timeout\?$"):
        Mayfly().create_inbox().wait_for_otp(timout=2)  # type: ignore[call-arg]


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
def test_a_response_is_parsed_however_it_is_split(data: bytes, size: int) -> None:
    response = fed(data, size)
    assert (response.status, response.headers["body"], response.is_whole) == (200, "hello", True)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"220 inbox.example.com ESMTP\r\n", "that is an SMTP port"),
        (b"SSH-2.0-x\r\n", "not HTTP"),
        (b"HTTP/1.1 xx OK\r\n\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000, "head of the answer is longer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "no valid length"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "no valid chunks"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "no valid chunks"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 2000, "line that is too long"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n" + b"a" * (2**29 + 1), "longer than"),
    ],
    # By default, pytest would put all bytes of the response into the name of the test.
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hostile_responses_are_rejected(data: bytes, said: str) -> None:
    with pytest.raises(NotHttp, match=said):
        Response().feed(data)


@pytest.mark.parametrize("text", ["[" * 100_000, "1" * 100_000, "{", "", "\ud800"])
def test_hostile_json_is_rejected(text: str) -> None:
    with pytest.raises(ValueError):
        json_of(text)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events_are_parsed_with_any_line_end(end: bytes) -> None:
    parser = EventParser()
    told: List[Any] = [parser.push(piece) for piece in (b": hello", end + end, b"data: a" + end + b"da", b"ta:b" + end)]
    assert told == [None, None, None, None]
    assert parser.push(end) == "a\nb"


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ('From: "Billing, Acme" <b@app.test>', "Billing, Acme"),
        ("From: =?utf-8?B?w7zDvA==?= <b@app.test>", "üü"),
        ("From: =?no-such?q?x?= <b@app.test>", ""),
        ("From: b@app.test", ""),
        ("Subject: x", ""),
    ],
)
def test_the_name_of_a_sender_is_decoded(field: str, name: str) -> None:
    assert _from_name(f"{field}\r\nTo: x\r\n\r\nText") == name


def test_no_control_character_of_a_subject_reaches_a_terminal() -> None:
    assert one_line("a\x1b[31mb\u202ec\n\nd") == "a [31mb c d"
    assert one_line("a" * 61) == "a" * 60 + "…"


NOW = "2026-01-31T09:30:00.000Z"
SEEN: Dict[str, Any] = {
    "now": NOW,
    "address": "a@inbox.example.com",
    "acrossSpaces": 0,
    "ownKept": 0,
    "smtp": {"port": 2525, "startTls": False, "authWithoutTls": True},
    "attempts": [],
    "elsewhere": [],
    "newSpace": False,
    "sessions": {"attempts": [], "counts": {}},
}


@pytest.mark.parametrize("outcome", sorted(_causes()["sessions"]))
def test_each_cause_is_reported(outcome: str) -> None:
    attempt = {"way": "smtp", "client": "10.0.0.7", "outcome": outcome, "error": None, "at": NOW}
    sessions = {"attempts": [attempt, attempt], "counts": {outcome: 2}}
    said = why_no_mail({**SEEN, "sessions": sessions}, 20, 30, True)
    assert re.search(r"(Since this wait began, 2 connections from 10\.0\.0\.7|In the last 50 s, 2 connections) ", said)
    assert not re.search(r"\{\w+\}", said)


def test_causes_link_to_the_configured_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAYFLY_DOCS_URL", 'https://docs.test/"\\u')
    assert 'https://docs.test/"\\u/' in str(_causes.__wrapped__()["sessions"]["bad-space"])


def test_connections_without_a_recipient_are_omitted_while_others_send() -> None:
    attempt = {"way": "smtp", "client": "10.0.0.7", "outcome": "not-smtps", "error": None, "at": NOW}
    sessions = {"attempts": [attempt], "counts": {"not-smtps": 1, "kept": 2, "too-many-connections": 9}}
    said = why_no_mail({**SEEN, "sessions": sessions}, 20, 30, True)
    assert "In the last 50 s, 9 connections met a limit (421)" in said
    assert "TLS" not in said
    assert "TLS" in why_no_mail({**SEEN, "sessions": sessions, "ownKept": 2}, 20, 30, True)


def test_different_clocks_are_reported() -> None:
    now = time_of(NOW).timestamp()
    ahead = of_clocks(NOW, time_of(NOW), now + 3600, now + 3600)
    assert ahead.startswith("The clock of this machine is 3600 s ahead of the service's: set `after` to what mark() ")
    assert of_clocks(NOW, time_of(NOW), now - 0.2, now + 5) == ""
    assert of_clocks(NOW, time_of("2026-01-31T09:30:02.500Z"), now, now).startswith("`after` is 2.5 s in the future")
    assert of_clocks(NOW, None, 0, 0) == ""


def test_a_missing_text_is_not_explained_by_smtp() -> None:
    phone = {**SEEN, "address": "+12015550142@inbox.example.com"}
    said = why_no_mail(phone, 20, 30, True)
    assert "no text message to this number reached Mayfly" in said
    assert "SMTP" not in said


def test_a_missing_client_is_reported() -> None:
    assert "no client connected to the SMTP port 2525: set" in why_no_mail(SEEN, 20, 30, True)
    sessions = {"attempts": None, "counts": {}}
    why = why_no_mail({**SEEN, "sessions": sessions}, 20, 30, True)
    assert "address (Mayfly's log lists clients at other addresses" in why
    assert why_no_mail(SEEN, 20, 30, False) == ""


def test_texts_are_compared_by_their_visible_characters() -> None:
    subject = "Le code\u00a0: ver\u200bify cle\u0301"
    assert contains(subject, "LE CODE : VERIFY CLÉ")
    assert not contains(subject, "le code: verify")


@pytest.mark.parametrize(
    ("country", "pattern"),
    [
        ("US", r"\+1[2-9]\d\d55501\d\d"),
        ("CA", r"\+1[2-9]\d\d55501\d\d"),
        ("GB", r"\+442079460\d{3}"),
        ("FR", r"\+3319900\d{4}"),
        ("DE", r"\+4917139200\d\d"),
        ("SE", r"\+467017406[1-9]\d"),
    ],
)
def test_new_phone_numbers_are_in_the_range_for_fiction(country: str, pattern: str) -> None:
    numbers = [Mayfly().create_phone(country).number for _ in range(40)]
    assert all(re.fullmatch(pattern, number) for number in numbers)
    assert len(set(numbers)) == len(numbers)


def test_a_phone_is_named_by_its_number_in_any_notation() -> None:
    phone = AsyncMayfly().phone("+1 (201) 555-0142")
    assert [phone.number, str(phone), phone.name] == ["+12015550142"] * 3
    with pytest.raises(MayflyOptionError, match="is not a phone number"):
        Mayfly().phone("alice")
    with pytest.raises(MayflyOptionError, match=f'^"{"1" * 60}…" is not a phone number'):
        Mayfly().phone("1" * 100_000)
    with pytest.raises(MayflyOptionError, match="country must be one of US"):
        Mayfly().create_phone("XX")
