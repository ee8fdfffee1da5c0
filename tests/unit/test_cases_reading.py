"""Files of cases -> cases: text stays text, in every format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from justeval.cases import Case, check_cases, detect_language
from justeval.cases.rows import read_rows
from justeval.errors import CaseFileError

Write = Callable[..., Path]
FORMATS = ("csv", "jsonl", "parquet")
FACTS = "The defendant took a bicycle."


def write_table(path: Path, columns: list[str], rows: list[list[Any]]) -> Path:
    """A table of cells in the format of the path's suffix, by libraries other than ours."""
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([columns, *rows])
    elif path.suffix == ".jsonl":
        lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    else:
        cells = list(zip(*rows, strict=True)) or [()] * len(columns)
        arrays = [pa.array(column, pa.string()) for column in cells]
        pq.write_table(pa.Table.from_arrays(arrays, names=columns), path)
    return path


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    columns = ["case_id", *draw(st.lists(names, min_size=1, max_size=3, unique=True))]
    columns = list(dict.fromkeys(columns))
    return columns, draw(st.lists(st.lists(texts, min_size=len(columns), max_size=len(columns))))


@pytest.mark.parametrize("suffix", FORMATS)
@given(table=tables())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_table_of_strings_reads_back_equal(
    suffix: str, table: tuple[list[str], list[list[str]]], tmp_path: Path
) -> None:
    columns, rows = table
    path = write_table(tmp_path / f"table.{suffix}", columns, rows)
    read = list(read_rows(path))
    assert [row.problem for row in read] == [""] * len(rows)
    assert [[row.cells[name] for name in columns] for row in read] == rows


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_case_has_all_its_fields(suffix: str, tmp_path: Path) -> None:
    columns = "case_id facts language charge jurisdiction filed_year true_months true_penalty own"
    row = ["1", FACTS, "en", "theft", "us", "2020", "12.5", "fixed_term", "x"]
    checked = check_cases(write_table(tmp_path / f"c.{suffix}", columns.split(), [row]))
    assert checked.problems == ()
    assert checked.cases == (
        Case("1", FACTS, "en", "theft", "us", 2020, 12.5, "fixed_term", {"own": "x"}),
    )


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("text", ["001", "None", "NA", "null", "nan", "1e5", "TRUE", "=1+1", " a "])
def test_what_looks_like_something_else_stays_text(suffix: str, text: str, tmp_path: Path) -> None:
    columns = ["case_id", "facts", "charge", "own"]
    (case,) = check_cases(write_table(tmp_path / f"c.{suffix}", columns, [[text] * 4])).cases
    assert (case.case_id, case.facts, case.charge, case.extra) == (text, text, text, {"own": text})


@pytest.mark.parametrize("suffix", FORMATS)
def test_facts_keep_newlines_quotes_and_every_script(suffix: str, tmp_path: Path) -> None:
    facts = ' "A",\nthen\r\n👩‍⚖️ 被告人李某，{case} \t'
    path = write_table(tmp_path / f"c.{suffix}", ["case_id", "facts"], [["a", facts]])
    assert check_cases(path).cases[0].facts == facts


@pytest.mark.parametrize("suffix", FORMATS)
def test_unknown_is_not_zero(suffix: str, tmp_path: Path) -> None:
    columns = ["case_id", "facts", "true_months", "true_penalty", "filed_year", "charge"]
    path = write_table(tmp_path / f"c.{suffix}", columns, [["a", FACTS, "", " ", "", ""]])
    (case,) = check_cases(path).cases
    assert (case.true_months, case.true_penalty, case.filed_year, case.charge) == (None,) * 4


def test_a_byte_order_mark_is_no_part_of_the_first_column(write: Write) -> None:
    for name, text in {
        "c.csv": f"case_id,facts\na,{FACTS}\n",
        "c.jsonl": json.dumps({"case_id": "a", "facts": FACTS}),
    }.items():
        checked = check_cases(write(b"\xef\xbb\xbf" + text.encode(), name))
        assert [case.case_id for case in checked.cases] == ["a"]


def test_numbers_and_nulls_of_json_and_parquet_are_read(write: Write, tmp_path: Path) -> None:
    row = {"case_id": 7, "facts": FACTS, "true_months": 3, "filed_year": 2020.0, "charge": None}
    jsonl = write(json.dumps(row), "c.jsonl")
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "c.parquet")
    for path in (jsonl, tmp_path / "c.parquet"):
        (case,) = check_cases(path).cases
        assert (case.case_id, case.true_months, case.filed_year, case.charge) == (
            "7",
            3,
            2020,
            None,
        )


def test_blank_lines_are_skipped_and_rows_keep_their_numbers(write: Write) -> None:
    checked = check_cases(write(f"case_id,facts\n\na,{FACTS}\n\nb,\n", "c.csv"))
    assert [case.case_id for case in checked.cases] == ["a"]
    assert [problem.place[-21:] for problem in checked.problems] == [
        "c.csv row 5, column facts"[-21:]
    ]


def test_the_language_is_told_by_the_script_where_no_column_says_it() -> None:
    assert detect_language("被告人李某 took 3 bicycles") == "zh"
    assert detect_language("The defendant said 你好 and left the building at once.") == "en"
    assert detect_language("") == "en"


@pytest.mark.parametrize("suffix", FORMATS)
def test_spans_are_read_in_order(suffix: str, tmp_path: Path) -> None:
    spans = {"defendant_sex": [[4, 13], [0, 3, "their"]], "judge_age": [], "victim_sex": None}
    path = tmp_path / f"c.{suffix}"
    write_table(path, ["case_id", "facts", "spans"], [["a", FACTS, json.dumps(spans)]])
    (case,) = check_cases(path).cases
    assert case.spans == {"defendant_sex": ((0, 3, "their"), (4, 13, ""))}
    assert case.spans["defendant_sex"][0].beside == "their"
    assert "spans" not in case.extra


def test_spans_may_be_json_or_parquet_structures(write: Write, tmp_path: Path) -> None:
    row = {"case_id": "a", "facts": FACTS, "spans": {"defendant_sex": [[0, 3]]}}
    jsonl = write(json.dumps(row), "c.jsonl")
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "c.parquet")
    for path in (jsonl, tmp_path / "c.parquet"):
        assert check_cases(path).cases[0].spans == {"defendant_sex": ((0, 3, ""),)}


WHOLE_FILES: dict[str, tuple[str, str | bytes, str]] = {
    "other format": ("c.xlsx", "", "c.xlsx: cannot read .xlsx; use .csv, .jsonl, .parquet"),
    "empty CSV": ("c.csv", "", "c.csv: the file is empty; the first row names the columns"),
    "duplicate header": (
        "c.csv", "case_id,facts,facts,a,a\n1,b,c,d,e\n",
        "c.csv row 1, column facts: stands twice; rename one (and 1 more)",
    ),
    "duplicate blank header": ("c.csv", "case_id,facts,,\n", "c.csv row 1, column (blank): stands"),
    "open quote": (
        "c.csv", 'case_id,facts\na,"b\n',
        "c.csv line 2: broken CSV (unexpected end of data); check the quotes there",
    ),
    "stray quote": ("c.csv", 'case_id,facts\na,"b"c\n', "c.csv line 2: broken CSV ("),
    "UTF-16": ("c.csv", "case_id,facts\n".encode("utf-16"), "c.csv: not UTF-8 text near byte 0"),
    "GBK": (
        "c.jsonl", json.dumps({"case_id": "被", "facts": "x"}, ensure_ascii=False).encode("gbk"),
        "c.jsonl: not UTF-8 text near byte 13; save it as UTF-8",
    ),
    "no Parquet": ("c.parquet", "case_id,facts\n", "c.parquet: no valid Parquet file ("),
}  # fmt: skip


@pytest.mark.parametrize("kind", WHOLE_FILES)
def test_a_file_that_cannot_be_read_is_named(kind: str, write: Write) -> None:
    name, text, message = WHOLE_FILES[kind]
    path = write(text, name)
    with pytest.raises(CaseFileError) as caught:
        check_cases(path)
    assert str(caught.value).startswith(f"{path.parent}/{message}")
    assert "\n" not in str(caught.value)


def test_a_parquet_column_twice_is_named(tmp_path: Path) -> None:
    array = pa.array(["a"])
    pq.write_table(
        pa.Table.from_arrays([array] * 3, ["case_id", "facts", "facts"]), tmp_path / "c.parquet"
    )
    with pytest.raises(CaseFileError, match=r"c\.parquet, column facts: stands twice; rename one$"):
        check_cases(tmp_path / "c.parquet")


def test_a_file_that_is_missing_or_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for name in ("none.csv", "folder.csv"):
        with pytest.raises(CaseFileError, match=rf"{name}: no such file$"):
            check_cases(tmp_path / name)


def test_ten_thousand_long_cells_are_read(write: Write) -> None:
    stream = io.StringIO()
    csv.writer(stream).writerows([["case_id", "facts"], ["a", "x" * 1_000_000]])
    assert len(check_cases(write(stream.getvalue(), "c.csv")).cases[0].facts) == 1_000_000
