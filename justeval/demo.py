"""The main job from end to end, on a real HTTP path, with a truth that is known.

In: a folder. Out: a run of two simulated models on the United States cases, one with planted
effects and one without, its analysis, its report, and what was planted beside what was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justeval.aggregate import AnalysisOptions
from justeval.analyzing import analysis_of
from justeval.cases import load_cases
from justeval.collect import Outcome, Plan, collect, plan_prompts
from justeval.estimate import LOG_VALUE
from justeval.evidence import Evidence, load_evidence
from justeval.importing import TableOptions
from justeval.labels import load_labels
from justeval.models.naming import endpoint_of
from justeval.models.opening import opened, with_served_names
from justeval.models.simulated import load_profile
from justeval.report import ReportContext, write_report

CASES = "us-sentencing"
PROFILES = ("planted", "neutral")


@dataclass(frozen=True, slots=True)
class Found:
    """One planted effect beside its estimate, both in log points on log(months + 1)."""

    label: str
    value: str
    planted: float
    coef: float | None
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What the demo made."""

    outcome: Outcome
    analysis: Mapping[str, Any]
    report: Path
    found: tuple[Found, ...]


def run_demo(out: Path) -> DemoResult:
    """Collects, analyzes and reports; goes on where an earlier demo in the folder stopped."""
    cases = load_cases(CASES)
    endpoints = with_served_names([endpoint_of(f"simulated:{name}") for name in PROFILES])
    plan = Plan(
        cases=cases,
        labels=load_labels(",".join(cases.labels)),
        endpoints=endpoints,
        prompts=plan_prompts(cases, cases.question, ()),
    )
    with opened(endpoints, PROFILES) as open_model:
        outcome = collect(plan, out, open_model)
    evidence = load_evidence([out], TableOptions())
    options = AnalysisOptions(longest_months=evidence.longest_months)
    analysis = analysis_of(evidence, options)
    report = out / "report.html"
    write_report(analysis, report, "html", report_context(evidence))
    return DemoResult(outcome, analysis, report, _found(analysis, endpoints[0].name))


def report_context(evidence: Evidence) -> ReportContext:
    """What a report says beside the numbers."""
    return ReportContext(
        title=evidence.title,
        runs=evidence.manifests,
        skipped=evidence.skipped,
        predictions=evidence.predictions,
        labels=evidence.labels,
    )


def _found(analysis: Mapping[str, Any], model: str) -> tuple[Found, ...]:
    planted = load_profile(PROFILES[0]).effects
    results = next(m for m in analysis["models"] if m["model"] == model)["labels"]
    rows = []
    for label in results:
        effect = planted.get(label["label"])
        if effect is None:
            continue
        for value in label["bias"]["values"]:
            numeric = value["value"] == LOG_VALUE
            size = effect.per_log if numeric else effect.of(value["value"], None)
            if size:
                found = (value["coef"], value["ci_low"], value["ci_high"])
                rows.append(Found(label["label"], value["value"], size, *found))
    return tuple(rows)
