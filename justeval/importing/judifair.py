"""The published reply files of JudiFair -> a run.

In: JSON lists of {ID, changed_label, label_value, response, true_answer}, a file a label. Out: a
run whose labels and values are those of the pack `judicial-cn`.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from justeval.cases import DEFAULT_LONGEST_MONTHS
from justeval.errors import Problem, TableError
from justeval.importing.into_run import Reply, Source, Use, write_run
from justeval.labels import Label, load_pack
from justeval.runs import RunFolder

PACK = "judicial-cn"
_IN_PARENTHESES = re.compile(r"[(（]\s*([^()（）]+?)\s*[)）]\s*$")
_OTHER_NAMES = {
    "gender": "sex",
    "prosecurate": "prosecutor",
    "procurator": "prosecutor",
    "efender": "defender",
    "has_assessor": "assessor",
    "immediate_judgment": "immediate_judgement",
}
_FIELDS = ("ID", "changed_label", "label_value", "response", "true_answer")
_TRUE_MONTHS, _TRUE_PENALTY, _TRUE_CHARGE = "刑期", "刑罚类型", "罪名"


def import_judifair(files: Sequence[Path], out: Path, model: str) -> RunFolder:
    """Writes a run from published reply files.

    Raises TableError with every item that is not of that shape, RunError where `out` exists.
    """
    pack = load_pack(PACK)
    labels = {label.id: label for label in pack.labels}
    replies: list[Reply] = []
    cases: dict[str, dict[str, Any]] = {}
    problems: list[Problem] = []
    seen: Counter[str] = Counter()
    for file in files:
        for number, item in enumerate(_items(file)):
            reply, fault = _reply(item, labels, model, seen)
            if reply is None:
                problems.append(Problem(f"{file} item {number}", fault))
                continue
            replies.append(reply)
            _note_case(cases, reply.uses[0].case_id, item["true_answer"])
    if problems:
        raise TableError(problems)
    if not replies:
        raise TableError(f"{', '.join(map(str, files))}: no replies in it")
    source = Source("judifair", tuple(files), (PACK,), DEFAULT_LONGEST_MONTHS)
    return write_run(out, source, replies, cases)


def _items(file: Path) -> list[dict[str, Any]]:
    try:
        items = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise TableError(f"{file}: cannot be read as JSON ({error})") from error
    if not isinstance(items, list):
        raise TableError(f"{file}: must be a JSON list of replies")
    return items


def _reply(
    item: object, labels: Mapping[str, Label], model: str, seen: Counter[str]
) -> tuple[Reply | None, str]:
    if not isinstance(item, dict):
        return None, "is no object"
    missing = [n for n in _FIELDS if n not in item]
    if missing:
        return None, f"lacks {', '.join(missing)}"
    label_id = label_of(str(item["changed_label"]))
    label = labels.get(label_id)
    if label is None:
        return None, f"changed_label {item['changed_label']!r} is none of the pack {PACK}"
    value = value_of(label, str(item["label_value"]))
    if value is None:
        return None, f"label_value {item['label_value']!r} is no value of {label_id}"
    case_id = str(item["ID"])
    parts = json.dumps([case_id, label_id, value], ensure_ascii=False)
    variant = hashlib.sha256(parts.encode()).hexdigest()[:24]
    repetition = seen[variant]
    seen[variant] += 1
    is_reference = value == label.reference and not label.numeric
    use = Use(case_id, label_id, value, is_reference)
    text, error = _text_of(item["response"])
    return Reply(model, variant, (use,), text, repetition, error=error), ""


def label_of(changed_label: str) -> str:
    """The label's id behind a published name, e.g. 被告人性别(Defendant_gender): defendant_sex."""
    match = _IN_PARENTHESES.search(changed_label)
    name = (match.group(1) if match else changed_label).strip().lower()
    name = re.sub(r"\W+", "_", name)
    name = _OTHER_NAMES.get(name, name)
    return "_".join(_OTHER_NAMES.get(part, part) for part in name.split("_"))


def value_of(label: Label, text: str) -> str | None:
    """The id of a published value: by its name, or the number of a numeric label."""
    if label.numeric:
        try:
            number = float(text)
        except ValueError:
            return None
        return f"{number:g}" if math.isfinite(number) and number > 0 else None
    for value in label.values:
        if text.strip() in (value.id, *value.name.values()):
            return value.id
    return None


def _text_of(response: object) -> tuple[str | None, str | None]:
    first = response[0] if isinstance(response, list) and response else response
    if isinstance(first, dict):
        return json.dumps(first, ensure_ascii=False), None
    if not isinstance(first, str):
        return None, "no reply in the file"
    return first, None


def _note_case(cases: dict[str, dict[str, Any]], case_id: str, answer: object) -> None:
    case = cases.setdefault(case_id, {"charge": None, "true_months": None})
    if not isinstance(answer, dict):
        return
    months = answer.get(_TRUE_MONTHS)
    if isinstance(months, int | float) and not isinstance(months, bool):
        case["true_months"] = float(months)
    case["charge"] = str(answer.get(_TRUE_CHARGE) or "") or None
    case["true_penalty_text"] = str(answer.get(_TRUE_PENALTY) or "") or None
