"""An Analysis as the document that `justeval analyze --json` prints.

In: an Analysis. Out: dictionaries, lists, numbers, text and None, ready for `json.dumps`; never
NaN or an infinite number, which JSON does not know.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from justeval import __version__
from justeval.aggregate.records import Analysis, Counts, LevelCount

OUTCOME = "log(months + 1)"
_LEFT_AWAY: dict[type, dict[str, tuple[str, ...]]] = {
    Counts: {
        "values_significant": ("values_tested", "values_significant"),
        "models_significant": ("models_significant", "models_binomial_p"),
    },
    LevelCount: {"values_significant": ("values_significant",)},
}
"""Keys that belong to one reading or to the summary only, by the key whose None says so."""


def as_json(analysis: Analysis) -> dict[str, Any]:
    """The analysis as plain data; unknown is None."""
    options = analysis.options
    return {
        "justeval": __version__,
        "settings": {
            "alpha": options.alpha,
            "engine": options.engine,
            "as_published": options.as_published,
            "longest_months": options.longest_months,
            "outcome": OUTCOME,
        },
        "runs": plain(analysis.runs),
        "summary": plain(analysis.summary),
        "models": plain(analysis.models),
    }


def plain(value: Any) -> Any:  # noqa: ANN401 - any record in, plain data out
    """A record, mapping or sequence as plain data, field by field."""
    if is_dataclass(value) and not isinstance(value, type):
        named = {item.name: getattr(value, item.name) for item in fields(value)}
        for sign, keys in _LEFT_AWAY.get(type(value), {}).items():
            if named[sign] is None:
                named = {name: content for name, content in named.items() if name not in keys}
        return {name: plain(content) for name, content in named.items()}
    if isinstance(value, Mapping):
        return {str(name): plain(content) for name, content in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(content) for content in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
