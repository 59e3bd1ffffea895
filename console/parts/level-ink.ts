import type { QualityState } from '../../vocabulary/index-level.ts'
import type { Band, ChartPoint } from './chart-data.ts'

/** Canvas drawing of the chart: shaded states, candles, corrections, versions. Colors are those of the style sheet. */

type Ink = {
  readonly context: CanvasRenderingContext2D
  /** The plot in canvas pixels. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
  readonly x: (seconds: number) => number
  readonly y: (level: number) => number
  readonly color: (name: string) => string
  /** Canvas pixels of a CSS pixel. */
  readonly scale: number
}

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

/** Draws candles; rising ones are hollow, so color is not the only sign. */
export function drawCandles({ context, x, y, color, scale }: Ink, points: readonly ChartPoint[]): void {
  context.save()
  context.lineWidth = Math.max(1, scale)
  for (const { x: from, x_end, candle } of points) {
    if (candle === null) continue
    const [open, high, low, close] = candle.pixels
    const [left, right] = [x(from), x(x_end)]
    const middle = (left + right) / 2
    const width = Math.min(Math.max((right - left) * 0.62, 1), 14 * scale)
    const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))]
    context.strokeStyle = color(close < open ? 'other' : 'main')
    context.fillStyle = close < open ? color('other') : color('paper')
    context.beginPath()
    line(context, middle, y(high), middle, y(low))
    context.stroke()
    context.fillRect(middle - width / 2, top, width, Math.max(bottom - top, scale))
    context.strokeRect(middle - width / 2, top, width, Math.max(bottom - top, scale))
  }
  context.restore()
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

function drawDiamond({ context, color, scale }: Ink, x: number, y: number): void {
  const half = 4.2 * scale
  context.strokeStyle = color('other')
  context.fillStyle = color('paper')
  context.beginPath()
  context.moveTo(x, y - half)
  context.lineTo(x + half, y)
  context.lineTo(x, y + half)
  context.lineTo(x - half, y)
  context.closePath()
  context.fill()
  context.stroke()
}

/** Draws a dotted line with a name where each version took effect. */
export function drawVersions(ink: Ink, versions: readonly { readonly at: number; readonly name: string }[]): void {
  const { context, box, x, color, scale } = ink
  context.save()
  context.strokeStyle = color('ink')
  context.fillStyle = color('ink')
  context.font = `${11 * scale}px system-ui, sans-serif`
  context.setLineDash([2 * scale, 3 * scale])
  for (const { at, name } of versions) {
    const left = x(at)
    if (left < box.left || left > box.left + box.width) continue
    context.beginPath()
    line(context, left, box.top, left, box.top + box.height)
    context.stroke()
    const is_near_end = left > box.left + box.width * 0.8
    context.textAlign = is_near_end ? 'right' : 'left'
    context.fillText(name, left + (is_near_end ? -5 : 5) * scale, box.top + 12 * scale)
  }
  context.restore()
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
}

export type { Ink }
