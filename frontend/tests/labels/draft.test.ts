import { describe, expect, it } from 'vitest'
import { newLabel, newPack, newValue, packOf, piecesOf, withoutValue } from '@/views/labels/draft'
import { nameOf } from '@/views/labels/naming'

function folder() {
  const [blue, red] = [newValue(), newValue()]
  const values = [
    { ...blue, id: ' blue', sentence: 'The folder is blue. ' },
    { ...red, id: 'red', sentence: 'The folder is red.' },
  ]
  const about = { id: 'folder', name: '', actor: 'file', category: 'procedure' as const }
  return { ...newLabel(), ...about, values, reference: values[0]!.place }
}

describe('a label written in a form', () => {
  it('becomes a pack of the service', () => {
    const pack = JSON.parse(packOf({ name: ' own ', language: 'en', labels: [folder()] }))
    expect(pack).toEqual({
      pack: 'own',
      languages: ['en'],
      labels: [
        {
          id: 'folder',
          actor: 'file',
          category: 'procedure',
          demographic: false,
          reference: 'blue',
          values: [
            { id: 'blue', sentence: { en: 'The folder is blue.' } },
            { id: 'red', sentence: { en: 'The folder is red.' } },
          ],
        },
      ],
    })
  })

  it('has a name only where one was written', () => {
    const named = { ...folder(), name: 'Mappe' }
    const pack = JSON.parse(packOf({ name: 'own', language: 'de', labels: [named] }))
    expect(pack.labels[0].name).toEqual({ de: 'Mappe' })
  })

  it('begins with two values, the first the reference', () => {
    const [label] = newPack().labels
    expect(label!.values).toHaveLength(2)
    expect(label!.reference).toBe(label!.values[0]!.place)
  })

  it('always has a reference', () => {
    const label = folder()
    const [blue, red] = label.values
    expect(withoutValue(label, blue!.place).reference).toBe(red!.place)
    expect(withoutValue(label, red!.place).reference).toBe(blue!.place)
  })
})

describe('a sample', () => {
  it('is cut by characters, not by halves of them', () => {
    expect(piecesOf('𠮷野家 is here', 1, 3)).toEqual(['𠮷', '野家', ' is here'])
    expect(piecesOf('abc', 0, 3)).toEqual(['', 'abc', ''])
  })

  it('names a label in English, else as it can', () => {
    expect(nameOf({ id: 'x', name: { zh: '性别', en: 'Sex' } })).toBe('Sex')
    expect(nameOf({ id: 'x', name: { zh: '性别' } })).toBe('性别')
    expect(nameOf({ id: 'x', name: {} })).toBe('x')
  })
})
