"""bias-bench's evals.jsonl -> a run.

In: JSON lines as its runner writes them, one evaluation a line: `id` (rep1_R6_darnell), `rep`,
`name`, `name_group`, `race`, `gender`, `resume_id`, `resume_tier`, `noul` (the probability of yes),
`advanced`, `raw` (the reply, absent for a model that answers with a number alone), `model`,
`input_tokens`, `output_tokens`, `latency_ms`, `attempt`. Out: a run in which a resume is a
document, and the labels are what the name says of the applicant: `applicant_race` (reference
white), `applicant_sex` (reference male), and `applicant_name` itself.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from justeval.casefiles.opening import open_source, read_batches
from justeval.casefiles.records import Problems
from justeval.cases import DEFAULT_LONGEST_MONTHS
from justeval.errors import CaseFileError, TableError
from justeval.importing.into_run import Reply, Source, Use, write_run
from justeval.runs import RunFolder

NEEDED = ("rep", "name", "race", "gender", "resume_id", "noul", "model")
OPTIONAL = ("raw", "stop_reason", "input_tokens", "output_tokens", "latency_ms", "attempt",
            "resume_tier")  # fmt: skip
REFERENCES = {"applicant_race": "white", "applicant_sex": "male"}
_NUMBERS = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}


def import_biasbench(files: list[Path], out: Path) -> RunFolder:
    """Writes a run from evals.jsonl files, of one model or several.

    Raises TableError with every line that is not of that shape, RunError where `out` exists.
    """
    problems = Problems()
    replies: list[Reply] = []
    cases: dict[str, dict[str, Any]] = {}
    seen: dict[str, str] = {}
    for file in files:
        try:
            _read(file, replies, cases, seen, problems)
        except CaseFileError as error:
            raise TableError(error.problems) from error
    try:
        problems.raise_if_any(files[0])
    except CaseFileError as error:
        raise TableError(error.problems) from error
    if not replies:
        raise TableError(f"{', '.join(map(str, files))}: no evaluations in it")
    source = Source("bias-bench", tuple(files), (), DEFAULT_LONGEST_MONTHS, "probability")
    return write_run(out, source, replies, cases)


def _read(
    file: Path,
    replies: list[Reply],
    cases: dict[str, dict[str, Any]],
    seen: dict[str, str],
    problems: Problems,
) -> None:
    source = open_source(file, whole=True)
    missing = [name for name in NEEDED if name not in source.info.columns]
    if missing:
        has = ", ".join(source.info.columns[:12])
        raise TableError(f"{file}: lacks {', '.join(missing)}; the lines have {has}")
    names = [*NEEDED, *(name for name in OPTIONAL if name in source.info.columns)]
    for batch in read_batches(source, names, problems):
        columns = [batch.column(i) for i in range(len(names))]
        for number, *row in zip(batch.numbers, *columns, strict=True):
            cells = dict(zip(names, row, strict=True))
            reply, fault = _reply(cells)
            if reply is not None:
                fault = f"the same evaluation stands in {seen[reply.key]}" if (
                    reply.key in seen
                ) else ""  # fmt: skip
            if reply is None or fault:
                problems.add(source.place(number), fault)
                continue
            seen[reply.key] = source.place(number)
            replies.append(reply)
            document = str(cells["resume_id"])
            cases.setdefault(document, {"charge": None, "resume_tier": cells.get("resume_tier")})


def _reply(cells: Mapping[str, str | None]) -> tuple[Reply | None, str]:
    """One evaluation, or what is wrong with its line."""
    blank = [name for name in NEEDED if name != "noul" and not (cells[name] or "").strip()]
    if blank:
        return None, f"{', '.join(blank)} is empty"
    repetition = _number(cells["rep"])
    probability = _number(cells["noul"])
    if repetition is None or repetition < 1 or not repetition.is_integer():
        return None, f"rep is {cells['rep']!r}; repetitions are counted from 1"
    if cells["noul"] and (probability is None or not 0 <= probability <= 1):
        return None, f"noul is {cells['noul']!r}; it is a probability between 0 and 1"
    raw = cells.get("raw")
    if raw is None and probability is None:
        return None, "neither noul nor raw holds an answer"
    document, name = str(cells["resume_id"]), str(cells["name"])
    uses = (
        Use(document, "applicant_race", cells["race"], cells["race"] == "white"),
        Use(document, "applicant_sex", cells["gender"], cells["gender"] == "male"),
        Use(document, "applicant_name", name, False),
    )
    variant = hashlib.sha256(json.dumps([document, name]).encode()).hexdigest()[:24]
    extra = {
        ours: int(number)
        for theirs, ours in _NUMBERS.items()
        if (number := _number(cells.get(theirs))) is not None
    }
    latency = _number(cells.get("latency_ms"))
    reply = Reply(
        model=str(cells["model"]),
        variant_id=variant,
        uses=uses,
        reply=raw if raw is not None else json.dumps({"probability": probability}),
        repetition=int(repetition) - 1,
        finish_reason=cells.get("stop_reason") or "stop",
        extra={**extra, **({} if latency is None else {"latency_ms": latency})},
    )
    return reply, ""


def _number(cell: str | None) -> float | None:
    try:
        number = float(cell) if cell else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None
