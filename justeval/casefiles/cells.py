"""Single cells: blank ones filled, codes and lists spoken out, names that would be taken.

In: cells and the rule of their column. Out: the text that a case has.
"""

from __future__ import annotations

import json
import re

from justeval.casefiles.groups import Array
from justeval.casefiles.resolving import Found
from justeval.casefiles.templates import FACTS_SOURCE
from justeval.schema import CASES


def filled(cells: Array) -> Array:
    """Cells with empty text for null; not copied where there is none."""
    return cells.fill_null("") if cells.null_count else cells


def spoken(cell: str | None, found: Found) -> str | None:
    """A cell as text: by its code, or a list's items put together; None where it is blank."""
    text = (cell or "").strip()
    if not text:
        return None
    if found.rule.join and text.startswith("["):
        try:
            items = json.loads(text)
        except ValueError:
            items = None
        if isinstance(items, list):
            text = found.rule.join.join(str(item) for item in items)
    codes = found.rule.codes
    return codes.get(text) or codes.get(re.sub(r"\.0+\Z", "", text)) or text


def own_name(name: str) -> str:
    """The name of a file's own column among ours: one of our names is another's now."""
    taken = (*CASES.names, "spans", FACTS_SOURCE)
    return f"own_{name}" if name in taken else name
