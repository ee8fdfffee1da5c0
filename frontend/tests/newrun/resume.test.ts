import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import ResumeForm from '@/views/newrun/ResumeForm.vue'
import { mounted, typed, type Mounted } from '../mounting'

const run = {
  id: 'run-1',
  needs_keys: ['mine'],
  models: [
    { kind: 'openai', name: 'mine' },
    { kind: 'openrouter', name: 'other' },
    { kind: 'simulated', name: 'simulated-planted' },
  ],
}
const fetched = vi.fn()
let form: Mounted

beforeEach(() => {
  fetched.mockReset()
  fetched.mockImplementation(async () => new Response('{}'))
  vi.stubGlobal('fetch', fetched)
  form = mounted(ResumeForm, { run }, ['resumed'])
})
afterEach(() => {
  form.end()
  vi.unstubAllGlobals()
})

async function send(): Promise<void> {
  form.find('form').dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
  await form.settle()
}

describe('a run that waits for its key', () => {
  it('asks for that key, and offers another for the rest, but for simulated ones', () => {
    const fields = [...form.root.querySelectorAll<HTMLInputElement>('input[type=password]')]
    expect(fields.map((field) => field.required)).toEqual([true, false])
    expect(form.root.textContent).toContain('Key of mine')
    expect(form.root.textContent).not.toContain('Key of simulated-planted')
  })

  it('sends the keys that were typed, once, and forgets them', async () => {
    typed(form.find('input[type=password]'), 'sk-typed')
    await send()
    const [address, request] = fetched.mock.calls[0] as [string, RequestInit]
    expect(address).toBe('/api/v1/runs/run-1/resume')
    expect(JSON.parse(String(request.body))).toEqual({
      keys: { mine: 'sk-typed' },
      max_cost_usd: null,
    })
    expect(form.emitted('resumed')).toHaveLength(1)
    expect(form.find<HTMLInputElement>('input[type=password]').value).toBe('')
  })

  it('says what the service refused, and keeps the key to try again', async () => {
    const error = { kind: 'ConflictError', message: 'run-1 needs the key of mine', detail: [] }
    fetched.mockImplementation(async () => new Response(JSON.stringify({ error }), { status: 409 }))
    typed(form.find('input[type=password]'), 'sk-typed')
    await send()
    expect(form.find('[role=alert]').textContent).toContain('needs the key of mine')
    expect(form.emitted('resumed')).toEqual([])
    expect(form.find<HTMLInputElement>('input[type=password]').value).toBe('sk-typed')
  })
})
