// Light, dark, or as the system has it. The choice is kept in this browser.

import { ref, watch } from 'vue'

export type Theme = 'auto' | 'light' | 'dark'
const KEY = 'justeval-theme'

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : 'auto'
  } catch {
    return 'auto'
  }
}

export const theme = ref<Theme>(stored())
const system = window.matchMedia('(prefers-color-scheme: dark)')

/** Changes whenever colors do: charts are painted again then. */
export const themeTurn = ref(0)

watch(
  theme,
  (value) => {
    if (value === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = value
    try {
      if (value === 'auto') localStorage.removeItem(KEY)
      else localStorage.setItem(KEY, value)
    } catch {
      // Storage is refused: the choice holds until the page is left.
    }
    themeTurn.value += 1
  },
  { immediate: true },
)
system.addEventListener('change', () => (themeTurn.value += 1))

// Paper is light: charts are painted anew for it, and again after.
window.addEventListener('beforeprint', () => {
  document.documentElement.dataset.theme = 'light'
  themeTurn.value += 1
})
window.addEventListener('afterprint', () => {
  if (theme.value === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
  themeTurn.value += 1
})

/** A color of the style sheet, as it is now. */
export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}
