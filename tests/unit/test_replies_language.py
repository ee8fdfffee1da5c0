"""A language is a file: a third one needs no code, and a mistake in one is named."""

import pytest

from justeval.errors import InputError
from justeval.replies import load_language, parse_language, read_reply, shipped_languages
from justeval.replies.language import ROLES

SPANISH = """
language: es
spaced: true
keys:
  charge: [delito]
  guilty: [culpable]
  penalty: [pena, condena]
  term: [meses, duración]
  total: [pena total]
  decision: [decisión]
  probability: [probabilidad]
  explanation: [motivos]
key_fillers: [en, de, la]
affirmative: [sí, si, culpable]
negative: ['no', inocente]
blank: [ninguna, ninguno]
penalties:
  fixed_term: [pena de prisión]
  life: [cadena perpetua, prisión perpetua]
  fine: [multa]
  acquittal: [absolución, absuelto]
custody: [prisión, cárcel]
suspended: [suspendida, suspensión]
nothing: [ninguna]
negations: [sin, 'no']
numerals:
  values: {un: 1, uno: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, siete: 7, ocho: 8,
    nueve: 9, diez: 10, once: 11, doce: 12, quince: 15, dieciocho: 18, veinte: 20,
    veintiún: 21, treinta: 30, cuarenta: 40, sesenta: 60, ciento: 100, doscientos: 200}
  joiners: [y]
  half: [medio]
  half_joiners: [y]
  points: [coma]
units:
  year: [años, año]
  month: [meses, mes]
  day: [días, día]
duration_joiners: [y]
between: [a, o]
bounds: [al menos, hasta, unos, aproximadamente]
probation_before: [suspendida por]
term_before: [prisión de]
after_fillers: [de]
decided: [se condena, condeno, condena de]
undecided: [mínimo, máximo]
final: [respuesta final]
acquitted: [absuelto, absolución]
convicted: [culpable, se condena]
refusals: [no puedo, lo siento]
percent_after: ['%', por ciento]
decisions:
  release: [libertad]
  detain: [prisión preventiva]
"""
ES = parse_language(SPANISH)


def es(months, penalty="prisión", guilty="sí"):
    return f'{{"culpable": "{guilty}", "pena": "{penalty}", "meses": {months}}}'


@pytest.mark.parametrize(
    ("reply", "status", "months", "penalty"),
    [
        (es(36), "ok", 36, "fixed_term"),
        (es('"36 meses"'), "repaired", 36, "fixed_term"),
        (es('"tres años"'), "repaired", 36, "fixed_term"),
        (es('"3 años y 6 meses"'), "repaired", 42, "fixed_term"),
        (es('"tres años y seis meses"'), "repaired", 42, "fixed_term"),
        (es('"dos años y medio"'), "repaired", 30, "fixed_term"),
        (es('"treinta y seis"'), "repaired", 36, "fixed_term"),
        (es('"treinta y seis meses"'), "repaired", 36, "fixed_term"),
        (es('"ciento veinte meses"'), "repaired", 120, "fixed_term"),
        (es('"doscientos cuarenta meses"'), "repaired", 240, "fixed_term"),
        (es('"veintiún meses"'), "repaired", 21, "fixed_term"),
        (es('"doce meses (un año)"'), "repaired", 12, "fixed_term"),
        (es('"treinta y seis coma cinco meses"'), "repaired", 36.5, "fixed_term"),
        (es('"dos años, suspendida por tres años"'), "repaired", 24, "probation"),
        (es('"de tres a cinco años"'), "ambiguous", None, "fixed_term"),
        (es('"unos tres años"'), "ambiguous", None, "fixed_term"),
        (es('"tres o cuatro años"'), "ambiguous", None, "fixed_term"),
        (es("null", "cadena perpetua"), "ok", None, "life"),
        (es("0", "multa"), "ok", 0, "fine"),
        (es('""', "ninguna", "no"), "ok", 0, "acquittal"),
        (f"```json\n{es(36)}\n```", "repaired", 36, "fixed_term"),
        (f"{es(36)}\n\nPor ello, condeno a 48 meses.", "contradictory", None, "fixed_term"),
        (f"{es(30)}\nRespuesta final: {es(36)}", "repaired", 36, "fixed_term"),
        ("Culpable: sí\nPena: prisión\nMeses: 36\n", "repaired", 36, "fixed_term"),
        ("Se condena al acusado a tres años de prisión.", "repaired", 36, "fixed_term"),
        ("Lo siento, no puedo dictar una sentencia.", "refused", None, None),
        (es(36)[:-1], "truncated", None, "fixed_term"),
    ],
)
def test_a_third_language_needs_no_code(reply, status, months, penalty):
    read = read_reply(reply, languages=[ES])
    assert (read.status, read.months, read.penalty) == (status, months, penalty), read


def test_a_third_language_reads_decisions_and_probabilities():
    read = read_reply('{"decisión": "libertad", "probabilidad": "73 %"}', languages=[ES])
    assert (read.decision, read.probability) == ("release", 0.73)


def test_languages_are_read_together_or_alone():
    both = [ES, *shipped_languages()]
    assert read_reply(es('"tres años"'), languages=both).months == 36
    assert read_reply('{"刑罚类型": "有期徒刑", "刑期": "三年"}', languages=both).months == 36
    assert read_reply(es(36)).status == "unparsable"
    assert read_reply('{"刑罚类型": "有期徒刑", "刑期": 36}', languages=[ES]).status == "unparsable"


def test_shipped_languages_are_chinese_and_english_and_hold_every_role():
    languages = {language.name: language for language in shipped_languages()}
    assert set(languages) == {"en", "zh"}
    for language in languages.values():
        assert set(language.tables["keys"]) == set(ROLES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("language: xx\nnegative: [no]", "language, negative: False is no word"),
        ("language: xx\nnegativ: ['no']", "negativ: is no section"),
        ("language: xx\nkeys: {months: [meses]}", "'months' is not among its names: charge"),
        ("language: xx\nunits: {hour: [h]}", "'hour' is not among its names: year"),
        ("language: xx\nnumerals: {values: {uno: one}}", "'one' is no number"),
        ("language: xx\nbounds: about", "must be a list of words"),
        ("language: xx\nlegal_terms: {jail: [1, 2]}", "'jail' is not among its names"),
        ("language: xx\nlegal_terms: {life: [2, 1]}", "two numbers of months, the smaller first"),
        ("language: xx\nlegal_terms: {life: 2}", "two numbers of months, the smaller first"),
        ("language: xx\nlegal_terms: [1]", "must map kinds of penalty"),
        ("keys: {}", "an entry `language`"),
        ("language: [", "not YAML"),
    ],
)
def test_mistakes_in_a_language_file_are_named(text, message):
    with pytest.raises(InputError) as error:
        parse_language(text)
    assert message in str(error.value)


def test_a_language_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"xx\.yaml: cannot be read"):
        load_language(tmp_path / "xx.yaml")
