"""Child processes that collect: start one, see whether it lives, stop it.

In: the home of a run. Out: a process in a session of its own. Whether it lives is told by a lock
on `child.lock` that it inherits and that ends with it, however it ends: no process number can be
mistaken for it, and nothing stale is ever left.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from justeval_api.state.folders import RunHome

CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Child:
    """A process that was started: its number, and when it began as the system tells it."""

    process: subprocess.Popen[bytes]
    started: str | None


def start_child(home: RunHome, keys: Mapping[str, str], allowed: Sequence[str] | None) -> Child:
    """Starts a child that collects the run. The keys go through a pipe that nobody else reads."""
    home.outcome.unlink(missing_ok=True)
    command = [sys.executable, "-P", "-m", "justeval_api.jobs.child", str(home.path.resolve())]
    with home.lock.open("a") as lock, home.log.open("ab") as log:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=home.path,
            env=environment(),
            start_new_session=True,
            pass_fds=(lock.fileno(),),
        )
    assert process.stdin is not None
    given = {"keys": dict(keys), "allowed": None if allowed is None else list(allowed)}
    with contextlib.suppress(OSError), process.stdin as pipe:
        pipe.write(json.dumps(given).encode() + b"\n")
    return Child(process, started_at(process.pid))


def environment() -> dict[str, str]:
    """The environment, with the packages to be found where this process found them."""
    found = dict(os.environ)
    import justeval

    homes = {CHECKOUT, Path(justeval.__file__).resolve().parents[1]}
    paths = sorted(
        str(home) for home in homes if home.name not in ("site-packages", "dist-packages")
    )
    earlier = [found["PYTHONPATH"]] if found.get("PYTHONPATH") else []
    if paths:
        found["PYTHONPATH"] = os.pathsep.join([*paths, *earlier])
    return found


def is_alive(home: RunHome) -> bool:
    """Whether a child of this run lives, whoever started it."""
    try:
        with home.lock.open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def signal_child(home: RunHome, pid: int | None, started: str | None, hard: bool = False) -> bool:
    """Asks a child to stop, or ends it; False where it is not the process that was started."""
    if pid is None or not is_alive(home) or started_at(pid) != started:
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL if hard else signal.SIGTERM)
        return True
    return False


def started_at(pid: int) -> str | None:
    """When a process began, in words of the system that tell it from a later one of its number."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return stat.rpartition(")")[2].split()[19]
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return None
    except OSError:
        return None
    shown = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip() or None
