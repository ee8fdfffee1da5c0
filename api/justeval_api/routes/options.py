"""The choices of an analysis, as query parameters that all results share."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Query

from justeval.aggregate.analysis import FEWEST_DRAWS
from justeval_api.work.options import ResultOptions

Engine = Literal["within", "pyfixest", "linearmodels"]
Outcome = Literal["log_months", "months", "poisson", "full", "guilt", "decision", "probability"]
Format = Annotated[
    Literal["json", "csv"],
    Query(alias="format", description="json, or the whole list as CSV."),
]


def _options(
    alpha: Annotated[
        float, Query(gt=0, lt=1, description="Level of the verdicts.", examples=[0.05])
    ] = 0.05,
    engine: Annotated[Engine, Query(description="Who computes the regressions.")] = "within",
    as_published: Annotated[bool, Query(description="Read as the JustEva paper did.")] = False,
    longest_months: Annotated[
        float | None,
        Query(gt=0, le=100_000, description="Bound of the main sample; default: the case set's."),
    ] = None,
    exclude_flagged: Annotated[
        bool, Query(description="Estimate once more without the replies that findings flag.")
    ] = False,
    draws: Annotated[
        int, Query(ge=FEWEST_DRAWS, le=99_999, description="Sign draws of the calibrated tests.")
    ] = 9_999,
    rng_seed: Annotated[
        int, Query(ge=0, le=2**31 - 1, description="Seed of all that is drawn.")
    ] = 0,
    margin: Annotated[
        float,
        Query(gt=0, lt=1, description="Of the ratio of means, within which values are equivalent."),
    ] = 0.05,
    outcome: Annotated[
        Outcome | None,
        Query(description="What effects are measured on; default: what the run asks for."),
    ] = None,
    robustness: Annotated[
        bool, Query(description="Add the published family of specifications (whole document only).")
    ] = False,
) -> ResultOptions:
    return ResultOptions(
        alpha=alpha,
        engine=engine,
        as_published=as_published,
        longest_months=longest_months,
        exclude_flagged=exclude_flagged,
        draws=draws,
        rng_seed=rng_seed,
        margin=margin,
        outcome=outcome,
        robustness=robustness,
    )


Options = Annotated[ResultOptions, Depends(_options)]

Model = Annotated[str | None, Query(max_length=300, description="One model only.")]
LabelName = Annotated[str | None, Query(max_length=300, description="One label only.")]
Actor = Annotated[str | None, Query(max_length=100, examples=["defendant"])]
Category = Annotated[str | None, Query(max_length=100, examples=["substance"])]
Demographic = Annotated[bool | None, Query(description="Personal traits only, or the others.")]
Placebo = Annotated[bool | None, Query(description="Placebo labels only, or the others.")]
ModelsDiffer = Annotated[
    bool | None, Query(description="Only labels by whose verdicts models differ, or the others.")
]
CellLimit = Annotated[
    int, Query(ge=1, le=2_000, description="Cells a page: a whole heat map at once.", examples=[50])
]
