"""YAML in which every value knows its line, so that a mistake can be named where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from justeval.errors import LabelPackError, Problem

Path_ = tuple[str | int, ...]
_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SAFE = yaml.SafeLoader("")


@dataclass(frozen=True, slots=True)
class Located:
    """A YAML document and the line of each value in it, by the path that leads to the value."""

    file: Path
    data: object
    lines: dict[Path_, int]

    def place(self, path: Path_) -> str:
        """`file line N, field a.b[2]` for a path, or for its nearest ancestor that has a line."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        field = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
        line = self.lines.get(known, 1)
        return f"{self.file} line {line}" + (f", field {field}" if field else "")


def read_located(path: Path) -> Located:
    """Reads a YAML file. Raises LabelPackError that names the line of a syntax error."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise LabelPackError(
            f"{path}: not UTF-8 text at byte {error.start}; save it as UTF-8"
        ) from error
    except OSError as error:
        raise LabelPackError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f" line {mark.line + 1}" if mark else ""
        raise LabelPackError(f"{path}{line}: not valid YAML: {error.problem}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise LabelPackError(f"{path}: not valid YAML: {str(error).splitlines()[0]}") from error
    if node is None:
        raise LabelPackError(f"{path}: the file is empty; a pack needs `pack:` and `labels:`")
    lines: dict[Path_, int] = {}
    problems: list[Problem] = []
    data = _value(node, (), lines, problems, path)
    if problems:
        raise LabelPackError(problems)
    return Located(path, data, lines)


def _value(
    node: yaml.Node, where: Path_, lines: dict[Path_, int], problems: list[Problem], file: Path
) -> object:
    lines[where] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in mapping:
                place = f"{file} line {key_node.start_mark.line + 1}"
                problems.append(Problem(place, f"{key!r} stands twice; keep one of them"))
            mapping[key] = _value(value_node, (*where, key), lines, problems, file)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [
            _value(item, (*where, i), lines, problems, file) for i, item in enumerate(node.value)
        ]
    return _SAFE.construct_object(node)


def texts(data: object) -> Iterator[tuple[str, str]]:
    """The pairs of a mapping whose values are text; nothing if it is no mapping."""
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, str):
                yield str(key), value
