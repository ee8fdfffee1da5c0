import { describe, expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { pairOf } from '@/lib/document'

function version(value: string, months: number | null, is_reference = false) {
  return { value, is_reference, replies: [{ months }] } as Schemas['DocumentVersion']
}

const WHITE = version('white', 24, true)
const ASIAN = version('asian', 25)
const BLACK = version('black', 36)
const BROKEN = version('hispanic', null)

describe('the two versions side by side', () => {
  it('are the reference and the one whose answer is farthest off', () => {
    expect(pairOf([WHITE, ASIAN, BLACK, BROKEN], '', '')).toEqual({ left: WHITE, right: BLACK })
  })

  it('are those of the address', () => {
    expect(pairOf([WHITE, ASIAN, BLACK], 'black', 'white')).toEqual({ left: BLACK, right: WHITE })
    expect(pairOf([WHITE, ASIAN], 'nothing', 'asian')).toEqual({ left: WHITE, right: ASIAN })
  })

  it('may be unreadable, alone, or none', () => {
    expect(pairOf([BROKEN, version('asian', null)], '', '')?.right.value).toBe('asian')
    expect(pairOf([WHITE], '', '')).toEqual({ left: WHITE, right: WHITE })
    expect(pairOf([], '', '')).toBeNull()
  })
})
