// Two texts -> their parts, those that differ marked. Words are compared; where a script has no
// spaces, characters are.

export interface Piece {
  text: string
  differs: boolean
}

export interface Difference {
  left: Piece[]
  right: Piece[]
}

const TOKEN = /\p{Script=Han}|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu
/** Larger middles are marked whole: the table of the comparison would be too large. */
const MOST_TOKENS = 1500

export function difference(left: string, right: string): Difference {
  const a = left.match(TOKEN) ?? []
  const b = right.match(TOKEN) ?? []
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end += 1
  const middle = compared(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const before = { text: a.slice(0, start).join(''), differs: false }
  const after = { text: end ? a.slice(-end).join('') : '', differs: false }
  return {
    left: joined([before, ...middle.left, after]),
    right: joined([before, ...middle.right, after]),
  }
}

function compared(a: readonly string[], b: readonly string[]): Difference {
  if (a.length > MOST_TOKENS || b.length > MOST_TOKENS) {
    return {
      left: [{ text: a.join(''), differs: true }],
      right: [{ text: b.join(''), differs: true }],
    }
  }
  const common = longest(a, b)
  const left: Piece[] = []
  const right: Piece[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const same = i < a.length && j < b.length && a[i] === b[j]
    if (same) {
      left.push({ text: a[i++]!, differs: false })
      right.push({ text: b[j++]!, differs: false })
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      left.push({ text: a[i++]!, differs: true })
    } else {
      right.push({ text: b[j++]!, differs: true })
    }
  }
  return { left, right }
}

/** Length of the longest common subsequence of the rests, for every place in both. */
function longest(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = table[i]!
    const below = table[i + 1]!
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!)
    }
  }
  return table
}

/** Neighbors of one kind put together; a blank between two marked pieces is marked with them. */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = []
  for (const [at, piece] of pieces.entries()) {
    if (!piece.text) continue
    const blank = !piece.differs && /^\s+$/.test(piece.text)
    const differs =
      piece.differs || (blank && !!pieces[at - 1]?.differs && !!pieces[at + 1]?.differs)
    const last = found.at(-1)
    if (last && last.differs === differs) last.text += piece.text
    else found.push({ text: piece.text, differs })
  }
  return found
}
