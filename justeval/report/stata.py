"""Stata: the main sample of every label as .dta, and the .do file that checks our estimates.

In: the predictions, the analysis, a Report. Out: files by name: `check.do`, `sample_LABEL.dta`
with one row a cell (document x value) of every model, and `results_TABLE.dta` with our figures.
The regression is JudiFair's (Hu et al. 2025): reghdfe (Correia 2016), document effects absorbed,
errors clustered by document.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from justeval.errors import UsageError
from justeval.estimate import build_sample
from justeval.estimate.designs import LOG_VALUE
from justeval.estimate.sample import Sample, joined
from justeval.report.formatting import printable
from justeval.report.records import Report, ReportContext, Table

if TYPE_CHECKING:
    import pandas as pd

RESULTS = ("models", "labels", "bias", "imbalanced_inaccuracy")
OUTCOMES = {"bias": "log_months", "imbalanced_inaccuracy": "absolute_error"}
LONGEST_VARIABLE_LABEL = 80

HEAD = """\
* Repeats every regression of this report and stops where Stata finds another number.
* Needs reghdfe: ssc install reghdfe, ssc install ftools. Run it in this folder: do check.do
version 14
set more off
capture program drop justeval_same
program define justeval_same
    args variable coef se
    if reldif(_b[`variable'], `coef') > 1e-7 | reldif(_se[`variable'], `se') > 1e-7 {
        display as error "`variable': " _b[`variable'] " here, `coef' in the report"
        exit 9
    }
end
"""


@dataclass(frozen=True, slots=True)
class Regressors:
    """The variables of one label: names of values, or log(value). file : of its sample."""

    label: str
    file: str
    values: tuple[str, ...]

    @property
    def numeric(self) -> bool:
        """Whether the one regressor is log(value)."""
        return self.values == (LOG_VALUE,)

    def variable(self, value: str) -> str:
        """Name of a value's variable in Stata."""
        return "log_value" if self.numeric else f"value_{self.values.index(value) + 1}"


def stata_files(
    report: Report, analysis: Mapping[str, Any], context: ReportContext
) -> dict[str, bytes]:
    """All files of the folder. Raises UsageError where the context has no predictions."""
    if context.predictions is None:
        raise UsageError("stata files need the predictions that were analyzed; give a run or table")
    labels = list(regressors_of(analysis))
    sample = build_sample(
        context.predictions,
        analysis["settings"]["longest_months"],
        _numeric(analysis, context, labels),
    )
    models = [model["model"] for model in analysis["models"]]
    files = {f"results_{name}.dta": _dta(*_results(report.table(name))) for name in RESULTS}
    for label in labels:
        files[label.file] = _dta(*_sample_frame(sample, label, models))
    files["check.do"] = "\n".join([HEAD, *_do_lines(analysis, labels)]).encode()
    return files


def regressors_of(analysis: Mapping[str, Any]) -> Iterator[Regressors]:
    """Every label with all values that any model's fit names, in order."""
    values: dict[str, dict[str, None]] = {}
    for model in analysis["models"]:
        for label in model["labels"]:
            named = values.setdefault(label["label"], {})
            for outcome in OUTCOMES:
                named.update(dict.fromkeys(v["value"] for v in label[outcome]["values"]))
    taken: set[str] = set()
    for label_id, named in values.items():
        name = base = f"sample_{_file_name(label_id)}"
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name.casefold())
        yield Regressors(label_id, f"{name}.dta", tuple(named))


def _numeric(
    analysis: Mapping[str, Any], context: ReportContext, labels: Iterable[Regressors]
) -> dict[str, tuple[float, float] | None]:
    """Numeric labels with the range that the analysis applied; none as published."""
    numeric: dict[str, tuple[float, float] | None] = {}
    for label in labels:
        known = context.labels.get(label.label)
        if label.numeric or (known is not None and known.numeric):
            bounded = known is not None and not analysis["settings"]["as_published"]
            numeric[label.label] = known.range if known is not None and bounded else None
    return numeric


def _sample_frame(
    sample: Sample, label: Regressors, models: Sequence[str]
) -> tuple[pd.DataFrame, dict[str, str]]:
    """One row a cell of every model, and what the variables are."""
    import pandas as pd

    code = sample.labels.index(label.label)
    of_models = [
        sample.cells_of(sample.group(sample.models.index(model), code)) for model in models
    ]
    cells = joined(of_models)
    place = np.repeat(np.arange(len(models)), [one.value.size for one in of_models])
    value = np.array(sample.values, dtype=object)[cells.value]
    columns: dict[str, Any] = {
        "model_id": place.astype(np.float64) + 1,
        "model": np.array(models, dtype=object)[place],
        "case_id": np.array(sample.documents, dtype=object)[cells.document],
        "document": cells.document.astype(np.float64) + 1,
        "value": value,
        "log_months": cells.log_months,
        "months": cells.months,
        "absolute_error": cells.absolute_error,
        "true_months": cells.true_months,
    }
    told = dict(_VARIABLES)
    for name in label.values:
        variable = label.variable(name)
        if label.numeric:
            columns[variable] = np.log(sample.numbers[cells.value])
            told[variable] = "log of the label's value"
        else:
            columns[variable] = (value == name).astype(np.float64)
            told[variable] = f"1 where the value is {printable(name)}"
    return pd.DataFrame(columns), told


_VARIABLES = {
    "model_id": "number of the model",
    "model": "model that was asked",
    "case_id": "case",
    "document": "number of the case: the absorbed effect and the cluster",
    "value": "value of the label",
    "log_months": "log(months + 1), mean over the repetitions of the cell",
    "months": "months, mean over the repetitions of the cell",
    "absolute_error": "|true - predicted| months, mean over the repetitions of the cell",
    "true_months": "true sentence in months",
}


def _results(table: Table) -> tuple[pd.DataFrame, dict[str, str]]:
    """A table of ours: numbers as doubles, yes and no as 1 and 0, unknown as missing."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in table.rows]
        if column.kind == "text":
            columns[column.id] = np.array(["" if c is None else str(c) for c in cells], object)
        else:
            columns[column.id] = np.array([np.nan if c is None else c for c in cells], np.float64)
    return pd.DataFrame(columns), {column.id: column.definition for column in table.columns}


def _dta(frame: pd.DataFrame, told: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    frame.to_stata(
        out,
        write_index=False,
        version=118,
        variable_labels={name: words[:LONGEST_VARIABLE_LABEL] for name, words in told.items()},
    )
    return out.getvalue()


def _do_lines(analysis: Mapping[str, Any], labels: Sequence[Regressors]) -> Iterator[str]:
    fits = {
        (label["label"], number, outcome): label[outcome]
        for number, model in enumerate(analysis["models"], 1)
        for label in model["labels"]
        for outcome in OUTCOMES
    }
    for label in labels:
        yield from ("", f"* {_comment(label.label)}", f'use "{label.file}", clear')
        for number, model in enumerate(analysis["models"], 1):
            for outcome, variable in OUTCOMES.items():
                fit = fits.get((label.label, number, outcome))
                if fit is not None:
                    yield f"* {_comment(model['model'])}, {outcome.replace('_', ' ')}"
                    yield from _regression(label, number, variable, fit)


def _regression(
    label: Regressors, model: int, outcome: str, fit: Mapping[str, Any]
) -> Iterator[str]:
    """The reghdfe line of one fit, and the comparison of every value with ours."""
    estimated = [v for v in fit["values"] if v["coef"] is not None and v["se"] is not None]
    if not estimated:
        yield f"* not estimated: {_comment(str(fit['note']))}"
        return
    variables = " ".join(label.variable(v["value"]) for v in fit["values"])
    yield (
        f"reghdfe {outcome} {variables} if model_id == {model}, "
        "absorb(document) vce(cluster document)"
    )
    for value in estimated:
        name = label.variable(value["value"])
        yield f"justeval_same {name} {value['coef']!r} {value['se']!r}"


def _file_name(label: str) -> str:
    """A label's id as a part of a file's name: letters, digits and `_`; never a path or macro."""
    return "".join(c if c.isalnum() else "_" for c in label)[:80]


def _comment(text: str) -> str:
    """Text that ends no comment and expands no macro."""
    return "".join("_" if c in "`'\"$\\/*;{}" else c for c in printable(text))
