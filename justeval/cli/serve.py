"""`justeval serve`: the REST API, and the page where it is built."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from justeval.cli.shared import path_option
from justeval.errors import UsageError


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Beyond 127.0.0.1: --token.")
@click.option("--port", type=click.IntRange(0, 65535), default=8787, show_default=True)
@path_option(
    "--data",
    default=Path("justeval-data"),
    show_default=True,
    help="Folder for runs, case sets and packs.",
)
@click.option(
    "--token",
    envvar="JUSTEVAL_TOKEN",
    default=None,
    help="What callers must send; better by the variable JUSTEVAL_TOKEN.",
)
@click.option(
    "--allow-host", multiple=True, help="A name under which the service is reached; repeatable."
)
@click.option(
    "--allow-address",
    multiple=True,
    help="A host or network of models that callers from elsewhere may name; repeatable.",
)
@click.option("--reindex", is_flag=True, help="Make the database anew from the folder.")
def serve(
    host: str,
    port: int,
    data: Path,
    token: str | None,
    allow_host: tuple[str, ...],
    allow_address: tuple[str, ...],
    reindex: bool,
) -> None:
    """Serve the REST API and the page on this machine, until Ctrl-C."""
    try:
        serving = import_module("justeval_api.serving")
        settings = import_module("justeval_api.settings")
    except ModuleNotFoundError as error:
        raise UsageError(f"the service is not installed: no module {error.name}") from error
    chosen = settings.Settings(
        data=data,
        host=host,
        port=port,
        token=token,
        allowed_hosts=allow_host,
        allowed_addresses=allow_address,
    )
    serving.serve(chosen, lambda line: click.echo(line, err=True), reindex)
