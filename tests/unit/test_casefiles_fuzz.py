"""Damaged files: clear messages or a correct table; never a traceback, never half an import."""

from __future__ import annotations

import io
import json
import shutil
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
from justeval.importing import TableOptions, import_biasbench, import_table

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


LATIN = FRAME.assign(facts=["Núñez left.", "Müller took a coat.", "A plain text."])
OLD_WORKBOOK = Path(__file__).parents[1] / "data" / "book.xls"


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
    "p.txt": lambda: LATIN.to_csv(index=False, sep="|").encode("latin-1"),
    "u.jsonl": lambda: _lines(FRAME).encode("utf-16"),
    "g.json": lambda: json.dumps(FRAME.to_dict("records"), ensure_ascii=False).encode("gb18030"),
    "o.xls": lambda: OLD_WORKBOOK.read_bytes(),
}


@cache
def sound(name: str) -> bytes:
    return WRITERS[name]()


@st.composite
def damage(draw: st.DrawFn, data: bytes) -> bytes:
    """One kind of damage: cut, a piece lost or doubled, bytes flipped, quotes or noise put in."""
    at = draw(st.integers(0, len(data)))
    length = draw(st.integers(1, 40))
    kind = draw(st.sampled_from(["cut", "head", "lost", "doubled", "flipped", "noise", "inserted"]))
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
    if kind == "noise":
        return data[:at] + draw(st.binary(min_size=1, max_size=200)) + data[at + length :]
    put = draw(st.one_of(st.sampled_from([b'"', b'""', b"\r\n", b",", b"{", b"\x00"]), st.binary()))
    return data[:at] + put + data[at:]


SOUND = [name for name in WRITERS if name not in ("p.txt", "o.xls")]
"""Those that hold the cases of FRAME."""


@pytest.mark.parametrize("name", SOUND)
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
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_damaged_file_is_told_or_read(
    name: str, data: st.DataObject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that a chain without end is found soon.
    monkeypatch.setattr("justeval.casefiles.workbooks.MOST_MEMORY", 1_000_000_000)
    path, out = tmp_path / name, tmp_path / "out.parquet"
    out.unlink(missing_ok=True)
    content = sound(name)
    for _ in range(data.draw(st.integers(1, 2))):
        content = data.draw(damage(content))
    path.write_bytes(content)
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


@given(noise=st.binary(max_size=300), name=st.sampled_from([*WRITERS, "o.ods"]))
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_noise_is_told(noise: bytes, name: str, tmp_path: Path) -> None:
    path, out = tmp_path / name, tmp_path / "out.parquet"
    path.write_bytes(noise)
    with pytest.raises(JustevalError) as caught:
        import_cases(path, out)
    assert str(path) in str(caught.value)
    assert [found.name for found in tmp_path.glob("out*")] == []


TABLES = {
    "t.csv": "case_id,label,value,months,reply\n"
    + "".join(f'{i},x,{v},{i},"r, {v}"\n' for i in range(4) for v in "ab"),
    "e.jsonl": "".join(
        json.dumps({"rep": 1, "name": n, "race": r, "gender": "male", "resume_id": f"R{i}",
                    "noul": 0.2, "model": "m"}) + "\n"
        for i in range(3) for n, r in (("Darnell", "black"), ("Greg", "white"))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
@given(data=st.data())
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_damaged_table_of_predictions_is_told_or_read(
    name: str, data: st.DataObject, tmp_path: Path
) -> None:
    path, run = tmp_path / name, tmp_path / "run"
    shutil.rmtree(run, ignore_errors=True)
    path.write_bytes(data.draw(damage(TABLES[name].encode())))
    try:
        if name == "t.csv":
            import_table(path, run, TableOptions(reference="a"))
        else:
            import_biasbench([path], run)
    except JustevalError as error:
        assert "\n" not in str(error)
        assert str(path) in str(error)
        assert not run.exists()
    else:
        assert (run / "predictions.parquet").is_file()
    assert not list(tmp_path.glob("*.partial"))
