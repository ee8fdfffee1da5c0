"""Models side by side: every planted effect is found on the screen, and no other."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Locator

from tests.api.serving import Served
from tests.browser.conftest import Show
from tests.browser.screen import Screen
from tests.browser.stock import FIVE

SIGNIFICANT = ("▲", "▼")


def heat(screen: Screen) -> dict[str, list[str]]:
    """The cells of the heat map, by the name of the label; first that of the models."""
    table = screen.page.locator("table.heat")
    table.wait_for()
    models = table.locator("thead th").all_inner_texts()
    found = {"": models[1:]}
    for row in table.locator("tbody tr").all():
        found[row.locator("th").inner_text()] = row.locator("td").all_inner_texts()
    return found


def names(served: Served) -> dict[str, str]:
    """The names of labels by their ids."""
    items = served.get("/labels", pack="judicial-us", limit=500)["items"]
    return {item["id"]: item["name"]["en"] for item in items}


def percent_of(cell: str) -> float:
    """The effect that a cell states."""
    found = re.search(r"[+−]?[\d.]+", cell)
    assert found, cell
    return float(found.group().replace("−", "-"))


def test_each_of_five_planted_effects_is_found(show: Show, served: Served, five: str) -> None:
    called = names(served)
    with show() as screen:
        screen.open(f"/compare?run={five}")
        cells = heat(screen)
        assert cells[""] == [f"simulated-{judge.model}" for judge in FIVE]
        marked = {
            (label, model)
            for label, row in cells.items()
            for model, cell in zip(cells[""], row, strict=True)
            if label and cell.strip().startswith(SIGNIFICANT)
        }
        assert marked == {(called[judge.label], f"simulated-{judge.model}") for judge in FIVE}
        for at, judge in enumerate(FIVE):
            cell = cells[called[judge.label]][at]
            assert cell.strip().startswith("▲" if judge.effect > 0 else "▼")
            assert judge.value in cell
            # The reply states whole months: rounding alone moves an effect by a point or so.
            assert percent_of(cell) == pytest.approx(100 * math.expm1(judge.effect), abs=2.5)


def test_the_model_table_says_what_the_api_says(show: Show, served: Served, five: str) -> None:
    rows = served.get("/comparisons/overview", run=five)["models"]
    with show() as screen:
        screen.open(f"/compare?run={five}")
        shown = screen.rows("Models")
        assert [row[0] for row in shown] == [row["model"] for row in rows]
        for cells, row in zip(shown, rows, strict=True):
            assert float(cells[3]) == pytest.approx(row["inconsistency"], abs=5e-4)


def test_filters_stay_in_the_address(show: Show, served: Served, five: str) -> None:
    with show() as screen:
        screen.open(f"/compare?run={five}")
        every = heat(screen)
        screen.page.get_by_label("Actor").select_option("judge")
        screen.until(lambda: len(heat(screen)) == 2)
        assert "actor=judge" in screen.path
        screen.page.reload()
        screen.settle()
        assert list(heat(screen)) == ["", "Judge's sex"]
        screen.page.get_by_label("Actor").select_option("")
        screen.until(lambda: len(heat(screen)) == len(every))
        screen.page.get_by_label("Only where models differ").check()
        screen.until(lambda: len(heat(screen)) == 1 + len(FIVE))


def test_a_cell_leads_to_the_label_a_row_to_the_document(
    show: Show, served: Served, five: str
) -> None:
    """From a planted effect to the two texts it was found between, the difference marked."""
    judge = FIVE[0]
    with show() as screen:
        screen.open(f"/compare?run={five}")
        heat(screen)
        planted: Locator = screen.page.locator("table.heat td a", has_text="+")
        planted.first.click()
        screen.page.wait_for_url(f"**/runs/{five}/labels/{judge.label}*")
        screen.settle()
        assert f"simulated-{judge.model}" in screen.text()
        screen.page.locator("main table a[href*='/documents/']").first.click()
        screen.page.wait_for_url("**/documents/d-*")
        screen.settle()
        left, right = (side.inner_text() for side in screen.page.locator("mark").all())
        assert "White" in left and "Black" in right
        assert len(left) < 30 and len(right) < 30
        query = {"label": judge.label, "model": f"simulated-{judge.model}"}
        document = screen.path.partition("?")[0].rpartition("/")[2]
        versions = served.get(f"/runs/{five}/documents/{document}", **query)["versions"]
        for version in versions[:2]:
            assert version["replies"][0]["reply"] in screen.text()


def test_two_runs_are_compared(show: Show, served: Served, five: str, two: str) -> None:
    """Chosen on the screen, from the list of runs."""
    with show() as screen:
        screen.open("/compare")
        for name in ("Five judges", "Two models"):
            screen.page.get_by_role("checkbox", name=re.compile(name)).first.check()
        screen.button("Compare").click()
        screen.until(lambda: screen.path.count("run=") == 2)
        screen.settle()
        models = [row[0] for row in screen.rows("Models")]
        assert len(models) == len(FIVE) + 2
        assert "simulated-planted" in models
