"""The tree of commands. A command's module is imported when the command is called, not before."""

from __future__ import annotations

from importlib import import_module

import click

from justeval import __version__

HOMES = {
    "labels": "justeval.cli.labels:labels",
    "cases": "justeval.cli.cases:cases",
    "variants": "justeval.cli.variants:variants",
    "prompts": "justeval.cli.prompts:prompts",
    "collect": "justeval.cli.collect:collect",
    "reread": "justeval.cli.collect:reread",
    "simulate": "justeval.cli.simulate:simulate",
    "import": "justeval.cli.imports:imports",
    "analyze": "justeval.cli.analyze:analyze",
    "report": "justeval.cli.analyze:report",
    "diagnose": "justeval.cli.diagnose:diagnose",
    "explain": "justeval.cli.explain:explain",
    "compare": "justeval.cli.compare:compare",
    "power": "justeval.cli.power:power",
    "demo": "justeval.cli.demo:demo",
    "serve": "justeval.cli.serve:serve",
    "doctor": "justeval.cli.doctor:doctor",
}


class LazyGroup(click.Group):
    """A group whose commands are named in HOMES and imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the data's way."""
        return list(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, or None."""
        home = HOMES.get(cmd_name)
        if home is None:
            return None
        module, _, attribute = home.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="justeval")
def app() -> None:
    """Counterfactual fairness audits of language models that decide or advise on legal outcomes.

    One extra-legal factor of a case is changed at a time, the model is asked about each version,
    and document fixed effects tell whether the factor moves the answer. This is an audit tool; it
    judges nobody's case.
    """
