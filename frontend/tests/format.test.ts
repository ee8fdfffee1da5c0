import { describe, expect, it } from 'vitest'
import * as format from '@/lib/format'

describe('numbers as text', () => {
  it('never writes unknown as 0', () => {
    for (const write of [format.count, format.decimal, format.percent, format.pValue, format.usd])
      expect(write(null)).toBe('–')
    expect(format.duration(null)).toBe('–')
    expect(format.interval(null, 1)).toBe('–')
    expect(format.decimal(Number.NaN)).toBe('–')
    expect(format.moment('')).toBe('–')
  })

  it('writes counts, shares and effects', () => {
    expect(format.count(177100)).toBe('177,100')
    expect(format.percent(0.0156)).toBe('1.6 %')
    expect(format.signed(9.94)).toBe('+9.9')
    expect(format.signed(-4.25, 2)).toBe('−4.25')
    expect(format.signed(0.04)).toBe('0.0')
    expect(format.decimal(-0.0001)).toBe('0.000')
  })

  it('gives no p value of 0', () => {
    expect(format.pValue(0)).toBe('< 0.0001')
    expect(format.pValue(0.00123)).toBe('0.0012')
  })

  it('gives costs and times as a person says them', () => {
    expect(format.usd(0)).toBe('$0')
    expect(format.usd(0.0004)).toBe('< $0.01')
    expect(format.usd(12.345)).toBe('$12.35')
    expect(format.duration(42.4)).toBe('42 s')
    expect(format.duration(600)).toBe('10 min')
    expect(format.duration(9000)).toBe('2.5 h')
  })
})
