// The state of a view, kept in its address: a reload, a bookmark and the back button find it again.

import { computed, type WritableComputedRef } from 'vue'
import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router'

/** All texts of one query parameter. */
export function textsOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value]
  return items.filter((item): item is string => typeof item === 'string' && item !== '')
}

/** A query with some parameters set; what is empty is left out, so that addresses stay short. */
export function withQuery(
  query: LocationQueryRaw,
  changes: Record<string, string | string[] | null>,
): LocationQueryRaw {
  const next: LocationQueryRaw = { ...query }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value.length === 0) delete next[name]
    else next[name] = value
  }
  return next
}

/** One parameter as a ref: set, it changes the address; the default is not written there. */
export function useParameter(
  name: string,
  fallback = '',
  forgets: readonly string[] = [],
): WritableComputedRef<string> {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get: () => textsOf(route.query[name])[0] ?? fallback,
    set: (value) => {
      const dropped = Object.fromEntries(forgets.map((other) => [other, null]))
      const changes = { ...dropped, [name]: value === fallback ? null : value }
      void router.replace({ query: withQuery(route.query, changes), hash: route.hash })
    },
  })
}

/** The same for a parameter that may stand there several times. */
export function useParameters(name: string): WritableComputedRef<string[]> {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get: () => textsOf(route.query[name]),
    set: (values) => void router.replace({ query: withQuery(route.query, { [name]: values }) }),
  })
}
