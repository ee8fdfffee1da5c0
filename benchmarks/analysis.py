"""The analysis beside loops over pyfixest and linearmodels, at the size of JudiFair's study.

    python benchmarks/analysis.py [RUNS [TIMES ...]]

Every contender reads the same Parquet file (see `judifair_size.py`) in a process of its own and
makes what it can: `read` the needed columns alone with names as codes, `read_text` with names as
text, `fits` bias and imbalanced inaccuracy of every label (2,080 regressions), `tables` these with
inconsistency, Wald tests and the count test with 999 draws, `everything` all that `justeval
analyze` makes of the same rows but the diagnosis. The loops read the same columns as codes, group
once and fit the same 2,080 regressions; they make no other table.
`count` is the calibrated count test of one model with 9,999 draws, from fits to p values.
RUNS rounds of all in turn, medians. TIMES are sizes, 1 unless told: 3 has three times the
documents; beyond 1 only reading and the own tables are measured.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent))
import judifair_size

from justeval.aggregate import Analysis, AnalysisOptions, analyze
from justeval.aggregate.fits import layout_for
from justeval.aggregate.labels import reading_of
from justeval.aggregate.side_by_side import cores_for, side_by_side
from justeval.estimate import Layout, Sample, estimate_all, sample_of
from justeval.estimate.encoding import encode
from justeval.inference import FamilyMember, infer_family
from justeval.labels import load_labels

LABELS = {label.id: label for label in load_labels("judicial-cn")}
RANGES = {name: label.range for name, label in LABELS.items() if label.numeric}
DRAWS = 999
SAMPLE_SECONDS = 0.05
WARM_MEGABYTES = 2000

NAMES = ("model", "case_id", "label", "value", "status", "penalty")
NUMBERS = ("is_reference", "repetition", "guilty", "months", "true_months", "cost_usd")


def main() -> None:
    """Prints one row a contender: medians of the runs, and ratios to the loop over pyfixest."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    runs, *sizes = numbers or [5]
    with tempfile.TemporaryDirectory() as folder:
        for times in sizes or [1]:
            file = Path(folder) / f"{times}.parquet"
            rows = judifair_size.write(file, times)
            print(f"\n{rows:,} rows, {file.stat().st_size / 1e6:.0f} MB, {runs} runs")
            names = list(CONTENDERS) if times == 1 else BEYOND_ONE
            _print_rows(names, _measured(names, file, runs))
            file.unlink()


def _measured(names: list[str], file: Path, runs: int) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(runs):
        for name in names:
            command = [sys.executable, __file__, "--contender", name, str(file)]
            found[name].append(_run(command))
    return found


def _run(command: list[str]) -> dict[str, float]:
    """The figures that a contender prints, and from its start on the peak of its memory and its
    children's."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if process.stdout is None or not process.stdout.readline():
        raise SystemExit(f"{' '.join(command)} did not start")
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, _megabytes(process.pid))
        time.sleep(SAMPLE_SECONDS)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed with exit code {process.returncode}")
    return {**json.loads(process.stdout.read().splitlines()[-1]), "megabytes": peak}


def _megabytes(pid: int) -> float:
    """Memory of a process and its children; what they share counts once (proportional set size)."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return own / 1e3 + sum(_megabytes(int(child)) for child in children)


def _print_rows(names: list[str], found: dict[str, list[dict[str, float]]]) -> None:
    middle = {
        name: {key: statistics.median(run[key] for run in found[name]) for key in found[name][0]}
        for name in names
    }
    rival = middle.get("pyfixest", {}).get("seconds")
    print("| contender | s | CPU s | MB | regressions | / read | / read_text | pyfixest / it |")
    print("|---|---|---|---|---|---|---|---|")
    for name, of in middle.items():
        ratio = f"{rival / of['seconds']:.1f}" if rival else ""
        reads = [of["seconds"] / middle[way]["seconds"] for way in ("read", "read_text")]
        print(
            f"| {name} | {of['seconds']:.2f} | {of['cpu']:.2f} | {of['megabytes']:.0f} "
            f"| {of['regressions']:.0f} | {reads[0]:.1f} | {reads[1]:.1f} | {ratio} |"
        )


def read_predictions(file: Path) -> pa.Table:
    """The columns that the tables need, names as codes."""
    with pq.ParquetFile(file, read_dictionary=list(NAMES)) as source:
        return source.read(columns=[*NAMES, *NUMBERS])


def read(file: Path) -> int:
    """The needed columns alone, names as codes: the fastest way."""
    read_predictions(file)
    return 0


def read_text(file: Path) -> int:
    """The needed columns alone, names as text."""
    with pq.ParquetFile(file) as source:
        source.read(columns=[*NAMES, *NUMBERS])
    return 0


def _cores(sample: Sample) -> int:
    return cores_for(int(sample.statuses.sum()))


def _sample(file: Path) -> Sample:
    table = read_predictions(file)
    cores = cores_for(table.num_rows)
    return sample_of(encode(table, cores), 300.0, RANGES, cores)


def _layouts(sample: Sample, model: int) -> Iterator[Layout]:
    """Bias and imbalanced inaccuracy of every label of a model."""
    for label in range(len(sample.labels)):
        cells = sample.grid_of(sample.group(model, label))
        reading = reading_of(sample, LABELS, model, label)
        for outcome in (cells.log_months, cells.absolute_error):
            layout = layout_for(reading, cells, outcome)
            if isinstance(layout, Layout):
                yield layout


def fits(file: Path) -> int:
    """All regressions by the own engine, models side by side as an analysis has them."""
    sample = _sample(file)

    def of_model(model: int) -> int:
        return len(estimate_all(list(_layouts(sample, model))))

    return sum(side_by_side(of_model, range(len(sample.models)), _cores(sample)))


def tables(file: Path) -> int:
    """Bias, inaccuracy, inconsistency, Wald and count tests."""
    return _regressions(_analyzed(file, AnalysisOptions(draws=DRAWS, brief=True)))


def everything(file: Path) -> int:
    """All that an analysis makes."""
    return _regressions(_analyzed(file, AnalysisOptions(draws=DRAWS)))


def _analyzed(file: Path, options: AnalysisOptions) -> Analysis:
    table = read_predictions(file)
    return analyze(table, LABELS, options, cores=cores_for(table.num_rows))


def _regressions(found: Any) -> int:
    labels = [label for model in found.models for label in model.labels]
    made = [fit for label in labels for fit in (label.bias, label.imbalanced_inaccuracy)]
    return sum(1 for fit in made if fit.p is not None)


def pyfixest(file: Path) -> int:
    """The loop over `feols`, with the options that make it fastest."""
    import pyfixest as pf

    def fit(frame: Any, columns: list[str]) -> None:
        pf.feols(
            f"y ~ {' + '.join(columns)} | document",
            data=frame,
            vcov={"CRV1": "document"},
            copy_data=False,
            store_data=False,
            lean=True,
        ).tidy()

    return _loop(file, fit)


def linearmodels(file: Path) -> int:
    """The loop over `AbsorbingLS`."""
    import pandas as pd
    from linearmodels.iv.absorbing import AbsorbingLS

    def fit(frame: Any, columns: list[str]) -> None:
        absorbed = pd.DataFrame({"document": pd.Categorical(frame["document"])})
        model = AbsorbingLS(frame["y"], frame[columns], absorb=absorbed)
        model.fit(cov_type="clustered", clusters=frame["document"])

    return _loop(file, fit)


def _loop(file: Path, fit: Callable[[Any, list[str]], None]) -> int:
    """Read the same columns, group once, fit both outcomes of every label of every model."""
    warnings.simplefilter("ignore")
    frame = _frame(file)
    made = 0
    for (_model, name), part in frame.groupby(["model", "label"], observed=True, sort=False):
        part, columns = _with_columns(part, name)
        for outcome in ("log_months", "absolute_error"):
            fit(part.rename(columns={outcome: "y"}), columns)
            made += 1
    return made


def _frame(file: Path) -> Any:
    """The rows of the main sample, as a rival would make them with pandas."""
    names = ["model", "case_id", "label", "value", "penalty", "months", "true_months"]
    texts = names[:5]
    frame = pq.read_table(file, columns=names, read_dictionary=texts).to_pandas()
    frame = frame[(frame["penalty"] == "fixed_term") & (frame["months"] <= 300)]
    frame["document"] = frame["case_id"].cat.codes
    frame["log_months"] = np.log(frame["months"] + 1.0)
    frame["absolute_error"] = (frame["true_months"] - frame["months"]).abs()
    return frame[["model", "label", "value", "document", "log_months", "absolute_error"]]


def _with_columns(part: Any, label: str) -> tuple[Any, list[str]]:
    part = part.copy()
    if label in RANGES:
        part["x0"] = np.log(part["value"].astype(str).astype(float))
        return part, ["x0"]
    reference = LABELS[label].reference
    others = [value for value in part["value"].unique() if value != reference]
    for place, value in enumerate(others):
        part[f"x{place}"] = (part["value"] == value).astype(float)
    return part, [f"x{place}" for place in range(len(others))]


def count(file: Path) -> int:
    """The calibrated count test of the first model, 9,999 draws; timed without the reading."""
    sample = _sample(file)
    half = list(_layouts(sample, 0))[::2]
    members = [FamilyMember(place, design) for place, design in enumerate(half)]
    _restart()
    infer_family(members, rng=np.random.default_rng(1), draws=9999)
    return len(members)


CONTENDERS: dict[str, Callable[[Path], int]] = {
    "read": read,
    "read_text": read_text,
    "fits": fits,
    "tables": tables,
    "everything": everything,
    "count": count,
    "pyfixest": pyfixest,
    "linearmodels": linearmodels,
}
BEYOND_ONE = ["read", "read_text", "tables", "everything"]
STARTED = {"wall": 0.0, "cpu": 0.0}


def _restart() -> None:
    STARTED["wall"], STARTED["cpu"] = time.perf_counter(), _processor_seconds()


def contend(name: str, file: Path) -> None:
    """Run one contender and print its figures; what it imports is not counted.

    Memory is touched and given back first, for all contenders alike: a virtual machine that handed
    its free memory to its host waits for it at the first touch (here up to 2 s a gigabyte).
    """
    if name in ("pyfixest", "linearmodels"):
        __import__(name)
    np.ones(WARM_MEGABYTES * 125_000)
    print("started", flush=True)
    _restart()
    made = CONTENDERS[name](file)
    seconds = time.perf_counter() - STARTED["wall"]
    cpu = _processor_seconds() - STARTED["cpu"]
    print(json.dumps({"seconds": seconds, "cpu": cpu, "regressions": made}))


def _processor_seconds() -> float:
    """Of this process and of those that it has ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(of.ru_utime + of.ru_stime for of in used)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--contender"]:
        contend(sys.argv[2], Path(sys.argv[3]))
    else:
        main()
