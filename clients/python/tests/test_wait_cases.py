"""The cases that the JavaScript and Python clients share, with the blocking and the asyncio client."""

from __future__ import annotations

import asyncio
import json
import re
import smtplib
import threading
import uuid
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import pytest

import mayfly_client
from mayfly_client import AsyncMayfly, Mayfly
from mayfly_client.pytest_plugin import MayflyServer

CASES_FILE = Path(__file__).resolve().parents[3] / "packages" / "client" / "test" / "wait-cases.json"
CASES: List[Dict[str, Any]] = json.loads(CASES_FILE.read_text("utf-8"))
IN_SECONDS = ("timeout", "settle", "within")


def snake(name: str) -> str:
    return "from_" if name == "from" else re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def send(server: MayflyServer, to: str, mails: List[Dict[str, str]], credentials: Optional[str] = None) -> None:
    """Sends mail, into an ad-hoc workspace if there are credentials."""
    for mail in mails:
        sender = mail.get("from", "app@app.test")
        subject, text = (mail.get(name, "Hello") for name in ("subject", "text"))
        raw = f"From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\n\r\n{text}\r\n"
        with smtplib.SMTP(str(server.smtp_host), int(server.smtp_port or 0)) as smtp:
            if credentials:
                smtp.login(*credentials.split(":"))
            smtp.sendmail("app@app.test", to, raw)


def new_credentials() -> str:
    return f"run-{uuid.uuid4()}:secret-{uuid.uuid4()}"


def open_inbox(case: Dict[str, Any], client: Any) -> Any:
    if case.get("phone"):
        return client.create_phone()
    made = client.create_inbox(simulate=case.get("simulate", []), private=case.get("private", False))
    if "domain" in case:
        return client.inbox(f"{made.name}@{case['domain']}")
    return client.inbox(made.address, secret=case["secret"]) if "secret" in case else made


def options_of(case: Dict[str, Any], after: Any) -> Dict[str, Any]:
    options: Dict[str, Any] = {"after": after} if after else {}
    for name, value in case.get("options", {}).items():
        if isinstance(value, dict):
            value = re.compile(value["pattern"])
        options[snake(name)] = value / 1000 if name in IN_SECONDS else value
    return options


def prepare(server: MayflyServer, case: Dict[str, Any], inbox: Any, credentials: Optional[str]) -> None:
    send(server, inbox.address, case.get("before", []), credentials)
    send(server, f"{inbox.name}@example.com", case.get("elsewhere", []))
    send(server, inbox.address, case.get("outside", []))
    send(server, inbox.address, case.get("inOther", []), new_credentials())
    send(server, f"besides-{inbox.name}@inbox.example.com", case.get("besides", []), credentials)
    for mail in case.get("refused", []):
        with pytest.raises(smtplib.SMTPException):
            send(server, inbox.address, [mail])


def check(case: Dict[str, Any], found: Any, error: Optional[BaseException]) -> None:
    if "fails" in case:
        assert type(error).__name__ == case["fails"], repr(error or found)
        for part in case["says"]:
            assert part in str(error)
        assert "saysNot" not in case or case["saysNot"] not in str(error)
        return
    if error:
        raise error
    wanted = case["gives"]
    if isinstance(wanted, list):
        found = [email.subject for email in found]
    elif isinstance(wanted, dict):
        found = {name: getattr(found, snake(name)) for name in wanted}
    assert found == wanted


def judge(case: Dict[str, Any], run: Callable[[Dict[str, Any]], Tuple[Any, Any]]) -> None:
    try:
        check(case, *run(case))
    except AssertionError:
        if case.get("fails") != "MayflyTimeoutError":
            raise
        # The machine may have been too busy for the last read, so this tries again with more time.
        options = case["options"]
        check(case, *run({**case, "options": {**options, "timeout": 8 * options["timeout"]}}))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_blocking_client_passes_every_shared_case(case: Dict[str, Any], mayfly_server: MayflyServer) -> None:
    judge(case, lambda case: blocking(case, mayfly_server))


def blocking(case: Dict[str, Any], mayfly_server: MayflyServer) -> Tuple[Any, Any]:
    credentials = new_credentials() if case.get("hasCredentials") else None
    found, error = None, None
    try:
        inbox = open_inbox(case, Mayfly(mayfly_server.url, mayfly_server.domain, credentials=credentials))
        prepare(mayfly_server, case, inbox, credentials)
        options = options_of(case, inbox.mark() if case.get("mark") else None)
        sending = (mayfly_server, inbox.address, case.get("during", []), credentials)
        sender = threading.Thread(target=send, args=sending)
        sender.start()
        try:
            found = getattr(inbox, snake(case["call"]))(**options)
        finally:
            sender.join()
    except mayfly_client.MayflyError as raised:
        error = raised
    return found, error


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_asyncio_client_passes_every_shared_case(case: Dict[str, Any], mayfly_server: MayflyServer) -> None:
    judge(case, lambda case: in_loop(case, mayfly_server))


def in_loop(case: Dict[str, Any], mayfly_server: MayflyServer) -> Tuple[Any, Any]:
    async def wait() -> Any:
        credentials = new_credentials() if case.get("hasCredentials") else None
        inbox = open_inbox(case, AsyncMayfly(mayfly_server.url, mayfly_server.domain, credentials=credentials))
        prepare(mayfly_server, case, inbox, credentials)
        options = options_of(case, (await inbox.mark()) if case.get("mark") else None)
        sending = (mayfly_server, inbox.address, case.get("during", []), credentials)
        sender = asyncio.get_running_loop().run_in_executor(None, send, *sending)
        try:
            return await getattr(inbox, snake(case["call"]))(**options)
        finally:
            await sender

    found, error = None, None
    try:
        found = asyncio.run(wait())
    except mayfly_client.MayflyError as raised:
        error = raised
    return found, error
