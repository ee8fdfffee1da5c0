// What of Chart.js is used, and what all charts share.

import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  PieController,
  PointElement,
  ScatterController,
  Tooltip,
  type ChartConfiguration,
} from 'chart.js'
import type { Mark } from '@/lib/verdicts'
import { color } from '@/lib/theme'

Chart.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  PieController,
  PointElement,
  ScatterController,
  Tooltip,
)
Chart.defaults.animation = false
Chart.defaults.font.family = 'system-ui, "Droid Sans Fallback", sans-serif'
Chart.defaults.maintainAspectRatio = false

export { Chart, type ChartConfiguration }

const COLORS: Record<Mark, string> = {
  up: 'biased',
  down: 'lenient',
  small: 'biased',
  equivalent: 'equivalent',
  undetermined: 'undetermined',
  still: 'line-strong',
  none: 'line',
}

/** The color of a verdict in the theme as it is now. */
export function markColor(mark: Mark): string {
  return color(COLORS[mark])
}

/** Lines or dots over a color, so that parts of a chart differ without it. */
export function patternOf(mark: Mark): CanvasPattern | string {
  const ground = markColor(mark)
  if (mark === 'up' || mark === 'down') return ground
  const size = 8
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const brush = canvas.getContext('2d')
  if (!brush) return ground
  brush.fillStyle = ground
  brush.strokeStyle = color('ground')
  brush.lineWidth = 1.5
  brush.fillRect(0, 0, size, size)
  brush.beginPath()
  if (mark === 'undetermined') {
    brush.moveTo(0, size)
    brush.lineTo(size, 0)
  } else if (mark === 'equivalent') {
    brush.moveTo(0, size / 2)
    brush.lineTo(size, size / 2)
  } else {
    brush.moveTo(size / 2, 0)
    brush.lineTo(size / 2, size)
  }
  brush.stroke()
  return brush.createPattern(canvas, 'repeat') ?? ground
}
