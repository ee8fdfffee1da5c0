"""What the page does when the service is gone, wants a token, or has lost a key."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from justeval.models.simulated import running_server
from tests.api.serving import Served, running, start_service
from tests.api.test_survival import child_of, kill
from tests.browser.screen import Screen, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KEY = "sk-planted-in-the-page-71c2"
TOKEN = "a-token-of-at-least-16-characters"


def restarted(first: Served, data: Path) -> Served:
    """The service killed without a word, and started again on the same port."""
    port = urlsplit(first.address).port
    first.stop(signal.SIGKILL)
    return start_service(data, "--port", str(port))


def state(screen: Screen, name: str) -> None:
    """Waits until the run that is watched has a state."""
    screen.page.locator("strong", has_text=re.compile(f"^{name}")).wait_for(timeout=60_000)


def test_a_run_that_lost_its_key_asks_for_it_on_the_screen(
    browser: Browser, tmp_path: Path
) -> None:
    """Service and child are killed in mid-run; the page stays open throughout."""
    data = tmp_path / "data"
    with running_server(["planted"], latency_ms=5) as address:
        service = start_service(data)
        try:
            model = {"kind": "openai", "name": "simulated-planted", "address": address, "key": KEY}
            run = service.start(models=[model], requests_per_minute=600.0, limit=6)
            with shown(browser, service.address) as screen:
                screen.open(f"/new?run={run}")
                state(screen, "collecting")
                service.until(run, lambda now: now["progress"]["answered"] >= 5)
                kill(child_of(service, run))
                service = restarted(service, data)
                state(screen, "waits for its key")
                screen.page.get_by_label("Key of simulated-planted").fill(KEY)
                screen.button("Resume").click()
                state(screen, "complete")
                assert screen.page.get_by_label("Key of simulated-planted").count() == 0
                assert KEY not in screen.page.content()
                screen.errors[:] = [e for e in screen.errors if "ERR_CONNECTION" not in e
                                    and "ERR_INCOMPLETE_CHUNKED" not in e]  # fmt: skip
            progress = service.get(f"/runs/{run}/progress")
            assert progress["answered"] == progress["requests"]
        finally:
            service.stop()


def test_a_view_says_that_the_service_is_gone_and_tries_again(
    browser: Browser, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    service = start_service(data)
    try:
        with shown(browser, service.address) as screen:
            screen.open("/data")
            screen.link("Labels").click()
            screen.heading("Packs").wait_for()
            service.stop()
            screen.link("Data").click()
            screen.page.get_by_text("The service does not answer. Is it running?").wait_for()
            service = start_service(data, "--port", str(urlsplit(screen.address).port))
            screen.button("Try again").click()
            screen.page.get_by_role("region", name="Case sets").wait_for()
            screen.errors[:] = [e for e in screen.errors if "ERR_CONNECTION_REFUSED" not in e]
    finally:
        service.stop()


def test_a_token_is_asked_for_once(browser: Browser, tmp_path: Path) -> None:
    """The page keeps a cookie in its place, which a script cannot read."""
    environment = {"JUSTEVAL_TOKEN": TOKEN}
    with (
        running(tmp_path / "data", "--host", "0.0.0.0", environment=environment) as service,
        shown(browser, f"http://127.0.0.1:{urlsplit(service.address).port}", refusals=2) as screen,
    ):
        screen.page.goto(f"{screen.address}/data")
        screen.page.get_by_label("Token").fill("not the token")
        screen.button("Open").click()
        screen.page.get_by_text("this is not the token of the service").wait_for()
        screen.page.get_by_label("Token").fill(TOKEN)
        screen.button("Open").click()
        screen.page.get_by_role("region", name="Case sets").wait_for()
        kept = "JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])"
        assert TOKEN not in screen.page.evaluate(kept)
        assert "justeval_session" not in screen.page.evaluate(kept)
        screen.page.reload()
        screen.page.get_by_role("region", name="Case sets").wait_for()
        assert TOKEN not in str(screen.page.context.cookies())
