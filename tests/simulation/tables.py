"""How a study prints what it measured: shares with exact intervals, as a Markdown table."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor

from scipy import stats


def interval(count, trials, level=0.99):
    found = stats.binomtest(count, trials).proportion_ci(level, method="exact")
    return found.low, found.high


def share(count, trials, level=0.99):
    """3.9 % [3.0, 5.0], the exact interval at 99 %."""
    low, high = interval(count, trials, level)
    return f"{100 * count / trials:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def show(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def measure(study, cells, jobs):
    """The results of `study(**cell)` for every cell, in their order, `jobs` processes at a time."""
    if jobs == 1:
        return [study(**cell) for cell in cells]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(_call, [study] * len(cells), cells))


def _call(study, cell):
    return study(**cell)


def options(description, **defaults):
    """Whole-number options of a study with their defaults; --jobs processes."""
    parser = argparse.ArgumentParser(description=description)
    for name, default in {**defaults, "seed": 1, "jobs": 1}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()
