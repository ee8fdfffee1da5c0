"""The folder of a service: where runs, case sets, packs and stored results lie.

    justeval.sqlite      the database, made again from the rest by --reindex
    service.lock         held while a service uses the folder
    runs/ID/             request.json  state.json  run/ (the run itself)  outcome.json  collect.log
    datasets/ID/         about.json  source.EXT  dataset.yaml  cases.jsonl  problems.jsonl
    packs/ID.yaml        prompts/ID.yaml
    results/             stored bytes; can be deleted at any time
    incoming/            uploads that are not whole yet

In: the path of the folder. Out: paths in it. An id is made here or checked against IDS; no name
that a client gave is ever part of a path.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from justeval.errors import UsageError
from justeval.runs import RunFolder, write_json

IDS = re.compile(r"[a-z]+-[0-9a-f]{12}\Z")
OWNER_ONLY = 0o700


def new_id(kind: str) -> str:
    """An id that nothing else has: `run-5e0c1f7a9b24`."""
    return f"{kind}-{secrets.token_hex(6)}"


def now() -> str:
    """This moment, as it stands in every answer."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Folders:
    """Paths in the folder of a service."""

    root: Path

    @property
    def database(self) -> Path:
        return self.root / "justeval.sqlite"

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def datasets(self) -> Path:
        return self.root / "datasets"

    @property
    def packs(self) -> Path:
        return self.root / "packs"

    @property
    def prompts(self) -> Path:
        return self.root / "prompts"

    @property
    def results(self) -> Path:
        return self.root / "results"

    @property
    def incoming(self) -> Path:
        return self.root / "incoming"

    def make(self) -> None:
        """Makes what is missing. Raises UsageError where the folder cannot be used."""
        parts = (self.runs, self.datasets, self.packs, self.prompts, self.results, self.incoming)
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY)
            for part in parts:
                part.mkdir(exist_ok=True, mode=OWNER_ONLY)
            for left in self.incoming.iterdir():
                remove(left)
        except OSError as error:
            raise UsageError(f"--data {self.root}: cannot be used ({error.strerror})") from error

    def run(self, run_id: str) -> RunHome:
        """The home of a run."""
        return RunHome(_below(self.runs, run_id))

    def dataset(self, dataset_id: str) -> Path:
        """The home of a case set."""
        return _below(self.datasets, dataset_id)

    def pack(self, pack_id: str) -> Path:
        """The file of a pack."""
        return _below(self.packs, pack_id).with_suffix(".yaml")

    def prompt(self, prompt_id: str) -> Path:
        """The file of a prompt."""
        return _below(self.prompts, prompt_id).with_suffix(".yaml")

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keeps a second service out. Raises UsageError where one is there."""
        with (self.root / "service.lock").open("a") as lock:
            if not _locked(lock):
                raise UsageError(f"--data {self.root}: another service uses this folder")
            yield


@dataclass(frozen=True, slots=True)
class RunHome:
    """Paths of one run: what was asked for, and the run that came of it."""

    path: Path

    @property
    def request(self) -> Path:
        return self.path / "request.json"

    @property
    def state(self) -> Path:
        return self.path / "state.json"

    @property
    def outcome(self) -> Path:
        return self.path / "outcome.json"

    @property
    def log(self) -> Path:
        return self.path / "collect.log"

    @property
    def lock(self) -> Path:
        return self.path / "child.lock"

    @property
    def profiles(self) -> Path:
        return self.path / "profiles"

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.path / "run")


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file; an empty one where there is none or it is damaged."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def keep_json(path: Path, data: Mapping[str, Any]) -> None:
    """Writes JSON, whole or not at all, in a folder that is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY)
    write_json(path, data)


def remove(path: Path) -> None:
    """Removes a file or a folder with all in it; nothing where there is none."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _below(parent: Path, name: str) -> Path:
    if not IDS.match(name):
        raise ValueError(f"{name!r} is no id of this service")
    return parent / name


def _locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
