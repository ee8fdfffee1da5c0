"""One browser and one service for the browser tests; skipped where Chromium or page is absent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING

import pytest

from justeval_api.page import is_built
from tests.api.serving import Served, running
from tests.browser import stock
from tests.browser.screen import Screen, chromium, launched, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Show = Callable[..., AbstractContextManager[Screen]]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, as it is found on the path. It ends with the package: its loop bears no other."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if chromium() is None:
        pytest.skip("no chromium on the path: install chromium")
    if not is_built():
        pytest.skip("the page is not built: npm ci && npm run build in frontend/")
    with playwright.sync_playwright() as started:
        opened = launched(started)
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service on a folder of its own."""
    with running(tmp_path_factory.mktemp("browsed") / "data") as service:
        yield service


@pytest.fixture
def show(browser: Browser, served: Served) -> Show:
    """Opens a screen: `with show(theme="dark") as screen`."""
    return partial(shown, browser, served.address)


@pytest.fixture(scope="package")
def five(served: Served) -> str:
    """A finished run of five simulated models, each with an effect of its own."""
    return stock.five_judges(served)


@pytest.fixture(scope="package")
def two(served: Served) -> str:
    """A finished run of the planted and the neutral model."""
    return stock.two_models(served)
