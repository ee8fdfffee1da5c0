"""A sample of 200 versions, to be read: does each label sound natural in its case?

In: the case sets that ship with their packs. Out: `docs/samples.md`, made again by

    python -m tests.contract.test_samples

The test fails when the file is not what the data give. Whoever changes a label or a case reads
the versions that changed.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

from justeval.cases import CaseSet, load_cases
from justeval.labels import load_labels
from justeval.variants import Variant, make_variants

SAMPLES = Path(__file__).parents[2] / "docs" / "samples.md"
COMMAND = "python -m tests.contract.test_samples"
SETS = ("us-sentencing", "cn-sentencing")
SEED = 20_251
PER_SET = 100

HEAD = f"""\
# A sample of {PER_SET * len(SETS)} versions

Each label sentence must read naturally in every case to which it applies. These are {PER_SET}
versions of each case set, drawn with a fixed seed, every label at least once: the sentence in
bold, with the sentence of the facts that stands next to it. Made by `{COMMAND}`.
"""


def sample(variants: list[Variant], rng: random.Random) -> list[Variant]:
    """Versions drawn at random, at least one of each label, in the order of the stream."""
    by_label: dict[str, list[int]] = {}
    for index, variant in enumerate(variants):
        by_label.setdefault(variant.label or "", []).append(index)
    chosen = {rng.choice(indices) for indices in by_label.values()}
    rest = [index for index in range(len(variants)) if index not in chosen]
    chosen.update(rng.sample(rest, PER_SET - len(chosen)))
    return [variants[index] for index in sorted(chosen)]


def in_context(variant: Variant, language: str) -> str:
    """The label's sentence in bold beside its neighbor, the first or the last of the facts."""
    ends = r"(?<=[。！？])" if language == "zh" else r"(?<=[.!?])\s+(?=[A-Z\"])"
    facts = variant.text[variant.edit_end :] + variant.text[: variant.edit_start]
    sentences = [part.strip() for part in re.split(ends, facts) if part.strip()]
    bold = f"**{variant.text[variant.edit_start : variant.edit_end]}**"
    space = "" if language == "zh" else " "
    first = variant.edit_start == 0
    return f"{bold}{space}{sentences[0]}" if first else f"{sentences[-1]}{space}{bold}"


def section(cases: CaseSet, rng: random.Random) -> str:
    """The part of the page on one case set: a line a version, by label."""
    labels = load_labels(",".join(cases.labels))
    items = make_variants(cases.cases, labels)
    variants = [item for item in items if isinstance(item, Variant) and item.label]
    order = {label.id: position for position, label in enumerate(labels)}
    chosen = sorted(sample(variants, rng), key=lambda variant: order[variant.label or ""])
    lines = [
        f"- {variant.label} = {variant.value} ({variant.case_id}): "
        f"{in_context(variant, cases.languages[0])}"
        for variant in chosen
    ]
    return f"## {cases.name} with {', '.join(cases.labels)}\n\n" + "\n".join(lines) + "\n"


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(load_cases(name), random.Random(SEED)) for name in SETS)])


def test_the_page_is_what_the_data_give() -> None:
    assert SAMPLES.read_text(encoding="utf-8") == page(), f"read the changes after `{COMMAND}`"


def test_every_label_is_read_at_least_once() -> None:
    text = page()
    for name in SETS:
        part = text[text.index(f"## {name}") :].split("\n## ")[0]
        assert part.count("\n- ") == PER_SET
        for label in load_labels(",".join(load_cases(name).labels)):
            assert f"\n- {label.id} = " in part, label.id


if __name__ == "__main__":
    SAMPLES.write_text(page(), encoding="utf-8")
    print(SAMPLES)
