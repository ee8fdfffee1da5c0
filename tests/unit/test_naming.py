"""What a `--model` stands for."""

from __future__ import annotations

import json

import pytest

from justeval.errors import UsageError
from justeval.models.naming import DECISION_URL, checked_url, endpoint_of, is_floating
from justeval.models.opening import profiles_of, with_served_names


def test_openrouter_asks_for_its_cost_and_pins_a_provider():
    endpoint = endpoint_of("openrouter:google/gemini-2.5-flash", provider="Together")
    assert endpoint.base_url == "https://openrouter.ai/api/v1"
    assert (endpoint.name, endpoint.served_name) == ("google/gemini-2.5-flash",) * 2
    assert endpoint.key_variable == "OPENROUTER_API_KEY"
    assert endpoint.body["usage"] == {"include": True}
    assert endpoint.body["provider"] == {"order": ["Together"], "allow_fallbacks": False}


def test_openai_takes_another_address_for_all_or_its_own():
    everywhere = "http://127.0.0.1:8000/v1"
    assert endpoint_of("openai:judge").base_url == "https://api.openai.com/v1"
    assert endpoint_of("openai:judge", everywhere).base_url == everywhere
    own = endpoint_of("openai:judge@http://127.0.0.1:11434/v1/", everywhere)
    assert (own.name, own.base_url) == ("judge", "http://127.0.0.1:11434/v1")
    assert endpoint_of("openai:judge@20240620").served_name == "judge@20240620"
    both = endpoint_of("openai:judge@20240620@https://h/v1")
    assert (both.served_name, both.base_url) == ("judge@20240620", "https://h/v1")
    assert endpoint_of("openai:llama3:8b").served_name == "llama3:8b"


def test_another_name_tells_two_models_of_one_name_apart():
    mine = endpoint_of("mine=openai:judge@http://127.0.0.1:8000/v1")
    assert (mine.name, mine.served_name) == ("mine", "judge")
    assert endpoint_of("openai:judge=a").name == "judge=a"


def test_a_decision_endpoint_has_an_address_and_a_key_of_its_own():
    endpoint = endpoint_of("decision:jev-1.13.0")
    assert endpoint.base_url == DECISION_URL
    assert endpoint.key_variable == "TYPESAFE_API_KEY"
    assert endpoint_of("decision:j@http://h/v1").base_url == "http://h/v1"
    assert endpoint_of("decision:j", "http://h/v1").base_url == "http://h/v1"


def test_a_local_model_is_named_by_its_file_and_known_by_what_is_in_it(tmp_path):
    one, other = tmp_path / "judge.Q4.gguf", tmp_path / "moved" / "judge.Q4.gguf"
    other.parent.mkdir()
    for path in (one, other):
        path.write_bytes(b"GGUF" + b"weights")
    named = [endpoint_of(f"local:{one}"), endpoint_of(f"j=local:{other}")]
    first, second = with_served_names(named)
    assert (first.name, second.name) == ("judge.Q4", "j")
    assert first.served_name == second.served_name
    assert first.served_name.startswith("judge.Q4@")
    assert (first.base_url, first.key_variable) == ("", None)
    assert str(tmp_path) not in json.dumps(first.as_json())
    other.write_bytes(b"GGUF" + b"others")
    (changed,) = with_served_names(named[1:])
    assert changed.served_name != first.served_name


@pytest.mark.parametrize(
    ("data", "words"), [(b"weights", "no GGUF file"), (b"", "no GGUF file"), (None, "No such file")]
)
def test_a_file_that_is_no_model_is_named(tmp_path, data, words):
    path = tmp_path / "judge.gguf"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(UsageError, match=words) as caught:
        with_served_names([endpoint_of(f"local:{path}")])
    assert str(path) in str(caught.value)


def test_a_simulated_model_has_the_name_that_its_server_gives_it():
    named = [endpoint_of(text) for text in ("simulated", "simulated:neutral", "a=simulated")]
    assert profiles_of(named) == ["planted", "neutral", "planted"]
    served = with_served_names(named)
    assert [e.name for e in served] == ["simulated-planted", "simulated-neutral", "a"]
    assert served[2].served_name == "simulated-planted"


def test_variables_stand_in_a_manifest_and_their_values_do_not(monkeypatch):
    monkeypatch.setenv("AZURE_KEY", "secret-word")
    endpoint = endpoint_of(
        "openai:judge@https://h/v1",
        headers={"api-key": "AZURE_KEY"},
        query={"api-version": "VERSION"},
    )
    assert endpoint.as_json()["headers"] == {"api-key": "AZURE_KEY"}
    assert endpoint.as_json()["query"] == {"api-version": "VERSION"}
    assert "secret-word" not in repr(endpoint)
    assert "headers" not in endpoint_of("openai:judge").as_json()


NO_MODEL = (
    "", "judge", "openai", "openai:", "openrouter:", "gpt:judge", ":judge", "=openai:x",
    "openai:@http://h/v1", "http://user:secret-word@h",
)  # fmt: skip
NO_ADDRESS = (
    "", "h/v1", "ftp://h/v1", "file:///etc/passwd", "http://", "http:///v1", "http://h:0/v1",
    "http://h:99999/v1", "http://u:secret-word@h/v1", "http://secret-word@h/v1",
    "http://h/v1?key=secret-word", "http://h/v1#secret-word", "http://[::1/v1", "http://h/a b",
    "http://h/v1\nx: secret-word", "http://ｈ/v1",
)  # fmt: skip


@pytest.mark.parametrize("text", NO_MODEL)
def test_what_names_no_model(text):
    with pytest.raises(UsageError, match="no model") as caught:
        endpoint_of(text)
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_what_is_no_address(url):
    with pytest.raises(UsageError, match="--base-url") as caught:
        checked_url(url)
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "floating"),
    [
        ("mistral-large-latest", True),
        ("llama3:latest", True),
        ("openrouter/x-latest", True),
        ("openrouter/auto", True),
        ("judge-2-preview", True),
        ("judge-2-preview-05-06", False),
        ("autojudge", False),
        ("judge-2026-01-01", False),
        ("latest-judge", False),
    ],
)
def test_a_floating_name(name, floating):
    assert is_floating(name) is floating
