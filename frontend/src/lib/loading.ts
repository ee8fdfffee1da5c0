// What a view waits for: loaded when what it depends on changes, the older request given up.

import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue'
import { asApiError, wasAborted, type ApiError } from '@/api/errors'
import { en } from '@/strings/en'

export interface Loading<T> {
  data: ShallowRef<T | null>
  error: ShallowRef<ApiError | null>
  busy: Ref<boolean>
  reload: () => Promise<void>
}

/**
 * Loads at once, and again whenever `source` changes. What was shown stays until the new is there;
 * `source` may return null where there is nothing to load.
 */
export function useLoading<S, T>(
  source: () => S | null,
  load: (from: S, signal: AbortSignal) => Promise<T>,
): Loading<T> {
  const data = shallowRef<T | null>(null)
  const error = shallowRef<ApiError | null>(null)
  const busy = ref(false)
  let current: AbortController | null = null

  async function reload(): Promise<void> {
    current?.abort()
    const from = source()
    if (from === null) {
      data.value = null
      error.value = null
      busy.value = false
      return
    }
    const own = new AbortController()
    current = own
    busy.value = true
    try {
      const loaded = await load(from, own.signal)
      if (current !== own) return
      data.value = loaded
      error.value = null
    } catch (thrown) {
      if (current !== own || wasAborted(thrown)) return
      data.value = null
      error.value = asApiError(thrown, en.errors.unreachable)
    } finally {
      if (current === own) busy.value = false
    }
  }

  watch(() => JSON.stringify(source()), reload, { immediate: true })
  onScopeDispose(() => current?.abort())
  return { data, error, busy, reload }
}
