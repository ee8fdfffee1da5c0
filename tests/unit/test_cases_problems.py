"""Every problem of a file of cases is named with its row and column, all at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from justeval.cases import check_cases, load_cases
from justeval.errors import CaseFileError, UsageError

Write = Callable[..., Path]
FACTS = "The defendant took a bicycle."


def problems_of(path: Path) -> list[str]:
    return [str(p).removeprefix(f"{path} ") for p in check_cases(path).problems]


def test_all_problems_of_a_csv_are_named_at_once(write: Write) -> None:
    path = write(
        "case_id,facts,true_months,true_penalty,filed_year\n"
        "a,Facts.,-1,fixed_term,2020\n"
        "a2,,nan,jail,20\n"
        ",Facts.,36 months,,2020.5\n"
        "b,Facts.,1\n"
        "c,Facts.,1,,2020,more\n"
        "d,Facts.,inf,life,MMXX\n"
        "e,Facts.,1_0,,\n"
        "f,Good.,12,fixed_term,2021\n"
        "f,Again.,12,fixed_term,2021\n",
        "c.csv",
    )
    penalties = (
        "fixed_term, detention, surveillance, probation, life, death, death_suspended, fine, "
        "exempt, acquittal, time_served"
    )
    assert problems_of(path) == [
        "row 2, column true_months: -1 is below 0; months, or empty where there is no term",
        "row 3, column facts: empty; every case needs one",
        "row 3, column filed_year: 20 is no year of four digits",
        "row 3, column true_months: 'nan' is no number; leave it empty where unknown",
        f"row 3, column true_penalty: 'jail' is none of {penalties}",
        "row 4, column case_id: empty; every case needs one",
        "row 4, column filed_year: 2020.5 is no year of four digits",
        "row 4, column true_months: '36 months' is no number; leave it empty where unknown",
        "row 5: 3 cells where the header names 5 columns",
        "row 6: 6 cells where the header names 5 columns",
        "row 7, column filed_year: 'MMXX' is no number; leave it empty where unknown",
        "row 7, column true_months: 'inf' is no number; leave it empty where unknown",
        "row 8, column true_months: '1_0' is no number; leave it empty where unknown",
        "row 10, column case_id: 'f' stands already in row 9; ids are unique",
    ]
    assert [case.case_id for case in check_cases(path).cases] == ["f"]
    with pytest.raises(CaseFileError) as caught:
        load_cases(str(path))
    assert len(caught.value.problems) == 14
    assert str(caught.value).endswith("(and 13 more)")


LINES = {
    '{"case_id": "a"': "line 2: no valid JSON (Expecting ',' delimiter",
    "[1, 2]": "line 2: must be a JSON object, one case a line",
    '"text"': "line 2: must be a JSON object, one case a line",
    '{"case_id": "a"}': "line 2, column facts: missing; the columns are case_id",
    '{"facts": "x"}': "line 2, column case_id: missing; the columns are facts",
    '{"case_id": "a", "facts": "x", "facts": "y"}': "line 2: no valid JSON ('facts' stands twice",
    '{"case_id": "a", "facts": ""}': "line 2, column facts: empty; every case needs one",
    '{"case_id": "a", "facts": null}': "line 2, column facts: empty; every case needs one",
    '{"case_id": "a", "facts": ["x"]}': "line 2, column facts: must be text, not list",
    '{"case_id": true, "facts": "x"}': "line 2, column case_id: must be text, not bool",
    '{"case_id": "a", "facts": "x\\u0000"}': "line 2, column facts: holds a zero byte",
    '{"case_id": "a", "facts": "x\\ud83d"}': "line 2, column facts: holds half a character",
    '{"case_id": "a", "facts": "x", "true_months": true}': "line 2, column true_months: 'True' is",
    '{"case_id": "a", "facts": "x", "true_months": NaN}': "line 2, column true_months: 'nan' is no",
    '{"case_id": "a", "facts": "x", "true_months": [1]}': "line 2, column true_months: '[1]' is no",
    '{"case_id": "a", "facts": "x", "true_months": 1%s}' % ("0" * 400): "line 2, column true_month",
    '{"case_id": "a", "facts": "x", "n": 1%s}' % ("0" * 5000): "line 2: no valid JSON (Exceeds",
    "[" * 100_000: "line 2: no valid JSON (",
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:60])
def test_a_line_of_jsonl_that_is_no_case_is_named(line: str, write: Write) -> None:
    good = json.dumps({"case_id": "z", "facts": FACTS})
    path = write(f"{good}\n{line}\n", "c.jsonl")
    found = problems_of(path)
    assert len(found) == 1
    assert found[0].startswith(LINES[line])
    assert [case.case_id for case in check_cases(path).cases] == ["z"]


SPANS = {
    "text": 'must be JSON such as {"defendant_sex": [[120, 123]]}',
    "[1, 2]": "must be JSON such as",
    '{"x": 5}': "x: must be a list of spans, as in",
    '{"x": [5]}': "x: must be a list of spans, as in",
    '{"x": [[1]]}': "x: must be a list of spans, as in",
    '{"x": [[1, "2"]]}': "x: must be a list of spans, as in",
    '{"x": [[true, 2]]}': "x: must be a list of spans, as in",
    '{"x": [[1, 2, 3]]}': "x: must be a list of spans, as in",
    '{"x": [[3, 3]]}': "x: spans must not overlap, and lie in the facts",
    '{"x": [[-1, 3]]}': "x: spans must not overlap, and lie in the facts",
    '{"x": [[5, 3]]}': "x: spans must not overlap, and lie in the facts",
    '{"x": [[0, 30]]}': "x: spans must not overlap, and lie in the facts",
    '{"x": [[0, 5], [4, 8]]}': "x: spans must not overlap, and lie in the facts",
}


@pytest.mark.parametrize("cell", SPANS)
def test_spans_that_mark_nothing_are_named(cell: str, write: Write) -> None:
    assert len(FACTS) == 29
    path = write(json.dumps({"case_id": "a", "facts": FACTS, "spans": cell}), "c.jsonl")
    (found,) = problems_of(path)
    assert found.startswith(f"line 1, column spans: {SPANS[cell]}")


def test_a_csv_without_facts_is_one_problem_not_one_a_row(write: Write) -> None:
    path = write("case_id,Facts\n1,a\n2,b\n", "c.csv")
    found = ["row 2, column facts: missing; the columns are case_id, Facts"]
    assert problems_of(path) == found


def test_parquet_problems_are_named_by_row(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    rows = [
        {"case_id": "a", "facts": FACTS, "true_months": float("nan")},
        {"case_id": "b", "facts": None, "true_months": 1.0},
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert problems_of(path) == [
        "row 1, column true_months: 'nan' is no number; leave it empty where unknown",
        "row 2, column facts: empty; every case needs one",
    ]


@pytest.mark.parametrize("text", ["case_id,facts\n", "case_id,facts\n\n"])
def test_a_file_without_cases_is_a_problem(text: str, write: Write) -> None:
    path = write(text, "c.csv")
    assert [str(p) for p in check_cases(path).problems] == [
        f"{path}: no cases in it; one row is one case"
    ]


# -- a case set's folder -------------------------------------------------------------------------


def test_a_bare_file_is_a_case_set_of_its_name(write: Write) -> None:
    cases = load_cases(str(write(f"case_id,facts\na,{FACTS}\nb,被告人李某\n", "mine.csv")))
    assert (cases.name, cases.title, cases.labels) == ("mine", "mine.csv", ())
    assert (cases.longest_months, cases.question) == (300.0, "sentence")
    assert cases.languages == ("en", "zh")
    assert len(cases.sha256) == 64


def test_a_folder_says_what_it_holds(write: Write) -> None:
    write(f"case_id,facts\na,{FACTS}\n", "mine.csv")
    about = write("id: own\ntitle: Mine\ncases: mine.csv\nlongest_months: 240\nquestion: bail\n"
                  "labels: [placebo]\n", "dataset.yaml")  # fmt: skip
    cases = load_cases(str(about.parent))
    assert (cases.name, cases.title, cases.labels) == ("own", "Mine", ("placebo",))
    assert (cases.longest_months, cases.question) == (240.0, "bail")


ABOUT = {
    "- a": "must be a mapping with id, cases and longest_months",
    "a: 1\nb: [": " line 2: not valid YAML: ",
    "longest_months: long": ", field longest_months: 'long' is no positive number of months",
    "longest_months: true": ", field longest_months: True is no positive number of months",
    "longest_months: -3": ", field longest_months: -3 is no positive number of months",
    "labels: judicial-us": ", field labels: 'judicial-us': must be a list of packs, e.g. [judicia",
    "question: guilt": ", field question: 'guilt' is none of sentence, bail, disposition, probabi",
    "id: 7": ", field id: 7: must be text; put it in quotes",
    "cases: none.csv": "none.csv: no such file",
}


@pytest.mark.parametrize("text", ABOUT)
def test_a_mistake_in_dataset_yaml_is_named(text: str, write: Write) -> None:
    path = write(text, "dataset.yaml")
    with pytest.raises(CaseFileError) as caught:
        load_cases(str(path.parent))
    assert ABOUT[text] in str(caught.value)
    assert str(caught.value).startswith(str(path.parent))


def test_a_folder_that_is_no_case_set_and_a_name_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match=r"dataset\.yaml: missing; a case set's folder has a"):
        load_cases(str(tmp_path))
    with pytest.raises(UsageError, match="no case set 'nowhere'"):
        load_cases("nowhere")
