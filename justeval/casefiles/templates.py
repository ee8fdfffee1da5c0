"""Facts written from the columns of a file that has no prose.

In: a template, one sentence a line, with `{COLUMN}` for a cell. Out: the text. A line of which a
cell is blank, or a code without a word, is left out; so nothing is said that the file does not
say. Cases written so are marked: `facts_source` is `template`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from justeval.errors import UsageError

_SLOT = re.compile(r"\{([^{}\n]+)\}")
FACTS_SOURCE = "facts_source"
TEMPLATE = "template"


def template_columns(template: str) -> tuple[str, ...]:
    """The columns that a template names, in order."""
    return tuple(dict.fromkeys(_SLOT.findall(template)))


def check_template(template: str) -> None:
    """Raises UsageError for a template that names no column or has a bracket too many."""
    if not template_columns(template):
        raise UsageError("the template names no column; write {COLUMN} where a cell belongs")
    rest = _SLOT.sub("", template)
    if "{" in rest or "}" in rest:
        raise UsageError("the template has a bracket without its other; write {COLUMN}")


class Writer:
    """Writes facts row by row. `values` gives for a column the words for its codes."""

    def __init__(self, template: str, values: Mapping[str, Mapping[str, str]]) -> None:
        self.lines = [line.strip() for line in template.splitlines() if line.strip()]
        self.values = {name.casefold(): words for name, words in values.items()}
        self.slots = [tuple(_SLOT.findall(line)) for line in self.lines]
        self.joint = "" if re.search("[\u4e00-\u9fff]", template) else " "

    def text(self, cells: Mapping[str, str | None]) -> str:
        """The facts of one row; `cells` by the names in the template."""
        said = []
        for line, slots in zip(self.lines, self.slots, strict=True):
            words = {slot: self._word(slot, cells.get(slot)) for slot in slots}
            if all(words.values()):
                said.append(_SLOT.sub(lambda match: words[match[1]], line))  # noqa: B023
        return self.joint.join(said)

    def _word(self, column: str, cell: str | None) -> str:
        text = (cell or "").strip()
        words = self.values.get(column.casefold())
        if words is None or not text:
            return text
        return words.get(text) or words.get(re.sub(r"\.0+\Z", "", text), "")
