import type { Leg } from '../../../../pipelines/index/version.ts'
import { outcomeIdOf } from '../../../../pipelines/revisions/identity.ts'
import { formatMicros, type Micros, toMicros } from '../../../../primitives/instants.ts'
import type { Row } from '../../../../warehouse/schema.ts'
import type { TableName } from '../../../../warehouse/tables.ts'
import { numbers } from '../../../pipelines/index/exact/support/archive-specs.ts'

export const START: Micros = toMicros('2026-01-01T00:00:00Z')
export const SECOND: Micros = 1_000_000
export const MINUTE: Micros = 60 * SECOND

/** Rows committed to one table at one instant. */
export type CourseCommit = { readonly at: Micros; readonly table: TableName; readonly rows: readonly Row[] }

/**
 * Returns some minutes of binary markets' data as commits in order of time: books on both sides, tight and wide,
 * spikes, silences, rows that arrive minutes late or before their time, revisions, records that close a market at an
 * instant before its newest quotes, resolutions that are proposed and become final.
 */
export function randomCourse(seed: number, legs: readonly Leg[], minutes: number): CourseCommit[] {
  const random = numbers(seed)
  const commits: CourseCommit[] = [
    {
      at: START - 2 * MINUTE,
      table: 'market',
      rows: legs.map((leg) => marketRow(leg, null, null, 1, START - 3 * MINUTE)),
    },
  ]
  const mids = new Map(legs.map((leg) => [leg.key, 300 + random(400)]))
  const ends = new Map(legs.map((leg) => [leg.key, random(3) === 0 ? minutes / 2 + random(minutes / 2) : minutes * 2]))
  let revision = 1
  for (let second = 7; second < minutes * 60; second += 13 + random(20)) {
    const at = START + second * SECOND
    const quotes: Row[] = []
    for (const leg of legs) {
      const end = ends.get(leg.key)! * 60
      if (random(3) === 0 || second > end + 240) continue
      mids.set(leg.key, Math.max(50, Math.min(950, mids.get(leg.key)! + random(21) - 10)))
      quotes.push(...quoteRows(leg, mids.get(leg.key)!, at, random))
      if (second > end && second - end < 33) {
        revision += 1
        commits.push({
          at,
          table: 'market',
          rows: [marketRow(leg, 'closed', START + (end - random(200)) * SECOND, revision, at)],
        })
      }
      if (second > end + 60 && second - end < 93)
        commits.push(resolution(leg, 'proposed', at - random(150) * SECOND, at))
      if (second > end + 120 && second - end < 153) commits.push(resolution(leg, 'final', at - SECOND, at))
    }
    if (quotes.length > 0) commits.push({ at, table: 'market_quote', rows: quotes })
  }
  return commits
}

function quoteRows(leg: Leg, mid: number, at: Micros, random: (below: number) => number): Row[] {
  const dice = random(12)
  const late = dice === 0 ? random(400) * SECOND : dice === 1 ? -random(50) * SECOND : random(5) * SECOND
  const source_at = at - late
  const price = dice === 2 ? Math.max(10, Math.min(940, mid + 250)) : mid
  const spread = dice === 3 ? 150 : dice === 4 ? -5 : 10
  const own = quoteRow(leg, leg.outcome_id, price, spread, source_at, at, 1)
  const other = quoteRow(leg, outcomeIdOf(leg.market_id, 'NO'), 1000 - price - spread, spread, source_at, at, 1)
  const rows = dice === 5 ? [other] : dice === 6 ? [own, other] : [own]
  return dice === 7 ? [own, { ...quoteRow(leg, leg.outcome_id, price + 7, spread, source_at, at, 2) }] : rows
}

function quoteRow(
  leg: Leg,
  outcome_id: string,
  bid: number,
  spread: number,
  source_at: Micros,
  received_at: Micros,
  revision: number,
): Row {
  const price = (thousandths: number) => (thousandths / 1000).toFixed(9)
  return {
    record_id: `obs_${outcome_id}_${source_at}_${received_at}_${revision}`,
    revision,
    venue_id: leg.venue_id,
    source_series_id: null,
    source_market_id: leg.source_market_id,
    market_id: leg.market_id,
    outcome_id,
    bid: price(bid),
    ask: price(bid + spread),
    source_at: formatMicros(source_at),
    received_at: formatMicros(received_at),
  }
}

function marketRow(leg: Leg, status: string | null, closes_at: Micros | null, revision: number, at: Micros): Row {
  return {
    market_id: leg.market_id,
    revision,
    event_id: leg.event_id,
    title: leg.source_market_id,
    status,
    outcome_type: 'binary',
    outcomes: ['YES', 'NO'].map((label) => ({ outcome_id: outcomeIdOf(leg.market_id, label), label })),
    schedule: {
      opens_at: null,
      closes_at: closes_at === null ? null : formatMicros(closes_at),
      expected_resolution_at: null,
    },
    source_at: formatMicros(at),
    received_at: formatMicros(at),
  }
}

function resolution(leg: Leg, finality: string, source_at: Micros, at: Micros): CourseCommit {
  const row = {
    resolution_id: `res_${leg.market_id}_${source_at}`,
    revision: 1,
    market_id: leg.market_id,
    venue_id: leg.venue_id,
    source_market_id: leg.source_market_id,
    payouts: [
      { outcome_id: leg.outcome_id, payout: '1.000000000' },
      { outcome_id: outcomeIdOf(leg.market_id, 'NO'), payout: '0.000000000' },
    ],
    finality,
    source_at: formatMicros(source_at),
    received_at: formatMicros(at),
  }
  return { at, table: 'market_resolution', rows: [row] }
}
