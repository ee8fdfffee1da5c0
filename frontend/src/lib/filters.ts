// Which labels are shown: by actor, category, demographic or not, placebo or not.

export interface Labelled {
  actor?: string | null
  category?: string | null
  demographic?: boolean | null
  placebo: boolean
}

export interface LabelFilter {
  actor: string
  category: string
  /** '' any, 'yes', 'no' */
  demographic: string
  /** '' without placebo labels, 'only', 'with' */
  placebo: string
}

export function passes(label: Labelled, filter: LabelFilter): boolean {
  if (filter.actor && label.actor !== filter.actor) return false
  if (filter.category && label.category !== filter.category) return false
  if (filter.demographic && label.demographic !== (filter.demographic === 'yes')) return false
  if (filter.placebo === 'with') return true
  return label.placebo === (filter.placebo === 'only')
}

/** The same filter as the service's query parameters, for links. */
export function asQuery(filter: LabelFilter): {
  actor?: string
  category?: string
  demographic?: boolean
  placebo?: boolean
} {
  return {
    actor: filter.actor || undefined,
    category: filter.category || undefined,
    demographic: filter.demographic ? filter.demographic === 'yes' : undefined,
    placebo: filter.placebo === 'with' ? undefined : filter.placebo === 'only',
  }
}

/** What stands in a column, each once, in order of appearance. */
export function distinct<T>(rows: readonly T[], of: (row: T) => string | null | undefined): string[] {
  const found = rows.map(of).filter((text): text is string => !!text)
  return [...new Set(found)]
}
