// Cells as the service lists them -> the rows of a heat map.

import type { Schemas } from '@/api/client'

export type Cell = Schemas['HeatCell']

export interface HeatRow {
  label: string
  name: string
  actor: string | null
  category: string | null
  demographic: boolean | null
  placebo: boolean
  differ: boolean
  /** By model. */
  cells: Map<string, Cell>
}

export function heatRows(cells: readonly Cell[]): HeatRow[] {
  const rows = new Map<string, HeatRow>()
  for (const cell of cells) {
    let row = rows.get(cell.label)
    if (!row) {
      row = {
        label: cell.label,
        name: cell.name,
        actor: cell.actor,
        category: cell.category,
        demographic: cell.demographic,
        placebo: cell.placebo,
        differ: cell.models_differ,
        cells: new Map(),
      }
      rows.set(cell.label, row)
    }
    row.cells.set(cell.model, cell)
  }
  return [...rows.values()]
}
