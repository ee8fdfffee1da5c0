"""A plan -> the run's folder, with copies of all it uses: a user's file may change tomorrow."""

from __future__ import annotations

import hashlib
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from justeval.cases import Case
from justeval.collect.plan import Plan, manifest_of
from justeval.errors import RunError
from justeval.prompts import Prompt
from justeval.runs import RunFolder, write_json, write_whole
from justeval.variants import Skipped, make_variants
from justeval.variants.table import write_variants


def create_run(plan: Plan, path: Path) -> RunFolder:
    """Writes a new run's folder, whole or not at all. Raises RunError where something is there."""
    folder = RunFolder(path)
    if path.exists() and any(path.iterdir() if path.is_dir() else [path]):
        raise RunError(f"{path}: exists and is no run; choose another folder for --out")
    building = RunFolder(path.with_name(path.name + ".partial"))
    shutil.rmtree(building.path, ignore_errors=True)
    try:
        _fill(building, plan)
        if path.is_dir():
            path.rmdir()
        building.path.rename(path)
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        shutil.rmtree(building.path, ignore_errors=True)
    return folder


def _fill(folder: RunFolder, plan: Plan) -> None:
    folder.packs.mkdir(parents=True)
    folder.prompts.mkdir()
    for pack in plan.packs:
        shutil.copyfile(pack.path, folder.packs / f"{safe_name(pack.name)}.yaml")
    for prompt in plan.prompts:
        text = json.dumps(_prompt_json(prompt), ensure_ascii=False, indent=2)
        write_whole(folder.prompts / f"{safe_name(prompt.language)}.yaml", text + "\n")
    write_whole(folder.cases, "".join(_case_line(case) for case in plan.asked_cases))
    written = write_variants(make_variants(plan.asked_cases, plan.labels), folder.variants)
    write_whole(folder.skipped, "".join(_skip_line(skip) for skip in written.skipped))
    requests = written.texts * plan.repetitions * len(plan.endpoints)
    run_id = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{_plan_hash(plan)}"
    write_json(folder.manifest_path, manifest_of(plan, requests, written.skipped_by_kind, run_id))


def _prompt_json(prompt: Prompt) -> dict[str, Any]:
    return {
        "id": prompt.id,
        "language": prompt.language,
        "question": prompt.question,
        "keys": list(prompt.keys),
        "system": prompt.system,
        "user": prompt.user,
        **({"decision": prompt.decision.as_json()} if prompt.decision else {}),
    }


def _case_line(case: Case) -> str:
    row = {
        "case_id": case.case_id,
        "facts": case.facts,
        "language": case.language,
        "charge": case.charge,
        "jurisdiction": case.jurisdiction,
        "filed_year": case.filed_year,
        "true_months": case.true_months,
        "true_penalty": case.true_penalty,
        **{name: cell for name, cell in case.extra.items()},
        "spans": {label: [list(span) for span in spans] for label, spans in case.spans.items()},
    }
    return json.dumps(row, ensure_ascii=False, default=str) + "\n"


def _skip_line(skip: Skipped) -> str:
    row = {
        "case_id": skip.case_id,
        "label": skip.label,
        "kind": skip.kind,
        "reason": skip.reason,
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def safe_name(text: str) -> str:
    """A file name from a name in a user's file: letters, digits, `-`, `_`; never a path."""
    kept = "".join(c if c.isalnum() or c in "-_" else "_" for c in text)
    return kept[:80] or "unnamed"


def _plan_hash(plan: Plan) -> str:
    names = [endpoint.name for endpoint in plan.endpoints]
    text = json.dumps([plan.cases.sha256, names, plan.parameters.as_json()])
    return hashlib.sha256(text.encode()).hexdigest()[:8]
