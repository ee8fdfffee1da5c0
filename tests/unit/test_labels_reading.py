"""A pack's file -> labels: what a sound pack says."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from justeval.errors import LabelPackError
from justeval.labels import load_pack, read_pack

Write = Callable[..., Path]


def test_a_sound_pack_is_read_as_it_stands(write: Write, own_pack: str) -> None:
    pack = read_pack(write(own_pack))
    assert (pack.name, pack.title, pack.languages, pack.placebo) == ("own", "own", ("en",), False)
    folder, age = pack.labels
    assert (folder.place, folder.kind, folder.reference) == ("opening", "categorical", "blue")
    assert folder.excluded_charges == ("theft",)
    assert folder.patterns["en"][0].search("in a folder there")
    assert folder.value("red").name == {"en": "red"}
    assert folder.n_values == 2
    assert not folder.template
    with pytest.raises(KeyError):
        folder.value("green")
    assert age.numeric
    assert [(v.id, v.number) for v in age.values] == [("25", 25.0), ("45", 45.0)]
    assert age.value("45").sentence == {"en": "The defendant is 45 years old."}
    assert age.reference == "25"
    assert age.template == {"en": "The defendant is {value} years old."}
    assert age.range == (18.0, 75.0)


def test_a_pack_is_read_once_until_its_file_changes(write: Write, own_pack: str) -> None:
    path = write(own_pack)
    assert load_pack(str(path)) is load_pack(str(path))
    write(own_pack.replace("The folder is red.", "The folder is green."))
    os.utime(path, ns=(1, 1))
    assert load_pack(str(path)).labels[0].value("red").sentence["en"] == "The folder is green."


def test_ages_asked_are_25_45_65_where_the_pack_names_none(write: Write, own_pack: str) -> None:
    age = read_pack(write(own_pack.replace("    asked: [25, 45]\n", ""))).labels[1]
    assert [value.id for value in age.values] == ["25", "45", "65"]


def test_a_reference_is_one_of_the_ages_asked(write: Write, own_pack: str) -> None:
    text = own_pack.replace("    asked: [25, 45]\n", "    asked: [25, 45]\n    reference: 45\n")
    assert read_pack(write(text)).labels[1].reference == "45"


def test_byte_order_mark_and_windows_line_ends_are_read(write: Write, own_pack: str) -> None:
    data = b"\xef\xbb\xbf" + own_pack.replace("\n", "\r\n").encode()
    assert len(read_pack(write(data)).labels) == 2


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabelPackError, match=r"none\.yaml: cannot be read \(No such file"):
        read_pack(tmp_path / "none.yaml")
