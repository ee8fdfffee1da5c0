// Inconsistency by label: a bar, its 95 % interval, and the noise floor as a line.

import type { ChartConfiguration, Plugin } from 'chart.js'
import { shortened } from '@/lib/effects'
import { percent } from '@/lib/format'
import { color } from '@/lib/theme'
import { line } from './forest'

export interface Bar {
  label: string
  name: string
  share: number
  low: number | null
  high: number | null
}

export interface Bars {
  bars: readonly Bar[]
  floor: number | null
  title: string
  letters: number
  onOpen: (label: string) => void
}

export function barsConfig(asked: Bars): ChartConfiguration {
  const text = color('text')
  return {
    type: 'bar',
    data: {
      labels: asked.bars.map((bar) => shortened(bar.name, asked.letters)),
      datasets: [
        {
          data: asked.bars.map((bar) => bar.share),
          backgroundColor: color('undetermined'),
          maxBarThickness: 11,
        },
      ],
    },
    options: {
      indexAxis: 'y',
      onClick: (_, found) => {
        const bar = found[0] && asked.bars[found[0].index]
        if (bar) asked.onOpen(bar.label)
      },
      scales: {
        x: {
          min: 0,
          max: 1,
          title: { display: true, text: asked.title, color: text },
          ticks: { color: text, callback: (share) => percent(Number(share), 0) },
          grid: { color: color('line') },
        },
        y: { ticks: { autoSkip: false, color: text }, grid: { display: false } },
      },
      plugins: {
        tooltip: { callbacks: { label: (item) => percent(item.parsed.x) } },
      },
    },
    plugins: [over(asked) as Plugin],
  } as ChartConfiguration<'bar'> as ChartConfiguration
}

/** Intervals and the floor over the bars. */
function over(asked: Bars): Plugin<'bar'> {
  return {
    id: 'over',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales } = chart
      const x = scales.x!
      ctx.save()
      ctx.strokeStyle = color('text')
      ctx.lineWidth = 1
      asked.bars.forEach((bar, at) => {
        if (bar.low === null || bar.high === null) return
        const y = scales.y!.getPixelForValue(at)
        ctx.beginPath()
        ctx.moveTo(x.getPixelForValue(bar.low), y)
        ctx.lineTo(x.getPixelForValue(bar.high), y)
        ctx.stroke()
      })
      ctx.restore()
      if (asked.floor !== null) {
        line(ctx, x.getPixelForValue(asked.floor), area.top, area.bottom, color('biased'), [6, 4])
      }
    },
  }
}
