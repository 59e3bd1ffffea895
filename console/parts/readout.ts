import { asPercent, groupDigits } from '../data/decimal-text.ts'
import { showMinute } from '../data/instant-text.ts'
import { html } from '../html.ts'
import type { ChartPoint } from './chart-data.ts'

type Item = readonly [name: string, value: string]

/** Exact values of a chart point, with the digits of the API. */
function itemsOf({ level, candle, equity }: ChartPoint): readonly Item[] {
  if (equity !== undefined) {
    const known = (value: string | null) => (value === null ? 'unknown' : groupDigits(value))
    const { cash, holdings_value, net_deposits } = equity
    return [
      ['equity', known(equity.equity)],
      ['cash', known(cash)],
      ['holdings', known(holdings_value)],
      ['deposited', known(net_deposits)],
    ]
  }
  if (candle !== null) {
    const { open, high, low, close, observation_count, quality_states } = candle
    const prices = Object.entries({ open, high, low, close }).map(([name, value]): Item => [name, groupDigits(value)])
    return [...prices, ['levels', String(observation_count)], ['quality', quality_states.join(', ')]]
  }
  if (level === null) return [['level', 'none']]
  const { quality_state, underlying_quality_state, coverage_ratio, revision } = level
  const is_other = underlying_quality_state !== null && underlying_quality_state !== quality_state
  return [
    ['level', level.level === null ? 'none' : groupDigits(level.level)],
    ['quality', is_other ? `${quality_state} (${underlying_quality_state})` : `${quality_state}`],
    ['coverage', coverage_ratio === null ? 'none' : `${asPercent(coverage_ratio)} %`],
    ...(revision > 1 ? [revisionItem(revision)] : []),
  ]
}

function revisionItem(revision: number): Item {
  return ['revision', String(revision)]
}

function whenOf({ level, candle, equity, x }: ChartPoint): string {
  const instant = level?.tick_at ?? equity?.at ?? candle?.bucket_start ?? new Date(x * 1000).toISOString()
  if (candle?.bucket_start.includes('T00:00:00') && candle.bucket_end.includes('T00:00:00')) return instant.slice(0, 10)
  return candle === null ? showMinute(instant) : `${showMinute(instant)} to ${showMinute(candle.bucket_end).slice(11)}`
}

/** Describes a point in one sentence, for screen readers. */
export function describePoint(point: ChartPoint | null): string {
  if (point === null) return 'no level'
  return `${whenOf(point)} UTC, ${itemsOf(point)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`
}

/** Exact values of the point under the pointer or the keys. */
export function Readout({ point }: { point: ChartPoint | null }) {
  if (point === null) return html`<p class="readout"> </p>`
  return html`<p class="readout">
    <span class="when">${whenOf(point)}</span>
    ${itemsOf(point).map(([name, value]) => html`<span key=${name}><i>${name}</i> <b>${value}</b></span>`)}
  </p>`
}
