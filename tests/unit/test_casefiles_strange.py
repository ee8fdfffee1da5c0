"""Strange files, each as somebody's program has written it: read whole, or told in one line."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from justeval.casefiles import Imported, ImportOptions, ReadOptions, import_cases, open_source
from justeval.cases import Case, check_cases
from justeval.errors import CaseFileError, InputError, UsageError

FACTS = "The defendant took a bicycle from a yard and sold it the next day."
ZH = "被告人李某在某商场盗窃手机一部，价值三千元，当日被抓获，到案后如实供述。"


def imported(path: Path, options: ImportOptions | None = None) -> tuple[Imported, list[Case]]:
    out = path.with_name("out.parquet")
    done = import_cases(path, out, options)
    return done, list(check_cases(out).cases)


def problems(path: Path, options: ImportOptions | None = None) -> list[str]:
    """All that is told of a file, without the path; nothing is written."""
    out = path.with_name("out.parquet")
    out.unlink(missing_ok=True)
    with pytest.raises(InputError) as caught:
        import_cases(path, out, options)
    assert not list(path.parent.glob("out*"))
    return [str(problem).removeprefix(f"{path}").lstrip(", :") for problem in caught.value.problems]


def written(tmp_path: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def test_every_kind_of_problem_is_told_at_once(tmp_path: Path) -> None:
    text = (
        f"case_id,facts,x,x,months\n1,{FACTS},,,nine\n1,{FACTS},,,3\n2,{FACTS}\n,{FACTS},,,3\n"
        f"case_id,facts,x,x,months\n3,,,,9999\n"
    )
    assert problems(written(tmp_path, "t.csv", text)) == [
        "row 1, column x: stands twice; rename one",
        "row 2, column months: 'nine' is no number and no term such as '3 years 6 months'",
        "row 3, column case_id: '1' stands already in row 2; ids are unique. If a case has several "
        "rows, say which counts: --rows first, last or longest",
        "row 4: 2 cells where the header names 5 columns",
        "row 5, column case_id: empty; every case needs an id",
        "row 6, column case_id: names the columns again; remove the row",
        "row 7, column facts: empty; every case needs facts",
        "row 7, column months: '9999' is more than 1,200 months; if it is a code, say what it "
        "means: --code 9999=life",
    ]


def test_rows_are_checked_where_a_column_is_missing(tmp_path: Path) -> None:
    found = problems(written(tmp_path, "t.csv", f"case_id,months\n1,x\n1,3\n2\n{FACTS},1,2\n"))
    assert [text.split(":")[0] for text in found] == [
        "column facts", "row 2, column months", "row 3, column case_id", "row 4", "row 5",
    ]  # fmt: skip


BOM = "\ufeffcase_id,facts\n1," + FACTS + "\n"


@pytest.mark.parametrize(
    ("encoding", "named"),
    [("utf-8", "utf-8"), ("utf-8", "utf8"), ("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be")],
)
def test_a_mark_is_no_text_where_the_encoding_is_named(
    encoding: str, named: str, tmp_path: Path
) -> None:
    path = written(tmp_path, "t.csv", BOM, encoding)
    options = ImportOptions(read=ReadOptions(encoding=named))
    assert [case.case_id for case in imported(path, options)[1]] == ["1"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_chinese_in_utf_16_without_a_mark_is_found(encoding: str, tmp_path: Path) -> None:
    done, cases = imported(written(tmp_path, "t.csv", f"案号,案情\n1,{ZH * 90}\n", encoding))
    assert cases[0].facts == ZH * 90
    assert done.info.encoding.startswith("UTF-16 (")


@pytest.mark.parametrize(("encoding", "text"), [("latin-1", "Müller left São Paulo."),
                                                ("gb18030", ZH)])  # fmt: skip
def test_an_encoding_that_shows_after_megabytes_is_found_in_time(
    encoding: str, text: str, tmp_path: Path
) -> None:
    filling = "x" * 2_000
    lines = "".join(f"{i},{filling}\n" for i in range(2_500))
    path = written(tmp_path, "t.csv", f"case_id,facts\n{lines}last,{text}\n", encoding)
    assert imported(path)[1][-1].facts == text


def test_columns_without_a_name_are_told_and_can_be_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", f";case_id;facts;;\n7;1;{FACTS};x;\n")
    done, cases = imported(path)
    assert done.info.notes == (
        "without a name: column 1, column 4, column 5; left out unless asked for by --keep or "
        "--map",
    )
    assert dict(cases[0].extra) == {}
    _, cases = imported(path, ImportOptions(keep=("column 1", "column 4")))
    assert dict(cases[0].extra) == {"column 1": "7", "column 4": "x"}


@pytest.mark.parametrize("name", ["t.jsonl", "t.json"])
def test_a_column_that_shows_late_is_no_lost_one(name: str, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"case_id": str(i), "facts": FACTS} for i in range(1_200)]
    rows.append({"case_id": "late", "facts": FACTS, "true_months": 7, "note": "x"})
    text = json.dumps(rows) if name == "t.json" else "".join(json.dumps(r) + "\n" for r in rows)
    done, cases = imported(written(tmp_path, name, text))
    assert done.with_term == 1
    assert (cases[-1].true_months, cases[-1].extra["note"]) == (7, "x")


def test_27_000_columns_of_parquet_and_json_are_read_in_time(tmp_path: Path) -> None:
    row = {"case_id": "1", "facts": FACTS, **{f"V{i}": "9" for i in range(27_000)}}
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "t.parquet")
    for path in (tmp_path / "t.parquet", written(tmp_path, "t.jsonl", json.dumps(row))):
        done, cases = imported(path)
        assert len(done.info.columns) == 27_002
        assert cases[0].facts == FACTS


OBJECTS = {
    '{\n "case_id": "1",\n "facts": "x"\n}': "one object on several lines; put it between [ and ]",
    '{"count": 1, "data": [{"case_id": "1"}]}': "one object that holds a list, 'data'; save that",
    '{"a":' * 50_000: "line 1: no valid JSON (maximum recursion depth",
    '{"case_id": "1"},\n': "line 1: no valid JSON (more text follows the object)",
}


@pytest.mark.parametrize("text", OBJECTS)
def test_json_that_is_neither_lines_nor_an_array_is_told(text: str, tmp_path: Path) -> None:
    found = problems(written(tmp_path, "t.json", text))
    assert found[0].startswith(OBJECTS[text])


def workbook(tmp_path: Path, fill: Callable[[openpyxl.Workbook], None]) -> Path:
    book = openpyxl.Workbook()
    fill(book)
    path = tmp_path / "t.xlsx"
    book.save(path)
    return path


def test_errors_and_open_formulas_of_a_workbook_do_not_become_blank(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        for row in (["case_id", "facts", "own", "sum"], ["1", FACTS, "#N/A", "=1+1&\"<\""],
                    [1234567890123456, FACTS, None, 36]):  # fmt: skip
            book.active.append(row)

    path = workbook(tmp_path, fill)
    done, cases = imported(path)
    assert [case.case_id for case in cases] == ["1", "1234567890123456"]
    assert dict(cases[0].extra) == {"own": "#N/A", "sum": '=1+1&"<"'}
    assert done.info.notes == (
        "1 formula not computed yet, taken as text; open the file in a spreadsheet and save it",
    )
    options = ImportOptions(pairs={"true_months": "own"})
    assert problems(path, options)[0].startswith("row 2, column own: '#N/A' is no number")


def test_hidden_sheets_are_passed_over_and_others_are_named(tmp_path: Path) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.active.append(["lists"])
        book.active.sheet_state = "hidden"
        book.create_sheet("About").append(["Made in March"])
        cases = book.create_sheet("Cases")
        for row in (["case_id", "facts"], ["1", FACTS]):
            cases.append(row)

    path = workbook(tmp_path, fill)
    told = problems(path)
    assert told[-1] == "perhaps another sheet, --sheet 'Cases'"
    done, _ = imported(path, ImportOptions(read=ReadOptions(sheet="cases")))
    assert (done.info.sheet, done.info.notes) == (
        "Cases",
        ("other sheets: 'About'; --sheet takes one of them",),
    )


def test_a_folder_and_a_missing_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match="is a folder"):
        open_source(tmp_path)
    with pytest.raises(CaseFileError, match="no such file"):
        open_source(tmp_path / "none.csv")


def test_the_unit_is_at_fault_where_it_is_blank_or_unknown(tmp_path: Path) -> None:
    rows = f"1,{FACTS},3,Pounds\n2,{FACTS},3,\n3,{FACTS},3,years\n4,{FACTS},,\n"
    path = written(tmp_path, "t.csv", f"case_id,facts,term,unit\n{rows}")
    options = ImportOptions(pairs={"true_months": "term"}, unit="unit")
    assert problems(path, options) == [
        "row 2, column unit: the unit 'Pounds' is none of years, months, weeks, days; say what it "
        "means in `units:`",
        "row 3, column unit: no unit; it is one of years, months, weeks, days",
    ]


def test_numbers_that_files_use_as_codes_are_asked_about_in_any_unit(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", f"case_id,facts,days\n1,{FACTS},9996\n2,{FACTS},90\n")
    assert problems(path) == [
        "row 2, column days: '9996' may be a code; say what it means: --code 9996=unknown, or "
        "--code 9996=333.2 if it is a term"
    ]


def test_penalties_are_known_in_any_case_of_letters(tmp_path: Path) -> None:
    path = written(
        tmp_path, "t.csv", f"case_id,facts,penalty\n1,{FACTS},Life\n2,{FACTS},Fixed term\n"
    )
    assert [case.true_penalty for case in imported(path)[1]] == ["life", "fixed_term"]


def test_names_given_twice_or_unknown_are_all_told(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", f"id,facts\n1,{FACTS}\n")
    with pytest.raises(UsageError, match="--map a=…, b=…: known names are case_id"):
        imported(path, ImportOptions(pairs={"a": "id", "b": "id"}))


def test_what_pandas_reads_as_missing_or_a_number_stays_text(tmp_path: Path) -> None:
    own = ["None", "NA", "null", "nan", "N/A", "001", "1e3", "TRUE", " x "]
    ids = [f"00{i}" for i in range(len(own))]
    frame = pd.DataFrame({"case_id": ids, "facts": FACTS, "own": own})
    for name, write in {
        "t.csv": lambda p: frame.to_csv(p, index=False),
        "t.xlsx": lambda p: frame.to_excel(p, index=False),
        "t.parquet": lambda p: frame.to_parquet(p, index=False),
        "t.jsonl": lambda p: frame.to_json(p, orient="records", lines=True),
    }.items():
        write(tmp_path / name)
        _, cases = imported(tmp_path / name)
        assert [case.case_id for case in cases] == ids
        assert [case.extra["own"] for case in cases] == own


# Written by the library xlwt 1.3.0, which writes the old format: two rows of text and numbers.
OLD_WORKBOOK = Path(__file__).parents[1] / "data" / "book.xls"
ODS = """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2">
 <office:body><office:spreadsheet><table:table table:name="Cases">{}</table:table>
 </office:spreadsheet></office:body></office:document-content>"""
MANIFEST = """<?xml version="1.0"?><manifest:manifest
 xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
 <manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>"""
ROWS = (("case_id", "facts", "months", "own"), ("001", FACTS, 36.0, "None"),
        ("002", "被告人李某盗窃手机一部，价值三千元。", 0.5, "NA"))  # fmt: skip


def ods(path: Path) -> Path:
    """A workbook of OpenDocument with the least that one needs."""
    lines = []
    for row in ROWS:
        cells = [
            f'<table:table-cell office:value-type="float" office:value="{cell}"/>'
            if isinstance(cell, float)
            else f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p>'
            "</table:table-cell>"
            for cell in row
        ]
        lines.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", ODS.format("".join(lines)))
    return path


@pytest.mark.parametrize("kind", [".xls", ".ods"])
def test_old_and_open_workbooks_are_read_like_others(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"t{kind}"
    if kind == ".ods":
        ods(path)
    else:
        path.write_bytes(OLD_WORKBOOK.read_bytes())
    _, cases = imported(path)
    assert [(c.case_id, c.facts, c.true_months, c.extra["own"]) for c in cases] == list(ROWS[1:])


def test_a_workbook_that_would_take_all_memory_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(book: openpyxl.Workbook) -> None:
        book.active["A1"], book.active["XFD1048576"] = "case_id", "a cell at the far end"

    told = "damaged, or more than can be read with 6 GB of memory; save it as CSV"
    assert problems(workbook(tmp_path, fill)) == [told]
    monkeypatch.setattr("justeval.casefiles.workbooks.MOST_MEMORY", 1_000_000_000)
    data = bytearray(OLD_WORKBOOK.read_bytes())
    table = 512 * (1 + int.from_bytes(data[76:80], "little"))  # where the chains of sectors stand
    names = int.from_bytes(data[48:52], "little")  # the sector of names, now its own successor
    data[table + 4 * names : table + 4 * names + 4] = names.to_bytes(4, "little")
    path = tmp_path / "t.xls"
    path.write_bytes(data)
    assert problems(path) == [told.replace("6 GB", "1 GB")]
