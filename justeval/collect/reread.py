"""All raw replies of a run are read again by today's reader; nobody is asked.

In: a run's folder. Out: its predictions made anew, and what reads otherwise than before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from justeval.runs import RunFolder, write_predictions

_READ = ("status", "months", "guilty", "penalty", "decision", "probability")
_ROW = ("model", "variant_id", "repetition", "case_id", "label", "value")


@dataclass(frozen=True, slots=True)
class Reread:
    """What reading again came to.

    `statuses` counts the rows by status now, `changed` those that read otherwise than before,
    by old and new status; None where there were no predictions before.
    """

    rows: int
    statuses: Mapping[str, int]
    changed: Mapping[tuple[str, str], int] | None

    def as_json(self) -> dict[str, Any]:
        """The counts by name."""
        changed = self.changed
        return {
            "rows": self.rows,
            "statuses": dict(self.statuses),
            "changed": None if changed is None else sum(changed.values()),
            "changes": [
                {"before": before, "now": now, "rows": n}
                for (before, now), n in (changed or {}).items()
            ],
        }


def reread(folder: RunFolder) -> Reread:
    """Makes a run's predictions anew from its journal. Raises RunError where it cannot be read."""
    columns = [*_ROW, *_READ]
    before = None
    if folder.predictions.is_file():
        before = pq.read_table(folder.predictions, columns=columns)
    table = write_predictions(folder)
    statuses = Counter(str(status) for status in table["status"].to_pylist())
    changed = None if before is None else _changed(before, table.select(columns))
    return Reread(len(table), dict(statuses.most_common()), changed)


def _changed(before: pa.Table, now: pa.Table) -> dict[tuple[str, str], int]:
    earlier = {tuple(row[name] for name in _ROW): row for row in before.to_pylist()}
    changed: Counter[tuple[str, str]] = Counter()
    for row in now.to_pylist():
        old = earlier.get(tuple(row[name] for name in _ROW))
        if old is not None and any(old[name] != row[name] for name in _READ):
            changed[str(old["status"]), str(row["status"])] += 1
    return dict(changed.most_common())
