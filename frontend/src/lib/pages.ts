// Whole lists that are small, page by page: the labels of a run, never its replies.

interface Page<T> {
  items: T[]
  next: string | null
}

/** All items of a list. `most` stops what would grow without end. */
export async function everything<T>(
  load: (cursor: string | undefined) => Promise<Page<T>>,
  most = 5000,
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page = await load(cursor)
    items.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined && items.length < most)
  return items
}
