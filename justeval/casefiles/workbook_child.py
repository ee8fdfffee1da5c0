"""Reads one sheet of a workbook, in a process of its own whose memory is bounded.

In: a path, the sheet wanted and a bound in bytes, as arguments. Out: on standard output, pickled:
the sheet's name, the other visible ones, and its rows as text; or what is wrong. A damaged workbook
can make its reader take all memory or end the process: then this one ends, and no other. The
parent runs this file by its path, so nothing of justeval is imported here.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import pickle
import sys
from typing import Any

EXACT = 2.0**53
"""Whole numbers up to this are held exactly in a spreadsheet's numbers."""


def text_of(cell: object) -> str:
    """A cell as a spreadsheet shows it without a format: 36, 0.5, 2024-05-01, true."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < EXACT else repr(cell)
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return cell.date().isoformat()
    if isinstance(cell, dt.datetime | dt.date | dt.time):
        return cell.isoformat()
    return str(cell)


def read(path: str, sheet: str) -> dict[str, Any]:
    """The sheet, the first visible one with cells unless named; or `unknown` with all names."""
    import python_calamine as calamine

    with calamine.load_workbook(path) as book:
        visible = calamine.SheetVisibleEnum.Visible
        every = list(book.sheet_names)
        shown = [found.name for found in book.sheets_metadata if found.visible == visible]
        wanted = (shown or every) if not sheet else _named(sheet, every)
        if sheet and len(wanted) != 1:
            return {"unknown": every}
        for name in wanted:
            cells = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
            rows = [[text_of(cell) for cell in row] for row in cells]
            if sheet or any(any(row) for row in rows):
                others = [other for other in shown if other != name]
                return {"name": name, "rows": rows, "others": others}
    return {"name": shown[0] if shown else "none", "rows": [], "others": []}


def _named(sheet: str, every: list[str]) -> list[str]:
    """The sheets of a name, in any case of letters where none has just these."""
    exact = [name for name in every if name == sheet]
    return exact or [name for name in every if name.casefold() == sheet.casefold()]


def main(path: str, sheet: str, most_bytes: str) -> None:
    """Reads and writes the answer."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not every system can bound
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(most_bytes), int(most_bytes)))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer = read(path, sheet)
    except MemoryError:
        answer = {"memory": True}
    except BaseException as error:  # noqa: BLE001 the reader's panics are no Exception
        locked = type(error).__name__ == "PasswordError"
        answer = {"locked": locked, "wrong": (str(error).splitlines() or ["damaged"])[0]}
    pickle.dump(answer, sys.stdout.buffer, protocol=5)


if __name__ == "__main__":
    main(*sys.argv[1:])
