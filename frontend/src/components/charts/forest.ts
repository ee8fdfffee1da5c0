// The forest plot: a point and its interval a line, the equivalence band behind them.

import type { ChartConfiguration, Plugin, ScatterDataPoint } from 'chart.js'
import { shortened, valueName, type Point, type Stretch } from '@/lib/effects'
import { decimal } from '@/lib/format'
import { color } from '@/lib/theme'
import { markColor } from './chart'

export interface Forest {
  points: readonly Point[]
  stretch: Stretch
  /** No effect: 1 for ratios, 0 for coefficients. */
  center: number
  band: { low: number; high: number } | null
  title: string
  /** Letters of a line's name. */
  letters: number
  onOpen: (label: string) => void
}

export const LINE_HEIGHT = 18
export const AXIS_HEIGHT = 64

export function forestConfig(forest: Forest): ChartConfiguration {
  const { points, stretch } = forest
  const text = color('text')
  const grid = { color: color('line') }
  return {
    type: 'scatter',
    data: {
      datasets: [
        {
          data: points.map((point, line) => ({ x: point.at, y: line })),
          pointStyle: points.map((point) => (point.mark === 'equivalent' ? 'rect' : 'circle')),
          pointRadius: 4,
          pointHoverRadius: 6,
          pointBackgroundColor: points.map((point) =>
            isFilled(point) ? markColor(point.mark) : color('ground'),
          ),
          pointBorderColor: points.map((point) => markColor(point.mark)),
          pointBorderWidth: 1.5,
        },
      ],
    },
    options: {
      onClick: (_, found) => open(forest, found[0]?.index),
      onHover: (event, found) => point(event.native, found.length > 0),
      scales: {
        x: {
          min: stretch.min,
          max: stretch.max,
          title: { display: true, text: forest.title, color: text },
          ticks: { color: text },
          grid,
        },
        y: {
          min: -0.7,
          max: points.length - 0.3,
          reverse: true,
          afterBuildTicks: (axis) => {
            axis.ticks = points.map((_, value) => ({ value }))
          },
          ticks: {
            autoSkip: false,
            color: text,
            callback: (value) => nameOf(points[Number(value)], forest.letters),
          },
          grid: { display: false },
        },
      },
      plugins: {
        tooltip: {
          callbacks: { label: (item) => told(points[item.dataIndex]) },
        },
      },
    },
    plugins: [intervals(forest) as Plugin],
  } as ChartConfiguration<'scatter', ScatterDataPoint[]> as ChartConfiguration
}

function isFilled(point: Point): boolean {
  return point.mark === 'up' || point.mark === 'down' || point.mark === 'small'
}

function open(forest: Forest, index: number | undefined): void {
  const found = index === undefined ? undefined : forest.points[index]
  if (found) forest.onOpen(found.label)
}

function point(event: Event | null, on: boolean): void {
  const target = event?.target
  if (target instanceof HTMLElement) target.style.cursor = on ? 'pointer' : 'default'
}

function nameOf(found: Point | undefined, letters: number): string {
  return found ? shortened(`${found.name}: ${valueName(found.value)}`, letters) : ''
}

function told(found: Point | undefined): string {
  if (!found) return ''
  const { name, value, at, low, high } = found
  return `${name}: ${valueName(value)} ${decimal(at)} (${decimal(low)} to ${decimal(high)})`
}

/** Draws the band and the line of no effect behind the points, and the intervals. */
function intervals(forest: Forest): Plugin<'scatter'> {
  return {
    id: 'intervals',
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales } = chart
      const x = scales.x!
      ctx.save()
      ctx.beginPath()
      ctx.rect(area.left, area.top, area.width, area.height)
      ctx.clip()
      if (forest.band) {
        const left = x.getPixelForValue(forest.band.low)
        const right = x.getPixelForValue(forest.band.high)
        ctx.globalAlpha = 0.16
        ctx.fillStyle = color('equivalent')
        ctx.fillRect(left, area.top, right - left, area.height)
        ctx.globalAlpha = 1
      }
      line(ctx, x.getPixelForValue(forest.center), area.top, area.bottom, color('line-strong'))
      forest.points.forEach((found, at) => {
        const y = scales.y!.getPixelForValue(at)
        ctx.strokeStyle = markColor(found.mark)
        ctx.lineWidth = isFilled(found) ? 2.5 : 1.25
        ctx.beginPath()
        ctx.moveTo(x.getPixelForValue(found.low), y)
        ctx.lineTo(x.getPixelForValue(found.high), y)
        ctx.stroke()
      })
      ctx.restore()
    },
  }
}

/** An upright line across the chart. */
export function line(
  ctx: CanvasRenderingContext2D,
  x: number,
  top: number,
  bottom: number,
  ink: string,
  dashes: number[] = [],
): void {
  ctx.save()
  ctx.strokeStyle = ink
  ctx.lineWidth = 1.5
  ctx.setLineDash(dashes)
  ctx.beginPath()
  ctx.moveTo(x, top)
  ctx.lineTo(x, bottom)
  ctx.stroke()
  ctx.restore()
}
