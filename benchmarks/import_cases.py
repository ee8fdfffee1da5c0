"""Importing a large file of cases, beside pyarrow's own CSV reader on the same file.

    python benchmarks/import_cases.py [ROWS] [FOLDER]

ROWS cases (1,000,000) of 2,000 characters, with quotation marks, commas and line breaks in the
facts, are written to a CSV file (2 GB), which is deleted at the end. Then, round by round in turn
and each in a process of its own:

    read     pyarrow.csv.read_csv of all columns as text into one table
    import   justeval's `cases import` of the file to Parquet: read, checked, mapped, written
    stream   pyarrow.csv.open_csv of the same, batch by batch, nothing kept: the least work there is
    careful  the import by the careful reader, which names rows (what a damaged file costs); once

The table has the median of the rounds with the fastest and the slowest, and what must hold: in the
median round, import at no less than half the speed of read, and always under 500 MB. Of what import
costs beyond stream, most is looking at every quotation mark and writing the Parquet file.
"""

from __future__ import annotations

import csv
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHARACTERS = 2_000
ROUNDS = 5
MODES = ("read", "import", "stream")
MOST_MEGABYTES = 500
Figures = dict[str, float]
"""Of one process: rows, seconds, processor seconds, peak megabytes."""


def write_file(path: Path, rows: int) -> None:
    """Writes the file: 500 different texts in turn, each row with its own id and term."""
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 10))) for _ in range(3_000)]
    texts = []
    for _ in range(500):
        text = " ".join(rng.choices(words, k=450))
        text = f'{text[:300]}, "he said",\n{text[300:]}'
        texts.append(text[: CHARACTERS - 1] + ".")
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["case_id", "facts", "charge", "true_months"])
        for i in range(rows):
            writer.writerow([f"c{i}", texts[i % 500], "theft", i % 300])


def read(path: Path, stream: bool) -> int:
    """pyarrow's readers, with their defaults but for text columns and line breaks in cells."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    names = ["case_id", "facts", "charge", "true_months"]
    options = {
        "parse_options": arrow_csv.ParseOptions(newlines_in_values=True),
        "convert_options": arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
    }
    if stream:
        return sum(batch.num_rows for batch in arrow_csv.open_csv(path, **options))
    return arrow_csv.read_csv(path, **options).num_rows


def import_file(path: Path, careful: bool) -> int:
    """The whole import; `careful` makes the fast reader decline."""
    from justeval.casefiles import delimited, import_cases
    from justeval.casefiles.records import NotPlainError

    if careful:

        def declines(self, columns):
            raise NotPlainError

        delimited._Reader._fast = declines
    out = path.with_name("out.parquet")
    try:
        return import_cases(path, out).cases
    finally:
        out.unlink(missing_ok=True)


def measure(mode: str, path: Path) -> None:
    """Runs one mode in this process and prints its figures as JSON."""
    import resource

    start, spent = time.perf_counter(), time.process_time()
    if mode in ("read", "stream"):
        rows = read(path, mode == "stream")
    else:
        rows = import_file(path, mode == "careful")
    figures = {
        "rows": rows,
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - spent,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
    }
    print(json.dumps(figures))


def measured(mode: str, path: Path, rows: int) -> Figures:
    """Runs one mode in a process of its own."""
    command = [sys.executable, __file__, "--measure", mode, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: Figures = json.loads(done.stdout)
    assert figures["rows"] == rows
    return figures


def print_table(found: dict[str, list[Figures]]) -> None:
    """One line a mode: medians over the rounds, and the fastest and the slowest."""
    print("| | seconds | fastest to slowest | processor seconds | peak MB |")
    print("|---|---|---|---|---|")
    for mode, rounds in found.items():
        seconds = [figures["seconds"] for figures in rounds]
        processor = statistics.median(figures["processor"] for figures in rounds)
        peak = max(figures["megabytes"] for figures in rounds)
        span = f"{min(seconds):.1f} to {max(seconds):.1f}"
        median = statistics.median(seconds)
        print(f"| {mode} | {median:.1f} | {span} | {processor:.1f} | {peak:,.0f} |")


def main() -> None:
    """Prints the table; the exit code is 1 where what must hold does not."""
    if len(sys.argv) == 4 and sys.argv[1] == "--measure":
        measure(sys.argv[2], Path(sys.argv[3]))
        return
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    found: dict[str, list[Figures]] = {mode: [] for mode in MODES}
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        path = Path(folder) / "cases.csv"
        write_file(path, rows)
        load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the start"
        print(f"{rows:,} rows, {path.stat().st_size / 1e9:.2f} GB; {load}; {ROUNDS} rounds\n")
        for number in range(ROUNDS):
            for mode in MODES if number % 2 == 0 else reversed(MODES):
                found[mode].append(measured(mode, path, rows))
        found["careful"] = [measured("careful", path, rows)]
    print_table(found)
    ratios = [
        read["seconds"] / done["seconds"]
        for read, done in zip(found["read"], found["import"], strict=True)
    ]
    median = statistics.median(ratios)
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"\nSpeed of import beside read, round by round: {shown}; median {median:.2f}.")
    most = max(figures["megabytes"] for figures in found["import"])
    if median < 0.5 or most > MOST_MEGABYTES:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
