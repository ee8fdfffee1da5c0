// Sorting of what is on the page whole: the labels of one model. Unknown stands last both ways.

export type Key = string | number | null | undefined

/** Rows by a key; `sort` is the key's name, with `-` for the largest first. */
export function sorted<T>(
  rows: readonly T[],
  sort: string,
  keys: Record<string, (row: T) => Key>,
): readonly T[] {
  const reversed = sort.startsWith('-')
  const key = keys[reversed ? sort.slice(1) : sort]
  if (!key) return rows
  const factor = reversed ? -1 : 1
  return [...rows].sort((left, right) => compared(key(left), key(right), factor))
}

function compared(left: Key, right: Key, factor: number): number {
  const unknown = Number(isUnknown(left)) - Number(isUnknown(right))
  if (unknown || isUnknown(left) || isUnknown(right)) return unknown
  if (typeof left === 'number' && typeof right === 'number') return factor * (left - right)
  return factor * String(left).localeCompare(String(right), 'en')
}

function isUnknown(key: Key): key is null | undefined {
  return key === null || key === undefined
}
