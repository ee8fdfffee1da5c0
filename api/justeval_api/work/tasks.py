"""The tasks of a worker, by name. A task's module is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

HOMES = {
    "analyze": "justeval_api.work.analyzing:analyze_runs",
    "export": "justeval_api.work.exporting:export_runs",
    "browse": "justeval_api.work.browsing:make_browsable",
    "check_cases": "justeval_api.work.casefiles:check_cases_file",
    "preview_cases": "justeval_api.work.casefiles:preview_cases_file",
    "check_pack": "justeval_api.work.packs:check_pack_file",
    "check_prompt": "justeval_api.work.packs:check_prompt_file",
    "sample_label": "justeval_api.work.packs:sample_label",
    "check_order": "justeval_api.work.planning:check_order",
    "plan": "justeval_api.work.planning:plan_order",
    "export_prompts": "justeval_api.work.exchanging:export_prompts_file",
    "import_replies": "justeval_api.work.exchanging:import_replies_file",
}

QUICK = frozenset(
    {"preview_cases", "check_pack", "check_prompt", "sample_label", "check_order", "plan"}
)
"""Tasks that a person waits for; they have a worker of their own, behind no heavy one."""


class _Tasks(Mapping[str, Callable[..., Any]]):
    def __getitem__(self, name: str) -> Callable[..., Any]:
        module, _, attribute = HOMES[name].partition(":")
        task: Callable[..., Any] = getattr(import_module(module), attribute)
        return task

    def __iter__(self) -> Iterator[str]:
        return iter(HOMES)

    def __len__(self) -> int:
        return len(HOMES)


TASKS: Mapping[str, Callable[..., Any]] = _Tasks()
