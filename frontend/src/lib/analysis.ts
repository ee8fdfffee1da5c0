// The choices of an analysis, in the address under the names that the API gives them.

import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { textsOf, withQuery } from './address'

export const OUTCOMES = [
  'log_months',
  'months',
  'poisson',
  'full',
  'guilt',
  'decision',
  'probability',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface Choices {
  alpha?: number
  margin?: number
  longest_months?: number
  outcome?: Outcome
  as_published?: boolean
}

export const CHOICES = ['alpha', 'margin', 'longest_months', 'outcome', 'as_published'] as const

type Texts = Record<string, unknown>

/** The choices that an address states; what cannot be read is left to its default. */
export function choicesOf(query: Texts): Choices {
  const outcome = textsOf(query.outcome)[0]
  return {
    alpha: numberOf(query.alpha),
    margin: numberOf(query.margin),
    longest_months: numberOf(query.longest_months),
    outcome: OUTCOMES.find((one) => one === outcome),
    as_published: textsOf(query.as_published)[0] === 'true' || undefined,
  }
}

function numberOf(value: unknown): number | undefined {
  const text = textsOf(value)[0]
  const number = Number(text)
  return text && Number.isFinite(number) && number > 0 ? number : undefined
}

/** What of an address goes along to another view of the same numbers. */
export function carriedOf(query: Texts): Record<string, string> {
  const stated = CHOICES.flatMap((name) => textsOf(query[name]).slice(0, 1).map((text) => [name, text]))
  return Object.fromEntries(stated) as Record<string, string>
}

export function useChoices() {
  const route = useRoute()
  const router = useRouter()
  const choices = computed(() => choicesOf(route.query))
  const carried = computed(() => carriedOf(route.query))
  const changed = computed(() => Object.keys(carried.value).length > 0)

  function choose(texts: Record<(typeof CHOICES)[number], string>): void {
    void router.replace({ query: withQuery(route.query, texts) })
  }
  return { choices, carried, changed, choose }
}
