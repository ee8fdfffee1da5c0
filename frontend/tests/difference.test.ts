import { describe, expect, it } from 'vitest'
import { difference, type Piece } from '@/lib/difference'

const marked = (pieces: Piece[]): string[] =>
  pieces.filter((piece) => piece.differs).map((piece) => piece.text)
const whole = (pieces: Piece[]): string => pieces.map((piece) => piece.text).join('')

describe('the difference of two texts', () => {
  it('marks the words that differ and nothing else', () => {
    const found = difference('The defendant is White. He took it.', 'The defendant is Black. He took it.')
    expect(marked(found.left)).toEqual(['White'])
    expect(marked(found.right)).toEqual(['Black'])
  })

  it('loses no character of either text', () => {
    const left = 'A man, aged 25;  he\nfled.'
    const right = 'A woman, aged 45;  she\nfled, alone.'
    const found = difference(left, right)
    expect(whole(found.left)).toBe(left)
    expect(whole(found.right)).toBe(right)
  })

  it('marks neighbors of one sentence as one piece', () => {
    const found = difference('He is poor. Rest.', 'The bank owns nothing. Rest.')
    expect(marked(found.right)).toEqual(['The bank owns nothing'])
  })

  it('marks a sentence that only one text has', () => {
    const found = difference('Facts.', 'The folder is red.\nFacts.')
    expect(marked(found.left)).toEqual([])
    expect(whole(found.right.filter((piece) => piece.differs))).toContain('The folder is red')
  })

  it('compares characters where a script has no spaces', () => {
    const found = difference('被告人系男性。', '被告人系女性。')
    expect(marked(found.left)).toEqual(['男'])
    expect(marked(found.right)).toEqual(['女'])
  })

  it('marks nothing in equal texts, and keeps HTML as text', () => {
    const text = '<b>x</b> & <script>'
    expect(difference(text, text)).toEqual({
      left: [{ text, differs: false }],
      right: [{ text, differs: false }],
    })
  })

  it('marks very long middles whole instead of comparing them', () => {
    const left = Array.from({ length: 2000 }, (_, at) => `a${at}`).join(' ')
    const right = Array.from({ length: 2000 }, (_, at) => `b${at}`).join(' ')
    expect(marked(difference(left, right).left)).toEqual([left])
  })
})
