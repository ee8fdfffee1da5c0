// The formats in which the service gives a whole analysis.

import { en } from '@/strings/en'

export const FORMATS = ['xlsx', 'csv', 'html', 'md', 'stata', 'parquet'] as const
export type FileFormat = (typeof FORMATS)[number]

/** Links to all formats; `href` gives the address of one. */
export function fileLinks(href: (format: FileFormat) => string): { name: string; href: string }[] {
  return FORMATS.map((format) => ({ name: en.files[format], href: href(format) }))
}
