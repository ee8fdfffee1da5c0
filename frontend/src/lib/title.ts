// The title of the window: what is shown, once its name is known.

import { watch } from 'vue'
import { en } from '@/strings/en'

export function useTitle(name: () => string | null | undefined): void {
  watch(
    name,
    (now) => {
      if (now) document.title = `${now} · ${en.app.name}`
    },
    { immediate: true },
  )
}
