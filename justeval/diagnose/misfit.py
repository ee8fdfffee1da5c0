"""Replies whose charge does not fit their document.

In: Versions and the table. Out: a Check. A charge fits if it shares a word with the charge of the
case, or with at least half of the charges that the model names in its other replies about the
document, whatever the label. Whether one value's replies fit less often is tested as refusals
are: exactly, within documents.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa

from justeval.diagnose.by_value import counted, value_excess
from justeval.diagnose.charges import Relation
from justeval.diagnose.family import NO_TESTS, Check, Excess, Suspect
from justeval.diagnose.records import CHARGE_MISFIT, Finding
from justeval.diagnose.versions import Versions, dictionary
from justeval.estimate.encoding import Coded, Flags, Names
from justeval.estimate.records import Codes

FITS = 0.5
"""The share of the document's other replies whose charges must be related."""


def check_charges(versions: Versions, predictions: pa.Table) -> Check:
    """Whether the charge fits the document less often in one value than in the others."""
    charge = dictionary(predictions, "charge")
    if not charge.names:
        return Check(NO_TESTS)
    of_version = np.where(versions.readable >= 0, charge.codes[versions.readable], -1)
    known = of_version >= 0
    misfit = known & ~_fits_case(versions, predictions, of_version, charge.names)
    misfit &= ~_fits_others(versions, of_version, charge)
    tests = value_excess(versions, misfit, known)
    suspects = [
        Suspect(float(tests.p[at]), partial(_finding, versions, misfit, tests, int(at)))
        for at in tests.small()
    ]
    return Check(tests.log_least, tuple(suspects))


def _fits_case(versions: Versions, predictions: pa.Table, of_version: Codes, names: Names) -> Flags:
    """(V,) whether the reply's charge is related to the charge of the case; unknown is no."""
    case = dictionary(predictions, "case_charge")
    if not case.names:
        return np.zeros(of_version.size, dtype=np.bool_)
    of_case = case.codes[versions.first]
    shifted = np.where(of_case >= 0, of_case + len(names), -1)
    both = (of_version >= 0) & (of_case >= 0)
    apart = Relation((*names, *case.names)).unrelated(of_version, shifted)
    return np.asarray(both & ~apart)


def _fits_others(versions: Versions, of_version: Codes, charge: Coded) -> Flags:
    """(V,) whether at least half of the other charges of model and document are related."""
    said = np.flatnonzero(of_version >= 0)
    documents = len(versions.encoded.document.names)
    model = versions.group[said] // versions.labels
    about = model * documents + versions.document[said]
    size = len(charge.names)
    key, number, times = np.unique(
        about * size + of_version[said], return_inverse=True, return_counts=True
    )
    of_document, of_charge = np.divmod(key, size)
    start: Codes = np.asarray(np.searchsorted(of_document, of_document), dtype=np.int64)
    width = np.searchsorted(of_document, of_document, side="right") - start
    left = np.repeat(np.arange(key.size), width)
    right = start[left] + np.arange(left.size) - np.repeat(np.cumsum(width) - width, width)
    apart = Relation(charge.names).unrelated(of_charge[left], of_charge[right])
    total = np.bincount(left, weights=times[right], minlength=key.size) - 1.0
    related = np.bincount(left, weights=times[right] * ~apart, minlength=key.size) - 1.0
    fits = (total > 0) & (related >= FITS * total)
    result = np.zeros(of_version.size, dtype=np.bool_)
    result[said] = fits[number]
    return result


def _finding(versions: Versions, misfit: Flags, tests: Excess, at: int) -> Finding:
    key = int(tests.key[at])
    concerned = np.flatnonzero(misfit & (versions.value_key() == key))
    model, label, value = versions.where(key)
    return Finding(
        kind=CHARGE_MISFIT,
        model=model,
        label=label,
        value=value,
        replies=int(versions.rows[concerned].sum()),
        documents=concerned.size,
        estimate_with=None,
        estimate_without=None,
        advice=(
            f"The charge in the replies of {value} fits neither the case nor the other replies "
            f"about it more often than that of the other values ({counted(tests, at)}); read the "
            "raw replies: they may belong to other cases."
        ),
        p=float(tests.p[at]),
        flagged=True,
        rows=versions.rows_of(concerned),
    )
