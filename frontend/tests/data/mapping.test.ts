import { describe, expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { formOf, newCode, requestOf, sizeOf } from '@/views/data/mapping'

const said = {
  unit: 'years', codes: { '9996': 'life' }, profile: '', keep: null, rows: 'first', template: '',
  encoding: '', delimiter: '', sheet: '',
} // prettier-ignore
const dataset = {
  title: 'Bicycles',
  question: 'sentence',
  longest_months: 120,
  labels: ['placebo'],
  mapping: { case_id: 'Nr', own_name: 'Stadt' },
  said,
} as unknown as Schemas['Dataset']

describe('the form of a mapping', () => {
  it('opens with what was said, and says the same again', () => {
    const form = formOf(dataset, ['case_id', 'facts'])
    expect(form.columns).toEqual({ case_id: 'Nr', facts: '', own_name: 'Stadt' })
    expect(form.codes).toMatchObject([{ cell: '9996', meaning: 'life' }])
    expect(requestOf(form)).toMatchObject({
      mapping: { case_id: 'Nr', own_name: 'Stadt' },
      unit: 'years',
      codes: { '9996': 'life' },
      rows: 'first',
      title: 'Bicycles',
      longest_months: 120,
      labels: ['placebo'],
    })
  })

  it('takes back what was emptied', () => {
    const form = { ...formOf(dataset, []), codes: [], unit: ' ', labels: [] }
    expect(requestOf(form)).toMatchObject({ codes: {}, unit: '', labels: [] })
  })

  it('sends whole codes alone, and leaves a bound out that is none', () => {
    const codes = [newCode('1', ''), newCode(' 2 ', ' unknown '), newCode()]
    const form = { ...formOf(dataset, []), codes, longest: '' as const, rows: 'any' }
    expect(requestOf(form)).toMatchObject({
      codes: { '2': 'unknown' },
      longest_months: null,
      rows: null,
    })
  })

  it('keeps a delimiter as it is, even a space', () => {
    expect(requestOf({ ...formOf(dataset, []), delimiter: '\t' }).delimiter).toBe('\t')
  })

  it('says sizes as a person does', () => {
    expect([sizeOf(null), sizeOf(10), sizeOf(345_678), sizeOf(2_000_000_000)]).toEqual(
      ['–', '1 kB', '346 kB', '2000.0 MB'],
    )
  })
})
