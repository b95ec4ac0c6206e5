"""The plugin, in separate runs of pytest."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from mayfly_client.pytest_plugin import MayflyServer, _environment

OPTIONS = ("-p", "no:mayfly", "-p", "mayfly_client.pytest_plugin", "-p", "no:cacheprovider")
SERVICE = Path(__file__).resolve().parents[3] / "packages" / "server" / "bin" / "mayfly.js"


def test_a_failed_test_lists_its_mail(pytester: pytest.Pytester, mayfly_server: MayflyServer) -> None:
    pytester.makepyfile(
        """
        import smtplib, os

        def test_sign_up(inbox):
            with smtplib.SMTP(os.environ["SMTP_HOST"], int(os.environ["SMTP_PORT"])) as smtp:
                smtp.sendmail("a@app.test", inbox.address, "From: a@app.test\\r\\nSubject: Welcome\\r\\n\\r\\nHi")
            inbox.wait_for_otp(timeout=4)
        """
    )
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.stdout.fnmatch_lines(["*Waited 4 s for an email with a code. 1 email came to *: 'Welcome' (no code; its *"])
    result.stdout.fnmatch_lines(["*Mayfly: *@inbox.example.com*", "*'Welcome' from a@app.test: code none, link none"])
    result.stdout.fnmatch_lines([">*inbox.wait_for_otp(timeout=4)", "E*MayflyTimeoutError: Waited 4 s*"])
    result.stdout.no_fnmatch_line("*_watch.py*")
    whole = pytester.runpytest_subprocess(*OPTIONS, "--full-trace")
    whole.stdout.fnmatch_lines(["*_watch.py*"])


def test_a_phone_waits_for_a_text(pytester: pytest.Pytester, mayfly_server: MayflyServer) -> None:
    pytester.makepyfile(
        """
        from urllib.parse import urlencode
        from urllib.request import urlopen

        def test_sign_up(phone, mayfly):
            fields = {"To": phone.number, "From": "Acme", "Body": "Your code is 482913"}
            urlopen(mayfly.base_url + "/2010-04-01/Accounts/AC1/Messages.json", urlencode(fields).encode())
            assert phone.wait_for_otp() == "482913"
        """
    )
    pytester.runpytest_subprocess(*OPTIONS).assert_outcomes(passed=1)


def test_the_first_example_of_the_readme_passes(pytester: pytest.Pytester, mayfly_server: MayflyServer) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    pytester.makepyfile(readme.split("```python\n")[1].split("```")[0])
    pytester.runpytest_subprocess(*OPTIONS).assert_outcomes(passed=1)


def test_a_run_starts_a_service_and_ends_it(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    if not SERVICE.exists():
        pytest.skip("the service is not built here")
    for name in ("MAYFLY_URL", "MAYFLY_DOMAIN", "SMTP_HOST", "SMTP_PORT"):
        monkeypatch.delenv(name, raising=False)
    command = f"node {shlex.quote(str(SERVICE))}"
    pytester.makeini(f"[pytest]\nmayfly_command = {command}\nmayfly_options = --domain app.test\n")
    pytester.makepyfile(
        """
        import os, smtplib

        def test_sign_up(inbox, mayfly_server):
            assert inbox.address.endswith("@app.test")
            assert os.environ["MAYFLY_URL"] == mayfly_server.url
            print("served at", mayfly_server.url)
            with smtplib.SMTP(mayfly_server.smtp_host, mayfly_server.smtp_port) as smtp:
                smtp.sendmail("a@app.test", inbox.address, "Subject: Welcome\\r\\n\\r\\nYour code is 482913")
            assert inbox.wait_for_otp() == "482913"
        """
    )
    result = pytester.runpytest_subprocess(*OPTIONS, "-s")
    result.assert_outcomes(passed=1)
    url = next(line.split()[-1] for line in result.outlines if "served at" in line)
    monkeypatch.setenv("MAYFLY_URL", url)
    after = pytester.runpytest_subprocess(*OPTIONS)
    after.stdout.fnmatch_lines([f"*Mayfly at {url} cannot be reached: Connection refused. *Start Mayfly*"])
    after.stdout.no_fnmatch_line("*During handling of*")


def test_the_old_name_of_ad_hoc_workspaces_is_not_set_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAYFLY_CREDENTIALS", "run-1:password")
    assert _environment([])["MAYFLY_AD_HOC_WORKSPACES"] == "true"
    monkeypatch.setenv("MAYFLY_SPACES", "true")
    assert "MAYFLY_AD_HOC_WORKSPACES" not in _environment([])


def test_no_link_to_a_service_that_ends_with_the_run_is_printed(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not SERVICE.exists():
        pytest.skip("the service is not built here")
    for name in ("MAYFLY_URL", "MAYFLY_DOMAIN", "SMTP_HOST", "SMTP_PORT", "MAYFLY_RUN"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeini(f"[pytest]\nmayfly_command = node {shlex.quote(str(SERVICE))}\n")
    pytester.makepyfile("def test_fails(inbox): assert False")
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["No email."])
    assert "http://" not in result.stdout.str()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"{sys.executable} -c \"print('no such thing')\"", "*Mayfly did not start (*"),
        ("/no/such/mayfly", "*'/no/such/mayfly' could not be started: No such file*"),
    ],
)
def test_a_service_that_fails_to_start_fails_the_tests(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, command: str, said: str
) -> None:
    monkeypatch.delenv("MAYFLY_URL", raising=False)
    pytester.makeini(f"[pytest]\nmayfly_command = {command}\n")
    pytester.makepyfile("def test_one(inbox): pass")
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.stdout.fnmatch_lines([said])
    assert "Fatal Python error" not in result.stdout.str() + result.stderr.str()


def test_without_a_service_the_run_prints_what_to_install(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAYFLY_URL", raising=False)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))
    pytester.makepyfile("def test_one(inbox): pass")
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.stdout.fnmatch_lines(["*The service of Mayfly is not installed here: run 'pip install mayfly-inbox' or *"])


def test_a_test_finds_a_service_that_was_missing_in_the_previous_test(
    pytester: pytest.Pytester, mayfly_server: MayflyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
    monkeypatch.setenv("MAYFLY_URL", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("REAL_URL", mayfly_server.url)
    pytester.makeini("[pytest]\nmayfly_connect_timeout = 0.5\n")
    pytester.makepyfile(
        f"""
        import os, shutil, threading, urllib.request
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        class Forwarder(BaseHTTPRequestHandler):
            def do_GET(self):
                with urllib.request.urlopen(os.environ["REAL_URL"] + self.path) as answer:
                    self.send_response(answer.status)
                    self.send_header("Content-Type", answer.headers["Content-Type"])
                    self.end_headers()
                    shutil.copyfileobj(answer, self.wfile)

        def test_before(inbox): pass

        def test_start():
            server = ThreadingHTTPServer(("127.0.0.1", {port}), Forwarder)
            threading.Thread(target=server.serve_forever, daemon=True).start()

        def test_after(inbox):
            assert inbox.emails() == []
        """
    )
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines([f"*Mayfly at http://127.0.0.1:{port} cannot be reached: Connection refused. *"])


def test_a_service_ends_when_its_run_is_killed(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not SERVICE.exists():
        pytest.skip("the service is not built here")
    monkeypatch.delenv("MAYFLY_URL", raising=False)
    said = tmp_path / "url"
    pytester.makeini(f"[pytest]\nmayfly_command = node {shlex.quote(str(SERVICE))}\n")
    pytester.makepyfile(
        f"""
        import os, signal
        from pathlib import Path

        def test_killed(mayfly_server):
            Path({str(said)!r}).write_text(mayfly_server.url)
            os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    assert pytester.runpytest_subprocess(*OPTIONS).ret == -signal.SIGKILL
    host, port = said.read_text().partition("//")[2].split(":")
    end = time.monotonic() + 60
    while True:
        try:
            socket.create_connection((host, int(port)), 1).close()
        except ConnectionRefusedError:
            return
        assert time.monotonic() < end, "the service still runs"
        time.sleep(0.05)


def test_a_wait_longer_than_its_test_ends_with_its_own_message(
    pytester: pytest.Pytester, mayfly_server: MayflyServer
) -> None:
    # Defines the marker of pytest-timeout, which the plugin reads even if pytest-timeout is not installed.
    pytester.makeini("[pytest]\nmarkers = timeout: as of pytest-timeout\n")
    pytester.makepyfile(
        """
        import pytest, time

        @pytest.mark.timeout(4)
        def test_late(inbox):
            time.sleep(1)
            inbox.wait_for_otp(timeout=60)
        """
    )
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.stdout.fnmatch_lines(["E*MayflyTimeoutError: Waited * s of 60 s, because its test ends then, for an *"])
