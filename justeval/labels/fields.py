"""Checks of single fields: each returns something usable and notes what is wrong with its place."""

from __future__ import annotations

import re

from justeval.errors import Problem
from justeval.labels.located import Located, Path_, texts

ID = re.compile(r"[a-z][a-z0-9_]*\Z")
YAML_BOOLEAN = "YAML reads this as true or false; put it in quotes"


class FieldChecks:
    """The fields of one file; `problems` collects what is wrong instead of stopping at the first.

    `languages` are those that every text must be given in.
    """

    def __init__(self, located: Located) -> None:
        self.located = located
        self.problems: list[Problem] = []
        self.languages: tuple[str, ...] = ()

    def wrong(self, where: Path_, message: str) -> None:
        """Notes a problem once."""
        problem = Problem(self.located.place(where), message)
        if problem not in self.problems:
            self.problems.append(problem)

    def unknown_fields(self, data: dict[str, object], at: Path_, known: set[str]) -> None:
        for key in data:
            if key not in known:
                self.wrong((*at, key), f"unknown field; known are {', '.join(sorted(known))}")

    def distinct(self, items: list[str], at: Path_, what: str) -> None:
        for item in dict.fromkeys(items):
            if items.count(item) > 1:
                self.wrong(at, f"{what} {item!r} stands twice; values must differ")

    def id(self, data: dict[str, object], at: Path_) -> str:
        value = data.get("id")
        if isinstance(value, bool):
            self.wrong((*at, "id"), YAML_BOOLEAN)
        elif not isinstance(value, str) or not ID.match(value):
            self.wrong((*at, "id"), f"{value!r}: use small letters, digits and _, e.g. judge_sex")
        return str(value)

    def text(self, data: dict[str, object], at: Path_, field: str) -> str:
        value = data.get(field)
        if not isinstance(value, str) or not value.strip():
            self.wrong((*at, field), f"missing: {field} must be text")
            return ""
        return value

    def flag(
        self, data: dict[str, object], at: Path_, field: str, default: bool | None = None
    ) -> bool:
        value = data.get(field, default)
        if not isinstance(value, bool):
            self.wrong((*at, field), f"{field} must be true or false, not {value!r}")
        return bool(value)

    def choice(
        self,
        data: dict[str, object],
        at: Path_,
        field: str,
        allowed: tuple[str, ...],
        default: str | None = None,
    ) -> str:
        value = data.get(field, default)
        if value not in allowed:
            self.wrong((*at, field), f"{value!r}: {field} is one of {', '.join(allowed)}")
        return str(value)

    def strings(self, data: dict[str, object], at: Path_, field: str) -> tuple[str, ...]:
        value = data.get(field)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(x, str) and x for x in value):
            self.wrong((*at, field), "must be a list of texts (quote words like no, yes, on)")
            return ()
        return tuple(value)

    def in_languages(
        self, data: dict[str, object], at: Path_, field: str, default: str | None = None
    ) -> dict[str, str]:
        value = data.get(field)
        if value is None and default is not None:
            return {language: default for language in self.languages}
        if not isinstance(value, dict):
            wanted = ", ".join(self.languages)
            self.wrong((*at, field), f"must be a mapping with one text for each of {wanted}")
            return {}
        found = dict(texts(value))
        for language in self.languages:
            if not found.get(language, "").strip():
                self.wrong((*at, field), f"no text in {language}; the pack names that language")
        return found
