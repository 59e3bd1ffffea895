import type uPlot from 'uplot'
import { pixelNumber } from '../data/decimal-text.ts'
import type { Bar, ChartMark, Layer, LayerInk } from './series.ts'
import { isVisible, volumeHeight, volumeMax } from './value-range.ts'
import type { TimeWindow } from './window.ts'

/** Canvas drawing of candles, volumes and marks. Rising candles are hollow, so color is not the only sign. */

export type Pen = {
  readonly plot: uPlot
  readonly window: TimeWindow
  readonly color: (name: string) => string
}

/** Width of a candle as a share of its bucket, and its greatest width in CSS pixels. */
const CANDLE_SHARE = 0.62
const CANDLE_WIDTH_MAX = 14

/** Draws the volume of each visible bucket at the bottom of the plot. */
export function drawVolumes(pen: Pen, layers: readonly Layer[]): void {
  const { plot, window, color } = pen
  const { ctx, bbox } = plot
  const max = volumeMax(layers, window)
  inside(plot, () => {
    ctx.fillStyle = color('muted')
    ctx.globalAlpha = 0.42
    for (const layer of layers) {
      if (layer.kind !== 'volume') continue
      for (const bar of layer.bars) {
        if (bar.volume === null || !isVisible(bar, window)) continue
        const [left, width] = placeOf(plot, bar)
        const height = volumeHeight(bar.volume, max) * bbox.height
        ctx.fillRect(left, bbox.top + bbox.height - height, width, height)
      }
    }
  })
}

/** Draws the candles of one layer in its color; falling ones are filled. */
export function drawCandles({ plot, window, color }: Pen, bars: readonly Bar[], ink: LayerInk): void {
  const { ctx } = plot
  const y = (text: string) => plot.valToPos(pixelNumber(text), 'y', true)
  inside(plot, () => {
    ctx.lineWidth = Math.max(1, devicePixelRatio)
    for (const bar of bars) {
      if (!isVisible(bar, window)) continue
      const is_falling = pixelNumber(bar.close) < pixelNumber(bar.open)
      const [left, width] = placeOf(plot, bar)
      const [a, b] = [y(bar.open), y(bar.close)]
      const [top, height] = [Math.min(a, b), Math.max(Math.abs(a - b), devicePixelRatio)]
      const name = is_falling && ink === 'main' ? 'other' : ink
      ctx.strokeStyle = color(name)
      ctx.fillStyle = is_falling ? color(name) : color('paper')
      ctx.beginPath()
      ctx.moveTo(left + width / 2, y(bar.high))
      ctx.lineTo(left + width / 2, y(bar.low))
      ctx.stroke()
      ctx.fillRect(left, top, width, height)
      ctx.strokeRect(left, top, width, height)
    }
  })
}

/** Draws marks: a dotted line with its name, or a diamond at the top of the plot. */
export function drawMarks({ plot, window, color }: Pen, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio
  inside(plot, () => {
    ctx.font = `${11 * scale}px system-ui, sans-serif`
    for (const { t, name, kind } of marks) {
      if (t < window.from || t > window.to) continue
      const x = plot.valToPos(t, 'x', true)
      if (kind === 'diamond') drawDiamond(ctx, { x, y: bbox.top + 8 * scale, half: 4.5 * scale }, color)
      else drawLine(ctx, { x, name, plot }, color)
    }
  })
}

type Color = Pen['color']

function drawLine(
  ctx: CanvasRenderingContext2D,
  { x, name, plot }: { x: number; name: string; plot: uPlot },
  color: Color,
): void {
  const { bbox } = plot
  const scale = devicePixelRatio
  ctx.strokeStyle = color('ink')
  ctx.fillStyle = color('ink')
  ctx.setLineDash([2 * scale, 3 * scale])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  const is_near_end = x > bbox.left + bbox.width * 0.8
  ctx.textAlign = is_near_end ? 'right' : 'left'
  ctx.fillText(name, x + (is_near_end ? -5 : 5) * scale, bbox.top + 12 * scale)
}

function drawDiamond(
  ctx: CanvasRenderingContext2D,
  { x, y, half }: { x: number; y: number; half: number },
  color: Color,
): void {
  ctx.setLineDash([])
  ctx.lineWidth = 1.6 * devicePixelRatio
  ctx.strokeStyle = color('other')
  ctx.fillStyle = color('paper')
  ctx.beginPath()
  ctx.moveTo(x, y - half)
  ctx.lineTo(x + half, y)
  ctx.lineTo(x, y + half)
  ctx.lineTo(x - half, y)
  ctx.closePath()
  ctx.fill()
  ctx.stroke()
}

/** Returns left edge and width of a bar in canvas pixels. */
function placeOf(plot: uPlot, { t, t_end }: Bar): readonly [left: number, width: number] {
  const [from, to] = [plot.valToPos(t, 'x', true), plot.valToPos(t_end, 'x', true)]
  const width = Math.min(Math.max((to - from) * CANDLE_SHARE, 1), CANDLE_WIDTH_MAX * devicePixelRatio)
  return [(from + to - width) / 2, width]
}

/** Draws with the plot as the clip, and restores the state of the canvas. */
function inside({ ctx, bbox }: uPlot, draw: () => void): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  draw()
  ctx.restore()
}
