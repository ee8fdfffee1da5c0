"""A run's folder -> the requests of one model, in the shuffled order in which they are asked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

import numpy as np
import pyarrow.parquet as pq

from justeval.collect.plan import Plan
from justeval.models.records import Endpoint, Parameters
from justeval.prompts import Prompt
from justeval.runs import RunFolder


@dataclass(frozen=True, slots=True)
class Request:
    """One request: its key, its text and how often that text was asked before (repetition)."""

    key: str
    variant_id: str
    repetition: int
    position: int
    language: str
    text: str


def request_key(
    endpoint: Endpoint, parameters: Parameters, prompt: Prompt, text: str, repetition: int
) -> str:
    """The key of a request: the hash of model, address, provider, parameters, prompt, repetition.

    Resuming goes by it alone, never by position or count.
    """
    parts = [
        endpoint.kind,
        endpoint.served_name,
        "" if endpoint.kind == "simulated" else endpoint.base_url,
        endpoint.body.get("provider"),
        parameters.as_json(),
        prompt.sha256,
        text,
        repetition,
    ]
    return hashlib.sha256(
        json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ).hexdigest()[:40]


def requests_of(folder: RunFolder, plan: Plan, endpoint: Endpoint) -> list[Request]:
    """A model's requests in the order of asking, shuffled over documents, values, repetitions."""
    table = pq.read_table(folder.variants, columns=["variant_id", "case_id", "text"])
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    texts = {str(variant): (str(case), str(text)) for variant, case, text in rows}
    language_of = {case.case_id: case.language for case in plan.asked_cases}
    prompt_of = {prompt.language: prompt for prompt in plan.prompts}
    pairs = [(i, repetition) for repetition in range(plan.repetitions) for i in texts]
    order = np.random.default_rng(plan.order_seed).permutation(len(pairs))
    requests = []
    for position, at in enumerate(order.tolist()):
        variant_id, repetition = pairs[at]
        case_id, text = texts[variant_id]
        language = language_of[case_id]
        key = request_key(endpoint, plan.parameters, prompt_of[language], text, repetition)
        requests.append(Request(key, variant_id, repetition, position, language, text))
    return requests
