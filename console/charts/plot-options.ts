import uPlot from 'uplot'
import { chartAxes } from '../parts/chart-axes.ts'
import { drawBars, drawMarks, drawVolumes } from './layer-ink.ts'
import { inkOf } from './plot-ink.ts'
import type { ChartMark, Layer } from './series.ts'
import { valueRange } from './value-range.ts'
import { dragged, type TimeWindow, type WindowLimits } from './window.ts'

/** State that a plot reads at each drawing; it changes without a new plot. */
export type PlotState = {
  readonly layers: readonly Layer[]
  readonly window: TimeWindow
  readonly limits: WindowLimits
  readonly marks: readonly ChartMark[]
  readonly onWindow: (window: TimeWindow) => void
}
type Latest = { readonly current: PlotState }

const HEIGHT = 360
const NARROW_HEIGHT = 260
const NARROW = 560
/** Distance in CSS pixels from which a press is a drag. */
const DRAG_DISTANCE = 6
const DASHES: readonly number[] = [5, 4]

/** Returns the options of a plot: a drag selects the range to zoom to. */
export function plotOptions(
  element: HTMLElement,
  latest: Latest,
  setAt: (ordinal: number | null) => void,
): uPlot.Options {
  const color = colorOf(element)
  return {
    ...plotSize(element),
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    padding: [8, 26, 0, 0],
    scales: {
      x: { range: () => [latest.current.window.from, latest.current.window.to] },
      y: { range: () => [...valueRange(latest.current.layers, latest.current.window)] },
    },
    axes: chartAxes(color),
    series: [{}, ...latest.current.layers.map((layer) => seriesOf(layer, color))],
    cursor: {
      drag: { x: true, y: false, setScale: false, dist: DRAG_DISTANCE },
      // With Shift a drag moves the chart instead.
      bind: { mousedown: (_plot, _target, handler) => (event) => (event.shiftKey ? null : handler(event)) },
      points: { size: 8, fill: () => color('paper'), width: 2 },
    },
    hooks: {
      drawClear: [(plot) => drawVolumes(inkOf(plot, color), latest.current.layers, latest.current.window)],
      draw: [
        (plot) => {
          const [ink, { layers, marks, window }] = [inkOf(plot, color), latest.current]
          for (const layer of layers) if (layer.kind === 'candles') drawBars(ink, layer.bars, layer.ink, window)
          drawMarks(ink, marks, window)
        },
      ],
      setCursor: [(plot) => setAt(plot.cursor.idx ?? null)],
      setSelect: [(plot) => takeSelection(plot, latest.current)],
    },
  }
}

/** Returns the colors of the style sheet as they are now: of light, dark or print. */
function colorOf(element: HTMLElement): (name: string) => string {
  return (name) => getComputedStyle(element).getPropertyValue(`--${name}`).trim()
}

/** Returns the size of a plot in its element. */
export function plotSize(element: HTMLElement): { width: number; height: number } {
  const width = element.clientWidth
  return { width, height: width < NARROW ? NARROW_HEIGHT : HEIGHT }
}

function seriesOf(layer: Layer, color: (name: string) => string): uPlot.Series {
  if (layer.kind !== 'line') return { stroke: 'transparent', paths: () => null, points: { show: false } }
  return {
    stroke: () => color(layer.ink),
    width: 1.7,
    dash: layer.is_dashed ? [...DASHES] : [],
    points: { show: (_plot, _at, from, to) => to - from < 40, size: 4, fill: () => color(layer.ink) },
  }
}

function takeSelection(plot: uPlot, { limits, onWindow }: PlotState): void {
  const { left, width } = plot.select
  if (width < DRAG_DISTANCE) return
  const [a, b] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  onWindow(dragged(a, b, limits))
}
