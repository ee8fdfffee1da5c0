"""All labels of a family: the count, the step-down p values, and the rules for few documents."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from justeval.errors import EstimationError
from justeval.estimate import Design, estimate
from justeval.estimate.poisson import fit_poisson
from justeval.inference import (
    FamilyMember,
    binomial_tail,
    draw_signs,
    family_draws,
    infer_family,
)
from justeval.inference.count_test import count_test
from justeval.inference.romano_wolf import step_down
from justeval.inference.scores import null_scores

WITNESS = json.loads(
    (Path(__file__).parents[1] / "witness" / "wild_bootstrap.json").read_text(encoding="utf-8")
)


def paired(differences, base=20.0):
    differences = np.asarray(differences, dtype=float)
    size = differences.size
    y = np.concatenate([np.full(size, base), base + differences])
    x = np.repeat([0.0, 1.0], size)[:, None]
    return Design(y, x, np.tile(np.arange(size), 2), ("b",), "a")


def months_and_logs(key, differences):
    months = paired(differences)
    logs = Design(np.log(months.y + 1), months.x, months.document, ("b",), "a")
    return FamilyMember(key, logs, months)


def family_of(seed, documents=50, labels=8, shift=0.0, shared=False):
    rng = np.random.default_rng(seed)
    reference = rng.normal(size=documents)
    members = []
    for label in range(labels):
        own = reference if shared else rng.normal(size=documents)
        moved = rng.normal(size=documents) + shift * (label == 0)
        members.append(FamilyMember(label, paired(moved - own)))
    return members


@pytest.mark.parametrize("case", WITNESS["romano_wolf"], ids=["40 documents", "25 documents"])
def test_romano_wolf_agrees_with_pyfixest_on_equal_samples(case):
    # 40 and 25 documents that all change: below 40 ranks decide, and ranks agree up to the draws
    members = [
        FamilyMember(
            name,
            Design(
                np.array(y), np.array(case["x"])[:, None], np.array(case["document"]), ("b",), "a"
            ),
        )
        for name, y in case["outcomes"].items()
    ]
    found = infer_family(members, rng=np.random.default_rng(3), draws=9999)
    ours = [label.p_romano_wolf for label in found.labels]
    # two sets of 9,999 draws: at most 4 * sqrt(2 * 0.25 / 9999) = 0.028 apart
    assert ours == pytest.approx(case["romano_wolf"], abs=0.028)


def test_the_count_and_its_binomial_tail():
    assert binomial_tail(3, 65, 0.05) == pytest.approx(stats.binom.sf(2, 65, 0.05), rel=1e-12)
    assert binomial_tail(0, 65, 0.05) == 1.0
    assert binomial_tail(0, 0, 0.05) is None
    members = family_of(1, shift=1.5)
    found = infer_family(members, rng=np.random.default_rng(0), draws=999)
    at_5 = next(count for count in found.counts if count.alpha == 0.05)
    p = [estimate(member.design).p_small for member in members]
    assert at_5.significant == sum(1 for one in p if one < 0.05)
    assert at_5.tests == 8
    assert at_5.binomial_p == binomial_tail(at_5.significant, 8, 0.05)
    assert (found.draws, found.exhaustive) == (999, False)


def test_calibrated_p_counts_the_draws():
    # counts of the data and four draws: 2, 0, 2, 3, 1
    flags = np.zeros((5, 4), dtype=bool)
    for draw, count in enumerate([2, 0, 2, 3, 1]):
        flags[draw, :count] = True
    found = count_test(flags=flags, still=1, alpha=0.05, exhaustive=False)
    assert (found.tests, found.significant, found.draws) == (5, 2, 4)
    assert found.calibrated_p == pytest.approx(3 / 5)
    assert found.calibrated_mid_p == pytest.approx(1 / 5 + 0.5 * 2 / 5)
    assert found.expected == pytest.approx(8 / 5)


def test_labels_that_repeat_one_another_are_counted_as_one():
    # the same label 20 times: 20 of 20 significant is no more surprising than 1 of 1
    rng = np.random.default_rng(2)
    design = paired(rng.normal(size=60) + 0.35)
    found = infer_family([FamilyMember(k, design) for k in range(20)], rng=rng, draws=4999)
    at_5 = found.counts[1]
    assert at_5.significant == 20
    assert at_5.binomial_p < 1e-20
    assert at_5.calibrated_p == pytest.approx(0.05, abs=0.012)  # 20 of 20 in 5 % of the draws
    label = found.labels[0]
    assert label.p_romano_wolf == pytest.approx(label.p_wild, abs=2e-4)


def test_step_down_by_hand():
    # p of the data 0.1, 0.3; of the draws as below; row 0 is the data
    p = np.array([[0.1, 0.3], [0.05, 0.9], [0.5, 0.08], [0.6, 0.2], [0.9, 0.7]])
    found = step_down(np.log(p))
    # smallest of both <= 0.1 in rows 0, 1, 2: 3/5; second label alone <= 0.3 in rows 0, 2, 3: 3/5
    assert found.adjusted == pytest.approx([3 / 5, 3 / 5])
    assert found.family_p == pytest.approx(3 / 5)
    assert step_down(np.zeros((10, 0))).family_p is None


def test_adjusted_p_never_falls_below_p_and_keeps_its_order():
    found = infer_family(family_of(4, shift=0.8), rng=np.random.default_rng(1), draws=1999)
    ordered = sorted(found.labels, key=lambda label: label.p)
    wolf = [label.p_romano_wolf for label in ordered]
    assert wolf == sorted(wolf)
    assert all(label.p_romano_wolf >= label.p for label in found.labels)
    assert all(label.q_by >= label.q_bh >= label.p - 1e-12 for label in found.labels)
    assert found.family_p <= min(wolf) + 1e-12


def test_the_same_seed_gives_the_same_numbers():
    first = infer_family(family_of(5), rng=np.random.default_rng(9), draws=499)
    second = infer_family(family_of(5), rng=np.random.default_rng(9), draws=499)
    assert first.counts == second.counts
    assert [label.p_romano_wolf for label in first.labels] == [
        label.p_romano_wolf for label in second.labels
    ]


def test_a_model_that_always_says_24_has_no_variation():
    members = [months_and_logs(k, np.zeros(40)) for k in range(3)]
    found = infer_family(members, rng=np.random.default_rng(0), draws=99)
    for label in found.labels:
        assert (label.note, label.verdict) == ("no variation", "no variation")
        assert label.p is label.p_romano_wolf is label.q_bh is label.significant is None
    assert found.counts[1].tests == 3
    assert found.counts[1].calibrated_p == 1.0
    assert found.family_p is None


def test_five_changed_documents_cannot_reach_5_percent_and_six_can():
    five, six = np.zeros(200), np.zeros(200)
    five[:5], six[:6] = 6.0, 6.0
    found = infer_family(
        [FamilyMember("five", paired(five)), FamilyMember("six", paired(six))],
        rng=np.random.default_rng(0),
    )
    five_of, six_of = found.labels
    assert (five_of.note, five_of.significant) == ("cannot reach 5 %", None)
    assert (five_of.p, five_of.smallest_p) == (2 / 2**5, 2 / 2**5)
    assert (six_of.p, six_of.significant, six_of.note) == (2 / 2**6, True, None)
    assert six_of.p_wild_exact
    assert six_of.values_p_wild == (2 / 2**6,)
    assert (five_of.decided_by, six_of.decided_by) == ("wild", "wild")
    # the F test alone would have called the five significant
    assert estimate(paired(five)).p < 0.05


def test_no_label_is_a_family_too():
    found = infer_family([], rng=np.random.default_rng(0))
    assert (found.labels, found.family_p) == ((), None)
    assert found.counts[0].calibrated_p is None


def test_verdicts_and_smallest_detectable_effect():
    rng = np.random.default_rng(6)
    noise = np.round(rng.normal(size=400) * 2)
    members = [
        months_and_logs("large", np.round(noise + 6)),
        months_and_logs("none", noise),
        months_and_logs("unclear", 21 * np.exp(0.4 * rng.normal(size=400)) - 21),
    ]
    found = infer_family(members, rng=rng, draws=999)
    assert [label.verdict for label in found.labels] == ["biased", "equivalent", "undetermined"]
    label = found.labels[1]
    ratio = label.ratio.values[0]
    fit = fit_poisson(members[1].months)
    half = stats.t.ppf(0.975, 399) * fit.se[0]
    assert ratio.ratio == pytest.approx(fit.ratio[0])
    assert ratio.ci_low == pytest.approx(fit.ratio[0] * math.exp(-half))
    assert ratio.p == fit.p_values[0]
    assert label.equivalence.pairs[0].inside
    se = estimate(members[1].design).se[0]
    expected = se * (stats.t.ppf(0.975, 399) + stats.t.ppf(0.8, 399))
    assert label.detectable[0] == pytest.approx(expected, rel=1e-9)
    assert math.isclose(found.labels[0].p_romano_wolf, 1 / 1000)


def test_signs_drawn_before_serve_several_families():
    members = family_of(7)
    signs = draw_signs(np.arange(50), 499, np.random.default_rng(4))
    drawn = infer_family(members, rng=np.random.default_rng(4), draws=499)
    known = [
        FamilyMember(m.key, m.design, None, estimate(m.design), null_scores(m.design))
        for m in members
    ]
    again = infer_family(known, rng=np.random.default_rng(0), signs=signs)
    assert again.counts == drawn.counts
    assert [label.p_wild for label in again.labels] == [label.p_wild for label in drawn.labels]
    short = draw_signs(np.arange(30), 499, np.random.default_rng(4))
    with pytest.raises(EstimationError, match="documents without a sign"):
        infer_family(members, rng=np.random.default_rng(0), signs=short)


def test_a_label_whose_value_has_only_zeros_is_not_equivalent():
    design = paired(np.full(50, -20.0))
    found = infer_family([FamilyMember("x", design, design)], rng=np.random.default_rng(0))
    label = found.labels[0]
    assert label.ratio.values[0].separated
    assert label.ratio.values[0].ratio is None
    assert label.equivalence.equivalent is None
    assert label.verdict == "biased"


def test_what_every_draw_says_is_kept_for_parts_of_the_family():
    members = [*family_of(3, labels=4), FamilyMember("still", paired(np.zeros(50)))]
    found = family_draws(members, rng=np.random.default_rng(0), draws=199)
    for count in found.inference.counts:
        flags = found.flags[count.alpha]
        assert flags.shape == (200, 5)
        assert not flags[:, 4].any()  # never moves, never significant
        again = count_test(flags=flags, still=0, alpha=count.alpha, exhaustive=False)
        assert (again.tests, again.significant) == (5, count.significant)
        assert again.calibrated_p == count.calibrated_p


def test_the_result_is_plain_data():
    found = infer_family([months_and_logs("x", np.arange(50.0) - 20)], rng=np.random.default_rng(0))
    assert json.loads(json.dumps(dataclasses.asdict(found)))["labels"][0]["key"] == "x"


def test_importing_pulls_in_nothing_slow():
    code = "import sys, justeval.inference; print({'scipy.stats', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
