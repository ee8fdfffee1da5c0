// Addresses of the service: a path with its parts filled in, and a query.

export type QueryValue = string | number | boolean | null | undefined | readonly string[]
export type Query = Record<string, QueryValue>

export const PREFIX = '/api/v1'

/** An address: `{name}` is filled in from `parts`; what is null or undefined is left out. */
export function addressOf(
  path: string,
  parts: Record<string, string> = {},
  query: Query = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`${path} wants ${name}`)
    return encodeURIComponent(part)
  })
  const asked = queryOf(query)
  return asked ? `${filled}?${asked}` : filled
}

/** A query as text; a list is one parameter an item. */
export function queryOf(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue
    const items = Array.isArray(value) ? (value as readonly string[]) : [String(value)]
    for (const item of items) parameters.append(name, item)
  }
  return parameters.toString()
}
