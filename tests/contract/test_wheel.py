"""A wheel installed in a fresh environment finds its labels and cases and runs the demo.

The test needs the package index, as the installation of the project itself does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
NODE_FLOOR = (20, 19)


def has_node() -> bool:
    """Whether there is a Node that can build the page."""
    node = shutil.which("node")
    if node is None:
        return False
    printed = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    numbers = printed.stdout.strip().lstrip("v").split(".")[:2]
    return len(numbers) == 2 and tuple(map(int, numbers)) >= NODE_FLOOR


def run(command: list[str], folder: Path) -> str:
    """Runs a command away from the checkout; its standard output."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built through a source distribution as a release is."""
    out = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(CHECKOUT)], out)
    return next(out.glob("*.whl"))


def test_the_wheel_holds_data_and_no_stray_packages(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names}
    assert "justeval/_data/labels/judicial-cn.yaml" in names
    assert "justeval/_data/datasets/us-sentencing/cases.jsonl" in names
    assert "justeval/languages/zh.yaml" in names
    assert "justeval/report/page.html.j2" in names
    assert "justeval/py.typed" in names
    packages = {name for name in top if not name.endswith(".dist-info")}
    assert packages == {"justeval", "justeval_api"}
    assert "justeval_api/serving.py" in names
    assert not any("node_modules" in name for name in names)


def test_the_wheel_holds_the_page(wheel: Path) -> None:
    if not has_node():
        pytest.skip("no Node to build the page with")
    names = zipfile.ZipFile(wheel).namelist()
    assert "justeval_api/_web/index.html" in names, "the page is not built: make page"
    assert any(name.startswith("justeval_api/_web/assets/index-") for name in names)


def test_a_fresh_environment_runs_the_demo(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "environment"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    try:
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        run([*pip, str(wheel)], tmp_path)
        where = run([str(python), "-c", "import justeval; print(justeval.__file__)"], tmp_path)
        assert str(home) in where
        listed = run([str(home / "bin" / "justeval"), "labels", "list"], tmp_path)
        assert "65 labels, 161 values" in listed
        printed = run([str(home / "bin" / "justeval"), "demo", "--out", "demo"], tmp_path)
        assert "simulated-planted" in printed
        assert (tmp_path / "demo" / "report.html").is_file()
        built = "import justeval_api.page; print(justeval_api.page.is_built())"
        assert run([str(python), "-c", built], tmp_path).strip() == "True" or not has_node()
    finally:
        shutil.rmtree(home)
