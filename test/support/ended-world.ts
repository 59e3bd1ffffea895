import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { Band } from '../../vocabulary/rating.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { modelRow } from './review-world.ts'

/** A market that ended: how it was rated two days before, and what became of it. */
export type EndedCase = {
  readonly market_id: string
  /** null: never rated. */
  readonly band: Band | null
  readonly is_disputed?: boolean
  /** Hours from the close to the final outcome; null: there is none. */
  readonly final_h?: number | null
  /** The final outcome has no winner. */
  readonly is_void?: boolean
  /** Published at the close: what a look at the day before must not see. */
  readonly band_later?: Band
}

const HOUR = MICROS_PER_DAY / 24
const FIRST = { revision: 1, supersedes_id: null, correction_reason: null }
let steps = 0

async function append(warehouse: Warehouse, table: TableName, rows: readonly Row[], at: Micros): Promise<void> {
  steps += 1
  if (rows.length === 0) return
  const stamp = { kind: 'recorded', at } as const
  await warehouse.append(table, rows, { app_id: `ended ${steps}`, app_sequence: 1, stamp, operation: 'TEST' })
}

/** Writes markets that close at `close`, their ratings and outcomes; the venue is heard of until a week after. */
export async function writeEnded(warehouse: Warehouse, cases: readonly EndedCase[], close: Micros): Promise<void> {
  const rated = cases.flatMap(({ market_id, band }) =>
    band === null ? [] : [modelRow(market_id, band, close - 2 * MICROS_PER_DAY)],
  )
  const later = cases.flatMap(({ market_id, band_later }) =>
    band_later === undefined ? [] : [modelRow(market_id, band_later, close - HOUR)],
  )
  const heard = {
    ...marketRow('mkt_heard', close + 90 * MICROS_PER_DAY),
    received_at: formatMicros(close + 7 * MICROS_PER_DAY),
  }
  await append(
    warehouse,
    'market',
    cases.map(({ market_id }) => marketRow(market_id, close)),
    close - 9 * MICROS_PER_DAY,
  )
  await append(warehouse, 'market', [heard], close + 7 * MICROS_PER_DAY)
  await append(warehouse, 'market_rating', rated, close - 2 * MICROS_PER_DAY)
  await append(warehouse, 'market_rating', later, close)
  await append(
    warehouse,
    'market_resolution',
    cases.flatMap((one) => outcomesOf(one, close)),
    close + 7 * MICROS_PER_DAY,
  )
}

function marketRow(market_id: string, close: Micros): Row {
  const at = formatMicros(close - 9 * MICROS_PER_DAY)
  return {
    market_id,
    ...FIRST,
    event_id: `evt_${market_id}`,
    title: `Will ${market_id} happen?`,
    status: 'open',
    outcome_type: 'binary',
    schedule: { closes_at: formatMicros(close) },
    venue_mapping: { venue_id: 'kalshi', source_market_id: market_id, source_outcome_ids: [] },
    source_at: at,
    received_at: at,
  }
}

function outcomesOf({ market_id, is_disputed, final_h = 6, is_void }: EndedCase, close: Micros): Row[] {
  const row = (finality: string, hours: number, more: object): Row => {
    const at = formatMicros(close + hours * HOUR)
    const base = { venue_id: 'kalshi', source_market_id: market_id, market_id, resolved_at: at, source_at: at }
    return {
      resolution_id: deriveId('res', market_id, finality),
      ...FIRST,
      ...base,
      finality,
      received_at: at,
      ...more,
    }
  }
  const winner = { winning_outcome_ids: is_void === true ? [] : [`out_${market_id}`] }
  return [
    ...(is_disputed === true ? [row('disputed', 2, { resolved_at: null })] : []),
    ...(final_h === null ? [] : [row('final', final_h, winner)]),
  ]
}
