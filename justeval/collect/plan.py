"""What is to be asked: the choices of a run, written down before the first request.

In: a case set, labels, prompts, models, parameters. Out: a plan, its manifest, and whether a run
that is already there was made by the same choices.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from justeval.cases import Case, CaseSet
from justeval.errors import UsageError
from justeval.labels import Label, Pack, load_pack
from justeval.models.records import Endpoint, Parameters
from justeval.prompts import Prompt, Template, prompts_for
from justeval.runs import FORMAT, Manifest, RunFolder

PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "httpx", "linearmodels", "pyfixest")
CHOICES = (
    "dataset", "labels", "packs", "prompts", "models", "parameters", "repetitions", "order_seed",
)  # fmt: skip
"""What two commands must share to be about the same run."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of a run. `limit` is the number of documents asked, None for all."""

    cases: CaseSet
    labels: tuple[Label, ...]
    endpoints: tuple[Endpoint, ...]
    prompts: tuple[Prompt, ...]
    parameters: Parameters = field(default_factory=Parameters)
    repetitions: int = 1
    limit: int | None = None
    order_seed: int = 0

    @property
    def asked_cases(self) -> tuple[Case, ...]:
        """The cases that are asked: the first `limit` of the set."""
        return self.cases.cases[: self.limit]

    @property
    def packs(self) -> tuple[Pack, ...]:
        """The packs that the labels come from, in order."""
        return tuple(load_pack(path) for path in dict.fromkeys(x.pack_path for x in self.labels))

    def templates(self, endpoint: Endpoint) -> tuple[Template, ...]:
        """What is said to a model, a template a language: the prompts, or their yes-or-no question
        to a model that decides. Raises UsageError where a prompt has none."""
        if endpoint.kind != "decision":
            return self.prompts
        asked: list[Template] = []
        for prompt in self.prompts:
            if prompt.decision is None:
                raise UsageError(
                    f"{endpoint.name} answers yes or no, and the prompt {prompt.id} holds no such "
                    "question; take --question probability, or a --prompt with `decision:`"
                )
            asked.append(prompt.decision)
        return tuple(asked)


def plan_prompts(cases: CaseSet, question: str, own: Sequence[Prompt]) -> tuple[Prompt, ...]:
    """The prompts of a case set's languages. Raises UsageError where one is missing."""
    chosen = prompts_for(question, cases.languages, own)
    return tuple(chosen[language] for language in cases.languages)


def manifest_of(plan: Plan, requests: int, skipped: dict[str, int], run_id: str) -> Manifest:
    """The manifest: every choice by which the run can be understood and repeated."""
    cases = plan.cases
    packs = plan.packs
    return {
        "format": FORMAT,
        "justeval": version("justeval"),
        "run_id": run_id,
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "dataset": {
            "name": cases.name,
            "title": cases.title,
            "sha256": cases.sha256,
            "documents": len(plan.asked_cases),
            "documents_in_set": len(cases.cases),
            "longest_months": cases.longest_months,
            "question": plan.prompts[0].question,
        },
        "packs": [{"pack": p.name, "sha256": _sha256(p.path)} for p in packs],
        "labels": [label.id for label in plan.labels],
        "prompts": [_prompt(p, plan.endpoints) for p in plan.prompts],
        "models": [endpoint.as_json() for endpoint in plan.endpoints],
        "parameters": plan.parameters.as_json(),
        "repetitions": plan.repetitions,
        "order_seed": plan.order_seed,
        "requests": requests,
        "skipped": skipped,
        "packages": {name: version(name) for name in PACKAGES},
    }


def _prompt(prompt: Prompt, endpoints: Sequence[Endpoint]) -> dict[str, str]:
    """What a manifest says of a prompt; of its yes-or-no question where that is asked."""
    said = {"id": prompt.id, "language": prompt.language, "question": prompt.question}
    said["sha256"] = prompt.sha256
    if prompt.decision and any(endpoint.kind == "decision" for endpoint in endpoints):
        said["decision_sha256"] = prompt.decision.sha256
    return said


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_same_plan(folder: RunFolder, plan: Plan) -> None:
    """Raises UsageError where a run's folder was made by other choices than these."""
    manifest = folder.manifest()
    now = manifest_of(plan, 0, {}, "")
    differing = [name for name in CHOICES if manifest.get(name) != now[name]]
    if differing:
        raise UsageError(
            f"{folder.path}: holds a run with other {', '.join(differing)}; "
            "choose another folder for --out, or give the same options to go on with it"
        )
