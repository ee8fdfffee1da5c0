"""The wild cluster bootstrap: against pyfixest's by full enumeration, and against refitting."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from justeval.errors import EstimationError
from justeval.estimate import Design, estimate
from justeval.estimate.within import demean
from justeval.inference.draws import (
    Signs,
    draw_signs,
    every_pattern,
    exact_statistics,
    joint_statistics,
    share_as_large,
    statistic_of,
    wald_of,
)
from justeval.inference.few import value_statistics
from justeval.inference.scores import null_scores

WITNESS = json.loads(
    (Path(__file__).parents[1] / "witness" / "wild_bootstrap.json").read_text(encoding="utf-8")
)


def design_of(case):
    value, document = np.array(case["value"]), np.array(case["document"])
    k = int(value.max())
    x = (value[:, None] == np.arange(1, k + 1)).astype(float)
    names = tuple(f"v{i}" for i in range(1, k + 1))
    return Design(np.array(case["y"]), x, document, names, "v0", np.array(case["cluster"]))


def random_design(seed, documents=12, values=3, missing=0.0):
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), values)
    value = np.tile(np.arange(values), documents)
    keep = rng.random(document.size) >= missing
    document, value = document[keep], value[keep]
    y = rng.normal(size=documents)[document] + rng.normal(size=value.size)
    x = (value[:, None] == np.arange(1, values)).astype(float)
    return Design(y, x, document, tuple("abcdefg"[: values - 1]), "r")


@pytest.mark.parametrize("case", WITNESS["bootstrap"], ids=lambda case: case["name"])
def test_equals_pyfixests_wild_bootstrap_over_all_patterns(case):
    design = design_of(case)
    data = demean(design)
    for place, test in enumerate(case["tests"]):
        found = value_statistics(design, data, place, 100_000, np.random.default_rng(0))
        size = data.grouping.clusters
        t = np.sqrt(found / (1.0 - found / size))
        theirs = np.array(test["t_draws"]) / abs(test["t"])
        # they list both signs of every pattern, and count t in another small-sample factor
        assert np.repeat(np.sort(t / t[0]), 2) == pytest.approx(theirs, rel=1e-7, abs=1e-9)
        # they count strictly larger |t|; rounding decides whether the data's own pattern is one
        larger = np.count_nonzero(t > t[0] * (1 + 1e-9)) / t.size
        assert larger - 1e-12 <= test["p"] <= larger + 1 / t.size + 1e-12


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("values", [2, 3, 5])
def test_every_draw_is_a_regression_run_again(values, missing):
    design = random_design(values, values=values, missing=missing)
    data = demean(design)
    label = null_scores(design)
    signs = draw_signs(label.clusters, 40, np.random.default_rng(1))
    found = wald_of(joint_statistics([label], signs)[:, 0], label)
    rows = data.grouping.rows
    for draw in range(10):
        y = data.y * signs.signs[draw][data.grouping.cluster]
        again = estimate(
            Design(y, design.x[rows], design.document[rows], design.names, design.reference)
        )
        assert found[draw] == pytest.approx(again.f * again.rank, rel=1e-8)


def test_the_data_are_the_first_draw():
    design = random_design(3, values=4, missing=0.1)
    label, regression = null_scores(design), estimate(design)
    signs = draw_signs(label.clusters, 5000, np.random.default_rng(0))
    assert signs.exhaustive
    assert signs.signs.shape == (2**11, 12)
    assert np.unique(signs.signs, axis=0).shape[0] == 2**11
    wald = wald_of(joint_statistics([label], signs)[0], label)
    assert wald[0] == pytest.approx(regression.f * regression.rank, rel=1e-9)
    assert statistic_of(float(wald[0]), label) == pytest.approx(
        joint_statistics([label], signs)[0, 0], rel=1e-9
    )


def test_documents_that_never_change_need_no_sign():
    rng = np.random.default_rng(4)
    documents, changed = 30, 7
    difference = np.zeros(documents)
    difference[:changed] = rng.normal(size=changed)
    y = np.concatenate([np.zeros(documents), difference])
    x = np.repeat([0.0, 1.0], documents)[:, None]
    design = Design(y, x, np.tile(np.arange(documents), 2), ("b",), "a")
    label = null_scores(design)
    assert (label.changed, label.moving, label.size) == (changed, changed, documents)
    listed = exact_statistics(label)
    assert listed.size == 2 ** (changed - 1)
    # the sum of signed differences decides: |sum| in all patterns against |sum| of the data
    sums = np.abs(every_pattern(changed).astype(float) @ difference[:changed])
    assert share_as_large(listed) == np.mean(sums >= sums[0] - 1e-12)
    drawn = draw_signs(label.clusters, 20_000, rng)
    assert share_as_large(joint_statistics([label], drawn)[:, 0]) == pytest.approx(
        share_as_large(listed), abs=0.02
    )


@pytest.mark.parametrize("changed", [range(6), range(6, 10), range(3, 9)])
def test_only_complete_or_only_incomplete_documents_change(changed):
    """Documents 6 to 9 lack a value: theirs are other cross products, drawn or not."""
    rng = np.random.default_rng(8)
    document = np.append(np.repeat(np.arange(6), 3), np.repeat(np.arange(6, 10), 2))
    value = np.append(np.tile(np.arange(3), 6), np.tile(np.arange(2), 4))
    moved = np.isin(document, list(changed)) & (value > 0)
    design = Design(
        np.where(moved, rng.normal(size=document.size), 12.0),
        (value[:, None] == [1, 2]).astype(float),
        document,
        ("b", "c"),
        "a",
    )
    label = null_scores(design)
    assert label.patterns.shape[0] == 2
    every = Signs(every_pattern(10), np.arange(10), True)
    assert share_as_large(exact_statistics(label)) == pytest.approx(
        share_as_large(joint_statistics([label], every)[:, 0])
    )


def test_one_effect_in_every_document_is_as_large_as_can_be():
    # all documents 12 months longer: the two patterns of one sign are the only ones as large
    y = np.concatenate([np.zeros(8), np.full(8, 12.0)])
    design = Design(y, np.repeat([0.0, 1.0], 8)[:, None], np.tile(np.arange(8), 2), ("b",), "a")
    listed = exact_statistics(null_scores(design))
    assert listed[0] == pytest.approx(8.0)
    assert share_as_large(listed) == 2.0**-7


def test_labels_share_one_sign_a_document():
    first = random_design(5, values=2)
    doubled = Design(2 * first.y, first.x, first.document, first.names, first.reference)
    few = np.isin(first.document, [2, 5, 7, 8, 9, 11])
    part = Design(first.y[few], first.x[few], first.document[few], first.names, first.reference)
    labels = [null_scores(design) for design in (first, doubled, part)]
    signs = draw_signs(np.arange(12), 200, np.random.default_rng(2))
    found = joint_statistics(labels, signs)
    assert found[:, 0] == pytest.approx(found[:, 1], rel=1e-12)
    own = Signs(signs.signs[:, [2, 5, 7, 8, 9, 11]], np.array([2, 5, 7, 8, 9, 11]), False)
    assert found[:, 2] == pytest.approx(joint_statistics([labels[2]], own)[:, 0], rel=1e-12)


def test_no_change_has_no_scores_and_split_documents_are_refused():
    design = random_design(6)
    still = Design(
        np.log(np.full(design.y.size, 25.0)), design.x, design.document, design.names, "r"
    )
    assert null_scores(still) is None
    split = Design(
        design.y, design.x, design.document, design.names, "r", np.arange(design.y.size) % 5
    )
    with pytest.raises(EstimationError, match="two clusters"):
        null_scores(split)
