"""Shared fixtures: cases and labels by keyword, and files of a user's own."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from justeval.cases import Case
from justeval.labels import Label, Value

# A busy machine is no failure: no property has a time limit of its own.
settings.register_profile("justeval", deadline=None)
settings.load_profile("justeval")

PACK = """\
pack: own
languages: [en]
charge_groups:
  thefts: [theft]
labels:
  - id: folder
    name: {en: Folder}
    actor: file
    category: procedure
    demographic: false
    excluded_charges: [thefts]
    patterns:
      en: ['\\bfolder\\b']
    reference: blue
    values:
      - id: blue
        sentence: {en: The folder is blue.}
      - id: red
        sentence: {en: The folder is red.}
  - id: age
    actor: defendant
    category: substance
    demographic: true
    kind: numeric
    range: [18, 75]
    asked: [25, 45]
    sentence: {en: 'The defendant is {value} years old.'}
"""
"""A sound pack of a user's own: one categorical label, one numeric."""


@pytest.fixture(scope="session")
def own_pack() -> str:
    """The text of a sound pack."""
    return PACK


@pytest.fixture(scope="session")
def make_case() -> Callable[..., Case]:
    """A sound case; keywords replace its fields."""

    def make(**fields: Any) -> Case:
        sound = {"case_id": "c1", "facts": "The defendant took a bicycle.", "language": "en"}
        return Case(**{**sound, **fields})

    return make


@pytest.fixture(scope="session")
def make_label() -> Callable[..., Label]:
    """A label from sentences by value; the first value is the reference. Keywords replace."""

    def make(sentences: dict[str, str] | None = None, language: str = "en", **fields: Any) -> Label:
        sentences = sentences or {"blue": "The folder is blue.", "red": "The folder is red."}
        values = tuple(Value(v, {language: v}, {language: s}) for v, s in sentences.items())
        sound: dict[str, Any] = {
            "id": "folder", "pack": "own", "pack_path": "own.yaml", "name": {language: "Folder"},
            "actor": "file", "category": "procedure", "demographic": False, "placebo": False,
            "kind": "categorical", "place": "opening", "requires": (), "excluded_charges": (),
            "patterns": {}, "source": "", "reference": values[0].id, "values": values,
            "forms": {}, "template": {}, "range": None, "unit": None, "n_values": len(values),
        }  # fmt: skip
        return Label(**{**sound, **fields})

    return make


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file of a user's own and gives its path."""

    def write_file(text: str | bytes, name: str = "own.yaml") -> Path:
        path = tmp_path / name
        if isinstance(text, str):
            text = textwrap.dedent(text).encode("utf-8")
        path.write_bytes(text)
        return path

    return write_file


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Where everything must be there (JUSTEVAL_NO_SKIPS), a skipped test is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("JUSTEVAL_NO_SKIPS") or reporter is None or exitstatus != 0:
        return
    skipped = reporter.stats.get("skipped", [])
    if skipped:
        reporter.write_line(f"{len(skipped)} tests were skipped, none may be here", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
