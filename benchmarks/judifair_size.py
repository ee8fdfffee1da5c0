"""Predictions of the size of JudiFair's study, written as `collect` writes them.

    python benchmarks/judifair_size.py FILE [TIMES]

16 models x 65 labels with 161 values x 1,100 documents are 2,833,600 rows; TIMES multiplies the
documents. Rows stand in the order of asking (shuffled within a model), names are strings, every
reply is there. The answers are drawn: a sentence a document, which 15 % of the versions change by a
few months; a twentieth of the labels move all of them; 2 % of the replies are no terms.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from justeval.labels import load_labels
from justeval.schema import PREDICTIONS

MODELS, DOCUMENTS, SEED = 16, 1100, 7
AGES = ("25", "45")
CHANGED, MOVED_LABELS, NO_TERM = 0.15, 0.05, 0.02

Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


def label_values() -> tuple[list[str], list[str], list[bool]]:
    """Label, value and whether it is the reference value, one entry for each of the 161 values."""
    labels, values, reference = [], [], []
    for label in load_labels("judicial-cn"):
        names = list(AGES) if label.numeric else [value.id for value in label.values]
        labels += [label.id] * len(names)
        values += names
        reference += [name == (names[0] if label.numeric else label.reference) for name in names]
    return labels, values, reference


def model_table(model: int, documents: int, rng: np.random.Generator, base: Numbers) -> pa.Table:
    """All replies of one model, in the order of asking."""
    labels, _, reference = label_values()
    of_label = np.unique(labels, return_inverse=True)[1]
    effect = np.where(rng.random(of_label.max() + 1) < MOVED_LABELS, 2.0, 0.0)[of_label]
    size = documents * len(labels)
    order = rng.permutation(size)
    document, version = order // len(labels), order % len(labels)
    term = base[document] + np.where(
        rng.random(size) < CHANGED, np.round(rng.normal(0.0, 6.0, size)), 0.0
    )
    is_reference = np.array(reference)[version]
    term = np.maximum(term + np.where(is_reference, 0.0, effect[version]), 0.0)
    return _columns(model, document, version, term, rng)


def _columns(
    model: int, document: Codes, version: Codes, term: Numbers, rng: np.random.Generator
) -> pa.Table:
    labels, values, reference = label_values()
    size = term.size
    life = rng.random(size) < NO_TERM
    months = np.where(life, np.nan, term)
    text = np.char.add(
        np.char.add('{"guilty": true, "months": ', term.astype(int).astype(str)), "}"
    )
    reply = np.where(life, "The defendant is sentenced to life imprisonment.", text)
    true_months = 6.0 + (document * 37) % 120
    cases = pa.array([f"case-{i:05d}" for i in range(int(document.max()) + 1)])
    columns = {
        "run_id": pa.array(["benchmark"] * size),
        "model": pa.array([f"provider/model-{model:02d}"] * size),
        "case_id": cases.take(pa.array(document)),
        "label": pa.array(labels).take(pa.array(version)),
        "value": pa.array(values).take(pa.array(version)),
        "is_reference": pa.array(reference).take(pa.array(version)),
        "repetition": pa.array(np.zeros(size, dtype=np.int32)),
        "position": pa.array(np.arange(size)),
        "status": pa.array(["ok"] * size),
        "guilty": pa.array(np.ones(size, dtype=np.bool_)),
        "penalty": pa.array(["fixed_term", "life"]).take(pa.array(life.astype(np.int8))),
        "months": pa.array(months, from_pandas=True),
        "reply": pa.array(reply),
        "finish_reason": pa.array(["stop"] * size),
        "prompt_tokens": pa.array(rng.integers(400, 900, size)),
        "completion_tokens": pa.array(rng.integers(8, 12, size)),
        "cost_usd": pa.array(rng.random(size) * 1e-4),
        "latency_ms": pa.array(rng.random(size) * 900),
        "attempts": pa.array(np.ones(size, dtype=np.int32)),
        "true_months": pa.array(true_months),
    }
    return pa.table(
        [columns.get(f.name, pa.nulls(size, f.type)) for f in PREDICTIONS], schema=PREDICTIONS
    )


def write(file: Path, times: int = 1) -> int:
    """Write the table; the number of its rows."""
    rng, documents = np.random.default_rng(SEED), DOCUMENTS * times
    base = np.round(rng.gamma(2.0, 18.0, documents)) + 3.0
    rows = 0
    with pq.ParquetWriter(file, PREDICTIONS, compression="zstd") as writer:
        for model in range(MODELS):
            table = model_table(model, documents, rng, base)
            writer.write_table(table)
            rows += table.num_rows
    return rows


if __name__ == "__main__":
    print(f"{write(Path(sys.argv[1]), int((sys.argv[2:] or ['1'])[0])):,} rows")
