"""`justeval collect --structured`: sent, recorded, and refused in the address's own words."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from justeval.runs import RunFolder
from tests.servers.collecting import lines_of, run, small_set
from tests.servers.faulty import FaultyServer, Received, faithful
from tests.servers.responses import Response, answer, error

UNKNOWN = {
    "OpenAI": "Invalid parameter: 'response_format' of type 'json_schema' is not supported",
    "llama.cpp": 'response_format type must be one of "text" or "json_object"',
    "vLLM": "structured outputs are not supported by this model",
}


@pytest.fixture
def choices(tmp_path) -> tuple[str, ...]:
    cases, pack = small_set(tmp_path / "set", 20)
    return ("--cases", cases, "--labels", pack, "--out", str(tmp_path / "run"))


def test_the_condition_is_sent_recorded_and_part_of_every_key(tmp_path, choices):
    with FaultyServer(faithful).running() as server:
        model = ("--model", f"openai:judge@{server.base_url}")
        assert run(*choices, *model, "--structured")[0] == 0
        schema = server.asked[0].data["response_format"]["json_schema"]["schema"]
        assert list(schema["properties"]) == ["charge", "guilty", "penalty", "months"]
        code, _, err = run(*choices, *model)
        assert (code, "other parameters" in err) == (2, True)
        other = (*choices[:-1], str(tmp_path / "other"))
        assert run(*other, *model)[0] == 0
        assert "response_format" not in server.asked[-1].data
    assert RunFolder(tmp_path / "run").manifest()["parameters"]["structured"] is True
    assert "structured" not in RunFolder(tmp_path / "other").manifest()["parameters"]
    keys = [{line["key"] for line in lines_of(tmp_path / name)} for name in ("run", "other")]
    assert keys[0].isdisjoint(keys[1])


@pytest.mark.parametrize("words", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_an_address_that_does_not_know_it_stops_its_model_with_its_own_words(
    tmp_path, choices, words
):
    def script(received: Received) -> Response:
        return error(400, words) if "response_format" in received.data else faithful(received)

    with FaultyServer(script).running() as server:
        model = ("--model", f"openai:judge@{server.base_url}")
        code, out, err = run(*choices, *model, "--structured", "--concurrency", "4")
    assert (code, out) == (1, "")
    last = err.splitlines()[-1]
    assert last.startswith("justeval: judge: status 400: ")
    assert words in last
    assert len(server.asked) <= 4
    assert not (tmp_path / "run").exists()


def test_reasoning_stays_beside_a_structured_answer(tmp_path, choices):
    sound = {"charge": "theft", "guilty": "yes", "penalty": "imprisonment", "months": 20}
    drafts = ("reasoning", "reasoning_content")

    def script(received: Received) -> Response:
        draft = {drafts[received.number % 2]: 'first {"months": 99}, so 99 months'}
        return answer(json.dumps(sound), message=draft)

    with FaultyServer(script).running() as server:
        model = ("--model", f"openai:judge@{server.base_url}")
        assert run(*choices, *model, "--structured")[0] == 0
    table = pq.read_table(RunFolder(tmp_path / "run").predictions).to_pandas()
    assert (set(table.status), set(table.months)) == ({"ok"}, {20.0})
    assert all("99 months" in line["reasoning"] for line in lines_of(tmp_path / "run"))
    assert not table.reply.str.contains("99").any()


def test_the_simulated_model_takes_no_offence(tmp_path, choices):
    code, _, err = run(*choices, "--model", "simulated", "--structured")
    assert code == 0, err
