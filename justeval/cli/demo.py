"""`justeval demo`: the main job on two simulated models, whose truth is known."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from justeval.cli.shared import path_option
from justeval.demo import DemoResult, run_demo
from justeval.report import show_models


@click.command()
@path_option("--out", default=Path("justeval-demo"), show_default=True, help="Folder of the run.")
def demo(out: Path) -> None:
    """Ask two simulated models about the United States cases, analyze, report.

    One model has effects planted in it, the other has none. Nothing leaves this machine.
    """
    click.echo(
        "Two simulated models are asked over HTTP about 60 cases in many versions.", err=True
    )
    result = run_demo(out)
    click.echo(show_models(result.analysis))
    _print_found(result)
    click.echo("\nThis is an audit tool and no judge; not significant is not fair.")
    click.echo(f"all labels: {_called()} analyze {out}")
    click.echo(f"the report: {result.report}")


def _called() -> str:
    """The command by which this program was called, as it can be typed again."""
    called = sys.argv[0]
    if Path(called).name == "__main__.py":
        return f"{Path(sys.executable).name} -m justeval"
    if not Path(called).name.startswith("justeval"):
        return "justeval"
    found = shutil.which("justeval")
    return "justeval" if found and Path(found).resolve() == Path(called).resolve() else called


def _print_found(result: DemoResult) -> None:
    click.echo("\nPlanted in simulated-planted, and found (log points):")
    for row in result.found:
        if row.coef is None or row.ci_low is None or row.ci_high is None:
            estimate = "no estimate"
        else:
            inside = row.ci_low <= row.planted <= row.ci_high
            note = "" if inside else "  (the interval misses it)"
            estimate = f"{row.coef:+.3f}  [{row.ci_low:+.3f}, {row.ci_high:+.3f}]{note}"
        click.echo(f"  {row.label} = {row.value}: planted {row.planted:+.3f}, found {estimate}")
