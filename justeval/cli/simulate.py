"""`justeval simulate`: a simulated model behind a real address."""

from __future__ import annotations

import click

from justeval.models.simulated.server import serve


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option(
    "--effects",
    multiple=True,
    help="A profile (neutral, planted) or a YAML file of planted effects; repeatable.",
)
@click.option("--latency-ms", type=click.FloatRange(min=0), default=0.0, show_default=True)
def simulate(port: int, effects: tuple[str, ...], latency_ms: float) -> None:
    """Serve simulated models by the OpenAI chat-completions protocol, until Ctrl-C."""
    serve(
        port,
        list(effects) or ["neutral", "planted"],
        latency_ms=latency_ms,
        on_ready=lambda base_url: click.echo(f"serving {base_url}", err=True),
    )
