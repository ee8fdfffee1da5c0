"""Columns, units and codes -> cases: what is mapped is shown, what is unclear is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from justeval.casefiles import Imported, ImportOptions, import_cases, open_with_mapping
from justeval.casefiles.map_files import read_map_file
from justeval.casefiles.mapping import Rule
from justeval.casefiles.templates import check_template
from justeval.casefiles.terms import Term, read_term
from justeval.cases import check_cases
from justeval.errors import CaseFileError, UsageError

Write = Callable[..., Path]
FACTS = "The defendant took a bicycle from a yard and sold it the next day."
MONTHS = Rule(columns=("t",), unit="months")
COOK = Rule(
    columns=("t",),
    unit_column="u",
    units={"Year(s)": "years", "Natural Life": "life", "Dollars": "fine"},
)

TERMS: list[tuple[str | None, str | None, Rule, Term]] = [
    ("36", None, MONTHS, Term(36)),
    ("0", None, MONTHS, Term(0)),
    ("0.03", None, MONTHS, Term(0.03)),
    ("", None, MONTHS, Term()),
    (None, None, MONTHS, Term()),
    ("1200", None, MONTHS, Term(1200)),
    ("3", None, Rule(unit="years"), Term(36)),
    ("15", None, Rule(unit="days"), Term(0.5)),
    ("13", None, Rule(unit="weeks"), Term(3)),
    ("3 years 6 months", None, MONTHS, Term(42)),
    ("2年6个月", None, MONTHS, Term(30)),
    ("life", None, MONTHS, Term(kind="life")),
    ("无期徒刑", None, MONTHS, Term(kind="life")),
    # Codes: as text, and by their number.
    ("9996", None, Rule(codes={"9996": "life"}), Term(kind="life")),
    ("9996.0", None, Rule(codes={"9996": "life"}), Term(kind="life")),
    ("470", None, Rule(codes={"470": "life"}), Term(kind="life")),
    ("-2", None, Rule(codes={"-1": "life", "-2": "death"}), Term(kind="death")),
    ("9992", None, Rule(codes={"9992": "0"}), Term(0)),
    ("9997", None, Rule(codes={"9997": "unknown"}), Term()),
    # A unit a row.
    ("4", "Year(s)", COOK, Term(48)),
    ("4", "months", COOK, Term(4)),
    ("30", "Days", COOK, Term(1)),
    ("99", "Natural Life", COOK, Term(kind="life")),
    ("", "natural life", COOK, Term(kind="life")),
    ("500", "Dollars", COOK, Term(kind="fine")),
]


@pytest.mark.parametrize(("cell", "unit", "rule", "expected"), TERMS)
def test_a_term_is_months_or_a_kind(
    cell: str | None, unit: str | None, rule: Rule, expected: Term
) -> None:
    assert read_term(cell, unit, rule) == expected


UNCLEAR = [
    ("-1", None, MONTHS, "'-1' is below 0; if it is a code, say what it means: --code -1=life"),
    ("9996", None, MONTHS, "more than 1,200 months; if it is a code"),
    ("six", None, MONTHS, "'six' is no number and no term"),
    ("3 years 2 years", None, MONTHS, "no number and no term"),
    ("nan", None, MONTHS, "no number and no term"),
    ("5", "Pounds", COOK, "the unit 'Pounds' is none of years, months, weeks, days"),
    ("5", "", COOK, "no unit; it is one of years, months"),
]


@pytest.mark.parametrize(("cell", "unit", "rule", "expected"), UNCLEAR)
def test_an_unclear_term_is_asked_about(
    cell: str, unit: str | None, rule: Rule, expected: str
) -> None:
    assert expected in read_term(cell, unit, rule).problem


def run(path: Path, **options: Any) -> tuple[Imported, list[dict[str, Any]]]:
    """Imports a file; what was found, and the rows written, which `cases check` finds sound."""
    out = path.parent / "out.parquet"
    imported = import_cases(path, out, ImportOptions(**options))
    assert check_cases(out).problems == ()
    assert not out.with_name("out.parquet.partial").exists()
    return imported, pq.read_table(out).to_pylist()


def test_names_are_matched_without_regard_to_case_and_shown(write: Write) -> None:
    path = write(f"CaseID,FACTS,Sentence_Years,Own\n001,{FACTS},2,None\n", "t.csv")
    imported, rows = run(path)
    assert imported.resolved.shown() == [
        ("case_id", "CaseID"),
        ("facts", "FACTS"),
        ("true_months", "Sentence_Years (years)"),
    ]
    assert rows[0]["case_id"] == "001"
    assert rows[0]["true_months"] == 24
    # What was changed is kept beside as it stood.
    assert (rows[0]["Own"], rows[0]["Sentence_Years"]) == ("None", "2")


def test_a_map_goes_before_names(write: Write) -> None:
    path = write(f"id,number,facts,other\n1,A7,short,{FACTS}\n", "t.csv")
    imported, rows = run(path, pairs={"case_id": "NUMBER", "facts": "other"})
    assert (rows[0]["case_id"], rows[0]["facts"]) == ("A7", FACTS)
    assert rows[0]["own_facts"] == "short"
    assert imported.mapped_by == "--map and the names of the columns"


def test_what_only_contents_suggest_is_told_and_not_taken(write: Write) -> None:
    path = write(f"nr,narr,sentence\n1,{FACTS * 3},5\n2,{FACTS * 4},6\n", "t.csv")
    with pytest.raises(CaseFileError) as caught:
        run(path)
    told = [str(problem) for problem in caught.value.problems]
    assert told[0].endswith("--map case_id=COLUMN; the file has nr, narr, sentence")
    assert told[1].startswith(f"{path}, column facts: missing; say which column it is")
    assert told[2] == (
        f"{path}: perhaps --map facts=narr (its texts are the longest), or --map case_id=nr (no "
        "value stands twice in the first rows), or --map true_months=sentence with --unit months, "
        "years, days or a column"
    )


def test_codes_on_the_command_line(write: Write) -> None:
    path = write(f"id,facts,t\n1,{FACTS},9996\n2,{FACTS},-2\n3,{FACTS},12\n", "t.csv")
    options = {"pairs": {"true_months": "t"}, "codes": {"9996": "life", "-2": "death"}}
    imported, rows = run(path, **options)
    assert [(row["true_months"], row["true_penalty"]) for row in rows] == [
        (None, "life"),
        (None, "death"),
        (12, None),
    ]
    assert imported.kinds == {"life": 1, "death": 1}
    with pytest.raises(CaseFileError) as caught:
        run(path, pairs={"true_months": "t"})
    assert [str(problem).split(":")[0] for problem in caught.value.problems] == [
        f"{path} row 2, column t",
        f"{path} row 3, column t",
    ]


def test_every_problem_is_told_at_once_and_nothing_is_written(write: Write) -> None:
    text = f",{FACTS},2020,en,3\n2,,x,e!,six\n3,{FACTS},2020\n4,{FACTS},20200,zh,1\n4,a,,,\n"
    path = write("case_id,facts,filed_year,language,months\n" + text, "t.csv")
    out = path.with_name("out.parquet")
    out.write_text("what was there before")
    with pytest.raises(CaseFileError) as caught:
        import_cases(path, out)
    told = {str(problem).removeprefix(f"{path} ") for problem in caught.value.problems}
    assert told == {
        "row 2, column case_id: empty; every case needs an id",
        "row 3, column facts: empty; every case needs facts",
        "row 3, column filed_year: 'x' is no year and no date with one",
        "row 3, column language: 'e!': a code such as en or zh",
        "row 3, column months: 'six' is no number and no term such as '3 years 6 months'",
        "row 4: 3 cells where the header names 5 columns",
        "row 5, column filed_year: '20200' is no year and no date with one",
        "row 6, column case_id: '4' stands already in row 5; ids are unique. If a case has several "
        "rows, say which counts: --rows first, last or longest",
    }
    assert out.read_text() == "what was there before"
    assert sorted(p.name for p in path.parent.iterdir()) == ["out.parquet", "t.csv"]


SEVERAL = f"id,facts,months\n1,{FACTS},5\n2,{FACTS},7\n1,{FACTS},9\n1,{FACTS},2\n"


@pytest.mark.parametrize(("keep", "months"), [("first", 5), ("last", 2), ("longest", 9)])
def test_of_several_rows_of_a_case_one_counts(keep: str, months: float, write: Write) -> None:
    imported, rows = run(write(SEVERAL, "t.csv"), rows=keep)
    assert [(row["case_id"], row["true_months"]) for row in rows] == [("1", months), ("2", 7)]
    assert (imported.cases, imported.joined) == (2, 2)


def test_life_outranks_any_term(write: Write) -> None:
    text = f"id,facts,months\n1,{FACTS},300\n1,{FACTS},life\n1,{FACTS},\n"
    _, rows = run(write(text, "t.csv"), rows="longest")
    assert (rows[0]["true_penalty"], rows[0]["true_months"]) == ("life", None)


MAP = """\
title: A county's sentences
columns:
  case_id: PARTICIPANT
  charge: OFFENSE
  true_months:
    column: TERM
    unit: UNIT
    units: {Year(s): years, Natural Life: life}
  filed_year: RECEIVED
rows:
  where: {CURRENT: [true]}
  keep: longest
template: |
  The charge is {OFFENSE}.
  The case was received in {RECEIVED}.
  The plea was {PLEA}.
values:
  PLEA: {"1": guilty}
"""
COUNTY = """\
PARTICIPANT,OFFENSE,TERM,UNIT,RECEIVED,CURRENT,PLEA
7,ARMED ROBBERY,10,Year(s),02/13/2018 12:00:00 AM,true,1
7,THEFT,6,Months,02/13/2018 12:00:00 AM,true,1
7,THEFT,99,Year(s),02/13/2018 12:00:00 AM,false,1
8,MURDER,1,Natural Life,,true,9
"""


def test_a_mapping_beside_the_file_is_used(write: Write) -> None:
    path = write(COUNTY, "t.csv")
    write(MAP, "t.csv.map.yaml")
    imported, rows = run(path)
    assert imported.mapped_by == "t.csv.map.yaml"
    assert (imported.left_out, imported.joined) == (1, 1)
    assert [(r["case_id"], r["true_months"], r["true_penalty"]) for r in rows] == [
        ("7", 120, None),
        ("8", None, "life"),
    ]
    # A line with a blank cell, or a code without a word, is not said.
    assert rows[0]["facts"] == (
        "The charge is ARMED ROBBERY. The case was received in 02/13/2018 12:00:00 AM. "
        "The plea was guilty."
    )
    assert rows[1]["facts"] == "The charge is MURDER."
    assert {row["facts_source"] for row in rows} == {"template"}
    assert [row["filed_year"] for row in rows] == [2018, None]


MISTAKES = {
    "columns: {case_id: A, months: B}": "field columns.months: unknown; known are case_id",
    "columns: {true_months: {column: T, unit: fortnights, units: {X: blue}}}": (
        "field columns.true_months.units.X: 'blue': one of years, months, weeks, days, or it: means"
    ),
    "columns: {true_months: {column: T, codes: {1: no}}}": "put words such as no, yes, on in",
    "columns: {case_id: {numbered: x}}": "must contain {number}",
    "columns: {case_id: {}}": "needs `column:`, `value:` or `numbered:`",
    "columns: {case_id: A}\nrows: {keep: some}": "field rows.keep: 'some' is none of one, first",
    "columns: {true_penalty: {flags: [{is: 1, means: jail}]}}": (
        "field columns.true_penalty.flags[0].column: missing"
    ),
    "- a": "must be a mapping with `columns:`",
    "columns: [": "not valid YAML",
    "": "a mapping needs `columns:`",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_in_a_mapping_is_named_with_line_and_field(text: str, write: Write) -> None:
    path = write(text, "m.yaml")
    with pytest.raises(CaseFileError) as caught:
        read_map_file(path)
    assert any(MISTAKES[text] in str(problem) for problem in caught.value.problems)
    assert all(str(path) in str(problem) for problem in caught.value.problems)


def test_all_columns_that_a_mapping_lacks_are_told(write: Write) -> None:
    path = write("id,facts\n1,x\n", "t.csv")
    write("columns: {case_id: [NR, NUMBER], facts: TEXT}\nkeep: [OWN]\n", "t.csv.map.yaml")
    with pytest.raises(CaseFileError) as caught:
        run(path)
    told = [str(problem) for problem in caught.value.problems]
    assert told == [
        f"{path}, column NR or NUMBER: missing (case_id); the file has id, facts",
        f"{path}, column TEXT: missing (facts); the file has id, facts",
        f"{path}, column OWN: missing (keep); the file has id, facts",
    ]


USAGE = {
    "known names are": {"pairs": {"sentence": "x"}},
    "are about the term": {"unit": "years"},
    "means months, or one of": {"pairs": {"true_months": "m"}, "codes": {"9": "long"}},
    "no profile 'x'": {"profile": "x"},
    "names no column": {"template": "No slot."},
    "could be 'Facts' or 'FACTS'": {"pairs": {"facts": "facts"}},
}


@pytest.mark.parametrize("told", USAGE)
def test_usage_mistakes_are_one_clear_line(told: str, write: Write) -> None:
    path = write("id,Facts,FACTS,m\n1,a,b,9\n", "t.csv")
    with pytest.raises(UsageError, match=told):
        run(path, **USAGE[told])


def test_a_template_needs_whole_brackets() -> None:
    with pytest.raises(UsageError, match="bracket"):
        check_template("{A} and {B")


def test_a_wide_file_keeps_only_what_is_asked_for(write: Write) -> None:
    names = ",".join(f"V{i}" for i in range(100))
    path = write(f"id,facts,{names}\n1,{FACTS},{','.join('9' * 100)}\n", "t.csv")
    _, rows = run(path, keep=("v7",))
    assert rows[0]["V7"] == "9"
    assert "V8" not in rows[0]
    _, rows = run(path)
    assert "V7" not in rows[0]


def test_marked_spans_come_through_and_are_checked(write: Write) -> None:
    spans = {"defendant_sex": [[0, 2]]}
    lines = [{"id": "1", "facts": "He left.", "spans": spans}, {"id": "2", "facts": "x" * 9}]
    path = write("".join(json.dumps(line) + "\n" for line in lines), "t.jsonl")
    _, rows = run(path)
    assert json.loads(rows[0]["spans"]) == spans
    lines[1]["spans"] = {"defendant_sex": [[3, 300]]}
    path = write("".join(json.dumps(line) + "\n" for line in lines), "t.jsonl")
    with pytest.raises(CaseFileError, match="line 2, column spans: defendant_sex: spans must"):
        run(path)


def test_json_lines_out_keep_unknown_apart_from_blank(write: Write) -> None:
    path = write(f"id,facts,months,own\n1,{FACTS},,\n", "t.csv")
    out = path.with_name("out.jsonl")
    import_cases(path, out)
    assert json.loads(out.read_text()) == {
        "case_id": "1", "facts": FACTS, "language": "en", "own": ""
    }  # fmt: skip
    assert check_cases(out).problems == ()


@pytest.mark.parametrize("name", ["out.csv", "none/out.parquet", "t.jsonl"])
def test_an_out_that_cannot_be_is_refused_before_reading(name: str, write: Write) -> None:
    path = write(f'{{"id": "1", "facts": "{FACTS}"}}\n', "t.jsonl")
    with pytest.raises(UsageError, match="--out"):
        import_cases(path, path.parent / name)
    assert path.read_text().startswith('{"id"')


def test_languages_are_detected_text_by_text(write: Write) -> None:
    text = f"id,facts,lang\n1,{FACTS},\n2,被告人李某盗窃手机一部。,\n3,Der Angeklagte ging.,de\n"
    imported, _ = run(write(text, "t.csv"))
    assert imported.languages == {"en": 1, "zh": 1, "de": 1}


def test_a_mapping_can_be_looked_at_before(write: Write) -> None:
    path = write(f"id,facts,sentence\n1,{FACTS},5\n", "t.csv")
    opened = open_with_mapping(path, ImportOptions())
    assert opened.mapped_by == "the names of the columns"
    assert opened.advice == (
        "--map true_months=sentence with --unit months, years, days or a column",
    )


def test_text_that_turns_out_to_be_no_utf8_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    plain = "".join(f"{i},{FACTS}\n" for i in range(60_000))
    chinese = "x,被告人李某盗窃手机一部，价值三千元。\n"
    path.write_bytes(f"id,facts\n{plain}{chinese}".encode("gb18030"))
    imported, rows = run(path)
    assert imported.info.encoding == "GB18030"
    assert rows[-1]["facts"] == "被告人李某盗窃手机一部，价值三千元。"
    assert imported.languages == {"en": 60_000, "zh": 1}


def test_pandas_own_words_for_nothing_stay_text(write: Write) -> None:
    words = ["None", "NA", "null", "nan", "N/A", "-", "1e5", "TRUE", "=HYPERLINK(1)", "+1", "@x"]
    lines = "".join(f'{i},{FACTS},"{word}"\n' for i, word in enumerate(words))
    _, rows = run(write(f"id,facts,religion\n{lines}", "t.csv"))
    assert [row["religion"] for row in rows] == words
