"""Results over the API are those of the library, stored once and given with an ETag."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from justeval.cli import main
from justeval_api.schemas.results import (
    Comparison,
    CountRow,
    InconsistencyRow,
    LabelRow,
    ModelRow,
    Results,
    ValueRow,
)
from tests.api.serving import Served

LISTS: dict[str, Any] = {
    "models": ModelRow,
    "labels": LabelRow,
    "values": ValueRow,
    "inconsistency": InconsistencyRow,
    "counts": CountRow,
}


def test_the_document_is_that_of_the_command_line(
    served: Served, run: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = served.data / "runs" / run / "run"
    for words, query in (
        ([], {}),
        (["--alpha", "0.1", "--as-published"], {"alpha": 0.1, "as_published": True}),
        (["--longest-months", "30"], {"longest_months": 30}),
    ):
        assert main(["analyze", str(folder), *words, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        shown = served.get(f"/runs/{run}/results", **query)
        for part in ("settings", "summary", "models", "runs"):
            assert shown[part] == printed[part], part
        Results.model_validate(shown)


@pytest.mark.parametrize("kind", LISTS)
def test_every_list_is_described_as_it_is(served: Served, run: str, kind: str) -> None:
    page = served.get(f"/runs/{run}/results/{kind}", limit=500)
    assert page["total"] == len(page["items"]) > 0
    for row in page["items"]:
        LISTS[kind].model_validate(row)
        missing = set(LISTS[kind].model_fields) - set(row)
        assert not missing
    if kind != "counts":
        assert {row["run"] for row in page["items"]} == {run}


@pytest.mark.parametrize("kind", [*LISTS, "findings"])
def test_pages_and_csv_hold_the_same_numbers(served: Served, run: str, kind: str) -> None:
    path = f"/runs/{run}/findings" if kind == "findings" else f"/runs/{run}/results/{kind}"
    items: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = served.get(path, limit=7, **({"cursor": cursor} if cursor else {}))
        items += page["items"]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(items) == page["total"]
    answer = served.client.get(path, params={"format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == len(items)
    for row, item in zip(rows, items, strict=True):
        for name, cell in item.items():
            if not isinstance(cell, dict | list):
                assert row.get(name, "") == written(cell), name


def written(cell: object) -> str:
    """A cell as it stands in a CSV file."""
    if cell is None or isinstance(cell, str):
        return cell or ""
    return str(cell).lower() if isinstance(cell, bool) else repr(cell)


def test_rows_are_filtered(served: Served, run: str) -> None:
    query = {"model": "simulated-planted", "actor": "defendant", "demographic": True}
    rows = served.get(f"/runs/{run}/results/labels", **query)["items"]
    assert {row["label"] for row in rows} == {"defendant_race", "defendant_age"}
    assert {row["model"] for row in rows} == {"simulated-planted"}
    placebo = served.get(f"/runs/{run}/results/labels", placebo=True)["items"]
    assert {row["label"] for row in placebo} == {"folder_color"}
    assert served.get(f"/runs/{run}/results/values", model="nobody")["items"] == []


def test_who_has_it_already_is_told_so(served: Served, run: str) -> None:
    path = f"/runs/{run}/results/labels"
    plain = served.client.get(path, headers={"accept-encoding": "identity"})
    packed = served.client.get(path, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert plain.headers["etag"] != packed.headers["etag"]
    for etag in (plain.headers["etag"], packed.headers["etag"], f'W/{plain.headers["etag"]}, "x"'):
        again = served.client.get(path, headers={"if-none-match": etag})
        assert again.status_code == 304
        assert again.content == b""
    other = served.client.get(path, params={"alpha": 0.1})
    assert other.headers["etag"] != plain.headers["etag"]
    assert plain.headers["cache-control"] == "private, no-cache"


def test_runs_are_compared(served: Served, run: str) -> None:
    other = served.made_elsewhere(model="simulated-planted", name="Elsewhere")
    query = [("run", run), ("run", other)]
    document = served.get_list("/comparisons", query)
    Comparison.model_validate(document)
    names = [model["model"] for model in document["models"]]
    told = ["simulated-planted [Two models]", "simulated-neutral", "simulated-planted [Elsewhere]"]
    assert names == told
    assert [source["run"] for source in document["sources"]] == [run, run, other]
    alone = served.get(f"/runs/{other}/results")["models"][0]
    labels = {label["label"]: label for label in document["models"][2]["labels"]}
    for single in alone["labels"]:
        together = labels[single["label"]]
        for outcome in ("bias", "imbalanced_inaccuracy"):
            assert estimates(together, outcome) == pytest.approx(estimates(single, outcome))
    rows = served.get_list("/comparisons/labels", [*query, ("label", "defendant_race")])["items"]
    assert [row["run"] for row in rows] == [run, run, other]
    models = served.get_list("/comparisons/models", query)
    assert [row["model"] for row in models["items"]] == told
    refused = served.client.get("/comparisons", params=[("run", run), ("run", run)])
    assert refused.status_code == 422
    assert served.client.get("/comparisons", params={"run": "run-000000000000"}).status_code == 404


def estimates(label: dict[str, Any], outcome: str) -> list[float]:
    """Coefficients and errors of a label, value by value."""
    values = label[outcome]["values"]
    return [value[name] for value in values for name in ("coef", "se") if value[name] is not None]


def test_findings_stand_beside_estimates_without_the_flagged(served: Served, run: str) -> None:
    page = served.get(f"/runs/{run}/findings")
    assert set(page) == {"items", "next", "total"}
    without = served.get(f"/runs/{run}/results", exclude_flagged=True)
    assert without["models"][0]["model"] == "simulated-planted"
