"""Versions that are missing, and replies that stand twice.

In: Versions. Out: a Check of facts (a missing version is no matter of chance). What concerns one
value more than the others is found value by value, the rest is one finding a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from justeval.diagnose.family import NO_TESTS, Check, Suspect, excess_tests
from justeval.diagnose.records import DUPLICATE, MISSING_VERSION, Finding
from justeval.diagnose.versions import Versions
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes, Floats

EXPECTED = 0.5
"""A value that stands in at least this share of a label's documents is expected in each."""


def check_missing(versions: Versions) -> Check:
    """Versions missing where other versions of the same document and label are there.

    A cell of the grid documents x expected values counts as missing without a row. Which value
    is missing is tested within documents, as refusals are.
    """
    key, chance, hit, missing = _missing_cells(versions)
    tests = excess_tests(key, chance, hit)
    names = len(versions.encoded.value.names)
    suspects = []
    for at in tests.small():
        model, label, value = versions.where(int(tests.key[at]))
        told = (
            f"{value} is missing in {int(tests.count[at])} documents that have other values "
            f"({tests.expected[at]:.0f} expected if values were missing alike)"
        )
        finding = partial(
            _missing_finding, (model, label, value), int(tests.count[at]), told, float(tests.p[at])
        )
        suspects.append(Suspect(float(tests.p[at]), finding))
    facts = [
        _missing_fact(versions, missing[missing // names == group])
        for group in np.unique(missing // names)
    ]
    return Check(tests.log_least, tuple(suspects), tuple(_by_label_or_model(facts, _all_missing)))


def _missing_fact(versions: Versions, missing: Codes) -> Finding:
    """What is missing of one label; missing : value keys, one entry a version."""
    model, label, value = versions.where(int(missing[0]))
    one = np.unique(missing).size == 1
    told = f"{missing.size} versions of {label} are missing while others of the documents are there"
    return _missing_finding((model, label, value if one else None), missing.size, told, None)


def _all_missing(facts: list[Finding]) -> Finding:
    count = sum(fact.documents for fact in facts)
    told = f"{count} versions of {len(facts)} labels are missing while others are there"
    return _missing_finding((str(facts[0].model), None, None), count, told, None)


def _missing_cells(versions: Versions) -> tuple[Codes, Floats, Flags, Codes]:
    """The tests' entries (value key, chance, whether missing), and the keys of all missing."""
    key = versions.value_key()
    names = len(versions.encoded.value.names)
    found, times = np.unique(key, return_counts=True)
    lead = np.flatnonzero(np.append(True, versions.unit[1:] != versions.unit[:-1]))
    lead = lead if versions.count else lead[:0]
    documents = np.bincount(versions.group[lead], minlength=int(found.max(initial=0)) // names + 1)
    of_group = found // names
    expected = times >= EXPECTED * documents[of_group]
    short = np.unique(of_group[expected & (times < documents[of_group])])
    entries = [_grid(versions, key, lead, int(g), found[expected & (of_group == g)]) for g in short]
    if not entries:
        none = np.zeros(0, dtype=np.int64)
        return none, NO_TESTS, none > 0, none
    keys, chances, hits, gone = (np.concatenate(part) for part in zip(*entries, strict=True))
    return keys, chances, hits, gone


def _grid(
    versions: Versions, key: Codes, lead: Codes, group: int, wanted: Codes
) -> tuple[Codes, Floats, Flags, Codes]:
    units = versions.unit[lead[versions.group[lead] == group]]
    there = np.zeros((units.size, wanted.size), dtype=np.bool_)
    mine = np.flatnonzero(versions.group == group)
    mine = mine[np.isin(key[mine], wanted)]
    there[versions.unit[mine] - units[0], np.searchsorted(wanted, key[mine])] = True
    lacking = np.count_nonzero(~there, axis=1)
    some = (lacking > 0) & (lacking < wanted.size)
    chance = np.repeat(lacking[some] / wanted.size, wanted.size)
    keys = np.tile(wanted, int(some.sum()))
    gone = np.broadcast_to(wanted, there.shape)[~there & some[:, None]]
    return keys, chance, ~there[some].ravel(), gone


def _missing_finding(
    where: tuple[str, str | None, str | None], count: int, told: str, p: float | None
) -> Finding:
    model, label, value = where
    return Finding(
        kind=MISSING_VERSION,
        model=model,
        label=label,
        value=value,
        replies=0,
        documents=count,
        estimate_with=None,
        estimate_without=None,
        advice=f"{told}; finish the run, or find out why these were left out.",
        p=p,
        flagged=False,
        rows=np.zeros(0, dtype=np.int64),
    )


def check_duplicates(versions: Versions) -> Check:
    """Replies beyond the repetitions that the model's other versions have.

    The number of repetitions is that of most versions of a label. The later rows are flagged, so
    that no version weighs more by being there twice.
    """
    if versions.count == 0:
        return Check(NO_TESTS)
    usual = _usual_rows(versions)
    twice = np.flatnonzero(versions.rows > usual[versions.group])
    key = versions.value_key()
    facts: list[Finding] = []
    for group in np.unique(versions.group[twice]):
        chosen = twice[versions.group[twice] == group]
        values = np.unique(key[chosen])
        extra = _later_rows(versions, chosen, int(usual[group]))
        model, label = versions.group_names(int(group))
        value = versions.where(int(values[0]))[2] if values.size == 1 else None
        facts.append(
            _duplicate_finding((model, label, value), chosen.size, int(usual[group]), extra)
        )
    return Check(NO_TESTS, (), tuple(_by_label_or_model(facts, _all_duplicates)))


def _usual_rows(versions: Versions) -> Codes:
    """(groups,) how many rows most versions of a group have."""
    most = int(versions.rows.max()) + 1
    counts = np.bincount(versions.group * most + versions.rows)
    counts = np.append(counts, np.zeros(-counts.size % most, dtype=np.int64))
    return np.asarray(counts.reshape(-1, most).argmax(axis=1), dtype=np.int64)


def _later_rows(versions: Versions, chosen: Codes, usual: int) -> Codes:
    rows = versions.rows_of(chosen)
    rows = rows[np.lexsort((rows, versions.encoded.repetition[rows], versions.of_row[rows]))]
    of = versions.of_row[rows]
    start = np.searchsorted(of, of)
    return np.sort(rows[np.arange(rows.size) - start >= usual])


def _duplicate_finding(
    where: tuple[str, str | None, str | None], count: int, usual: int, extra: Codes
) -> Finding:
    model, label, value = where
    return Finding(
        kind=DUPLICATE,
        model=model,
        label=label,
        value=value,
        replies=extra.size,
        documents=count,
        estimate_with=None,
        estimate_without=None,
        advice=(
            f"{count} versions have more replies than the {usual} that the others have; remove the "
            "extra rows, or give a column of repetitions if all were asked so often."
        ),
        p=None,
        flagged=True,
        rows=extra,
    )


MOST_LABELS = 10
"""Facts about more labels of a model than this are told as one."""


def _by_label_or_model(
    facts: list[Finding], together: Callable[[list[Finding]], Finding]
) -> Iterable[Finding]:
    """One finding a label, or one for the model where many labels are concerned."""
    of_model: dict[str | None, list[Finding]] = {}
    for fact in facts:
        of_model.setdefault(fact.model, []).append(fact)
    for several in of_model.values():
        yield from several if len(several) <= MOST_LABELS else (together(several),)


def _all_duplicates(facts: list[Finding]) -> Finding:
    rows = np.unique(np.concatenate([fact.rows for fact in facts]))
    count = sum(fact.documents for fact in facts)
    return Finding(
        kind=DUPLICATE,
        model=facts[0].model,
        label=None,
        value=None,
        replies=rows.size,
        documents=count,
        estimate_with=None,
        estimate_without=None,
        advice=(
            f"{count} versions of {len(facts)} labels have more replies than the others; remove "
            "the extra rows, or give a column of repetitions if all were asked so often."
        ),
        p=None,
        flagged=True,
        rows=rows,
    )
