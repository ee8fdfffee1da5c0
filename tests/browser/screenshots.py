"""Pictures of every view in both themes: `python -m tests.browser.screenshots [FOLDER]`.

In: the built page, Chromium, the shipped cases and the simulated models. Out: PNGs in docs/images/.
The same page gives the same picture, but for the moments that it states.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.api.serving import Served, running
from tests.browser import stock
from tests.browser.screen import ROOT, THEMES, Theme, launched, shown
from tests.browser.views import path_of

WIDTH = 1100
PHONE = 390


@dataclass(frozen=True, slots=True)
class Picture:
    """A part of a view: its name, its height, and the heading that it begins with."""

    name: str
    view: str
    height: int
    heading: str = ""


PICTURES = (
    Picture("compare", "compare", 720),
    Picture("heat-map", "compare", 640, "Effects by label and model"),
    Picture("run", "run", 780),
    Picture("verdicts", "run", 480, "Verdicts"),
    Picture("effects", "run", 560, "Effects with 95 % intervals"),
    Picture("label", "label", 640),
    Picture("document", "document", 560),
    Picture("new-run", "new-run", 800),
    Picture("progress", "progress", 600),
    Picture("data", "dataset", 800),
    Picture("labels", "label-sentences", 800),
)


def main(folder: Path) -> None:
    """Takes all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, running(Path(scratch) / "data") as service:
        five, two = stock.five_judges(service), stock.two_models(service)
        with sync_playwright() as playwright:
            browser = launched(playwright)
            for theme in THEMES:
                for picture in PICTURES:
                    run = five if picture.view == "compare" else two
                    path = path_of(picture.view, service, run)
                    take(browser, service, path, picture, theme, folder)
            phone = Picture("phone", "compare", 780)
            take(browser, service, f"/compare?run={five}", phone, "light", folder, PHONE)
            browser.close()


def take(
    browser: Browser,
    service: Served,
    path: str,
    picture: Picture,
    theme: Theme,
    folder: Path,
    width: int = WIDTH,
) -> None:
    """One picture in one theme."""
    with shown(browser, service.address, (width, picture.height), theme) as screen:
        screen.open(f"/new?run={_collecting(service)}" if picture.view == "progress" else path)
        screen.page.wait_for_timeout(800)  # charts are painted after the tables
        if picture.heading:
            place = "element => window.scrollTo(0, element.offsetTop - 12)"
            screen.heading(picture.heading).first.evaluate(place)
        file = folder / f"{picture.name}-{theme}.png"
        screen.page.screenshot(path=file)
    print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")


def _collecting(service: Served) -> str:
    """A run in the middle of its asking."""
    models = [{"kind": "simulated", "name": name} for name in ("planted", "neutral")]
    run = service.start(models=models, requests_per_minute=900.0, limit=20, name="In the middle")
    service.until(run, lambda shown: shown["progress"]["answered"] > 60)
    return run


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
