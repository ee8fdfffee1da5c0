// The service's verdicts, told apart by a symbol and a word beside the color.

export type Verdict =
  | 'biased'
  | 'biased, within the margin'
  | 'equivalent'
  | 'undetermined'
  | 'no variation'

/** How a verdict is drawn: also the name of its style. */
export type Mark = 'up' | 'down' | 'small' | 'equivalent' | 'undetermined' | 'still' | 'none'

const PLAIN: Record<string, Mark> = {
  'biased, within the margin': 'small',
  equivalent: 'equivalent',
  undetermined: 'undetermined',
  'no variation': 'still',
}

export const SYMBOLS: Record<Mark, string> = {
  up: '▲',
  down: '▼',
  small: '△',
  equivalent: '=',
  undetermined: '?',
  still: '·',
  none: '–',
}

export interface Judged {
  verdict?: string | null
  /** Alone, where the analysis gives no verdicts (as published). */
  significant?: boolean | null
  effect?: number | null
}

/** The mark of a label: the direction of its effect counts where it is biased. */
export function markOf({ verdict, significant, effect }: Judged): Mark {
  if (verdict === 'biased' || (!verdict && significant)) return (effect ?? 0) < 0 ? 'down' : 'up'
  if (verdict) return PLAIN[verdict] ?? 'none'
  return significant === false ? 'undetermined' : 'none'
}

/** How strong a color is, 1 to 3: effects below 5 %, below 10 %, and larger ones. */
export function strength(percent: number | null): 1 | 2 | 3 {
  const size = Math.abs(percent ?? 0)
  if (size < 5) return 1
  return size < 10 ? 2 : 3
}
