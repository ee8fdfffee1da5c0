"""Which test decides, and the p scale that draws share with the data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from justeval.estimate import Design, estimate
from justeval.inference.few import changed_needed, decide, smallest_p, wild_value_p
from justeval.inference.scale import Member, critical_wald, f_tail, log_p, rank_p, significant
from justeval.inference.scores import null_scores


@pytest.mark.parametrize(
    ("clusters", "changed", "rank", "by", "note"),
    [
        (39, 39, 1, "wild", None),
        (400, 19, 1, "wild", None),
        (400, 5, 1, "wild", "cannot reach 5 %"),
        (400, 6, 1, "wild", None),
        (400, 0, 1, "wild", "no variation"),
        (40, 20, 1, "hotelling", None),
        (99, 50, 1, "hotelling", None),
        (100, 50, 1, "wald", None),
        (200, 50, 3, "hotelling", None),
        (300, 50, 3, "wald", None),
    ],
)
def test_the_rule(clusters, changed, rank, by, note):
    found = decide(clusters=clusters, changed=changed, moving=changed, rank=rank, alpha=0.05)
    assert (found.decided_by, found.note) == (by, note)
    assert found.possible is (note is None)


def test_the_smallest_p_and_the_documents_it_needs():
    assert (smallest_p(6), smallest_p(5)) == (0.03125, 0.0625)
    assert changed_needed(0.05) == 6
    assert changed_needed(0.05, labels=46) == 11  # 2^-10 * 46 = 0.045
    assert decide(clusters=50, changed=5, moving=5, rank=1, alpha=0.1).possible


def label_of(rank, clusters, by):
    rng = np.random.default_rng(rank)
    values = rank + 1
    document, value = np.repeat(np.arange(clusters), values), np.tile(np.arange(values), clusters)
    x = (value[:, None] == np.arange(1, values)).astype(float)
    y = rng.normal(size=value.size)
    design = Design(y, x, document, tuple("abcdefgh"[:rank]), "r")
    decision = decide(clusters=clusters, changed=clusters, moving=clusters, rank=rank, alpha=0.05)
    assert decision.decided_by == by
    return Member(null_scores(design), rank, decision, None), design


@pytest.mark.parametrize(
    ("rank", "clusters", "by"), [(1, 150, "wald"), (1, 50, "hotelling"), (3, 60, "hotelling")]
)
def test_p_in_a_draw_is_the_p_of_the_data(rank, clusters, by):
    member, design = label_of(rank, clusters, by)
    regression = estimate(design)
    wald = regression.f * regression.rank
    raw = wald * member.label.factor
    statistic = np.array([raw / (1 + raw / clusters), 0.0, float(clusters)])
    expected = regression.p if by == "wald" else regression.p_small
    found = log_p([member], statistic[:, None])[:, 0]
    assert found[0] == pytest.approx(np.log(expected), abs=1e-4)
    assert found[1] == 0.0
    assert found[2] < -50
    edge = critical_wald(by, rank, clusters - 1, 0.05)
    assert f_tail(by, rank, clusters - 1, np.array([edge]))[0] == pytest.approx(0.05, rel=1e-9)
    assert significant([member], statistic[:, None], expected * 1.001)[0, 0]
    assert not significant([member], statistic[:, None], expected * 0.999)[0, 0]


def test_critical_values_are_those_of_f():
    expected = stats.f.ppf(0.95, 3, 57) * 3 * 59 / 57
    assert critical_wald("hotelling", 3, 59, 0.05) == pytest.approx(expected, rel=1e-9)


def test_ranks_count_ties_as_as_large():
    member, _ = label_of(1, 30, "wild")
    statistics = np.array([2.0, 1.0, 2.0 + 1e-13, 3.0])
    assert rank_p(member, statistics).tolist() == [0.75, 1.0, 0.75, 0.25]
    listed = Member(member.label, 1, member.decision, np.array([5.0, 1.0, 2.0, 5.0]))
    assert rank_p(listed, np.array([5.0, 2.0, 9.0])).tolist() == [0.5, 0.75, 0.0]


def test_one_value_of_several_leaves_the_others_free():
    # b differs from the reference in no document on average, c by 3 in all
    rng = np.random.default_rng(8)
    documents = 12
    base, noise = rng.normal(size=documents), 0.3 * rng.normal(size=(documents, 3))
    y = (base[:, None] + noise + [0.0, 0.0, 3.0]).ravel()
    value = np.tile([0, 1, 2], documents)
    x = (value[:, None] == [1, 2]).astype(float)
    design = Design(y, x, np.repeat(np.arange(documents), 3), ("b", "c"), "a")
    found = wild_value_p(design, estimate(design), 9999, rng)
    assert found[1] == 2.0**-11
    assert found[0] > 0.05
