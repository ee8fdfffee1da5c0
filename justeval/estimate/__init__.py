"""One label's regression: from predictions to estimates with their errors.

    encoding  sample  rule     predictions -> cells with outcomes, and what was left out
    designs                    cells of one label -> Design
    panel  within              the fast engine; pyfixest_engine and linearmodels_engine witness it
    inference                  RawFit -> Regression, one set of conventions for all engines

In: a table of predictions. Out: a Regression for each label and outcome.
"""

from __future__ import annotations

from justeval.errors import UsageError
from justeval.estimate import linearmodels_engine, pyfixest_engine, within
from justeval.estimate.designs import LOG_VALUE, NoDesign, label_design
from justeval.estimate.inference import infer, wald
from justeval.estimate.panel import Panel, panel_of
from justeval.estimate.records import Design, Engine, RawFit, Regression, Variance
from justeval.estimate.sample import OUTCOMES, Cells, Comparisons, Sample, build_sample, sample_of

__all__ = [
    "ENGINES",
    "LOG_VALUE",
    "OUTCOMES",
    "Cells",
    "Comparisons",
    "Design",
    "Engine",
    "NoDesign",
    "Panel",
    "RawFit",
    "Regression",
    "Sample",
    "Variance",
    "build_sample",
    "estimate",
    "infer",
    "label_design",
    "panel_of",
    "sample_of",
    "wald",
]

ENGINES: dict[str, Engine] = {
    "within": within.fit,
    "pyfixest": pyfixest_engine.fit,
    "linearmodels": linearmodels_engine.fit,
}


def estimate(
    design: Design,
    engine: str = "within",
    variance: Variance = "cluster",
    panel: Panel | None = None,
) -> Regression:
    """Fit one design with the named engine and infer from it.

    Estimates equal Stata's `reghdfe y x, absorb(document) vce(cluster cluster)` whichever engine
    runs; `variance="robust"` is its `vce(robust)`. panel : `panel_of(design)` where it
    is there already; the own engine reads it. Raises UsageError for an unknown engine.
    """
    if engine not in ENGINES:
        raise UsageError(f"no engine {engine!r}: the engines are {', '.join(ENGINES)}")
    if engine == "within":
        return infer(design, within.fit(design, variance, panel), variance, engine)
    return infer(design, ENGINES[engine](design, variance), variance, engine)
