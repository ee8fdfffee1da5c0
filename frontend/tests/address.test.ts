import { describe, expect, it } from 'vitest'
import { addressOf, queryOf } from '@/api/address'
import { textsOf, withQuery } from '@/lib/address'

describe('addresses of the service', () => {
  it('fills in parts and escapes them', () => {
    expect(addressOf('/runs/{run}/documents', { run: 'a/b?c' }, { label: 'x y' })).toBe(
      '/runs/a%2Fb%3Fc/documents?label=x+y',
    )
  })

  it('repeats lists and leaves out what is unknown', () => {
    expect(queryOf({ run: ['a', 'b'], model: null, label: undefined, placebo: false })).toBe(
      'run=a&run=b&placebo=false',
    )
  })

  it('refuses a path whose part is missing', () => {
    expect(() => addressOf('/runs/{run}')).toThrow('wants run')
  })
})

describe('the state of a view', () => {
  it('reads one or several texts of a parameter', () => {
    expect(textsOf('a')).toEqual(['a'])
    expect(textsOf(['a', null, 'b'])).toEqual(['a', 'b'])
    expect(textsOf(undefined)).toEqual([])
  })

  it('leaves empty parameters out of the address', () => {
    expect(withQuery({ a: '1', b: '2' }, { a: null, c: [] , d: 'x'})).toEqual({ b: '2', d: 'x' })
  })
})
