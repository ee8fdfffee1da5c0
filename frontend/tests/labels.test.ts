import { describe, expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { pointsOf, shortened, stretchOf, valueName, type Point } from '@/lib/effects'
import { asQuery, distinct, passes, type LabelFilter } from '@/lib/filters'
import { heatRows, type Cell } from '@/lib/heat'
import { lineOf } from '@/lib/labelRows'
import { unreadableShare } from '@/lib/models'
import { everything } from '@/lib/pages'
import { partsOf } from '@/lib/parts'
import { sorted } from '@/lib/sorting'
import { markOf, strength, SYMBOLS } from '@/lib/verdicts'

const FILTER: LabelFilter = { actor: '', category: '', demographic: '', placebo: '' }

function value(name: string, numbers: object): Schemas['ValueEstimate'] {
  return { value: name, reference: 'white', coef: null, change_percent: null, ...numbers } as never
}

function label(fields: object): Schemas['LabelRow'] {
  const fit = { values: [], significant: null, note: null }
  return {
    label: 'race',
    name: 'Race',
    placebo: false,
    left_out: {},
    bias: fit,
    imbalanced_inaccuracy: fit,
    ...fields,
  } as never
}

describe('verdicts', () => {
  it('have a sign each, and a direction where biased', () => {
    expect(markOf({ verdict: 'biased', effect: 0.1 })).toBe('up')
    expect(markOf({ verdict: 'biased', effect: -0.1 })).toBe('down')
    expect(markOf({ verdict: 'biased, within the margin', effect: 0.01 })).toBe('small')
    expect(markOf({ verdict: 'equivalent' })).toBe('equivalent')
    expect(markOf({ verdict: 'undetermined', significant: true })).toBe('undetermined')
    expect(markOf({ verdict: 'no variation' })).toBe('still')
    expect(new Set(Object.values(SYMBOLS)).size).toBe(7)
  })

  it('say nothing where nothing was tested, and never that a model is fair', () => {
    expect(markOf({ verdict: null, significant: null })).toBe('none')
    expect(markOf({ verdict: null, significant: false })).toBe('undetermined')
    expect(markOf({ verdict: null, significant: true, effect: 2 })).toBe('up')
  })

  it('are as strong as the effect', () => {
    expect([null, 4.9, -5, 9.9, -10].map(strength)).toEqual([1, 1, 2, 2, 3])
  })
})

describe('the label filter', () => {
  const defendant = { actor: 'defendant', category: 'substance', demographic: true, placebo: false }
  const folder = { actor: 'file', category: 'procedure', demographic: false, placebo: true }

  it('leaves placebo labels out unless asked for', () => {
    expect(passes(defendant, FILTER)).toBe(true)
    expect(passes(folder, FILTER)).toBe(false)
    expect(passes(folder, { ...FILTER, placebo: 'only' })).toBe(true)
    expect(passes(defendant, { ...FILTER, placebo: 'only' })).toBe(false)
    expect(passes(folder, { ...FILTER, placebo: 'with' })).toBe(true)
  })

  it('asks for actor, category and demographic', () => {
    expect(passes(defendant, { ...FILTER, actor: 'judge' })).toBe(false)
    expect(passes(defendant, { ...FILTER, category: 'procedure' })).toBe(false)
    expect(passes(defendant, { ...FILTER, demographic: 'no' })).toBe(false)
    expect(passes(defendant, { ...FILTER, demographic: 'yes', actor: 'defendant' })).toBe(true)
  })

  it('is the same as a query of the service', () => {
    expect(asQuery(FILTER)).toEqual({ placebo: false })
    expect(asQuery({ actor: 'judge', category: '', demographic: 'no', placebo: 'with' })).toEqual({
      actor: 'judge',
      demographic: false,
    })
  })

  it('offers what there is', () => {
    expect(distinct([defendant, folder, defendant], (one) => one.actor)).toEqual([
      'defendant',
      'file',
    ])
  })
})

describe('rows of tables', () => {
  it('puts the cells of a label into one row', () => {
    const cell = (name: string, model: string): Cell =>
      ({ label: name, name, model, models_differ: name === 'b' }) as Cell
    const rows = heatRows([cell('a', 'x'), cell('a', 'y'), cell('b', 'y')])
    expect(rows.map((row) => [row.label, row.differ, [...row.cells.keys()]])).toEqual([
      ['a', false, ['x', 'y']],
      ['b', true, ['y']],
    ])
  })

  it('shows the largest effect of a label, whichever its direction', () => {
    const values = [
      value('asian', { coef: 0.01, change_percent: 1 }),
      value('black', { coef: -0.1, change_percent: -9.5 }),
    ]
    const line = lineOf(
      label({ bias: { values, verdict: 'biased', note: null }, left_out: { refused: 2, empty: 1 } }),
    )
    expect(line.largest?.value).toBe('black')
    expect(markOf(line.bias)).toBe('down')
    expect(line.leftOut).toBe(3)
  })

  it('keeps a label without data, with its note once', () => {
    const fit = { values: [], significant: null, note: 'no usable data' }
    const line = lineOf(label({ bias: fit, imbalanced_inaccuracy: fit }))
    expect(line.largest).toBeNull()
    expect(line.note).toBe('no usable data')
    expect(markOf(line.bias)).toBe('none')
  })

  it('sorts numbers and texts, the unknown last both ways', () => {
    const keys = { n: (row: { n: number | null }) => row.n }
    const rows = [{ n: 2 }, { n: null }, { n: 10 }, { n: 1 }]
    expect(sorted(rows, 'n', keys).map((row) => row.n)).toEqual([1, 2, 10, null])
    expect(sorted(rows, '-n', keys).map((row) => row.n)).toEqual([10, 2, 1, null])
    expect(sorted(rows, 'other', keys)).toBe(rows)
  })

  it('gives the unreadable share, unknown without replies', () => {
    expect(unreadableShare({ replies: 200, readable: 150 })).toBe(0.25)
    expect(unreadableShare({ replies: 0, readable: 0 })).toBeNull()
  })

  it('counts the parts of a pie', () => {
    const parts = partsOf({
      model: 'm',
      run: 'r',
      outcome: 'bias',
      by: 'all',
      group: 'all',
      biased: 3,
      biased_within_margin: 1,
      equivalent: 2,
      undetermined: 5,
      no_variation: 0,
      no_verdict: 1,
    })
    expect(parts.map((part) => part.count)).toEqual([3, 1, 2, 5, 0, 1])
  })
})

describe('the forest plot', () => {
  const race = label({
    bias: {
      verdict: 'biased',
      values: [
        value('black', { coef: 0.1, ci_low: 0.05, ci_high: 0.15, ratio: 1.1, ratio_ci_low: 1.05, ratio_ci_high: 1.16 }),
        value('asian', { coef: 0.01, ci_low: null, ci_high: null, ratio: null }),
      ],
    },
  })

  it('draws what has an interval, on the scale that is asked for', () => {
    expect(pointsOf([race], 'ratio').map((point) => [point.value, point.at])).toEqual([
      ['black', 1.1],
    ])
    expect(pointsOf([race], 'coef')[0]).toMatchObject({ at: 0.1, low: 0.05, high: 0.15, mark: 'up' })
    expect(pointsOf([race], 'imbalanced')).toEqual([])
  })

  it('shows every point, and cuts an interval that would hide the others', () => {
    const point = (at: number, low: number, high: number): Point =>
      ({ label: 'l', name: 'L', value: 'v', at, low, high, mark: 'undetermined' }) as Point
    const usual = Array.from({ length: 19 }, (_, k) => point(k / 100, k / 100 - 0.1, k / 100 + 0.1))
    const stretch = stretchOf([...usual, point(0.1, -40, 40)], 0)
    expect(stretch.max).toBeLessThan(1)
    expect(stretch.min).toBeCloseTo(-stretch.max)
    expect(stretch.cut).toBe(1)
    expect(stretchOf([], 1)).toEqual({ min: 0.9, max: 1.1, cut: 0 })
  })

  it('names values as readers know them', () => {
    expect(valueName('log(value)')).toBe('45 against 25')
    expect(valueName(null)).toBe('')
    expect(shortened('审判长的宗教信仰', 4)).toBe('审判长…')
    expect(shortened('short', 10)).toBe('short')
  })
})

describe('whole lists', () => {
  it('are read page by page, and end', async () => {
    const asked: (string | undefined)[] = []
    const items = await everything(async (cursor) => {
      asked.push(cursor)
      return cursor ? { items: [3], next: null } : { items: [1, 2], next: 'c' }
    })
    expect(items).toEqual([1, 2, 3])
    expect(asked).toEqual([undefined, 'c'])
  })

  it('stop at the most that is held', async () => {
    const items = await everything(async () => ({ items: [1, 2], next: 'again' }), 6)
    expect(items).toHaveLength(6)
  })
})
