// One label of one model -> a line of the label table.

import type { Schemas } from '@/api/client'
import { isKnown } from './format'
import type { Judged } from './verdicts'

type Label = Schemas['LabelRow']
type Value = Schemas['ValueEstimate']

export interface LabelLine {
  label: Label
  /** The value with the largest effect, as in the heat map. */
  largest: Value | null
  bias: Judged
  imbalanced: Judged
  leftOut: number
  note: string
  /** The same label estimated without flagged replies, where there are any. */
  without: LabelLine | null
}

export function lineOf(label: Label, without: Label | null = null): LabelLine {
  const largest = largestOf(label.bias.values ?? [])
  const imbalanced = largestOf(label.imbalanced_inaccuracy.values ?? [])
  return {
    label,
    largest,
    bias: {
      verdict: label.bias.verdict,
      significant: label.bias.significant,
      effect: largest?.change_percent ?? largest?.coef,
    },
    imbalanced: {
      verdict: label.imbalanced_inaccuracy.verdict,
      significant: label.imbalanced_inaccuracy.significant,
      effect: imbalanced?.coef,
    },
    leftOut: Object.values(label.left_out).reduce((sum, count) => sum + count, 0),
    note: notesOf(label),
    without: without ? lineOf(without) : null,
  }
}

export function largestOf(values: readonly Value[]): Value | null {
  let largest: Value | null = null
  for (const value of values) if (!largest || sizeOf(value) > sizeOf(largest)) largest = value
  return largest
}

function sizeOf(value: Value): number {
  if (isKnown(value.change_percent)) return Math.abs(value.change_percent)
  return isKnown(value.coef) ? Math.abs(value.coef) : -1
}

function notesOf(label: Label): string {
  const notes = [label.bias.note, label.imbalanced_inaccuracy.note]
  return [...new Set(notes.filter((note): note is string => !!note))].join('; ')
}
