"""The journal loses nothing: half lines, locks, damage, a full disk, a slow one."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import textwrap
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from justeval.errors import RunError
from justeval.runs.journal import Journal, drop_half_line, read_journal


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


def write(path, *keys):
    journal = Journal(path)
    for key in keys:
        journal.append({"key": key, "reply": f"reply of {key}"})
    journal.close()


def keys(path):
    return [line["key"] for line in read_journal(path)]


def test_lines_come_back_as_written(path):
    line = {"key": "a", "reply": '{"刑期": 36}\n\u2028"', "cost_usd": 0.1, "error": None}
    journal = Journal(path)
    journal.append(line)
    journal.close()
    assert list(read_journal(path)) == [line]
    assert path.read_bytes().count(b"\n") == 1


def test_no_journal_is_an_empty_one(path):
    assert keys(path) == []


@pytest.mark.parametrize("cut", [1, 5, 20, 30])
def test_half_a_line_is_dropped_and_no_more(path, cut):
    write(path, "a", "b")
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert keys(path) == ["a"]
    write(path, "c")
    assert keys(path) == ["a", "c"]


def test_half_a_line_longer_than_a_block_is_dropped(path):
    write(path, "a")
    with path.open("ab") as file:
        file.write(b'{"key": "b", "reply": "' + b"x" * 200_000)
    drop_half_line(path)
    assert keys(path) == ["a"]
    assert path.read_bytes().endswith(b"}\n")


def test_a_first_line_that_is_half_leaves_an_empty_journal(path):
    path.write_bytes(b'{"key": "a"')
    drop_half_line(path)
    assert path.read_bytes() == b""


@given(cut=st.integers(0, 400), n=st.integers(0, 6))
def test_a_kill_at_any_byte_leaves_whole_lines(tmp_path_factory, cut, n):
    path = tmp_path_factory.mktemp("cut") / "journal.jsonl"
    write(path, *map(str, range(n)))
    data = path.read_bytes()[:cut]
    path.write_bytes(data)
    whole = data.count(b"\n")
    write(path, "next")
    assert keys(path) == [*map(str, range(whole)), "next"]


@pytest.mark.parametrize("damage", [b"{]\n", b"\n", b"\x00\x00\n", b"[1]\n", b'{"no": 1}\n'])
def test_a_damaged_line_is_named(path, damage):
    write(path, "a")
    path.write_bytes(path.read_bytes() + damage)
    write(path, "b")
    with pytest.raises(RunError, match=r"journal\.jsonl line 2: "):
        keys(path)


def test_a_second_process_is_refused(path):
    journal = Journal(path)
    with pytest.raises(RunError, match="another process is collecting this run"):
        Journal(path)
    journal.close()
    write(path, "a")


LOCKED_AND_GONE = """
import os, sys
from pathlib import Path
from justeval.runs.journal import Journal

journal = Journal(Path(sys.argv[1]))
os._exit(9)
"""


def test_a_lock_of_a_process_that_is_gone_holds_nobody_back(path):
    assert (
        subprocess.run([sys.executable, "-c", LOCKED_AND_GONE, path], check=False).returncode == 9
    )
    write(path, "a")
    assert keys(path) == ["a"]


def test_synced_lines_are_on_disk(path):
    async def run():
        journal = Journal(path)
        try:
            told = []
            journal.append({"key": "a"}, lambda: told.append("a"))
            assert (path.read_bytes(), told) == (b"", [])
            await journal.sync()
            assert (journal.written, told) == (1, ["a"])
            return path.read_bytes()
        finally:
            journal.close()

    assert json.loads(asyncio.run(run())) == {"key": "a"}


FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from justeval.errors import RunError
from justeval.runs.journal import Journal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (130, 130))
journal = Journal(Path(sys.argv[1]))
for key in "abcde":
    journal.append({"key": key, "reply": "x" * 30})
for write in (lambda: asyncio.run(journal.sync()), journal.close):
    try:
        write()
    except RunError as error:
        print(error)
"""


def test_a_full_disk_stops_cleanly_and_leaves_whole_lines(path):
    command = [sys.executable, "-c", textwrap.dedent(FULL_DISK), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("cannot be written (File too large); free space and run again") == 2
    assert keys(path) == ["a", "b"]
    assert path.read_bytes().endswith(b"\n")
    write(path, "c")
    assert keys(path) == ["a", "b", "c"]


def test_what_json_has_no_number_for_is_refused_before_it_is_taken(path):
    journal = Journal(path)
    with pytest.raises(ValueError):
        journal.append({"key": "a", "cost_usd": float("nan")})
    journal.close()
    assert keys(path) == []


def test_a_slow_disk_holds_the_asking_back(path, monkeypatch):
    monkeypatch.setattr("justeval.runs.journal.LONGEST_UNSYNCED_SECONDS", 0.1)
    monkeypatch.setattr("justeval.runs.journal.os.fsync", lambda _: time.sleep(0.4))

    async def run():
        journal = Journal(path)
        try:
            await journal.room()
            journal.append({"key": "a"})
            syncing = asyncio.create_task(journal.sync())
            await asyncio.sleep(0.15)
            start = time.monotonic()
            await journal.room()
            waited = time.monotonic() - start
            await syncing
            await journal.room()
            return waited
        finally:
            journal.close()

    assert asyncio.run(run()) > 0.15


def test_a_sync_that_is_cancelled_loses_and_repeats_nothing(path, monkeypatch):
    fsync = os.fsync
    monkeypatch.setattr("justeval.runs.journal.os.fsync", lambda f: (time.sleep(0.1), fsync(f)))
    told = []

    async def run():
        journal = Journal(path)
        try:
            for key in "abcdef":
                journal.append({"key": key}, lambda key=key: told.append(key))
                syncing = asyncio.create_task(journal.sync())
                await asyncio.sleep(0.02)
                syncing.cancel()
                await asyncio.gather(syncing, return_exceptions=True)
            assert len(told) < 6
        finally:
            journal.close()
        return journal.written

    assert asyncio.run(run()) == 6
    assert keys(path) == told == list("abcdef")


def test_lines_are_handed_to_the_system_before_a_slow_sync_is_done(path, monkeypatch):
    monkeypatch.setattr("justeval.runs.journal.os.fsync", lambda _: time.sleep(0.5))

    async def run():
        journal = Journal(path)
        syncing = asyncio.create_task(journal.keep_syncing())
        try:
            journal.append({"key": "a"})
            await asyncio.sleep(0.7)  # a sync is under way
            journal.append({"key": "b"})
            await asyncio.sleep(0.25)
            return keys(path), journal.written
        finally:
            syncing.cancel()
            await asyncio.gather(syncing, return_exceptions=True)
            journal.close()

    assert asyncio.run(run()) == (["a", "b"], 0)
    assert keys(path) == ["a", "b"]


def test_a_sync_that_fails_ends_the_writing(path, monkeypatch):
    def broken(_: int) -> None:
        raise OSError(5, "Input/output error")

    async def run():
        journal = Journal(path)
        try:
            journal.append({"key": "a"})
            await asyncio.wait_for(journal.keep_syncing(), 10)
        finally:
            with pytest.raises(RunError, match="Input/output error"):
                journal.close()

    monkeypatch.setattr("justeval.runs.journal.os.fsync", broken)
    with pytest.raises(RunError, match="Input/output error"):
        asyncio.run(run())
