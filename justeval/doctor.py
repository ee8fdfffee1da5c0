"""What works on this machine, in ten lines, before anything is collected.

In: the environment, and a model to ask one harmless question. Out: lines of what was found. No
value of a key or of a proxy's password is read into a line.
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

from justeval import __version__
from justeval.errors import JustevalError
from justeval.labels import load_shipped_packs
from justeval.models.naming import endpoint_of
from justeval.models.opening import DEFAULT_PROFILE, opened, with_served_names
from justeval.models.records import Endpoint, Model, Parameters
from justeval.prompts import Messages, load_prompt
from justeval.replies import read_reply
from justeval.resources import dataset_names

PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "httpx", "aiohttp")
ENGINES = ("pyfixest", "linearmodels")
KEYS = ("OPENROUTER_API_KEY", "OPENAI_API_KEY")
PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
BUNDLES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")
QUESTION = (
    "A fictional defendant pleaded guilty to taking a parked bicycle and brought it back. The "
    "total offense level is 4 and the criminal history category I."
)


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what was looked at, whether it works, what was found."""

    name: str
    ok: bool
    found: str


def examine(
    model: str = "simulated", base_url: str | None = None, timeout_seconds: float = 30.0
) -> tuple[Check, ...]:
    """All checks, the model's answer last; a failing check raises nothing."""
    return (
        Check("justeval", True, f"{__version__} on Python {platform.python_version()}"),
        _packages("packages", PACKAGES),
        _packages("engines", ENGINES),
        _data(),
        _keys(os.environ),
        _proxies(os.environ),
        _bundles(os.environ),
        Check("machine", True, f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}"),
        _disk(),
        _answer(model, base_url, timeout_seconds),
    )


def _packages(name: str, packages: Sequence[str]) -> Check:
    found, missing = [], []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    absent = f"; missing: {', '.join(missing)}" if missing else ""
    return Check(name, not missing, ", ".join(found) + absent)


def _data() -> Check:
    try:
        labels = sum(len(pack.labels) for pack in load_shipped_packs())
    except JustevalError as error:
        return Check("data", False, str(error))
    sets = dataset_names()
    return Check("data", bool(labels and sets), f"{labels} labels, case sets {', '.join(sets)}")


def _keys(environment: Mapping[str, str]) -> Check:
    states = [f"{name} {'set' if environment.get(name) else 'not set'}" for name in KEYS]
    return Check("keys", True, ", ".join(states))


def _proxies(environment: Mapping[str, str]) -> Check:
    found = []
    for name in PROXIES:
        address = environment.get(name) or environment.get(name.lower())
        if address:
            found.append(f"{name} {urlsplit(address).hostname or 'set'}")
    return Check("proxies", True, ", ".join(found) or "none")


def _bundles(environment: Mapping[str, str]) -> Check:
    named = {name: environment[name] for name in BUNDLES if environment.get(name)}
    missing = [name for name, path in named.items() if not Path(path).exists()]
    if missing:
        return Check("certificates", False, f"{', '.join(missing)} names a file that is not there")
    return Check("certificates", True, ", ".join(named) or "the system's own")


def _disk() -> Check:
    free = shutil.disk_usage(Path.cwd()).free
    return Check("disk", free > 1e9, f"{free / 1e9:,.0f} GB free here")


def _answer(model: str, base_url: str | None, timeout_seconds: float) -> Check:
    try:
        named = endpoint_of(model, base_url)
        profiles = [named.name or DEFAULT_PROFILE] if named.kind == "simulated" else []
        (endpoint,) = with_served_names([named])
        with opened([endpoint], profiles, timeout_seconds) as open_model:
            return asyncio.run(_ask(open_model(endpoint), endpoint))
    except JustevalError as error:
        return Check("model", False, str(error))


async def _ask(model: Model, endpoint: Endpoint) -> Check:
    start = time.perf_counter()
    try:
        answer = await model.ask(_question(endpoint), Parameters(max_tokens=300))
    finally:
        await model.close()
    milliseconds = (time.perf_counter() - start) * 1000
    read = read_reply(answer.reply, answer.finish_reason)
    stated = f"{read.months:g} months" if read.months is not None else read.reason or "no term"
    if read.probability is not None:
        stated = f"a probability of {read.probability:g}"
    found = f"{endpoint.name} answered in {milliseconds:,.0f} ms; read as {read.status}, {stated}"
    return Check("model", read.readable, found)


def _question(endpoint: Endpoint) -> Messages:
    """The harmless question: a sentence, or a yes or no where that is all a model answers."""
    decision = load_prompt("probability-en").decision
    if endpoint.kind == "decision" and decision is not None:
        return decision.messages(QUESTION)
    return load_prompt("sentence-en").messages(QUESTION)
