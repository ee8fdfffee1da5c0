// A column of a DataTable.

export interface Column<Row> {
  /** Also the name of the slot that may draw the cell. */
  key: string
  title: string
  /** Set right, in figures of one width. */
  number?: boolean
  /** Holds sentences. */
  wide?: boolean
  /** Heads its row. */
  head?: boolean
  /** What the service is asked to sort by; without it the column is not sorted. */
  sort?: string
  text?: (row: Row) => string
}

/** What a click on a column asks for: first as it stands, then reversed. */
export function nextSort(current: string, asked: string): string {
  return current === asked ? `-${asked}` : asked
}

export type Direction = 'ascending' | 'descending' | 'none'

export function direction(current: string, asked: string): Direction {
  if (current === asked) return 'ascending'
  return current === `-${asked}` ? 'descending' : 'none'
}
