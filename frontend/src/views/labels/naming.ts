// The name of a label: in English where there is one, else in the first language, else its id.

export function nameOf(label: { id: string; name: Record<string, string> }): string {
  return label.name.en ?? Object.values(label.name)[0] ?? label.id
}
