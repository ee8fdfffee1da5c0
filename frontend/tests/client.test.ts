import { afterEach, describe, expect, it, vi } from 'vitest'
import { get, linkTo, onLocked, post, remove, upload } from '@/api/client'
import { ApiError } from '@/api/errors'

function answering(body: unknown, status = 200): ReturnType<typeof vi.fn> {
  const fake = vi.fn(async () =>
    status === 204
      ? new Response(null, { status })
      : new Response(JSON.stringify(body), { status, headers: { 'content-type': 'text/json' } }),
  )
  vi.stubGlobal('fetch', fake)
  return fake
}

afterEach(() => vi.unstubAllGlobals())

describe('the client', () => {
  it('asks the address and gives the body', async () => {
    const fake = answering({ items: [], next: null, total: 0 })
    const page = await get('/runs', { query: { limit: 5 } })
    expect(page.total).toBe(0)
    expect(fake.mock.calls[0]?.[0]).toBe('/api/v1/runs?limit=5')
  })

  it('sends a body as JSON and a file as it is', async () => {
    const fake = answering({})
    await post('/session', { body: { token: 't' } })
    expect(fake.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"token":"t"}' })
    const file = new Blob(['a;b'], { type: 'text/csv' })
    await upload('/datasets', file, { query: { filename: 'a b.csv' } })
    expect(fake.mock.calls[1]?.[0]).toBe('/api/v1/datasets?filename=a+b.csv')
    expect(fake.mock.calls[1]?.[1]?.body).toBe(file)
  })

  it('throws what the service says, with every problem', async () => {
    const detail = [{ place: 'row 4', message: 'no number' }]
    answering({ error: { kind: 'InvalidError', message: 'three problems', detail } }, 422)
    const thrown = await get('/runs').catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(ApiError)
    expect(thrown).toMatchObject({ kind: 'InvalidError', status: 422, detail })
    expect((thrown as ApiError).message).toBe('three problems')
  })

  it('says the status where an answer is no error of the service', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502, statusText: 'Bad' }))
    await expect(get('/runs')).rejects.toMatchObject({ status: 502, message: '502 Bad' })
  })

  it('says that the service is not there', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('fetch failed')))
    await expect(get('/runs')).rejects.toMatchObject({ kind: 'NetworkError', status: 0 })
  })

  it('announces that a token is needed', async () => {
    const locked = vi.fn()
    const end = onLocked(locked)
    answering({ error: { kind: 'UnauthorizedError', message: 'a token', detail: [] } }, 401)
    await expect(get('/runs')).rejects.toMatchObject({ status: 401 })
    end()
    await expect(get('/runs')).rejects.toMatchObject({ status: 401 })
    expect(locked).toHaveBeenCalledTimes(1)
  })

  it('takes an answer without a body', async () => {
    const fake = answering(null, 204)
    await remove('/runs/{run}', { path: { run: 'run-1' } })
    expect(fake.mock.calls[0]?.[1]?.method).toBe('DELETE')
  })

  it('gives the addresses of links', () => {
    expect(
      linkTo('/runs/{run}/results/values', { path: { run: 'r' }, query: { format: 'csv' } }),
    ).toBe('/api/v1/runs/r/results/values?format=csv')
  })
})
