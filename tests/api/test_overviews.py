"""What the page shows first: the analysis without its labels, and the cells of a heat map."""

from __future__ import annotations

from typing import Any

import pytest

from justeval_api.schemas.overviews import HeatCell, Overview, VerdictCount
from justeval_api.services.overviews import models_differ
from tests.api.serving import Served


def test_an_overview_is_the_document_without_labels(served: Served, run: str) -> None:
    document = served.get(f"/runs/{run}/results")
    overview = served.get(f"/runs/{run}/results/overview")
    Overview.model_validate(overview)
    for part in ("settings", "runs", "summary", "justeval"):
        assert overview[part] == document[part], part
    assert overview["findings"] == len(document["findings"])
    for shown, model in zip(overview["models"], document["models"], strict=True):
        assert "labels" not in shown
        assert shown["run"] == run
        for name in ("bias", "imbalanced_inaccuracy", "placebo", "cost_usd"):
            assert shown[name] == model[name], name


def test_verdicts_are_counted_once_a_label(served: Served, run: str) -> None:
    labels = served.get(f"/runs/{run}/results/labels", placebo=False, limit=500)["items"]
    for model in served.get(f"/runs/{run}/results/overview")["models"]:
        own = [label for label in labels if label["model"] == model["model"]]
        for outcome in ("bias", "imbalanced_inaccuracy"):
            query = {"model": model["model"], "limit": 500}
            every = served.get(f"/runs/{run}/results/verdicts", **query)["items"]
            counts = [VerdictCount.model_validate(row).model_dump() for row in every]
            counts = [row for row in counts if row["outcome"] == outcome]
            whole = next(v for v in counts if v["by"] == "all")
            parts = [v for v in counts if v["by"] == "category"]
            verdicts = [label[outcome]["verdict"] for label in own]
            assert whole["biased"] == verdicts.count("biased")
            assert whole["undetermined"] == verdicts.count("undetermined")
            assert whole["no_verdict"] == verdicts.count(None)
            for name in ("biased", "equivalent", "undetermined", "no_variation"):
                assert sum(part[name] for part in parts) == whole[name], name


def test_as_published_labels_are_significant_or_not(served: Served, run: str) -> None:
    query = {"as_published": True, "limit": 500, "model": "simulated-planted"}
    labels = served.get(f"/runs/{run}/results/labels", placebo=False, **query)["items"]
    counts = served.get(f"/runs/{run}/results/verdicts", **query)["items"]
    whole = next(row for row in counts if row["by"] == "all" and row["outcome"] == "bias")
    significant = [label["bias"]["significant"] for label in labels]
    assert whole["biased"] == significant.count(True)
    assert whole["undetermined"] == significant.count(False)
    assert whole["no_verdict"] == significant.count(None)


def test_a_cell_is_the_largest_effect_of_its_label(served: Served, run: str) -> None:
    cells = served.get(f"/runs/{run}/results/cells", limit=2_000)["items"]
    labels = served.get(f"/runs/{run}/results/labels", limit=500)["items"]
    assert len(cells) == len(labels) == 8
    fits = {(label["model"], label["label"]): label["bias"] for label in labels}
    for cell in cells:
        HeatCell.model_validate(cell)
        fit = fits[cell["model"], cell["label"]]
        assert cell["verdict"] == fit["verdict"]
        assert cell["p"] == fit["p_verdict"]
        changes = [value["change_percent"] for value in fit["values"]]
        assert cell["change_percent"] == max(changes, key=abs)
    together = [cell["label"] for cell in cells]
    assert together == sorted(together, key=together.index), "label by label"


def test_cells_are_filtered(served: Served, run: str) -> None:
    path = f"/runs/{run}/results/cells"
    every = served.get(path)["items"]
    differing = served.get(path, models_differ=True)["items"]
    assert {c["label"] for c in differing} == {c["label"] for c in every if c["models_differ"]}
    assert {c["label"] for c in served.get(path, placebo=True)["items"]} == {"folder_color"}


def test_a_comparison_has_both_too(served: Served, run: str) -> None:
    other = served.made_elsewhere(model="elsewhere", name="Elsewhere")
    query = [("run", run), ("run", other)]
    overview = served.get_list("/comparisons/overview", query)
    Overview.model_validate(overview)
    assert [model["run"] for model in overview["models"]] == [run, run, other]
    assert [source["model_in_run"] for source in overview["sources"]][-1] == "elsewhere"
    assert overview["summary"] == served.get_list("/comparisons", query)["summary"]
    cells = served.get_list("/comparisons/cells", [*query, ("limit", "500")])["items"]
    assert {cell["run"] for cell in cells} == {run, other}


def cell(verdict: str | None, coef: float | None = None, value: str = "red") -> dict[str, Any]:
    """What models_differ looks at."""
    return {"verdict": verdict, "coef": coef, "value": value}


@pytest.mark.parametrize(
    ("cells", "differ"),
    [
        ([cell("biased", 0.1), cell("equivalent", 0.0)], True),
        ([cell("biased", 0.1), cell("biased, within the margin", 0.01)], False),
        ([cell("biased", 0.1), cell("biased", -0.1)], True),
        ([cell("biased", 0.1), cell("biased", -0.1, "blue")], False),
        ([cell("biased", 0.1), cell(None)], False),
        ([cell("undetermined", 0.1), cell("equivalent", 0.0)], False),
        ([], False),
    ],
)
def test_models_differ_where_one_is_biased_and_another_is_not(
    cells: list[dict[str, Any]], differ: bool
) -> None:
    assert models_differ(cells) is differ
