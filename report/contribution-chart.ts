import { Decimal, type DecimalString } from '../primitives/decimal.ts'
import type { Micros } from '../primitives/instants.ts'
import { type Box, bothSizes, type ChartSize, plotBox, px } from './chart-size.ts'
import { hoverData } from './level-chart.ts'
import type { Scales } from './line-path.ts'
import { type Markup, markup } from './markup.ts'
import { type Milestone, milestoneLines } from './milestones.ts'
import { TIME_AXIS_HEIGHT, type TimeDomain, timeAxis, timeScale } from './time-axis.ts'
import { type ValueDomain, valueAxis, valueScale } from './value-axis.ts'

/** Parts of the series over [at, until); null parts: nothing was computed, null part: the series has no share. */
export type StackColumn = {
  readonly at: Micros
  readonly until: Micros
  readonly parts: readonly (DecimalString | null)[] | null
}

export type StackChart = {
  readonly description: string
  readonly domain: TimeDomain
  readonly names: readonly string[]
  readonly columns: readonly StackColumn[]
  readonly values: ValueDomain
  readonly milestones: readonly Milestone[]
  readonly table: string
}

const HEIGHT = { wide: 220, narrow: 190 } as const

/** Parts of a whole over time, one above the other; a span without parts stays empty. */
export function contributionChart(chart: StackChart): Markup {
  if (chart.columns.every(({ parts }) => parts === null))
    return markup`<p class="empty">No data: no tick has a level of its own.</p>`
  return markup`${bothSizes((size) => drawStack(chart, size))}${stackLegend(chart.names)}`
}

function drawStack(chart: StackChart, size: ChartSize): Markup {
  const box = plotBox(size, HEIGHT[size], TIME_AXIS_HEIGHT + 2)
  const scales = { x: timeScale(chart.domain, box), y: valueScale(chart.values, box) }
  const stacked = chart.columns.map(stackColumn)
  return markup`<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${chart.description}" ${hoverData(chart, box)}>
${valueAxis(chart.values, box)}
<g class="stack">${chart.names.map((_, i) => markup`<path class="c${i}" d="${areaPath(stacked, i, scales)}"/>`)}</g>
${milestoneLines(chart.milestones, chart.domain, box)}
${stackLabels(chart.names, stacked, scales, box, size)}
${timeAxis(chart.domain, box, box.bottom)}
<line class="cross" y1="${box.top}" y2="${box.bottom}" x1="0" x2="0"/>
</svg>`
}

type Band = { readonly low: Decimal; readonly high: Decimal } | null
type StackedColumn = { readonly at: Micros; readonly until: Micros; readonly bands: readonly Band[] }

function stackColumn({ at, until, parts }: StackColumn): StackedColumn {
  let top = new Decimal(0)
  const bands = (parts ?? []).map((part): Band => {
    if (part === null) return null
    const low = top
    top = top.plus(part)
    return { low, high: top }
  })
  return { at, until, bands }
}

type Vertical = Pick<Scales, 'x'> & { readonly y: (value: Decimal) => number }

/** Steps: a column's value holds until the next one; a run of columns that touch is one closed area. */
function areaPath(columns: readonly StackedColumn[], series: number, { x, y }: Vertical): string {
  let path = ''
  let run: StepRun | null = null
  for (const { at, until, bands } of columns) {
    const band = bands[series] ?? null
    if (band === null || run?.until !== at) {
      path += run?.close() ?? ''
      run = null
    }
    if (band === null) continue
    run ??= new StepRun()
    run.add({ x0: x(at), x1: x(until), high: y(band.high), low: y(band.low) })
    run.until = until
  }
  return path + (run?.close() ?? '')
}

/** The outline of columns that touch; a corner that would not be seen is left out. */
class StepRun {
  until: Micros = Number.NaN
  readonly #upper: string[] = []
  readonly #lower: string[] = []
  #high = ''
  #low = ''
  #end = ''

  add({ x0, x1, high, low }: { x0: number; x1: number; high: number; low: number }): void {
    const [upper, lower] = [px(high), px(low)]
    if (upper !== this.#high) this.#upper.push(this.#upper.length === 0 ? `${px(x0)} ${upper}` : `H${px(x0)}V${upper}`)
    if (lower !== this.#low) this.#lower.push(this.#lower.length === 0 ? `H${px(x0)}Z` : `H${px(x0)}V${this.#low}`)
    this.#high = upper
    this.#low = lower
    this.#end = px(x1)
  }

  close(): string {
    return `M${this.#upper.join('')}H${this.#end}V${this.#low}${this.#lower.reverse().join('')}`
  }
}

const LABEL_GAP = 13
const NAME_LENGTH = 15

/** Names beside the end of the stack, moved apart; a narrow picture has room for their numbers alone. */
function stackLabels(
  names: readonly string[],
  columns: readonly StackedColumn[],
  { y }: Vertical,
  box: Box,
  size: ChartSize,
): Markup {
  const last = columns.findLast(({ bands }) => bands.length > 0)
  const labels = names.flatMap((name, i) => {
    const band = last?.bands[i] ?? null
    return band === null ? [] : [{ text: labelText(name, i, size), y: y(band.low.plus(band.high).div(2)) + 4 }]
  })
  labels.forEach((label, i) => {
    if (i > 0) label.y = Math.min(label.y, labels[i - 1]!.y - LABEL_GAP)
  })
  const lift = Math.max(0, box.top + 6 - (labels.at(-1)?.y ?? box.bottom))
  return markup`<g class="ends">${labels.map(
    (label) => markup`<text x="${px(box.right + 8)}" y="${px(label.y + lift)}" class="name">${label.text}</text>`,
  )}</g>`
}

function labelText(name: string, i: number, size: ChartSize): string {
  if (size === 'narrow') return String(i + 1)
  const short = name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name
  return `${i + 1} ${short}`
}

function stackLegend(names: readonly string[]): Markup {
  return markup`<ol class="legend">${names.map(
    (name, i) =>
      markup`<li><svg width="14" height="10" aria-hidden="true"><g class="stack"><rect width="14" height="10" class="c${i}"/></g></svg> ${i + 1} ${name}</li>`,
  )}</ol>`
}
