"""The whole story on the screen: a file with problems is mended, planned, asked and looked at."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.api.serving import Served
from tests.browser.conftest import Show
from tests.browser.screen import Screen

FACTS = "The defendant took goods worth {} dollars from a closed shop. Offense level {}, history I."
ROWS = "".join(
    f"{i};{FACTS.format(1000 * i, 6 + i)};theft;{'9996' if i == 7 else 3 * i};Ulm\n"
    for i in range(1, 13)
)
FILE = f"Nr;Sachverhalt;Offense;Strafe;Stadt\n{ROWS}"
SECRET = "sk-typed-into-the-page-5d1f"


def test_from_a_file_with_problems_to_a_csv(show: Show, served: Served, tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    file.write_text(FILE)
    with show() as screen:
        dataset = mend(screen, file)
        start(screen, dataset)
        run = watch(screen, served)
        look(screen, served, run, tmp_path)


def mend(screen: Screen, file: Path) -> str:
    """Uploads the file, and says what its columns and its code mean; the id of the case set."""
    page = screen.page
    screen.open("/data")
    page.get_by_label("Drop a file of cases here").set_input_files(file)
    page.wait_for_url("**/data/dataset-*")
    screen.settle()
    assert "needs a mapping" in screen.text()
    screen.until(lambda: bool(screen.rows("in the order of the file")))
    problems = screen.rows("in the order of the file")
    assert [p[0] for p in problems[:2]] == ["cases.csv, column case_id", "cases.csv, column facts"]
    page.get_by_label("id of the case").select_option("Nr")
    page.get_by_label("facts, as text").select_option("Sachverhalt")
    page.get_by_label("true term").select_option("Strafe")
    page.get_by_label("Unit of the term").fill("months")
    screen.button("Check again").click()
    page.get_by_text("has problems").wait_for()
    page.get_by_text("1 problem, in the order of the file").wait_for()
    (problem,) = screen.rows("in the order of the file")
    assert problem[0] == "cases.csv row 8, column Strafe"
    assert "9996" in problem[1]
    assert screen.rows("The first rows, as the file has them")[6][4] == "9996"

    screen.button("Add a code").click()
    page.get_by_label("Code 1", exact=True).fill("9996")
    page.get_by_label("Meaning of code 1").fill("life")
    page.get_by_label("placebo").check()
    screen.button("Check again").click()
    page.get_by_text("No problem was found.").wait_for()
    page.get_by_role("region", name="The first cases made of them").wait_for()
    cases = screen.rows("The first cases made of them")
    assert len(cases) == 12
    assert [case[3] for case in cases[:2]] == ["3.0", "6.0"]
    assert cases[6][3:] == ["–", "life"]
    page.reload()
    screen.settle()
    assert page.get_by_label("Code 1", exact=True).input_value() == "9996"
    return page.url.rpartition("/")[2]


def start(screen: Screen, dataset: str) -> None:
    """Plans a slow run of two models, and starts it."""
    page = screen.page
    screen.link("Ask about these cases").click()
    page.wait_for_url(f"**/new?dataset={dataset}*")
    page.get_by_role("checkbox", name="placebo").wait_for()
    assert page.get_by_role("checkbox", name="placebo").is_checked()
    page.get_by_role("checkbox", name="placebo").uncheck()
    for pack, label in (("judicial-us", "Defendant's race or ethnicity"),
                        ("placebo", "Color of the folder")):  # fmt: skip
        page.get_by_text(f"Single labels of {pack}").click()
        page.get_by_role("checkbox", name=label).check()
    screen.button("Add a model").click()
    page.get_by_text("Speed and bounds").click()
    page.get_by_label("Name of the run").fill("Typed on the screen")
    page.get_by_label("Requests a minute at most").fill("600")
    screen.button("Plan").click()
    screen.heading("The plan").wait_for()
    plan = {row[0]: row[1:] for row in screen.rows("What each model would be asked")}
    assert set(plan) == {"simulated-planted", "simulated-neutral"}
    requests = plan["simulated-planted"][0]
    assert plan["simulated-planted"][3] == "$0"
    assert f"{requests} different texts" in screen.text()
    page.get_by_label("Only the first documents").fill("8")
    page.get_by_text("Choices have changed since this plan.").wait_for()
    assert screen.button("Start the run").count() == 0
    screen.button("Plan again").click()
    screen.button("Start the run").wait_for()
    assert screen.rows("What each model would be asked")[0][1] != requests
    screen.button("Start the run").click()
    page.wait_for_url("**/new?run=run-*")


def watch(screen: Screen, served: Served) -> str:
    """Sees the run go on, reloads in the middle, and sees it end; the id of the run."""
    page = screen.page
    run = page.url.rpartition("=")[2]
    page.get_by_text("collecting").first.wait_for()
    page.get_by_text("answers a second").wait_for()
    answered = page.locator("progress + span").first
    screen.until(lambda: number(answered.inner_text()) > 3)
    before = number(answered.inner_text())
    page.reload()
    screen.settle()
    screen.until(lambda: number(answered.inner_text()) > before)
    assert served.get(f"/runs/{run}")["state"] == "collecting"
    assert page.get_by_text("Time left").is_visible()
    screen.button("Cancel").click()
    page.locator("strong", has_text=re.compile("^canceled$")).wait_for()
    part = number(answered.inner_text())
    screen.button("Resume").click()
    page.locator("strong", has_text=re.compile("^complete$")).wait_for(timeout=60_000)
    progress = served.get(f"/runs/{run}/progress")
    assert number(answered.inner_text()) == progress["answered"] == progress["requests"] > part
    models = {row[0]: row[1] for row in screen.rows("By model")}
    shown = {model["model"]: f"{model['answered']} of {model['requests']}"
             for model in progress["models"]}  # fmt: skip
    assert models == shown
    return run


def look(screen: Screen, served: Served, run: str, folder: Path) -> None:
    """Opens the results, and downloads a CSV whose numbers equal the API's."""
    page = screen.page
    screen.link("See the results").click()
    page.wait_for_url(f"**/runs/{run}*")
    screen.settle()
    screen.heading("All labels").wait_for()
    link = page.locator("a[href*='/results/labels'][href*='format=csv']")
    asked = parse_qs(urlsplit(link.get_attribute("href") or "").query)
    with page.expect_download() as waiting:
        link.click()
    file = folder / "labels.csv"
    waiting.value.save_as(file)
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    query = {name: value for name, (value,) in asked.items() if name != "format"}
    items = served.get(f"/runs/{run}/results/labels", **{**query, "limit": 500})["items"]
    assert [row["label"] for row in rows] == ["defendant_race"]
    assert sum(same_numbers(row, flat(item)) for row, item in zip(rows, items, strict=True)) > 10


def flat(item: dict[str, Any], before: str = "") -> dict[str, Any]:
    """The fields of an item by the names that they have in a CSV."""
    found: dict[str, Any] = {}
    for name, value in item.items():
        inner = flat(value, f"{before}{name}.") if isinstance(value, dict) else {}
        found |= inner or {f"{before}{name}": value}
    return found


def same_numbers(row: dict[str, str], item: dict[str, Any]) -> int:
    """How many numbers a row of a CSV shares with the API; fails where one is another."""
    numbers = {
        name: value
        for name, value in item.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    assert {name: float(row[name]) for name in numbers} == numbers
    assert all(row[name] == "" for name, value in item.items() if value is None and name in row)
    return len(numbers)


def number(text: str) -> int:
    """The first number of a text."""
    found = re.match(r"[\d,]+", text)
    assert found, text
    return int(found.group().replace(",", ""))


def test_a_key_stays_in_the_memory_of_the_page(show: Show) -> None:
    """Typed, it stands in no address and no storage, and is gone after a reload."""
    with show() as screen:
        page = screen.page
        screen.open("/new?dataset=us-sentencing&label=placebo:folder_color&limit=1")
        page.get_by_label("Kind").select_option("openai")
        page.get_by_label("Address", exact=True).fill("http://127.0.0.1:9/v1")
        page.get_by_label("Name at its address").fill("my-model")
        page.get_by_label("Key", exact=True).fill(SECRET)
        page.wait_for_url("**my-model**")
        screen.button("Plan").click()
        screen.button("Start the run").wait_for()
        assert SECRET not in page.url
        kept = "[{...localStorage}, {...sessionStorage}, history.state, document.cookie]"
        assert SECRET not in page.evaluate(f"JSON.stringify({kept})")
        sent = []
        page.on("request", lambda request: sent.append((request.url, request.post_data or "")))
        screen.button("Start the run").click()
        page.wait_for_url("**/new?run=run-*")
        page.locator("strong", has_text="failed").wait_for()
        assert [url.rpartition("/")[2] for url, body in sent if SECRET in body] == ["runs"]
        assert not [url for url, _ in sent if SECRET in url]
        screen.link("Plan another run").click()
        page.get_by_label("Key", exact=True).wait_for()
        assert page.get_by_label("Name at its address").input_value() == "my-model"
        assert page.get_by_label("Key", exact=True).input_value() == ""
