import type { DecimalString } from '../primitives/decimal.ts'
import { type Box, px } from './chart-size.ts'
import { drawLine, type Point, type Scales } from './line-path.ts'
import { type Markup, markup } from './markup.ts'
import { stateRibbon } from './state-band.ts'
import type { StateRun } from './state-runs.ts'
import { type TimeDomain, timeScale, timeTicks } from './time-axis.ts'
import { fixedDomain, valueScale } from './value-axis.ts'

/** One constituent over time: x of the methodology, and how fresh it was. */
export type ConstituentSeries = {
  readonly constituent_id: string
  /** Market that it reads. */
  readonly source: string
  readonly last_value: DecimalString | null
  readonly points: readonly Point[]
  readonly freshness: readonly StateRun[]
}

const BOX: Box = { width: 268, height: 114, left: 26, right: 262, top: 8, bottom: 78 }
const VALUES = fixedDomain('0', '1', '0.5')
const RIBBON = 8

/** A small picture of one constituent; all share the same axes, so that they compare. */
export function constituentChart(series: ConstituentSeries, domain: TimeDomain): Markup {
  const scales: Scales = { x: timeScale(domain, BOX), y: valueScale(VALUES, BOX) }
  const description = `Value of ${series.constituent_id} over time, from 0 to 1; last ${series.last_value ?? 'missing'}`
  return markup`<figure class="small">
<figcaption><b>${series.constituent_id}</b><span class="num">${series.last_value ?? 'missing'}</span><small>${series.source}</small></figcaption>
<svg viewBox="0 0 ${BOX.width} ${BOX.height}" role="img" aria-label="${description}">
${VALUES.ticks.map((value) => smallLabel(value, scales))}
${drawLine(series.points, scales, 'main')}
${stateRibbon(series.freshness, scales.x, BOX.bottom + 3, { height: RIBBON })}
${smallTimeAxis(domain, scales)}
</svg></figure>`
}

function smallLabel(value: DecimalString, { y }: Scales): Markup {
  const at = y(value)
  return markup`<g class="axis values"><line x1="${BOX.left}" x2="${BOX.right}" y1="${px(at)}" y2="${px(at)}"/><text x="${BOX.left - 5}" y="${px(at + 3.5)}">${value}</text></g>`
}

function smallTimeAxis(domain: TimeDomain, { x }: Scales): Markup {
  const y = BOX.bottom + RIBBON + 6
  const ticks = timeTicks(domain, 3)
  return markup`<g class="axis">${ticks.map(
    ({ at, label, context }) =>
      markup`<line x1="${px(x(at))}" x2="${px(x(at))}" y1="${px(y)}" y2="${px(y + 3)}"/><text x="${px(x(at))}" y="${px(y + 14)}">${context === null || !/^\d{4}$/.test(context) ? label : `${label} ${context}`}</text>`,
  )}</g>`
}
