"""Worker processes for heavy work, and the tasks that wait for them.

In: the name of a task and its arguments (JSON). Out: what the task returned (JSON). A task that
takes too long is ended with its process; a process that dies is replaced, and its task tried once
more. Equal tasks that are asked for at the same time are done once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Mapping
from typing import Any

from justeval.errors import Problem
from justeval_api.errors import BusyError, ServiceError, WorkError
from justeval_api.jobs.children import environment
from justeval_api.work.options import digest
from justeval_api.work.tasks import QUICK

LONGEST_LINE = 256_000_000
LONGEST_SECONDS = 1_800.0
log = logging.getLogger("justeval_api")
Result = Any


class DiedError(ServiceError):
    """A worker that ended in the middle of a task."""


class Pool:
    """So many workers for heavy tasks, and one for quick ones; each is started when needed."""

    def __init__(self, size: int) -> None:
        self._heavy, self._quick = _Lane(size), _Lane(1)
        self._doing: dict[str, asyncio.Task[Result]] = {}

    async def do(
        self, task: str, arguments: Mapping[str, Any], seconds: float = LONGEST_SECONDS
    ) -> Result:
        """The result of a task. Raises WorkError with the library's words where it fails."""
        name = digest(task, dict(arguments))
        doing = self._doing.get(name)
        if doing is None:
            doing = asyncio.create_task(self._do(task, arguments, seconds))
            self._doing[name] = doing
            doing.add_done_callback(lambda _: self._doing.pop(name, None))
        return await asyncio.shield(doing)

    async def _do(self, task: str, arguments: Mapping[str, Any], seconds: float) -> Result:
        lane = self._quick if task in QUICK else self._heavy
        worker = await lane.idle.get()
        try:
            for left in (1, 0):
                try:
                    async with asyncio.timeout(seconds):
                        return await worker.do(task, arguments)
                except DiedError:
                    await worker.end()
                    if not left:
                        raise
                except TimeoutError:
                    await worker.end()
                    raise BusyError(f"this took longer than {seconds:g} s; ask for less") from None
            raise AssertionError("unreachable")
        finally:
            lane.idle.put_nowait(worker)

    async def close(self) -> None:
        """Ends all workers."""
        for doing in list(self._doing.values()):
            doing.cancel()
            with contextlib.suppress(asyncio.CancelledError, ServiceError):
                await doing
        for worker in (*self._heavy.workers, *self._quick.workers):
            await worker.end()


class _Lane:
    """Workers that stand ready for tasks of one sort."""

    def __init__(self, size: int) -> None:
        self.workers = [_Worker() for _ in range(size)]
        self.idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        for worker in self.workers:
            self.idle.put_nowait(worker)


class _Worker:
    """One process, asked line by line."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def do(self, task: str, arguments: Mapping[str, Any]) -> Result:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _start()
        assert process.stdin is not None
        assert process.stdout is not None
        line = json.dumps({"task": task, "arguments": dict(arguments)}) + "\n"
        try:
            process.stdin.write(line.encode())
            await process.stdin.drain()
            answer = await process.stdout.readline()
        except (ConnectionError, ValueError) as error:
            raise DiedError("a worker ended in the middle of its work") from error
        except asyncio.CancelledError:
            await self.end()
            raise
        if not answer.endswith(b"\n"):
            raise DiedError("a worker ended in the middle of its work")
        return _result(json.loads(answer))

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.wait()


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "justeval_api.work"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
        env=environment(),
        start_new_session=True,
    )


def _result(answer: Mapping[str, Any]) -> Result:
    error = answer.get("error")
    if error is None:
        return answer["result"]
    if error["kind"] is None:
        log.error("work failed:\n%s", error["message"])
        raise ServiceError("the work failed; the service's log says why")
    problems = [Problem(place, message) for place, message in error["problems"]]
    raise WorkError(error["kind"], error["message"], problems, error["status"])
