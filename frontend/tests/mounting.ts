// A component on the page of the test, without a browser: what it shows, and what it emits.

import { createApp, h, nextTick, type Component } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { routes } from '@/router'

export interface Mounted {
  root: HTMLElement
  emitted: (event: string) => unknown[]
  find: <E extends HTMLElement>(selector: string) => E
  settle: () => Promise<void>
  end: () => void
}

/** Mounts a component; `listeners` are the events whose arguments are kept. */
export function mounted(
  component: Component,
  props: Record<string, unknown>,
  listeners: readonly string[] = [],
): Mounted {
  const root = document.createElement('div')
  document.body.append(root)
  const kept = new Map<string, unknown[]>()
  const handlers = Object.fromEntries(
    listeners.map((event) => [
      `on${event[0]!.toUpperCase()}${event.slice(1)}`,
      (argument: unknown) => kept.set(event, [...(kept.get(event) ?? []), argument]),
    ]),
  )
  const app = createApp({ render: () => h(component, { ...props, ...handlers }) })
  app.use(createRouter({ history: createMemoryHistory(), routes }))
  app.mount(root)
  return {
    root,
    emitted: (event) => kept.get(event) ?? [],
    find: (selector) => {
      const found = root.querySelector(selector)
      if (!found) throw new Error(`no ${selector} in ${root.innerHTML}`)
      return found as never
    },
    settle: async () => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setTimeout(done))
      await nextTick()
    },
    end: () => {
      app.unmount()
      root.remove()
    },
  }
}

/** Types into a field. */
export function typed(field: HTMLInputElement, text: string): void {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
