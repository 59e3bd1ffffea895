import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { html } from '../html.ts'
import { changeOfKey } from './chart-keys.ts'
import { describeAt, whenAt, wordsAt } from './chart-words.ts'
import { type PlotState, plotOptions, plotSize } from './plot-options.ts'
import { followPointer } from './pointer.ts'
import { type Columns, columnsOf, type Layer } from './series.ts'
import type { TimeWindow } from './window.ts'

export type SeriesChartProps = PlotState & {
  /** Window that the key 0 and a double click return to. */
  readonly whole: TimeWindow
  readonly label: string
  /** Receives the canvas, to save it as a picture. */
  readonly onCanvas?: (canvas: HTMLCanvasElement) => void
}

/**
 * Chart of candles, lines and volumes over time. Pointer and arrow keys move the crosshair, whose exact values show above the chart. A
 * drag, the wheel and the keys + and - zoom; Shift with a drag or arrow keys moves; 0 and a double click show everything.
 */
export default function SeriesChart(props: SeriesChartProps) {
  const { layers, window, limits, whole, label, onWindow } = props
  const place = useRef<HTMLDivElement>(null)
  const columns = useMemo(() => columnsOf(layers), [layers])
  const [at, setAt] = useState<number | null>(null)
  const shown = shownColumn(columns, at, window)
  const plot = usePlot({ place, props, columns, setAt })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const change = changeOfKey(event.key, event.shiftKey, { columns, at: shown, window, limits, whole })
    if (change === null) return
    event.preventDefault()
    if ('window' in change) onWindow(change.window)
    else moveCursor(plot.current, columns, change.at, setAt)
  }
  return html`<div class="chart series-chart">
    <${Crosshair} layers=${layers} columns=${columns} at=${shown} />
    <div class="plot" ref=${place} tabindex="0" role="slider" aria-label=${label} aria-valuemin="0"
      aria-valuemax=${Math.max(columns.xs.length - 1, 0)} aria-valuenow=${Math.max(shown, 0)} aria-valuetext=${describeAt(layers, columns, shown)}
      onKeyDown=${onKeyDown} onDblClick=${() => onWindow(whole)} onBlur=${() => plot.current?.setCursor({ left: -10, top: -10 })}></div>
  </div>`
}

/** Exact values of every layer at the crosshair, or at the last visible column. */
function Crosshair({ layers, columns, at }: { layers: readonly Layer[]; columns: Columns; at: number }) {
  if (columns.xs[at] === undefined) return html`<p class="readout quiet">No values in this range</p>`
  return html`<p class="readout">
    <span class="when">${whenAt(columns, at)}</span>
    ${wordsAt(layers, columns, at).map(
      ({ name, words }) =>
        html`<span key=${name} class="layer">${layers.length > 1 && html`<i class="layer-name">${name}</i> `}${words.map(([word, value]) => html`<span key=${word}><i>${word}</i> <b>${value}</b> </span>`)}</span>`,
    )}
  </p>`
}

/** Returns the column under the crosshair, or the last visible one; -1: none. */
function shownColumn({ xs }: Columns, at: number | null, { to }: TimeWindow): number {
  if (at !== null && at < xs.length) return at
  return xs.findLastIndex((x) => x <= to)
}

function moveCursor(plot: uPlot | null, columns: Columns, at: number, setAt: (at: number) => void): void {
  setAt(at)
  plot?.setCursor({ left: plot.valToPos(columns.xs[at]!, 'x'), top: plot.over.clientHeight / 2 }, false)
}

type PlotOf = {
  readonly place: { readonly current: HTMLDivElement | null }
  readonly props: SeriesChartProps
  readonly columns: Columns
  readonly setAt: (at: number | null) => void
}

function usePlot({ place, props, columns, setAt }: PlotOf) {
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const { layers, window, marks } = props
  // A plot has a fixed number of series; other layers need another plot.
  const kinds = layers.map(({ kind, name }) => `${kind} ${name}`).join()
  useEffect(() => {
    const element = place.current!
    const made = new uPlot(plotOptions(element, latest, setAt), dataOf(columns), element)
    plot.current = made
    props.onCanvas?.(made.ctx.canvas)
    const ending = new AbortController()
    followPointer(made, latest, ending.signal)
    const resized = new ResizeObserver(() => made.setSize(plotSize(element)))
    resized.observe(element)
    for (const query of ['(prefers-color-scheme: dark)', 'print'])
      matchMedia(query).addEventListener('change', () => made.redraw(), { signal: ending.signal })
    return () => {
      ending.abort()
      resized.disconnect()
      made.destroy()
    }
  }, [kinds])
  useEffect(() => {
    plot.current?.setData(dataOf(columns))
  }, [columns, window.from, window.to, marks])
  return plot
}

function dataOf({ xs, ys }: Columns): uPlot.AlignedData {
  return [[...xs], ...ys.map((column) => [...column])]
}
