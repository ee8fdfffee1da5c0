// A pack is checked first, and added where it is sound.

import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import { upload, type Schemas } from '@/api/client'
import { asApiError, type ApiError } from '@/api/errors'
import { en } from '@/strings/en'

export interface Adding {
  check: ShallowRef<Schemas['PackCheck'] | null>
  error: ShallowRef<ApiError | null>
  busy: Ref<boolean>
  /** Checks a pack; nothing is kept. */
  look: (pack: Blob) => Promise<boolean>
  /** Adds a pack; null where that did not work. */
  add: (pack: Blob) => Promise<Schemas['Pack'] | null>
  forget: () => void
}

export function useAdding(): Adding {
  const check = shallowRef<Schemas['PackCheck'] | null>(null)
  const error = shallowRef<ApiError | null>(null)
  const busy = ref(false)

  async function attempt<T>(action: () => Promise<T>): Promise<T | null> {
    busy.value = true
    error.value = null
    try {
      return await action()
    } catch (thrown) {
      error.value = asApiError(thrown, en.errors.unreachable)
      return null
    } finally {
      busy.value = false
    }
  }

  async function look(pack: Blob): Promise<boolean> {
    check.value = await attempt(() => upload('/packs/check', pack))
    return check.value?.ok ?? false
  }

  function forget(): void {
    check.value = null
    error.value = null
  }

  return { check, error, busy, look, add: (pack) => attempt(() => upload('/packs', pack)), forget }
}
