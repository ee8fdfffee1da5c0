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
from justeval.aggregate.estimates import AnalysisOptions
from justeval.aggregate.outcomes import outcome_named
from justeval.aggregate.records import Analysis, Counts, LevelCount

_LEFT_AWAY: dict[type, dict[str, tuple[str, ...]]] = {
    Counts: {
        "values_significant": ("values_tested", "values_significant"),
        "models_significant": ("models_significant", "models_binomial_p"),
    },
    LevelCount: {"values_significant": ("values_significant",)},
}
"""Keys that belong to one reading or to the summary only, by the key whose None says so."""

OURS_ALONE = frozenset(
    {
        "calibrated_p", "calibrated_mid_p", "expected", "draws", "p_wild", "detectable", "ratio",
        "ratio_ci_low", "ratio_ci_high", "ratio_p", "separated", "decided_by", "p_romano_wolf",
        "q_bh", "q_by", "verdict", "equivalence", "t_placebo", "p_placebo", "shrunken",
        "shrunken_sd", "shrunken_rank", "mean_reference", "change_percent", "change_months",
        "bias_floor",
        "imbalanced_inaccuracy_floor", "beyond", "se_jackknife", "p_jackknife", "coef_without",
        "document_without", "shape", "crossed",
    }
)  # fmt: skip
"""Keys that the published reading does not have."""


def as_json(analysis: Analysis) -> dict[str, Any]:
    """The analysis as plain data; unknown is None."""
    options = analysis.options
    left_out = OURS_ALONE if options.as_published else frozenset()
    return {
        "justeval": __version__,
        "settings": {
            "alpha": options.alpha,
            "engine": options.engine,
            "as_published": options.as_published,
            "longest_months": options.longest_months,
            "outcome": outcome_named(options.outcome).title,
            **({} if options.as_published else _drawn(options)),
        },
        "runs": plain(analysis.runs),
        "summary": leave_out(plain(analysis.summary), left_out),
        "models": leave_out(plain(analysis.models), left_out),
    }


def _drawn(options: AnalysisOptions) -> dict[str, Any]:
    outcome = outcome_named(options.outcome)
    return {
        "draws": options.draws,
        "rng_seed": options.rng_seed,
        "margin": options.margin,
        "outcome_id": outcome.id,
        "unit": outcome.unit,
    }


def leave_out(document: Any, names: frozenset[str]) -> Any:  # noqa: ANN401 - plain data
    """Plain data without the keys of these names, at any depth."""
    if not names:
        return document
    if isinstance(document, dict):
        return {k: leave_out(v, names) for k, v in document.items() if k not in names}
    if isinstance(document, list):
        return [leave_out(entry, names) for entry in document]
    return document


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
