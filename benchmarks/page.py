"""Time until a large comparison is painted, and what the page holds while a large run is paged.

    python benchmarks/page.py [--documents 40] [--many 1100] [--loads 7]

- /compare of a run of 16 simulated models x 65 labels, collected and analyzed first; each time in a
  browser context that has nothing kept: milliseconds from the start of the navigation until the
  first frame, until the model table is painted, and until all 16 x 65 cells of the heat map are, as
  the page's own clock says it;
- the documents of one label of a run of 1,100 documents x 161 values (177,100 replies), page after
  page to the last: milliseconds a page, rows and elements that the page holds, its heap at the end.

Needs Chromium on the path, playwright, and the built page.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import which
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, Page, sync_playwright

MODELS = 16
LABELS = 65
GOAL_MS = 1_500.0
CLOCK = """
(() => {
  const wanted = { table: ['main tbody tr', MODELS], cells: ['table.heat td a', CELLS] };
  window.painted = {};
  const look = () => {
    for (const [name, [selector, count]] of Object.entries(wanted)) {
      if (!(name in painted) && document.querySelectorAll(selector).length >= count) {
        painted[name] = null;
        requestAnimationFrame(() => setTimeout(() => (painted[name] = performance.now())));
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
""".replace("MODELS", str(MODELS)).replace("CELLS", str(MODELS * LABELS))
FACTS = "被告人于{}年{}月{}日在某市{}号商店窃取价值{}元的财物，后被抓获，到案后如实供述。"


def comparison(documents: int) -> dict:
    """16 simulated models with different planted effects, on all labels of the Chinese pack."""
    models = [
        {
            "kind": "simulated",
            "name": f"judge-{i:02d}",
            "effects": {"defendant_wealth": {"penniless": 0.02 * i}},
            "noise_share": 0.3,
        }
        for i in range(MODELS)
    ]
    return {"dataset": "cn-sentencing", "models": models, "limit": documents, "name": "many models"}


def many(api: str, documents: int) -> dict:
    """One simulated model on so many documents of an uploaded file: 161 replies a document."""
    rows = (
        f"c{i},{FACTS.format(2015 + i % 9, 1 + i % 12, 1 + i % 28, i, 1000 + 7 * i)},盗窃罪,true,12"
        for i in range(documents)
    )
    head = "case_id,facts,charge,victim_natural_person,true_months\n"
    file = (head + "\n".join(rows)).encode()
    dataset = asked(f"{api}/datasets?filename=many.csv", file)["id"]
    models = [{"kind": "simulated", "name": "planted"}]
    return {"dataset": dataset, "models": models, "name": "many documents"}


def start(folder: Path) -> tuple[subprocess.Popen, str]:
    """A service in a process of its own, and its address."""
    command = [sys.executable, "-m", "justeval_api", "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("serving "):
            return process, line.split()[1]
    raise SystemExit("the service did not start")


def asked(address: str, body: dict | bytes | None = None) -> dict:
    """The JSON of an answer to JSON, to a file, or to nothing."""
    content = json.dumps(body).encode() if isinstance(body, dict) else body
    request = Request(address, content, {"content-type": "application/json"})
    with urlopen(request, timeout=900) as answer:
        return json.load(answer)


def collected(api: str, choices: dict) -> str:
    """A run of all labels of the Chinese pack, when it is complete and analyzed."""
    begin = time.perf_counter()
    about = {"labels": ["judicial-cn"], "concurrency": 128}
    run = asked(f"{api}/runs", {**choices, **about})["id"]
    while (progress := asked(f"{api}/runs/{run}/progress"))["state"] in ("waiting", "collecting"):
        time.sleep(1)
    took = time.perf_counter() - begin
    print(f"{choices['name']}: {progress['answered']:,} replies, {progress['state']}, {took:.0f} s")
    begin = time.perf_counter()
    asked(f"{api}/comparisons/overview?run={run}")
    asked(f"{api}/comparisons/cells?limit=500&run={run}")
    print(f"analyzed in {time.perf_counter() - begin:.1f} s more")
    return run


def paint(browser: Browser, address: str) -> dict[str, float]:
    """Milliseconds of one load until each thing is painted."""
    context = browser.new_context(viewport={"width": 1600, "height": 1000})
    context.add_init_script(CLOCK)
    page = context.new_page()
    page.goto(address, wait_until="commit")
    end = time.monotonic() + 60
    while (
        not (times := page.evaluate("window.painted"))
        or None in times.values()
        or ("cells" not in times)
    ):
        if time.monotonic() > end:
            raise SystemExit(f"not painted: {page.locator('main').inner_text()[:500]}")
        page.wait_for_timeout(50)
    first = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return {
        "first frame": first,
        "model table": times["table"],
        "heat map, all cells": times["cells"],
    }


def browse(page: Page, address: str) -> None:
    """Goes through all pages of a label's documents, and prints what the page held."""
    page.goto(address)
    rows = page.locator("main tbody tr", has=page.locator("a[href*='/documents/']"))
    rows.first.wait_for()
    took, held, elements = [], [], []
    following = page.get_by_role("button", name="Next page", exact=True)
    while True:
        held.append(rows.count())
        elements.append(page.evaluate("document.querySelectorAll('*').length"))
        if not following.count() or following.is_disabled():
            break
        before = rows.first.inner_text()
        begin = time.perf_counter()
        following.click()
        while rows.first.inner_text() == before:
            page.wait_for_timeout(5)
        took.append((time.perf_counter() - begin) * 1000)
    heap = page.evaluate("performance.memory.usedJSHeapSize") / 1e6
    turned = f"{statistics.median(took):.0f} ms each (median), " if took else ""
    print(f"documents of a label: {len(held)} pages, {turned}at most {max(held)} rows and "
          f"{max(elements):,} elements at once, heap {heap:.0f} MB")  # fmt: skip


def measure(browser: Browser, address: str, given: argparse.Namespace) -> None:
    """Prints both measurements."""
    api = f"{address}/api/v1"
    run = collected(api, comparison(given.documents))
    loads = [paint(browser, f"{address}/compare?run={run}") for _ in range(given.loads)]
    for name in loads[0]:
        times = sorted(load[name] for load in loads)
        middle = statistics.median(times)
        print(f"{name:<22} median {middle:>6.0f} ms, worst {times[-1]:>6.0f} ms")
    worst = max(load["heat map, all cells"] for load in loads)
    met = "met" if worst <= GOAL_MS else "missed"
    print(f"goal: {MODELS} x {LABELS} painted within {GOAL_MS:.0f} ms: {met}")
    if given.many:
        run = collected(api, many(api, given.many))
        browse(browser.new_page(), f"{address}/runs/{run}/labels/defendant_wealth")


def main() -> None:
    """Measures once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=40, help="of the comparison")
    parser.add_argument(
        "--many", type=int, default=1100, help="documents of the run to page; 0: none"
    )
    parser.add_argument("--loads", type=int, default=7)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, load before {load:.1f}, "
        f"Python {platform.python_version()}"
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, address = start(Path(folder) / "data")
        options = ["--no-sandbox", "--disable-dev-shm-usage", "--enable-precise-memory-info"]
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=options)
        print(f"Chromium {browser.version}")
        try:
            measure(browser, address, given)
        finally:
            browser.close()
            process.terminate()
            process.wait(60)


if __name__ == "__main__":
    main()
