import { readdirSync, readFileSync } from 'node:fs'
import { createApp, h, nextTick, type Component } from 'vue'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiError } from '@/api/errors'
import DataTable from '@/components/DataTable.vue'
import ErrorBox from '@/components/ErrorBox.vue'
import Pager from '@/components/Pager.vue'
import { direction, nextSort } from '@/components/table'
import VersionText from '@/views/document/VersionText.vue'

const HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>'

function mounted(component: Component, props: Record<string, unknown>): HTMLElement {
  const host = document.createElement('div')
  document.body.append(host)
  createApp({ render: () => h(component, props) }).mount(host)
  return host
}

afterEach(() => document.body.replaceChildren())

describe('text of users', () => {
  it('is text in a table, in an error, and in a marked difference', () => {
    const table = mounted(DataTable as Component, {
      columns: [{ key: 'a', title: HOSTILE, text: () => HOSTILE }],
      rows: [1],
      rowKey: () => 'k',
      caption: HOSTILE,
    })
    const error = mounted(ErrorBox, {
      error: new ApiError('K', HOSTILE, 422, [{ place: HOSTILE, message: HOSTILE }]),
    })
    const text = mounted(VersionText, { pieces: [{ text: HOSTILE, differs: true }] })
    for (const host of [table, error, text]) {
      expect(host.querySelector('img, script')).toBeNull()
      expect(host.textContent).toContain(HOSTILE)
    }
  })

  it('is never given as HTML, nor styles or scripts in attributes', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf-8' })
    const sources = files.filter((name) => /\.(vue|ts)$/.test(name) && !name.endsWith('.d.ts'))
    expect(sources.length).toBeGreaterThan(40)
    for (const name of sources) {
      const source = readFileSync(`src/${name}`, 'utf-8')
      expect(source, name).not.toMatch(/v-html|innerHTML|outerHTML|insertAdjacentHTML/)
      expect(source, name).not.toMatch(/[^:]\bstyle="/)
    }
  })
})

describe('the table', () => {
  it('asks for a column as it stands, then reversed', () => {
    expect(nextSort('', 'spread')).toBe('spread')
    expect(nextSort('spread', 'spread')).toBe('-spread')
    expect(nextSort('-spread', 'spread')).toBe('spread')
    expect(direction('-spread', 'spread')).toBe('descending')
    expect(direction('other', 'spread')).toBe('none')
  })

  it('says by what it is sorted', () => {
    const host = mounted(DataTable as Component, {
      columns: [{ key: 'a', title: 'A', sort: 'a', text: () => 'x' }],
      rows: [1],
      rowKey: () => 'k',
      caption: 'c',
      sort: '-a',
    })
    expect(host.querySelector('th')?.getAttribute('aria-sort')).toBe('descending')
  })
})

describe('the pager', () => {
  it('goes forward, and back on the way it came', async () => {
    const asked: string[] = []
    const host = document.createElement('div')
    document.body.append(host)
    const state = { cursor: '', next: 'p2' as string | null, total: 120 }
    const app = createApp({
      data: () => state,
      render() {
        return h(Pager, {
          cursor: this.cursor,
          next: this.next,
          total: this.total,
          onGo: (to: string) => {
            asked.push(to)
            this.cursor = to
            this.next = to === 'p2' ? null : 'p2'
          },
        })
      },
    })
    app.mount(host)
    const press = async (at: number): Promise<void> => {
      host.querySelectorAll('button')[at]?.click()
      await nextTick()
    }
    expect(host.querySelectorAll('button')[1]?.disabled).toBe(true)
    await press(2)
    expect(host.querySelectorAll('button')[2]?.disabled).toBe(true)
    await press(1)
    expect(asked).toEqual(['p2', ''])
    expect(host.textContent).toContain('120 in all')
  })
})
