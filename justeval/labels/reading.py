"""A pack's YAML -> labels, or all that is wrong with it by file, line and field."""

from __future__ import annotations

import re
from pathlib import Path

from justeval.errors import LabelPackError
from justeval.labels.located import Located, Path_, read_located, texts
from justeval.labels.records import Label, Pack, Value
from justeval.labels.values import ValueChecks

CATEGORIES = ("substance", "procedure")
KINDS = ("categorical", "numeric")
PLACES = ("opening", "closing")
_PACK_FIELDS = {"pack", "title", "languages", "placebo", "source", "charge_groups", "labels"}
_LABEL_FIELDS = {
    "id", "name", "actor", "category", "demographic", "kind", "place", "requires",
    "excluded_charges", "patterns", "source", "note", "reference", "values", "forms",
    "unit", "range", "asked", "published_values", "sentence",
}  # fmt: skip
_FIELDS_OF_KIND = {
    "numeric": ("unit", "range", "asked", "sentence"),
    "categorical": ("values",),
}


def read_pack(path: Path) -> Pack:
    """Reads and checks a pack. Raises LabelPackError with every problem found."""
    located = read_located(path)
    reader = _Reader(located)
    pack = reader.pack()
    if reader.problems:
        raise LabelPackError(reader.problems)
    return pack


class _Reader(ValueChecks):
    """Walks one file once, collecting problems instead of stopping at the first."""

    def __init__(self, located: Located) -> None:
        super().__init__(located)
        self.groups: dict[str, tuple[str, ...]] = {}
        self.pack_name = ""
        self.placebo = False

    def pack(self) -> Pack:
        data = self.located.data
        if not isinstance(data, dict):
            self.wrong((), "a pack is a mapping with `pack:`, `languages:` and `labels:`")
            data = {}
        self.unknown_fields(data, (), _PACK_FIELDS)
        self.pack_name = self.text(data, (), "pack") or self.located.file.stem
        self.placebo = self.flag(data, (), "placebo", default=False)
        self.languages = self.strings(data, (), "languages")
        if not self.languages:
            self.wrong(("languages",), "name at least one language, e.g. [en]")
        self.groups = self._charge_groups(data.get("charge_groups") or {})
        labels = self._labels(data.get("labels"))
        return Pack(
            name=self.pack_name,
            title=str(data.get("title") or self.pack_name),
            languages=self.languages,
            placebo=self.placebo,
            source=str(data.get("source") or ""),
            labels=labels,
            path=self.located.file,
        )

    def _charge_groups(self, data: object) -> dict[str, tuple[str, ...]]:
        if not isinstance(data, dict):
            self.wrong(("charge_groups",), "must be a mapping from a group to a list of words")
            return {}
        return {name: self.strings(data, ("charge_groups",), name) for name in data}

    def _labels(self, data: object) -> tuple[Label, ...]:
        if not isinstance(data, list) or not data:
            self.wrong(("labels",), "a pack needs a list of at least one label")
            return ()
        labels: dict[str, Label] = {}
        for i, item in enumerate(data):
            label = self._label(item, ("labels", i))
            if label is None:
                continue
            if label.id in labels:
                self.wrong(("labels", i, "id"), f"label {label.id!r} stands twice; rename one")
            labels[label.id] = label
        return tuple(labels.values())

    def _label(self, data: object, at: Path_) -> Label | None:
        if not isinstance(data, dict):
            self.wrong(at, "a label is a mapping with `id:`, `actor:`, `values:` …")
            return None
        before = len(self.problems)
        self.unknown_fields(data, at, _LABEL_FIELDS)
        label_id = self.id(data, at)
        kind = self.choice(data, at, "kind", KINDS, default="categorical")
        self._other_kind(data, at, kind)
        values = self.numbers(data, at) if kind == "numeric" else self.values(data, at)
        reference = self.reference(data, at, values)
        label = Label(
            id=label_id,
            pack=self.pack_name,
            pack_path=str(self.located.file),
            name=self.in_languages(data, at, "name", default=label_id),
            actor=self.text(data, at, "actor"),
            category=self.choice(data, at, "category", CATEGORIES),
            demographic=self.flag(data, at, "demographic"),
            placebo=self.placebo,
            kind=kind,
            place=self.choice(data, at, "place", PLACES, default="opening"),
            requires=self.strings(data, at, "requires"),
            excluded_charges=self._excluded(data, at),
            patterns=self._patterns(data, at),
            source=str(data.get("source") or ""),
            reference=reference,
            values=values,
            forms=self._forms(data, at, values),
            template=dict(texts(data.get("sentence"))) if kind == "numeric" else {},
            range=self.range(data, at) if kind == "numeric" else None,
            unit=str(data["unit"]) if data.get("unit") else None,
            n_values=self.count(data, at, values),
        )
        return label if len(self.problems) == before else None

    def _other_kind(self, data: dict[str, object], at: Path_, kind: str) -> None:
        for other, fields in _FIELDS_OF_KIND.items():
            for field in fields if other != kind else ():
                if field in data:
                    message = f"belongs to a {other} label; this one is {kind}"
                    self.wrong((*at, field), message)

    def _excluded(self, data: dict[str, object], at: Path_) -> tuple[str, ...]:
        words: list[str] = []
        for i, group in enumerate(self.strings(data, at, "excluded_charges")):
            if group not in self.groups:
                known = ", ".join(self.groups) or "none"
                self.wrong(
                    (*at, "excluded_charges", i), f"{group!r} is no charge group; known: {known}"
                )
            words.extend(word.casefold() for word in self.groups.get(group, ()))
        return tuple(dict.fromkeys(words))

    def _patterns(
        self, data: dict[str, object], at: Path_
    ) -> dict[str, tuple[re.Pattern[str], ...]]:
        by_language = data.get("patterns") or {}
        if not isinstance(by_language, dict):
            self.wrong((*at, "patterns"), "must be a mapping from a language to a list of patterns")
            return {}
        compiled: dict[str, tuple[re.Pattern[str], ...]] = {}
        for language in by_language:
            here = (*at, "patterns", language)
            rows = self.strings(by_language, (*at, "patterns"), language)
            kept = []
            for i, pattern in enumerate(rows):
                try:
                    kept.append(re.compile(pattern))
                except re.error as error:
                    self.wrong((*here, i), f"{pattern!r} is no regular expression: {error}")
                    continue
                if kept[-1].search(""):
                    message = f"{pattern!r} matches the empty text, so it leaves out every case"
                    self.wrong((*here, i), message)
            compiled[language] = tuple(kept)
        return compiled

    def _forms(
        self, data: dict[str, object], at: Path_, values: tuple[Value, ...]
    ) -> dict[str, tuple[dict[str, str], ...]]:
        by_language = data.get("forms") or {}
        if not isinstance(by_language, dict):
            self.wrong((*at, "forms"), "must be a mapping from a language to rows of forms")
            return {}
        ids = {value.id for value in values}
        forms: dict[str, tuple[dict[str, str], ...]] = {}
        for language, rows in by_language.items():
            kept = []
            for i, row in enumerate(rows if isinstance(rows, list) else [rows]):
                pairs = dict(texts(row))
                if set(pairs) != ids:
                    wanted = ", ".join(sorted(ids))
                    self.wrong((*at, "forms", language, i), f"needs one form for each of {wanted}")
                kept.append(pairs)
            forms[language] = tuple(kept)
        return forms
