import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import DropBox from '@/views/data/DropBox.vue'
import { mounted, type Mounted } from '../mounting'

const file = new File(['case_id,facts\n'], 'my cases.csv', { type: 'text/csv' })
const fetched = vi.fn()
let box: Mounted

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
  box = mounted(DropBox, {}, ['added'])
})
afterEach(() => {
  box.end()
  vi.unstubAllGlobals()
})

function drop(dropped: File): void {
  const event = new Event('drop', { cancelable: true })
  Object.assign(event, { dataTransfer: { files: [dropped] } })
  box.find('.drop').dispatchEvent(event)
}

describe('a file that is dropped', () => {
  it('is sent as it is, under its name', async () => {
    fetched.mockImplementation(async () => new Response('{"id":"dataset-1"}', { status: 201 }))
    drop(file)
    await box.settle()
    const [address, request] = fetched.mock.calls[0] as [string, RequestInit]
    expect(address).toBe('/api/v1/datasets?filename=my+cases.csv')
    expect(request.body).toBe(file)
    expect(box.emitted('added')).toEqual(['dataset-1'])
  })

  it('is sent once, and can be stopped', async () => {
    let signal: AbortSignal | undefined
    fetched.mockImplementation(
      (_: string, request: RequestInit) =>
        new Promise((_done, failed) => {
          signal = request.signal!
          signal.addEventListener('abort', () => failed(new DOMException('', 'AbortError')))
        }),
    )
    drop(file)
    await box.settle()
    drop(file)
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(box.root.textContent).toContain('Uploading my cases.csv')
    box.find('button').click()
    await box.settle()
    expect(signal?.aborted).toBe(true)
    expect(box.root.querySelector('[role=alert]')).toBeNull()
    expect(box.find('input').getAttribute('type')).toBe('file')
  })

  it('that cannot be read is told in the words of the service', async () => {
    const error = { kind: 'UnsupportedError', message: 'cases.exe: cannot be read', detail: [] }
    fetched.mockImplementation(async () => new Response(JSON.stringify({ error }), { status: 415 }))
    drop(file)
    await box.settle()
    expect(box.find('[role=alert]').textContent).toContain('cases.exe: cannot be read')
    expect(box.emitted('added')).toEqual([])
  })
})
