"""Files of any format and encoding -> the same cells; every mistake with its row and column."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from justeval.casefiles import ReadOptions, open_source
from justeval.casefiles.dialects import detect_dialect
from justeval.casefiles.encodings import detect_encoding
from justeval.casefiles.opening import read_batches
from justeval.casefiles.records import Batch, NotPlainError, Problems, Source
from justeval.errors import CaseFileError, UsageError

COLUMNS = ["case_id", "facts", "own"]
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "latin-1", "gb18030")
DELIMITERS = (",", ";", "\t", "|")
MANY = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def rows_of(batches: list[Batch]) -> list[list[str | None]]:
    """All cells of some batches."""
    return [list(row.values()) for batch in batches for row in batch.cells.to_pylist()]


def read(path: Path, options: ReadOptions | None = None) -> list[list[str | None]]:
    """All cells of a file without problems, as the fast reader gives them where it can."""
    source = open_source(path, options, whole=True)
    problems = Problems()
    careful = rows_of(list(read_batches(source, source.info.columns, problems)))
    assert problems.found == []
    assert fast(source) in (None, careful)
    return careful


def fast(source: Source) -> list[list[str | None]] | None:
    """What the fast reader reads, or None where it leaves the file to the careful one."""
    try:
        return rows_of(list(source.batches(source.info.columns, Problems(), True)))
    except NotPlainError:
        return None


def problems_of(path: Path) -> list[str]:
    problems = Problems()
    try:
        source = open_source(path, whole=True)
        list(read_batches(source, source.info.columns, problems))
    except CaseFileError as error:
        return [str(problem) for problem in error.problems]
    return [str(problem) for problem in problems.found]


# What may stand in a cell: everything but what a format cannot hold. A lone \r is a line end to
# the csv module wherever it stands, and spreadsheets hold no control characters.
anything = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)
printable = st.text(st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn"]), max_size=20)
words = st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Cf"]), max_size=20)
hanzi = st.text(
    st.sampled_from('被告人盗窃抢劫判处有期徒刑年月，。男女他她的一是在了不和法院,;\n" a1')
)


def tables(cells: st.SearchStrategy[str]) -> st.SearchStrategy[list[list[str]]]:
    """Rows of three cells; the first is never blank, so that no row is."""
    row = st.tuples(cells.map(lambda text: f"x{text}"), cells, cells).map(list)
    return st.lists(row, min_size=1, max_size=6)


@pytest.mark.parametrize("delimiter", DELIMITERS)
@given(rows=tables(anything))
@MANY
def test_any_table_that_pandas_writes_as_text_is_read_back(
    delimiter: str, rows: list[list[str]], tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame.to_csv(path, index=False, sep=delimiter, encoding="utf-8", quoting=1)
    assert read(path) == rows
    assert open_source(path).info.delimiter == delimiter


TEXT_FILES = ("t.csv", "t.tsv", "t.txt", "t.jsonl", "t.json")
SEPARATORS = {"t.csv": ",", "t.tsv": "\t", "t.txt": ";"}
CELLS = {name: words if name == "latin-1" else anything for name in ENCODINGS}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", TEXT_FILES)
@given(data=st.data())
@settings(MANY, max_examples=12)
def test_any_table_that_pandas_writes_in_any_text_format_and_encoding_is_read_back(
    name: str, encoding: str, data: st.DataObject, tmp_path: Path
) -> None:
    rows = data.draw(tables(CELLS[encoding]))
    path = tmp_path / name
    frame = pd.DataFrame(rows, columns=COLUMNS)
    if name in SEPARATORS:
        frame.to_csv(path, index=False, sep=SEPARATORS[name], encoding=encoding, quoting=1)
    else:
        text = frame.to_json(orient="records", lines=name == "t.jsonl", force_ascii=False)
        path.write_text(text, encoding=encoding, newline="")
    delimiter = SEPARATORS.get(name, "")
    assert read(path, ReadOptions(encoding=encoding, delimiter=delimiter)) == rows
    if encoding.startswith("utf"):  # found by the byte-order mark, or tried first
        assert read(path, ReadOptions(delimiter=delimiter)) == rows


@given(rows=tables(hanzi))
@MANY
def test_chinese_in_gb18030_is_found_by_its_bytes(rows: list[list[str]], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [[*rows[0][:1], "被告人李某盗窃手机一部。", rows[0][2]], *rows[1:]]
    pd.DataFrame(rows, columns=COLUMNS).to_csv(path, index=False, encoding="gb18030")
    assert read(path) == rows
    assert open_source(path, whole=True).info.encoding == "GB18030"


@pytest.mark.parametrize("name", ["t.jsonl", "t.json", "t.parquet"])
@given(rows=tables(anything))
@MANY
def test_any_table_that_pandas_writes_as_json_or_parquet_is_read_back(
    name: str, rows: list[list[str]], tmp_path: Path
) -> None:
    path = tmp_path / name
    frame = pd.DataFrame(rows, columns=COLUMNS)
    if name == "t.parquet":
        frame.to_parquet(path, index=False)
    else:
        frame.to_json(path, orient="records", lines=name == "t.jsonl", force_ascii=False)
    assert read(path) == rows


@given(rows=tables(printable))
@settings(MANY, max_examples=15)
def test_any_table_that_pandas_writes_as_a_workbook_is_read_back(
    rows: list[list[str]], tmp_path: Path
) -> None:
    path = tmp_path / "t.xlsx"
    text_only = {"options": {"strings_to_formulas": False, "strings_to_urls": False}}
    with pd.ExcelWriter(path, engine="xlsxwriter", engine_kwargs=text_only) as writer:
        pd.DataFrame(rows, columns=COLUMNS).to_excel(writer, index=False)
    assert read(path) == rows


@given(rows=tables(st.text(st.sampled_from('a",;\n\r\t x'), max_size=8)), quoting=st.booleans())
@settings(MANY, max_examples=80)
def test_the_fast_reader_reads_what_the_careful_one_reads(
    rows: list[list[str]], quoting: bool, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    pd.DataFrame(rows, columns=COLUMNS).to_csv(path, index=False, quoting=int(quoting))
    source = open_source(path)
    problems = Problems()
    careful = rows_of(list(source.batches(source.info.columns, problems, False)))
    found = fast(source)
    assert found is None or (found == careful and not problems.count)


@given(text=st.text(st.sampled_from('a",\n\r'), max_size=30))
@settings(MANY, max_examples=300)
def test_the_fast_reader_never_accepts_what_the_careful_one_refuses(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("p,q\n" + text, encoding="utf-8", newline="")
    source = open_source(path)
    problems = Problems()
    careful = rows_of(list(source.batches(source.info.columns, problems, False)))
    found = fast(source)
    assert found is None or (found == careful and not problems.count)


def test_a_spreadsheets_csv_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = 'case_id;facts;religion\r\n001;"One\r\ntwo; ""three""";None\r\n002;x;NA\r\n\r\n'
    path.write_bytes(text.encode("utf-8-sig"))
    info = open_source(path).info
    assert info.columns == ("case_id", "facts", "religion")
    assert info.described() == (
        f"{path}: CSV, UTF-8 with byte-order mark, delimiter ';', 3 columns"
    )
    assert read(path) == [["001", 'One\r\ntwo; "three"', "None"], ["002", "x", "NA"]]


def test_the_first_line_may_say_the_delimiter(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("sep=|\nid,x|facts\n1|a\n2|b|c\n")
    assert open_source(path).info.columns == ("id,x", "facts")
    assert problems_of(path) == [f"{path} row 4: 3 cells where the header names 2 columns"]


def test_commas_in_cells_do_not_hide_a_semicolon() -> None:
    assert detect_dialect("id;facts\n1;a, b, c\n2;d, e\n").delimiter == ";"
    assert detect_dialect("id,a;b\n1,x\n2,y\n").delimiter == ","
    assert detect_dialect("alone\nx,y\n").delimiter == ","


ACCENTS = "id,name\n1,Müller took a café's till\n2,José ran\n"
SURE = {
    "utf-8": ("Müller", "utf-8", "UTF-8"),
    "utf-8-sig": ("Müller", "utf-8-sig", "UTF-8 with byte-order mark"),
    "utf-16": ("Müller", "utf-16", "UTF-16"),
    "utf-16-le": (ACCENTS, "utf-16-le", "UTF-16 (little endian)"),
    "utf-16-be": (ACCENTS, "utf-16-be", "UTF-16 (big endian)"),
    "latin-1": (ACCENTS, "cp1252", "Latin-1"),
    "iso8859-1": (
        "id,name\n1,Núñez\n2,DECISÃO: CONDENAÇÃO\n3,João e a ação\n",
        "cp1252",
        "Latin-1",
    ),
    "cp1252": ("He said “no” — then José ran. It cost 5 €.", "cp1252", "Windows-1252"),
    "gb18030": ("编号,事实\n1,被告人李某盗窃手机。", "gb18030", "GB18030"),
    "gbk": ("id,fact\n1,经审理查明，被告人张某", "gb18030", "GB18030"),
}


@pytest.mark.parametrize("encoding", SURE)
def test_encodings_are_found_and_named(encoding: str, tmp_path: Path) -> None:
    text, codec, name = SURE[encoding]
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    found = detect_encoding(path)
    assert (found.codec, found.name) == (codec, name)
    assert text.encode(encoding).decode(found.codec) == text


NOT_KNOWN = {
    "Cyrillic": "ид,факты\n1,Подсудимый похитил велосипед у магазина.".encode("cp1251"),
    "traditional": "編號,事實\n1,經審理查明，被告張某竊取手機壹部。".encode("big5"),
    "damaged UTF-8": ("被告人李某" * 50).encode() + b"\xff\xfe" + ("盗窃" * 50).encode(),
    "Japanese": "番号,事実\n1,被告人は自転車を盗んだ。警察は翌日彼を逮捕した。".encode("euc-jp"),
    "Korean": "번호,사실\n1,피고인은 자전거를 훔쳤다. 경찰은 그를 체포했다.".encode("euc-kr"),
    "traditional, long": "編號,事實\n1,公安機關接報後到場，將其逮捕，移送檢察官偵辦。".encode(
        "big5"
    ),
    "noise": bytes(range(128, 256)) * 20,
}


@pytest.mark.parametrize("name", NOT_KNOWN)
def test_what_is_not_known_is_never_guessed(name: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(NOT_KNOWN[name])
    with pytest.raises(CaseFileError, match="--encoding"):
        detect_encoding(path)


def test_an_encoding_that_shows_late_is_found_on_a_second_look(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    filling = "1,plain text\n" * 400_000
    path.write_bytes(("id,facts\n" + filling + "2,被告人盗窃手机一部。\n").encode("gb18030"))
    assert detect_encoding(path).name == "UTF-8"
    assert detect_encoding(path, whole=True).name == "GB18030"


def test_cells_of_200_000_characters_and_27_000_columns_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    header = ["case_id", "facts", *(f"VARIABLE_{i}" for i in range(27_000))]
    long = 'He said "x",\n' * 16_000
    cells = '"' + long.replace('"', '""') + '"'
    rows = [f"{i},{cells}," + ",".join(["9"] * 27_000) for i in range(3)]
    path.write_text("\n".join([",".join(header), *rows]) + "\n", newline="")
    source = open_source(path)
    assert len(source.info.columns) == 27_002
    wanted = ["facts", "case_id", "VARIABLE_26999"]
    for way in (True, False):
        batches = list(source.batches(wanted, Problems(), way))
        assert rows_of(batches) == [[long, str(i), "9"] for i in range(3)]


def test_json_keeps_numbers_as_written_and_nulls_unknown(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 0.10, "b": null, "c": {"d": [1, "x"]}, "e": true, "f": 1e400}\n\n{}\n')
    assert open_source(path).info.columns == ("a", "b", "c.d", "e", "f")
    assert read(path) == [["0.10", None, '[1, "x"]', "true", "1e400"], [None] * 5]


def test_a_json_array_is_read_item_by_item(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    items = [{"id": str(i), "facts": "x" * 3_000} for i in range(1_000)]
    path.write_text(json.dumps(items, indent=1))
    source = open_source(path)
    assert source.info.format == "JSON array"
    assert read(path) == [[str(i), "x" * 3_000] for i in range(1_000)]


JSON_FAULTS = {
    '{"a": 1}\n{"a": 1, "a": 2}\n[1]\n{"a"': [
        "line 2: no valid JSON ('a' stands twice in an object)",
        "line 3: must be a JSON object, one case each",
        "line 4: no valid JSON",
    ],
    '[{"a": 1}, {"a": 2': ["item 2: no valid JSON"],
    '[{"a": 1} {"a": 2}]': ["item 1: after it neither , nor ] follows"],
    '[{"a": 1}] x': ["item 1: more text follows the end"],
    '{"a": {"b": 1}, "a.b": 2}': ["line 1: 'a.b' stands both with a dot and as an object"],
    '{"a": "\\ud800"}': ["line 1: column a: holds half a character"],
    '{"a": "x\\u0000"}': ["line 1: column a: holds a zero byte"],
}


@pytest.mark.parametrize("text", JSON_FAULTS)
def test_faults_of_json_are_named_with_their_place(text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(text)
    found = problems_of(path)
    assert len(found) == len(JSON_FAULTS[text])
    for told, expected in zip(found, JSON_FAULTS[text], strict=True):
        assert expected in told


def test_all_ragged_rows_are_told_at_once_in_a_bounded_list(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3\n4,5,6\n" + "7\n" * 300)
    problems = Problems()
    source = open_source(path)
    list(source.batches(("a", "b"), problems, False))
    assert str(problems.found[0]) == f"{path} row 3: 1 cell where the header names 2 columns"
    assert str(problems.found[1]) == f"{path} row 4: 3 cells where the header names 2 columns"
    with pytest.raises(CaseFileError) as caught:
        problems.raise_if_any(path)
    assert len(caught.value.problems) == 201
    assert str(caught.value.problems[-1]) == f"{path}: 102 more ragged rows, not listed"


def parquet_with_a_name_twice() -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array(["1"]), pa.array(["2"])], ["a", "a"]), stream)
    return stream.getvalue()


TWICE = parquet_with_a_name_twice()
WHOLE_FAULTS = {
    ("t.parquet", TWICE): "column a: stands twice; rename one",
    ("t.csv", b""): "the file is empty",
    ("t.csv", b"\n\n"): "the file is empty; the first row names the columns",
    ("t.csv", b"a,b\n1,\x002\n"): "line 2: holds a zero byte",
    ("t.csv", b'"a,b\n1,2\n'): "broken CSV",
    ("t.csv", b"PK\x03\x04"): "is a workbook (.xlsx) by its bytes; rename it so",
    ("t.csv", b'[{"case_id": "1"}]'): "is JSON by its bytes; rename it .json",
    ("t.csv", b"<!DOCTYPE html><html>Error, sorry</html>"): "is a web page or XML by its bytes",
    ("t.json", b"case_id,facts\n1,x\n"): "line 1: no valid JSON",
    ("t.xlsx", b"PK\x03\x04 no workbook"): "no valid workbook",
    ("t.xlsx", b"a,b\n1,2\n"): "no valid workbook",
    ("t.parquet", b"PAR1 no Parquet"): "no valid Parquet file",
    ("t.docx", b"x"): "cannot read .docx; use .csv",
}


@pytest.mark.parametrize(("name", "data"), WHOLE_FAULTS)
def test_a_file_that_cannot_be_read_is_one_clear_line(
    name: str, data: bytes, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(CaseFileError) as caught:
        open_source(path)
    assert WHOLE_FAULTS[name, data] in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_sheets_are_chosen_and_numbers_are_written_plainly(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with pd.ExcelWriter(path, engine="xlsxwriter") as writer:
        pd.DataFrame({"x": [1]}).to_excel(writer, sheet_name="notes", index=False)
        frame = pd.DataFrame(
            {"id": ["001"], "n": [36], "half": [0.5], "day": [pd.Timestamp("2024-05-01")]}
        )
        frame.to_excel(writer, sheet_name="cases", index=False)
    assert read(path, ReadOptions(sheet="cases")) == [["001", "36", "0.5", "2024-05-01"]]
    assert open_source(path).info.sheet == "notes"
    with pytest.raises(UsageError, match="has the sheets notes, cases"):
        open_source(path, ReadOptions(sheet="none"))


def test_a_workbook_is_bounded_by_its_size_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.xlsx"
    pd.DataFrame({"x": ["y" * 1000]}).to_excel(path, index=False)
    monkeypatch.setattr("justeval.casefiles.workbooks.LARGEST_UNPACKED", 1_000)
    with pytest.raises(CaseFileError, match=r"too large for a workbook .* save it as CSV"):
        open_source(path)


def test_text_that_a_spreadsheet_cut_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    pd.DataFrame({"x": ["y" * 32_767]}).to_excel(path, index=False)
    assert open_source(path).info.notes[0].startswith("1 cell is as long as a spreadsheet allows")


def test_parquet_columns_of_any_kind_become_text(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    table = pa.table(
        {
            "n": pa.array([1, None]),
            "x": pa.array([36.0, 0.1]),
            "s": pa.array([{"t": "a"}, None], pa.struct([("t", pa.string())])),
            "l": pa.array([["p", "q"], None]),
            "d": pa.array(["k", "k"]).dictionary_encode(),
        }
    )
    pq.write_table(table, path)
    assert open_source(path).info.columns == ("n", "x", "s.t", "l", "d")
    assert read(path) == [["1", "36", "a", '["p", "q"]', "k"], [None, "0.1", None, None, "k"]]


def test_options_must_fit_the_format(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n")
    for options, told in (
        (ReadOptions(sheet="x"), "--sheet is for workbooks"),
        (ReadOptions(delimiter="::"), "one character"),
        (ReadOptions(encoding="klingon"), "unknown"),
    ):
        with pytest.raises(UsageError, match=told):
            open_source(path, options)
    with pytest.raises(CaseFileError, match="not UTF-16"):
        path.write_bytes(b"a,b\n1")
        open_source(path, ReadOptions(encoding="utf-16"))
