"""Every view for everyone: axe in both themes, the keyboard alone, a phone, print."""

from __future__ import annotations

import pytest

from tests.api.serving import Served
from tests.browser.conftest import Show
from tests.browser.screen import AXE, PHONE, THEMES, Theme
from tests.browser.views import VIEWS, path_of

REACHABLE = """
(() => {
  const wanted = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const visible = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.disabled;
  const radios = new Set();
  return [...document.querySelectorAll(wanted)].filter((element) => {
    if (!visible(element)) return false;
    if (element.type !== 'radio') return true;
    if (radios.has(element.name)) return false;
    radios.add(element.name);
    return true;
  }).map((element, at) => {
    element.dataset.at = at;
    return element.outerHTML.slice(0, 120);
  });
})()
"""


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(
    show: Show, served: Served, two: str, view: str, theme: Theme
) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci in frontend/")
    with show(theme=theme) as screen:
        screen.open(path_of(view, served, two))
        for summary in screen.page.locator("main summary:visible").all():
            summary.click()
        assert screen.grave_findings() == []


def test_axe_would_find_it(show: Show) -> None:
    """What is planted is found: a field without a name, and text that is hardly seen."""
    with show() as screen:
        screen.open("/labels")
        screen.page.evaluate("document.querySelector('label[for=actor]').remove()")
        screen.page.evaluate("document.querySelector('main p').style.color = 'rgb(200 200 200)'")
        found = " ".join(screen.grave_findings())
        assert "select-name" in found and "color-contrast" in found


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_scrolls_one_way(show: Show, served: Served, two: str, view: str) -> None:
    with show(size=PHONE) as screen:
        screen.open(path_of(view, served, two))
        for summary in screen.page.locator("main summary:visible").all():
            summary.click()
        assert screen.overflow() == 0


@pytest.mark.parametrize("view", VIEWS)
def test_the_keyboard_reaches_everything(show: Show, served: Served, two: str, view: str) -> None:
    with show() as screen:
        screen.open(path_of(view, served, two))
        wanted = screen.page.evaluate(REACHABLE)
        reached: set[int] = set()
        for _ in range(2 * len(wanted) + 10):
            screen.page.keyboard.press("Tab")
            at = screen.page.evaluate("document.activeElement?.dataset?.at ?? null")
            if at is None and len(reached) == len(wanted):
                break
            if at is not None:
                reached.add(int(at))
        assert [html for at, html in enumerate(wanted) if at not in reached] == []


def test_the_first_stop_leads_past_the_navigation(show: Show) -> None:
    with show() as screen:
        screen.open("/labels")
        screen.page.keyboard.press("Tab")
        screen.page.keyboard.press("Enter")
        assert screen.page.evaluate("document.activeElement.id") == "content"


def test_the_focus_follows_to_another_view(show: Show) -> None:
    with show() as screen:
        screen.open("/labels")
        screen.link("Data").click()
        screen.heading("Case sets").wait_for()
        assert screen.page.evaluate("document.activeElement.id") == "content"
        assert screen.page.title() == "Data · justeval"


def test_the_theme_is_chosen_and_kept(show: Show) -> None:
    with show(theme="light") as screen:
        screen.open("/labels")
        ground = "getComputedStyle(document.documentElement).backgroundColor"
        light = screen.page.evaluate(ground)
        screen.page.get_by_label("Theme").select_option("dark")
        dark = screen.page.evaluate(ground)
        assert dark != light
        screen.page.reload()
        screen.settle()
        assert screen.page.evaluate(ground) == dark


def test_print_leaves_the_navigation_out(show: Show, served: Served, two: str) -> None:
    with show(theme="dark") as screen:
        screen.open(path_of("run", served, two))
        screen.page.emulate_media(media="print")
        assert not screen.page.locator("header.bar").is_visible()
        ground = screen.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert ground == "rgb(255, 255, 255)"
        assert screen.page.pdf()[:5] == b"%PDF-"
