"""Packs and labels: listed, shown, checked, added, asked about, deleted."""

from __future__ import annotations

import json

from tests.api.serving import Served


def test_packs_and_labels_are_listed(served: Served) -> None:
    packs = {pack["id"]: pack for pack in served.get("/packs")["items"]}
    assert {"judicial-cn", "judicial-us", "placebo"} <= set(packs)
    assert packs["judicial-cn"]["labels"] == 65
    assert packs["judicial-cn"]["values"] == 161
    chinese = served.get("/labels", pack="judicial-cn", limit=500)
    assert chinese["total"] == len(chinese["items"]) == 65
    found = served.get("/labels", actor="judge", category="procedure", demographic=True)
    assert found["total"] > 0
    assert {(x["actor"], x["category"], x["demographic"]) for x in found["items"]} == {
        ("judge", "procedure", True)
    }
    assert served.get("/labels", text="RACE", pack="judicial-us")["total"] >= 3


def test_a_label_is_shown_and_read_in_a_case(served: Served) -> None:
    label = served.get("/labels/judicial-us/defendant_race")
    assert label["reference"] in [value["id"] for value in label["values"]]
    path = "/labels/judicial-us/defendant_race/sample"
    sample = served.get(path, dataset="us-sentencing", case_id="us-001")
    assert len(sample["versions"]) == len(label["values"])
    for version in sample["versions"]:
        edited = version["text"][version["edit_start"] : version["edit_end"]]
        assert edited in [value["sentence"]["en"] for value in label["values"]]
    served.get(path, 404, dataset="us-sentencing", case_id="nowhere")
    served.get(path, 404, dataset="nowhere")
    served.get("/labels/judicial-us/nowhere", 404)
    chinese = served.get("/labels/judicial-us/defendant_race/sample", dataset="cn-sentencing")
    assert chinese["versions"] == [] and "zh" in chinese["skipped"]


def test_a_pack_of_ones_own_is_checked_added_asked_about_and_deleted(
    served: Served, own_pack: str
) -> None:
    assert served.ask("POST", "/packs/check", 200, content=own_pack) == {
        "ok": True, "name": "own", "labels": 2, "values": 4, "problems": [],
    }  # fmt: skip
    pack = served.ask("POST", "/packs", 201, content=own_pack)
    assert pack["own"] and pack["name"] == "own"
    assert served.client.get(f"/packs/{pack['id']}/source").text == own_pack
    assert served.get("/labels", pack=pack["id"])["total"] == 2
    run = served.start(labels=[f"{pack['id']}:folder"], limit=2)
    served.ask("DELETE", f"/packs/{pack['id']}", 204)
    served.get(f"/packs/{pack['id']}", 404)
    assert served.ended(run)["state"] == "complete"
    rows = served.get(f"/runs/{run}/results/labels")["items"]
    assert [row["label"] for row in rows] == ["folder"]
    served.ask("DELETE", "/packs/placebo", 403)


def test_mistakes_are_named_by_line_and_field(served: Served, own_pack: str) -> None:
    broken = own_pack.replace("reference: blue", "reference: green").replace(
        "actor: file", "actor: 3"
    )
    checked = served.ask("POST", "/packs/check", 200, content=broken)
    assert checked["ok"] is False
    places = [problem["place"] for problem in checked["problems"]]
    assert all(place.startswith("pack.yaml line ") for place in places)
    assert any("field labels[0].reference" in place for place in places)
    refused = served.ask("POST", "/packs", 422, content=broken)["error"]
    assert refused["kind"] == "LabelPackError"
    assert [problem["place"] for problem in refused["detail"]] == places


def test_a_label_written_in_a_form_comes_as_json(served: Served) -> None:
    values = [{"id": v, "sentence": {"en": f"The folder is {v}."}} for v in ("blue", "red")]
    label = {"id": "folder", "actor": "file", "category": "procedure", "demographic": False,
             "reference": "blue", "values": values}  # fmt: skip
    content = json.dumps({"pack": "form", "languages": ["en"], "labels": [label]})
    pack = served.ask("POST", "/packs", 201, content=content)
    assert served.get(f"/labels/{pack['id']}/folder")["values"][1]["id"] == "red"


def test_html_stays_text(served: Served) -> None:
    pack = (
        "pack: '<script>alert(1)</script>'\nlanguages: [en]\nlabels:\n"
        "- {id: x, actor: '<b>', category: substance, demographic: true, reference: a, "
        "values: [{id: a, sentence: {en: A.}}, {id: b, sentence: {en: B.}}]}\n"
    )
    added = served.ask("POST", "/packs", 201, content=pack)
    answer = served.client.get(f"/packs/{added['id']}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json()["name"] == "<script>alert(1)</script>"
