"""A page of `tada serve` in a browser, and everything that went wrong on it.

The browser is Debian's chromium; its driver comes with the Python package playwright. Without them the tests are skipped.
"""

import os
import pathlib
import shutil

import pytest

from served import Served

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: scripts/setup test")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = pathlib.Path(
    os.environ.get("TADA_AXE", pathlib.Path(__file__).resolve().parent.parent / "build" / "web-tools" / "node_modules" / "axe-core" / "axe.min.js")
)


# What a person does has to work on a machine that others use too, however long it takes there: tests of flows wait, tests marked `timed` measure.
PATIENCE = 180_000
sync_api.expect.set_options(timeout=PATIENCE)


class Page:
    """A page of the server, and everything that went wrong on it."""

    def __init__(self, browser, server, **context):
        self.server, self.context = server, browser.new_context(**{"viewport": {"width": 1440, "height": 960}, "accept_downloads": True, **context})
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.wrong, self.elsewhere, self.meter = [], [], None
        self.page.on("console", lambda message: self.wrong.append(message.text) if message.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        own = f"http://127.0.0.1:{server.port}/"
        self.page.on("request", lambda request: None if request.url.startswith((own, "data:", "blob:")) else self.elsewhere.append(request.url))

    def open(self):
        self.page.goto(self.server.address)
        self.page.get_by_role("heading", level=1).wait_for()
        return self.page

    def demo(self):
        """The made-up people, with their columns on the screen."""
        page = self.open()
        page.get_by_role("button", name="Open the demo").click()
        page.get_by_role("heading", name="What could somebody know about a person?").wait_for()
        page.get_by_text("Risk right now").wait_for()
        return page

    def go(self, screen):
        self.page.evaluate("screen => { location.hash = '#/' + screen }", screen)
        self.page.locator(f"main[data-screen='{screen.split('/')[0]}'] h1").wait_for()

    def spent(self) -> float:
        """Seconds of processor that the page's own thread has had since this was first asked."""
        if self.meter is None:
            self.meter = self.context.new_cdp_session(self.page)
            self.meter.send("Performance.enable", {"timeDomain": "threadTicks"})
        return next(metric["value"] for metric in self.meter.send("Performance.getMetrics")["metrics"] if metric["name"] == "TaskDuration")

    def close(self):
        self.context.close()


RUNNING = []  # the browser; to pytest the fixture is another one in every module that imports it, and there can be one driver only


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    if RUNNING:
        yield RUNNING[0]
        return
    with sync_api.sync_playwright() as playwright:
        RUNNING.append(playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]))
        yield RUNNING[0]
        RUNNING.pop().close()


@pytest.fixture(scope="module")
def server():
    with Served("--demo") as running:
        yield running


@pytest.fixture
def opened(browser, server):
    """Opens pages; nothing may go wrong on them, and they may ask nobody else."""
    pages = []

    def make(**context):
        pages.append(Page(browser, context.pop("of", server), **context))
        return pages[-1]

    yield make
    for page in pages:
        wrong, elsewhere = page.wrong, page.elsewhere
        page.close()
        assert not [w for w in wrong if "status of 4" not in w], wrong  # what the server refuses is noted by the browser too
        assert not elsewhere
