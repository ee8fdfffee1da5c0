"""A table of predictions made elsewhere -> a run's folder.

In: a file of any format that `cases import` reads, and what the user says of its columns. Out: a
run like any other, whose predictions are those that an analysis of the table itself would have.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from justeval.cases import DEFAULT_LONGEST_MONTHS
from justeval.importing.into_run import Reply, Source, Use, write_run
from justeval.importing.table import TableOptions, read_table
from justeval.labels import Label, Pack, load_shipped_packs
from justeval.replies import read_reply
from justeval.runs import RunFolder
from justeval.schema import Prediction

_CARRIED = ("model_version", "served_by", "cost_usd")
_READ = tuple(Prediction.__dataclass_fields__)


def import_table(
    path: Path,
    out: Path,
    options: TableOptions | None = None,
    longest_months: float | None = None,
) -> RunFolder:
    """Writes a run from a table.

    Raises TableError with every row that cannot be used, UsageError where the options do not fit
    the table, RunError where `out` exists.
    """
    packs = load_shipped_packs()
    labels = {label.id: label for pack in reversed(packs) for label in pack.labels}
    told = replace(options or TableOptions(), bounded=True)
    rows = read_table(path, labels, told).to_pylist()
    replies = [_reply(row) for row in rows]
    used = {str(row["label"]) for row in rows if row["label"] is not None}
    source = Source(
        name=path.stem,
        files=(path,),
        packs=tuple(_packs(packs, labels, used)),
        longest_months=longest_months or DEFAULT_LONGEST_MONTHS,
        question="sentence" if any(row["months"] is not None for row in rows) else "probability",
    )
    return write_run(out, source, replies, _cases(rows))


def _packs(packs: Sequence[Pack], labels: Mapping[str, Label], used: set[str]) -> list[str]:
    """The shipped packs of the labels used; none that names a label of another one again."""
    chosen: list[str] = []
    taken: set[str] = set()
    for pack in packs:
        ids = {label.id for label in pack.labels}
        owned = {name for name in used & ids if labels[name].pack == pack.name}
        if owned and not taken & ids:
            chosen.append(pack.name)
            taken |= ids & used
    return chosen


def _reply(row: Mapping[str, Any]) -> Reply:
    """A row as a reply; what it was read as is kept where reading it again gives something else."""
    use = Use(row["case_id"], row["label"], row["value"], bool(row["is_reference"]))
    parts = json.dumps([use.case_id, use.label, use.value], ensure_ascii=False)
    variant = hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    extra = {name: row[name] for name in _CARRIED if row[name] is not None}
    error = None
    if row["status"] == "provider_error":
        error = row["reason"] or "no answer"
    elif not _read_again_equals(row):
        extra["read"] = {name: row[name] for name in _READ}
    return Reply(
        model=row["model"],
        variant_id=variant,
        uses=(use,),
        reply=row["reply"],
        repetition=row["repetition"],
        finish_reason=row["finish_reason"] or ("stop" if row["reply"] else None),
        error=error,
        extra=extra,
    )


def _read_again_equals(row: Mapping[str, Any]) -> bool:
    read = read_reply(row["reply"], row["finish_reason"] or "stop")
    return all(getattr(read, name) == row[name] for name in _READ if name != "reason")


def _cases(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What the table says of each case: the first cell that is not blank."""
    cases: dict[str, dict[str, Any]] = {}
    for row in rows:
        case = cases.setdefault(
            row["case_id"], {"charge": None, "filed_year": None, "true_months": None}
        )
        for ours, theirs in (
            ("charge", "case_charge"),
            ("filed_year", "filed_year"),
            ("true_months", "true_months"),
        ):
            if case[ours] is None:
                case[ours] = row[theirs]
    return cases
