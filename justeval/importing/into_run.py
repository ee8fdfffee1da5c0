"""Replies made elsewhere -> a run's folder like any other: journal, variants, manifest."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from justeval.errors import RunError
from justeval.labels import load_pack
from justeval.runs import (
    FORMAT,
    Line,
    RunFolder,
    variants_table,
    write_json,
    write_predictions,
    write_whole,
)


@dataclass(frozen=True, slots=True)
class Use:
    """One row that a reply stands for: a case with one value of one label (None: the bare case)."""

    case_id: str
    label: str | None
    value: str | None
    is_reference: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply made elsewhere. `error` says why there is none."""

    model: str
    variant_id: str
    uses: tuple[Use, ...]
    reply: str | None
    repetition: int = 0
    finish_reason: str | None = None
    error: str | None = None
    text: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The hash by which the reply is known in the journal."""
        parts = json.dumps([self.model, self.variant_id, self.repetition], ensure_ascii=False)
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:40]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the replies come from, as the manifest says it."""

    name: str
    files: tuple[Path, ...]
    packs: tuple[str, ...]
    longest_months: float
    question: str = "sentence"
    requests: int | None = None


def write_run(
    path: Path, source: Source, replies: Sequence[Reply], cases: Mapping[str, Mapping[str, Any]]
) -> RunFolder:
    """Writes a run of replies made elsewhere, whole or not at all.

    Raises RunError where something stands in its place already.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise RunError(f"{path}: exists already; choose another folder for --out")
    building = RunFolder(path.with_name(path.name + ".partial"))
    shutil.rmtree(building.path, ignore_errors=True)
    try:
        _fill(building, source, replies, cases)
        if path.is_dir():
            path.rmdir()
        building.path.rename(path)
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        shutil.rmtree(building.path, ignore_errors=True)
    return RunFolder(path)


def _fill(
    folder: RunFolder,
    source: Source,
    replies: Sequence[Reply],
    cases: Mapping[str, Mapping[str, Any]],
) -> None:
    folder.packs.mkdir(parents=True)
    for name in source.packs:
        pack = load_pack(name)
        shutil.copyfile(pack.path, folder.packs / f"{pack.path.stem}.yaml")
    rows = [{"case_id": case_id, **case} for case_id, case in cases.items()]
    write_whole(folder.cases, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows))
    pq.write_table(variants_table(_variant_rows(replies)), folder.variants, compression="zstd")
    lines = [_line(position, reply) for position, reply in enumerate(replies)]
    write_whole(folder.journal, "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in lines))
    write_json(folder.manifest_path, _manifest(source, replies, len(cases)))
    write_predictions(folder)


def _variant_rows(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    rows: dict[tuple[str, Use], dict[str, Any]] = {}
    for reply in replies:
        for use in reply.uses:
            rows[reply.variant_id, use] = {
                "variant_id": reply.variant_id,
                "case_id": use.case_id,
                "label": use.label,
                "value": use.value,
                "is_reference": use.is_reference,
                "text": reply.text,
            }
    return list(rows.values())


def _line(position: int, reply: Reply) -> Line:
    line: Line = {
        "key": reply.key,
        "model": reply.model,
        "variant_id": reply.variant_id,
        "repetition": reply.repetition,
        "position": position,
        "reply": reply.reply,
        "finish_reason": reply.finish_reason,
        **reply.extra,
    }
    if reply.error:
        line["error"] = {"kind": "ImportedError", "status": None, "message": reply.error}
    return line


def _pack(name: str) -> dict[str, str]:
    """A pack as the manifest names it: by its name and the hash of its file."""
    return {"pack": name, "sha256": hashlib.sha256(load_pack(name).path.read_bytes()).hexdigest()}


def _manifest(source: Source, replies: Sequence[Reply], documents: int) -> dict[str, Any]:
    created = datetime.now(UTC)
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in source.files]
    joint = hashlib.sha256("".join(digests).encode()).hexdigest()
    models = dict.fromkeys(reply.model for reply in replies)
    labels = dict.fromkeys(use.label for reply in replies for use in reply.uses if use.label)
    return {
        "format": FORMAT,
        "justeval": version("justeval"),
        "run_id": f"{created:%Y%m%dT%H%M%S}-{joint[:8]}",
        "created_at": created.isoformat(timespec="seconds"),
        "imported_from": [
            {"file": file.name, "sha256": digest}
            for file, digest in zip(source.files, digests, strict=True)
        ],
        "dataset": {
            "name": source.name,
            "documents": documents,
            "longest_months": source.longest_months,
            "question": source.question,
        },
        "packs": [_pack(name) for name in source.packs],
        "labels": list(labels),
        "prompts": [],
        "models": [{"model": model, "kind": "imported"} for model in models],
        "parameters": {},
        "repetitions": 1 + max((reply.repetition for reply in replies), default=0),
        "requests": source.requests or len(replies),
        "skipped": {},
    }
