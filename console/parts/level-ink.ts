import type { QualityState } from '../../vocabulary/index-level.ts'
import { drawCandle, drawDiamond, drawNamedLines, type Ink, inside } from '../charts/ink.ts'
import type { Band, ChartPoint } from './chart-data.ts'

/** Drawing of levels over time: shaded states, candles, corrections, versions. */

const TINTS: Readonly<Record<QualityState, string>> = {
  valid: 'tint-calm',
  corrected: 'tint-cool',
  indicative: 'tint-cool',
  stale: 'tint-cool',
  degraded: 'tint-warm',
  suspended: 'tint-alarm',
}

/** Draws the tint and pattern of each run over the full height of the plot. */
export function drawBands(ink: Ink, bands: readonly Band[]): void {
  const { context, box, x } = ink
  for (const { from, to, state } of bands) {
    const left = Math.max(x(from), box.left)
    const right = Math.min(x(to), box.left + box.width)
    if (right <= left) continue
    context.save()
    context.beginPath()
    context.rect(left, box.top, right - left, box.height)
    context.clip()
    context.fillStyle = ink.color(TINTS[state])
    context.fillRect(left, box.top, right - left, box.height)
    drawPattern(ink, state, left, right)
    context.restore()
  }
}

function drawPattern({ context, box, color, scale }: Ink, state: QualityState, left: number, right: number): void {
  const step = 9 * scale
  const bottom = box.top + box.height
  context.strokeStyle = color('pattern')
  context.globalAlpha = 0.42
  context.lineWidth = 0.8 * scale
  context.beginPath()
  const slanted = (toward: 1 | -1) => {
    for (let at = left - box.height; at < right + box.height; at += step) {
      context.moveTo(at, toward === 1 ? bottom : box.top)
      context.lineTo(at + box.height, toward === 1 ? box.top : bottom)
    }
  }
  if (state === 'degraded' || state === 'suspended') slanted(1)
  if (state === 'suspended') slanted(-1)
  if (state === 'stale') for (let y = box.top + step / 2; y < bottom; y += step) line(context, left, y, right, y)
  if (state === 'indicative') for (let x = left + step / 2; x < right; x += step) line(context, x, box.top, x, bottom)
  context.stroke()
}

/** Draws the candles of points. */
export function drawCandles(ink: Ink, points: readonly ChartPoint[]): void {
  inside(ink, () => {
    for (const { x: from, x_end: to, candle } of points) {
      if (candle === null) continue
      const [open, high, low, close] = candle.pixels
      drawCandle(ink, { from, to, open, high, low, close }, 'main')
    }
  })
}

/** Draws a diamond at each corrected level and a ring around the selected one. */
export function drawMarks(ink: Ink, points: readonly ChartPoint[], chosen_id: string | null): void {
  const { context, x, y, color, scale } = ink
  context.save()
  context.lineWidth = 1.6 * scale
  for (const { x: at, y: level, is_corrected, level: observation } of points) {
    if (level === null || observation === null) continue
    const [cx, cy] = [x(at), y(level)]
    if (is_corrected) drawDiamond(ink, cx, cy)
    if (observation.observation_id !== chosen_id) continue
    context.strokeStyle = color('ink')
    context.beginPath()
    context.arc(cx, cy, 7 * scale, 0, 2 * Math.PI)
    context.stroke()
  }
  context.restore()
}

/** Draws a dotted line with a name where each version took effect. */
export function drawVersions(ink: Ink, versions: readonly { readonly at: number; readonly name: string }[]): void {
  const { context, box, x } = ink
  context.save()
  const lines = versions.map(({ at, name }) => ({ x: x(at), name }))
  drawNamedLines(
    ink,
    lines.filter((line) => line.x >= box.left && line.x <= box.left + box.width),
  )
  context.restore()
}

function line(context: Ink['context'], x1: number, y1: number, x2: number, y2: number): void {
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
}
