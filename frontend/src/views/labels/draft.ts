// Labels written in a form -> the pack that the service takes. What is wrong the service says.

export interface ValueDraft {
  /** Tells the rows of a form apart. */
  place: number
  id: string
  sentence: string
}

export interface LabelDraft {
  place: number
  id: string
  name: string
  actor: string
  category: 'substance' | 'procedure'
  demographic: boolean
  values: ValueDraft[]
  /** The place of the reference. */
  reference: number
}

export interface PackDraft {
  name: string
  language: string
  labels: LabelDraft[]
}

let places = 0

export function newValue(): ValueDraft {
  places += 1
  return { place: places, id: '', sentence: '' }
}

export function newLabel(): LabelDraft {
  const values = [newValue(), newValue()]
  places += 1
  return {
    place: places,
    id: '',
    name: '',
    actor: 'defendant',
    category: 'substance',
    demographic: false,
    values,
    reference: values[0]!.place,
  }
}

export function newPack(): PackDraft {
  return { name: '', language: 'en', labels: [newLabel()] }
}

/** Without a value; where the reference goes, the first of the rest takes its place. */
export function withoutValue(label: LabelDraft, place: number): LabelDraft {
  const values = label.values.filter((value) => value.place !== place)
  const kept = values.some((value) => value.place === label.reference)
  return { ...label, values, reference: kept ? label.reference : (values[0]?.place ?? 0) }
}

/** The pack as JSON, which is YAML too. */
export function packOf(draft: PackDraft): string {
  const language = draft.language.trim()
  const labels = draft.labels.map((label) => ({
    id: label.id.trim(),
    ...(label.name.trim() ? { name: { [language]: label.name.trim() } } : {}),
    actor: label.actor.trim(),
    category: label.category,
    demographic: label.demographic,
    reference: label.values.find((value) => value.place === label.reference)?.id.trim() ?? '',
    values: label.values.map((value) => ({
      id: value.id.trim(),
      sentence: { [language]: value.sentence.trim() },
    })),
  }))
  return JSON.stringify({ pack: draft.name.trim(), languages: [language], labels }, null, 2)
}

/** A text in three pieces: before, what was edited, after. Positions count characters. */
export function piecesOf(text: string, start: number, end: number): [string, string, string] {
  const characters = Array.from(text)
  const piece = (from: number, to: number): string => characters.slice(from, to).join('')
  return [piece(0, start), piece(start, end), piece(end, characters.length)]
}
