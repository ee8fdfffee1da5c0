// Numbers as text. Unknown (null) is a dash, never 0.

import { en } from '@/strings/en'

type Number = number | null | undefined
const UNKNOWN = en.common.unknown
const MINUS = '\u2212'

const counting = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export function isKnown(value: Number): value is number {
  return value !== null && value !== undefined && Number.isFinite(value)
}

export function count(value: Number): string {
  return isKnown(value) ? counting.format(value) : UNKNOWN
}

/** With fixed decimals, and a true minus. */
export function decimal(value: Number, digits = 3): string {
  if (!isKnown(value)) return UNKNOWN
  return value.toFixed(digits).replace(/^-(?=0(\.0*)?$)/, '').replace('-', MINUS)
}

/** With a sign in front of what is above 0. */
export function signed(value: Number, digits = 1): string {
  const text = decimal(value, digits)
  return isKnown(value) && value > 0 && Number(value.toFixed(digits)) > 0 ? `+${text}` : text
}

/** A share (0 to 1) in per cent. */
export function percent(share: Number, digits = 1): string {
  return isKnown(share) ? `${decimal(share * 100, digits)} %` : UNKNOWN
}

/** A p value: four digits, and no false 0. */
export function pValue(p: Number): string {
  if (!isKnown(p)) return UNKNOWN
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4)
}

export function usd(value: Number): string {
  if (!isKnown(value)) return UNKNOWN
  if (value === 0) return '$0'
  return value < 0.01 ? '< $0.01' : `$${value.toFixed(2)}`
}

/** Seconds as what a person would say. */
export function duration(seconds: Number): string {
  if (!isKnown(seconds)) return UNKNOWN
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${decimal(seconds / 3600, 1)} h`
}

export function interval(low: Number, high: Number, digits = 3): string {
  if (!isKnown(low) || !isKnown(high)) return UNKNOWN
  return `${decimal(low, digits)} to ${decimal(high, digits)}`
}

/** A moment of the service (ISO, UTC) in the reader's time. */
export function moment(iso: string | null | undefined): string {
  const date = iso ? new Date(iso) : null
  if (!date || Number.isNaN(date.getTime())) return UNKNOWN
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}
