"""Keys come from the environment or a file that only its owner reads, and go nowhere else."""

from __future__ import annotations

import pytest

from justeval.errors import UsageError
from justeval.models.naming import endpoint_of
from justeval.models.secrets import Secrets, read_key_file, secrets_of, variables_of

KEY = "sk-planted-0123456789"
ELSEWHERE = endpoint_of("openai:judge")
HERE = endpoint_of("openai:judge@http://127.0.0.1:8000/v1")


@pytest.fixture
def key_file(tmp_path):
    def write(text: str | bytes, mode: int = 0o600):
        path = tmp_path / "keys"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(mode)
        return path

    return write


def test_a_key_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    assert secrets_of(ELSEWHERE).key == KEY


def test_a_key_file_goes_before_the_environment(monkeypatch, key_file):
    monkeypatch.setenv("OPENAI_API_KEY", "other")
    path = key_file(f"# mine\nOPENAI_API_KEY='{KEY}'\nOTHER=x\n")
    assert secrets_of(ELSEWHERE, read_key_file(path, ["OPENAI_API_KEY"])).key == KEY
    path = key_file(f"{KEY}==\n")
    assert read_key_file(path, ["OPENAI_API_KEY"] * 2) == {"OPENAI_API_KEY": f"{KEY}=="}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o777])
def test_a_key_file_that_others_can_read_is_refused(key_file, mode):
    with pytest.raises(UsageError, match="chmod 600") as caught:
        read_key_file(key_file(KEY, mode), ["OPENAI_API_KEY"])
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        (KEY, ["A", "B"]),
        (KEY, []),
        (f"A={KEY}\n{KEY}", ["A"]),
        (b"\xff" + KEY.encode(), ["A"]),
        ("", ["A"]),
    ],
)
def test_a_key_file_that_cannot_be_used_is_named_without_its_text(key_file, text, variables):
    try:
        assert read_key_file(key_file(text), variables) == {}
    except UsageError as error:
        assert KEY not in str(error)
        assert str(error).startswith("--key-file")


def test_a_missing_key_file_is_named(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_key_file(tmp_path / "none", ["A"])


def test_a_missing_key_matters_for_other_machines_only(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="set the environment variable OPENAI_API_KEY"):
        secrets_of(ELSEWHERE)
    assert secrets_of(HERE).key is None


def test_a_header_of_ones_own_stands_for_the_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("AZURE_KEY", KEY)
    endpoint = endpoint_of("openai:judge", headers={"api-key": "AZURE_KEY"})
    assert dict(secrets_of(endpoint).headers) == {"api-key": KEY}
    monkeypatch.delenv("AZURE_KEY")
    with pytest.raises(UsageError, match="AZURE_KEY is not set"):
        secrets_of(endpoint)


@pytest.mark.parametrize("key", ["a\nb: c", "a\rb", "ключ", "a\x7fb"])
def test_a_key_that_fits_no_header_is_refused_unseen(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(UsageError, match="OPENAI_API_KEY holds characters") as caught:
        secrets_of(ELSEWHERE)
    assert key not in str(caught.value)


def test_a_value_in_place_of_a_variable_is_not_repeated():
    with pytest.raises(UsageError, match="give the name of the environment variable") as caught:
        variables_of([f"api-key={KEY}"], "--header")
    assert KEY not in str(caught.value)
    for text in (KEY, f"=A{KEY}", f"api key=A{KEY}", ""):
        with pytest.raises(UsageError, match="write --header NAME=VARIABLE") as caught:
            variables_of([text], "--header")
        assert KEY not in str(caught.value)
    assert variables_of(["api-key=A_1"], "--header") == {"api-key": "A_1"}


def test_secrets_are_blotted_out_and_short_words_are_not():
    secrets = Secrets(
        KEY, {"x": "header-secret", "y": "EMPTY"}, {"v": "2024-10-21", "k": KEY[::-1]}
    )
    blotted = secrets.blotter()
    assert blotted(f"a {KEY} b header-secret {KEY[::-1]}") == "a [key] b [key] [key]"
    assert blotted("EMPTY on 2024-10-21") == "EMPTY on 2024-10-21"
    assert KEY not in repr(secrets)
