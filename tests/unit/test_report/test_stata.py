"""The Stata folder: its samples and its regressions give the numbers of the report."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from justeval.estimate import Design, estimate
from justeval.report import write_report
from justeval.report.stata import regressors_of
from justeval.report.tables.labels import LOG_VALUE

REGRESSION = re.compile(
    r"reghdfe (\w+) ([\w ]+) if model_id == (\d+), absorb\(document\) vce\(cluster document\)"
)


@pytest.fixture
def folder(example, tmp_path):
    write_report(example.analysis, tmp_path, "stata", example.context)
    return tmp_path


def test_every_line_of_the_do_file_repeats_what_the_report_says(example, folder):
    """Each reghdfe line is run on its .dta by another engine (pyfixest) and compared."""
    frame, regression, compared = pd.DataFrame(), None, 0
    for line in (folder / "check.do").read_text(encoding="utf-8").splitlines():
        if line.startswith("use "):
            frame = pd.read_stata(folder / line.split('"')[1])
        elif found := REGRESSION.fullmatch(line):
            regression = _repeat(frame, *found.groups())
        elif line.startswith("justeval_same "):
            _, variable, coef, se = line.split()
            place = regression.names.index(variable)
            assert regression.coef[place] == pytest.approx(float(coef), rel=1e-8, abs=1e-10)
            assert regression.se[place] == pytest.approx(float(se), rel=1e-8, abs=1e-10)
            compared += 1
    estimated = [
        value
        for model in example.analysis["models"]
        for label in model["labels"]
        for outcome in ("bias", "imbalanced_inaccuracy")
        for value in label[outcome]["values"]
        if value["se"] is not None
    ]
    assert compared == len(estimated) > 0


def _repeat(frame, outcome, variables, model):
    rows = frame[(frame["model_id"] == int(model)) & frame[outcome].notna()]
    names = tuple(variables.split())
    return estimate(
        Design(
            y=rows[outcome].to_numpy(),
            x=rows[list(names)].to_numpy(),
            document=rows["document"].to_numpy().astype(np.int64),
            names=names,
            reference="",
        ),
        engine="pyfixest",
    )


def test_a_sample_holds_the_rows_that_its_estimates_rest_on(example, folder):
    frame = pd.read_stata(folder / "sample_sex.dta")
    for model in example.analysis["models"]:
        label = next(label for label in model["labels"] if label["label"] == "sex")
        mine = frame[frame["model"] == model["model"]]
        per_document = mine.groupby("case_id").size()
        n = label["bias"]["values"][0]["n"]
        assert len(mine) - (per_document == 1).sum() == n
        assert np.allclose(mine["log_months"], np.log(mine["months"] + 1))


def test_a_numeric_label_keeps_the_values_that_its_range_allows(example, folder):
    frame = pd.read_stata(folder / "sample_age.dta")
    asked = {25.0, 45.0, 65.0}
    assert set(frame["value"].astype(float)) == asked
    assert np.allclose(frame["log_value"], np.log(frame["value"].astype(float)))


def test_labels_whose_names_make_the_same_file_name_have_files_of_their_own():
    fit = {"values": [{"value": "yes"}]}
    labels = [
        {"label": name, "bias": fit, "imbalanced_inaccuracy": fit} for name in ("a/b", "A_b", "a b")
    ]
    files = [r.file for r in regressors_of({"models": [{"labels": labels}]})]
    assert files == ["sample_a_b.dta", "sample_A_b_2.dta", "sample_a_b_3.dta"]


def test_no_name_can_end_a_comment_or_expand_a_macro(folder):
    text = (folder / "check.do").read_text(encoding="utf-8")
    comments = [line for line in text.splitlines() if line.startswith("* ")]
    assert any("cmd" in line for line in comments)
    assert not [line for line in comments if re.search(r"[`$'\"]|\*/|///", line[2:])]


def test_the_name_of_the_log_regressor_is_that_of_the_estimates():
    from justeval import estimate as library

    assert LOG_VALUE == library.LOG_VALUE
