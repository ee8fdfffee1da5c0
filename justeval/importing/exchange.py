"""Prompts out, replies back: for models that run where this machine cannot reach.

Out: JSON lines, one a request, with its key, its messages and an empty reply. In: the same file
with the replies filled in, as a run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from justeval.cases import Case, CaseSet
from justeval.errors import InputError, Problem, TableError, UsageError
from justeval.importing.into_run import Reply, Source, Use, write_run
from justeval.labels import Label
from justeval.prompts import Messages, Prompt, messages_sha256
from justeval.resources import pack_names
from justeval.runs import RunFolder
from justeval.variants import Variant, make_variants


def export_prompts(
    cases: CaseSet,
    labels: Sequence[Label],
    prompts: Sequence[Prompt],
    out: Path,
    repetitions: int = 1,
    limit: int | None = None,
) -> int:
    """Writes every prompt with its key; the number of lines. Raises UsageError where out exists."""
    if out.exists():
        raise UsageError(f"{out}: exists already; replies may be in it. Choose another file")
    partial = out.with_name(out.name + ".partial")
    count = 0
    try:
        with partial.open("w", encoding="utf-8") as file:
            for line in _lines(cases, labels, prompts, repetitions, limit):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                count += 1
        partial.replace(out)
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror or error})") from error
    finally:
        partial.unlink(missing_ok=True)
    return count


def _lines(
    cases: CaseSet,
    labels: Sequence[Label],
    prompts: Sequence[Prompt],
    repetitions: int,
    limit: int | None,
) -> Iterator[dict[str, Any]]:
    prompt_of = {prompt.language: prompt for prompt in prompts}
    packs = list(dict.fromkeys(label.pack_path for label in labels))
    dataset = {
        "name": cases.name,
        "longest_months": cases.longest_months,
        "question": prompts[0].question,
        "packs": [Path(p).stem if Path(p).stem in pack_names() else p for p in packs],
    }
    for alike in _by_facts(cases.cases[:limit]):
        uses: dict[str, list[dict[str, Any]]] = {}
        texts: dict[str, str] = {}
        for variant in make_variants(alike, labels):
            if isinstance(variant, Variant):
                texts[variant.variant_id] = variant.text
                uses.setdefault(variant.variant_id, []).append(_use(variant))
        for repetition in range(repetitions):
            for variant_id, text in texts.items():
                messages = prompt_of[alike[0].language].messages(text)
                yield {
                    "key": request_key(messages, repetition),
                    "variant_id": variant_id,
                    "repetition": repetition,
                    "uses": uses[variant_id],
                    **_cases_of(uses[variant_id], alike),
                    "dataset": dataset,
                    "messages": messages,
                    "reply": None,
                    "finish_reason": None,
                }


def _by_facts(cases: Sequence[Case]) -> list[list[Case]]:
    """Cases of the same facts together: their texts are the same, and a text is asked once."""
    alike: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        alike.setdefault((case.language, case.facts), []).append(case)
    return list(alike.values())


def _cases_of(uses: Sequence[dict[str, Any]], alike: Sequence[Case]) -> dict[str, Any]:
    """What is known of the case of the first use, and of the other cases of the same text."""
    about = {case.case_id: _facts_about(case) for case in alike}
    first, *others = dict.fromkeys(use["case_id"] for use in uses)
    known: dict[str, Any] = {"case": about[first]}
    if others:
        known["other_cases"] = {case_id: about[case_id] for case_id in others}
    return known


def _use(variant: Variant) -> dict[str, Any]:
    return {
        "case_id": variant.case_id,
        "label": variant.label,
        "value": variant.value,
        "is_reference": variant.is_reference,
    }


def _facts_about(case: Case) -> dict[str, Any]:
    return {
        "charge": case.charge,
        "filed_year": case.filed_year,
        "true_months": case.true_months,
        "true_penalty": case.true_penalty,
    }


def request_key(messages: Messages, repetition: int) -> str:
    """The key of an exported prompt: the hash of its messages and its repetition."""
    text = f"{messages_sha256(messages)}:{repetition}"
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def import_replies(file: Path, out: Path, model: str) -> RunFolder:
    """Writes a run from an exported file whose replies were filled in.

    Lines whose `reply` is still null stay unanswered. Raises TableError with every line that is
    damaged or whose prompt was changed.
    """
    replies: list[Reply] = []
    cases: dict[str, dict[str, Any]] = {}
    problems: list[Problem] = []
    dataset: dict[str, Any] = {}
    keys: dict[str, int] = {}
    requests = 0
    for number, line in _read_lines(file, problems):
        place = f"{file} line {number}"
        fault = _fault_of(line)
        if not fault and line["key"] in keys:
            fault = f"the key stands already in line {keys[line['key']]}"
        if fault:
            problems.append(Problem(place, fault))
            continue
        keys[line["key"]] = number
        requests += 1
        dataset = line["dataset"]
        uses = tuple(
            Use(u["case_id"], u["label"], u["value"], u["is_reference"]) for u in line["uses"]
        )
        for case_id, about in (line.get("other_cases") or {}).items():
            cases.setdefault(case_id, about)
        cases.setdefault(uses[0].case_id, line["case"])
        if line.get("reply") is not None or line.get("error"):
            replies.append(_reply(line, uses, model))
    if problems:
        raise TableError(problems)
    if not replies:
        raise TableError(f"{file}: no line has a reply; fill in `reply` and import again")
    source = Source(
        str(dataset["name"]),
        (file,),
        tuple(dataset["packs"]),
        float(dataset["longest_months"]),
        str(dataset["question"]),
        requests,
    )
    return write_run(out, source, replies, cases)


def _read_lines(file: Path, problems: list[Problem]) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with file.open(encoding="utf-8-sig") as stream:
            for number, text in enumerate(stream, start=1):
                if not text.strip():
                    continue
                try:
                    line = json.loads(text)
                except (ValueError, RecursionError) as error:
                    problems.append(Problem(f"{file} line {number}", f"no valid JSON ({error})"))
                    continue
                yield number, line if isinstance(line, dict) else {}
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"{file}: cannot be read ({error})") from error


def _fault_of(line: dict[str, Any]) -> str:
    wanted = ("key", "variant_id", "repetition", "uses", "case", "dataset", "messages")
    missing = [name for name in wanted if name not in line]
    if missing:
        return f"lacks {', '.join(missing)}; fill in `reply` and leave the other fields"
    if not isinstance(line["repetition"], int) or not line["uses"]:
        return "repetition or uses is damaged; leave the other fields as exported"
    if request_key(line["messages"], line["repetition"]) != line["key"]:
        return "the messages do not belong to the key; the prompt was changed after the export"
    return ""


def _reply(line: dict[str, Any], uses: tuple[Use, ...], model: str) -> Reply:
    reply = line.get("reply")
    if reply is not None and not isinstance(reply, str):
        reply = json.dumps(reply, ensure_ascii=False)
    error = line.get("error")
    return Reply(
        model=str(line.get("model") or model),
        variant_id=str(line["variant_id"]),
        uses=uses,
        reply=reply,
        repetition=line["repetition"],
        finish_reason=line.get("finish_reason"),
        error=str(error) if error else None,
    )
