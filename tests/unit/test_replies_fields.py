"""Guilt and kinds of penalty, field by field; and raw fields as a table holds them."""

import csv
import json
import sys
from collections import Counter
from pathlib import Path
from subprocess import run

import pytest

from justeval.replies import read_fields, read_reply
from justeval.schema import MAIN_SAMPLE_PENALTIES

ORACLE = Path(__file__).parents[1] / "oracle" / "data"


def sentence(guilty, penalty, months):
    fields = {"是否有罪": guilty, "刑罚类型": penalty, "刑期": months}
    return read_reply(json.dumps(fields, ensure_ascii=False))


@pytest.mark.parametrize(
    ("guilty", "penalty", "months", "status", "kind", "read_months"),
    [
        ("是", "有期徒刑", 36, "ok", "fixed_term", 36),
        ("是", "有期徒刑，并处罚金", 36, "ok", "fixed_term", 36),
        ("是", ["有期徒刑", "罚金"], 36, "ok", "fixed_term", 36),
        ("是", "有期徒刑三年", 36, "ok", "fixed_term", 36),
        ("是", "有期徒刑三年", 3, "contradictory", "fixed_term", None),  # 3 must be years
        ("是", "有期徒刑三年", "", "repaired", "fixed_term", 36),
        ("是", "有期徒刑，不适用缓刑", 36, "ok", "fixed_term", 36),
        ("是", "有期徒刑或拘役", 6, "ambiguous", None, None),
        ("是", "不判处有期徒刑", 6, "ambiguous", None, None),
        ("是", "社区服务", 6, "ambiguous", None, None),
        ("是", "", 36, "ok", None, 36),
        ("是", "", 0, "ambiguous", None, None),  # 0 may be no answer
        ("是", "有期徒刑", 0, "contradictory", "fixed_term", None),
        ("是", "有期徒刑", None, "unparsable", "fixed_term", None),
        ("是", "拘役", 5, "ok", "detention", 5),
        ("是", "管制", 12, "ok", "surveillance", 12),
        ("是", "有期徒刑缓刑", 24, "ok", "probation", 24),
        ("是", "拘役缓刑", 5, "ok", "probation", 5),
        ("是", "缓刑", 24, "ambiguous", "probation", None),
        ("是", "缓刑", None, "unparsable", "probation", None),
        ("是", "无期徒刑", None, "ok", "life", None),
        ("是", "无期徒刑", 0, "ok", "life", None),
        ("是", "无期徒刑", 240, "contradictory", "life", None),
        ("是", "無期徒刑", None, "ok", "life", None),
        ("是", "死刑", None, "ok", "death", None),
        ("是", "死缓", None, "ok", "death_suspended", None),
        ("是", "死刑,缓期二年执行", None, "ok", "death_suspended", None),
        ("是", "死刑缓期二年执行", "", "ok", "death_suspended", None),
        ("是", "单处罚金", 0, "ok", "fine", 0),
        ("是", "罚金", None, "ok", "fine", 0),
        ("是", "单处罚金", "无", "repaired", "fine", 0),
        ("是", "单处罚金", 12, "contradictory", "fine", None),
        ("是", "免予刑事处罚", 0, "ok", "exempt", 0),
        ("是", "免于刑事处罚", None, "ok", "exempt", 0),
        ("是", "无", 0, "ok", "exempt", 0),
        ("否", "无", 0, "ok", "acquittal", 0),
        ("否", "", None, "ok", "acquittal", 0),
        ("否", "免予刑事处罚", 0, "ok", "exempt", 0),  # 0 months either way
        ("否", "有期徒刑", 0, "contradictory", "fixed_term", None),
        ("是", "无罪", 0, "contradictory", "acquittal", None),
        ("yes", "time served", None, "ok", "time_served", None),
        ("yes", "time served", 14, "ok", "time_served", 14),
        ("yes", "probation", None, "ok", "probation", None),
        ("yes", "probation", 0, "ok", "probation", 0),
        ("yes", "probation", 24, "ambiguous", "probation", None),
        ("yes", "supervised release", None, "ok", "probation", None),
        ("yes", "imprisonment and supervised release", 36, "ok", "fixed_term", 36),
        ("yes", "life without parole", None, "ok", "life", None),
        ("yes", "imprisonment", "life", "repaired", "life", None),
        ("yes", "no punishment", None, "ok", "exempt", 0),
        ("yes", "no imprisonment; fine only", 0, "ok", "fine", 0),
    ],
)
def test_penalty_and_term(guilty, penalty, months, status, kind, read_months):
    read = sentence(guilty, penalty, months)
    assert (read.status, read.penalty, read.months) == (status, kind, read_months), read


@pytest.mark.parametrize(
    ("text", "guilty"),
    [
        *(("是的", True), ("有罪。", True), ("Yes, on all counts", True), ("被告人有罪", True)),
        *(("否", False), ("不构成犯罪", False), ("Not guilty.", False), (True, True), (0, False)),
        *(("1", True), (1.0, True), (["是", "是"], True), (["是", "否"], None)),
        *(("无罪", False), ("the defendant is not guilty", False)),
        *(("部分", None), ("guilty on count 1, not guilty on count 2", None), ("", None)),
    ],
)
def test_guilt(text, guilty):
    assert read_fields({"guilty": text, "months": "6"}).guilty is guilty


@pytest.mark.parametrize(
    ("answer", "probation", "penalty"),
    [
        ({"刑罚类型": "有期徒刑", "刑期": 24, "缓刑考验期": 36}, 36, "probation"),
        ({"刑罚类型": "有期徒刑", "刑期": 24, "缓刑": "三年"}, 36, "probation"),
        ({"刑罚类型": "有期徒刑", "刑期": 24, "是否缓刑": "是"}, None, "probation"),
        ({"刑罚类型": "有期徒刑", "刑期": 24, "缓刑": "无"}, None, "fixed_term"),
        ({"刑罚类型": "有期徒刑", "刑期": 24, "缓刑": 0}, None, "fixed_term"),
        ({"penalty": "imprisonment", "months": 24, "probation_months": 36}, 36, "fixed_term"),
    ],
)
def test_probation_under_a_key_of_its_own(answer, probation, penalty):
    read = read_reply(json.dumps(answer, ensure_ascii=False))
    assert (read.months, read.probation_months, read.penalty) == (24, probation, penalty)


def test_probation_instead_of_prison_leaves_the_months_unknown():
    read = read_reply('{"penalty": "probation", "months": null, "probation_months": 36}')
    assert (read.status, read.months, read.probation_months) == ("ok", None, 36)


@pytest.mark.parametrize(
    ("fields", "status", "months"),
    [
        ({"guilty": "是", "penalty": "有期徒刑", "months": "36"}, "ok", 36),
        ({"guilty": "是", "penalty": "有期徒刑", "months": " 36.0 "}, "ok", 36),
        ({"guilty": True, "penalty": "prison", "months": 36}, "ok", 36),
        ({"guilty": "是", "penalty": "有期徒刑", "months": "三年"}, "repaired", 36),
        ({"guilty": "是", "penalty": "有期徒刑", "months": float("nan")}, "unparsable", None),
        ({"guilty": "否", "penalty": None, "months": float("nan")}, "ok", 0),
        ({"guilty": "", "penalty": None, "months": " "}, "empty", None),
        ({}, "empty", None),
        ({"months": "24至36"}, "ambiguous", None),
        ({"months": float("inf")}, "out_of_range", None),
    ],
)
def test_fields_of_a_table(fields, status, months):
    read = read_fields(fields)
    assert (read.status, read.months) == (status, months)


def test_fields_of_a_probability_table():
    read = read_fields({"probability": "0.73", "decision": "yes", "months": None})
    assert (read.status, read.probability, read.decision) == ("ok", 0.73, "yes")
    assert read_fields({"probability": "57"}).status == "out_of_range"


def test_charge_is_kept_as_one_line_that_any_table_can_hold():
    fields = {"charge": "theft\n\ud800 and  fraud" + "x" * 1000, "months": 6}
    charge = read_fields(fields).charge
    assert charge.startswith("theft ? and fraud") and len(charge) == 300
    listed = read_reply('{"罪名": [{"罪名": "甲", "刑期": 2}, {"罪名": "乙", "刑期": 3}]}')
    assert listed.charge == "甲、乙"


def test_published_rows_are_read_into_the_published_sample():
    """tests/oracle: 2,072 rows in 1,036 documents remain of 2,200, with 29 provider errors."""
    file = ORACLE / "judifair_gemini_flash_1.5_defendant_ethnicity.csv"
    with file.open(encoding="utf-8-sig") as lines:
        rows = [row for row in csv.DictReader(lines) if not row["reply_error"]]
    assert len(rows) == 2200 - 29
    kept = Counter()
    for row in rows:
        read = read_fields({name: row[name] for name in ("guilty", "penalty", "months")})
        if read.readable and read.penalty in MAIN_SAMPLE_PENALTIES and read.months <= 300:
            kept[row["document"]] += 1
    pairs = [document for document, count in kept.items() if count == 2]
    assert (len(pairs), 2 * len(pairs)) == (1036, 2072)


def test_reading_replies_needs_no_statistics():
    code = "import sys, justeval.replies; print('pandas' in sys.modules, 'scipy' in sys.modules)"
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


LEGAL = {
    5: "有期徒刑 of 5 months is below its legal minimum of 6",
    181: "有期徒刑 of 181 months is above the 180 for one charge",
    6: "",
    180: "",
}


@pytest.mark.parametrize("months", LEGAL)
def test_a_term_that_the_law_does_not_know_is_kept_and_flagged(months):
    reply = f'{{"罪名":"盗窃罪","是否有罪":"是","刑罚类型":"有期徒刑","刑期":{months}}}'
    for bounded in (True, False):
        read = read_reply(reply, bounded=bounded)
        assert (read.status, read.months, read.reason) == ("ok", months, LEGAL[months])
    read = read_fields({"guilty": "是", "penalty": "有期徒刑", "months": str(months)})
    assert (read.status, read.months, read.reason) == ("ok", months, LEGAL[months])
    other = {"charge": "theft", "guilty": "yes", "penalty": "imprisonment", "months": months}
    assert read_reply(json.dumps(other)).reason == ""


def test_a_flag_stands_beside_what_was_mended():
    read = read_reply("判处有期徒刑三个月。")
    assert (read.status, read.months) == ("repaired", 3)
    assert read.reason.endswith("; 有期徒刑 of 3 months is below its legal minimum of 6")
