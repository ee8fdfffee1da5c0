"""q values against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from justeval.inference import benjamini_hochberg, benjamini_yekutieli

PS = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60)


@given(PS)
def test_equal_scipys(p):
    p = np.array(p)
    by = stats.false_discovery_control(p, method="by")
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p), rel=1e-12)
    assert benjamini_yekutieli(p) == pytest.approx(by, rel=1e-12)


def test_a_label_that_was_not_tested_does_not_count():
    p = np.array([0.01, np.nan, 0.04])
    found = benjamini_hochberg(p)
    assert found[[0, 2]] == pytest.approx([0.02, 0.04])
    assert np.isnan(found[1])
    assert np.isnan(benjamini_hochberg(np.array([np.nan]))).all()
    assert benjamini_yekutieli(np.zeros(0)).size == 0
