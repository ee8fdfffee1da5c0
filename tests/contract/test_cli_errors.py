"""Bad input: one clear line on standard error, the right exit code, nothing half-written."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from justeval.cli import main

ORACLE = Path(__file__).parents[1] / "oracle" / "data"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """A command's exit code, standard output and standard error."""
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


USAGE = {
    "unknown command": (["frobnicate"], "No such command"),
    "unknown case set": (["variants", "--cases", "nope", "--out", "v.parquet"], "nope"),
    "unknown label pack": (
        ["variants", "--cases", "us-sentencing", "--labels", "nope", "--out", "v.parquet"],
        "nope",
    ),
    "unknown label": (["labels", "show", "judge_sexx"], "judge_sex"),
    "unknown model": (
        ["collect", "--cases", "us-sentencing", "--model", "gpt", "--out", "run"],
        "openrouter:NAME",
    ),
    "missing key": (
        ["collect", "--cases", "us-sentencing", "--model", "openrouter:a/b", "--out", "run"],
        "OPENROUTER_API_KEY",
    ),
    "missing option": (["collect", "--cases", "us-sentencing"], "--model"),
    "unknown prompt": (["prompts", "show", "nope"], "nope"),
    "no such run": (["analyze", "nowhere"], "nowhere"),
    "bad map": (["analyze", "table.csv", "--map", "case_id"], "ours=theirs"),
    "unknown engine": (["analyze", "table.csv", "--engine", "stata"], "--engine"),
    "two formats": (
        ["report", "run", "--out", "r.html", "--format", "xlsx"],
        "--out r.html is html by its ending, --format is xlsx",
    ),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage_errors_are_one_line_and_exit_2(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    (tmp_path / "table.csv").write_text("case_id,value,months\n1,a,3\n")
    words, expected = USAGE[name]
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert expected in err
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_failures_are_one_line_and_exit_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    broken = tmp_path / "broken.yaml"
    broken.write_text("pack: mine\nlabels: [\n")
    code, _, err = run(
        capsys,
        "variants",
        "--cases",
        "us-sentencing",
        "--labels",
        str(broken),
        "--out",
        "v.parquet",
    )
    assert code == 1
    assert err.count("\n") == 1
    assert "broken.yaml line 3" in err
    assert not (tmp_path / "v.parquet").exists()


def test_a_table_of_cases_without_facts_names_the_column(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "cases.csv"
    file.write_text("case_id,text\n1,Once\n2,Twice\n")
    out = tmp_path / "run"
    code, _, err = run(
        capsys, "collect", "--cases", str(file), "--labels", "judicial-us", "--model", "simulated",
        "--out", str(out),
    )  # fmt: skip
    assert code == 1
    assert err.count("\n") == 1
    assert "column facts" in err
    assert not out.exists()


def test_a_closed_port_is_one_line_and_leaves_no_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
    out = tmp_path / "run"
    address = f"http://127.0.0.1:{closed_port()}/v1"
    code, _, err = run(
        capsys, "collect", "--cases", "us-sentencing", "--limit", "2", "--model", "openai:m",
        "--base-url", address, "--out", str(out),
    )  # fmt: skip
    last = err.strip().splitlines()[-1]
    assert code == 1
    assert address in last
    assert "refused" in last
    assert "key-of-a-test" not in err
    assert list(tmp_path.iterdir()) == []


def test_errors_are_json_where_json_was_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = run(capsys, "analyze", str(tmp_path / "nowhere"), "--json")
    assert code == 2
    assert json.loads(out)["error"]["kind"] == "UsageError"
    assert "nowhere" in json.loads(out)["error"]["message"]
    assert err.count("\n") == 1


def test_no_command_prints_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert code == 2
    assert out == ""
    assert "collect" in err


@pytest.mark.parametrize("words", [["--help"], ["labels", "--help"], ["--version"]])
def test_help_starts_without_heavy_packages(words: list[str]) -> None:
    """The command line must start at once: engines and tables load where they are used."""
    script = (
        "import sys; from justeval.cli import main; code = main(sys.argv[1:]); "
        "heavy = {'pandas', 'pyfixest', 'linearmodels', 'scipy.stats', 'matplotlib'}; "
        "sys.exit(code or (3 if heavy & set(sys.modules) else 0))"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_all_problems_of_a_table_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("case_id,label,value,months\n,x,a,3\n1,x,b\n1,y,a,3\n")
    code, out, err = run(capsys, "analyze", "t.csv", "--reference", "a")
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        "justeval: t.csv row 2, column case_id: empty (and 3 more)",
        "  t.csv row 2, column value: label 'x' has 1 value; a comparison needs at least 2. Add a "
        "value or remove the label.",
        "  t.csv row 3: 3 cells where the header names 4 columns",
        "  t.csv row 4, column value: label 'y' has 1 value; a comparison needs at least 2. Add a "
        "value or remove the label.",
    ]
