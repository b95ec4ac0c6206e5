"""
Fixtures for pytest: `inbox`, `phone`, `async_inbox`, `mayfly` and `mayfly_server`. A failed test lists the mail in its
inbox, and each test is reported to the run (D68).
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Generator, Iterator, List, Optional, Set, Tuple, Type, TypeVar

import pytest

from . import AsyncInbox, AsyncMayfly, Inbox, Mayfly, MayflyError, MayflyNetworkError, Phone, _service_process
from ._blocking import run
from ._bounds import LONG_SECRET_LENGTH, MAX_NAMED, STANDARD_TIMEOUT
from ._filter import wanted_of
from ._inbox_core import ready
from ._names import STANDARD_DOMAIN, random_text
from ._run import VARIABLE, ReportedTest, Run
from ._search import Search
from ._shared_client import SharedClient
from ._text import kind_at, title_of

# Timeouts of the service's start and end, in seconds, and how much of its output an error shows. On a starved machine,
# a start has taken 40 s.
MAX_START = 120.0
MAX_END = _service_process.MAX_END + 5.0
MAX_OUTPUT = 2_000
# A wait ends before its test's timeout, so that a fifth of the time, at most MAX_LEFT s, is left for its error message.
LEFT_PART = 0.2
MAX_LEFT = 5.0
MAX_REPORT = 2.0

_RUN = pytest.StashKey[Run]()
_IS_MADE = pytest.StashKey[bool]()
_TEST = pytest.StashKey[ReportedTest]()
_BEGIN = pytest.StashKey[float]()
_RETRY = pytest.StashKey[int]()
# Addresses at which Mayfly has answered. A failure is not cached, because the next test may succeed.
_REACHED = pytest.StashKey[Set[str]]()
# Whether this run started the service. If so, the service ends with the run, so its pages' URLs are not printed.
_STARTED = pytest.StashKey[bool]()
# Restores the environment after the run.
_ENVIRONMENT = pytest.StashKey[pytest.MonkeyPatch]()

_C = TypeVar("_C", Mayfly, AsyncMayfly)

_READY = re.compile(r"^ready smtp=(\S+):(\d+) http=(http://\S+)", re.MULTILINE)


@dataclass(frozen=True)
class MayflyServer:
    """A service for the tests."""

    url: str
    domain: str
    # The SMTP host and port for the application; `None` if only the service's URL is known.
    smtp_host: Optional[str]
    smtp_port: Optional[int]
    # Whether this run started the service, and ends it.
    is_started: bool = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mayfly_url", "URL of a running Mayfly; MAYFLY_URL takes precedence. By default, one is started")
    parser.addini("mayfly_connect_timeout", "seconds for connecting to a running Mayfly; 3 by default")
    parser.addini("mayfly_command", "command that starts Mayfly, such as 'npx mayfly'", type="args")
    parser.addini("mayfly_options", "options of 'mayfly serve', such as '--domain app.test'", type="args")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_RUN] = Run()
    config.stash[_REACHED] = set()
    config.stash[_ENVIRONMENT] = patch = pytest.MonkeyPatch()
    # Sets the secret in the environment, so that the workers of pytest-xdist use the same run.
    config.stash[_IS_MADE] = not os.environ.get(VARIABLE)
    if config.stash[_IS_MADE]:
        patch.setenv(VARIABLE, random_text(LONG_SECRET_LENGTH))
    _hide_own_frames()


def _hide_own_frames() -> None:
    """Hides the client's frames, which would bury the error's sentence; `--full-trace` shows them."""
    for name, module in sys.modules.items():
        if name.startswith(f"{__package__}._"):
            vars(module)["__tracebackhide__"] = _is_explained


def _is_explained(excinfo: Optional[pytest.ExceptionInfo[BaseException]]) -> bool:
    return excinfo is not None and isinstance(excinfo.value, MayflyError)


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[_ENVIRONMENT].undo()


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.stash[_RUN].reported()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints the URL of the run's page, unless the user named the run, or the service ended with the run."""
    url = config.stash[_RUN].page_url()
    if url and config.stash[_IS_MADE]:
        terminalreporter.write_line(f"Mayfly shows this run at {url}")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Reports each retry of a test as another attempt."""
    item.stash[_BEGIN] = time.monotonic()
    item.stash[_RETRY] = item.stash.get(_RETRY, -1) + 1
    if _TEST in item.stash:
        del item.stash[_TEST]


def _report(client: SharedClient, request: pytest.FixtureRequest) -> None:
    item = request.node
    if _TEST not in item.stash:
        retry = item.stash[_RETRY]
        # The report joins a marked retry with the attempts before it.
        title = f"{item.nodeid} (retry {retry})" if retry else item.nodeid
        test = request.config.stash[_RUN].test(client._settings, title)
        if test is None:
            return
        item.stash[_TEST] = test
    client._listener = item.stash[_TEST]


@pytest.fixture(scope="session")
def mayfly_server(pytestconfig: pytest.Config) -> Iterator[MayflyServer]:
    """The Mayfly at `MAYFLY_URL`. If no URL is set, starts a Mayfly on free ports, which ends with the run."""
    url = os.environ.get("MAYFLY_URL") or str(pytestconfig.getini("mayfly_url") or "")
    if url:
        yield _named(url)
        return
    process, server = _started(pytestconfig)
    pytestconfig.stash[_STARTED] = True
    variables = {
        "MAYFLY_URL": server.url,
        "MAYFLY_DOMAIN": server.domain,
        "SMTP_HOST": str(server.smtp_host),
        "SMTP_PORT": str(server.smtp_port),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        try:
            yield server
        finally:
            pytestconfig.stash[_RUN].end()
            _end(process)


@pytest.fixture
def mayfly(mayfly_server: MayflyServer, request: pytest.FixtureRequest) -> Mayfly:
    """A client of the service, for this test."""
    return _client(Mayfly, mayfly_server, request)


@pytest.fixture
def inbox(mayfly: Mayfly) -> Inbox:
    """A new inbox for this test."""
    return mayfly.create_inbox()


@pytest.fixture
def phone(mayfly: Mayfly) -> Phone:
    """A new US phone number for this test, without texts of another process, which chooses from the same range."""
    new = mayfly.create_phone()
    new.clear()
    return new


@pytest.fixture
def async_inbox(mayfly_server: MayflyServer, request: pytest.FixtureRequest) -> AsyncInbox:
    """A new inbox for this test, for asyncio."""
    return _client(AsyncMayfly, mayfly_server, request).create_inbox()


# Wraps all other hooks, so that the outcome includes other plugins' changes, such as for an expected failure.
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, None]:
    """If a test failed, its output lists the mail in its inbox, and has its page's URL if the service keeps running."""
    outcome = yield
    report = outcome.get_result()
    is_started = item.config.stash.get(_STARTED, False)
    if report.failed and report.when == "call":
        fixtures: Dict[str, Any] = getattr(item, "funcargs", {})
        for name in ("inbox", "phone", "async_inbox"):
            one = fixtures.get(name)
            if isinstance(one, (Inbox, AsyncInbox)):
                report.sections.append((f"Mayfly: {one.address}", _what_came(one, is_started)))
    test = item.stash.get(_TEST, None)
    # This runs for setup, call and teardown. Goes on only if the phase decides the test's outcome.
    if test is None or not (report.failed or report.when == "call" or (report.when == "setup" and report.skipped)):
        return
    page_url = test.ended(_outcome_of(report), _error_of(report, call) if report.failed else None)
    if page_url and not is_started:
        report.sections.append(("Mayfly", f'Mayfly shows the mail of "{item.nodeid}": {page_url}'))


def _outcome_of(report: pytest.TestReport) -> str:
    """The outcome to report. A test that failed as expected counts as passed."""
    return "passed" if report.skipped and hasattr(report, "wasxfail") else report.outcome


def _error_of(report: pytest.TestReport, call: Any) -> str:
    """The text of the exception. A test that passed but was expected to fail has none, so its report is used."""
    return str(call.excinfo.exconly(tryshort=True) if call.excinfo else report.longreprtext)


def _what_came(one: Any, is_started: bool) -> str:
    core = one._core
    try:
        emails = run(core.call(Search(core, wanted_of("emails", core.address)).all, MAX_REPORT))
    except MayflyError as error:
        return f"The mail could not be read: {error}"
    lines: List[str] = []
    for email in [received.view for received in emails[:MAX_NAMED]]:
        found = f"code {email.otp or 'none'}, link {email.magic_link or 'none'}"
        lines.append(f"{email.received_at:%H:%M:%S} '{title_of(email.subject, email.body)}' from {email.from_}: {found}")
    more = len(emails) - len(lines)
    # The secret of a private inbox follows `#` and must not appear in a log.
    page = "" if is_started else f" Page: {one.page_url.partition('#')[0]}"
    return "\n".join([*lines, *([f"and {more} more"] if more else [])]) or f"No {kind_at(core.address)}.{page}"


def _client(kind: Type[_C], server: MayflyServer, request: pytest.FixtureRequest) -> _C:
    """
    A client whose waits end before the test's own timeout. Fails the test if Mayfly does not answer in time. The limit
    is the test's time if this run started the service, otherwise `connect_timeout`.
    """
    config = request.config
    given = config.getini("mayfly_connect_timeout")
    client = kind(base_url=server.url, connect_timeout=float(given) if given else None)
    transport = client._transport
    transport.latest_end, transport.spare = _latest_end(request)
    if server.url not in config.stash[_REACHED]:
        seconds = transport.cut(STANDARD_TIMEOUT)
        try:
            run(ready(transport, seconds, None if server.is_started else client._settings.connect_timeout))
            trouble = None
        except MayflyNetworkError as error:
            trouble = error
        # Fails outside of `except`, where pytest would print the caught exception first.
        if trouble is not None:
            pytest.fail(_unreached(server, trouble), pytrace=False)
        config.stash[_REACHED].add(server.url)
    _report(client, request)
    return client


def _unreached(server: MayflyServer, trouble: MayflyNetworkError) -> str:
    if server.is_started:
        return f"{trouble} This run has started it; the machine may be too busy."
    return (
        f"{trouble} Start Mayfly ('npx mayfly-inbox serve'), or unset MAYFLY_URL and mayfly_url, so that the run "
        "starts one itself."
    )


def _latest_end(request: pytest.FixtureRequest) -> Tuple[float, float]:
    """
    Returns when a test's waits must end so that pytest-timeout does not end the test first, or infinity without a
    timeout; and for how many seconds after that time the waits may read facts for their error messages.
    """
    marker = request.node.get_closest_marker("timeout")
    given: Any = (marker.args[0] if marker.args else marker.kwargs.get("timeout")) if marker else None
    if given is None and request.config.pluginmanager.hasplugin("timeout"):
        given = request.config.getoption("timeout", None) or request.config.getini("timeout")
    try:
        seconds = float(given)
    except (TypeError, ValueError):
        return math.inf, 0.0
    if not seconds > 0:
        return math.inf, 0.0
    begin: float = request.node.stash.get(_BEGIN, time.monotonic())
    left = min(LEFT_PART * seconds, MAX_LEFT)
    return begin + seconds - left, left / 2


def _named(url: str) -> MayflyServer:
    client = Mayfly(base_url=url)
    port = os.environ.get("SMTP_PORT", "")
    is_port = port.isascii() and port.isdigit()
    return MayflyServer(client.base_url, client.domain, os.environ.get("SMTP_HOST"), int(port) if is_port else None)


def _command(config: pytest.Config) -> List[str]:
    """Finds `mayfly` in a `node_modules` folder at or above the tests' root, or on the PATH."""
    given = list(config.getini("mayfly_command"))
    if given:
        return given
    for folder in [config.rootpath, *config.rootpath.parents]:
        found = shutil.which("mayfly", path=str(Path(folder, "node_modules", ".bin")))
        if found:
            return [found]
    # The package mayfly-inbox puts its command next to the interpreter, which need not be on the PATH.
    found = shutil.which("mayfly", path=sysconfig.get_path("scripts")) or shutil.which("mayfly")
    if found:
        return [found]
    pytest.fail(
        "The service of Mayfly is not installed here: run 'pip install mayfly-inbox' or 'npm i -D mayfly-inbox', set "
        "mayfly_command to a command that starts it, or set MAYFLY_URL to the URL of a running service.",
        pytrace=False,
    )


def _started(config: pytest.Config) -> Any:
    options = ["--store", "memory:", "--http-port", "0", "--smtp-port", "0", *config.getini("mayfly_options")]
    command = [*_command(config), "serve", *options]
    process = subprocess.Popen(
        [sys.executable, _service_process.__file__, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env=_environment(options),
    )
    output = _Output(process)
    line = output.ready()
    if line is None:
        _end(process)
        pytest.fail(f"Mayfly did not start ({' '.join(command)}):\n{output.text[-MAX_OUTPUT:]}", pytrace=False)
    # Without a chosen domain, requests contain only the inbox's name, and the service adds its first domain.
    domain = os.environ.get("MAYFLY_DOMAIN") or _domain_in(list(config.getini("mayfly_options")))
    return process, MayflyServer(line[3], domain, line[1], int(line[2]), is_started=True)


def _environment(options: List[str]) -> Dict[str, str]:
    """The service's environment, which allows the workspaces that the tests use, unless `options` set workspaces."""
    environment = dict(os.environ)
    for variable, option, setting in (
        ("MAYFLY_API_KEY", "--workspace", environment.get("MAYFLY_API_KEY", "")),
        ("MAYFLY_CREDENTIALS", "--ad-hoc-workspaces", "true"),
        ("MAYFLY_SPACE", "--ad-hoc-workspaces", "true"),
    ):
        name = f"MAYFLY_{option[2:].upper().replace('-', '_')}"
        # MAYFLY_SPACES is the old name of this option, and the service rejects an option that is set by both names.
        if option == "--ad-hoc-workspaces" and "MAYFLY_SPACES" in environment:
            continue
        if environment.get(variable) and not any(one.split("=")[0] == option for one in options):
            environment.setdefault(name, setting)
    return environment


def _domain_in(options: List[str]) -> str:
    for option, value in zip(options, [*options[1:], ""]):
        text = value if option == "--domain" else option[9:] if option.startswith("--domain=") else ""
        if text and text != "*":
            return text.split(",")[0]
    return STANDARD_DOMAIN


class _Output:
    """Reads the service's output to its end, so that the service never blocks on it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.text = ""
        self._process = process
        self._changed = threading.Condition()
        self._is_over = False
        threading.Thread(target=self._read, daemon=True).start()

    def ready(self) -> Optional[re.Match[str]]:
        """The contents of the ready line; `None` if the service ends first, or is not ready in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_over or _READY.search(self.text), MAX_START)
            return _READY.search(self.text)

    def _read(self) -> None:
        if self._process.stdout:
            with self._process.stdout as lines:
                for line in lines:
                    with self._changed:
                        self.text = (self.text + line)[-4 * MAX_OUTPUT :]
                        self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()


def _end(process: subprocess.Popen[str]) -> None:
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(MAX_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
