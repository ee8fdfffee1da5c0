"""How fast variants are made, and made and written to Parquet, as they stream.

    python benchmarks/variants.py [--copies N]

Each case set that ships is taken N times under new ids, so that no two texts are the same, with
its own packs. The best of three passes is printed, in variants a second of wall time; on a busy
machine the rate by processor time, beside it, says more. Goal: 100,000.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from justeval.cases import Case, load_cases
from justeval.labels import load_labels
from justeval.variants import Skipped, make_variants
from justeval.variants.table import write_variants

PASSES = 3


def many(cases: tuple[Case, ...], copies: int) -> list[Case]:
    """The cases again and again, each time with an id and an ending of its own."""
    return [
        replace(case, case_id=f"{case.case_id}-{i}", facts=f"{case.facts} {i}")
        for i in range(copies)
        for case in cases
    ]


def best_rates(count_variants: Callable[[], int]) -> tuple[int, str]:
    """How many variants a pass makes; the best rates of some passes, by wall and processor time."""
    wall, processor = [], []
    for _ in range(PASSES):
        started = time.perf_counter(), time.process_time()
        count = count_variants()
        wall.append(time.perf_counter() - started[0])
        processor.append(time.process_time() - started[1])
    return count, f"{count / min(wall):9,.0f} ({count / min(processor):9,.0f})"


def measure(name: str, copies: int, folder: Path) -> None:
    """Prints one line: a case set, how many variants, and the rates."""
    cases = load_cases(name)
    labels = load_labels(",".join(cases.labels))
    stream = many(cases.cases, copies)
    path = folder / "variants.parquet"

    def make() -> int:
        return sum(not isinstance(item, Skipped) for item in make_variants(stream, labels))

    def write() -> int:
        return write_variants(make_variants(stream, labels), path).rows

    count, made = best_rates(make)
    _, written = best_rates(write)
    size = path.stat().st_size / count
    print(f"{name:14} {count:12,} {made:>24} {written:>24} {size:9.0f}")


def main() -> None:
    """Measures both case sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=10, help="how often each case is taken")
    copies = parser.parse_args().copies
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f} before the start; best of {PASSES} passes")
    print("rates: variants a second of wall time (of processor time)")
    print(f"{'case set':14} {'variants':>12} {'made':>24} {'made and written':>24} {'bytes':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("us-sentencing", "cn-sentencing"):
            measure(name, copies, Path(folder))


if __name__ == "__main__":
    main()
