"""Tables made elsewhere: columns by name, raw fields read as replies are, nothing guessed."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from justeval.errors import TableError, UsageError
from justeval.importing import TableOptions, read_table
from justeval.labels import load_pack

LABELS = {label.id: label for label in load_pack("judicial-cn").labels}


def table(tmp_path: Path, text: str, options: TableOptions | None = None) -> pa.Table:
    """Reads a CSV text."""
    file = tmp_path / "made.csv"
    file.write_text(text, encoding="utf-8")
    return read_table(file, LABELS, options or TableOptions())


def test_raw_fields_are_read_by_the_code_that_reads_replies(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        "doc,sex,guilty,penalty,months,failed\n"
        "1,男,是,有期徒刑,36,\n1,女,是,有期徒刑,三年,\n2,男,否,无,0,\n2,女,是,无期徒刑,,\n"
        "3,男,,,,timeout\n",
        TableOptions({"case_id": "doc", "value": "sex", "error": "failed"}, label="defendant_sex"),
    ).to_pylist()
    assert [row["months"] for row in found] == [36, 36, 0, None, None]
    assert [row["status"] for row in found][-1] == "provider_error"
    assert [row["penalty"] for row in found][2:4] == ["acquittal", "life"]
    assert [row["is_reference"] for row in found] == [True, False, True, False, True]
    assert {row["model"] for row in found} == {"made"}


def test_a_raw_reply_is_read_too(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    reply = '{"guilty": "yes", "penalty": "imprisonment", "months": 24}'
    rows = {"case_id": ["1", "1"], "label": ["x", "x"], "value": ["a", "b"], "reply": [reply, None]}
    pq.write_table(pa.table(rows), file)
    found = read_table(file, {}, TableOptions(reference="a")).to_pylist()
    assert [row["months"] for row in found] == [24, None]
    assert [row["status"] for row in found] == ["ok", "empty"]


def test_text_stays_text(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        "case_id,label,value,months,reference\n001,faith,None,3,None\n001,faith,NA,4,None\n",
    ).to_pylist()
    assert [row["case_id"] for row in found] == ["001", "001"]
    assert [row["value"] for row in found] == ["None", "NA"]
    assert [row["is_reference"] for row in found] == [True, False]


def test_a_second_row_of_the_same_cell_is_a_repetition(tmp_path: Path) -> None:
    found = table(
        tmp_path, "case_id,label,value,months\n1,x,a,3\n1,x,a,4\n1,x,b,5\n",
        TableOptions(reference="a"),
    ).to_pylist()  # fmt: skip
    assert [row["repetition"] for row in found] == [0, 1, 0]


def test_a_row_without_a_value_is_the_bare_case(tmp_path: Path) -> None:
    text = "case_id,label,value,months\n1,x,a,3\n1,x,,4\n1,x,b,4\n"
    found = table(tmp_path, text, TableOptions(reference="a")).to_pylist()
    assert found[1]["label"] is None
    assert not found[1]["is_reference"]


def test_our_own_predictions_come_in_as_they_were_read(tmp_path: Path) -> None:
    text = (
        "case_id,label,value,status,penalty,months,is_reference\n"
        "1,x,a,ok,fixed_term,3,true\n1,x,b,ambiguous,fixed_term,9,false\n"
    )
    found = table(tmp_path, text).to_pylist()
    assert [row["months"] for row in found] == [3, None]
    assert [row["penalty"] for row in found] == ["fixed_term", "fixed_term"]


MISTAKES = {
    "no case_id": ("value,months\na,1\n", TableOptions(label="x"), "column case_id: missing"),
    "no label": ("case_id,value,months\n1,a,1\n", TableOptions(), "column label: missing"),
    "no answer": ("case_id,value\n1,a\n", TableOptions(label="x"), "column months: missing"),
    "ragged": ("case_id,value,months\n1,a\n", TableOptions(label="x"), "row 2: 2 cells"),
    "bad number": (
        "case_id,value,months,true_months\n1,a,1,x\n",
        TableOptions(label="x", reference="a"),
        "row 2, column true_months: 'x' is no number",
    ),
    "empty id": ("case_id,value,months\n,a,1\n", TableOptions(label="x"), "row 2, column case_id"),
    "no rows": ("case_id,value,months\n", TableOptions(label="x"), "no rows"),
    "absent reference": (
        "case_id,value,months\n1,a,1\n1,b,1\n",
        TableOptions(label="x", reference="z"),
        "'z' does not occur",
    ),
    "odd status": (
        "case_id,value,months,status\n1,a,1,fine\n",
        TableOptions(label="x", reference="a"),
        "column status: 'fine'",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_a_table_is_named_with_its_place(name: str, tmp_path: Path) -> None:
    text, options, expected = MISTAKES[name]
    with pytest.raises(TableError) as caught:
        table(tmp_path, text, options)
    assert any(expected in str(problem) for problem in caught.value.problems)


def test_usage_mistakes_name_the_options(tmp_path: Path) -> None:
    text = "case_id,value,months\n1,a,1\n1,b,1\n"
    with pytest.raises(UsageError, match="known names"):
        table(tmp_path, text, TableOptions({"colour": "value"}))
    with pytest.raises(UsageError, match="has no such column"):
        table(tmp_path, text, TableOptions({"case_id": "doc"}))
    with pytest.raises(UsageError, match="give --reference"):
        table(tmp_path, text, TableOptions(label="x"))


def test_all_problems_of_a_table_are_told_at_once(tmp_path: Path) -> None:
    text = (
        "Case_ID,Label,Value,Months,true_months,x,x\n1,one,a,3,none,,\n2,one,a,4\n"
        ",two,a,1,,,\n3,two,b,1,,,\nCase_ID,Label,Value,Months,true_months,x,x\n"
    )
    with pytest.raises(TableError) as caught:
        table(tmp_path, text, TableOptions(reference="a"))
    path = tmp_path / "made.csv"
    assert [str(problem).removeprefix(f"{path} ") for problem in caught.value.problems] == [
        "row 1, column x: stands twice; rename one",
        "row 2, column true_months: 'none' is no number; leave it empty where unknown",
        "row 2, column Value: label 'one' has 1 value; a comparison needs at least 2. Add a value "
        "or remove the label.",
        "row 3: 4 cells where the header names 7 columns",
        "row 4, column Case_ID: empty",
        "row 6: names the columns again; remove the row",
    ]
