"""What a diagnosis finds where a fault was planted, and how seldom it finds one where none is.

Made-up runs that behave like real ones: documents of very different gravity, terms on the round
numbers that models like, a few far jumps, charges worded in several ways and now and then wrong,
refusals, life sentences, two providers, true effects of some labels, a shuffled order. Run as a
program this prints the tables of docs/diagnose.md:

    python tests/simulation/test_diagnose_power.py
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from justeval.diagnose import diagnose, flagged_rows
from justeval.diagnose.planting import FAULTS, plant
from justeval.schema import PREDICTIONS, VARIANTS

ROUND = np.array([0, 3, 6, 8, 12, 18, 24, 30, 36, 48, 60, 84, 120, 144, 180, 240, 300.0])
CHARGES = {
    "zh": [
        ("盗窃罪", "入户盗窃"), ("故意伤害罪", "故意伤害"), ("诈骗罪", "合同诈骗罪"), ("抢劫罪", "入户抢劫"), ("贩卖毒品罪",
        "走私、贩卖毒品罪"), ("故意杀人罪", "故意杀人"), ("受贿罪", "受贿"), ("交通肇事罪", "交通肇事"), ("开设赌场罪", "开设赌场"),
        ("寻衅滋事罪", "寻衅滋事"),
    ],
    "en": [
        ("theft of mail", "mail theft"), ("aggravated assault", "assault"), ("wire fraud", "fraud"),
        ("bank robbery", "armed robbery"), ("distribution of fentanyl", "fentanyl distribution"),
        ("murder", "second-degree murder"), ("bribery of an official", "bribery"),
        ("reckless driving", "driving recklessly"), ("illegal gambling", "gambling business"),
        ("arson", "arson of a building"),
    ],
}  # fmt: skip
SENTENCES = {"zh": "被告人的情况为{value}。", "en": "The defendant is {value}."}
FACTS = {
    "zh": "第{d}号案件：经审理查明，被告人于某日在某地实施了指控的行为，后被抓获归案，如实供述了经过，{d}人作证。",
    "en": "Case {d}: on a certain day the defendant did what is charged in town {d}; two witnesses "
    "saw it and the officers who came to the place took down what they said.",
}
SHARES = (0.01, 0.03, 0.10)
VALUES = (2, 2, 3, 2, 4, 2)
EFFECTS = (0.0, 0.1, 0.0, -0.05, 0.0, 0.0)


def sound_run(rng, documents=1100, models=2, language=None, values=VALUES, noise=0.12):
    """Predictions and variants of a run without faults, models x documents x values rows."""
    language = language or ("zh", "en")[int(rng.integers(2))]
    label = np.repeat(np.arange(len(values)), values)
    value = np.concatenate([np.arange(n) for n in values])
    m, d, v = (x.ravel() for x in np.indices((models, documents, label.size)))
    gravity = rng.normal(np.log(30), 1.2, documents)
    effect = np.array(EFFECTS)[label] * (value > 0)
    level = gravity[d] + 0.3 * rng.normal(size=(models, documents))[m, d] + effect[v]
    moved = rng.random(d.size) < noise
    level = level + np.where(moved, rng.normal(0, 0.15, d.size), 0.0)
    jumped = rng.random(d.size) < 0.01
    level = level + np.where(jumped, rng.normal(0, 0.8, d.size), 0.0)
    months = ROUND[np.abs(np.log1p(ROUND)[:, None] - level[None, :]).argmin(axis=0)]
    of_document = rng.integers(0, 10, documents)
    charge = np.where(rng.random(d.size) < 0.01, rng.integers(0, 10, d.size), of_document[d])
    worded = (rng.random(d.size) < 0.2).astype(int)
    names = np.array(CHARGES[language])
    life = (gravity > np.log(300))[d] & (rng.random(d.size) < 0.7) & ~jumped
    often = rng.random(documents) < 0.02
    u = rng.random(d.size)
    status = np.where(u < np.where(often[d], 0.5, 0.004), "refused", "ok").astype(object)
    status[u > 0.99] = "unparsable"
    read = status == "ok"
    penalty = np.where(life, "life", np.where(months == 0, "exempt", "fixed_term")).astype(object)
    penalty[~read] = None
    stated = np.where(life, np.nan, months)
    stated[~read] = np.nan
    position = np.empty(d.size, dtype=np.int64)
    for model in range(models):
        position[m == model] = rng.permutation(int((m == model).sum()))
    columns = {
        "run_id": np.full(d.size, "run"),
        "model": np.array([f"model-{k}" for k in range(models)])[m],
        "model_version": np.full(d.size, "2026-01"),
        "served_by": np.where(rng.random(d.size) < 0.7, "first", "second"),
        "case_id": np.array([f"case-{k}" for k in range(documents)])[d],
        "label": np.array([f"label_{k}" for k in range(len(values))])[label[v]],
        "value": np.array([f"value_{k}" for k in value])[v],
        "is_reference": (value == 0)[v],
        "repetition": np.zeros(d.size, dtype=np.int32),
        "position": position,
        "status": pa.array(status, pa.string()),
        "guilty": pa.array(np.where(read, True, None), pa.bool_()),
        "penalty": pa.array(penalty, pa.string()),
        "months": pa.array(stated, pa.float64(), from_pandas=True),
        "charge": pa.array(np.where(read, names[charge, worded], None), pa.string()),
        "true_months": np.round(np.exp(gravity))[d],
        "case_charge": names[of_document, 0][d],
    }
    nothing = pa.nulls(d.size)
    table = pa.table({f.name: columns.get(f.name, nothing) for f in PREDICTIONS}, PREDICTIONS)
    return table, sound_variants(documents, label, value, language)


def sound_variants(documents, label, value, language):
    """The texts of every document, the label's sentence before the facts or after them."""
    rows = []
    for d in range(documents):
        facts = FACTS[language].format(d=d)
        rows.append((f"b{d}", f"case-{d}", None, None, False, facts, 0, 0))
        for k, v in zip(label.tolist(), value.tolist(), strict=True):
            said = SENTENCES[language].format(value=f"value_{v}")
            text = f"{said}\n{facts}" if k % 2 else f"{facts}\n{said}"
            start = 0 if k % 2 else len(facts) + 1
            ids = (f"{k}.{v}.{d}", f"case-{d}", f"label_{k}", f"value_{v}", v == 0)
            rows.append((*ids, text, start, start + len(said)))
    names = VARIANTS.names
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], VARIANTS)


def is_found(planted, finding):
    """Whether a finding is the one that was planted: its kind, model, label and value."""
    wanted = (planted.kind.split()[0], planted.model, planted.label, planted.value)
    found = (finding.kind, finding.model, finding.label, finding.value)
    if planted.kind.startswith("text"):  # a faulty text concerns all models
        wanted, found = (wanted[0], *wanted[2:]), (found[0], *found[2:])
    if planted.kind in ("order", "influence"):  # which of two values moved cannot be told
        wanted, found = wanted[:3], found[:3]
    return wanted == found


def try_fault(kind, share, seed, documents=1100):
    """Found or not, the share of the planted replies that is flagged, other replies flagged, and
    other findings."""
    rng = np.random.default_rng(seed)
    table, variants = sound_run(rng, documents)
    planted = plant(table, variants if kind.startswith("text") else None, kind, share, rng)
    diagnosis = diagnose(planted.predictions, {}, 300.0, planted.variants)
    found = [finding for finding in diagnosis.findings if is_found(planted, finding)]
    flagged = flagged_rows(diagnosis)
    inside = np.isin(planted.rows, flagged).mean() if planted.rows.size else np.nan
    others = np.setdiff1d(flagged, planted.rows).size
    return bool(found), inside, others, len(diagnosis.findings) - len(found)
