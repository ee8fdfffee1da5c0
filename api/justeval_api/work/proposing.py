"""A mapping proposed from names and contents of columns, for a person to accept.

In: the columns of a file and its first rows. Out: our name -> the file's column, only where a name
says so, or where contents leave no other choice for what every case needs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

NAMES = {
    "case_id": ("case_id", "id", "case", "case_no", "case_number", "docket", "document_id",
                "document", "案号", "编号"),
    "facts": ("facts", "fact", "text", "case_text", "case_facts", "description", "narrative",
              "opinion", "案情", "事实", "案件事实"),
    "language": ("language", "lang", "语言"),
    "charge": ("charge", "charges", "offense", "offence", "accusation", "crime", "罪名"),
    "jurisdiction": ("jurisdiction", "court", "state", "法院"),
    "filed_year": ("filed_year", "year", "year_filed", "filing_year", "年份"),
    "true_months": ("true_months", "months", "sentence_months", "term_months",
                    "term_of_imprisonment", "sentence", "刑期"),
    "true_penalty": ("true_penalty", "penalty", "penalty_kind", "刑罚类型"),
    "spans": ("spans",),
}  # fmt: skip
LONG_TEXT = 60
"""Mean characters of a cell from which a column may hold the facts."""

Cells = Mapping[str, object]


def propose(columns: Sequence[str], rows: Sequence[Cells]) -> dict[str, str]:
    """The mapping that names and contents suggest; a column is used once."""
    folded: dict[str, str] = {}
    for column in columns:
        folded.setdefault(_folded(column), column)
    found: dict[str, str] = {}
    for ours, words in NAMES.items():
        named = next((folded[word] for word in words if word in folded), None)
        if named is not None and named not in found.values():
            found[ours] = named
    left = [column for column in columns if column not in found.values()]
    longest = None if "facts" in found else _longest(left, rows)
    if longest is not None:
        found["facts"] = longest
        left.remove(longest)
    distinct = None if "case_id" in found else _distinct(left, rows)
    if distinct is not None:
        found["case_id"] = distinct
    return {ours: found[ours] for ours in NAMES if ours in found}


def _folded(name: str) -> str:
    return re.sub(r"[\s\-./]+", "_", name.strip().casefold())


def _longest(columns: Sequence[str], rows: Sequence[Cells]) -> str | None:
    means = {column: _mean_length(column, rows) for column in columns}
    best = max(means, key=lambda column: means[column], default=None)
    return best if best is not None and means[best] >= LONG_TEXT else None


def _mean_length(column: str, rows: Sequence[Cells]) -> float:
    cells = [str(row.get(column) or "") for row in rows]
    return sum(map(len, cells)) / len(cells) if cells else 0.0


def _distinct(columns: Sequence[str], rows: Sequence[Cells]) -> str | None:
    """The first column whose cells are short, never empty and never the same."""
    for column in columns:
        cells = [str(row.get(column) or "").strip() for row in rows]
        if cells and all(cells) and len(set(cells)) == len(cells) and max(map(len, cells)) <= 80:
            return column
    return None
