"""Documents of a label: paged, filtered, sorted; one with its texts and replies."""

from __future__ import annotations

import csv
import io
import time
from typing import Any

import pytest

from justeval_api.schemas.documents import Document, DocumentRow
from tests.api.serving import Served


def every(served: Served, run: str, **query: Any) -> list[dict[str, Any]]:
    """All documents of a label, over all pages."""
    items: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        more = {"cursor": cursor} if cursor else {}
        page = served.get(f"/runs/{run}/documents", limit=2, **query, **more)
        items += page["items"]
        cursor = page["next"]
        if cursor is None:
            assert len(items) == page["total"]
            return items


def test_what_changed_is_what_the_label_table_counts(served: Served, run: str) -> None:
    for row in served.get(f"/runs/{run}/results/labels", limit=500)["items"]:
        query = {"label": row["label"], "model": row["model"]}
        documents = every(served, run, **query)
        for document in documents:
            DocumentRow.model_validate(document)
        assert sum(document["changed"] for document in documents) == row["documents_changed"]
        unreadable = sum(document["unreadable"] for document in documents)
        readable = sum(row["statuses"].get(name, 0) for name in ("ok", "repaired"))
        assert unreadable == sum(row["statuses"].values()) - readable


def test_the_first_model_is_the_default(served: Served, run: str) -> None:
    documents = every(served, run, label="defendant_race")
    assert {document["model"] for document in documents} == {"simulated-planted"}
    assert len({document["id"] for document in documents}) == len(documents) == 6


def test_they_are_filtered_and_sorted(served: Served, run: str) -> None:
    label = {"label": "defendant_race"}
    everything = every(served, run, **label)
    changed = every(served, run, **label, only="changed")
    unchanged = every(served, run, **label, only="unchanged")
    assert all(document["changed"] for document in changed)
    assert len(changed) + len(unchanged) == len(everything)
    assert every(served, run, **label, only="flagged") == []
    for document in every(served, run, **label, only="unreadable"):
        assert document["unreadable"] > 0
    spreads = [d["spread_months"] for d in every(served, run, **label, sort="-spread")]
    known = [spread for spread in spreads if spread is not None]
    assert known == sorted(known, reverse=True)
    assert spreads[: len(known)] == known
    ids = [document["case_id"] for document in every(served, run, **label, sort="-case_id")]
    assert ids == sorted(ids, reverse=True)


def test_one_document_with_its_versions_and_replies(served: Served, run: str) -> None:
    row = every(served, run, label="defendant_race", model="simulated-neutral")[0]
    path = f"/runs/{run}/documents/{row['id']}"
    whole = served.get(path, label="defendant_race", model="simulated-neutral")
    Document.model_validate(whole)
    reference, *others = whole["versions"]
    assert reference["is_reference"] and not any(version["is_reference"] for version in others)
    for version in whole["versions"]:
        start, end = version["edit_start"], version["edit_end"]
        assert version["text"][:start] + version["text"][end:] == (
            reference["text"][: reference["edit_start"]]
            + reference["text"][reference["edit_end"] :]
        )
        (reply,) = version["replies"]
        answer = next(a for a in row["answers"] if a["value"] == version["value"])
        assert reply["months"] == answer["months"]
        assert reply["reply"] is not None
    assert whole["facts"] in reference["text"]


def test_csv_holds_all_of_them(served: Served, run: str) -> None:
    query = {"label": "defendant_race", "format": "csv", "limit": 1}
    answer = served.client.get(f"/runs/{run}/documents", params=query)
    assert len(answer.text.splitlines()) == 7


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"label": "nowhere"}, 404),
        ({"label": "defendant_race", "model": "nobody"}, 404),
        ({"label": "defendant_race", "sort": "; DROP TABLE documents"}, 422),
        ({"label": "' OR 1=1 --"}, 404),
        ({}, 422),
    ],
)
def test_what_is_not_there(served: Served, run: str, query: dict[str, str], status: int) -> None:
    served.get(f"/runs/{run}/documents", status, **query)


def test_two_models_share_the_id_of_a_document(served: Served, run: str) -> None:
    ids = [
        [document["id"] for document in every(served, run, label="folder_color", model=model)]
        for model in ("simulated-planted", "simulated-neutral")
    ]
    assert ids[0] == ids[1]


def test_csv_of_one_document_holds_every_reply(served: Served, run: str) -> None:
    page = served.get(f"/runs/{run}/documents", label="defendant_race", limit=1)
    path = f"/runs/{run}/documents/{page['items'][0]['id']}"
    shown = served.get(path, label="defendant_race")
    answer = served.client.get(path, params={"label": "defendant_race", "format": "csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    replies = [reply for version in shown["versions"] for reply in version["replies"]]
    assert [row["reply"] for row in rows] == [reply["reply"] for reply in replies]
    assert {row["value"] for row in rows} == {version["value"] for version in shown["versions"]}
    assert answer.headers["content-type"].startswith("text/csv")


def test_runs_and_what_was_left_out_come_as_csv(served: Served, run: str) -> None:
    for path, columns in (("/runs", {"id", "name"}), (f"/runs/{run}/skipped", {"case_id"})):
        answer = served.client.get(path, params={"format": "csv", "limit": 1})
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert len(rows) == served.get(path)["total"] > 0
        assert columns <= set(rows[0])


def test_documents_are_ready_when_a_run_has_ended(served: Served) -> None:
    """Who comes first does not wait for them: they lie there without being asked for."""
    run_id = served.start(name="Ready")
    served.ended(run_id)
    folder = served.data / "results" / run_id / "documents"
    give_up = time.monotonic() + 60
    while not list(folder.glob("*.sqlite")) and time.monotonic() < give_up:
        time.sleep(0.1)
    assert len(list(folder.glob("*.sqlite"))) == 1
