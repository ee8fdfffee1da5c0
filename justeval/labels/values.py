"""The values of a label: texts by value, or the numbers asked and one sentence for all."""

from __future__ import annotations

from justeval.labels.fields import YAML_BOOLEAN, FieldChecks
from justeval.labels.located import Path_
from justeval.labels.records import Value

DEFAULT_AGES = (25, 45, 65)
_VALUE_FIELDS = {"id", "name", "sentence"}


class ValueChecks(FieldChecks):
    """The fields that say what is compared, and with what."""

    def values(self, data: dict[str, object], at: Path_) -> tuple[Value, ...]:
        items = data.get("values")
        if not isinstance(items, list) or len(items) < 2:
            found = len(items) if isinstance(items, list) else 0
            has = f"{found} value{'' if found == 1 else 's'}"
            self.wrong((*at, "values"), f"{has}; a comparison needs at least 2. Add a value")
            return ()
        values = [self.value(item, (*at, "values", i)) for i, item in enumerate(items)]
        kept = [value for value in values if value is not None]
        self.distinct([value.id for value in kept], (*at, "values"), "value id")
        for language in self.languages:
            sentences = [v.sentence[language] for v in kept if language in v.sentence]
            self.distinct(sentences, (*at, "values"), f"sentence in {language}")
        return tuple(kept)

    def value(self, data: object, at: Path_) -> Value | None:
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

    def numbers(self, data: dict[str, object], at: Path_) -> tuple[Value, ...]:
        templates = self.in_languages(data, at, "sentence")
        for language, template in templates.items():
            if template.count("{value}") != 1:
                self.wrong((*at, "sentence", language), "must contain {value} exactly once")
                return ()
        low_high = self.range(data, at)
        asked = data.get("asked", list(DEFAULT_AGES))
        if not isinstance(asked, list) or len(asked) < 2:
            self.wrong((*at, "asked"), "must be a list of at least two numbers, e.g. [25, 45, 65]")
            return ()
        values = []
        for i, number in enumerate(asked):
            if isinstance(number, bool) or not isinstance(number, int | float) or number <= 0:
                self.wrong((*at, "asked", i), f"{number!r} is no positive number")
            elif low_high and not low_high[0] <= number <= low_high[1]:
                message = f"{number} lies outside the range {low_high[0]:g} to {low_high[1]:g}"
                self.wrong((*at, "asked", i), message)
            else:
                shown = f"{number:g}"
                filled = {k: t.replace("{value}", shown) for k, t in templates.items()}
                names = {language: shown for language in templates}
                values.append(Value(shown, names, filled, float(number)))
        self.distinct([value.id for value in values], (*at, "asked"), "number")
        return tuple(values)

    def range(self, data: dict[str, object], at: Path_) -> tuple[float, float] | None:
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

    def reference(self, data: dict[str, object], at: Path_, values: tuple[Value, ...]) -> str:
        ids = [value.id for value in values]
        if "reference" not in data and values and values[0].number is not None:
            return ids[0]
        given = data.get("reference")
        reference = "" if given is None else str(given)
        if isinstance(given, bool):
            self.wrong((*at, "reference"), YAML_BOOLEAN)
        elif ids and reference not in ids:
            told = "missing; it is one" if given is None else f"{reference!r} is none"
            self.wrong((*at, "reference"), f"{told} of the values {', '.join(ids)}")
        return reference

    def count(self, data: dict[str, object], at: Path_, values: tuple[Value, ...]) -> int:
        count = data.get("published_values", len(values))
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            self.wrong((*at, "published_values"), f"{count!r} is no count")
            return len(values)
        return count
