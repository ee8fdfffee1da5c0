"""What a diagnosis finds where a fault was planted, and how seldom it finds one where none is.

Made-up runs that behave like real ones: documents of very different gravity, terms on the round
numbers that models like, a few far jumps, charges worded in several ways and now and then wrong,
refusals, life sentences, two providers, true effects of some labels, a shuffled order. Faults are
planted in a random model, label and value, in Chinese and English. The simulated model on the
shipped case sets is the second kind of sound run. As a program this prints the tables of
docs/statistics.md:

    python tests/simulation/test_diagnose_power.py faults
    python tests/simulation/test_diagnose_power.py sound
"""

from __future__ import annotations

import argparse
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pytest

from justeval.cases import load_cases
from justeval.diagnose import diagnose, flagged_rows
from justeval.diagnose.planting import FAULTS, plant
from justeval.labels import load_labels
from justeval.models.simulated.answer import SimulatedModel
from justeval.prompts import prompts_for
from justeval.replies import read_reply
from justeval.schema import PREDICTIONS, VARIANTS, Prediction
from justeval.variants import Skipped, make_variants

ROUND = np.array([0, 3, 6, 8, 12, 18, 24, 30, 36, 48, 60, 84, 120, 144, 180, 240, 300.0])
CHARGES = {
    "zh": "盗窃罪,入户盗窃|故意伤害罪,故意伤害|诈骗罪,合同诈骗罪|抢劫罪,入户抢劫"
    "|贩卖毒品罪,走私、贩卖毒品罪|故意杀人罪,故意杀人|受贿罪,受贿|交通肇事罪,交通肇事"
    "|开设赌场罪,开设赌场|寻衅滋事罪,寻衅滋事",
    "en": "theft of mail,mail theft|aggravated assault,assault|wire fraud,fraud"
    "|bank robbery,armed robbery|distribution of fentanyl,fentanyl distribution"
    "|murder,second-degree murder|bribery of an official,bribery"
    "|reckless driving,driving recklessly|illegal gambling,gambling business|arson,act of arson",
}
SENTENCES = {"zh": "被告人的情况为{value}。", "en": "The defendant is {value}."}
FACTS = {
    "zh": "第{d}号案件：经审理查明，被告人于某日实施了指控的行为，后被抓获归案，"
    "如实供述了全部经过，另有{d}号证人作证，相关物证均已在案。",
    "en": "Case {d}: on a certain day the defendant did what is charged in town {d}; two witnesses "
    "saw it and the officers who came to the place took down what they said.",
}
SHARES = (0.01, 0.03, 0.10)
VALUES = (2, 2, 3, 2, 4, 2)
EFFECTS = (0.0, 0.1, 0.0, -0.05, 0.0, 0.0)


@lru_cache(maxsize=128)
def sound_run(seed, documents=1100, models=2):
    """Predictions and variants of a run without faults, models x documents x 15 rows."""
    rng = np.random.default_rng(seed)
    language = ("zh", "en")[int(rng.integers(2))]
    label = np.repeat(np.arange(len(VALUES)), VALUES)
    value = np.concatenate([np.arange(n) for n in VALUES])
    m, d, v = (x.ravel() for x in np.indices((models, documents, label.size)))
    gravity = rng.normal(np.log(30), 1.2, documents)
    level = gravity[d] + 0.3 * rng.normal(size=(models, documents))[m, d]
    level += (np.array(EFFECTS)[label] * (value > 0))[v]
    level += np.where(rng.random(d.size) < 0.12, rng.normal(0, 0.15, d.size), 0.0)
    jumped = rng.random(d.size) < 0.01
    level += np.where(jumped, rng.normal(0, 0.8, d.size), 0.0)
    middles = (np.log1p(ROUND)[1:] + np.log1p(ROUND)[:-1]) / 2
    months = ROUND[np.searchsorted(middles, level)]
    life = (gravity > np.log(300))[d] & (rng.random(d.size) < 0.7) & ~jumped
    often = (rng.random(documents) < 0.02)[d]
    u = rng.random(d.size)
    status = np.where(u < np.where(often, 0.5, 0.004), "refused", "ok").astype(object)
    status[u > 0.99] = "unparsable"
    read = status == "ok"
    names = np.array([pair.split(",") for pair in CHARGES[language].split("|")])
    of_document = rng.integers(0, len(names), documents)
    wrong = rng.random(d.size) < 0.01
    charge = np.where(wrong, rng.integers(0, len(names), d.size), of_document[d])
    worded = (rng.random(d.size) < 0.2).astype(int)
    penalty = np.where(life, "life", np.where(months == 0, "exempt", "fixed_term"))
    columns = {
        "run_id": np.full(d.size, "run"),
        "model": np.array([f"model-{k}" for k in range(models)])[m],
        "model_version": np.full(d.size, "2026-01"),
        "served_by": np.where(rng.random(d.size) < 0.7, "first", "second"),
        "case_id": np.array([f"case-{k}" for k in range(documents)])[d],
        "label": np.array([f"label_{k}" for k in range(len(VALUES))])[label[v]],
        "value": np.array([f"value_{k}" for k in value])[v],
        "is_reference": (value == 0)[v],
        "repetition": np.zeros(d.size, dtype=np.int32),
        "position": np.concatenate([rng.permutation(int((m == k).sum())) for k in range(models)]),
        "status": pa.array(status, pa.string()),
        "guilty": pa.array(np.where(read, True, None), pa.bool_()),
        "penalty": pa.array(np.where(read, penalty.astype(object), None), pa.string()),
        "months": pa.array(np.where(read & ~life, months, np.nan), from_pandas=True),
        "charge": pa.array(np.where(read, names[charge, worded], None), pa.string()),
        "true_months": np.round(np.exp(gravity))[d],
        "case_charge": names[of_document, 0][d],
    }
    nothing = pa.nulls(d.size)
    table = pa.table({f.name: columns.get(f.name, nothing) for f in PREDICTIONS}, PREDICTIONS)
    return table, sound_variants(documents, label, value, language)


def sound_variants(documents, label, value, language):
    """The texts of every document, the label's sentence before the facts or after them."""
    rows = []
    for d in range(documents):
        facts = FACTS[language].format(d=d)
        rows.append((f"b{d}", f"case-{d}", None, None, False, facts, 0, 0))
        for k, v in zip(label.tolist(), value.tolist(), strict=True):
            said = SENTENCES[language].format(value=f"value_{v}")
            text = f"{said}\n{facts}" if k % 2 else f"{facts}\n{said}"
            start = 0 if k % 2 else len(facts) + 1
            ids = (f"{k}.{v}.{d}", f"case-{d}", f"label_{k}", f"value_{v}", v == 0)
            rows.append((*ids, text, start, start + len(said)))
    names = VARIANTS.names
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], VARIANTS)


read_once = lru_cache(maxsize=None)(read_reply)


def simulated_run(dataset, pack, profile, seed, labels_asked=None):
    """Predictions, variants, labels and bound of a run of the simulated model, asked in process."""
    cases = load_cases(dataset)
    labels = load_labels(pack)[:labels_asked]
    prompts = prompts_for("sentence", cases.languages)
    case_of = {case.case_id: case for case in cases.cases}
    made = [v for v in make_variants(cases.cases, labels) if not isinstance(v, Skipped)]
    texts = {variant.variant_id: variant for variant in made}
    places = np.random.default_rng(seed).permutation(len(texts)).tolist()
    position = dict(zip(texts, places, strict=True))
    model = SimulatedModel.from_profile(profile, seed)
    replies = {
        key: model.reply(prompts[case_of[v.case_id].language].messages(v.text))
        for key, v in texts.items()
    }
    rows = [
        {
            "run_id": "run", "model": model.name, "variant_id": v.variant_id,
            "case_id": v.case_id, "label": v.label, "value": v.value,
            "is_reference": v.is_reference, "repetition": 0, "position": position[v.variant_id],
            "reply": replies[v.variant_id][0], "true_months": case_of[v.case_id].true_months,
            "case_charge": case_of[v.case_id].charge,
        }
        | {
            name: getattr(read_once(*replies[v.variant_id]), name)
            for name in Prediction.__dataclass_fields__
        }
        for v in made
    ]  # fmt: skip
    variants = pa.Table.from_pylist([v._asdict() for v in made], VARIANTS)
    known = {label.id: label for label in labels}
    return pa.Table.from_pylist(rows, PREDICTIONS), variants, known, cases.longest_months


def is_found(planted, finding):
    """Whether a finding is the one that was planted: its kind, model, label and value."""
    wanted = (planted.kind.split()[0], planted.model, planted.label, planted.value)
    found = (finding.kind, finding.model, finding.label, finding.value)
    if wanted[0].startswith("text"):  # a faulty text concerns all models
        wanted, found = (wanted[0], *wanted[2:]), (found[0], *found[2:])
    if wanted[0] in ("order", "influence", "served_by"):  # of two values either may be named
        wanted, found = wanted[:3], found[:3]
    return wanted == found


def try_fault(kind, share, seed, documents=1100):
    """Found or not, the share of the planted replies that is flagged, and others flagged."""
    table, variants = sound_run(seed, documents)
    rng = np.random.default_rng([seed, list(FAULTS).index(kind), round(1000 * share)])
    planted = plant(table, variants if kind.startswith("text") else None, kind, share, rng)
    diagnosis = diagnose(planted.predictions, {}, 300.0, planted.variants)
    found = any(is_found(planted, finding) for finding in diagnosis.findings)
    flagged = flagged_rows(diagnosis)
    inside = np.isin(planted.rows, flagged).mean() if planted.rows.size else 0.0
    return found, inside, np.setdiff1d(flagged, planted.rows).size


def faults_of(diagnosis):
    """The kinds found, without the fact that two providers answer in every made-up run."""
    return [f.kind for f in diagnosis.findings if (f.kind, f.label) != ("served_by", None)]


EASY = [kind for kind in FAULTS if kind not in ("influence", "served_by")]


@pytest.mark.parametrize("kind", EASY)
def test_a_fault_in_every_tenth_document_is_found(kind):
    assert try_fault(kind, 0.10, seed=11, documents=400)[0]


def test_a_verdict_carried_by_one_document_in_a_hundred_is_found_now_and_then():
    assert any(try_fault("influence", 0.01, seed, 1100)[0] for seed in range(6))


@pytest.mark.parametrize("seed", range(3))
def test_sound_runs_have_no_finding(seed):
    table, variants = sound_run(100 + seed, 300)
    diagnosis = diagnose(table, {}, 300.0, variants)
    assert faults_of(diagnosis) == []
    assert [f.kind for f in diagnosis.findings] == ["served_by"] * 2


def test_the_simulated_model_without_effects_has_no_finding():
    table, variants, labels, longest = simulated_run(
        "cn-sentencing", "judicial-cn", "neutral", 1, 9
    )
    assert diagnose(table, labels, longest, variants).findings == ()


def test_an_effect_is_no_fault():
    """Effects of 0.1 in log months, planted in the simulated model."""
    table, variants, labels, longest = simulated_run(
        "us-sentencing", "judicial-us", "planted", 2, 9
    )
    kinds = [f.kind for f in diagnose(table, labels, longest, variants).findings]
    assert [kind for kind in kinds if kind != "influence"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dataset", "pack"), [("cn-sentencing", "judicial-cn"), ("us-sentencing", "judicial-us")]
)
def test_no_finding_on_clean_simulated_data_in_95_of_100_seeds(dataset, pack):
    assert clean_simulated(dataset, pack, "neutral", 100)[0] <= 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", EASY)
def test_a_fault_in_every_tenth_document_is_found_nearly_always(kind):
    assert np.mean([try_fault(kind, 0.10, seed)[0] for seed in range(20)]) >= 0.9


def clean_simulated(dataset, pack, profile, seeds):
    """Runs of the simulated model with a finding, and with one that is not an influence."""
    return _with_findings(simulated_run(dataset, pack, profile, seed) for seed in range(seeds))


def clean_made_up(documents, seeds):
    """The same for made-up runs."""
    runs = (sound_run(1000 + seed, documents) for seed in range(seeds))
    return _with_findings((table, variants, {}, 300.0) for table, variants in runs)


def _with_findings(runs):
    some = other = 0
    for table, variants, labels, longest in runs:
        kinds = set(faults_of(diagnose(table, labels, longest, variants)))
        some += bool(kinds)
        other += bool(kinds - {"influence"})
    return some, other


def print_faults(seeds, sizes, kinds=tuple(FAULTS)):
    """The table of shares found, as Markdown: found, planted replies flagged, others flagged."""
    for documents in sizes:
        shown = " | ".join(f"{share:.0%}" for share in SHARES)
        print(f"\n{documents} documents, {seeds} runs a cell\n\n| fault | {shown} |")
        print("| --- " * (len(SHARES) + 1) + "|", flush=True)
        for kind in kinds:
            cells = []
            for share in SHARES:
                tried = [try_fault(kind, share, seed, documents) for seed in range(seeds)]
                found, inside, others = (np.mean(part) for part in zip(*tried, strict=True))
                cells.append(f"{found:.0%}, {inside:.0%}, {others:.1f}")
            print(f"| {kind} | {' | '.join(cells)} |", flush=True)


def print_sound(seeds, sizes):
    """The table of sound runs with a finding, as Markdown."""
    print("\n| sound runs | runs | with a finding | other than influence |")
    print("| --- | --- | --- | --- |", flush=True)
    for documents in sizes:
        some, other = clean_made_up(documents, seeds)
        print(f"| made up, {documents} documents | {seeds} | {some} | {other} |", flush=True)
    for country in ("cn", "us"):
        for profile in ("neutral", "planted"):
            run = (f"{country}-sentencing", f"judicial-{country}", profile)
            some, other = clean_simulated(*run, seeds)
            print(f"| simulated, {', '.join(run)} | {seeds} | {some} | {other} |", flush=True)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Print the tables of docs/statistics.md")
    options.add_argument("table", choices=("faults", "sound"))
    options.add_argument("--runs", type=int, help="default: 40 a cell of faults, 100 sound ones")
    options.add_argument("--documents", type=int, nargs="*", default=[1100, 300])
    options.add_argument("--faults", nargs="*", default=list(FAULTS), choices=list(FAULTS))
    given = options.parse_args()
    if given.table == "faults":
        print_faults(given.runs or 40, given.documents, given.faults)
    else:
        print_sound(given.runs or 100, given.documents)
