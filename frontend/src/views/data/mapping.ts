// How a file is to be understood: as a form has it, and as the service takes it.

import type { Schemas } from '@/api/client'

export interface Code {
  /** Tells the rows of a form apart. */
  place: number
  cell: string
  meaning: string
}

export interface Mapping {
  /** Our name -> the column that was said; empty: as proposed. */
  columns: Record<string, string>
  unit: string
  codes: Code[]
  rows: string
  profile: string
  encoding: string
  delimiter: string
  sheet: string
  template: string
  title: string
  question: Schemas['Dataset']['question']
  longest: number | ''
  labels: string[]
}

export const ROWS = ['one', 'first', 'last', 'longest'] as const

let places = 0

export function newCode(cell = '', meaning = ''): Code {
  places += 1
  return { place: places, cell, meaning }
}

/** The form as it opens: what was said of the file before, and what is known of the cases. */
export function formOf(dataset: Schemas['Dataset'], known: readonly string[]): Mapping {
  const columns = Object.fromEntries(known.map((name) => [name, dataset.mapping[name] ?? '']))
  return {
    columns: { ...columns, ...dataset.mapping },
    unit: dataset.said.unit,
    codes: Object.entries(dataset.said.codes).map(([cell, meaning]) => newCode(cell, meaning)),
    rows: dataset.said.rows,
    profile: dataset.said.profile,
    encoding: dataset.said.encoding,
    delimiter: dataset.said.delimiter,
    sheet: dataset.said.sheet,
    template: dataset.said.template,
    title: dataset.title,
    question: dataset.question,
    longest: dataset.longest_months,
    labels: [...dataset.labels],
  }
}

/** What is sent: all of it, so that what was emptied is taken back. */
export function requestOf(form: Mapping): Schemas['MappingRequest'] {
  const codes = form.codes.filter(({ cell, meaning }) => cell.trim() && meaning.trim())
  return {
    mapping: Object.fromEntries(Object.entries(form.columns).filter(([, column]) => column)),
    unit: form.unit.trim(),
    codes: Object.fromEntries(codes.map(({ cell, meaning }) => [cell.trim(), meaning.trim()])),
    rows: ROWS.find((rule) => rule === form.rows) ?? null,
    profile: form.profile,
    encoding: form.encoding.trim(),
    delimiter: form.delimiter,
    sheet: form.sheet.trim(),
    template: form.template.trim() ? form.template : '',
    title: form.title.trim() || null,
    question: form.question,
    longest_months: form.longest === '' ? null : form.longest,
    labels: form.labels,
  }
}

/** A size as a person says it. */
export function sizeOf(bytes: number | null): string {
  if (bytes === null) return '–'
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000)).toLocaleString('en-US')} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
