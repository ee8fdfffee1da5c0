"""Where the data lie: by the name of what ships, or as a path of the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from justeval import resources
from justeval.errors import UsageError


def test_names_of_what_ships_are_sorted() -> None:
    assert resources.pack_names() == ["judicial-cn", "judicial-us", "placebo"]
    assert resources.dataset_names() == ["cn-sentencing", "us-sentencing"]


def test_a_wheel_keeps_the_data_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "justeval"
    package.mkdir()
    monkeypatch.setattr(resources, "PACKAGE", package)
    assert resources.data_root() == tmp_path
    (package / "_data" / "labels").mkdir(parents=True)
    (package / "_data" / "labels" / "only.yaml").write_text("")
    assert resources.data_root() == package / "_data"
    assert resources.pack_names() == ["only"]
    assert resources.dataset_names() == []


def test_a_shipped_name_goes_before_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "placebo").write_text("")
    assert resources.pack_path("placebo").name == "placebo.yaml"
    assert resources.pack_path("./placebo") == Path("placebo")


def test_an_own_file_or_folder_is_taken_by_its_path(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("")
    assert resources.pack_path(str(own)) == own
    assert resources.dataset_path(str(tmp_path)) == tmp_path


@pytest.mark.parametrize("asked", ["nothing", "", "../labels/placebo", "no/such.yaml"])
def test_what_is_not_there_is_named_with_what_is(asked: str) -> None:
    with pytest.raises(UsageError) as caught:
        resources.pack_path(asked)
    assert str(caught.value) == (
        f"no label pack {asked!r}: it is neither a file here "
        "nor one of judicial-cn, judicial-us, placebo"
    )
    with pytest.raises(UsageError, match=r"^no case set .*cn-sentencing, us-sentencing$"):
        resources.dataset_path(asked)
