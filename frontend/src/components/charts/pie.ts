// Verdicts as parts of a whole: told apart by color, by pattern, and by the count in each part.

import type { ChartConfiguration, Plugin } from 'chart.js'
import { color } from '@/lib/theme'
import { SYMBOLS, type Mark } from '@/lib/verdicts'
import { patternOf } from './chart'

export interface Part {
  mark: Mark
  name: string
  count: number
}

export function pieConfig(parts: readonly Part[]): ChartConfiguration {
  const shown = parts.filter((part) => part.count > 0)
  return {
    type: 'pie',
    data: {
      labels: shown.map((part) => part.name),
      datasets: [
        {
          data: shown.map((part) => part.count),
          backgroundColor: shown.map((part) => patternOf(part.mark)),
          borderColor: color('ground'),
          borderWidth: 2,
        },
      ],
    },
    plugins: [counts(shown) as Plugin],
  } as ChartConfiguration<'pie'> as ChartConfiguration
}

/** The sign and the count in the middle of each part. */
function counts(parts: readonly Part[]): Plugin<'pie'> {
  return {
    id: 'counts',
    afterDatasetsDraw(chart) {
      const { ctx } = chart
      ctx.save()
      ctx.font = `600 13px ${chart.options.font?.family ?? 'sans-serif'}`
      ctx.textAlign = 'center'
      ctx.textBaseline = 'middle'
      chart.getDatasetMeta(0).data.forEach((arc, at) => {
        const part = parts[at]
        if (!part) return
        const { x, y } = arc.tooltipPosition(true)
        if (x === null || y === null) return
        const text = `${SYMBOLS[part.mark]} ${part.count}`
        const width = ctx.measureText(text).width + 8
        ctx.fillStyle = color('ground')
        ctx.fillRect(x - width / 2, y - 10, width, 20)
        ctx.fillStyle = color('text')
        ctx.fillText(text, x, y)
      })
      ctx.restore()
    },
  }
}
