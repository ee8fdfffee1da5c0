"""A run's folder: it explains itself, and all but a few files can be made again.

manifest.json        every choice: case set, packs, prompts, models, parameters, seeds
cases.jsonl          the cases as they were asked        packs/  prompts/  likewise
variants.parquet     the texts                           skipped.jsonl  what was left out, why
journal.jsonl        one line a reply
predictions.parquet  made from the journal               results/  made from the predictions
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justeval.errors import RunError

FORMAT = 1
Manifest = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Paths inside one run's folder."""

    path: Path

    @property
    def manifest_path(self) -> Path:
        return self.path / "manifest.json"

    @property
    def journal(self) -> Path:
        return self.path / "journal.jsonl"

    @property
    def variants(self) -> Path:
        return self.path / "variants.parquet"

    @property
    def predictions(self) -> Path:
        return self.path / "predictions.parquet"

    @property
    def cases(self) -> Path:
        return self.path / "cases.jsonl"

    @property
    def skipped(self) -> Path:
        return self.path / "skipped.jsonl"

    @property
    def packs(self) -> Path:
        return self.path / "packs"

    @property
    def prompts(self) -> Path:
        return self.path / "prompts"

    @property
    def results(self) -> Path:
        return self.path / "results"

    def exists(self) -> bool:
        """Whether a run is there."""
        return self.manifest_path.is_file()

    def manifest(self) -> Manifest:
        """The manifest. Raises RunError where the folder is no run."""
        try:
            manifest = json.loads(self.manifest_path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunError(f"{self.path}: no run; it has no manifest.json") from None
        except (OSError, ValueError) as error:
            raise RunError(f"{self.manifest_path}: cannot be read ({error})") from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            found = manifest.get("format") if isinstance(manifest, dict) else None
            raise RunError(f"{self.manifest_path}: format {found!r}; this version reads {FORMAT}")
        return manifest


def open_run(path: Path | str) -> RunFolder:
    """The run in a folder. Raises RunError where there is none."""
    folder = RunFolder(Path(path))
    folder.manifest()
    return folder


def is_run(path: Path | str) -> bool:
    """Whether a path is the folder of a run."""
    return RunFolder(Path(path)).exists()


def write_whole(path: Path, text: str) -> None:
    """Writes a file so that it is there whole or not at all."""
    partial = path.with_name(path.name + ".partial")
    with partial.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Writes JSON, whole or not at all."""
    write_whole(path, json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
