"""`justeval doctor`: what works on this machine."""

from __future__ import annotations

import click

from justeval.cli.shared import as_json, print_json
from justeval.doctor import examine


@click.command()
@click.option("--model", default="simulated", show_default=True, help="Asked one harmless thing.")
@click.option("--base-url", default=None, help="Another OpenAI-compatible address.")
@as_json
def doctor(model: str, base_url: str | None, as_json: bool) -> int:
    """Say in ten lines what works here: packages, keys, proxies, a model's answer."""
    checks = examine(model, base_url)
    if as_json:
        rows = [{"check": c.name, "ok": c.ok, "found": c.found} for c in checks]
        print_json({"checks": rows})
    else:
        for check in checks:
            click.echo(f"{'ok  ' if check.ok else 'FAIL'} {check.name:<13}{check.found}")
    return 0 if all(check.ok for check in checks) else 1
