"""The pieces behind the routes, each by itself: counts, locks, cursors, shelves, workers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from justeval.errors import UsageError
from justeval.runs import RunFolder
from justeval_api.errors import InvalidError, ServiceError, WorkError
from justeval_api.jobs.children import is_alive, started_at
from justeval_api.jobs.places import Places
from justeval_api.jobs.progress import JournalTail
from justeval_api.jobs.settling import settled
from justeval_api.paging import cursor_of, offset_of, page_of, position_of
from justeval_api.services.stored import Once, Shelf, Stored
from justeval_api.services.tables import csv_of
from justeval_api.settings import Settings
from justeval_api.state.database import Database
from justeval_api.state.folders import Folders, RunHome, keep_json, new_id
from justeval_api.state.records import RunRecord
from justeval_api.work.options import ResultOptions, digest
from justeval_api.work.pool import Pool


def line(key: str, model: str = "m", **more: Any) -> bytes:
    """A line of a journal."""
    return json.dumps({"key": key, "model": model, **more}).encode() + b"\n"


def test_a_journal_is_counted_as_it_grows(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    tail = JournalTail(folder, ["m", "n"])
    tail.read()
    assert tail.answered == 0 and tail.requests is None
    keep_json(folder.manifest_path, {"requests": 6})
    with folder.journal.open("wb") as file:
        file.write(line("a", cost_usd=0.5) + line("b", error={"kind": "x"}) + line("c", "n")[:-5])
        file.flush()
        tail.read()
        assert (tail.answered, tail.requests) == (1, 6)
        file.write(line("c", "n")[-5:] + line("b", cost_usd=0.25))
        file.flush()
        tail.read()
    first, second = tail.counted()
    assert (first.answered, first.failed, first.cost_usd, first.requests) == (2, 0, 0.75, 3)
    assert (second.answered, second.failed, second.cost_usd) == (1, 0, None)
    folder.journal.write_bytes(line("z"))
    tail.read()
    assert tail.answered == 1


def test_a_journal_that_is_damaged_stops_nothing(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.journal.write_bytes(b"[]\n{}\nno json\n" + line("a"))
    tail = JournalTail(folder, [])
    tail.read()
    assert tail.answered == 1


def record_of(**fields: Any) -> RunRecord:
    """A run that collects."""
    known = {"id": "run-000000000001", "created_at": "t", "updated_at": "t", "kind": "collected",
             "state": "collecting", "request": {}}  # fmt: skip
    return RunRecord(**{**known, **fields})


@pytest.mark.parametrize(
    ("state", "outcome", "answered", "has_keys", "crashes", "wanted"),
    [
        ("collecting", {"complete": True}, 3, True, 0, "complete"),
        ("collecting", {}, 3, True, 0, "complete"),  # killed after its last answer
        ("canceling", {"stopped": ["canceled"]}, 2, True, 0, "canceled"),
        ("collecting", {"stopped": ["canceled"]}, 2, True, 0, "waiting"),  # the service was stopped
        ("collecting", {"stopped": ["m: 20 failures"]}, 2, True, 0, "incomplete"),
        ("collecting", {"error": {"kind": "x", "message": "no"}}, 0, True, 0, "failed"),
        ("collecting", {}, 2, True, 0, "waiting"),
        ("collecting", {}, 2, False, 0, "needs_key"),
        ("collecting", {}, 0, True, 3, "failed"),  # it dies every time
        ("collecting", {}, 1, True, 3, "waiting"),  # it dies, but it progresses
    ],
)
def test_what_becomes_of_a_run_whose_child_has_ended(
    tmp_path: Path,
    state: str,
    outcome: dict[str, Any],
    answered: int,
    has_keys: bool,
    crashes: int,
    wanted: str,
) -> None:
    home = RunHome(tmp_path / "runs" / "run-000000000001")
    keep_json(home.folder.manifest_path, {"requests": 3})
    if outcome:
        keep_json(home.outcome, outcome)
    home.folder.journal.write_bytes(b"".join(line(str(i)) for i in range(answered)))
    tail = JournalTail(home.folder, ["m"])
    tail.read()
    ended = settled(record_of(state=state, crashes=crashes), home, tail, has_keys)
    assert ended.state == wanted
    assert ended.pid is None
    assert ended.counted[0].answered == answered


def test_a_lock_tells_whether_a_child_lives(tmp_path: Path) -> None:
    home = RunHome(tmp_path)
    assert not is_alive(home)
    code = (
        "import fcntl, time\n"
        f"file = open({str(home.lock)!r}, 'a'); fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print('held', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    assert is_alive(home)
    assert started_at(child.pid) == started_at(child.pid) is not None
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert not is_alive(home)
    assert started_at(child.pid) is None
    assert started_at(os.getpid()) is not None


def test_cursors_are_ours_or_refused() -> None:
    for position in (0, 50, ["2026", "run-1"], {"a": 1}):
        assert position_of(cursor_of(position)) == position
    items = list(range(7))
    seen: list[int] = []
    cursor = None
    while True:
        page, cursor = page_of(items, cursor, 3)
        seen += page
        if cursor is None:
            break
    assert seen == items
    for wrong in (cursor_of(-1), cursor_of("a"), cursor_of(None), cursor_of(2**60), "%%"):
        with pytest.raises(InvalidError):
            offset_of(wrong)


def test_a_shelf_keeps_what_was_used_last() -> None:
    shelf = Shelf(most_bytes=250)
    for name in "abc":
        shelf.put(name, Stored.of(b"x" * 100, "application/json"))
        shelf.get("a")
    assert shelf.get("b") is None
    assert shelf.get("a") is not None and shelf.get("c") is not None
    assert shelf.bytes == 200
    shelf.put("a", Stored.of(b"y" * 10, "application/json"))
    assert shelf.bytes == 110
    large = Stored.of(b"z" * 10_000, "application/json")
    assert large.compressed is not None and len(large.compressed) < 1_000


def test_what_many_ask_for_at_once_is_done_once() -> None:
    """A failure is everyone's; who leaves takes the work from nobody."""
    done: list[str] = []

    async def work() -> str:
        await asyncio.sleep(0.05)
        done.append("work")
        return "done"

    async def fails() -> str:
        await asyncio.sleep(0.05)
        raise InvalidError("no")

    async def asked() -> None:
        once = Once()
        waiting = [asyncio.create_task(once.do("a", work)) for _ in range(5)]
        await asyncio.sleep(0.01)
        waiting[0].cancel()
        given = await asyncio.gather(*waiting, return_exceptions=True)
        assert given[1:] == ["done"] * 4 and isinstance(given[0], asyncio.CancelledError)
        assert await once.do("a", work) == "done"
        failed = await asyncio.gather(
            *(once.do("b", fails) for _ in range(3)), return_exceptions=True
        )
        assert all(isinstance(error, InvalidError) for error in failed)

    asyncio.run(asked())
    assert done == ["work", "work"]


def test_rows_become_csv_with_nested_fields_and_no_formulas() -> None:
    rows = [
        {"a": "=1+1", "b": {"c": 0.1, "d": None}, "e": [1, 2]},
        {"a": "+x\n\u202e", "b": {"c": 1e-300, "f": True}, "e": []},
    ]
    text = csv_of(rows)
    assert text.splitlines()[0] == "a,b.c,b.d,e,b.f"
    assert '\'=1+1,0.1,,"[1, 2]",' in text
    assert "\"'+x\n" in text and "1e-300" in text and "true" in text


def test_places_are_found_by_id_alone(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path, tmp_path)
    own = new_id("pack")
    (tmp_path / f"{own}.yaml").write_text("pack: own")
    assert places.pack(own) == tmp_path / f"{own}.yaml"
    assert places.pack("placebo").name == "placebo.yaml"
    for name in ("../x", str(tmp_path / own), "", ".", "pack-1", f"{own}/..", "placebo.yaml"):
        with pytest.raises(ServiceError):
            places.pack(name)
    with pytest.raises(ValueError, match="no id"):
        Folders(tmp_path).run("../../etc")


def test_a_database_that_is_damaged_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "justeval.sqlite"
    path.write_bytes(b"this is no database, it only has the name of one" * 100)
    with pytest.raises(UsageError, match="--reindex"):
        Database(path)


def test_options_are_named_the_same_in_every_process() -> None:
    options = ResultOptions(alpha=0.1)
    assert ResultOptions.from_json(options.as_json()) == options
    assert digest(options.as_json()) != digest(ResultOptions().as_json())
    assert digest("a", 1, None) == digest("a", 1, None)


def test_workers_do_equal_work_once_and_survive_death(tmp_path: Path) -> None:
    pack = tmp_path / "pack.yaml"
    pack.write_text("pack: own\n")

    async def work() -> None:
        pool = Pool(1)
        try:
            asked = [pool.do("check_pack", {"path": str(pack)}) for _ in range(3)]
            found = await asyncio.gather(*asked, return_exceptions=True)
            assert all(isinstance(error, WorkError) for error in found)
            worker = pool._quick.workers[0]._process
            assert worker is not None
            worker.kill()
            await worker.wait()
            with pytest.raises(WorkError) as raised:
                await pool.do("check_pack", {"path": str(pack)})
            assert raised.value.kind == "LabelPackError"
            with pytest.raises(ServiceError, match="log"):
                await pool.do("check_pack", {"nothing": 1})
            with pytest.raises(ServiceError, match="longer than"):
                await pool.do("check_prompt", {"path": str(pack)}, seconds=0.0001)
        finally:
            await pool.close()

    asyncio.run(work())


def test_settings_tell_who_can_reach_the_service() -> None:
    assert Settings().local
    assert not Settings(host="192.0.2.7", token="x" * 16).local
