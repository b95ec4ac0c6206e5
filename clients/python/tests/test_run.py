"""The plugin's run reports, in separate runs of pytest."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any, Dict, List

import pytest

from mayfly_client import Mayfly, MayflyOptionError
from mayfly_client._bounds import MAX_REPORT_BYTES, MAX_REPORTED_WAITS
from mayfly_client._run import ReportedTest, Run
from mayfly_client._run_reports import RunReports, _small_report
from mayfly_client.pytest_plugin import MayflyServer

from .servers import answer, answering

OPTIONS = ("-p", "no:mayfly", "-p", "mayfly_client.pytest_plugin", "-p", "no:cacheprovider")
SECRET = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    own = Mayfly().create_inbox(private=True).secret or ""
    monkeypatch.setenv("MAYFLY_RUN", own)
    return own


def reported_to(server: MayflyServer, run: str) -> List[Dict[str, Any]]:
    with urllib.request.urlopen(f"{server.url}/api/run/{run}") as answered:
        return list(json.load(answered)["tests"])


def test_each_test_is_reported_with_its_inboxes_and_outcome(
    pytester: pytest.Pytester, mayfly_server: MayflyServer, secret: str
) -> None:
    pytester.makepyfile(
        test_shop="""
        import pytest

        @pytest.fixture
        def ends_badly():
            yield
            raise RuntimeError("no end")

        def test_fine(inbox, mayfly, async_inbox): mayfly.inbox("second@example.com")
        def test_vain(inbox): inbox.wait_for_otp(timeout=0.5)
        def test_unexpected(inbox): inbox.mayfly
        @pytest.mark.xfail
        def test_known(inbox): assert False
        @pytest.mark.xfail(strict=True)
        def test_mended(inbox): pass
        def test_skipped(inbox): pytest.skip()
        def test_end(inbox, ends_badly): pass
        def test_private(mayfly): assert mayfly.create_inbox(private=True).emails() == [1]
        def test_without_mail(): assert False
        class TestGroup:
            @pytest.mark.parametrize("way", ["one"])
            def test_way(self, inbox, way): pass
        """
    )
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.assert_outcomes(passed=3, failed=5, errors=1, skipped=1, xfailed=1)
    told = {test["title"].partition("::")[2]: test for test in reported_to(mayfly_server, secret)}
    assert {title: test["outcome"] for title, test in told.items()} == {
        "test_fine": "passed",
        "test_vain": "failed",
        "test_unexpected": "failed",
        "test_known": "passed",
        "test_mended": "failed",
        "test_skipped": "skipped",
        "test_end": "failed",
        "test_private": "failed",
        "TestGroup::test_way[one]": "passed",
    }
    assert [len(test["inboxes"]) for test in told.values()] == [3, 1, 1, 1, 1, 1, 1, 1, 1]
    assert told["test_fine"]["inboxes"][2]["to"] == "second@example.com"
    assert told["test_private"]["inboxes"][0]["hidden"] == "not-readable"
    vain = told["test_vain"]
    assert vain["error"].startswith("mayfly_client.MayflyTimeoutError: Waited 0.5 s for an email with a code")
    assert vain["waits"][0]["text"].startswith("Waited 0.5 s for an email with a code")
    assert told["test_end"]["error"] == "RuntimeError: no end"
    assert "XPASS(strict)" in told["test_mended"]["error"]
    for title in ("test_vain", "test_mended", "test_end", "test_private"):
        link = f"{mayfly_server.url}/run/{secret}#{told[title]['id']}"
        assert f'Mayfly shows the mail of "test_shop.py::{title}": {link}' in result.stdout.str()
    # The user has named the run, so the plugin does not print its URL.
    result.stdout.no_fnmatch_line("Mayfly shows this run at *")


def test_a_run_without_a_name_makes_one_for_all_processes_and_prints_it(
    pytester: pytest.Pytester, mayfly_server: MayflyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAYFLY_RUN", raising=False)
    pytester.makepyfile(
        """
        import os, subprocess, sys

        def test_one(inbox):
            told = subprocess.check_output([sys.executable, "-c", "import os; print(os.environ['MAYFLY_RUN'])"])
            assert told.decode().strip() == os.environ["MAYFLY_RUN"]
        """
    )
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.assert_outcomes(passed=1)
    told = re.search(rf"^Mayfly shows this run at {mayfly_server.url}/run/([a-z2-7]{{26}})$", result.stdout.str(), re.M)
    assert told and [test["outcome"] for test in reported_to(mayfly_server, told[1])] == ["passed"]


def test_off_reports_nothing(
    pytester: pytest.Pytester, mayfly_server: MayflyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAYFLY_RUN", "off")
    pytester.makepyfile("def test_one(inbox): assert False")
    result = pytester.runpytest_subprocess(*OPTIONS)
    result.stdout.no_fnmatch_line("*Mayfly shows*")


def test_an_invalid_run_secret_is_rejected_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAYFLY_RUN", "a-slip")
    with pytest.raises(MayflyOptionError, match="MAYFLY_RUN is not the secret of a run") as refused:
        Run().test(Mayfly()._settings, "one")
    assert "a-slip" not in str(refused.value)


def reported_test(url: str) -> ReportedTest:
    return ReportedTest(RunReports(Mayfly(base_url=url)._settings, SECRET), f"{url}/run/{SECRET}", "one")


@pytest.mark.parametrize(
    "given",
    [
        answer("404 Not Found", '{"error":"no such path"}', "Content-Type: application/json"),
        answer("200 OK", "<p>Hello", "Content-Type: text/html"),
        b"220 inbox.example.com ESMTP\r\n",
        b"",
    ],
)
def test_requests_to_a_service_without_runs_are_bounded(given: bytes) -> None:
    with answering(lambda _: given) as url:
        test = reported_test(url)
        test.uses("demo")
        assert test.ended("failed", "no") is None


def test_failed_reports_are_retried() -> None:
    left = [answer("503 Busy", "{}"), answer("429 Many", "{}", "Retry-After: 0")]
    fine = answer("200 OK", '{"tests":1}', "Content-Type: application/json")
    asked: List[bytes] = []

    def answers(request: bytes) -> bytes:
        asked.append(request)
        return left.pop() if left else fine

    with answering(answers) as url:
        test = reported_test(url)
        test.ended("failed", "no")
        assert test._reports.reported(20)
    assert test._reports.is_heard
    assert len(asked) == 3
    assert b'"outcome":"failed"' in asked[2]


def test_a_report_has_plain_text_of_bounded_length() -> None:
    test = reported_test("http://127.0.0.1:9")
    test._reports.end()
    for at in range(20):
        test.uses(f"{at}@example.com")
        test.waited("a@example.com", f"{at} " + "ü" * 5_000)
    test.ended("failed", "\x1b[31mred\x1b[0m\x07 \ud800\nsecond line")
    told = test.report(2_000)
    assert told["error"] == "red  \ud800\nsecond line"
    assert len(told["inboxes"]) == 10
    assert [wait["text"][:2] for wait in told["waits"]] == ["15", "16", "17", "18", "19"]
    assert {len(wait["text"]) for wait in told["waits"]} == {2_000}
    small = json.loads(_small_report(test))
    assert len(_small_report(test)) <= MAX_REPORT_BYTES
    assert len(small["waits"]) == MAX_REPORTED_WAITS
