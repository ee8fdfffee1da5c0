"""A table of predictions becomes a run whose analysis is that of the table itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from justeval.errors import RunError, TableError
from justeval.evidence import load_evidence
from justeval.importing import TableOptions, import_table, read_table
from justeval.labels import load_pack
from justeval.runs import open_run

ORACLE = (
    Path(__file__).parents[1]
    / "oracle" / "data" / "judifair_gemini_flash_1.5_defendant_ethnicity.csv"
)  # fmt: skip
OPTIONS = TableOptions(
    {
        "case_id": "document", "value": "label_value", "error": "reply_error",
        "case_charge": "charge",
    },
    label="defendant_ethnicity",
)  # fmt: skip
LABELS = {label.id: label for label in load_pack("judicial-cn").labels}
SAME = (
    "model", "case_id", "label", "value", "is_reference", "repetition", "status", "guilty",
    "penalty", "months", "probability", "true_months", "case_charge", "filed_year",
)  # fmt: skip
Write = Callable[..., Path]


def test_the_oracles_table_is_the_same_as_a_run(tmp_path: Path) -> None:
    folder = import_table(ORACLE, tmp_path / "run", OPTIONS)
    of_run = pq.read_table(folder.predictions).select(SAME).to_pylist()
    of_table = read_table(ORACLE, LABELS, OPTIONS).select(SAME).to_pylist()
    key = lambda row: (row["case_id"], row["value"], row["repetition"])  # noqa: E731
    assert sorted(of_run, key=key) == sorted(of_table, key=key)
    evidence = load_evidence([folder.path], TableOptions())
    assert set(evidence.labels) == {"defendant_ethnicity"}
    manifest = open_run(folder.path).manifest()
    assert manifest["imported_from"][0]["file"] == ORACLE.name
    assert manifest["dataset"]["question"] == "sentence"


TABLE = [
    {"case_id": "1", "label": "x", "value": "a", "months": "36", "penalty": "imprisonment"},
    {"case_id": "1", "label": "x", "value": "b", "months": "three years", "penalty": None},
    {"case_id": "2", "label": "x", "value": "a", "months": None, "penalty": "life imprisonment"},
    {"case_id": "2", "label": "x", "value": "b", "months": "0012", "penalty": None},
]


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "g.csv", "t.jsonl", "t.json", "t.xlsx"])
def test_a_table_of_any_format_becomes_a_run(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    frame = pd.DataFrame(TABLE)
    if name == "t.xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix in (".jsonl", ".json"):
        frame.to_json(path, orient="records", lines=name == "t.jsonl")
    else:
        encoding = "gb18030" if name == "g.csv" else "utf-16"
        frame.to_csv(path, index=False, sep="\t" if name == "t.tsv" else ";", encoding=encoding)
    options = TableOptions(reference="a")
    folder = import_table(path, tmp_path / "run", options)
    rows = pq.read_table(folder.predictions).to_pylist()
    assert [row["months"] for row in rows][:3] == [36, 36, None]
    assert [row["penalty"] for row in rows][2] == "life"
    of_table = read_table(path, {}, options).to_pylist()
    assert [row["status"] for row in rows] == [row["status"] for row in of_table]


def test_what_was_read_elsewhere_stays_as_it_was_read(write: Write, tmp_path: Path) -> None:
    text = (
        "case_id,label,value,status,penalty,months,is_reference,model\n"
        "1,x,a,ok,fixed_term,3,true,m1\n1,x,b,ambiguous,fixed_term,9,false,m1\n"
        "1,x,a,repaired,,4,true,m2\n1,x,b,refused,,,false,m2\n"
    )
    folder = import_table(write(text, "t.csv"), tmp_path / "run")
    rows = pq.read_table(folder.predictions).to_pylist()
    assert [(r["model"], r["status"], r["months"]) for r in rows] == [
        ("m1", "ok", 3), ("m1", "ambiguous", None), ("m2", "repaired", 4), ("m2", "refused", None)
    ]  # fmt: skip
    folder.predictions.unlink()
    again = load_evidence([folder.path], TableOptions()).predictions.to_pylist()
    assert [row["status"] for row in again] == [row["status"] for row in rows]


def test_raw_replies_are_kept_and_can_be_read_again(write: Write, tmp_path: Path) -> None:
    reply = json.dumps({"guilty": "yes", "penalty": "imprisonment", "months": 24})
    lines = [{"case_id": "1", "label": "x", "value": v, "reply": reply} for v in ("a", "b")]
    path = write("".join(json.dumps(line) + "\n" for line in lines), "t.jsonl")
    folder = import_table(path, tmp_path / "run", TableOptions(reference="a"))
    journal = [json.loads(line) for line in folder.journal.read_text().splitlines()]
    assert [line["reply"] for line in journal] == [reply, reply]
    assert all("read" not in line for line in journal)
    assert pq.read_table(folder.predictions)["months"].to_pylist() == [24, 24]


def test_a_label_with_one_value_is_named_with_its_row(write: Write, tmp_path: Path) -> None:
    path = write("case_id,label,value,months\n1,x,a,3\n1,x,b,3\n1,sex,m,3\n", "t.csv")
    with pytest.raises(TableError) as caught:
        import_table(path, tmp_path / "run", TableOptions(reference="a", mapping={}))
    told = str(caught.value)
    assert "does not occur in sex" in told or f"{path} row 4, column value: label 'sex'" in told
    path = write("case_id,label,value,months\n1,x,a,3\n1,x,b,3\n1,sex,a,3\n", "t.csv")
    with pytest.raises(TableError) as caught:
        import_table(path, tmp_path / "run", TableOptions(reference="a"))
    assert str(caught.value) == (
        f"{path} row 4, column value: label 'sex' has 1 value; a comparison needs at least 2. "
        "Add a value or remove the label."
    )
    assert not (tmp_path / "run").exists()


def test_a_folder_that_is_there_is_not_written_over(write: Write, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "x").write_text("mine")
    path = write("case_id,label,value,months\n1,x,a,3\n1,x,b,3\n", "t.csv")
    with pytest.raises(RunError, match="exists already"):
        import_table(path, tmp_path / "run", TableOptions(reference="a"))
