// The progress of a run, live: by the stream of events, and by asking where the stream is broken.

import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue'
import { get } from '@/api/client'
import { asApiError, type ApiError } from '@/api/errors'
import { isMoving, watchRun, type Progress } from '@/api/events'
import { en } from '@/strings/en'

export const POLL_MS = 2_000
/** A stream that says nothing for so long, while it is broken, is given up for asking. */
export const PATIENCE_MS = 4_000

export interface Watching {
  progress: ShallowRef<Progress | null>
  error: ShallowRef<ApiError | null>
  /** Whether the page asks, the stream being broken. */
  polling: Ref<boolean>
  /** Watches again: a run that was resumed moves again. */
  again: () => void
}

export function useProgress(run: () => string | null): Watching {
  const progress = shallowRef<Progress | null>(null)
  const error = shallowRef<ApiError | null>(null)
  const polling = ref(false)
  let stop = (): void => {}

  function again(): void {
    stop()
    error.value = null
    polling.value = false
    const id = run()
    if (id !== null) stop = follow(id)
  }

  function follow(id: string): () => void {
    let over = false
    let broken = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = watchRun(
      id,
      (news) => {
        if (timer) clearTimeout(timer)
        timer = undefined
        broken = false
        polling.value = false
        error.value = null
        progress.value = news
      },
      () => {
        broken = true
        if (!timer && !over) timer = setTimeout(poll, PATIENCE_MS)
      },
    )

    async function poll(): Promise<void> {
      try {
        const news = await get('/runs/{run}/progress', { path: { run: id } })
        if (over || !broken) return
        error.value = null
        polling.value = true
        progress.value = news
        if (!isMoving(news.state)) return finish()
      } catch (thrown) {
        if (over || !broken) return
        error.value = asApiError(thrown, en.errors.unreachable)
        if (error.value.status >= 400 && error.value.status < 500) return finish()
      }
      timer = setTimeout(poll, POLL_MS)
    }

    function finish(): void {
      over = true
      polling.value = false
      if (timer) clearTimeout(timer)
      end()
    }
    return finish
  }

  watch(run, () => {
    progress.value = null
    again()
  }, { immediate: true })
  onScopeDispose(() => stop())
  return { progress, error, polling, again }
}
