import type { DecimalString } from '../primitives/decimal.ts'
import { type Box, bothSizes, type ChartSize, plotBox, px } from './chart-size.ts'
import { hoverData } from './level-chart.ts'
import { drawLine, type Point, type Scales } from './line-path.ts'
import { type Markup, markup } from './markup.ts'
import { TIME_AXIS_HEIGHT, type TimeDomain, timeAxis, timeScale } from './time-axis.ts'
import { fixedDomain, valueAxis, valueScale } from './value-axis.ts'

/** A limit that the methodology or the version sets, over the span where it rules. */
export type Limit = { readonly value: DecimalString; readonly domain: TimeDomain }

/** A ratio in [0, 1] over time with the limits that a state depends on. */
export type RatioChart = {
  readonly description: string
  readonly domain: TimeDomain
  readonly points: readonly Point[]
  readonly limits: readonly Limit[]
  readonly limit_name: string
  readonly table: string
}

const HEIGHT = { wide: 92, narrow: 92 } as const
const RATIOS = fixedDomain('0', '1', '0.25')

/** One ratio, from 0 to 1 whatever its values are, so that pictures of different ranges compare. */
export function coverageChart(chart: RatioChart): Markup {
  return bothSizes((size) => drawRatio(chart, size))
}

function drawRatio(chart: RatioChart, size: ChartSize): Markup {
  const box = plotBox(size, HEIGHT[size], TIME_AXIS_HEIGHT + 2)
  const scales: Scales = { x: timeScale(chart.domain, box), y: valueScale(RATIOS, box) }
  const last = chart.points.findLast(({ value }) => value !== null)
  return markup`<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${chart.description}" ${hoverData(chart, box)}>
${valueAxis(RATIOS, box)}
${chart.limits.map((limit) => drawLimit(limit, scales))}
${drawLine(heldToTheEnd(chart), scales, 'main', 'step')}
${endNotes(chart, last?.value ?? null, scales, box)}
${timeAxis(chart.domain, box, box.bottom)}
<line class="cross" y1="${box.top}" y2="${box.bottom}" x1="0" x2="0"/>
</svg>`
}

/** The last tick's value holds for its own interval, as those before it do. */
function heldToTheEnd({ points, domain }: RatioChart): readonly Point[] {
  const last = points.at(-1)
  return last === undefined ? points : [...points, { ...last, at: domain.to }]
}

function drawLimit({ value, domain }: Limit, { x, y }: Scales): Markup {
  const at = px(y(value))
  return markup`<line class="limit" x1="${px(x(domain.from))}" x2="${px(x(domain.to))}" y1="${at}" y2="${at}"/>`
}

/** The last value and the last limit beside the ends of their lines, moved apart. */
function endNotes({ limits, limit_name }: RatioChart, last: DecimalString | null, { y }: Scales, box: Box): Markup {
  const limit = limits.at(-1)?.value ?? null
  const value_y = last === null ? null : y(last)
  const limit_y = limit === null ? null : y(limit)
  const close = value_y !== null && limit_y !== null && Math.abs(value_y - limit_y) < 13
  const shift = close ? (value_y <= limit_y ? 13 - (limit_y - value_y) : -13 + (value_y - limit_y)) : 0
  return markup`<g class="ends">${
    last === null ? null : markup`<text x="${px(box.right + 8)}" y="${px(value_y! + 4)}" class="main">${last}</text>`
  }${
    limit === null
      ? null
      : markup`<text x="${px(box.right + 8)}" y="${px(limit_y! + shift + 4)}" class="context start">${limit_name} ${limit}</text>`
  }</g>`
}
