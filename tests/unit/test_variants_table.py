"""Variants -> Parquet, batch by batch; on an error nothing is left half-written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from justeval.cases import Case, load_cases
from justeval.errors import InputError
from justeval.labels import Label, load_labels
from justeval.schema import VARIANTS
from justeval.variants import Skipped, Variant, make_variants, versions_of
from justeval.variants.table import BATCH, marked, write_variants

MakeCase = Callable[..., Case]
MakeLabel = Callable[..., Label]


def test_every_variant_of_a_shipped_set_is_in_the_file(tmp_path: Path) -> None:
    cases = load_cases("us-sentencing").cases[:8]
    labels = load_labels("judicial-us,placebo")
    path = tmp_path / "variants.parquet"
    items = list(make_variants(cases, labels))
    written = write_variants(iter(items), path)
    made = [item for item in items if isinstance(item, Variant)]
    table = pq.read_table(path)
    assert table.schema == VARIANTS
    assert [Variant(**row) for row in table.to_pylist()] == made
    assert written.rows == len(made)
    assert written.texts == len({variant.text for variant in made})
    assert written.skipped == tuple(item for item in items if isinstance(item, Skipped))
    kinds = [skip.kind for skip in written.skipped]
    assert written.skipped_by_kind == {kind: kinds.count(kind) for kind in kinds}
    assert list(tmp_path.iterdir()) == [path]


def test_a_stream_longer_than_a_batch_is_written_as_it_comes(
    tmp_path: Path, make_case: MakeCase, make_label: MakeLabel
) -> None:
    path = tmp_path / "variants.parquet"
    label = make_label(excluded_charges=("theft",))
    taken = 0

    def cases() -> Iterator[Case]:
        nonlocal taken
        for taken in range(BATCH):
            if taken == BATCH - 1:
                # Two full batches are behind: they are on disk, under another name.
                assert path.with_name("variants.parquet.partial").stat().st_size > 1000
                assert not path.exists()
            charge = "theft" if taken == 7 else None
            yield make_case(case_id=str(taken), facts=f"Case {taken}.", charge=charge)

    written = write_variants(make_variants(cases(), [label]), path)
    assert written.rows == 3 * BATCH - 2
    assert written.texts == written.rows
    assert [skip.case_id for skip in written.skipped] == ["7"]
    read = pq.read_table(path, columns=["case_id"])["case_id"].to_pylist()
    assert list(dict.fromkeys(read)) == [str(i) for i in range(BATCH)]


def test_an_empty_stream_is_an_empty_table(tmp_path: Path) -> None:
    written = write_variants([], tmp_path / "v.parquet")
    assert (written.rows, written.texts, written.skipped) == (0, 0, ())
    assert pq.read_table(tmp_path / "v.parquet").schema == VARIANTS


@pytest.mark.parametrize("kind", [InputError, KeyboardInterrupt])
def test_an_error_leaves_neither_a_file_nor_a_piece(
    kind: type[BaseException], tmp_path: Path, make_case: MakeCase, make_label: MakeLabel
) -> None:
    def stream() -> Iterator[Variant | Skipped]:
        for i in range(BATCH):
            yield from make_variants([make_case(case_id=str(i))], [make_label()])
        raise kind("stopped")

    with pytest.raises(kind):
        write_variants(stream(), tmp_path / "v.parquet")
    assert list(tmp_path.iterdir()) == []


def test_an_error_leaves_an_earlier_file_as_it_was(
    tmp_path: Path, make_case: MakeCase, make_label: MakeLabel
) -> None:
    path = tmp_path / "v.parquet"
    write_variants(make_variants([make_case()], [make_label()]), path)
    before = path.read_bytes()
    wrong = make_label({"blue": "The folder is blue.", "red": "文件夹为红色。"})
    with pytest.raises(InputError):
        write_variants(make_variants([make_case()], [wrong]), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_edited_is_shown_between_marks(make_case: MakeCase, make_label: MakeLabel) -> None:
    blue, _ = versions_of(make_case(facts="A bicycle."), make_label(place="closing"))  # type: ignore[misc]
    assert marked(blue) == "A bicycle.\n[[The folder is blue.]]"
    assert marked(blue, "<", ">") == "A bicycle.\n<The folder is blue.>"
