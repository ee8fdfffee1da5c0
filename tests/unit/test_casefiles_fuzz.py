"""Damaged files: clear messages or a correct table; never a traceback, never half an import."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from justeval.casefiles import import_cases
from justeval.cases import check_cases
from justeval.errors import JustevalError

FRAME = pd.DataFrame(
    {
        "case_id": ["001", "002", "003"],
        "facts": [
            'He said "stop", then\nleft the shop with two coats.',
            "被告人李某盗窃手机一部，价值三千元。",
            "A plain text; with marks, and more | of them.",
        ],
        "months": ["12", "", "36.5"],
        "own": ["None", "NA", "=1+1"],
    }
)


def _workbook(frame: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    as_text = {"options": {"strings_to_formulas": False}}
    with pd.ExcelWriter(stream, engine="xlsxwriter", engine_kwargs=as_text) as writer:
        frame.to_excel(writer, index=False)
    return stream.getvalue()


def _lines(frame: pd.DataFrame) -> str:
    return str(frame.to_json(orient="records", lines=True, force_ascii=False))


WRITERS: dict[str, Callable[[], bytes]] = {
    "t.csv": lambda: FRAME.to_csv(index=False).encode(),
    "t.tsv": lambda: FRAME.to_csv(index=False, sep="\t").encode("utf-8-sig"),
    "u.csv": lambda: FRAME.to_csv(index=False, sep=";").encode("utf-16"),
    "g.csv": lambda: FRAME.to_csv(index=False).encode("gb18030"),
    "t.jsonl": lambda: _lines(FRAME).encode(),
    "t.json": lambda: json.dumps(FRAME.to_dict("records"), indent=1).encode(),
    "t.xlsx": lambda: _workbook(FRAME),
    "t.parquet": lambda: FRAME.to_parquet(index=False),
}


@cache
def sound(name: str) -> bytes:
    return WRITERS[name]()


@st.composite
def damage(draw: st.DrawFn, data: bytes) -> bytes:
    """One kind of damage: cut, a piece lost or doubled, bytes flipped, quotes or noise put in."""
    at = draw(st.integers(0, len(data)))
    length = draw(st.integers(1, 40))
    kind = draw(st.sampled_from(["cut", "head", "lost", "doubled", "flipped", "inserted"]))
    if kind == "cut":
        return data[:at]
    if kind == "head":
        return data[at:]
    if kind == "lost":
        return data[:at] + data[at + length :]
    if kind == "doubled":
        return data[: at + length] + data[at:]
    if kind == "flipped":
        flipped = bytes(byte ^ draw(st.integers(1, 255)) for byte in data[at : at + 2])
        return data[:at] + flipped + data[at + 2 :]
    put = draw(st.one_of(st.sampled_from([b'"', b'""', b"\r\n", b",", b"{", b"\x00"]), st.binary()))
    return data[:at] + put + data[at:]


@pytest.mark.parametrize("name", WRITERS)
def test_sound_files_come_through_whole(name: str, tmp_path: Path) -> None:
    path, out = tmp_path / name, tmp_path / "out.parquet"
    path.write_bytes(sound(name))
    assert import_cases(path, out).cases == 3
    checked = check_cases(out)
    assert [case.facts for case in checked.cases] == FRAME["facts"].tolist()
    assert [case.case_id for case in checked.cases] == FRAME["case_id"].tolist()
    assert [case.true_months for case in checked.cases] == [12, None, 36.5]
    assert [case.extra["own"] for case in checked.cases] == FRAME["own"].tolist()


@pytest.mark.parametrize("name", WRITERS)
@given(data=st.data())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_damaged_file_is_told_or_read(name: str, data: st.DataObject, tmp_path: Path) -> None:
    path, out = tmp_path / name, tmp_path / "out.parquet"
    out.unlink(missing_ok=True)
    path.write_bytes(data.draw(damage(sound(name))))
    try:
        imported = import_cases(path, out)
    except JustevalError as error:
        assert "\n" not in str(error)
        assert str(path) in str(error)
        assert not out.exists()
    else:
        checked = check_cases(out)
        assert checked.problems == ()
        assert len(checked.cases) == imported.cases
    assert not out.with_name("out.parquet.partial").exists()
