"""Time and memory of the demo after installation: wall-clock seconds and the peak of all processes.

    python benchmarks/demo.py [RUNS]

Memory is the highest sum of resident memory over the process and its children, sampled every 50 ms
from /proc; it therefore runs on Linux alone.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLE_SECONDS = 0.05
PAGE = 4096


def resident_bytes(pid: int) -> int:
    """Resident memory of a process and of all its descendants."""
    try:
        own = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, IndexError):
        return 0
    return own + sum(resident_bytes(int(child)) for child in children)


def run_once() -> tuple[float, float]:
    """Seconds and megabytes of one demo in a folder of its own."""
    folder = Path(tempfile.mkdtemp())
    start = time.perf_counter()
    command = [sys.executable, "-m", "justeval", "demo", "--out", str(folder / "demo")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, resident_bytes(process.pid))
        time.sleep(SAMPLE_SECONDS)
    seconds = time.perf_counter() - start
    shutil.rmtree(folder)
    if process.returncode:
        raise SystemExit(f"the demo failed with exit code {process.returncode}")
    return seconds, peak / 1e6


def main() -> None:
    """Prints every run and the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    measured = [run_once() for _ in range(runs)]
    for seconds, megabytes in measured:
        print(f"{seconds:6.1f} s  {megabytes:6.0f} MB")
    seconds = statistics.median(s for s, _ in measured)
    megabytes = statistics.median(m for _, m in measured)
    print(f"median {seconds:.1f} s, {megabytes:.0f} MB over {runs} runs")


if __name__ == "__main__":
    main()
