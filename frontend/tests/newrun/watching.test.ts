import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope, ref, type EffectScope } from 'vue'
import { PATIENCE_MS, POLL_MS, useProgress } from '@/views/newrun/watching'

class FakeSource extends EventTarget {
  static all: FakeSource[] = []
  closed = false
  constructor(readonly address: string) {
    super()
    FakeSource.all.push(this)
  }
  close(): void {
    this.closed = true
  }
  say(progress: object): void {
    this.dispatchEvent(new MessageEvent('progress', { data: JSON.stringify(progress) }))
  }
  break(): void {
    this.dispatchEvent(new Event('error'))
  }
}

let scope: EffectScope
const moving = (answered: number): object => ({ state: 'collecting', answered })
const fetched = vi.fn()

function answer(body: object, status = 200): void {
  fetched.mockImplementation(async () => new Response(JSON.stringify(body), { status }))
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSource.all = []
  fetched.mockReset()
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('fetch', fetched)
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function watching(run = 'run-1') {
  const found = scope.run(() => useProgress(() => run))!
  return { ...found, source: FakeSource.all[0]! }
}

describe('the progress of a run', () => {
  it('comes from the stream until the run ends', () => {
    const { progress, source } = watching()
    expect(source.address).toBe('/api/v1/runs/run-1/events')
    source.say(moving(1))
    expect(progress.value).toMatchObject({ answered: 1 })
    source.say({ state: 'complete', answered: 9 })
    expect(progress.value).toMatchObject({ state: 'complete' })
    expect(source.closed).toBe(true)
  })

  it('is asked for where the stream stays broken, until it ends', async () => {
    const { progress, polling, source } = watching()
    answer(moving(3))
    source.break()
    source.break()
    expect(fetched).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS)
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(polling.value).toBe(true)
    expect(progress.value).toMatchObject({ answered: 3 })
    answer({ state: 'complete', answered: 9 })
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(progress.value).toMatchObject({ state: 'complete' })
    expect(source.closed).toBe(true)
    await vi.advanceTimersByTimeAsync(10 * POLL_MS)
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  it('is not asked for where the stream comes back', async () => {
    const { polling, source } = watching()
    source.break()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS / 2)
    source.say(moving(2))
    await vi.advanceTimersByTimeAsync(10 * PATIENCE_MS)
    expect(fetched).not.toHaveBeenCalled()
    expect(polling.value).toBe(false)
  })

  it('says that the service is gone, and goes on when it is back', async () => {
    const { error, progress, source } = watching()
    fetched.mockRejectedValue(new TypeError('fetch failed'))
    source.break()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS)
    expect(error.value).toMatchObject({ status: 0 })
    answer(moving(5))
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(error.value).toBeNull()
    expect(progress.value).toMatchObject({ answered: 5 })
  })

  it('is given up where the run does not exist', async () => {
    const { error, source } = watching()
    answer({ error: { kind: 'NotFoundError', message: 'no run', detail: [] } }, 404)
    source.break()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS)
    expect(error.value).toMatchObject({ status: 404 })
    await vi.advanceTimersByTimeAsync(10 * POLL_MS)
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(source.closed).toBe(true)
  })

  it('is watched anew for another run and when a run goes on', async () => {
    const run = ref('run-1')
    const { again, progress } = scope.run(() => useProgress(() => run.value))!
    FakeSource.all[0]!.say({ state: 'canceled', answered: 2 })
    again()
    expect(FakeSource.all).toHaveLength(2)
    run.value = 'run-2'
    await vi.advanceTimersByTimeAsync(0)
    expect(progress.value).toBeNull()
    expect(FakeSource.all[1]!.closed).toBe(true)
    expect(FakeSource.all[2]!.address).toContain('run-2')
    scope.stop()
    expect(FakeSource.all[2]!.closed).toBe(true)
  })
})
