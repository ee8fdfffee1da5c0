// The values of labels -> the points of a forest plot. Every number is the service's; what is
// chosen here is the stretch of the scale that is shown.

import type { Schemas } from '@/api/client'
import { isKnown } from './format'
import { markOf, type Mark } from './verdicts'

type Label = Schemas['LabelRow']
type Value = Schemas['ValueEstimate']

/** What is drawn: ratios of means (with the equivalence band), or coefficients. */
export type EffectScale = 'ratio' | 'coef' | 'imbalanced'

export interface Point {
  label: string
  name: string
  value: string
  at: number
  low: number
  high: number
  mark: Mark
}

/** A numeric label's one value, as readers know it; its change is that of 45 against 25. */
export function valueName(value: string | null | undefined): string {
  return value === 'log(value)' ? '45 against 25' : (value ?? '')
}

export function pointsOf(labels: readonly Label[], scale: EffectScale): Point[] {
  return labels.flatMap((label) => {
    const fit = scale === 'imbalanced' ? label.imbalanced_inaccuracy : label.bias
    return (fit.values ?? []).flatMap((value) => {
      const [at, low, high] = numbersOf(value, scale)
      if (!isKnown(at) || !isKnown(low) || !isKnown(high)) return []
      const judged = { verdict: fit.verdict, significant: fit.significant, effect: value.coef }
      const { label: id, name } = label
      return [{ label: id, name, value: value.value, at, low, high, mark: markOf(judged) }]
    })
  })
}

type Triple = [number | null | undefined, number | null | undefined, number | null | undefined]

function numbersOf(value: Value, scale: EffectScale): Triple {
  return scale === 'ratio'
    ? [value.ratio, value.ratio_ci_low, value.ratio_ci_high]
    : [value.coef, value.ci_low, value.ci_high]
}

export interface Stretch {
  min: number
  max: number
  /** Intervals that go beyond it. */
  cut: number
}

const USUAL_SHARE = 0.9

/** Symmetric about "no effect": all points lie on it, very wide intervals are cut. */
export function stretchOf(points: readonly Point[], center: number): Stretch {
  const away = (x: number): number => Math.abs(x - center)
  const ends = points.flatMap((point) => [away(point.low), away(point.high)]).sort((a, b) => a - b)
  const usual = ends[Math.ceil(USUAL_SHARE * ends.length) - 1] ?? 0
  const largest = Math.max(0, ...points.map((point) => away(point.at)))
  const widest = ends.at(-1) ?? 0
  const reach = 1.05 * Math.min(Math.max(widest, largest), 2 * Math.max(usual, largest)) || 0.1
  const min = center - reach
  const max = center + reach
  return { min, max, cut: points.filter((point) => point.low < min || point.high > max).length }
}

/** Text that fits: what is too long ends in an ellipsis. */
export function shortened(text: string, most: number): string {
  const letters = [...text]
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`
}
