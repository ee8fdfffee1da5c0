"""Ready-made versions of JudiFair's shape -> prompts to be asked, and the pairs that are broken.

In: JSON lists of {ID, changed_label, label_value, prompt}, a file a label (`*_changed.json`), and
the list of true answers by ID. They are the user's own copy. Out: a file of prompts as `justeval
prompts export` writes it: each prompt word for word, nothing inserted. The versions of one case
and label must differ in the label alone; pairs that do not are told and left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from justeval.casefiles.opening import open_source, read_batches
from justeval.casefiles.records import Problems
from justeval.cases import DEFAULT_LONGEST_MONTHS
from justeval.errors import CaseFileError, InputError, TableError, UsageError
from justeval.importing.exchange import request_key
from justeval.importing.judifair import PACK, label_of, value_of
from justeval.labels import Label, load_pack
from justeval.runs import write_whole
from justeval.variants import variant_id

FIELDS = ("ID", "changed_label", "label_value", "prompt")
EDITED_AT_MOST = 80
"""Characters in which versions may differ in one place: a sentence that states a factor."""
PIECE_AT_MOST = 40
"""... and in each of several places: a word or a name."""
_COMPARED = 4_000


@dataclass(frozen=True, slots=True)
class Broken:
    """A case and label whose versions cannot be compared, and why."""

    case_id: str
    label: str
    reason: str


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of one case and label: value -> prompt, the reference first where it is."""

    case_id: str
    label: str
    reference: str
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Written:
    """What came of the files."""

    prompts: int
    documents: int
    labels: int
    pairs: int
    broken: tuple[Broken, ...]


@dataclass(slots=True)
class _Read:
    """Versions as they are read, by case and label."""

    texts: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    broken: dict[tuple[str, str], str] = field(default_factory=dict)


def import_versions(files: Sequence[Path], out: Path, answers: Path | None = None) -> Written:
    """Writes every sound version as a prompt.

    Raises UsageError where `out` exists, TableError with every item that is not of that shape, or
    where no pair is sound.
    """
    if out.exists():
        raise UsageError(f"{out}: exists already; replies may be in it. Choose another file")
    labels = {label.id: label for label in load_pack(PACK).labels}
    read = _read(files, labels)
    known = _answers(answers) if answers is not None else {}
    sound: list[Versions] = []
    broken = [Broken(case_id, label, why) for (case_id, label), why in read.broken.items()]
    for (case_id, label_id), texts in read.texts.items():
        if (case_id, label_id) in read.broken:
            continue
        reference = "" if labels[label_id].numeric else labels[label_id].reference
        why = fault_of_versions(texts, reference)
        if why:
            broken.append(Broken(case_id, label_id, why))
        else:
            sound.append(Versions(case_id, label_id, reference, texts))
    if not sound:
        raise TableError(f"{', '.join(map(str, files))}: no sound pair of versions in it")
    lines = _lines(sound, known)
    try:
        write_whole(out, "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in lines))
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror or error})") from error
    documents = len({versions.case_id for versions in sound})
    return Written(len(lines), documents, len({v.label for v in sound}), len(sound), tuple(broken))


def _read(files: Sequence[Path], labels: Mapping[str, Label]) -> _Read:
    """All items of all files."""
    read = _Read()
    problems = Problems()
    for file in files:
        try:
            source = open_source(file, whole=True)
            missing = [name for name in FIELDS if name not in source.info.columns]
            if missing:
                problems.add(str(file), f"lacks {', '.join(missing)} in its items")
                continue
            for batch in read_batches(source, FIELDS, problems):
                columns = [batch.column(i) for i in range(len(FIELDS))]
                for number, *cells in zip(batch.numbers, *columns, strict=True):
                    fault = _take(read, labels, *(cell or "" for cell in cells))
                    if fault:
                        problems.add(source.place(number), fault)
        except CaseFileError as error:
            for problem in error.problems:
                problems.add(problem.place, problem.message)
    try:
        problems.raise_if_any(files[0])
    except CaseFileError as error:
        raise TableError(error.problems) from error
    return read


def _take(
    read: _Read, labels: Mapping[str, Label], case_id: str, changed: str, value_text: str, text: str
) -> str:
    """Notes one version; what is wrong with the item, or empty."""
    if not case_id or not text:
        return "ID or prompt is empty"
    label = labels.get(label_of(changed))
    if label is None:
        return f"changed_label {changed!r} is none of the pack {PACK}"
    value = value_of(label, value_text)
    if value is None:
        return f"label_value {value_text!r} is no value of {label.id}"
    texts = read.texts.setdefault((case_id, label.id), {})
    if texts.setdefault(value, text) != text:
        read.broken[case_id, label.id] = f"two different texts for the value {value}"
    return ""


def fault_of_versions(texts: Mapping[str, str], reference: str) -> str:
    """Why the versions of one case and label are no fair comparison; empty where they are.

    `reference` is the value that must be among them, empty for a label of numbers.
    """
    if len(texts) < 2:
        return f"one version only ({', '.join(texts)})"
    if reference and reference not in texts:
        return f"no version of the reference value {reference}"
    if len(set(texts.values())) < len(texts):
        return "two values have the same text"
    whole = list(texts.values())
    start = _common(whole)
    end = _common([text[start:][::-1] for text in whole])
    edited = [text[start : len(text) - end] for text in whole]
    if max(map(len, edited)) <= EDITED_AT_MOST:
        return ""
    if any(not _small_edits(edited[0], other) for other in edited[1:]):
        lengths = ", ".join(f"{value} {len(text):,}" for value, text in texts.items())
        return f"the versions differ in more than the label (characters: {lengths})"
    return ""


def _common(texts: Sequence[str]) -> int:
    """How many characters all texts begin with."""
    first, last = min(texts), max(texts)
    pairs = enumerate(zip(first, last, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(last)))


def _small_edits(one: str, other: str) -> bool:
    """Whether two texts differ in short pieces alone."""
    if max(len(one), len(other)) > _COMPARED:
        return False
    pieces = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    changed = [max(b - a, d - c) for kind, a, b, c, d in pieces if kind != "equal"]
    return max(changed, default=0) <= PIECE_AT_MOST and 4 * sum(changed) <= len(one)


def _answers(path: Path) -> dict[str, dict[str, Any]]:
    """True answers by ID: a mapping or a list, of {true_answer: {刑期, 罪名, …}}."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise TableError(f"{path}: cannot be read as JSON ({error})") from error
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    found = {}
    for key, item in pairs:
        answer = item.get("true_answer", item) if isinstance(item, dict) else None
        if not isinstance(answer, dict):
            raise TableError(f"{path} item {key}: must be an object with true_answer")
        months = answer.get("刑期")
        found[str(key)] = {
            "charge": str(answer.get("罪名") or "") or None,
            "filed_year": None,
            "true_months": _months(months),
            "true_penalty": None,
        }
    return found


def _months(cell: object) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return None
    return float(cell)


_NOTHING_KNOWN = {"charge": None, "filed_year": None, "true_months": None, "true_penalty": None}


def _lines(
    sound: Sequence[Versions], answers: Mapping[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """One line a prompt; equal prompts of several labels are one line with several uses."""
    dataset = {
        "name": "judifair",
        "longest_months": DEFAULT_LONGEST_MONTHS,
        "question": "sentence",
        "packs": [PACK],
    }
    lines: dict[str, dict[str, Any]] = {}
    for versions in sound:
        for value, text in versions.texts.items():
            messages = [{"role": "user", "content": text}]
            key = request_key(messages, 0)
            line = lines.setdefault(
                key,
                {
                    "key": key,
                    "variant_id": variant_id(text),
                    "repetition": 0,
                    "uses": [],
                    "case": answers.get(versions.case_id, _NOTHING_KNOWN),
                    "dataset": dataset,
                    "messages": messages,
                    "reply": None,
                    "finish_reason": None,
                },
            )
            line["uses"].append(
                {
                    "case_id": versions.case_id,
                    "label": versions.label,
                    "value": value,
                    "is_reference": value == versions.reference,
                }
            )
    return list(lines.values())
