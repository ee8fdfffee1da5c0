"""Prompts out, replies back: for models that run elsewhere.

In: what is asked for, or a file whose replies were filled in. Out: a file, or a run. A file that
went out names packs by id, never by a path of this machine; one that comes back can name nothing
but ids, and every line of it is checked before the library reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from justeval.cases import Case, load_cases
from justeval.errors import Problem, TableError
from justeval.evidence import run_facts
from justeval.importing import export_prompts, import_replies
from justeval.labels import Label
from justeval.resources import pack_names
from justeval.schema import QUESTIONS
from justeval.variants import Variant, make_variants
from justeval_api.errors import InvalidError, NotFoundError, TooLargeError
from justeval_api.jobs.orders import Order, labels_of, prompts_of
from justeval_api.jobs.places import Places

MOST_PROBLEMS = 1_000
Line = dict[str, Any]


def export_prompts_file(
    order: Order, places: Mapping[str, str], target: str, most_bytes: int
) -> int:
    """Writes every prompt with its key; the number of lines. Raises TooLargeError before that."""
    where = _places(places)
    cases = load_cases(str(where.dataset(order["dataset"])))
    labels = labels_of(order["labels"] or cases.labels, where)
    prompts = prompts_of(order, cases, where)
    _check_size(cases.cases[: order["limit"]], labels, order["repetitions"], most_bytes)
    raw = Path(f"{target}.raw")
    try:
        count = export_prompts(cases, labels, prompts, raw, order["repetitions"], order["limit"])
        with raw.open(encoding="utf-8") as lines, Path(target).open("w", encoding="utf-8") as out:
            for text in lines:
                line = json.loads(text)
                line["dataset"]["packs"] = [Path(pack).stem for pack in line["dataset"]["packs"]]
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
    finally:
        raw.unlink(missing_ok=True)
    return count


def _check_size(
    cases: Sequence[Case], labels: Sequence[Label], repetitions: int, most_bytes: int
) -> None:
    """Raises TooLargeError where the texts alone are more than the service writes."""
    size = 0
    for item in make_variants(cases, labels):
        if isinstance(item, Variant):
            size += repetitions * len(item.text)
        if size > most_bytes:
            raise TooLargeError(
                f"more than {most_bytes:,} characters of texts; export fewer documents, labels or "
                "repetitions at a time"
            )


def import_replies_file(
    source: str, target: str, model: str, places: Mapping[str, str]
) -> dict[str, Any]:
    """Makes a run of a file of replies; what the service must know of it."""
    checked = Path(f"{source}.checked")
    try:
        _check(Path(source), checked, _places(places))
        folder = import_replies(checked, Path(target), model)
    except TableError as error:
        raise TableError([_told(problem, checked) for problem in error.problems]) from error
    finally:
        checked.unlink(missing_ok=True)
    manifest = folder.manifest()
    facts = run_facts(folder, manifest)
    return {
        "requests": facts["requests"],
        "answered": facts["answered"],
        "models": facts["models"],
        "dataset": manifest["dataset"]["name"],
        "question": manifest["dataset"]["question"],
        "labels": [Path(pack["pack"]).stem for pack in manifest["packs"]],
        "repetitions": manifest["repetitions"],
    }


def _places(places: Mapping[str, str]) -> Places:
    return Places(*(Path(places[name]) for name in ("datasets", "packs", "prompts")))


def _told(problem: Problem, path: Path) -> Problem:
    return Problem(
        problem.place.replace(str(path), "replies"), problem.message.replace(str(path), "replies")
    )


def _check(source: Path, checked: Path, places: Places) -> None:
    """Writes the lines whose shape is sound, packs as this machine finds them.

    Raises TableError with every line that is damaged.
    """
    problems: list[Problem] = []
    packs: dict[str, str] = {}
    with checked.open("w", encoding="utf-8") as out:
        for number, line in _lines(source, problems):
            fault = _fault(line)
            if not fault:
                fault = _resolve(line["dataset"], packs, places)
            if fault:
                problems.append(Problem(f"replies line {number}", fault))
            elif not problems:
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
            if len(problems) >= MOST_PROBLEMS:
                break
    if problems:
        raise TableError(problems)


def _lines(source: Path, problems: list[Problem]) -> Iterator[tuple[int, Line]]:
    try:
        with source.open(encoding="utf-8-sig") as stream:
            for number, text in enumerate(stream, start=1):
                if not text.strip():
                    continue
                try:
                    line = json.loads(text)
                except (ValueError, RecursionError):
                    problems.append(Problem(f"replies line {number}", "no valid JSON"))
                    continue
                yield number, line if isinstance(line, dict) else {}
    except UnicodeDecodeError as error:
        raise TableError("replies: not UTF-8 text; save the file as UTF-8") from error


def _fault(line: Line) -> str:
    """What is wrong with the shape of a line; empty where nothing is."""
    shapes: dict[str, type | tuple[type, ...]] = {
        "key": str, "variant_id": str, "repetition": int, "uses": list, "case": dict,
        "dataset": dict, "messages": list,
    }  # fmt: skip
    for name, shape in shapes.items():
        if not isinstance(line.get(name), shape) or isinstance(line[name], bool):
            return f"{name} is missing or damaged; fill in `reply` and leave the other fields"
    if not line["uses"] or not all(map(_is_use, line["uses"])):
        return "uses is damaged; leave it as exported"
    if not all(map(_is_message, line["messages"])) or not 0 <= line["repetition"] < 1_000_000:
        return "messages or repetition is damaged; leave them as exported"
    if not isinstance(line.get("finish_reason"), str | None):
        return "finish_reason must be text or null"
    return _case_fault(line["case"]) or _dataset_fault(line["dataset"])


def _is_use(use: object) -> bool:
    return (
        isinstance(use, dict)
        and isinstance(use.get("case_id"), str)
        and isinstance(use.get("label", 0), str | None)
        and isinstance(use.get("value", 0), str | None)
        and isinstance(use.get("is_reference"), bool)
    )


def _is_message(message: object) -> bool:
    return isinstance(message, dict) and all(isinstance(text, str) for text in message.values())


def _case_fault(case: Line) -> str:
    kinds: dict[str, Any] = {"charge": str, "filed_year": int, "true_penalty": str}
    for name, kind in kinds.items():
        if not isinstance(case.get(name), kind | None) or isinstance(case.get(name), bool):
            return f"case: {name} is damaged; leave it as exported"
    return "" if _is_number(case.get("true_months", 0) or 0) else "case: true_months is damaged"


def _dataset_fault(dataset: Line) -> str:
    packs = dataset.get("packs")
    sound = (
        isinstance(dataset.get("name"), str)
        and _is_number(dataset.get("longest_months"))
        and dataset["longest_months"] > 0
        and dataset.get("question") in QUESTIONS
        and isinstance(packs, list)
        and all(isinstance(pack, str) for pack in packs)
    )
    return "" if sound else "dataset is damaged; leave it as exported"


def _is_number(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and abs(number) < 1e9


def _resolve(dataset: Line, packs: dict[str, str], places: Places) -> str:
    """Puts in place of each pack's id where it lies; what is wrong where there is none such."""
    for pack in dataset["packs"]:
        if pack not in packs:
            try:
                packs[pack] = pack if pack in pack_names() else str(places.pack(pack))
            except (NotFoundError, InvalidError) as error:
                return str(error)
    dataset["packs"] = [packs[pack] for pack in dataset["packs"]]
    return ""
