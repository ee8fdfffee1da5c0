"""A page in Chromium, held to what every page must keep: no error, no breach of the policy.

In: a browser, the address of a service. Out: a Screen: a page that remembers every error of its
console, every violation of the content policy and every answer of 500 or more, and fails with them.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Playwright, Response

ROOT = Path(__file__).parents[2]
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
NAMES = ("chromium", "chromium-browser", "google-chrome")
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
DESKTOP = (1280, 900)
PHONE = (390, 844)
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) =>
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
GRAVE = ("serious", "critical")


@cache
def chromium() -> str | None:
    """The Chromium of this machine, found on the path."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def launched(playwright: Playwright) -> Browser:
    """A browser; without a sandbox, which a root user cannot have."""
    return playwright.chromium.launch(
        executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
    )


class Screen:
    """A page of the service, and what went wrong in it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.errors: list[str] = []
        self.refused: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.errors.append(f"thrown: {error}"))
        page.on("response", self._answered)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if message.text.startswith("Failed to load resource: the server responded"):
            return  # counted by status, below
        self.errors.append(f"{message.type}: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            told = f"{response.status} {response.request.method} {response.url}"
            (self.errors if response.status >= 500 else self.refused).append(told)

    def open(self, path: str) -> None:
        """Opens an address of the page, and waits until nothing more is loading."""
        self.page.goto(f"{self.address}{path}")
        self.settle()

    def settle(self) -> None:
        """Waits until the view is there with all that it asked for."""
        self.page.locator("main h1").wait_for()
        self.until(lambda: self.page.locator(".skeleton").count() == 0)

    def until(self, condition: Callable[[], bool], seconds: float = 20.0) -> None:
        """Waits for something. The content policy leaves no waiting inside of the page."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"in vain: {self.text()[:2_000]}"
            self.page.wait_for_timeout(50)

    @property
    def path(self) -> str:
        """The address as it stands now, without the service's own part."""
        parts = urlsplit(self.page.url)
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def text(self) -> str:
        """All text that is shown."""
        return self.page.locator("main").inner_text()

    def button(self, name: str) -> Locator:
        """A button by its exact name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, name: str) -> Locator:
        """A link by its exact name."""
        return self.page.get_by_role("link", name=name, exact=True)

    def heading(self, name: str) -> Locator:
        """A heading by its exact name."""
        return self.page.get_by_role("heading", name=name, exact=True)

    def rows(self, caption: str) -> list[list[str]]:
        """The cells of a table's body, by what the table is called."""
        table = self.page.get_by_role("region", name=caption).locator("tbody tr")
        return [row.locator("th, td").all_inner_texts() for row in table.all()]

    def overflow(self) -> int:
        """Pixels that the page is wider than the screen."""
        script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        return int(self.page.evaluate(script))

    def grave_findings(self) -> list[str]:
        """What axe finds serious or critical, each with the elements concerned."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found: dict[str, Any] = self.page.evaluate(
            "axe.run(document, {resultTypes: ['violations']})"
        )
        return [
            f"{one['impact']} {one['id']}: {node['html'][:200]} {node['failureSummary']}"
            for one in found["violations"]
            if one["impact"] in GRAVE
            for node in one["nodes"]
        ]

    def check(self, refusals: int = 0) -> None:
        """Fails where anything went wrong. `refusals`: answers below 500 that were expected."""
        assert not self.errors, self.errors
        assert len(self.refused) == refusals, self.refused
        assert not self.page.evaluate("window.violations"), self.page.evaluate("window.violations")


@contextmanager
def shown(
    browser: Browser,
    address: str,
    size: tuple[int, int] = DESKTOP,
    theme: Theme = "light",
    refusals: int = 0,
) -> Iterator[Screen]:
    """A new page with nothing kept from another; checked when the block ends well."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=theme,
        locale="en-US",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    context.set_default_timeout(20_000)
    context.add_init_script(WATCH)
    try:
        screen = Screen(context.new_page(), address)
        yield screen
        screen.check(refusals)
    finally:
        context.close()
