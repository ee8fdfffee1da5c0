"""A pack's YAML -> labels, or all that is wrong with it by file, line and field."""

from __future__ import annotations

import re
from pathlib import Path

from justeval.errors import LabelPackError
from justeval.labels.fields import FieldChecks
from justeval.labels.located import Located, Path_, read_located, texts
from justeval.labels.records import Label, Pack, Value

CATEGORIES = ("substance", "procedure")
KINDS = ("categorical", "numeric")
PLACES = ("opening", "closing")
DEFAULT_AGES = (25, 45, 65)
_PACK_FIELDS = {"pack", "title", "languages", "placebo", "source", "charge_groups", "labels"}
_LABEL_FIELDS = {
    "id", "name", "actor", "category", "demographic", "kind", "place", "requires",
    "excluded_charges", "patterns", "source", "note", "reference", "values", "forms",
    "unit", "range", "asked", "published_values", "sentence",
}  # fmt: skip
_VALUE_FIELDS = {"id", "name", "sentence"}


def read_pack(path: Path) -> Pack:
    """Reads and checks a pack. Raises LabelPackError with every problem found."""
    located = read_located(path)
    reader = _Reader(located)
    pack = reader.pack()
    if reader.problems:
        raise LabelPackError(reader.problems)
    return pack


class _Reader(FieldChecks):
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
        values = self._numbers(data, at) if kind == "numeric" else self._values(data, at)
        reference = self._reference(data, at, values)
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
            range=self._range(data, at) if kind == "numeric" else None,
            unit=str(data["unit"]) if data.get("unit") else None,
            n_values=self._count(data, at, values),
        )
        return label if len(self.problems) == before else None

    # -- values ---------------------------------------------------------------------------------

    def _values(self, data: dict[str, object], at: Path_) -> tuple[Value, ...]:
        items = data.get("values")
        if not isinstance(items, list) or len(items) < 2:
            found = len(items) if isinstance(items, list) else 0
            self.wrong(
                (*at, "values"), f"{found} value(s); a comparison needs at least 2. Add a value"
            )
            return ()
        values = [self._value(item, (*at, "values", i)) for i, item in enumerate(items)]
        kept = [value for value in values if value is not None]
        self.distinct([value.id for value in kept], (*at, "values"), "value id")
        for language in self.languages:
            sentences = [v.sentence[language] for v in kept if language in v.sentence]
            self.distinct(sentences, (*at, "values"), f"sentence in {language}")
        return tuple(kept)

    def _value(self, data: object, at: Path_) -> Value | None:
        if not isinstance(data, dict):
            self.wrong(at, "a value is a mapping with `id:`, `name:` and `sentence:`")
            return None
        self.unknown_fields(data, at, _VALUE_FIELDS)
        value_id = self.id(data, at)
        return Value(
            id=value_id,
            name=self.in_languages(data, at, "name", default=value_id),
            sentence=self.in_languages(data, at, "sentence"),
        )

    def _numbers(self, data: dict[str, object], at: Path_) -> tuple[Value, ...]:
        templates = self.in_languages(data, at, "sentence")
        for language, template in templates.items():
            if template.count("{value}") != 1:
                self.wrong((*at, "sentence", language), "must contain {value} exactly once")
                return ()
        low_high = self._range(data, at)
        asked = data.get("asked", list(DEFAULT_AGES))
        if not isinstance(asked, list) or len(asked) < 2:
            self.wrong((*at, "asked"), "must be a list of at least two numbers, e.g. [25, 45, 65]")
            return ()
        values = []
        for i, number in enumerate(asked):
            if isinstance(number, bool) or not isinstance(number, int | float) or number <= 0:
                self.wrong((*at, "asked", i), f"{number!r} is no positive number")
            elif low_high and not low_high[0] <= number <= low_high[1]:
                low, high = low_high
                self.wrong((*at, "asked", i), f"{number} lies outside the range {low} to {high}")
            else:
                shown = f"{number:g}"
                filled = {k: t.replace("{value}", shown) for k, t in templates.items()}
                names = {language: shown for language in templates}
                values.append(Value(shown, names, filled, float(number)))
        self.distinct([value.id for value in values], (*at, "asked"), "number")
        return tuple(values)

    def _range(self, data: dict[str, object], at: Path_) -> tuple[float, float] | None:
        pair = data.get("range")
        if (
            isinstance(pair, list)
            and len(pair) == 2
            and all(isinstance(x, int | float) and not isinstance(x, bool) for x in pair)
            and 0 < pair[0] < pair[1]
        ):
            return float(pair[0]), float(pair[1])
        message = "a numeric label needs its range, two rising positive numbers, e.g. [18, 75]"
        self.wrong((*at, "range"), message)
        return None

    def _reference(self, data: dict[str, object], at: Path_, values: tuple[Value, ...]) -> str:
        ids = [value.id for value in values]
        if "reference" not in data and values and values[0].number is not None:
            return ids[0]
        reference = str(data.get("reference", ""))
        if ids and reference not in ids:
            self.wrong((*at, "reference"), f"{reference!r} is none of the values {', '.join(ids)}")
        return reference

    def _count(self, data: dict[str, object], at: Path_, values: tuple[Value, ...]) -> int:
        count = data.get("published_values", len(values))
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            self.wrong((*at, "published_values"), f"{count!r} is no count")
            return len(values)
        return count

    # -- other fields ---------------------------------------------------------------------------

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
