"""One label's regression: from predictions to estimates with their errors.

    encoding  rule             predictions -> codes, and which rows count
    placing  shelves           rows -> the groups of one model and one label
    comparisons                which documents changed
    sample                     cells with outcomes, and what was left out
    designs  grids             cells of one label -> Design, or Layout
    layout  panel  within      the fast engine; pyfixest_engine and linearmodels_engine witness it
    inference  joint           RawFit -> Regression, one set of conventions for all engines

In: a table of predictions. Out: a Regression for each label and outcome.
"""

from __future__ import annotations

from collections.abc import Sequence

from justeval.errors import UsageError
from justeval.estimate import linearmodels_engine, pyfixest_engine, within
from justeval.estimate.comparisons import Comparisons
from justeval.estimate.designs import LOG_VALUE, NoDesign, label_design
from justeval.estimate.inference import infer, infer_all
from justeval.estimate.joint import wald
from justeval.estimate.layout import Layout, flat, lay_out
from justeval.estimate.panel import Panels, fit_panels, panel_of, panels_by_stack
from justeval.estimate.records import Design, Engine, RawFit, Regression, Variance
from justeval.estimate.sample import OUTCOMES, Cells, Sample, build_sample, sample_of

__all__ = [
    "ENGINES",
    "LOG_VALUE",
    "OUTCOMES",
    "Cells",
    "Comparisons",
    "Design",
    "Engine",
    "Layout",
    "NoDesign",
    "Panels",
    "RawFit",
    "Regression",
    "Sample",
    "Variance",
    "build_sample",
    "estimate",
    "estimate_all",
    "estimate_panels",
    "flat",
    "infer",
    "label_design",
    "panel_of",
    "panels_by_stack",
    "sample_of",
    "wald",
]

ENGINES: dict[str, Engine] = {
    "within": within.fit,
    "pyfixest": pyfixest_engine.fit,
    "linearmodels": linearmodels_engine.fit,
}


def estimate(design: Design, engine: str = "within", variance: Variance = "cluster") -> Regression:
    """Fit one design with the named engine and infer from it.

    Estimates equal Stata's `reghdfe y x, absorb(document) vce(cluster cluster)` whichever engine
    runs; `variance="robust"` is its `vce(robust)`. Raises UsageError for an unknown engine.
    """
    if engine not in ENGINES:
        raise UsageError(f"no engine {engine!r}: the engines are {', '.join(ENGINES)}")
    return infer(design, ENGINES[engine](design, variance), variance, engine)


def estimate_all(designs: Sequence[Design | Layout]) -> list[Regression]:
    """`estimate` of many designs as `label_design` made them, or of layouts, by the own engine:
    those of a shape together, which takes a quarter of the time of one after the other."""
    found: dict[int, Regression] = {}
    laid = {
        place: layout
        for place, one in enumerate(designs)
        if (layout := one if isinstance(one, Layout) else lay_out(one)) is not None
    }
    for places, panels in panels_by_stack(laid):
        chosen = [designs[place] for place in places]
        found.update(zip(places, estimate_panels(chosen, panels), strict=True))
    return [found.get(place) or estimate(flat(one)) for place, one in enumerate(designs)]


def estimate_panels(
    designs: Sequence[Design | Layout], panels: Panels, engine: str = "within"
) -> list[Regression]:
    """`estimate` of the B designs that the panels were made from."""
    if engine != "within":
        return [estimate(flat(one), engine) for one in designs]
    return infer_all(designs, fit_panels(panels), panels.largest_y, "cluster", engine)
