"""The commands on files of one's own: exit codes, all problems at once, nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from justeval.cases import check_cases
from justeval.cli import main

FACTS = "The defendant took a bicycle from a yard and sold it the next day."


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_spreadsheets_file_becomes_cases_in_one_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = f'Case_ID;Facts;Months;Religion\r\n001;"{FACTS}";36;None\r\n002;"{FACTS}";;NA\r\n\r\n'
    Path("mine.csv").write_bytes(text.encode("utf-8-sig"))
    code, out, err = run(capsys, "cases", "import", "mine.csv", "--out", "cases.parquet")
    assert (code, err) == (0, "")
    assert out == (
        "mine.csv: CSV, UTF-8 with byte-order mark, delimiter ';', 4 columns\n"
        "mapped by the names of the columns:\n"
        "  case_id       <- Case_ID\n"
        "  facts         <- Facts\n"
        "  true_months   <- Months\n"
        "  kept as they are: Religion\n"
        "cases.parquet: 2 cases (2 in en), 1 with a true term\n"
    )
    checked = check_cases(Path("cases.parquet"))
    assert [case.case_id for case in checked.cases] == ["001", "002"]
    assert [case.extra["Religion"] for case in checked.cases] == ["None", "NA"]


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.csv").write_text(f"id,facts,t\n1,{FACTS},9996\n")
    code, out, err = run(
        capsys, "cases", "import", "mine.csv", "--out", "c.jsonl", "--map", "true_months=t",
        "--code", "9996=life", "--json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["mapping"]["true_months"] == "t (9996 = life)"
    assert document["penalties"] == {"life": 1}
    assert document["with_true_term"] == 0


def test_all_problems_are_told_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("mine.csv").write_text(f"id,facts,months\n1,{FACTS},x\n1,{FACTS},2\n3\n")
    code, out, err = run(capsys, "cases", "import", "mine.csv", "--out", "c.parquet")
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        "mine.csv row 2, column months: 'x' is no number and no term such as '3 years 6 months'",
        "mine.csv row 3, column id: '1' stands already in row 2; ids are unique. If a case has "
        "several rows, say which counts: --rows first, last or longest",
        "mine.csv row 4: 1 cell where the header names 3 columns",
    ]
    assert [path.name for path in Path().iterdir()] == ["mine.csv"]
    code, out, _ = run(capsys, "cases", "import", "mine.csv", "--out", "c.parquet", "--json")
    assert code == 1
    assert len(json.loads(out)["problems"]) == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "--out"),
        (["--out", "c.txt"], "use .parquet or .jsonl"),
        (["--out", "c.parquet", "--map", "x=facts"], "known names are"),
        (["--out", "c.parquet", "--profile", "none"], "no profile"),
        (["--out", "c.parquet", "--encoding", "none"], "--encoding none: unknown"),
        (["--out", "c.parquet", "--template", "none.txt"], "--template none.txt"),
        (["--out", "c.parquet", "--sheet", "x"], "--sheet is for workbooks"),
    ],
)
def test_usage_errors_are_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.csv").write_text(f"id,facts\n1,{FACTS}\n")
    code, out, err = run(capsys, "cases", "import", "mine.csv", *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert told in err
    assert [path.name for path in Path().iterdir()] == ["mine.csv"]


def test_a_profile_is_printed_edited_and_used(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "cases", "profiles")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["cail2018", "ussc"]
    _, text, _ = run(capsys, "cases", "profiles", "ussc")
    Path("own.yaml").write_text(text.replace("The final offense level is", "Level"))
    header = (
        "USSCIDN,SENTTOT,SENTIMP,OFFGUIDE,DISPOSIT,XFOLSOR,XCRHISSR,WEAPON,COMBDRG2,GLMIN,GLMAX"
    )
    Path("o.csv").write_text(f"{header}\n1,60,1,10,1,25,3,1,2,57,71\n")
    code, _, err = run(
        capsys, "cases", "import", "o.csv", "--profile", "own.yaml", "--out", "c.jsonl"
    )
    assert (code, err) == (0, "")
    assert "Level 25." in Path("c.jsonl").read_text()


def test_a_dry_run_shows_the_mapping_and_writes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pd.DataFrame({"ID": ["1"], "Facts": [FACTS], "term": ["5"]}).to_excel("m.xlsx", index=False)
    code, out, _ = run(capsys, "cases", "import", "m.xlsx", "--dry-run")
    assert code == 0
    assert out.splitlines()[0] == "m.xlsx: workbook, sheet 'Sheet1', 3 columns"
    assert "perhaps: --map true_months=term with --unit" in out
    assert [path.name for path in Path().iterdir()] == ["m.xlsx"]


def test_check_examines_a_set(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"case_id": str(i), "facts": f"{FACTS} It was number {i * 7919} of its kind, they said."}
        for i in range(30)
    ]
    lines[3]["facts"] += " He was sentenced to 36 months."
    lines[4]["facts"] = "Short"
    lines[5]["facts"] = lines[6]["facts"]
    Path("c.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, _ = run(capsys, "cases", "check", "c.jsonl", "--labels", "judicial-us", "--json")
    assert code == 0
    document = json.loads(out)
    assert {f["kind"] for f in document["findings"]} == {"short", "cut", "outcome", "duplicate"}
    assert [p["labels"] for p in document["power"]] == [1, 43]
    shares = {label["label"]: label["share"] for label in document["labels"]}
    assert shares["victim_sex"] == 0
    assert shares["judge_sex"] == 1
    code, out, _ = run(capsys, "cases", "check", "c.jsonl")
    assert "facts that give the outcome away: 1 document" in out
    assert "smallest effect found with 80 % power: " in out


def test_marks_are_proposed_accepted_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    Path("c.jsonl").write_text('{"case_id": "1", "facts": "The police saw him there."}\n')
    label = "judicial-us:defendant_sex"
    code, out, _ = run(
        capsys, "cases", "mark", "c.jsonl", "--labels", label, "--out", "marks.jsonl"
    )
    assert code == 0
    assert out.startswith("marks.jsonl: 1 word in 1 document; set `accept`")
    marks = Path("marks.jsonl")
    marks.write_text(marks.read_text().replace('"accept": null', '"accept": true'))
    code, out, _ = run(
        capsys, "cases", "mark", "c.jsonl", "--accepted", "marks.jsonl", "--out", "m.jsonl"
    )
    assert (code, out) == (0, "m.jsonl: 1 case; 1 span accepted\n")
    code, out, _ = run(
        capsys, "variants", "--cases", "m.jsonl", "--labels", label, "--show", "1", "defendant_sex"
    )
    assert code == 0
    assert "The police saw [[her]] there." in out


def test_all_mistakes_of_an_edited_list_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("c.jsonl").write_text('{"case_id": "1", "facts": "The police saw him there."}\n')
    line = {"case_id": "1", "label": "x", "start": 15, "end": 18, "word": "him", "accept": True}
    lines = [line | {"word": "her"}, line | {"case_id": "2"}, line | {"accept": "yes"}, {}]
    Path("marks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    code, out, err = run(
        capsys, "cases", "mark", "c.jsonl", "--accepted", "marks.jsonl", "--out", "m.jsonl"
    )
    assert (code, out) == (1, "")
    assert [text.split(":")[0] for text in err.splitlines()] == [
        f"marks.jsonl line {number}" for number in (1, 2, 3, 4)
    ]
    assert not Path("m.jsonl").exists()


def test_a_new_pack_passes_its_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "labels", "new", "mine.yaml", "--languages", "en,zh")[0] == 0
    code, out, _ = run(capsys, "labels", "check", "mine.yaml")
    assert (code, out) == (0, "mine.yaml: sound; 2 labels, 5 values asked\n")
    code, _, err = run(capsys, "labels", "new", "mine.yaml")
    assert code == 2
    assert "exists already" in err


def test_predictions_made_elsewhere_become_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"case_id": i, "label": "x", "value": v, "months": 10 + i + (v == "b")}
        for i in range(8)
        for v in "ab"
    ]
    pd.DataFrame(rows).to_excel("t.xlsx", index=False)
    words = ["import", "table", "t.xlsx", "--out", "run", "--reference", "a"]
    code, out, err = run(capsys, *words)
    assert (code, out, err) == (0, "run: 16 replies of 8 documents\n", "")
    code, out, _ = run(capsys, "analyze", "run", "--json")
    assert code == 0
    assert json.loads(out)["models"][0]["labels"][0]["documents_changed"] == 8
    Path("bad.csv").write_text("case_id,label,value,months\n1,x,a,3\n,x,b,3\n")
    code, out, err = run(capsys, "import", "table", "bad.csv", "--out", "run2", "--reference", "a")
    assert (code, out) == (1, "")
    assert err == "bad.csv row 3, column case_id: empty\n"
    assert not Path("run2").exists()
