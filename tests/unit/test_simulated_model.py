"""The simulated model reads nothing but text, and does what its effects file says."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from justeval.models.simulated import SimulatedModel, message_text
from justeval.models.simulated.fields import compose
from justeval.models.simulated.malformed import WAYS, Answer, spoil
from justeval.models.simulated.question import read_question
from justeval.models.simulated.words import chinese, english

PACK = """
pack: own
title: t
languages: [en, zh]
placebo: false
source: s
charge_groups: {}
labels:
  - id: hat
    name: {en: Hat, zh: 帽子}
    actor: defendant
    category: substance
    demographic: false
    kind: categorical
    place: opening
    requires: []
    excluded_charges: []
    patterns: {en: [], zh: []}
    source: s
    reference: green
    values:
      - id: green
        name: {en: green, zh: 绿}
        sentence: {en: "The defendant wears a green hat.", zh: "被告人戴绿帽。"}
      - id: red
        name: {en: red, zh: 红}
        sentence: {en: "The defendant wears a red hat.", zh: "被告人戴红帽。"}
  - id: tie
    name: {en: Tie, zh: 领带}
    actor: defendant
    category: substance
    demographic: false
    kind: categorical
    place: closing
    requires: []
    excluded_charges: []
    patterns: {en: [], zh: []}
    source: s
    reference: blue
    values:
      - {id: blue, name: {en: b, zh: b}, sentence: {en: "A tie is blue", zh: "领带为蓝"}}
      - {id: red, name: {en: r, zh: r}, sentence: {en: "A tie is red", zh: "领带为红"}}
  - id: age
    name: {en: Age, zh: 年龄}
    actor: defendant
    category: substance
    demographic: true
    kind: numeric
    unit: years
    range: [18, 75]
    asked: [25, 50]
    published_values: 2
    place: opening
    requires: []
    excluded_charges: []
    patterns: {en: [], zh: []}
    source: s
    sentence: {en: "The defendant is {value} years old.", zh: "被告人现年{value}岁。"}
"""
QUIET = {
    "base_noise_sd": 0.0,
    "noise_sd": 0.0,
    "malformed_share": 0.0,
    "effects": {"hat": {"red": 0.2}, "age": {"per_log": -0.1}},
}
ASK = 'Answer with a JSON object: "charge": text; "guilty": "yes" or "no"; "months": a number.'
GREEN = "The defendant wears a green hat."
RED = "The defendant wears a red hat."
REWORDED = "On the head of the defendant sits a hat of a red color."


@pytest.fixture
def model_of(tmp_path: Path):
    (tmp_path / "own.yaml").write_text(PACK, encoding="utf-8")

    def build(seed: int | None = None, **fields: object) -> SimulatedModel:
        profile = {"name": "test", "packs": ["own.yaml"], **QUIET, **fields}
        path = tmp_path / "effects.yaml"
        path.write_text(json.dumps(profile), encoding="utf-8")
        return SimulatedModel.from_profile(str(path), seed)

    return build


def facts(number: int) -> str:
    return (
        f"On day {number} the defendant committed robbery at a shop in street {number % 17}. "
        f"The total offense level is {18 + number % 10} and the criminal history category is II."
    )


def ask(opening: str, number: int = 0) -> list[dict[str, str]]:
    user = f"A case:\n\n{opening} {facts(number)}\n\n{ASK}"
    return [{"role": "system", "content": "You assist a court."}, {"role": "user", "content": user}]


def months(model: SimulatedModel, messages: list[dict[str, str]]) -> int:
    return int(json.loads(model.reply(messages)[0])["months"])


def truth(model: SimulatedModel, opening: str, number: int = 0) -> float:
    rng = np.random.default_rng(1)
    return float(model.log_months(message_text(ask(opening, number)), 20_000, rng).mean())


def test_an_effect_is_of_the_size_planted_and_gone_when_the_sentence_is_reworded(model_of):
    model = model_of(noise_sd=0.06)
    green, red, reworded = (truth(model, opening) for opening in (GREEN, RED, REWORDED))
    # 20,000 draws with a spread of 0.06 and rounding: standard error of a difference below 0.001
    assert red - green == pytest.approx(0.2, abs=0.004)
    assert reworded - green == pytest.approx(0.0, abs=0.004)


def test_the_effect_shows_in_replies_over_many_documents(model_of):
    model = model_of(noise_sd=0.06, base_noise_sd=0.15)
    both = [
        [math.log1p(months(model, ask(opening, number))) for opening in (GREEN, RED, REWORDED)]
        for number in range(400)
    ]
    green, red, reworded = np.array(both).T
    # spread of a difference about 0.1, 400 documents: standard error 0.005
    assert np.mean(red - green) == pytest.approx(0.2, abs=0.02)
    # the reworded remark moves a document's own draw a little, in no direction
    assert np.mean(reworded - green) == pytest.approx(0.0, abs=0.025)


def test_a_numeric_effect_is_by_the_logarithm_of_the_number(model_of):
    model = model_of()
    young, old = (truth(model, f"The defendant is {age} years old.") for age in (25, 50))
    assert old - young == pytest.approx(-0.1 * math.log(2), abs=0.004)
    between = truth(model, "The defendant is 36 years old.")
    assert between - young == pytest.approx(-0.1 * math.log(36 / 25), abs=0.004)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (f"{RED} More.", [("hat", "red")]),
        (f"Facts:{RED}\n{RED}", [("hat", "red")]),
        ("案情：被告人戴红帽。某日盗窃。", [("hat", "red")]),
        ("Facts. A tie is red", [("tie", "red")]),
        ("A tie is red and long.", [("tie", "red")]),
        ("A tie is reddish.", []),
        ("他说：“被告人戴红帽。”", [("hat", "red")]),
        ("They say that the defendant wears a red hat.", []),
        ("The defendant wears a red hat on Sundays.", []),
        ("the defendant wears a red hat.", []),
        ("The defendant wears a  red hat.", []),
        ("The defendant is 31 years old. A remark.", [("age", "31")]),
        ("被告人现年31岁。", [("age", "31")]),
        ("The defendant is thirty years old.", []),
        (f"hat=red; value: red; {GREEN}", [("hat", "green")]),
    ],
)
def test_a_label_is_seen_by_its_sentence_alone(model_of, text, seen):
    assert [(one.label, one.value) for one in model_of().stated(text)] == seen


def test_nothing_but_the_text_of_the_messages_is_read(model_of):
    model = model_of()
    plain = [{"role": "user", "content": ask(GREEN)[1]["content"]}]
    told = [{**plain[0], "name": "hat_red", "label": "hat", "value": "red"}]
    parts = [{"role": "user", "content": [{"type": "text", "text": plain[0]["content"]}]}]
    assert model.reply(plain) == model.reply(told) == model.reply(parts)


def test_all_versions_share_the_noise_of_their_document(model_of):
    model = model_of(base_noise_sd=0.5, effects={})
    body = facts(3)
    texts = [f"{GREEN} {body}", f"{RED} {body}", body, f"{body} {RED}", f"{RED}\n\n{body}"]
    truths = {
        float(model.log_months(f"{text}\n{ASK}", 1, np.random.default_rng(1))[0]) for text in texts
    }
    assert len({round(value, 9) for value in truths}) == 1
    he, she = (f"{word} ran. {body}" for word in ("He", "She"))
    same = [model.log_months(text, 1, np.random.default_rng(1))[0] for text in (he, she)]
    assert same[0] == same[1]
    bases = {round(truth(model, GREEN, number), 6) for number in range(40)}
    assert len(bases) > 20


def test_the_seed_moves_noise_and_leaves_the_truth(model_of):
    one, two = model_of(seed=1, noise_sd=0.1), model_of(seed=2, noise_sd=0.1)
    replies = [[months(model, ask(RED, n)) for n in range(50)] for model in (one, two)]
    assert replies[0] != replies[1]
    assert truth(one, RED) == truth(two, RED)


def test_draws_and_replies_have_the_same_mean(model_of):
    text = ask(RED, 5)
    models = [model_of(seed=seed, noise_sd=0.1, noise_share=0.5) for seed in range(300)]
    replied = np.array([math.log1p(months(model, text)) for model in models])
    expected = models[0].log_months(message_text(text), 20_000, np.random.default_rng(1))
    standard_error = expected.std() / math.sqrt(len(replied))
    assert abs(replied.mean() - expected.mean()) < 4 * standard_error


def test_documents_drawn_twice_have_noise_of_their_own(model_of):
    model = model_of(noise_sd=0.1)
    replies = {model.reply(ask(RED), drawn_as=str(number)) for number in range(20)}
    assert len(replies) > 5


def test_rounding_keeps_the_mean_of_months():
    question, _ = read_question(ASK)
    for wanted in (0.3, 7.25, 31.5):
        level = math.log1p(wanted)
        grid = [(i + 0.5) / 1000 for i in range(1000)]
        rounded = [compose(question, None, level, u, 0.5).months for u in grid]
        assert np.mean(rounded) == pytest.approx(wanted, abs=0.001)


def test_the_share_of_malformed_replies_is_kept_and_independent_of_the_value(model_of):
    model = model_of(malformed_share=0.2)
    plain = re.compile(r'\{"charge": "[a-z ]+", "guilty": "yes", "months": \d+\}\Z')
    counts = [
        sum(not plain.match(model.reply(ask(opening, number))[0]) for number in range(1500))
        for opening in (GREEN, RED)
    ]
    # binomial: mean 300, standard deviation 15.5; of the difference 21.9
    assert all(abs(count - 300) < 4 * 15.5 for count in counts)
    assert abs(counts[0] - counts[1]) < 4 * 21.9


def test_only_some_documents_respond_where_the_file_says_so(model_of):
    model = model_of(respond_share=0.4)
    moved = [truth(model, RED, n) - truth(model, GREEN, n) > 0.1 for n in range(60)]
    # binomial: 24 of 60, standard deviation 3.8
    assert 8 < sum(moved) < 40


def test_repeated_answers_differ_only_at_a_temperature_above_zero(model_of):
    model = model_of(temperature_sd=0.3)
    assert len({model.reply(ask(RED), 0.0, draw)[0] for draw in range(20)}) == 1
    assert len({model.reply(ask(RED), 0.7, draw)[0] for draw in range(20)}) > 5
    assert model.reply(ask(RED), 0.7, 3) == model.reply(ask(RED), 0.7, 3)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_way_of_spoiling_an_answer_has_its_share(language):
    answer = Answer({"刑期": 31, "罪名": "x"}, language, "刑期", 31)
    assert sum(share for _, share in WAYS) == pytest.approx(1.0)
    replies = [spoil(answer, (i + 0.5) / 200, 0.3) for i in range(200)]
    kinds = {way for way in replies}
    assert len(kinds) == len(WAYS)
    assert all(
        finish == "length"
        for text, finish in kinds
        if text and "31" not in text and text.startswith("{") and not text.endswith("}")
    )
    assert answer.text() not in {text for text, _ in replies}


@pytest.mark.parametrize(
    ("number", "en", "zh"),
    [
        (0, "zero", "零"),
        (10, "ten", "十"),
        (12, "twelve", "十二"),
        (31, "thirty-one", "三十一"),
        (80, "eighty", "八十"),
        (105, "one hundred and five", "一百零五"),
        (112, "one hundred and twelve", "一百一十二"),
        (240, "two hundred and forty", "二百四十"),
    ],
)
def test_numbers_in_words(number, en, zh):
    assert (english(number), chinese(number)) == (en, zh)


def test_importing_the_package_loads_nothing_heavy():
    heavy = "{'pandas', 'scipy', 'uvicorn', 'starlette', 'linearmodels', 'pyfixest'}"
    code = f"import sys, justeval.models.simulated; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
