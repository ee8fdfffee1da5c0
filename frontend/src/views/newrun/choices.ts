// What is chosen for a run: as a form has it, as an address keeps it, as the service takes it.
// A key is part of the form alone; it stands in no address and in no storage.

import type { Schemas } from '@/api/client'

export type Kind = Schemas['ModelChoice']['kind']
export type Question = NonNullable<Schemas['RunRequest']['question']>

export interface Model {
  /** Tells the fields of a form apart. */
  place: number
  kind: Kind
  name: string
  address: string
  provider: string
  alias: string
  key: string
  promptUsd: number | ''
  completionUsd: number | ''
}

export interface Choices {
  dataset: string
  labels: string[]
  models: Model[]
  question: Question | ''
  prompts: string[]
  repetitions: number | ''
  limit: number | ''
  temperature: number | ''
  name: string
  maxCost: number | ''
  maxTokens: number | ''
  perMinute: number | ''
  concurrency: number | ''
  seed: number | ''
  effectPercent: number | ''
}

export const QUESTIONS: readonly Question[] = ['sentence', 'bail', 'disposition', 'probability']

let places = 0

export function newModel(fields: Partial<Model> = {}): Model {
  places += 1
  const empty = { name: '', address: '', provider: '', alias: '', key: '' }
  const prices = { promptUsd: '', completionUsd: '' } as const
  return { ...empty, ...prices, kind: 'simulated', ...fields, place: places }
}

export function newChoices(): Choices {
  return {
    dataset: '',
    labels: [],
    models: [newModel({ name: 'planted' })],
    question: '',
    prompts: [],
    repetitions: 1,
    limit: '',
    temperature: 0,
    name: '',
    maxCost: '',
    maxTokens: '',
    perMinute: '',
    concurrency: 64,
    seed: '',
    effectPercent: 10,
  }
}

const MODEL_FIELDS = ['address', 'provider', 'alias', 'promptUsd', 'completionUsd'] as const
const NUMBERS = [
  'repetitions', 'limit', 'temperature', 'maxCost', 'maxTokens', 'perMinute', 'concurrency',
  'seed', 'effectPercent',
] as const // prettier-ignore
const TEXTS = ['dataset', 'question', 'name'] as const

/** A model as one parameter of an address: `openai:NAME;address=...`. Never its key. */
export function modelAsText(model: Model): string {
  const parts = [`${model.kind}:${encodeURIComponent(model.name)}`]
  for (const field of MODEL_FIELDS) {
    const value = String(model[field])
    if (value) parts.push(`${field}=${encodeURIComponent(value)}`)
  }
  return parts.join(';')
}

/** The model of such a parameter; null where it is none. */
export function modelOfText(text: string): Model | null {
  const [head = '', ...rest] = text.split(';')
  const [kind, name = ''] = head.split(':')
  if (kind !== 'simulated' && kind !== 'openrouter' && kind !== 'openai') return null
  const fields: Record<string, string | number> = { kind, name: decoded(name) }
  for (const part of rest) {
    const [field = '', value = ''] = part.split('=')
    if (!(MODEL_FIELDS as readonly string[]).includes(field)) continue
    const isPrice = field === 'promptUsd' || field === 'completionUsd'
    fields[field] = isPrice ? numberOf(decoded(value)) : decoded(value)
  }
  return newModel(fields as Partial<Model>)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function numberOf(text: string): number | '' {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) ? '' : value
}

export type AddressQuery = Record<string, string | string[]>

/** Choices as the parameters of an address: what is empty, or as it was at first, is left out. */
export function asQuery(choices: Choices): AddressQuery {
  const first = newChoices()
  const query: AddressQuery = {}
  for (const field of [...TEXTS, ...NUMBERS]) {
    const value = choices[field]
    if (value !== '' && value !== first[field]) query[field] = String(value)
  }
  if (choices.labels.length) query.label = choices.labels
  if (choices.prompts.length) query.prompt = choices.prompts
  const models = choices.models.map(modelAsText)
  if (models.join(' ') !== first.models.map(modelAsText).join(' ')) query.model = models
  return query
}

/** Choices from the parameters of an address. */
export function ofQuery(read: (name: string) => string[]): Choices {
  const choices = newChoices()
  for (const field of NUMBERS) {
    const text = read(field)[0]
    if (text !== undefined) choices[field] = numberOf(text)
  }
  const question = QUESTIONS.find((known) => known === read('question')[0])
  const models = read('model').map(modelOfText).filter((model) => model !== null)
  return {
    ...choices,
    dataset: read('dataset')[0] ?? '',
    name: read('name')[0] ?? '',
    question: question ?? '',
    labels: read('label'),
    prompts: read('prompt'),
    models: models.length ? models : choices.models,
  }
}

type Shared = Omit<Schemas['PlanRequest'], 'effect' | 'responding' | 'noise' | 'alpha'>

/** What the service is asked to plan. Keys stay here: planning asks no model. */
export function asPlan(choices: Choices): Schemas['PlanRequest'] {
  const effect = Math.log(1 + (choices.effectPercent === '' ? 10 : choices.effectPercent) / 100)
  const shared = asShared(choices, choices.models.map((model) => asModel(model, false)))
  return { ...shared, effect, responding: 0.5, noise: 0.05, alpha: 0.05 }
}

/** What the service is asked to run, the keys with it. */
export function asRun(choices: Choices): Schemas['RunRequest'] {
  return {
    ...asShared(choices, choices.models.map((model) => asModel(model, true))),
    max_cost_usd: orNull(choices.maxCost),
    name: choices.name.trim() || null,
    concurrency: choices.concurrency === '' ? 64 : choices.concurrency,
    requests_per_minute: orNull(choices.perMinute),
    timeout_seconds: 120,
  }
}

function asShared(choices: Choices, models: Schemas['ModelChoice'][]): Shared {
  return {
    dataset: choices.dataset,
    labels: choices.labels,
    models,
    question: choices.question || null,
    prompts: choices.prompts,
    repetitions: choices.repetitions === '' ? 1 : choices.repetitions,
    limit: orNull(choices.limit),
    temperature: choices.temperature === '' ? 0 : choices.temperature,
    max_tokens: orNull(choices.maxTokens),
    seed: orNull(choices.seed),
    prices: pricesOf(choices.models),
  }
}

function asModel(model: Model, withKey: boolean): Schemas['ModelChoice'] {
  const shared = { kind: model.kind, name: model.name.trim(), alias: model.alias.trim() || null }
  if (model.kind === 'simulated') return shared
  return {
    ...shared,
    address: model.kind === 'openai' ? model.address.trim() || null : null,
    provider: model.kind === 'openrouter' ? model.provider.trim() || null : null,
    key: withKey ? model.key.trim() || null : null,
  }
}

function pricesOf(models: readonly Model[]): Record<string, Schemas['Price']> {
  const prices: Record<string, Schemas['Price']> = {}
  for (const { kind, name, promptUsd, completionUsd } of models) {
    if (kind === 'simulated' || promptUsd === '' || completionUsd === '') continue
    prices[name.trim()] = { prompt_usd: promptUsd, completion_usd: completionUsd }
  }
  return prices
}

function orNull(value: number | ''): number | null {
  return value === '' ? null : value
}

/** What a plan depends on, as one text: another text, another plan. */
export function planKey(choices: Choices): string {
  return JSON.stringify(asPlan(choices))
}
