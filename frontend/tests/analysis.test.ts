import { describe, expect, it } from 'vitest'
import { carriedOf, choicesOf } from '@/lib/analysis'

describe('the choices of an analysis', () => {
  it('are read from the address under the names of the API', () => {
    const query = { alpha: '0.1', margin: '0.02', longest_months: '240', outcome: 'months' }
    expect(choicesOf(query)).toEqual({
      alpha: 0.1,
      margin: 0.02,
      longest_months: 240,
      outcome: 'months',
    })
    expect(choicesOf({ as_published: 'true' })).toEqual({ as_published: true })
  })

  it('are the defaults where an address says nothing that can be read', () => {
    const query = { alpha: 'ten', margin: '-1', longest_months: '', outcome: 'guess', run: 'r' }
    expect(choicesOf(query)).toEqual({})
    expect(choicesOf({})).toEqual({})
  })

  it('go along to other views, and nothing else does', () => {
    expect(carriedOf({ alpha: '0.1', model: 'm', cursor: 'c', as_published: 'true' })).toEqual({
      alpha: '0.1',
      as_published: 'true',
    })
  })
})
