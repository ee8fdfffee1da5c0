"""Where case sets, packs and prompts lie, by id: shipped with justeval, or one's own.

In: an id from a request. Out: a path. Nothing else that a client writes is ever taken as a path.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from justeval.prompts import TEMPLATES, prompt_names
from justeval.resources import dataset_names, dataset_path, pack_names, pack_path
from justeval_api.errors import NotFoundError
from justeval_api.state.folders import IDS, Folders

CASES = "cases.parquet"
ABOUT = "dataset.yaml"


@dataclass(frozen=True, slots=True)
class Places:
    """Folders in which things of one's own are looked for, by id."""

    datasets: Path
    packs: Path
    prompts: Path

    @classmethod
    def of_service(cls, folders: Folders) -> Places:
        """Where the service keeps them."""
        return cls(folders.datasets, folders.packs, folders.prompts)

    @classmethod
    def of_run(cls, home: Path) -> Places:
        """Where a run keeps its own copies: what it uses may be changed or deleted tomorrow."""
        inputs = home / "inputs"
        return cls(inputs / "datasets", inputs / "packs", inputs / "prompts")

    def dataset(self, dataset_id: str) -> Path:
        """The folder of a case set. Raises NotFoundError."""
        own = self.datasets / dataset_id
        return _found(
            dataset_id,
            "case set",
            "datasets",
            dataset_names(),
            lambda: dataset_path(dataset_id),
            own,
        )

    def pack(self, pack_id: str) -> Path:
        """The file of a pack. Raises NotFoundError."""
        own = self.packs / f"{pack_id}.yaml"
        return _found(pack_id, "pack", "packs", pack_names(), lambda: pack_path(pack_id), own)

    def prompt(self, prompt_id: str) -> Path:
        """The file of a prompt. Raises NotFoundError."""
        own = self.prompts / f"{prompt_id}.yaml"
        shipped = TEMPLATES / f"{prompt_id}.yaml"
        return _found(prompt_id, "prompt", "prompts", prompt_names(), lambda: shipped, own)

    def copy_to(
        self, there: Places, dataset: str, packs: Iterable[str], prompts: Iterable[str]
    ) -> None:
        """Copies what is one's own of them; those that ship with justeval stay where they are."""
        for folder in (there.datasets, there.packs, there.prompts):
            folder.mkdir(parents=True, exist_ok=True)
        if IDS.match(dataset):
            target = there.datasets / dataset
            target.mkdir(exist_ok=True)
            for name in (CASES, ABOUT):
                _copy(self.dataset(dataset) / name, target / name)
        for pack in packs:
            if IDS.match(pack):
                _copy(self.pack(pack), there.packs / f"{pack}.yaml")
        for prompt in prompts:
            if IDS.match(prompt):
                _copy(self.prompt(prompt), there.prompts / f"{prompt}.yaml")


def _found(
    asked: str, what: str, listed: str, shipped: list[str], there: Callable[[], Path], own: Path
) -> Path:
    if asked in shipped:
        return there()
    if IDS.match(asked) and own.exists():
        return own
    raise NotFoundError(f"no {what} {asked[:100]!r}; see GET /api/v1/{listed}")


def _copy(source: Path, target: Path) -> None:
    """A second name for the same bytes where the disk can do it: files are replaced, not edited."""
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
