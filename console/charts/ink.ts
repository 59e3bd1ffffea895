import type uPlot from 'uplot'
import type { LayerInk } from './series.ts'

/** Canvas drawing that every chart over time shares: candles, diamonds and named lines. Colors are those of the style sheet. */

export type Ink = {
  readonly context: uPlot['ctx']
  /** The plot in canvas pixels. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
  readonly x: (seconds: number) => number
  readonly y: (value: number) => number
  readonly color: (name: string) => string
  /** Canvas pixels of a CSS pixel. */
  readonly scale: number
}

/** A bucket of time with its prices as numbers, which only become pixels. */
export type CandleShape = {
  /** Seconds since 1970. */
  readonly from: number
  readonly to: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** Width of a candle as a share of its bucket, and its greatest width in CSS pixels. */
const CANDLE_SHARE = 0.62
const CANDLE_WIDTH_MAX = 14

/** Draws a candle; a rising one is hollow, so color is not the only sign. @param name  color of a rising one */
export function drawCandle(ink: Ink, { from, to, open, high, low, close }: CandleShape, name: LayerInk): void {
  const { context, y, color, scale } = ink
  const [left, width] = barOf(ink, from, to)
  const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))]
  const height = Math.max(bottom - top, scale)
  const is_falling = close < open
  const shown = is_falling && name === 'main' ? 'other' : name
  context.lineWidth = Math.max(1, scale)
  context.strokeStyle = color(shown)
  context.fillStyle = is_falling ? color(shown) : color('paper')
  context.beginPath()
  context.moveTo(left + width / 2, y(high))
  context.lineTo(left + width / 2, y(low))
  context.stroke()
  context.fillRect(left, top, width, height)
  context.strokeRect(left, top, width, height)
}

/** Returns left edge and width of the bar of a bucket in canvas pixels. */
export function barOf({ x, scale }: Ink, from: number, to: number): readonly [left: number, width: number] {
  const [start, end] = [x(from), x(to)]
  const width = Math.min(Math.max((end - start) * CANDLE_SHARE, 1), CANDLE_WIDTH_MAX * scale)
  return [(start + end - width) / 2, width]
}

/** Half of the width of a diamond in CSS pixels. */
const DIAMOND_HALF = 4.5

/** Draws a diamond around a place in canvas pixels. */
export function drawDiamond({ context, color, scale }: Ink, x: number, y: number): void {
  const half = DIAMOND_HALF * scale
  context.setLineDash([])
  context.lineWidth = 1.6 * scale
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

/** Base line of the name of a line below the top of the plot, in CSS pixels: below the diamonds. */
const NAME_TOP = 26
/** Height of a row of names, and the gap between two in one row. */
const [NAME_ROW, NAME_GAP] = [14, 8]

/** A dotted line at an instant, in canvas pixels. */
export type NamedLine = { readonly x: number; readonly name: string }

/**
 * Draws dotted lines with their names over the height of the plot, in the order of time. Near its end a name is on the left; one that
 * would lie over the name before it is a row lower.
 */
export function drawNamedLines({ context, box, color, scale }: Ink, lines: readonly NamedLine[]): void {
  context.strokeStyle = color('ink')
  context.fillStyle = color('ink')
  context.font = `${11 * scale}px system-ui, sans-serif`
  context.setLineDash([2 * scale, 3 * scale])
  let [taken, row] = [Number.NEGATIVE_INFINITY, 0]
  for (const { x, name } of lines) {
    context.beginPath()
    context.moveTo(x, box.top)
    context.lineTo(x, box.top + box.height)
    context.stroke()
    const [is_near_end, width] = [x > box.left + box.width * 0.8, context.measureText(name).width]
    const left = is_near_end ? x - 5 * scale - width : x + 5 * scale
    row = left < taken ? row + 1 : 0
    taken = Math.max(taken, left + width + NAME_GAP * scale)
    context.textAlign = 'left'
    context.fillText(name, left, box.top + (NAME_TOP + row * NAME_ROW) * scale)
  }
}

/** Draws with the plot as the clip, and restores the state of the canvas. */
export function inside({ context, box }: Pick<Ink, 'context' | 'box'>, draw: () => void): void {
  context.save()
  context.beginPath()
  context.rect(box.left, box.top, box.width, box.height)
  context.clip()
  draw()
  context.restore()
}
