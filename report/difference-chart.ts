import { bothSizes, type ChartSize, plotBox, px } from './chart-size.ts'
import { hoverData } from './level-chart.ts'
import type { Point } from './line-path.ts'
import { type Markup, markup } from './markup.ts'
import { TIME_AXIS_HEIGHT, type TimeDomain, timeAxis, timeScale } from './time-axis.ts'
import { type ValueDomain, valueAxis, valueDomain, valueScale } from './value-axis.ts'

/** Differences over time; null: not to be had, which is no difference of zero. */
export type DifferenceChart = {
  readonly description: string
  readonly domain: TimeDomain
  readonly points: readonly Point[]
  readonly table: string
}

const HEIGHT = { wide: 130, narrow: 120 } as const

/** A stroke from zero for each tick. Here zero is a value: the two are equal. */
export function differenceChart(chart: DifferenceChart): Markup {
  const values = chart.points.flatMap(({ value }) => value ?? [])
  if (values.length === 0) return markup`<p class="empty">No data: no tick has a level on both sides.</p>`
  const domain = valueDomain(values, { count: 4, zero: true })
  return bothSizes((size) => drawDifferences(chart, domain, size))
}

function drawDifferences(chart: DifferenceChart, values: ValueDomain, size: ChartSize): Markup {
  const box = plotBox(size, HEIGHT[size], TIME_AXIS_HEIGHT + 2)
  const [x, y] = [timeScale(chart.domain, box), valueScale(values, box)]
  const zero = px(y('0'))
  const strokes = chart.points.flatMap(({ at, value }) => {
    const end = value === null ? zero : px(y(value))
    return end === zero ? [] : [`M${px(x(at))} ${zero}V${end}`]
  })
  return markup`<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${chart.description}" ${hoverData(chart, box)}>
${valueAxis(values, box)}
<g class="bars"><path d="${strokes.join('')}"/><line x1="${px(box.left)}" x2="${px(box.right)}" y1="${zero}" y2="${zero}"/></g>
${timeAxis(chart.domain, box, box.bottom)}
<line class="cross" y1="${box.top}" y2="${box.bottom}" x1="0" x2="0"/>
</svg>`
}
