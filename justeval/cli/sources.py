"""Options that the commands which read runs or a table share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from justeval.aggregate import OUTCOMES, AnalysisOptions
from justeval.aggregate.analysis import FEWEST_DRAWS
from justeval.aggregate.side_by_side import cores_for
from justeval.analyzing import analysis_of, outcome_of
from justeval.cli.shared import pairs
from justeval.estimate import ENGINES
from justeval.evidence import Evidence, load_evidence
from justeval.importing import TableOptions

Command = TypeVar("Command", bound=Callable[..., Any])

_TABLE = (
    click.option("--map", "maps", multiple=True, help="ours=theirs, a column; repeatable."),
    click.option("--label", default=None, help="The label of a table without that column."),
    click.option("--reference", default=None, help="The reference value of a table."),
    click.option("--model", default=None, help="The model of a table without that column."),
    click.option(
        "--longest-months",
        type=click.FloatRange(min=0, min_open=True),
        default=None,
        help="Bound of the main sample. Default: the case set's; 300 for a table.",
    ),
)
_ANALYSIS = (
    click.option("--alpha", type=click.FloatRange(0, 1, True, True), default=0.05),
    click.option("--engine", type=click.Choice(list(ENGINES)), default="within"),
    click.option("--as-published", is_flag=True, help="The reading of the JudiFair study."),
    click.option(
        "--brief",
        is_flag=True,
        help="Bias, inaccuracy, inconsistency and their tests alone: large runs in seconds.",
    ),
    click.option(
        "--draws",
        type=click.IntRange(min=FEWEST_DRAWS),
        default=9999,
        show_default=True,
        help="Sign draws of the calibrated tests.",
    ),
    click.option(
        "--rng-seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Seed of all that is drawn.",
    ),
    click.option(
        "--margin",
        type=click.FloatRange(0, 1, True, True),
        default=0.05,
        show_default=True,
        help="Of the ratio of mean sentences, within which values count as equivalent.",
    ),
    click.option(
        "--outcome",
        type=click.Choice(list(OUTCOMES)),
        default=None,
        help="What effects are measured on. Default: what the run asks for.",
    ),
    click.option(
        "--robustness",
        is_flag=True,
        help="Estimate the published family of specifications, with a joint test over it.",
    ),
    click.option("--by-charge", is_flag=True, help="Estimate every label in each charge."),
    click.option(
        "--by-severity", is_flag=True, help="Estimate every label in light and in grave cases."
    ),
    click.option(
        "--exclude-flagged",
        is_flag=True,
        help="Estimate once more without the replies that the diagnosis flags.",
    ),
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was asked for on the command line, by name."""

    options: Mapping[str, Any]

    def evidence(self, sources: tuple[Path, ...]) -> Evidence:
        """The runs, or the table."""
        given = self.options
        bounded = not given.get("as_published", False)
        table = TableOptions(
            pairs(given["maps"], "--map"),
            given["label"],
            given["reference"],
            given["model"],
            bounded,
        )
        return load_evidence(sources, table, given["longest_months"])

    def analysis(self, evidence: Evidence) -> AnalysisOptions:
        """The options of an analysis of this evidence."""
        names = ("alpha", "engine", "as_published", "brief", "draws", "rng_seed", "margin")
        return AnalysisOptions(
            longest_months=evidence.longest_months,
            outcome=self.options["outcome"] or self._outcome(evidence),
            **{name: self.options[name] for name in names},
        )

    def document(self, evidence: Evidence) -> dict[str, Any]:
        """The analysis that was asked for."""
        flags = {
            name: self.options[name]
            for name in ("exclude_flagged", "robustness", "by_charge", "by_severity")
        }
        cores = cores_for(evidence.predictions.num_rows)
        return analysis_of(evidence, self.analysis(evidence), **flags, cores=cores)

    def _outcome(self, evidence: Evidence) -> str:
        return "log_months" if self.options["as_published"] else outcome_of(evidence)


def table_options(command: Command) -> Command:
    """The options that say how a table is to be read, and the bound of the main sample."""
    return _with(command, _TABLE)


def analysis_options(command: Command) -> Command:
    """The options of an analysis, those of a table among them."""
    return _with(command, (*_TABLE, *_ANALYSIS))


def _with(command: Command, options: tuple[Callable[[Any], Any], ...]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
