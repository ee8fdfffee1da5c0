"""Two labels crossed: the product by hand, few documents by full enumeration, size and power."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyfixest
import pytest
from scipy import stats

from justeval.inference import interaction


def answers(rng, product, documents=80, sizes=(2, 2), noise=0.2):
    """All pairs of every document; both labels have effects, the last pair `product` more."""
    width = sizes[0] * sizes[1]
    document = np.repeat(np.arange(documents), width)
    pair = np.tile(np.arange(width), documents)
    first, second = pair // sizes[1], pair % sizes[1]
    y = rng.normal(size=documents)[document] + 0.5 * first - 0.3 * second
    y += product * (pair == width - 1) + noise * rng.normal(size=document.size)
    return {"outcome": y, "document": document, "first": first, "second": second}


def crossed(data, sizes=(2, 2), seed=1, **more):
    names = tuple([f"{side}{k}" for k in range(n)] for side, n in zip("ab", sizes, strict=True))
    rng = np.random.default_rng(seed)
    return interaction(**data, names=names, references=(0, 0), rng=rng, **more)


def test_the_product_is_the_difference_of_differences():
    data = answers(np.random.default_rng(0), product=0.4)
    y = data["outcome"].reshape(80, 2, 2)
    per_document = y[:, 1, 1] - y[:, 1, 0] - y[:, 0, 1] + y[:, 0, 0]
    found = crossed(data)
    assert found.names == (("a1", "b1"),)
    assert found.coef[0] == pytest.approx(per_document.mean())
    n, k, g = 320, 3, 80
    error = np.sqrt(per_document.var() / g * g / (g - 1) * (n - 1) / (n - k - 1))
    assert found.se[0] == pytest.approx(error, rel=1e-9)
    half = stats.t.ppf(0.975, g - 1) * error
    assert found.ci_low[0] == pytest.approx(found.coef[0] - half)
    assert found.p < 1e-10
    assert (found.documents, found.complete, found.changed) == (80, 80, 80)


def test_equals_pyfixest_where_pairs_are_missing():
    rng = np.random.default_rng(5)
    data = answers(rng, product=0.1, sizes=(2, 3), documents=60)
    kept = rng.random(data["outcome"].size) > 0.1
    data = {name: column[kept] for name, column in data.items()}
    found = crossed(data, (2, 3))
    frame = pd.DataFrame(data).rename(columns={"outcome": "y", "first": "f", "second": "s"})
    fit = pyfixest.feols("y ~ C(f) * C(s) | document", frame, vcov={"CRV1": "document"})
    products = [name for name in fit.coef().index if ":" in name]
    assert found.coef == pytest.approx(fit.coef()[products].to_numpy(), rel=1e-8)
    assert found.se == pytest.approx(fit.se()[products].to_numpy(), rel=1e-6)
    assert found.complete < found.documents == 60


def test_effects_that_add_up_have_no_interaction():
    assert crossed(answers(np.random.default_rng(1), product=0.0)).p > 0.05
    exact = crossed(answers(np.random.default_rng(1), product=0.0, noise=0.0))
    assert (exact.changed, exact.note, exact.p) == (0, "no variation", None)


def test_few_documents_are_judged_by_all_patterns_of_signs():
    data = answers(np.random.default_rng(3), product=0.3, documents=9)
    y = data["outcome"].reshape(9, 2, 2)
    d = y[:, 1, 1] - y[:, 1, 0] - y[:, 0, 1] + y[:, 0, 0]
    signs = 1 - 2 * ((np.arange(512)[:, None] >> np.arange(9)) & 1)
    drawn = signs * d
    t = np.abs(drawn.mean(1)) / drawn.std(1)
    found = crossed(data)
    assert found.decided_by == "wild"
    assert found.p == pytest.approx(np.mean(t >= np.abs(d.mean()) / d.std() * (1 - 1e-9)))


def test_five_changed_documents_have_no_verdict():
    data = answers(np.random.default_rng(4), product=0.0, documents=50, noise=0.0)
    data["outcome"][[3, 43, 83, 123, 163]] += 1.0
    found = crossed(data)
    assert (found.changed, found.note) == (5, "cannot reach 5 %")


@pytest.mark.parametrize(("documents", "sizes"), [(12, (2, 2)), (12, (2, 3)), (60, (3, 3))])
def test_size(documents, sizes):
    """No interaction: at most 25 of 250 rejected at 5 % (P = 0.03 %), at least 3 (P = 0.2 %)."""
    rng = np.random.default_rng(documents)
    p = [
        crossed(answers(rng, 0.0, documents, sizes), sizes, seed=k, draws=199).p for k in range(250)
    ]
    assert 3 <= sum(one < 0.05 for one in p) <= 25
