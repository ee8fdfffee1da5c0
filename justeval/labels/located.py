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


def read_located(path: Path, wanted: str = "a pack needs `pack:` and `labels:`") -> Located:
    """Reads a YAML file; `wanted` says what an empty one lacks.

    Raises LabelPackError that names the line of what is no YAML.
    """
    node = _composed(_text(path), path)
    if node is None:
        raise LabelPackError(f"{path}: the file is empty; {wanted}")
    reading = _Reading(path)
    data = reading.value(node, ())
    if reading.problems:
        raise LabelPackError(reading.problems)
    return Located(path, data, reading.lines)


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LabelPackError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"{path} line {line}: not UTF-8 text at byte {error.start}; save it as UTF-8"
        raise LabelPackError(message) from error


def _composed(text: str, path: Path) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        raise LabelPackError(f"{path}{yaml_fault(error)}") from error
    except yaml.reader.ReaderError as error:
        found = yaml.reader.Reader.NON_PRINTABLE.search(text)
        line = f" line {text.count(chr(10), 0, found.start()) + 1}" if found else ""
        raise LabelPackError(f"{path}{line}: not valid YAML: {error.reason}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise LabelPackError(f"{path}{yaml_fault(error)}") from error


def yaml_fault(error: Exception) -> str:
    """` line N: not valid YAML: what is wrong`, to stand behind the name of the file."""
    mark, problem = None, str(error).splitlines()[0]
    if isinstance(error, yaml.MarkedYAMLError):
        mark, problem = error.problem_mark or error.context_mark, error.problem or problem
    return f"{f' line {mark.line + 1}' if mark else ''}: not valid YAML: {problem}"


class _Reading:
    """YAML nodes -> values, with the line of each; notes what YAML allows and a pack does not."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lines: dict[Path_, int] = {}
        self.problems: list[Problem] = []
        self.inside: set[int] = set()

    def wrong(self, node: yaml.Node, message: str, where: Path_ = ()) -> None:
        line = node.start_mark.line + 1
        place = Located(self.file, None, {(): line}).place(where)
        self.problems.append(Problem(place, message))

    def value(self, node: yaml.Node, where: Path_) -> object:
        """The value of a node; `where` is the path that leads to it."""
        self.lines[where] = node.start_mark.line + 1
        if not isinstance(node, yaml.MappingNode | yaml.SequenceNode):
            return self.scalar(node, where)
        if id(node) in self.inside:
            self.wrong(node, "not valid YAML: an alias holds itself")
            return None
        self.inside.add(id(node))
        if isinstance(node, yaml.MappingNode):
            found: object = self.mapping(node, where)
        else:
            found = [self.value(item, (*where, i)) for i, item in enumerate(node.value)]
        self.inside.discard(id(node))
        return found

    def mapping(self, node: yaml.MappingNode, where: Path_) -> dict[str, object]:
        mapping: dict[str, object] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.wrong(key_node, "a key must be text")
                continue
            key = str(key_node.value)
            if key in mapping:
                self.wrong(key_node, f"{key!r} stands twice; keep one of them")
            mapping[key] = self.value(value_node, (*where, key))
        return mapping

    def scalar(self, node: yaml.Node, where: Path_) -> object:
        try:
            return _SAFE.construct_object(node)
        except (yaml.YAMLError, ValueError):
            tag = str(node.tag).removeprefix("tag:yaml.org,2002:")
            self.wrong(node, f"YAML cannot read {node.value!r} as {tag}; put it in quotes", where)
            return None


def texts(data: object) -> Iterator[tuple[str, str]]:
    """The pairs of a mapping whose values are text; nothing if it is no mapping."""
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, str):
                yield str(key), value
