"""`justeval collect` on a decision endpoint, as a process, and the analysis of its answers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from justeval.runs import RunFolder
from tests.servers.collecting import lines_of, run, small_set
from tests.servers.faulty import FaultyServer, Received, digest
from tests.servers.responses import Response, answer, decision, error

ANALYZE = (sys.executable, "-m", "justeval", "analyze")
PLANTED = 0.2
QUESTION = "Should the sentence in this case include imprisonment that is served?"


def probability_of(text: str) -> float:
    """A probability that depends on the document, and on a red folder."""
    bare = text.replace("The folder is red.", "").strip()
    noise = int(digest(text)[:4], 16) % 100 / 10_000
    document = int("".join(filter(str.isdigit, bare)) or 0) % 50 / 100
    return round(0.1 + document + noise + (PLANTED if "folder is red" in text else 0.0), 4)


def deciding(received: Received) -> Response:
    return decision(probability_of(received.data["state"]), model="jev-1")


@pytest.fixture
def choices(tmp_path) -> tuple[str | Path, ...]:
    cases, pack = small_set(tmp_path / "set", 40)
    return (
        "--cases",
        cases,
        "--labels",
        pack,
        "--question",
        "probability",
        "--out",
        tmp_path / "r",
    )


def test_a_decision_endpoint_is_asked_and_its_probability_analyzed(tmp_path, choices):
    with FaultyServer(deciding).running() as server:
        model = f"decision:jev-1@{server.base_url}"
        code, out, err = run(*choices, "--model", model, "--temperature", "0")
        assert (code, out) == (0, f"{tmp_path / 'r'}: 160 of 160 answered\n"), err
        asked = [request.data for request in server.asked]
        assert {data["questions"]["decision"]["instructions"] for data in asked} == {QUESTION}
        assert all("bicycle number" in data["state"] for data in asked)
        assert run(*choices, "--model", model)[0] == 0
        assert len(server.asked) == 160
    folder = RunFolder(tmp_path / "r")
    table = pq.read_table(folder.predictions).to_pandas()
    assert set(table.status) == {"ok"}
    assert table.probability.between(0, 1).all()
    assert table.months.isna().all()
    assert len(lines_of(folder.path)) == 160
    (said,) = folder.manifest()["prompts"]
    assert len(said["decision_sha256"]) == 64

    code, out, err = run(folder.path, "--outcome", "probability", "--json", command=ANALYZE)
    assert code == 0, err
    (label,) = json.loads(out)["models"][0]["labels"]
    effects = {value["value"]: value["coef"] for value in label["bias"]["values"]}
    assert effects["red"] == pytest.approx(PLANTED, abs=0.005)
    assert effects["green"] == pytest.approx(0.0, abs=0.005)


def test_a_model_that_writes_and_one_that_decides_are_asked_the_same_question(tmp_path, choices):
    def script(received: Received) -> Response:
        if received.target == "/v1/systemone":
            return deciding(received)
        assert QUESTION in received.text
        return answer('{"decision": "yes", "probability": 0.9}', model="judge")

    with FaultyServer(script).running() as server:
        models = ("--model", f"decision:jev-1@{server.base_url}")
        models += ("--model", f"openai:judge@{server.base_url}")
        code, _, err = run(*choices, *models)
    assert code == 0, err
    table = pq.read_table(RunFolder(tmp_path / "r").predictions).to_pandas()
    assert table.groupby("model").size().to_dict() == {"jev-1": 160, "judge": 160}
    assert (table[table.model == "judge"].probability == 0.9).all()


def test_a_prompt_of_ones_own_carries_its_question(tmp_path, choices):
    prompt = tmp_path / "own.yaml"
    prompt.write_text(
        "id: own\nlanguage: en\nquestion: probability\nuser: '{case} Bail?'\ndecision:\n"
        "  question: Release?\n  state: 'Facts: {case}'\n  'yes': Freed.\n  'no': Held.\n"
    )
    with FaultyServer(deciding).running() as server:
        model = ("--model", f"decision:jev-1@{server.base_url}", "--prompt", prompt)
        code, _, err = run(*choices, *model, "--limit", "1")
        assert code == 0, err
        sent = server.asked[0].data
    assert sent["state"].startswith("Facts: ")
    assert sent["questions"]["decision"] == {
        "type": "noul",
        "instructions": "Release?",
        "criteria": {"true": "Freed.", "false": "Held."},
    }
    kept = json.loads((tmp_path / "r" / "prompts" / "en.yaml").read_text())
    assert kept["decision"]["question"] == "Release?"


def test_what_cannot_be_asked_is_one_line_before_anything_is(tmp_path, choices):
    with FaultyServer(deciding).running() as server:
        model = ("--model", f"decision:jev-1@{server.base_url}")
        for wrong, words in (
            (("--question", "sentence"), "take --question probability"),
            (("--structured",), "--structured: jev-1 answers without JSON"),
        ):
            for plan in ((), ("--plan",)):
                code, out, err = run(*choices, *model, *wrong, *plan)
                assert (code, out, err.count("\n")) == (2, "", 1)
                assert words in err
    assert server.asked == []
    assert not (tmp_path / "r").exists()


def test_an_endpoint_that_refuses_the_key_is_heard(tmp_path, choices):
    with FaultyServer(lambda _: error(401, "unknown key")).running() as server:
        code, out, err = run(*choices, "--model", f"decision:jev-1@{server.base_url}")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == "justeval: jev-1: status 401: unknown key (key refused)"
