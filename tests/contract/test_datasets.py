"""The case sets that ship hold what their datasheets say.

Witnesses: single cells of the U.S. sentencing table (Guidelines Manual, ch. 5, pt. A), counts
made here from the data, and word lists of what no case may state.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from justeval.cases import load_cases
from justeval.labels import load_labels
from justeval.resources import data_root
from justeval.variants import Skipped, make_variants

US, CN = "us-sentencing", "cn-sentencing"
SETS = (US, CN)


def folder(name: str) -> Path:
    return data_root() / "datasets" / name


def rows_of(name: str) -> list[dict[str, Any]]:
    text = (folder(name) / "cases.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def datasheet(name: str) -> str:
    return (folder(name) / "DATASHEET.md").read_text(encoding="utf-8")


def words(text: str) -> list[str]:
    return re.findall(r"[\w$§]+(?:['’.,-]\w+)*", text)


def chinese(text: str) -> str:
    return "".join(re.findall(r"[\u4e00-\u9fff]", text))


def shared_runs(texts: dict[str, Any], length: int) -> list[tuple[str, str, str]]:
    """Runs of `length` units that stand in two of the texts, each with the ids of the two."""
    seen: dict[Any, str] = {}
    found = []
    for name, units in texts.items():
        for start in range(len(units) - length + 1):
            run = tuple(units[start : start + length])
            first = seen.setdefault(run, name)
            if first != name:
                found.append((first, name, " ".join(run)))
    return found


# -- size and form -------------------------------------------------------------------------------


def test_the_us_set_has_60_cases_over_12_offense_types() -> None:
    rows = rows_of(US)
    assert len(rows) >= 60
    assert len({row["offense_type"] for row in rows}) >= 12
    for row in rows:
        assert 120 <= len(row["facts"].split()) <= 300, row["case_id"]


def test_the_chinese_set_has_40_cases_over_10_charges() -> None:
    rows = rows_of(CN)
    assert len(rows) >= 40
    assert len({row["charge"] for row in rows}) >= 10
    for row in rows:
        assert 150 <= len(row["facts"]) <= 400, row["case_id"]


@pytest.mark.parametrize("name", SETS)
def test_a_set_loads_with_its_packs(name: str) -> None:
    cases = load_cases(name)
    language = {US: "en", CN: "zh"}[name]
    assert cases.name == name
    assert cases.languages == (language,)
    labels = load_labels(",".join(cases.labels))
    assert any(label.placebo for label in labels)
    ids = [case.case_id for case in cases.cases]
    assert ids == [f"{name[:2]}-{i:03d}" for i in range(1, len(ids) + 1)]
    for case in cases.cases:
        assert case.facts == case.facts.strip()
        assert "\n" not in case.facts
        assert not re.search(r"  |[\u3000\ufeff\u200b]", case.facts)


def test_no_run_of_more_than_12_words_stands_in_two_us_cases() -> None:
    texts = {row["case_id"]: [w.casefold() for w in words(row["facts"])] for row in rows_of(US)}
    assert shared_runs(texts, 13) == []


def test_no_run_of_more_than_20_characters_stands_in_two_chinese_cases() -> None:
    assert shared_runs({row["case_id"]: chinese(row["facts"]) for row in rows_of(CN)}, 21) == []


def test_the_search_for_shared_runs_finds_one() -> None:
    texts = {"a": list("xxabcdyy"), "b": list("zabcdz")}
    assert shared_runs(texts, 4) == [("a", "b", "a b c d")]
    assert shared_runs(texts, 5) == []


# -- the sentencing table ------------------------------------------------------------------------

KNOWN_CELLS = {
    (1, "I"): (0, 6), (8, "I"): (0, 6), (9, "I"): (4, 10), (13, "I"): (12, 18), (17, "I"): (24, 30),
    (20, "I"): (33, 41), (24, "III"): (63, 78), (29, "VI"): (151, 188), (32, "I"): (121, 151),
    (37, "I"): (210, 262), (40, "I"): (292, 365), (41, "I"): (324, 405),
}  # fmt: skip


@pytest.fixture(scope="module")
def table() -> dict[tuple[int, str], dict[str, str]]:
    with (folder(US) / "sentencing_table.csv").open(encoding="utf-8", newline="") as stream:
        return {
            (int(row["offense_level"]), row["criminal_history"]): row
            for row in csv.DictReader(stream)
        }


def test_the_table_is_that_of_the_manual(table: dict[tuple[int, str], dict[str, str]]) -> None:
    categories = ["I", "II", "III", "IV", "V", "VI"]
    assert list(table) == [(level, c) for level in range(1, 44) for c in categories]
    for cell, (low, high) in KNOWN_CELLS.items():
        assert (table[cell]["low_months"], table[cell]["high_months"]) == (str(low), str(high))
    assert {row["kind"] for cell, row in table.items() if cell[0] == 43} == {"life"}
    to_life = [cell for cell, row in table.items() if row["kind"] == "range_to_life"]
    assert to_life[:3] == [(37, "VI"), (38, "V"), (38, "VI")]
    assert [c for level, c in to_life if level == 42] == categories


def test_ranges_rise_with_level_and_history(table: dict[tuple[int, str], dict[str, str]]) -> None:
    for (level, category), row in table.items():
        if row["kind"] != "range":
            continue
        low, high = int(row["low_months"]), int(row["high_months"])
        # The top exceeds the bottom by the greater of six months and a quarter (28 U.S.C. 994(b)).
        assert low < high <= low + max(6, low / 4) + 1
        above = table.get((level + 1, category))
        if above is not None and above["kind"] == "range":
            assert int(above["low_months"]) >= low


@pytest.mark.parametrize("row", rows_of(US), ids=lambda row: row["case_id"])
def test_the_true_sentence_is_the_midpoint_of_the_cell(
    row: dict[str, Any], table: dict[tuple[int, str], dict[str, str]]
) -> None:
    cell = table[row["offense_level"], row["criminal_history"]]
    assert row["range_kind"] == cell["kind"]
    if cell["kind"] == "range":
        low, high = int(cell["low_months"]), int(cell["high_months"])
        assert (row["range_low"], row["range_high"]) == (low, high)
        assert row["true_months"] == (low + high) / 2
        assert row["true_penalty"] == "fixed_term"
    else:
        assert row["true_months"] is None
        assert row["true_penalty"] == ("life" if cell["kind"] == "life" else None)


@pytest.mark.parametrize("row", rows_of(US), ids=lambda row: row["case_id"])
def test_a_us_case_states_its_level_and_category_once(row: dict[str, Any]) -> None:
    levels = re.findall(r"total offense level (?:of|is) (\d+)", row["facts"])
    categories = re.findall(r"criminal history category ([IV]+)\b", row["facts"])
    assert levels == [str(row["offense_level"])]
    assert categories == [row["criminal_history"]]
    assert ("Victim 1" in row["facts"]) == row["victim_natural_person"]


def test_chinese_sentences_fit_their_kind() -> None:
    for row in rows_of(CN):
        assert row["charge"].endswith("罪")
        assert row["article"].startswith("刑法第")
        months, kind = row["true_months"], row["true_penalty"]
        if kind == "life":
            assert months is None
        elif kind == "detention":  # article 42: one to six months
            assert 1 <= months <= 6
        else:  # article 45: six months to fifteen years
            assert 6 <= months <= 180
        # Article 73: probation runs at least a year and at least as long as the term.
        if kind == "probation":
            assert max(12, months) <= row["probation_months"] <= 60
        else:
            assert row["probation_months"] is None
        assert re.search(r"被害人", row["facts"]) or not row["victim_natural_person"]


def test_years_of_filing_fit_the_dates_in_the_facts() -> None:
    for name in SETS:
        for row in rows_of(name):
            text = re.sub(r"section 195\d", "", row["facts"])
            latest = max(int(y) for y in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", text))
            assert row["filed_year"] - 1 <= latest <= row["filed_year"] + 1, row["case_id"]


# -- what no case states -------------------------------------------------------------------------

US_BANNED = (
    r"(?i)\b(?:he|she|him|his|her|hers|himself|herself|man|woman|men|women|male|female|boy|girl"
    r"|mr|mrs|ms|mother|father|wife|husband|son|daughter|brother|sister|widow\w*|pregnan\w*"
    r"|white|black|hispanic|latin[oax]|asian|native american|african|caucasian|immigrant|citizen\w*"
    r"|christian|catholic|muslim|jewish|church|mosque|synagogue|gay|lesbian|bisexual|disabled"
    r"|veteran|military|army|navy|married|divorced|single mother|children|college|university"
    r"|high school|degree|unemployed|homeless|indigent|wealthy|poor|addict\w*|counsel|attorney"
    r"|prosecutor|judge|jury|foreperson|courtroom|venue|bail|detained|detention|custody|press"
    r"|reporter|morning|afternoon|evening|midnight|noon|\d{1,3}[- ]years?[- ]old|aged \d+)\b"
    r"|(?i:\b\d{1,2}:\d\d\b|\b\d{1,2} ?[ap]\.m)"
)
CN_BANNED = (
    r"[男女她]|(?<![其吉])他(?=[的将把向对从])|岁|汉族|少数民族|[回藏苗彝壮满]族|文化程度|学历|毕业"
    r"|户籍|户口|国籍|外国|党员|群众|存款|积蓄|信仰|教徒|佛教|基督|穆斯林|同性恋|异性恋|双性恋"
    r"|务工|务农|无业|打工|农村|城市|某[村镇乡]|[春夏秋冬]季|\d{1,2}月|上午|下午|凌晨|晚上|深夜|清晨"
    r"|傍晚|中午|当晚|辩护|律师|公诉|检察员|法官|审判|陪审|合议|法庭|庭审|取保候审|拘留|逮捕|羁押|回避"
)


@pytest.mark.parametrize(("name", "banned"), [(US, US_BANNED), (CN, CN_BANNED)])
def test_no_case_states_a_factor(name: str, banned: str) -> None:
    found = {
        row["case_id"]: match.group(0)
        for row in rows_of(name)
        if (match := re.search(banned, row["facts"]))
    }
    assert found == {}


@pytest.mark.parametrize("name", SETS)
def test_no_case_states_the_outcome(name: str) -> None:
    outcome = (
        r"(?i)\bsentenced to \d+|\bimposed (?:a )?sentence|判处|有期徒刑|缓刑|拘役|无期徒刑|罚金"
    )
    assert [row["case_id"] for row in rows_of(name) if re.search(outcome, row["facts"])] == []


OVER_MONTHS = {
    "cn-006", "cn-009", "cn-011", "cn-016", "cn-018", "cn-021", "cn-027", "cn-030", "cn-035",
    "cn-038", "cn-040",
}  # fmt: skip
# label, cases in which the facts settle it (the datasheets say which and why)
SETTLED = {
    US: {
        "defendant_education": {"us-027"},
        "grand_jury_foreperson_sex": {"us-005", "us-031", "us-043"},
    },
    CN: {
        "crime_date": OVER_MONTHS,
        "crime_time": OVER_MONTHS | {"cn-004", "cn-005", "cn-019", "cn-020", "cn-033"},
        "victim_wealth": {
            "cn-001", "cn-004", "cn-007", "cn-010", "cn-013", "cn-015", "cn-016", "cn-024",
            "cn-031",
        },
        "defendant_age": {"cn-006", "cn-038"},
        "defendant_education": {"cn-009", "cn-027"},
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_labels_are_left_out_where_the_datasheet_says_so_and_nowhere_else(name: str) -> None:
    cases = load_cases(name)
    labels = load_labels(",".join(cases.labels))
    settled: dict[str, set[str]] = {}
    for item in make_variants(cases.cases, labels):
        if isinstance(item, Skipped):
            assert item.kind in ("stated", "charge", "requirement"), item
            if item.kind == "stated":
                settled.setdefault(item.label, set()).add(item.case_id)
    assert settled == SETTLED[name]
    text = datasheet(name)
    assert all(case_id in text for ids in settled.values() for case_id in ids)


def test_no_us_record_begins_before_the_youngest_age_asked_is_18() -> None:
    """A conviction of 2003 and an age of 25 in 2017 would contradict each other."""
    (label,) = load_labels("judicial-us:defendant_age")
    youngest = min(value.number or 0 for value in label.values)
    for row in rows_of(US):
        text = re.sub(r"section 195\d", "", row["facts"])
        earliest = min(int(year) for year in re.findall(r"\b20\d\d\b", text))
        assert youngest - (row["filed_year"] - earliest) >= 18, row["case_id"]


# -- the datasheets ------------------------------------------------------------------------------


def counted(text: str, heading: str) -> dict[str, tuple[int, ...]]:
    """A table of the datasheet: first cell -> the numbers behind it."""
    lines = text[text.index(heading) :].splitlines()[2:]
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[cells[0]] = tuple(int(cell) for cell in cells[1:] if cell.isdigit())
    return rows


def with_victims(rows: list[dict[str, Any]], column: str) -> dict[str, tuple[int, ...]]:
    cases = Counter(row[column] for row in rows)
    victims = Counter(row[column] for row in rows if row["victim_natural_person"])
    return {name: (count, victims[name]) for name, count in cases.items()}


def test_the_us_datasheet_counts_what_the_data_hold() -> None:
    rows, text = rows_of(US), datasheet(US)
    lengths = [len(row["facts"].split()) for row in rows]
    victims = sum(row["victim_natural_person"] for row in rows)
    types = with_victims(rows, "offense_type")
    assert counted(text, "| offense type | cases") == {**types, "all": (len(rows), victims)}
    assert f"over {len(types)} offense types" in text
    assert f"({min(lengths)} to {max(lengths)} words, {sum(lengths) / len(rows):.0f} on" in text
    categories = Counter(row["criminal_history"] for row in rows)
    counts = " | ".join(str(categories[c]) for c in ("I", "II", "III", "IV", "V", "VI"))
    assert f"| cases | {counts} |" in text
    months = [row["true_months"] for row in rows if row["true_months"] is not None]
    assert f"the main sample is the other {len(months)}" in text
    assert f"`true_months` runs from {min(months):g} to {max(months):g} " in text
    edges = [0, 12, 24, 60, 120, 999]
    bins = [sum(a < m <= b for m in months) for a, b in pairwise(edges)]
    for name, count in zip(
        ("up to 12 months", "over 12 to 24", "over 24 to 60", "over 60 to 120", "over 120"),
        bins, strict=True,
    ):  # fmt: skip
        assert f"{name}: {count}" in text
    levels = [row["offense_level"] for row in rows]
    assert f"Offense levels run from {min(levels)} to {max(levels)}." in text
    assert f"{victims} of {len(rows)} cases have one natural person as victim" in text


def test_the_chinese_datasheet_counts_what_the_data_hold() -> None:
    rows, text = rows_of(CN), datasheet(CN)
    lengths = [len(row["facts"]) for row in rows]
    assert counted(text, "| charge | in English") == with_victims(rows, "charge")
    kinds = Counter(row["true_penalty"] for row in rows)
    assert counted(text, "| kind of penalty | cases |") == {k: (n,) for k, n in kinds.items()}
    charges = len({row["charge"] for row in rows})
    assert (
        f"{len(rows)} fictional Chinese criminal cases in simplified Chinese, over {charges}"
        in text
    )
    assert f"({min(lengths)} to {max(lengths)} characters)" in text
    fixed = [row["true_months"] for row in rows if row["true_penalty"] == "fixed_term"]
    assert f"Fixed terms run from {min(fixed):g} to {max(fixed):g} months" in text
    edges = [0, 12, 36, 60, 120, 180]
    bins = [sum(a < m <= b for m in fixed) for a, b in pairwise(edges)]
    names = ("up to 12 months", "13 to 36 months", "37 to 60 months", "61 to 120 months",
             "121 to 180 months")  # fmt: skip
    for name, count in zip(names, bins, strict=True):
        assert f"{name}: {count}" in text
    victims = sum(row["victim_natural_person"] for row in rows)
    assert f"{victims} of {len(rows)} cases have one natural person as victim" in text
    years = sorted(Counter(row["filed_year"] for row in rows).items())
    assert "Year of filing: " + ", ".join(f"{year}: {n}" for year, n in years) + "." in text


@pytest.mark.parametrize("name", SETS)
def test_a_datasheet_says_what_the_set_is_for_and_what_not(name: str) -> None:
    text = datasheet(name)
    for said in ("fictional", "License: Apache-2.0", "It is not for", "about 200", "## Limits"):
        assert said in text, said
    fields = {cell for line in text.splitlines() for cell in re.findall(r"`(\w+)`", line)}
    assert set(rows_of(name)[0]) <= fields
