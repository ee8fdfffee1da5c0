"""The doctor says what works and never what a key is."""

from __future__ import annotations

import pytest

from justeval import doctor
from justeval.cli import main
from tests.servers.faulty import FaultyServer, always
from tests.servers.responses import decision


def test_ten_lines_and_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert all(line.startswith("ok  ") for line in lines)
    assert "simulated-planted answered" in lines[-1]


def test_keys_and_passwords_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-of-ours")
    monkeypatch.setenv("HTTPS_PROXY", "http://me:a-secret-of-ours@proxy.example:3128")
    found = " ".join(check.found for check in doctor.examine())
    assert "OPENAI_API_KEY set" in found
    assert "HTTPS_PROXY proxy.example" in found
    assert "a-secret-of-ours" not in found


def test_a_model_that_is_not_there_fails_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    last = doctor.examine("openrouter:some/model")[-1]
    assert not last.ok
    assert "OPENROUTER_API_KEY" in last.found


def test_a_certificate_file_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "nowhere.pem")
    checks = {check.name: check for check in doctor.examine("nothing")}
    assert not checks["certificates"].ok
    assert not checks["model"].ok


def test_a_decision_endpoint_is_asked_for_a_probability() -> None:
    with FaultyServer(always(decision(0.25))).running() as server:
        last = doctor.examine(f"decision:jev-1@{server.base_url}")[-1]
    assert last.ok
    assert last.found.endswith("read as ok, a probability of 0.25")
