"""A stranger's file of cases: uploaded, mapped, checked, previewed, asked about, deleted."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import openpyxl
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

from tests.api.serving import Served

FACTS = "The defendant took a bicycle from the yard of a neighbor and sold it the next day. "
ROWS = "".join(
    f'case-{i},"{FACTS}It was worth {i}00 dollars.",theft,{12 * i},no\n' for i in range(1, 6)
)
FILE = f"Docket,Case facts,Offense,Months,Bail\n{ROWS}".encode()


def upload(served: Served, content: bytes, name: str = "cases.csv", status: int = 201) -> Any:
    """An upload of a file as it is."""
    return served.ask("POST", "/datasets", status, params={"filename": name}, content=content)


def test_a_file_with_names_of_its_own_is_understood(served: Served) -> None:
    dataset = upload(served, FILE)
    assert dataset["state"] == "ready"
    assert dataset["documents"] == dataset["with_true_months"] == 5
    assert dataset["mapped"] == {
        "case_id": "Docket", "facts": "Case facts", "charge": "Offense", "true_months": "Months",
    }  # fmt: skip
    assert dataset["mapped_by"] == "the names of the columns"
    assert dataset["own_columns"] == ["Bail"]
    assert "CSV" in dataset["read_as"]
    assert served.get(f"/datasets/{dataset['id']}") == dataset
    assert dataset in served.get("/datasets", limit=500)["items"]
    cases = served.get(f"/datasets/{dataset['id']}/cases", limit=2)
    assert [case["case_id"] for case in cases["items"]] == ["case-1", "case-2"]
    assert cases["total"] == 5 and cases["next"]
    more = served.get(f"/datasets/{dataset['id']}/cases", limit=3, cursor=cases["next"])
    assert [case["case_id"] for case in more["items"]] == ["case-3", "case-4", "case-5"]
    assert more["next"] is None
    preview = served.get(f"/datasets/{dataset['id']}/preview")
    assert preview["rows"][0]["cells"]["Docket"] == "case-1"
    assert preview["cases"][0]["true_months"] == 12.0
    assert preview["cases"][0]["extra"] == {"Bail": "no"}
    assert preview["columns"] == dataset["columns"]


def test_a_file_of_unknown_columns_is_mapped_by_hand(served: Served) -> None:
    content = FILE.replace(b"Docket", b"Nr").replace(b"Case facts", b"Text")
    content = content.replace(b"Months", b"Years")
    dataset = upload(served, content)
    assert dataset["state"] == "needs_mapping"
    assert dataset["documents"] == 0
    problems = served.get(f"/datasets/{dataset['id']}/problems")["items"]
    assert any("case_id" in problem["place"] + problem["message"] for problem in problems)
    assert not any("--" in problem["message"] for problem in problems)
    order = {"dataset": dataset["id"], "labels": ["placebo"], "models": [{"kind": "simulated"}]}
    assert "not mapped" in served.post("/runs", order, 409)["error"]["message"]
    path = f"/datasets/{dataset['id']}/mapping"
    served.ask("PUT", path, 422, json={"mapping": {"outcome": "Years"}})
    named = {"case_id": "Nr", "facts": "text"}
    mapped = served.ask("PUT", path, 200, json={"mapping": named})
    assert (mapped["state"], mapped["mapping"]) == ("ready", named)
    cases = served.get(f"/datasets/{dataset['id']}/cases")["items"]
    assert cases[0]["true_months"] == 144.0
    absent = served.ask("PUT", path, 200, json={"mapping": {**named, "facts": "Story"}})
    assert absent["state"] == "needs_mapping"
    assert served.get(f"/datasets/{dataset['id']}/cases")["items"] == []


def test_units_and_codes_are_said(served: Served) -> None:
    content = FILE.replace(b"Months", b"Term").replace(b",60,no", b",9996,no")
    dataset = upload(served, content)
    said = {"mapping": {"true_months": "Term"}, "unit": "days", "codes": {"9996": "life"}}
    mapped = served.ask("PUT", f"/datasets/{dataset['id']}/mapping", 200, json=said)
    assert mapped["penalties"] == {"life": 1}
    assert mapped["with_true_months"] == 4
    assert (mapped["said"]["unit"], mapped["said"]["codes"]) == ("days", {"9996": "life"})
    path = f"/datasets/{dataset['id']}/mapping"
    taken_back = served.ask("PUT", path, 200, json={"unit": "", "codes": {}})
    assert (taken_back["said"]["unit"], taken_back["said"]["codes"]) == ("", {})
    assert taken_back["state"] == "faulty"
    profiles = {profile["id"] for profile in served.get("/profiles")["items"]}
    assert "cail2018" in profiles


def test_problems_are_named_with_row_and_column(served: Served) -> None:
    content = FILE + b'case-1,"Short facts of a second case with the same id.",theft,ten,no\n'
    dataset = upload(served, content)
    assert dataset["state"] == "faulty"
    problems = served.get(f"/datasets/{dataset['id']}/problems")
    assert dataset["problems"] == problems["total"] == len(problems["items"]) == 2
    places = sorted(problem["place"] for problem in problems["items"])
    assert places == ["cases.csv row 7, column Docket", "cases.csv row 7, column Months"]
    one = served.get(f"/datasets/{dataset['id']}/problems", limit=1)
    assert one["items"] == problems["items"][:1] and one["next"]
    order = {"dataset": dataset["id"], "labels": ["placebo"], "models": [{"kind": "simulated"}]}
    for path in ("/runs", "/plans"):
        assert "2 problems" in served.post(path, order, 409)["error"]["message"]


def test_a_file_of_ones_own_is_asked_about(served: Served) -> None:
    dataset = upload(served, FILE)["id"]
    about = {"title": "Bicycles", "labels": ["placebo:folder_color"], "longest_months": 120}
    mapped = served.ask("PUT", f"/datasets/{dataset}/mapping", 200, json=about)
    assert (mapped["title"], mapped["longest_months"]) == ("Bicycles", 120)
    plan = served.post("/plans", {"dataset": dataset, "models": [{"kind": "simulated"}]})
    assert plan["labels"] == ["folder_color"]
    assert plan["documents"] == 5
    assert plan["requests"] == plan["texts"] == plan["variants"] > 5
    assert plan["cost_usd"] == 0.0
    assert 0 <= plan["power"]["power"] <= 1

    run = served.post("/runs", {"dataset": dataset, "models": [{"kind": "simulated"}]}, 201)["id"]
    served.ask("DELETE", f"/datasets/{dataset}", 204)
    served.get(f"/datasets/{dataset}", 404)
    ended = served.ended(run)
    assert ended["state"] == "complete", ended
    assert ended["dataset_title"] == "Bicycles"
    assert served.get(f"/runs/{run}/results")["settings"]["longest_months"] == 120


def test_a_plan_counts_what_would_be_asked_and_costs(served: Served) -> None:
    model = {"kind": "openai", "name": "m", "address": "http://127.0.0.1:9/v1"}
    asked = {
        "dataset": "us-sentencing",
        "labels": ["judicial-us:defendant_race", "judicial-us:victim_race"],
        "models": [model, {"kind": "simulated", "name": "neutral"}],
        "repetitions": 2,
        "limit": 10,
        "prices": {"m": {"prompt_usd": 1.0, "completion_usd": 2.0}},
    }
    plan = served.post("/plans", asked)
    mine, simulated = plan["models"]
    assert mine["requests"] == simulated["requests"] == 2 * plan["texts"]
    assert plan["requests"] == 4 * plan["texts"]
    tokens = mine["prompt_tokens"] * 1.0 + mine["completion_tokens"] * 2.0
    assert mine["cost_usd"] == pytest.approx(tokens / 1e6, rel=1e-4)
    assert sum(plan["skipped"].values()) > 0
    del asked["prices"]
    assert served.post("/plans", asked)["cost_usd"] is None


def test_lists_come_as_csv_with_the_same_items(served: Served) -> None:
    """Case sets, cases, problems, packs and labels: all of them, whatever the page."""
    broken = FILE + b'case-9,"A short text of another case, long enough.",theft,ten,no\n'
    faulty = upload(served, broken)["id"]
    sound = upload(served, FILE)["id"]
    for path, key in (
        ("/datasets", "id"),
        (f"/datasets/{faulty}/problems", "message"),
        (f"/datasets/{sound}/cases", "case_id"),
        ("/packs", "id"),
        ("/labels", "id"),
    ):
        query: dict[str, Any] = {"actor": "judge"} if path == "/labels" else {}
        text = served.client.get(path, params={**query, "format": "csv", "limit": 1}).text
        rows = list(csv.DictReader(io.StringIO(text)))
        items = served.get(path, **query, limit=500)["items"]
        assert [row[key] for row in rows] == [item[key] for item in items], path
    assert rows[0]["name.en"] == items[0]["name"]["en"]


def test_shipped_sets_stay_as_they_are(served: Served) -> None:
    served.ask("DELETE", "/datasets/us-sentencing", 403)
    served.ask("PUT", "/datasets/us-sentencing/mapping", 403, json={"title": "Mine"})
    assert served.get("/datasets/us-sentencing/problems")["total"] == 0
    assert len(served.get("/datasets/us-sentencing/preview")["cases"]) == 20
    assert served.get("/datasets/cn-sentencing/cases")["items"][0]["language"] == "zh"


def test_every_format_makes_the_same_cases(served: Served) -> None:
    table = pa_csv.read_csv(io.BytesIO(FILE))
    rows = table.to_pylist()
    lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    packed, book = io.BytesIO(), io.BytesIO()
    pq.write_table(table, packed)
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in (list(rows[0]), *(list(row.values()) for row in rows)):
        sheet.append(row)
    workbook.save(book)
    found = []
    for content, name in (
        (FILE, "a.csv"),
        (FILE.replace(b",", b";"), "a.CSV"),
        (FILE.decode().encode("utf-16"), "a.txt"),
        (lines, "a.jsonl"),
        (json.dumps(rows).encode(), "a.json"),
        (packed.getvalue(), "A.Parquet"),
        (book.getvalue(), "a.xlsx"),
    ):
        dataset = upload(served, content, name)
        assert dataset["state"] == "ready", (name, dataset)
        found.append(served.get(f"/datasets/{dataset['id']}/cases")["items"])
    assert all(cases == found[0] for cases in found)


@pytest.mark.parametrize(
    ("content", "name", "status", "words"),
    [
        (b"", "a.csv", 422, "empty"),
        (b"\x00\x01\x02", "a.csv", 422, ""),
        (b"a,b\n1", "cases", 415, "formats"),
        (b"MZ", "cases.exe", 415, "formats"),
        (b"PAR1....", "a.parquet", 422, "Parquet"),
        (b"PK\x03\x04 no zip", "a.xlsx", 422, "zip"),
        (b"PK\x03\x04 no zip", "a.csv", 422, ""),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(
    served: Served, content: bytes, name: str, status: int, words: str
) -> None:
    before = served.get("/datasets")["total"]
    error = served.ask("POST", "/datasets", status, params={"filename": name}, content=content)
    assert words in error["error"]["message"]
    assert str(served.data) not in str(error)
    assert served.get("/datasets")["total"] == before


@pytest.mark.parametrize(
    "content",
    [
        b"case_id,facts\n",
        b'case_id,facts\nc1,"open\n',
        "case_id,facts\nc1,caf\u00e9 au lait was stolen from the shop.\n".encode("latin-1"),
        b"case_id,facts\nc1\n",
        b"\n\n\n",
    ],
)
def test_what_is_damaged_is_told_or_read(served: Served, content: bytes) -> None:
    """One clear word or sound cases, never a failure of the service."""
    answer = served.client.post("/datasets", params={"filename": "a.csv"}, content=content)
    assert answer.status_code in (201, 422), answer.text
    if answer.status_code == 201:
        shown = answer.json()
        assert (shown["state"] == "ready") == (shown["documents"] > 0)
        assert (shown["state"] == "ready") == (shown["problems"] == 0)
