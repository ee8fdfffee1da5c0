"""justeval: does a fact that must not matter change a language model's answer, and how sure are we?

The public interface is what `__all__` names; the rest of the package may change.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from justeval.aggregate import AnalysisOptions, analyze
    from justeval.cases import check_cases, load_cases
    from justeval.labels import load_labels, load_pack
    from justeval.replies import read_reply
    from justeval.variants import make_variants

try:
    __version__ = version("justeval")
except PackageNotFoundError:
    __version__ = "0+unknown"

_HOME = {
    "AnalysisOptions": "justeval.aggregate",
    "analyze": "justeval.aggregate",
    "check_cases": "justeval.cases",
    "load_cases": "justeval.cases",
    "load_labels": "justeval.labels",
    "load_pack": "justeval.labels",
    "make_variants": "justeval.variants",
    "read_reply": "justeval.replies",
}

__all__ = [
    "AnalysisOptions",
    "__version__",
    "analyze",
    "check_cases",
    "load_cases",
    "load_labels",
    "load_pack",
    "make_variants",
    "read_reply",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Imports a public name when it is first used: the command line must start at once."""
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'justeval' has no attribute {name!r}")
