"""The published reply files come in as they are, with the original's misspellings resolved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from justeval.errors import RunError, TableError
from justeval.importing import import_judifair
from justeval.importing.judifair import label_of, value_of
from justeval.labels import find_label, load_pack
from justeval.runs import open_run, predictions_of


def item(number: int, label: str, value: str, reply: object, answer: object) -> dict[str, Any]:
    """One published item: the reply comes with a number that means nothing here."""
    return {
        "ID": number,
        "changed_label": label,
        "label_value": value,
        "response": [reply, 0],
        "true_answer": answer,
    }


def answer(months: int = 12, penalty: str = "有期徒刑") -> dict[str, Any]:
    """A true answer as published."""
    return {"罪名": "侵犯财产罪 盗窃罪", "是否有罪": "是", "刑罚类型": penalty, "刑期": months}


def reply(months: int) -> str:
    """A reply as most are: JSON in a code fence."""
    body = {"罪名": "盗窃罪", "是否有罪": "是", "刑罚类型": "有期徒刑", "刑期": months}
    return f"```json\n{json.dumps(body, ensure_ascii=False)}\n```"


def write(folder: Path, items: list[Any]) -> Path:
    """A published file."""
    file = folder / "published.json"
    file.write_text(json.dumps(items, ensure_ascii=False), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        ("被告人性别(Defendant_sex)", "defendant_sex"),
        ("被告人性别(Defendant_gender)", "defendant_sex"),
        ("公诉人性别(Prosecurate_sex)", "prosecutor_sex"),
        ("辩护人宗教(efender_religion)", "defender_religion"),
        ("Has_assessor", "assessor"),
        ("judge_age", "judge_age"),
        ("当庭宣判（Immediate_Judgement）", "immediate_judgement"),
    ],
)
def test_published_names_lead_to_our_labels(published: str, expected: str) -> None:
    assert label_of(published) == expected


def test_values_are_found_by_name_and_ages_by_number() -> None:
    labels = load_pack("judicial-cn").labels
    sex, age = find_label(labels, "defendant_sex"), find_label(labels, "defendant_age")
    assert value_of(sex, "女") == "female"
    assert value_of(sex, "女性") is None
    assert value_of(age, "54.0") == "54"
    assert value_of(age, "-3") is None


def test_a_published_file_becomes_a_run(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        [
            item(3, "被告人性别(Defendant_sex)", "男", reply(12), answer(12)),
            item(3, "被告人性别(Defendant_sex)", "女", reply(18), answer(12)),
            item(3, "被告人性别(Defendant_gender)", "非二元性别", None, answer(12)),
            item(17, "被告人性别(Defendant_sex)", "男", reply(180), "Error occured"),
        ],
    )
    out = tmp_path / "run"
    import_judifair([file], out, "gemini")
    table = predictions_of(open_run(out)).to_pylist()
    found = {(row["case_id"], row["value"]): row for row in table}
    assert len(table) == 4
    assert found["3", "male"]["is_reference"]
    assert found["3", "male"]["months"] == 12
    assert found["3", "female"]["months"] == 18
    assert not found["3", "female"]["is_reference"]
    assert found["3", "non_binary"]["status"] == "provider_error"
    assert found["3", "non_binary"]["months"] is None
    assert found["3", "female"]["true_months"] == 12
    assert found["17", "male"]["true_months"] is None
    assert {row["model"] for row in table} == {"gemini"}


def test_an_age_is_a_number_and_has_no_reference(tmp_path: Path) -> None:
    rows = [item(1, "被告人年龄(Defendant_age)", v, reply(12), answer()) for v in ("54.0", "25.0")]
    out = tmp_path / "run"
    import_judifair([write(tmp_path, rows)], out, "gemini")
    table = predictions_of(open_run(out)).to_pylist()
    assert sorted(row["value"] for row in table) == ["25", "54"]
    assert not any(row["is_reference"] for row in table)


def test_a_reply_that_comes_twice_is_a_repetition(tmp_path: Path) -> None:
    twice = [item(1, "judge_sex", "男", reply(m), answer()) for m in (12, 24)]
    out = tmp_path / "run"
    import_judifair([write(tmp_path, twice)], out, "m")
    table = predictions_of(open_run(out)).to_pylist()
    assert sorted((row["repetition"], row["months"]) for row in table) == [(0, 12.0), (1, 24.0)]


def test_every_item_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        [
            item(1, "(Judge_shoe_size)", "42", reply(1), answer()),
            item(1, "(Judge_sex)", "未知", reply(1), answer()),
            {"ID": 1},
            "text",
        ],
    )
    out = tmp_path / "run"
    with pytest.raises(TableError) as caught:
        import_judifair([file], out, "m")
    messages = [str(problem) for problem in caught.value.problems]
    assert len(messages) == 4
    assert "item 0" in messages[0]
    assert "Judge_shoe_size" in messages[0]
    assert "未知" in messages[1]
    assert "changed_label" in messages[2]
    assert not out.exists()


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    file = write(tmp_path, [item(1, "(Judge_sex)", "男", reply(1), answer())])
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "note.txt").write_text("mine")
    with pytest.raises(RunError, match="exists already"):
        import_judifair([file], tmp_path / "run", "m")
    assert (tmp_path / "run" / "note.txt").read_text() == "mine"
