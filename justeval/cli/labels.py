"""`justeval labels list|show|check|new`: the registry of extra-legal factors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from justeval.cli.labels_new import new
from justeval.cli.shared import as_json, path_argument, print_json
from justeval.errors import LabelPackError
from justeval.labels import Label, find_label, load_pack, load_shipped_packs, read_pack
from justeval.report.formatting import counted


@click.group()
def labels() -> None:
    """The registry of labels: which factors can be changed."""


labels.add_command(new)


@labels.command("list")
@click.option("--pack", "pack_name", default=None, help="One pack, by name or path.")
@as_json
def list_labels(pack_name: str | None, as_json: bool) -> None:
    """List the labels of all packs, or of one."""
    packs = (load_pack(pack_name),) if pack_name else load_shipped_packs()
    found = [label for pack in packs for label in pack.labels]
    if as_json:
        print_json({"labels": [label_json(label) for label in found]})
        return
    for pack in packs:
        values = sum(label.n_values for label in pack.labels)
        count = f"{counted(len(pack.labels), 'label')}, {counted(values, 'value')}"
        click.echo(f"{pack.name}: {pack.title} ({count})")
        for label in pack.labels:
            shown = ", ".join(value.id for value in label.values)
            click.echo(f"  {label.id:<36} {label.actor:<12} {label.category:<10} {shown}")


@labels.command("show")
@click.argument("label_id")
@click.option("--pack", "pack_name", default=None, help="One pack, by name or path.")
@as_json
def show_label(label_id: str, pack_name: str | None, as_json: bool) -> None:
    """Show one label with its sentences."""
    packs = (load_pack(pack_name),) if pack_name else load_shipped_packs()
    every = tuple(label for pack in packs for label in pack.labels)
    first = find_label(every, label_id)
    found = [label for label in every if label.id == first.id]
    if as_json:
        print_json({"labels": [label_json(label) for label in found]})
        return
    for label in found:
        _print_label(label)


def _print_label(label: Label) -> None:
    click.echo(f"{label.id} ({label.pack}): {next(iter(label.name.values()))}")
    trait = "a personal trait" if label.demographic else "no personal trait"
    stands = {"opening": "before", "closing": "after"}[label.place]
    click.echo(f"  {label.actor}, {label.category}, {trait}; stands {stands} the facts")
    if label.requires:
        click.echo(f"  only where {', '.join(label.requires)}")
    if label.excluded_charges:
        click.echo(f"  not where the charge has: {', '.join(label.excluded_charges)}")
    click.echo(f"  source: {label.source}")
    for value in label.values:
        mark = "*" if value.id == label.reference else " "
        for language, sentence in value.sentence.items():
            click.echo(f"  {mark} {value.id:<24} {language}  {sentence}")
    click.echo("  * the reference value")


@labels.command("check")
@path_argument("file")
@as_json
def check_labels(file: Path, as_json: bool) -> int:
    """Check a pack of your own; every problem with file, line and field."""
    try:
        pack = read_pack(file)
    except LabelPackError as error:
        if as_json:
            rows = [{"place": p.place, "message": p.message} for p in error.problems]
            print_json({"file": str(file), "ok": False, "problems": rows})
        for problem in error.problems:
            click.echo(str(problem), err=True)
        return error.exit_code
    count = len(pack.labels)
    if as_json:
        print_json({"file": str(file), "ok": True, "pack": pack.name, "labels": count})
    else:
        values = sum(len(label.values) for label in pack.labels)
        told = f"{counted(count, 'label')}, {counted(values, 'value')} asked"
        click.echo(f"{file}: sound; {told}")
    return 0


def label_json(label: Label) -> dict[str, Any]:
    """A label as JSON. `n_values` is what its source counts, `values` are those asked."""
    return {
        "id": label.id,
        "pack": label.pack,
        "name": dict(label.name),
        "actor": label.actor,
        "category": label.category,
        "demographic": label.demographic,
        "placebo": label.placebo,
        "kind": label.kind,
        "place": label.place,
        "requires": list(label.requires),
        "excluded_charges": list(label.excluded_charges),
        "source": label.source,
        "reference": label.reference,
        "n_values": label.n_values,
        "unit": label.unit,
        "range": list(label.range) if label.range else None,
        "values": [
            {"id": v.id, "name": dict(v.name), "sentence": dict(v.sentence), "number": v.number}
            for v in label.values
        ],
    }
