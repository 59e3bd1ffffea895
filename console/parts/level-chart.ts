import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { inkOf } from '../charts/plot-ink.ts'
import { html } from '../html.ts'
import { chartAxes } from './chart-axes.ts'
import { bandsOf, type ChartPoint } from './chart-data.ts'
import { drawBands, drawCandles, drawMarks, drawVersions } from './level-ink.ts'
import { describePoint, Readout } from './readout.ts'

export type LevelChartProps = {
  readonly points: readonly ChartPoint[]
  /** Range of the chart, in seconds since 1970. */
  readonly range: readonly [from: number, to: number]
  readonly versions: readonly { readonly at: number; readonly name: string }[]
  readonly chosen_id: string | null
  readonly label: string
  readonly onChoose: (observation_id: string) => void
}

const HEIGHT = 320
const NARROW_HEIGHT = 240

/**
 * Chart of a level over time. Pointer and arrow keys move between levels, whose exact values show above the chart; a click or Enter shows
 * the details of one.
 */
export default function LevelChart(props: LevelChartProps) {
  const { points, label, onChoose } = props
  const place = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const shown = Math.min(at ?? points.length - 1, points.length - 1)
  const choose = (ordinal: number) => {
    const id = points[ordinal]?.level?.observation_id
    if (id !== undefined) onChoose(id)
  }
  const plot = usePlot(place, props, setAt)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextOrdinal(event.key, shown, points)
    if (event.key === 'Enter') choose(shown)
    if (next === null) return
    event.preventDefault()
    setAt(next)
    plot.current?.setCursor({ left: plot.current.valToPos(middleOf(points[next]!), 'x'), top: 0 }, false)
  }
  return html`<div class="chart">
    <${Readout} point=${points[shown] ?? null} />
    <div class="plot" ref=${place} tabindex="0" role="slider" aria-label=${label} aria-valuemin="0"
      aria-valuemax=${points.length - 1} aria-valuenow=${shown} aria-valuetext=${describePoint(points[shown] ?? null)}
      onKeyDown=${onKeyDown} onClick=${() => at !== null && choose(at)} onBlur=${() => plot.current?.setCursor({ left: -10, top: -10 })}></div>
  </div>`
}

/** Returns the ordinal of the point that a key moves to, skipping points without a record; null if the key moves nowhere. */
function nextOrdinal(key: string, from: number, points: readonly ChartPoint[]): number | null {
  const known = points.flatMap(({ level, candle, equity }, at) =>
    level === null && candle === null && equity === undefined ? [] : [at],
  )
  const here = known.findLastIndex((at) => at <= from)
  const moves: Record<string, number> = {
    ArrowLeft: here - 1,
    ArrowRight: here + 1,
    PageUp: here + 10,
    PageDown: here - 10,
    Home: 0,
    End: known.length - 1,
  }
  const wanted = moves[key]
  return wanted === undefined ? null : (known[Math.min(Math.max(wanted, 0), known.length - 1)] ?? null)
}

function usePlot(
  place: { readonly current: HTMLDivElement | null },
  props: LevelChartProps,
  setAt: (ordinal: number | null) => void,
) {
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const element = place.current!
    const made = new uPlot(optionsOf(element, latest, setAt), columnsOf(latest.current.points), element)
    plot.current = made
    const resized = new ResizeObserver(() => made.setSize(sizeOf(element)))
    resized.observe(element)
    const ending = new AbortController()
    for (const query of ['(prefers-color-scheme: dark)', 'print'])
      matchMedia(query).addEventListener('change', () => made.redraw(), { signal: ending.signal })
    return () => {
      ending.abort()
      resized.disconnect()
      made.destroy()
    }
  }, [])
  const { points, range, chosen_id, versions } = props
  useEffect(() => {
    plot.current?.setData(columnsOf(points))
  }, [points, range[0], range[1], chosen_id, versions])
  return plot
}

function optionsOf(
  element: HTMLElement,
  latest: { readonly current: LevelChartProps },
  setAt: (ordinal: number | null) => void,
): uPlot.Options {
  const color = (name: string) => getComputedStyle(element).getPropertyValue(`--${name}`).trim()
  const isCandles = () => latest.current.points[0]?.candle != null
  const hidden = { paths: () => null, points: { show: false } }
  return {
    ...sizeOf(element),
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    padding: [8, 26, 0, 0],
    scales: { x: { range: () => [latest.current.range[0], latest.current.range[1]] } },
    axes: chartAxes(color),
    series: [
      {},
      {
        stroke: () => (isCandles() ? 'transparent' : color('main')),
        width: 1.7,
        points: { show: (_plot, _at, from, to) => !isCandles() && to - from < 40, size: 4, fill: () => color('main') },
      },
      hidden,
      hidden,
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 8, fill: () => color('paper'), stroke: () => color('main'), width: 2 },
    },
    hooks: {
      drawClear: [(plot) => drawBands(inkOf(plot, color), bandsOf(latest.current.points))],
      draw: [
        (plot) => {
          drawVersions(inkOf(plot, color), latest.current.versions)
          if (isCandles()) drawCandles(inkOf(plot, color), latest.current.points)
          else drawMarks(inkOf(plot, color), latest.current.points, latest.current.chosen_id)
        },
      ],
      setCursor: [(plot) => setAt(plot.cursor.idx ?? null)],
    },
  }
}

/** Returns the columns x, close, high and low; the library scales the axis to all of them. */
function columnsOf(points: readonly ChartPoint[]): uPlot.AlignedData {
  return [
    points.map(middleOf),
    points.map(({ y }) => y),
    points.map(({ candle }) => candle?.pixels[1] ?? null),
    points.map(({ candle }) => candle?.pixels[2] ?? null),
  ]
}

function middleOf({ x, x_end, candle }: ChartPoint): number {
  return candle === null ? x : (x + x_end) / 2
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  const width = element.clientWidth
  return { width, height: width < 560 ? NARROW_HEIGHT : HEIGHT }
}
