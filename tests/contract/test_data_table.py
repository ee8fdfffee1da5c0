"""The table of formats in docs/data.md: each command is run on the files that the page makes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from justeval.casefiles.opening import FORMATS
from justeval.cases import check_cases
from tests.contract.test_docs import ROOT, Block, blocks_of, empty_folder, run, run_python

PAGE = ROOT / "docs" / "data.md"
HEAD = "| format | command | prints |\n|---|---|---|\n"


def table() -> tuple[list[Block], list[tuple[str, list[str]]]]:
    """The blocks above the table, and its rows: a command and the lines that it prints."""
    above, rest = PAGE.read_text(encoding="utf-8").split(HEAD)
    rows = []
    for line in rest.split("\n\n")[0].splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        rows.append((cells[2].strip(" `"), re.findall(r"`([^`]+)`", cells[3])))
    return blocks_of(above), rows


def test_every_command_of_the_table_prints_what_it_shows() -> None:
    blocks, rows = table()
    files = set()
    with empty_folder(blocks):
        for block in blocks:
            if block.language == "pycon":
                run_python(block.body)
        for command, shown in rows:
            code, printed = run(command)
            notes = [line.strip() for line in printed if line.startswith("  note: ")]
            assert code == 0
            assert [line.replace("\\|", "|") for line in shown] == [
                printed[0], *notes, printed[-1]
            ], command  # fmt: skip
            cases = check_cases(Path("cases.parquet")).cases
            assert [(case.case_id, case.true_months) for case in cases] == [
                ("001", 9),
                ("002", None),
            ]
            files.add(Path(command.split()[3]).suffix)
    assert files == {".csv", ".tsv", ".txt", ".jsonl", ".json", ".xlsx", ".parquet"}


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_is_named_on_the_page_or_in_the_guide(suffix: str) -> None:
    guide = (ROOT / "docs" / "importing.md").read_text(encoding="utf-8")
    assert f"`{suffix}`" in guide
