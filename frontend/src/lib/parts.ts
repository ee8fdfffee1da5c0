// Counts of verdicts -> the parts of a pie, always in the same order.

import type { Schemas } from '@/api/client'
import type { Part } from '@/components/charts/pie'
import { en } from '@/strings/en'

export function partsOf(counts: Schemas['VerdictCount']): Part[] {
  const { names } = en.verdicts
  return [
    { mark: 'up', name: en.run.significant, count: counts.biased },
    { mark: 'small', name: names.small, count: counts.biased_within_margin },
    { mark: 'equivalent', name: names.equivalent, count: counts.equivalent },
    { mark: 'undetermined', name: names.undetermined, count: counts.undetermined },
    { mark: 'still', name: names.still, count: counts.no_variation },
    { mark: 'none', name: names.none, count: counts.no_verdict },
  ]
}
