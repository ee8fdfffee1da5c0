"""Between less within: shares by hand, and the permutation p by listing every permutation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from justeval.inference import disagreement


def judged(document, value, answer, shuffles=999, seed=0):
    return disagreement(
        document=np.array(document),
        value=np.array(value),
        answer=np.array(answer),
        rng=np.random.default_rng(seed),
        shuffles=shuffles,
    )


def test_shares_of_pairs_by_hand():
    # document 0: a = 1, 1; b = 2, 1. Between: (1,2) differs, (1,1) not, twice: 2/4; within: a 0,
    # b 1 of 2 pairs: 1/2. Document 1: all 5, both 0
    found = judged([0] * 4 + [1] * 4, [0, 0, 1, 1] * 2, [1, 1, 2, 1] + [5] * 4)
    assert found.documents == 2
    assert found.between == pytest.approx((2 / 4 + 0) / 2)
    assert found.within == pytest.approx((1 / 2 + 0) / 2)
    assert found.excess == pytest.approx(0.0)


def test_p_is_the_share_of_all_permutations():
    answer, value = [1, 1, 1, 2, 2, 3], np.array([0, 0, 0, 1, 1, 1])
    left, right = np.triu_indices(6, k=1)
    same = value[left] == value[right]

    def excess(of):
        of = np.array(of)
        differ = of[left] != of[right]
        return differ[~same].mean() - differ[same].mean()

    everything = [excess(order) for order in itertools.permutations(answer)]
    exact = np.mean(np.array(everything) >= excess(answer) - 1e-12)
    found = judged([0] * 6, value, answer, shuffles=20_000)
    assert found.excess == pytest.approx(excess(answer))
    assert found.p == pytest.approx(exact, abs=0.015)


def test_noise_alone_is_no_disagreement_and_an_effect_is_found():
    rng = np.random.default_rng(1)
    document = np.repeat(np.arange(80), 6)
    value = np.tile([0, 0, 0, 1, 1, 1], 80)
    noise = rng.integers(0, 3, document.size)
    assert judged(document, value, noise).p > 0.05
    assert judged(document, value, noise + 3 * value * (document < 40)).p == 1 / 1000
    # plain inconsistency would have said: changed in nearly every document
    assert judged(document, value, noise).between > 0.6


def test_without_repetitions_there_is_no_floor():
    found = judged([0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 1, 1])
    assert (found.documents, found.between, found.p) == (0, None, None)


def test_documents_of_unequal_size_and_a_model_that_never_changes():
    found = judged([0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 0, 1, 1, 2], [7] * 7)
    assert (found.documents, found.excess, found.p) == (2, 0.0, 1.0)
