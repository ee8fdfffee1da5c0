import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import LabelPicker from '@/views/newrun/LabelPicker.vue'
import ModelFields from '@/views/newrun/ModelFields.vue'
import { newModel } from '@/views/newrun/choices'
import { mounted, type Mounted } from '../mounting'

const pack = { id: 'own', name: 'own', title: '', labels: 2, languages: ['en'] }
const labels = ['folder', 'clock'].map((id) => ({ id, name: { en: id } }))
let shown: Mounted

beforeEach(() => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ items: labels })))
})
afterEach(() => {
  shown.end()
  vi.unstubAllGlobals()
})

function picker(chosen: string[]): Mounted {
  return mounted(LabelPicker, { packs: [pack], modelValue: chosen }, ['update:modelValue'])
}

function tick(box: HTMLInputElement, on: boolean): void {
  box.checked = on
  box.dispatchEvent(new Event('change'))
}

describe('the choice of labels', () => {
  it('lists single labels when a pack is opened', async () => {
    shown = picker(['own:clock', 'other'])
    const details = shown.find<HTMLDetailsElement>('details')
    details.open = true
    details.dispatchEvent(new Event('toggle'))
    await shown.settle()
    const boxes = [...details.querySelectorAll<HTMLInputElement>('input')]
    expect(boxes.map((box) => box.checked)).toEqual([false, true])
    tick(boxes[0]!, true)
    expect(shown.emitted('update:modelValue')).toEqual([['own:clock', 'other', 'own:folder']])
  })

  it('takes a whole pack in place of its single labels, and of no other', () => {
    shown = picker(['own:clock', 'owner:clock', 'other'])
    tick(shown.find('input[type=checkbox]'), true)
    expect(shown.emitted('update:modelValue')).toEqual([['owner:clock', 'other', 'own']])
  })

  it('leaves a pack out again', () => {
    shown = picker(['own', 'other'])
    tick(shown.find('input[type=checkbox]'), false)
    expect(shown.emitted('update:modelValue')).toEqual([['other']])
  })
})

describe('the fields of a model', () => {
  it('drop the key with another kind of model', () => {
    const model = newModel({ kind: 'openai', name: 'm', address: 'http://x/v1', key: 'sk-typed' })
    shown = mounted(ModelFields, { modelValue: model, place: 1, only: true }, ['update:modelValue'])
    const kind = shown.find<HTMLSelectElement>('select')
    kind.value = 'openrouter'
    kind.dispatchEvent(new Event('change'))
    expect(shown.emitted('update:modelValue')[0]).toMatchObject({
      kind: 'openrouter',
      key: '',
      address: '',
    })
    expect(shown.root.querySelector('button')).toBeNull()
  })
})
