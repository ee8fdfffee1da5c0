import { describe, expect, it } from 'vitest'
import { addressOf } from '@/api/address'
import { textsOf } from '@/lib/address'
import {
  asPlan, asQuery, asRun, modelAsText, modelOfText, newChoices, newModel, numberOf, ofQuery,
  planKey, type AddressQuery,
} from '@/views/newrun/choices' // prettier-ignore

const KEY = 'sk-of-the-caller-7f'

function reading(query: AddressQuery): (name: string) => string[] {
  return (name) => textsOf(query[name])
}

describe('choices in an address', () => {
  it('are short where nothing was chosen', () => {
    expect(asQuery(newChoices())).toEqual({})
  })

  it('come back as they were, but for keys', () => {
    const choices = {
      ...newChoices(),
      dataset: 'us-sentencing',
      labels: ['judicial-us:defendant_race', 'placebo'],
      limit: 5 as const,
      temperature: 0.7 as const,
      question: 'bail' as const,
      models: [
        newModel({
          kind: 'openai',
          name: 'a/b:c;d=e é',
          address: 'http://127.0.0.1:8000/v1?x=1;y',
          alias: 'mine',
          key: KEY,
          promptUsd: 0.15,
          completionUsd: 0,
        }),
        newModel({ kind: 'openrouter', name: 'x/y', provider: 'p', key: KEY }),
      ],
    }
    const query = asQuery(choices)
    expect(JSON.stringify(query)).not.toContain(KEY)
    const back = ofQuery(reading(query))
    const without = choices.models.map((model) => ({ ...model, key: '', place: 0 }))
    expect(back.models.map((model) => ({ ...model, place: 0 }))).toEqual(without)
    expect({ ...back, models: [] }).toEqual({ ...choices, models: [] })
  })

  it('that nobody wrote are passed over', () => {
    expect(modelOfText('evil:x')).toBeNull()
    expect(modelOfText('')).toBeNull()
    expect(modelOfText('openai:%E0%A4%A;key=stolen')).toMatchObject({ name: '%E0%A4%A', key: '' })
    const choices = ofQuery(reading({ limit: 'many', question: 'why', model: ['x'] }))
    expect(choices).toMatchObject({ limit: '', question: '' })
    expect(choices.models.map(modelAsText)).toEqual(['simulated:planted'])
  })

  it('have no number where there is none', () => {
    expect([numberOf(''), numberOf(' '), numberOf('x'), numberOf('0'), numberOf('1e400')]).toEqual(
      ['', '', '', 0, ''],
    )
  })
})

describe('what the service is asked', () => {
  const models = [newModel({ kind: 'openai', name: ' m ', address: 'http://x/v1', key: KEY })]

  it('carries keys to a run and none to a plan', () => {
    const choices = { ...newChoices(), dataset: 'd', models }
    expect(JSON.stringify(asPlan(choices))).not.toContain(KEY)
    expect(asRun(choices).models[0]).toMatchObject({ name: 'm', key: KEY, address: 'http://x/v1' })
    const [other] = asRun({ ...choices, models: [{ ...models[0]!, kind: 'simulated' }] }).models
    expect(other).toEqual({ kind: 'simulated', name: 'm', alias: null })
  })

  it('leaves empty fields to the service', () => {
    const asked = asRun({ ...newChoices(), repetitions: '', name: '  ' })
    expect(asked).toMatchObject({ repetitions: 1, name: null, limit: null, max_cost_usd: null })
  })

  it('states prices only where both are known', () => {
    const priced = { ...models[0]!, promptUsd: 1, completionUsd: 2 }
    const half = { ...models[0]!, name: 'half', promptUsd: 1 }
    const { prices } = asRun({ ...newChoices(), models: [priced, half] as never })
    expect(prices).toEqual({ m: { prompt_usd: 1, completion_usd: 2 } })
  })

  it('is another plan when a choice is another, and the same for another key', () => {
    const choices = { ...newChoices(), models }
    expect(planKey({ ...choices, models: [{ ...models[0]!, key: 'x' }] })).toBe(planKey(choices))
    expect(planKey({ ...choices, limit: 5 })).not.toBe(planKey(choices))
  })

  it('takes an effect in per cent', () => {
    expect(asPlan({ ...newChoices(), effectPercent: 10 }).effect).toBeCloseTo(Math.log(1.1), 12)
  })

  it('has an address that the router can write', () => {
    expect(addressOf('/new', {}, asQuery({ ...newChoices(), labels: ['a', 'b'] }))).toBe(
      '/new?label=a&label=b',
    )
  })
})
