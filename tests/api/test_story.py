"""What docs/api.md shows is run: the story with curl, and the client in Python."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
import zipfile
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from justeval_api.app import create_app
from tests.api.serving import Served

TEXT = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8787"


def blocks(language: str) -> list[str]:
    """The blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.M | re.S)


def test_the_story_with_curl(served: Served, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        reason = "curl is not installed"
        pytest.fail(reason) if os.environ.get("JUSTEVAL_NO_SKIPS") else pytest.skip(reason)
    script = "set -euo pipefail\n" + "\n".join(blocks("bash"))
    script = script.replace(ADDRESS, served.address)
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "no_proxy": "127.0.0.1"}, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr
    assert not done.stderr
    rows = list(csv.DictReader(io.StringIO((tmp_path / "values.csv").read_text())))
    collected = rows[0]["run"]
    items = served.get(f"/runs/{collected}/results/values", limit=500)["items"]
    assert [float(row["coef"]) if row["coef"] else None for row in rows] == [
        item["coef"] for item in items
    ]
    assert zipfile.is_zipfile(tmp_path / "results.xlsx")
    kinds = {run["kind"] for run in served.get("/runs", limit=500)["items"]}
    assert kinds == {"collected", "imported"}


def test_the_client_in_python(served: Served) -> None:
    (body,) = blocks("python")
    printed = io.StringIO()
    with redirect_stdout(printed):
        names: dict[str, object] = {}
        exec(body.replace(ADDRESS, served.address), names)
        names["api"].close()  # type: ignore[attr-defined]
    assert '"state":"complete"' in printed.getvalue()
    assert "pretrial_release detained bias " in printed.getvalue()


def test_every_route_that_is_named_exists() -> None:
    paths = create_app().openapi()["paths"]
    known = {re.sub(r"\{[a-z]+\}", "ID", path.removeprefix("/api/v1")) for path in paths}
    named = set(re.findall(r"`(?:GET|POST|PUT|DELETE)? ?(/[a-z]+(?:/(?:ID|[a-z]+))*)", TEXT))
    named = {path for path in named if path not in ("/docs", "/api/v")}
    assert len(named) > 5
    assert named <= known | {"/comparisons/exports"}, named - known
