"""Each check on a small run: what is planted is found where it is, and nothing else."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from justeval.diagnose import KINDS, as_json, diagnose, flagged_rows
from justeval.schema import PREDICTIONS

MONTHS = (6, 12, 24, 36, 60, 84, 120, 180)
CHARGES = ("theft", "assault", "wire fraud", "bank robbery")


def sound(documents=60, values=("a", "b"), seed=0, **columns):
    """Rows of one model and one label: every version of a document gives the same answer but for
    a month more or less, asked in a shuffled order."""
    rng = np.random.default_rng(seed)
    places = iter(rng.permutation(documents * len(values)).tolist())
    return [
        {
            "run_id": "r",
            "model": "m",
            "case_id": f"c{d}",
            "label": "sex",
            "value": value,
            "is_reference": value == values[0],
            "repetition": 0,
            "position": next(places),
            "status": "ok",
            "guilty": True,
            "penalty": "fixed_term",
            "months": MONTHS[d % 8] + int(rng.integers(-1, 2)),
            "charge": CHARGES[d % 4] + (" of mail" if value == "b" and d % 5 == 0 else ""),
            "case_charge": CHARGES[d % 4],
            **columns,
        }
        for d in range(documents)
        for value in values
    ]


def of(rows, value):
    return [row for row in rows if row["value"] == value]


def found(rows, **options):
    return diagnose(pa.Table.from_pylist(rows, PREDICTIONS), {}, 300.0, **options)


def places(diagnosis):
    return [(f.kind, f.label, f.value) for f in diagnosis.findings]


def test_a_sound_run_has_no_finding():
    assert found(sound()).findings == ()
    assert as_json(found(sound())) == {"findings": []}
    assert flagged_rows(found(sound())).size == 0


def test_a_table_without_rows_has_no_finding():
    assert found([]).findings == ()


def test_bare_cases_are_no_versions():
    bare = [row | {"label": None, "value": None, "is_reference": False} for row in sound()[:20]]
    assert found(sound() + bare).findings == ()


def test_identical_replies_of_one_value_are_flagged():
    rows = sound()
    wrong = of(rows, "b")[::4]
    for row in wrong:
        row |= {"months": 180, "charge": "murder"}
    diagnosis = found(rows)
    assert places(diagnosis) == [("identical_reply", "sex", "b")]
    finding = diagnosis.findings[0]
    assert [rows[i]["charge"] for i in finding.rows] == ["murder"] * len(wrong)
    assert (finding.replies, finding.documents, finding.flagged) == (15, 15, True)
    assert finding.estimate_with.documents == 60
    assert finding.estimate_without.documents == 45


def test_without_charges_they_stand_out_by_their_terms():
    rows = sound(charge=None, case_charge=None)
    wrong = of(rows, "a")[::3]
    for row in wrong:
        row["months"] = 300
    diagnosis = found(rows)
    assert places(diagnosis) == [("identical_reply", "sex", "a")]
    assert flagged_rows(diagnosis).size == len(wrong)


def test_an_effect_of_the_label_is_no_fault():
    """Every answer twice as long for one value, on round numbers."""
    rows = sound(documents=200, charge=None, case_charge=None)
    for row in of(rows, "b"):
        row["months"] = 2 * MONTHS[int(row["case_id"][1:]) % 8] % 301
    assert "identical_reply" not in [f.kind for f in found(rows).findings]


def test_identical_texts_stand_out_where_texts_are_new():
    rows = sound(charge=None, case_charge=None)
    for i, row in enumerate(rows):
        row["reply"] = f"For reason {i}: {row['months']} months"
    for row in of(rows, "b")[::4]:  # the number read is the document's own
        row["reply"] = "As a large model I give 24 months"
    assert places(found(rows)) == [("identical_reply", "sex", "b")]


def test_identical_replies_in_one_stretch_of_the_run():
    rows = sound(documents=150)
    for row in rows:
        if 100 <= row["position"] < 130:
            row |= {"months": 84, "charge": "arson"}
    diagnosis = found(rows)
    assert diagnosis.findings[0].kind == "identical_reply"
    assert diagnosis.findings[0].label is None
    positions = [rows[i]["position"] for i in diagnosis.findings[0].rows]
    assert len(positions) >= 20
    assert min(positions) >= 100
    assert max(positions) < 130


def test_replies_to_other_cases_are_known_by_their_charge():
    rows = sound(documents=80)
    swapped = of(rows, "b")[::3]
    for i, row in enumerate(swapped):
        other = CHARGES[(int(row["case_id"][1:]) + 1 + i % 3) % 4]
        row |= {"charge": other}
    diagnosis = found(rows)
    assert ("charge_misfit", "sex", "b") in places(diagnosis)
    assert flagged_rows(diagnosis).size == len(swapped)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ({"status": "refused"}, "refused"),
        ({"status": "unparsable"}, "unreadable"),
        ({"status": "provider_error"}, "unreadable"),
        ({"penalty": "life"}, "left_sample"),
        ({"months": 400}, "left_sample"),
    ],
)
def test_what_must_not_depend_on_the_value(cells, kind):
    rows = sound(charge=None, case_charge=None)
    for row in of(rows, "b")[:20]:
        row |= cells | ({} if "months" in cells else {"months": None})
    diagnosis = found(rows)
    assert (kind, "sex", "b") in places(diagnosis)
    finding = next(f for f in diagnosis.findings if f.kind == kind)
    assert (finding.replies, finding.flagged, finding.estimate_without) == (20, False, None)
    # McNemar, one-sided: all 20 documents point the same way
    assert finding.p == pytest.approx(2.0**-20)


def test_refusals_of_both_values_are_no_finding():
    rows = sound()
    for row in rows[:30]:
        row |= {"status": "refused", "months": None, "charge": None, "penalty": None}
    assert found(rows).findings == ()


@pytest.mark.parametrize("column", ["served_by", "model_version"])
def test_one_value_from_another_server(column):
    rows = sound(**{column: "first"})
    for row in of(rows, "a")[:20]:
        row[column] = "second"
    diagnosis = found(rows)
    assert places(diagnosis) == [(column, "sex", "a")]
    assert diagnosis.findings[0].flagged
    assert {rows[i][column] for i in flagged_rows(diagnosis)} == {"second"}


def test_a_value_served_elsewhere_throughout_is_found_and_not_flagged():
    rows = sound(served_by="first")
    for row in of(rows, "b"):
        row["served_by"] = "second"
    diagnosis = found(rows)
    assert [f.kind for f in diagnosis.findings] == ["served_by"]
    assert flagged_rows(diagnosis).size == 0


def test_missing_versions_are_counted():
    rows = sound()
    gone = of(rows, "b")[:5]
    diagnosis = found([row for row in rows if row not in gone])
    assert places(diagnosis) == [("missing_version", "sex", "b")]
    assert diagnosis.findings[0].documents == 5


def test_replies_beyond_the_repetitions_are_duplicates():
    rows = sound()
    twice = [dict(row) for row in of(rows, "a")[:4]]
    diagnosis = found(rows + twice)
    assert places(diagnosis) == [("duplicate", "sex", "a")]
    assert flagged_rows(diagnosis).tolist() == [120, 121, 122, 123]


def test_repetitions_of_all_versions_are_none():
    rows = sound()
    again = [row | {"repetition": 1, "position": row["position"] + 120} for row in rows]
    assert found(rows + again).findings == ()


def test_one_fixed_order_is_no_finding_but_an_exception_to_it_is():
    rows = sound()
    for i, row in enumerate(rows):
        row["position"] = i
    assert found(rows).findings == ()
    for first, second in zip(rows[0:24:2], rows[1:24:2], strict=True):
        first["position"], second["position"] = second["position"], first["position"]
    diagnosis = found(rows)
    assert [(f.kind, f.documents, f.flagged) for f in diagnosis.findings] == [("order", 12, False)]


def test_a_value_asked_in_another_part_of_the_run():
    rows = sound()
    for i, row in enumerate(of(rows, "a") + of(rows, "b")):
        row["position"] = i
    assert [f.kind for f in found(rows).findings] == ["order"]


def test_a_model_that_changes_while_it_is_asked():
    rows = sound(documents=150)
    for row in rows:
        if row["position"] >= 200:
            row["months"] = round(1.3 * row["months"])
    diagnosis = found(rows)
    assert {f.kind for f in diagnosis.findings} == {"drift"}
    assert diagnosis.findings[0].estimate_with is None


def test_a_drift_is_no_drift_where_the_order_follows_the_value():
    """One value asked after the other: an effect of the label cannot be told from a drift."""
    rows = sound()
    for i, row in enumerate(of(rows, "a") + of(rows, "b")):
        row["position"] = i
        row["months"] += 10 if row["value"] == "b" else 0
    assert [f.kind for f in found(rows).findings if f.kind == "drift"] == []


def test_findings_come_in_the_order_of_their_kinds_and_as_json():
    rows = sound(served_by="first")
    for row in of(rows, "a")[:20]:
        row["served_by"] = "second"
    for row in of(rows, "b")[20:50]:
        row |= {"status": "refused", "months": None, "charge": None, "penalty": None}
    document = as_json(found(rows))
    kinds = [finding["kind"] for finding in document["findings"]]
    assert kinds == sorted(kinds, key=KINDS.index)
    assert set(document["findings"][0]) == {
        "kind", "model", "label", "value", "replies", "documents", "estimate_with",
        "estimate_without", "advice",
    }  # fmt: skip
    assert set(document["findings"][0]["estimate_with"]) == {
        "value", "coef", "se", "p", "p_label", "documents",
    }  # fmt: skip


def test_models_are_judged_apart():
    rows = sound() + sound(seed=1, model="n")
    for row in rows[120:180]:
        if row["value"] == "a":
            row |= {"status": "refused", "months": None, "charge": None, "penalty": None}
    assert [(f.kind, f.model, f.value) for f in found(rows).findings] == [("refused", "n", "a")]


def test_the_order_of_the_rows_does_not_matter_where_positions_are_known():
    rows = sound(served_by="first")
    for row in of(rows, "b")[::4]:
        row |= {"months": 180, "charge": "murder"}
    for row in of(rows, "a")[:20]:
        row["served_by"] = "second"
    shuffled = [rows[i] for i in np.random.default_rng(5).permutation(len(rows))]
    one, other = found(rows), found(shuffled)
    assert places(one) == places(other)
    assert [f.p for f in one.findings] == [f.p for f in other.findings]
    left_out = [{(r["case_id"], r["value"]) for r in (table[i] for i in flagged_rows(diagnosis))}
                for table, diagnosis in ((rows, one), (shuffled, other))]  # fmt: skip
    assert left_out[0] == left_out[1] != set()


def test_renaming_labels_values_and_models_changes_nothing_but_names():
    rows = sound()
    for row in of(rows, "b")[::4]:
        row |= {"months": 180, "charge": "murder"}
    renamed = [row | {"label": "标签", "value": f"值{row['value']}", "model": "z"} for row in rows]
    one, other = found(rows), found(renamed)
    assert places(other) == [("identical_reply", "标签", "值b")]
    assert flagged_rows(one).tolist() == flagged_rows(other).tolist()
