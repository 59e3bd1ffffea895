import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DefinedVersion, decodeDefinition } from '../../pipelines/index/definition.ts'
import type { DefinitionFile } from '../../pipelines/index/definition-schema.ts'
import { indexRecord, methodologyRecord, versionRecord } from '../../pipelines/index/version-record.ts'
import { eventIdOf, marketIdOf, outcomeIdOf, quoteIdOf } from '../../pipelines/venues/identity.ts'
import { FIRST_REVISION } from '../../primitives/append-only.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { MINUTE, seeded, YEAR_START } from './synthetic-books.ts'

const VENUE = 'bench'
const OUTCOMES = ['YES', 'NO'] as const

export type PublishWorldSize = { readonly indexes: number; readonly constituents: number; readonly markets: number }

/** A warehouse whose clock stands where it is put, with indexes over invented markets that quote each minute. */
export type PublishWorld = {
  readonly warehouse: Warehouse
  readonly index_ids: readonly string[]
  /** A fresh book of both outcomes of each market, committed between two ticks; then the clock stands at the tick and its grace. */
  nextMinute(): Promise<Micros>
  /** Books of so many minutes at once, each received when it was about; then the clock stands a minute after them. */
  history(minutes: number): Promise<void>
  close(): Promise<void>
}

/** Opens one in a folder of its own. */
export async function publishWorld(size: PublishWorldSize): Promise<PublishWorld> {
  const root = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const clock = { now: YEAR_START - 2 * MINUTE }
  const ports = { now: async () => clock.now, without_clock_guards: true }
  const warehouse = await openWarehouse({ root: join(root, 'warehouse'), create: true, ports })
  const append = appender(warehouse)
  const files = Array.from({ length: size.indexes }, (_, i) => definitionFile(i, size))
  const defined = files.map((file) => decodeDefinition(file))
  await append(
    'market',
    Array.from({ length: size.markets }, (_, market) => marketRow(market)),
  )
  await append('methodology', [methodologyRecord(defined[0]!)])
  await append(
    'index_definition',
    defined.map(({ index }) => ({ ...FIRST_REVISION, ...indexRecord(index) })),
  )
  await append(
    'index_version',
    defined.flatMap(({ versions }) => versions.map((version: DefinedVersion) => versionRecord(version, null) as Row)),
  )
  const mids = Array.from({ length: size.markets }, (_, market) => 200_000 + ((market * 7919) % 600_000))
  const random = seeded(11)
  let minute = 0
  const books = (at: Micros) =>
    mids.flatMap((mid, market) => {
      mids[market] = Math.min(950_000, Math.max(50_000, mid + Math.floor(random() * 2001) - 1000))
      return quoteRows(market, mids[market]!, at - Math.floor(random() * 20_000) * 1000)
    })
  return {
    warehouse,
    index_ids: files.map(({ index }) => index.index_id),
    async nextMinute() {
      const tick = YEAR_START + minute * MINUTE
      minute += 1
      clock.now = tick - 10_000_000
      await append('market_quote', books(clock.now))
      clock.now = tick + 5_500_000
      return tick
    },
    async history(minutes) {
      const day = 1440
      clock.now = YEAR_START + (minutes + 1) * MINUTE
      for (; minute < minutes; minute += day) {
        const ticks = Array.from({ length: Math.min(day, minutes - minute) }, (_, i) => minute + i)
        await append(
          'market_quote',
          ticks.flatMap((i) => books(YEAR_START + i * MINUTE - 10_000_000)),
        )
      }
    },
    async close() {
      await warehouse.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function appender(warehouse: Warehouse) {
  let app_sequence = 0
  return async (table: TableName, rows: readonly Row[]): Promise<void> => {
    app_sequence += 1
    await warehouse.append(table, rows, { app_id: 'bench', app_sequence, stamp: { kind: 'wall' }, operation: 'BENCH' })
  }
}

function definitionFile(i: number, { constituents, markets }: PublishWorldSize): DefinitionFile {
  const names = { slug: `bench-${i}`, symbol: `BENCH${i}`, name: `Bench ${i}` }
  const base_date = formatMicros(YEAR_START)
  return {
    index: { index_id: `idx_bench_${i}`, ...names, base_value: '1000', base_date },
    methodology: { methodology_id: 'mth_bench', version: '1', name: 'Bench', parameters: { mode: 'chain_linked' } },
    versions: [
      {
        version: '1',
        effective_from: base_date,
        calculation_frequency: 'PT1M',
        constituents: Array.from({ length: constituents }, (_, n) => ({
          constituent_id: `con_${String(n).padStart(3, '0')}`,
          venue_id: VENUE,
          source_market_id: `m${(i * 131 + n * 17) % markets}`,
          outcome: 'YES',
          target_weight: (1 / constituents).toFixed(10),
          normalization: n % 5 === 4 ? 'inverse' : 'probability_0_1',
        })),
      },
    ],
  }
}

function marketRow(market: number): Row {
  const source_market_id = `m${market}`
  const market_id = marketIdOf(VENUE, source_market_id)
  const at = formatMicros(YEAR_START - 3 * MINUTE)
  return {
    market_id,
    revision: 1,
    event_id: eventIdOf(VENUE, source_market_id),
    title: source_market_id,
    status: 'open',
    outcome_type: 'binary',
    outcomes: OUTCOMES.map((label) => ({ outcome_id: outcomeIdOf(market_id, label), label })),
    source_at: at,
    received_at: at,
  }
}

function quoteRows(market: number, mid: number, source_at: Micros): Row[] {
  const source_market_id = `m${market}`
  const market_id = marketIdOf(VENUE, source_market_id)
  const at = formatMicros(source_at)
  return OUTCOMES.map((outcome) => {
    const middle = outcome === 'YES' ? mid : 1_000_000 - mid
    const instrument = { venue_id: VENUE, source_series_id: null, source_market_id, outcome }
    return {
      record_id: quoteIdOf(instrument, at, at),
      revision: 1,
      venue_id: VENUE,
      source_market_id,
      market_id,
      outcome_id: outcomeIdOf(market_id, outcome),
      bid: `0.${String(middle - 4_000).padStart(6, '0')}000`,
      ask: `0.${String(middle + 4_000).padStart(6, '0')}000`,
      bid_depth: '120.000000',
      ask_depth: '80.000000',
      source_at: at,
      received_at: at,
    }
  })
}
