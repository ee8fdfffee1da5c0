"""Ready profiles on small files of the exact shape, with the published names and codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from justeval.casefiles import ImportOptions, import_cases, load_profile, profile_names
from justeval.cases import check_cases, load_cases
from justeval.errors import CaseFileError
from justeval.labels import load_labels
from justeval.variants import Skipped, versions_of

Write = Callable[..., Path]


def imported(path: Path, profile: str, **options: Any) -> list[dict[str, Any]]:
    out = path.parent / "out.parquet"
    import_cases(path, out, ImportOptions(profile=profile, **options))
    assert check_cases(out).problems == ()
    return pq.read_table(out).to_pylist()


def cail(fact: str, charges: list[str], fine: int, term: dict[str, Any]) -> str:
    meta = {
        "relevant_articles": [248, 357], "accusation": charges, "punish_of_money": fine,
        "criminals": ["严某某"], "term_of_imprisonment": term,
    }  # fmt: skip
    return json.dumps({"fact": fact, "meta": meta}, ensure_ascii=False) + "\n"


def term(months: int, death: bool = False, life: bool = False) -> dict[str, Any]:
    return {"death_penalty": death, "imprisonment": months, "life_imprisonment": life}


def test_cail2018(write: Write) -> None:
    fact = "公诉机关指控，被告人严某某在其家中吸食毒品时被公安民警抓获。"
    path = write(
        cail(fact, ["非法持有毒品"], 2000, term(6))
        + cail(fact, ["故意杀人", "抢劫"], 0, term(0, life=True))
        + cail(fact, ["故意杀人"], 50000, term(0, death=True))
        + cail(fact, ["非法捕捞水产品"], 3000, term(0))
        + cail(fact, ["盗窃"], 0, term(0)),
        "data_train.json",
    )
    rows = imported(path, "cail2018")
    assert [row["case_id"] for row in rows] == [f"cail-{i}" for i in range(1, 6)]
    assert [(row["true_months"], row["true_penalty"]) for row in rows] == [
        (6, None),
        (None, "life"),
        (None, "death"),
        (0, "fine"),
        (0, None),
    ]
    assert [row["charge"] for row in rows][:2] == ["非法持有毒品", "故意杀人；抢劫"]
    assert {(row["language"], row["jurisdiction"]) for row in rows} == {("zh", "cn")}
    assert rows[0]["meta.relevant_articles"] == "[248, 357]"
    assert "facts_source" not in rows[0]


# The header is a part of that of opafy22nid.csv, in its order; MONSEX, NEWRACE and AGE are there
# and must not enter the facts. Codes as in the codebook's tables.
USSC = """\
USSCIDN,AGE,MONSEX,NEWRACE,CITIZEN,DISPOSIT,SENTTOT,SENTIMP,XFOLSOR,XCRHISSR,GLMIN,GLMAX,WEAPON,\
COMBDRG2,OFFGUIDE
1000001,34,0,2,1,1,60,1,25,3,57,71,1,6,10
1000002,51,1,1,1,1,,4,10,1,6,12,0,,16
1000003,29,0,3,3,3,470,1,43,1,9996,9996,1,,22
1000004,40,0,1,1,1,,0,4,1,0,6,0,,14
1000005,22,0,2,1,4,0.03,1,12,,10,16,0,,17
1000006,60,0,1,1,1,600,2,43,6,9996,9996,0,,26
1000007,44,0,1,1,1,9998,1,43,6,9996,9996,0,,22
"""


def test_the_sentencing_commissions_individual_file(write: Write) -> None:
    path = write(USSC, "opafy22nid.csv")
    rows = imported(path, "ussc")
    assert [(row["case_id"], row["true_months"], row["true_penalty"]) for row in rows] == [
        ("1000001", 60, "fixed_term"),
        ("1000002", None, "probation"),
        ("1000003", None, "life"),
        ("1000004", None, "fine"),
        ("1000005", 0.03, "fixed_term"),
        ("1000006", 600, "fixed_term"),
        ("1000007", None, "death"),
    ]
    assert rows[0]["charge"] == "drug trafficking"
    assert rows[0]["facts"] == (
        "The defendant was convicted in federal court; the primary offense is drug trafficking. "
        "The drug with the greatest weight in the sentence was methamphetamine. "
        "A weapon enhancement or a firearms count was applied. The defendant pleaded guilty. "
        "The final offense level is 25. The defendant stands in criminal history category III."
    )
    assert "criminal history" not in rows[4]["facts"]
    assert {row["facts_source"] for row in rows} == {"template"}
    assert rows[2]["SENTTOT"] == "470"


def test_facts_of_the_commissions_file_state_no_factor(write: Write) -> None:
    path = write(USSC, "opafy22nid.csv")
    imported(path, "ussc")
    cases = load_cases(str(path.parent / "out.parquet"))
    for label in load_labels("judicial-us"):
        for case in cases.cases:
            versions = versions_of(case, label)
            assert not (isinstance(versions, Skipped) and versions.kind == "stated"), versions


def test_the_template_of_a_profile_can_be_replaced(write: Write) -> None:
    path = write(USSC, "opafy22nid.csv")
    rows = imported(path, "ussc", template="Offense: {offguide}.\nLevel {XFOLSOR}.")
    assert rows[0]["facts"] == "Offense: drug trafficking. Level 25."


def test_a_fitting_profile_is_proposed(write: Write) -> None:
    path = write(USSC, "opafy22nid.csv")
    with pytest.raises(CaseFileError, match=r"column facts") as caught:
        imported(path, "")
    assert "perhaps --profile ussc (it has the columns)" in str(caught.value.problems[-1])


def test_profiles_name_the_pages_of_their_codebooks() -> None:
    assert profile_names() == ["cail2018", "ussc"]
    for name in profile_names():
        profile = load_profile(name)
        assert len(profile.source) > 40
        assert profile.title
