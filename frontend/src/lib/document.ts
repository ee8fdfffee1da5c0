// Which two versions of a document stand side by side.

import type { Schemas } from '@/api/client'
import { isKnown } from './format'

type Version = Schemas['DocumentVersion']

export interface Pair {
  left: Version
  right: Version
}

/** Those asked for by value; else the reference, and the version whose answer is farthest off. */
export function pairOf(
  versions: readonly Version[],
  left: string,
  right: string,
): Pair | null {
  const named = (value: string): Version | undefined => versions.find((one) => one.value === value)
  const first = named(left) ?? versions.find((one) => one.is_reference) ?? versions[0]
  if (!first) return null
  const others = versions.filter((one) => one !== first)
  const second = named(right) ?? farthest(first, others) ?? first
  return { left: first, right: second }
}

function farthest(from: Version, others: readonly Version[]): Version | undefined {
  const origin = meanMonths(from)
  let found = others[0]
  let most = -1
  for (const other of others) {
    const months = meanMonths(other)
    const apart = isKnown(origin) && isKnown(months) ? Math.abs(months - origin) : 0
    if (apart > most) {
      most = apart
      found = other
    }
  }
  return found
}

function meanMonths(version: Version): number | null {
  const known = version.replies.map((reply) => reply.months).filter(isKnown)
  return known.length ? known.reduce((sum, months) => sum + months, 0) / known.length : null
}
