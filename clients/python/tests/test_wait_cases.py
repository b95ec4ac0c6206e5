"""The cases that the clients for JavaScript and for Python both pass, with both shells."""

from __future__ import annotations

import asyncio
import json
import re
import smtplib
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest

import mayfly_client
from mayfly_client import AsyncMayfly, Mayfly
from mayfly_client.pytest_plugin import MayflyServer

CASES_FILE = Path(__file__).resolve().parents[3] / "client" / "test" / "wait-cases.json"
CASES: List[Dict[str, Any]] = json.loads(CASES_FILE.read_text("utf-8"))
IN_SECONDS = ("timeout", "settle", "within")


def snake(name: str) -> str:
    return "from_" if name == "from" else re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def send(server: MayflyServer, to: str, mails: List[Dict[str, str]]) -> None:
    for mail in mails:
        sender, subject, text = (mail.get(name, "Hello") for name in ("from", "subject", "text"))
        sender = mail.get("from", "app@app.test")
        raw = f"From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\n\r\n{text}\r\n"
        with smtplib.SMTP(str(server.smtp_host), int(server.smtp_port or 0)) as smtp:
            smtp.sendmail("app@app.test", to, raw)


def options_of(case: Dict[str, Any], after: Any) -> Dict[str, Any]:
    options: Dict[str, Any] = {"after": after} if after else {}
    for name, value in case.get("options", {}).items():
        if isinstance(value, dict):
            value = re.compile(value["pattern"])
        options[snake(name)] = value / 1000 if name in IN_SECONDS else value
    return options


def prepare(server: MayflyServer, case: Dict[str, Any], address: str) -> None:
    send(server, address, case.get("before", []))
    send(server, f"{address.split('@')[0]}@example.com", case.get("elsewhere", []))
    for mail in case.get("refused", []):
        with pytest.raises(smtplib.SMTPException):
            send(server, address, [mail])


def check(case: Dict[str, Any], found: Any, error: Optional[BaseException]) -> None:
    if "fails" in case:
        assert type(error).__name__ == case["fails"], repr(error or found)
        for part in case["says"]:
            assert part in str(error)
        return
    if error:
        raise error
    wanted = case["gives"]
    if isinstance(wanted, list):
        found = [email.subject for email in found]
    elif isinstance(wanted, dict):
        found = {name: getattr(found, snake(name)) for name in wanted}
    assert found == wanted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_blocking(case: Dict[str, Any], mayfly_server: MayflyServer) -> None:
    inbox = Mayfly(base_url=mayfly_server.url).create_inbox(rehearse=case.get("rehearse", []))
    prepare(mayfly_server, case, inbox.address)
    options = options_of(case, inbox.mark() if case.get("mark") else None)
    sender = threading.Thread(target=send, args=(mayfly_server, inbox.address, case.get("during", [])))
    sender.start()
    found, error = None, None
    try:
        found = getattr(inbox, snake(case["call"]))(**options)
    except mayfly_client.MayflyError as raised:
        error = raised
    sender.join()
    check(case, found, error)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_asyncio(case: Dict[str, Any], mayfly_server: MayflyServer) -> None:
    async def wait() -> None:
        inbox = AsyncMayfly(base_url=mayfly_server.url).create_inbox(rehearse=case.get("rehearse", []))
        prepare(mayfly_server, case, inbox.address)
        options = options_of(case, (await inbox.mark()) if case.get("mark") else None)
        sending = asyncio.get_running_loop().run_in_executor(
            None, send, mayfly_server, inbox.address, case.get("during", [])
        )
        found, error = None, None
        try:
            found = await getattr(inbox, snake(case["call"]))(**options)
        except mayfly_client.MayflyError as raised:
            error = raised
        await sending
        check(case, found, error)

    asyncio.run(wait())
