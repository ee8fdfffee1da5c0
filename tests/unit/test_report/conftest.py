"""A small analysis with a known shape: two models, hostile names, a label without an estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.labels import Label, Value, crossed
from justeval.report import ReportContext
from justeval.report.building import build_report
from justeval.report.records import Report
from justeval.schema import PREDICTIONS

DOCUMENTS = 24
MODELS = ("planted", "=cmd|' /C calc'!A0 <img src=x> \"q\"")
FORMULA = '=HYPERLINK("http://x","y")'


@dataclass(frozen=True)
class Example:
    """What every test of the reports starts from."""

    analysis: dict[str, Any]
    context: ReportContext
    report: Report


def labels_of(make_label: Callable[..., Label]) -> dict[str, Label]:
    """Six labels: plain, numeric, hostile, placebo, without reference replies, never moving; and
    the hostile one crossed with the placebo."""
    ages = tuple(Value(str(n), {"en": str(n)}, {"en": f"{n}."}, float(n)) for n in (25, 45, 65))
    kinds = [
        make_label(
            {"male": "m", FORMULA: "f", "+1": "p"},
            id="sex",
            name={"en": "<script>alert(\"x\")</script> & 'sex'"},
            actor="defendant",
            category="substance",
            demographic=True,
        ),
        make_label(
            id="age", name={"en": "Age"}, actor="defendant", kind="numeric", values=ages,
            reference="25", range=(18.0, 70.0), demographic=True,
        ),
        make_label(
            {"<b>r</b>": "r", "@cmd|`x`": "c"}, id="\t=1+1", name={"en": "\t=1+1"}, actor="judge"
        ),
        make_label(id="folder", name={"en": "Folder"}, placebo=True),
        make_label(id="silent", name={"en": "Silent"}, actor="court"),
        make_label(id="still", name={"en": "法院 still"}, actor="court"),
    ]  # fmt: skip
    kinds.append(crossed(kinds[2], kinds[3]))
    return {label.id: label for label in kinds}


def predictions_of(labels: dict[str, Label], seed: int = 5) -> pa.Table:
    """Simulated predictions: the first model has effects, the second none but one refusal."""
    rng = np.random.default_rng(seed)
    rows = list(_rows(labels, rng))
    return pa.Table.from_pylist(rows, schema=PREDICTIONS)


def _rows(labels: dict[str, Label], rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    for model in MODELS:
        for document in range(DOCUMENTS):
            base = 20 + 3 * document
            for label in labels.values():
                for place, value in enumerate(label.values):
                    months = base + rng.integers(-2, 3) * (label.id != "still")
                    months += 6 * place * (model == "planted") * (not label.placebo)
                    status = "ok"
                    if label.id == "silent" and place == 0:
                        status = "refused"
                    if label.id == "still":
                        months = base
                    yield {
                        "run_id": "r1",
                        "model": model,
                        "variant_id": f"{document}/{label.id}/{value.id}",
                        "case_id": f"case {document}",
                        "label": label.id,
                        "value": value.id,
                        "is_reference": value.id == label.reference,
                        "repetition": 0,
                        "status": status,
                        "guilty": True,
                        "penalty": "life" if document == 7 and place else "fixed_term",
                        "months": None if status != "ok" else float(months),
                        "true_months": float(base + 4),
                    }


MANIFEST: dict[str, Any] = {
    "run_id": "r1",
    "created_at": "2026-01-02T03:04:05+00:00",
    "dataset": {"name": "own", "title": "Own cases", "documents": DOCUMENTS},
    "labels": ["sex", "age", "\t=1+1", "folder", "silent", "still"],
    "prompts": [{"id": "sentence-en", "sha256": "ab" * 32}],
    "models": [{"model": model, "kind": "openai"} for model in MODELS],
    "parameters": {"temperature": 0.0, "max_tokens": 300, "seed": 20240101},
    "repetitions": 1,
    "order_seed": 3,
}
RUN: dict[str, Any] = {
    "run_id": "r1",
    "complete": True,
    "requests": 624,
    "answered": 624,
    "temperature": 0.0,
    "models": list(MODELS),
}
SKIPPED = [
    {"case_id": "case 1", "label": "sex", "kind": "charge", "reason": "=relevant to <rape>"},
    {"case_id": "case 2", "label": "sex", "kind": "charge", "reason": "relevant"},
    {"case_id": "case 2", "label": "age", "kind": "stated", "reason": "stated: 'aged 40'"},
]


@pytest.fixture(scope="session")
def make_example(make_label: Callable[..., Label]) -> Callable[..., Example]:
    """The example; keywords go to the options of the analysis, `run` replaces facts of the run."""

    def make(run: dict[str, Any] | None = None, **options: Any) -> Example:
        labels = labels_of(make_label)
        predictions = predictions_of(labels)
        runs = [{**RUN, **(run or {})}]
        analysis = as_json(analyze(predictions, labels, AnalysisOptions(**options), runs))
        context = ReportContext(
            title="<i>Own</i> cases & models",
            runs=[MANIFEST],
            skipped=SKIPPED,
            predictions=predictions,
            labels=labels,
        )
        return Example(analysis, context, build_report(analysis, context))

    return make


@pytest.fixture(scope="session", params=[False, True], ids=["ours", "as-published"])
def example(request: pytest.FixtureRequest, make_example: Callable[..., Example]) -> Example:
    """The example in both readings."""
    return make_example(as_published=request.param)
