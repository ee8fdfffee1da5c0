"""The choices of an analysis, as query parameters that all results share."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Query

from justeval_api.work.options import ResultOptions

Engine = Literal["within", "pyfixest", "linearmodels"]
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
        bool, Query(description="Without the replies that findings flag.")
    ] = False,
) -> ResultOptions:
    return ResultOptions(alpha, engine, as_published, longest_months, exclude_flagged)


Options = Annotated[ResultOptions, Depends(_options)]

Model = Annotated[str | None, Query(max_length=300, description="One model only.")]
LabelName = Annotated[str | None, Query(max_length=300, description="One label only.")]
Actor = Annotated[str | None, Query(max_length=100, examples=["defendant"])]
Category = Annotated[str | None, Query(max_length=100, examples=["substance"])]
Demographic = Annotated[bool | None, Query(description="Personal traits only, or the others.")]
Placebo = Annotated[bool | None, Query(description="Placebo labels only, or the others.")]
