"""The fixture `inbox`: a new address for each test. A wait that fails lists the emails that did arrive."""
import json
import os
import secrets
import time
import urllib.parse
import urllib.request

import pytest

URL = os.environ.get("MAYFLY_URL", "http://127.0.0.1:8080")
DOMAIN = os.environ.get("MAYFLY_DOMAIN", "inbox.example.com")
SILENCE = 9  # Seconds per read. A stream sends something every 10 s, so waits end on time.


class Inbox:
    def __init__(self, name):
        self.name, self.address = name, f"{name}@{DOMAIN}"

    def wait(self, timeout=20, **wanted):
        """The newest email that matches: wait(hasOtp="true", subject="confirm", after=email["receivedAt"])."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            try:
                with self._open("/stream", wanted, min(left, SILENCE)) as lines:
                    data = [line[5:] for line in lines if line.startswith(b"data:")]
            except TimeoutError:
                continue
            if data and data[-1].strip() != b"__timeout__":
                return json.loads(data[-1])
        came = [f"{mail['subject']!r}, code {mail['otp']}" for mail in json.load(self._open("/summary"))["emails"]]
        pytest.fail(f"{timeout} s for {wanted or 'an email'}; to {self.address} came: {came or 'nothing'}", pytrace=False)

    def _open(self, what, query={}, seconds=SILENCE):
        url = f"{URL}/api/inbox/{self.name}{what}?{urllib.parse.urlencode(query)}"
        return urllib.request.urlopen(url, timeout=seconds)


@pytest.fixture
def inbox():
    try:
        urllib.request.urlopen(f"{URL}/readyz", timeout=SILENCE).close()
        return Inbox(f"py-{secrets.token_hex(8)}")
    except OSError as error:
        reason = error
    pytest.fail(f"Mayfly does not answer at {URL}: {reason}. Start it, or set MAYFLY_URL.", pytrace=False)
