"""Names on the command line -> labels: packs, single labels, and what cannot be told apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from justeval.errors import LabelPackError, UsageError
from justeval.labels import find_label, load_labels, load_pack, load_shipped_packs

Write = Callable[..., Path]


def ids(names: str) -> list[str]:
    return [label.id for label in load_labels(names)]


def test_packs_are_taken_in_the_order_named() -> None:
    chinese, placebo = load_pack("judicial-cn").labels, load_pack("placebo").labels
    assert load_labels("judicial-cn,placebo") == (*chinese, *placebo)
    assert load_labels(" placebo , judicial-cn,") == (*placebo, *chinese)


def test_all_shipped_packs_are_read() -> None:
    names = [pack.name for pack in load_shipped_packs()]
    assert names == ["judicial-cn", "judicial-us", "placebo"]


def test_a_single_label_is_taken_by_pack_and_id() -> None:
    (label,) = load_labels("judicial-us:defendant_sex")
    assert (label.pack, label.id) == ("judicial-us", "defendant_sex")
    assert ids("judicial-cn:judge_age,placebo:ink_color") == ["judge_age", "ink_color"]


def test_a_label_named_twice_is_taken_once() -> None:
    assert ids("placebo:ink_color,placebo:ink_color") == ["ink_color"]
    assert ids("placebo:copier,placebo") == [
        "copier",
        *(x for x in ids("placebo") if x != "copier"),
    ]


def test_an_id_alone_is_enough_where_one_pack_has_it() -> None:
    assert [label.pack for label in load_labels("judge_wealth,ink_color")] == [
        "judicial-cn",
        "placebo",
    ]


def test_an_id_that_two_packs_have_is_not_guessed() -> None:
    with pytest.raises(UsageError) as caught:
        load_labels("defendant_sex")
    assert str(caught.value) == (
        "label 'defendant_sex' stands in several packs; "
        "say judicial-cn:defendant_sex or judicial-us:defendant_sex"
    )


def test_two_packs_that_share_a_label_clash() -> None:
    with pytest.raises(UsageError) as caught:
        load_labels("judicial-cn,judicial-us")
    assert str(caught.value) == (
        "label 'defendant_sex' stands in the packs judicial-cn and judicial-us; "
        "take one of the packs, or single labels by pack:label"
    )


def test_two_files_that_name_the_same_pack_clash_by_their_paths(
    write: Write, own_pack: str
) -> None:
    one, other = write(own_pack, "one.yaml"), write(own_pack, "other.yaml")
    with pytest.raises(UsageError, match=rf"in the packs {one} and {other}; take one"):
        load_labels(f"{one},{other}")


def test_an_own_pack_is_taken_by_path_and_single_labels_of_it(write: Write, own_pack: str) -> None:
    path = write(own_pack)
    assert ids(f"{path},placebo:copier") == ["folder", "age", "copier"]
    assert ids(f"{path}:age") == ["age"]


def test_an_own_pack_that_is_broken_is_named(write: Write) -> None:
    with pytest.raises(LabelPackError, match=r"own\.yaml: the file is empty"):
        load_labels(str(write("")))


UNKNOWN = {
    "judicial-fr": "no label pack 'judicial-fr': it is neither a file here nor one of judicial-cn,",
    "judicial-cn:judge_sexx": "no label 'judge_sexx': did you mean judge_sex",
    "judicial-cn:zzz": "no label 'zzz': see `justeval labels list`",
    "judicial-fr:judge_sex": "no label pack 'judicial-fr'",
    "judge_shoes": "no label pack 'judge_shoes'",
    "": "no labels named; packs are judicial-cn, judicial-us, placebo",
    " , ": "no labels named; packs are judicial-cn, judicial-us, placebo",
}


@pytest.mark.parametrize("names", UNKNOWN)
def test_an_unknown_name_is_a_usage_error(names: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_labels(names)
    assert str(caught.value).startswith(UNKNOWN[names])
    assert caught.value.exit_code == 2


def test_near_names_are_offered() -> None:
    labels = load_pack("placebo").labels
    assert find_label(labels, "copier").id == "copier"
    with pytest.raises(UsageError, match=r"^no label 'folder_colour': did you mean folder_color"):
        find_label(labels, "folder_colour")
