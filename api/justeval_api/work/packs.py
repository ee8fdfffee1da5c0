"""Packs and prompts of one's own: checked before they are kept; and how a label reads in a case.

In: a file. Out: what is in it, or an error that names every mistake by line and field.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from justeval.cases import load_cases
from justeval.errors import LabelPackError
from justeval.labels import find_label, load_pack, read_pack
from justeval.prompts import load_prompt
from justeval.variants import Skipped, versions_of
from justeval_api.errors import NotFoundError

DEEPEST = 40
MOST_NODES = 500_000
"""Values of a pack with its aliases written out: a few lines of YAML can stand for billions."""

_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def check_pack_file(path: str) -> dict[str, Any]:
    """Reads a pack. Raises LabelPackError with every mistake."""
    check_yaml_size(Path(path))
    pack = read_pack(Path(path))
    return {
        "name": pack.name,
        "labels": len(pack.labels),
        "values": sum(len(label.values) for label in pack.labels),
    }


def check_prompt_file(path: str) -> dict[str, Any]:
    """Reads a prompt. Raises InputError with every mistake."""
    check_yaml_size(Path(path))
    prompt = load_prompt(path)
    return {"id": prompt.id, "language": prompt.language, "question": prompt.question}


def check_yaml_size(path: Path) -> None:
    """Raises LabelPackError where YAML is nested too deeply or stands for too much.

    Counted over events, which takes no recursion and no more time than the text is long. What is
    no YAML passes: the reader names its line.
    """
    open_sizes: list[tuple[str | None, int]] = []
    anchors: dict[str, int] = {}
    total = 0
    try:
        for event in yaml.parse(path.read_bytes(), Loader=_LOADER):
            size = 0
            if isinstance(event, yaml.CollectionStartEvent):
                open_sizes.append((event.anchor, 1))
            elif isinstance(event, yaml.CollectionEndEvent):
                anchor, size = open_sizes.pop()
                anchors |= {anchor: size} if anchor else {}
            elif isinstance(event, yaml.ScalarEvent):
                size = 1
                anchors |= {event.anchor: 1} if event.anchor else {}
            elif isinstance(event, yaml.AliasEvent):
                size = anchors.get(str(event.anchor), 1)
            if open_sizes:
                anchor, before = open_sizes[-1]
                open_sizes[-1] = (anchor, before + size)
                total = max(total, before + size)
            if len(open_sizes) > DEEPEST or total > MOST_NODES:
                raise LabelPackError(
                    f"{path}: nested more than {DEEPEST} deep, or more than {MOST_NODES:,} values"
                )
    except (yaml.YAMLError, UnicodeDecodeError):
        return


def sample_label(pack: str, label: str, dataset: str, case_id: str | None) -> dict[str, Any]:
    """The versions of a case for a label; if none is named, of the first to which it applies."""
    found = find_label(load_pack(pack).labels, label)
    cases = load_cases(dataset).cases
    chosen = [case for case in cases if case_id is None or case.case_id == case_id]
    if not chosen:
        raise NotFoundError(f"no case {str(case_id)[:100]!r} in this set")
    reason = ""
    for case in chosen:
        versions = versions_of(case, found)
        if not isinstance(versions, Skipped):
            shown = [
                {
                    name: getattr(version, name)
                    for name in (
                        "value",
                        "is_reference",
                        "variant_id",
                        "text",
                        "edit_start",
                        "edit_end",
                    )
                }
                for version in versions
            ]
            return {"case_id": case.case_id, "versions": shown, "skipped": None}
        reason = reason or versions.reason
    return {"case_id": chosen[0].case_id, "versions": [], "skipped": reason}
