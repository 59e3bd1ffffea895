import { Decimal, type DecimalString } from '../primitives/decimal.ts'
import { type Box, bothSizes, type ChartSize, plotBox, px } from './chart-size.ts'
import { type Markup, markup } from './markup.ts'
import { percent } from './number-text.ts'
import { valueDomain } from './value-axis.ts'

/** One share with its interval, of the rows of a chart. */
type IntervalRow = {
  readonly name: string
  readonly share: DecimalString | null
  readonly low: DecimalString | null
  readonly high: DecimalString | null
  /** Text at the right of the row. */
  readonly text: string
  /** Drawn hollow: what the others are compared with. */
  readonly is_control?: boolean
}

export type IntervalChart = { readonly description: string; readonly rows: readonly IntervalRow[] }

const ROW = 24
const AXIS = 22
/** Room for the texts at the right. */
const TEXT = { wide: 190, narrow: 0 } as const

/** Shares as dots with their intervals as whiskers, one below the other; no row without a share has a dot. */
export function intervalChart(chart: IntervalChart): Markup {
  return bothSizes((size) => draw(chart, size))
}

function draw({ description, rows }: IntervalChart, size: ChartSize): Markup {
  const height = rows.length * ROW + AXIS + 8
  const plot = plotBox(size, height, AXIS)
  const box: Box = { ...plot, left: 64, right: plot.width - TEXT[size] - 16 }
  const highs = rows.flatMap(({ high }) => (high === null ? [] : [high]))
  const domain = valueDomain(highs.length === 0 ? ['1'] : highs, { count: size === 'wide' ? 6 : 4, zero: true })
  const top = Decimal.min(1, domain.high)
  const x = (value: DecimalString) => box.left + Number(new Decimal(value).div(top).toFixed(6)) * (box.right - box.left)
  const bottom = rows.length * ROW + 4
  const ticks = domain.ticks.filter((tick) => top.gte(tick))
  return markup`<svg viewBox="0 0 ${plot.width} ${height}" role="img" aria-label="${description}">
<g class="axis">${ticks.map((tick) => markup`<line x1="${px(x(tick))}" x2="${px(x(tick))}" y1="4" y2="${bottom}"/><text x="${px(x(tick))}" y="${bottom + 15}">${percent(tick)}</text>`)}</g>
${rows.map((row, n) => drawRow(row, n * ROW + ROW / 2 + 4, { x, box, size }))}
</svg>`
}

type Place = { readonly x: (value: DecimalString) => number; readonly box: Box; readonly size: ChartSize }

function drawRow({ name, share, low, high, text, is_control = false }: IntervalRow, y: number, place: Place): Markup {
  const { x, box, size } = place
  const words = size === 'narrow' ? null : markup`<text x="${px(box.right + 14)}" y="${y + 4}">${text}</text>`
  const mark =
    share === null || low === null || high === null
      ? null
      : markup`<g class="line ${is_control ? 'other' : 'main'}"><path d="M${px(x(low))} ${y}H${px(x(high))}M${px(x(low))} ${y - 4}v8M${px(x(high))} ${y - 4}v8"/></g>${dot(px(x(share)), y, is_control)}`
  return markup`<g><text class="name" x="${box.left - 10}" y="${y + 4}" text-anchor="end">${name}</text>${mark}${words}</g>\n`
}

/** A filled dot, or a hollow diamond: told apart without color. */
function dot(x: string, y: number, is_control: boolean): Markup {
  if (is_control) return markup`<g class="marks"><path class="diamond" d="M${x} ${y - 5}l5 5l-5 5l-5 -5z"/></g>`
  return markup`<g class="line main"><circle cx="${x}" cy="${y}" r="4"/></g>`
}
