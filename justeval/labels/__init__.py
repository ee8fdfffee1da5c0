"""Which factors are changed: packs of labels, read and checked.

In: YAML packs, those that ship with justeval or a user's own. Out: frozen labels with their
values and sentences.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from justeval.errors import UsageError
from justeval.labels.crossing import CROSS, crossed, is_crossed, parts_of, with_crossed
from justeval.labels.reading import read_pack
from justeval.labels.records import BARE, Label, Pack, Value
from justeval.resources import pack_names, pack_path

__all__ = [
    "BARE",
    "CROSS",
    "Label",
    "Pack",
    "Value",
    "crossed",
    "find_label",
    "is_crossed",
    "load_labels",
    "load_pack",
    "load_shipped_packs",
    "parts_of",
    "read_pack",
    "with_crossed",
]


@lru_cache(maxsize=32)
def _read_cached(path: Path, changed_ns: int) -> Pack:
    return read_pack(path)


def load_pack(name_or_path: str) -> Pack:
    """A pack by the name of a shipped one or the path of a file.

    Raises UsageError if there is none such, LabelPackError if it cannot be used.
    """
    path = pack_path(name_or_path)
    return _read_cached(path, path.stat().st_mtime_ns)


def load_shipped_packs() -> tuple[Pack, ...]:
    """All packs that ship with justeval, by name."""
    return tuple(load_pack(name) for name in pack_names())


def load_labels(names: str) -> tuple[Label, ...]:
    """The labels of comma-separated packs, in order; `pack:label` takes one label of a pack.

    A label's id alone is enough where only one of the packs that ship has it.
    Raises UsageError where a name is unknown or two packs share a label id.
    """
    labels: dict[str, Label] = {}
    for part in (piece.strip() for piece in names.split(",")):
        if not part:
            continue
        for label in _labels_of(part):
            earlier = labels.get(label.id)
            if earlier is not None and earlier.pack_path != label.pack_path:
                raise UsageError(
                    f"label {label.id!r} stands in the packs {_told_apart(earlier, label)}; "
                    "take one of the packs, or single labels by pack:label"
                )
            labels[label.id] = label
    if not labels:
        raise UsageError(f"no labels named; packs are {', '.join(pack_names())}")
    return tuple(labels.values())


def _labels_of(part: str) -> tuple[Label, ...]:
    pack_part, colon, label_id = part.rpartition(":")
    if colon and len(pack_part) > 1 and "/" not in label_id and "\\" not in label_id:
        return (find_label(load_pack(pack_part).labels, label_id),)
    if part not in pack_names() and not Path(part).exists():
        found = [x for pack in load_shipped_packs() for x in pack.labels if x.id == part]
        if len(found) > 1:
            choices = " or ".join(f"{label.pack}:{label.id}" for label in found)
            raise UsageError(f"label {part!r} stands in several packs; say {choices}")
        if found:
            return tuple(found)
    return load_pack(part).labels


def _told_apart(one: Label, other: Label) -> str:
    if one.pack != other.pack:
        return f"{one.pack} and {other.pack}"
    return f"{one.pack_path} and {other.pack_path}"


def find_label(labels: tuple[Label, ...], label_id: str) -> Label:
    """The label of this id. Raises UsageError that names near ones."""
    for label in labels:
        if label.id == label_id:
            return label
    from difflib import get_close_matches

    near = get_close_matches(label_id, [label.id for label in labels], n=3, cutoff=0.75)
    hint = f"did you mean {', '.join(near)}?" if near else "see `justeval labels list`"
    raise UsageError(f"no label {label_id!r}: {hint}")
