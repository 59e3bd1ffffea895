import { expect, test } from 'vitest'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { openMemoryDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'
import type { HistorySource } from '../../../warehouse/reader/history/history-source.ts'
import { quotesById } from '../../../warehouse/reader/history/quotes-by-id.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { LiveFile, Snapshot } from '../../../warehouse/warehouse.ts'

const HOUR: Micros = 3_600_000_000
const START: Micros = Date.UTC(2026, 0, 1) * 1000
const HOURS_A_FILE = 10
const FILES = 6
const at = (hour: number): Micros => START + hour * HOUR
const nameOf = (hour: number) => `obs_${hour}`
const hoursOf = (file: number) => Array.from({ length: HOURS_A_FILE }, (_, n) => file * HOURS_A_FILE + n)

/** Files of one market with a quote an hour, which all became known at the same instant. */
const files = Array.from({ length: FILES }, (_, n) => {
  const hours = hoursOf(n)
  const [least, greatest] = [hours[0]!, hours.at(-1)!].map((hour) => formatMicros(at(hour)))
  const stats = JSON.stringify({
    numRecords: HOURS_A_FILE,
    minValues: { source_at: least, market_id: 'mkt_a' },
    maxValues: { source_at: greatest, market_id: 'mkt_a' },
    nullCount: { source_at: 0 },
  })
  return { key: String(n), rows: HOURS_A_FILE, stats, stamp_min: at(100), stamp_max: at(100) } as unknown as LiveFile
})

const UNUSED =
  "'1' as revision, 'o' as outcome_id, 'v' as venue_id, 0 as received_at, 0 as bid, 0 as ask, 0 as bid_depth, " +
  '0 as ask_depth, 0 as last_trade, 0 as last_trade_at, 0 as reported_probability, 0 as confirmed_at'

function relationOf(some: readonly LiveFile[]): string {
  const rows = some
    .flatMap(({ key }) => hoursOf(Number(key)))
    .map((hour) => `('${nameOf(hour)}', timestamptz '${formatMicros(at(hour))}', ${hour})`)
  const known = `timestamptz '${formatMicros(at(100))}' as published_at, 'mkt_a' as market_id, ${UNUSED}`
  return `(select *, ${known} from (values ${rows.join(', ')}) as q (record_id, source_at, row_ordinal))`
}

/** Asks the files for quotes. @returns the quotes found, and the files that were read */
async function ask(record_ids: readonly string[], from: number, to: number) {
  const { connection, close } = await openMemoryDatabase({ threads: '1' })
  const read: string[] = []
  const source: Pick<HistorySource, 'query' | 'snapshot'> = {
    snapshot: async () => ({ files }) as unknown as Snapshot,
    async query(asked, sql, params) {
      read.push(...asked.files.map(({ key }) => key))
      return readRows(connection, sql(relationOf), params)
    },
  }
  const bounds = { source_from: at(from), source_to: at(to), as_of: at(100) }
  const rows = await quotesById(source as HistorySource, { record_ids, market_ids: ['mkt_a'], ...bounds })
  close()
  return { found: rows.map((row: Row) => String(row.record_id)).sort(), read }
}

const named = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => nameOf(from + n)).sort()

test.each([
  ['within a file', 12, 17, ['1']],
  ['over the border of two files', 15, 25, ['1', '2']],
  ['from the first to the last quote of a file', 20, 29, ['2']],
  ['of one quote that begins a file', 30, 30, ['3']],
])('a range %s finds its quotes, bounds included, and reads no file beyond it', async (_name, from, to, expected) => {
  const ids = Array.from({ length: FILES * HOURS_A_FILE }, (_, hour) => nameOf(hour))
  expect(await ask(ids, from, to)).toEqual({ found: named(from, to), read: expected })
  expect(await ask(named(from, to), 0, 59)).toMatchObject({ found: named(from, to) })
})
