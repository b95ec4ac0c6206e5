"""Makes every call of pytest-mailpit and mailpit-api-client, as their users do, against the server at MAIL_URL.

Run by clients.full.test.ts in an environment that has both packages. docs/migrating.md lists the endpoints that are
not called: tags, chaos, and the checks of links and HTML, which Mayfly does not serve.
"""
import os
import smtplib
import uuid
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from mailpit.client.api import API
from pytest_mailpit import MailpitAPIError, MailpitAssertionError, MailpitClient
from pytest_mailpit.inbox import Inbox

URL = os.environ["MAIL_URL"]


def send(to, subject="Hello", text="Your code is 482913", cc=None, bcc=None):
    mail = EmailMessage()
    mail["From"] = '"App" <app@app.test>'
    mail["To"] = to
    if cc:
        mail["Cc"] = cc
    mail["Subject"] = subject
    mail["Date"] = "Sat, 31 Jan 2026 09:30:00 +0000"
    mail["Message-ID"] = f"<{uuid.uuid4()}@app.test>"
    mail["Delivered-To"] = to
    mail.set_content(text)
    mail.add_alternative(f'<p>{text}: <a href="https://app.test/verify?token=x">Verify</a></p>', subtype="html")
    mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="invoice.pdf")
    with smtplib.SMTP("127.0.0.1", int(os.environ["SMTP_PORT"])) as smtp:
        smtp.send_message(mail, to_addrs=[to] + ([cc] if cc else []) + ([bcc] if bcc else []))
    return mail


def address():
    return f"u{uuid.uuid4().hex[:12]}@app.test"


@pytest.fixture
def client():
    with MailpitClient(URL, wait_timeout=30, poll_interval=0.1) as one:
        one.delete_all()
        yield one


class TestPytestMailpit:
    def test_server(self, client):
        assert client.is_ready()
        assert client.info().messages == 0
        assert abs((client.server_time() - datetime.now(UTC)).total_seconds()) < 60

    def test_reading(self, client):
        to, cc, bcc = address(), address(), address()
        mail = send(to, cc=cc, bcc=bcc)
        [summary] = client.messages().messages
        assert (summary.sender.name, summary.sender.address) == ("App", "app@app.test")
        assert [one.address for one in (*summary.to, *summary.cc, *summary.bcc)] == [to, cc, bcc]
        assert (summary.attachments, summary.read, summary.tags) == (1, False, ())
        assert client.search(f'to:"{to}"').messages == client.messages().messages
        assert [one.id for one in client.search_all('subject:"hello"', page_size=1)] == [summary.id]

        message = client.get_message(summary.id)
        assert message.message_id == mail["Message-ID"].strip("<>")
        assert message.date == datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
        assert message.code() == "482913"
        assert message.link("verify") == "https://app.test/verify?token=x"
        assert client.get_attachment(message.attachment("invoice.pdf")) == b"%PDF-1.4"
        assert client.get_part(message.id, message.attachments[0].part_id) == b"%PDF-1.4"
        assert client.get_headers(message.id)["Subject"] == ["Hello"]
        assert b"Subject: Hello" in client.get_raw(message.id)
        assert client.get_message() == message
        assert client.messages().messages[0].read

    def test_waiting(self, client):
        to = address()
        since = client.server_time()
        send(to)
        message = client.wait_for_message(recipient=to, sender="app@app.test", subject="Hel", since=since)
        assert message.code() == "482913"
        send(to, subject="Second")
        assert [one.subject for one in client.wait_for_messages(2, recipient=to)] == ["Hello", "Second"]
        client.assert_no_message(recipient=address(), within=0.2)
        with pytest.raises(MailpitAssertionError, match="Second"):
            client.wait_for_message(recipient=address(), timeout=0.2)

    def test_inbox(self, client):
        inbox = Inbox(client, address(), wait_timeout=30)
        other = address()
        send(inbox.address)
        send(other)
        assert inbox.wait_for_message(subject="Hello").code() == "482913"
        assert inbox.wait_for_messages(1)[0].subject == "Hello"
        assert inbox.address in inbox.describe()
        inbox.clear()
        assert inbox.messages() == []
        inbox.assert_no_message(within=0.2)
        assert client.messages().messages_count == 1

    def test_changing(self, client):
        for subject in ("one", "two", "three"):
            send(address(), subject=subject)
        ids = {one.subject: one.id for one in client.messages().messages}
        client.mark_read([ids["one"]])
        assert client.messages().unread == 2
        client.mark_read([ids["one"]], read=False)
        assert client.messages().unread == 3
        client.delete_messages([ids["one"]])
        client.delete_search("subject:two")
        assert [one.subject for one in client.messages().messages] == ["three"]
        client.delete_all()
        assert client.messages().total == 0

    def test_what_is_not_served_says_so(self, client):
        send(address())
        for call in (client.chaos, lambda: client.check_html("latest"), lambda: client.set_tags(["x"], ["y"])):
            with pytest.raises(MailpitAPIError, match="Migrating"):
                call()


def test_the_plugin_with_an_address_for_each_test(mailpit_inbox):
    send(mailpit_inbox.address)
    assert mailpit_inbox.wait_for_message().code() == "482913"


class TestMailpitApiClient:
    @pytest.fixture
    def api(self):
        api = API(URL, timeout=30)
        api.delete_messages([])
        return api

    def test_reading(self, api):
        to = address()
        send(to)
        messages = api.get_messages(limit=10, start=0)
        assert (messages.total, messages.unread, messages.count, messages.start) == (1, 1, 1, 0)
        message = api.get_message(messages.messages[0].id)
        assert message.to[0].address == to
        assert message.text.strip() == "Your code is 482913"
        assert api.get_message_attachment(message.id, message.attachments[0].part_id) == "%PDF-1.4"
        assert api.get_message_headers(message.id).delivered_to == [to]

    def test_changing(self, api):
        for _ in range(3):
            send(address())
        ids = [one.id for one in api.get_messages().messages]
        api.put_messages(ids[:1], "Read", True)
        assert api.get_messages().unread == 2
        api.delete_messages(ids[:1])
        assert [one.id for one in api.get_messages().messages] == ids[1:]
        api.delete_messages([])
        assert api.get_messages().total == 0
