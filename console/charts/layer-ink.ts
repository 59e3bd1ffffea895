import { pixelNumber } from '../data/decimal-text.ts'
import { barOf, drawCandle, drawDiamond, drawNamedLines, type Ink, inside } from './ink.ts'
import type { Bar, ChartMark, Layer, LayerInk } from './series.ts'
import { isVisible, volumeHeight, volumeMax } from './value-range.ts'
import type { TimeWindow } from './window.ts'

/** Drawing of the layers and marks of a chart in its window. */

/** Distance of a mark from the top of the plot in CSS pixels. */
const MARK_TOP = 8

/** Draws the volume of each visible bucket at the bottom of the plot. */
export function drawVolumes(ink: Ink, layers: readonly Layer[], window: TimeWindow): void {
  const { context, box, color } = ink
  const max = volumeMax(layers, window)
  inside(ink, () => {
    context.fillStyle = color('muted')
    context.globalAlpha = 0.42
    for (const layer of layers) {
      if (layer.kind !== 'volume') continue
      for (const bar of layer.bars) {
        if (bar.volume === null || !isVisible(bar, window)) continue
        const [left, width] = barOf(ink, bar.t, bar.t_end)
        const height = volumeHeight(bar.volume, max) * box.height
        context.fillRect(left, box.top + box.height - height, width, height)
      }
    }
  })
}

/** Draws the visible candles of one layer in its color. */
export function drawBars(ink: Ink, bars: readonly Bar[], name: LayerInk, window: TimeWindow): void {
  inside(ink, () => {
    for (const bar of bars) {
      if (!isVisible(bar, window)) continue
      const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map(pixelNumber) as Numbers
      drawCandle(ink, { from: bar.t, to: bar.t_end, open, high, low, close }, name)
    }
  })
}

type Numbers = [open: number, high: number, low: number, close: number]

/** Draws marks: a dotted line with its name, or a diamond at the top of the plot. */
export function drawMarks(ink: Ink, marks: readonly ChartMark[], window: TimeWindow): void {
  const { box, scale } = ink
  inside(ink, () => {
    const seen = marks.filter(({ t }) => t >= window.from && t <= window.to)
    const lines = seen.filter(({ kind }) => kind === 'line')
    drawNamedLines(
      ink,
      lines.map(({ t, name }) => ({ x: ink.x(t), name })),
    )
    for (const { t, kind } of seen) if (kind === 'diamond') drawDiamond(ink, ink.x(t), box.top + MARK_TOP * scale)
  })
}
