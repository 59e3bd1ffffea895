import fc from 'fast-check'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { type TableName, tableSchema } from '../../../warehouse/tables.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'

/** Random rows of every table that a reader follows: few keys, so that chains get revisions, late rows and ties. */

export const START: Micros = Date.UTC(2026, 0, 1, 22) * 1000
export const MINUTE: Micros = 60_000_000

/** One commit: rows of one table, published together. */
export type WorldCommit = { readonly table: TableName; readonly at: Micros; readonly rows: readonly Row[] }

const minute = (n: number) => formatMicros(START + n * MINUTE)
/** Chains are of coarse instants, so that most of them are corrected. */
const coarse = (n: number) => minute(n - (n % 20))
const pick = (n: number) => fc.integer({ min: 0, max: n - 1 })
const price = fc.integer({ min: 1, max: 99 }).map((n) => `0.${String(n).padStart(2, '0')}0000000`)
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 3 })
const quality = fc.constantFrom('valid', 'valid', 'valid', 'stale', 'degraded', 'suspended')

const payoutsOf = (market_number: number, paid: number) =>
  [
    ['1', '0'],
    ['0', '1'],
    ['0.4', '0.6'],
  ][paid]!.map((payout, place) => ({
    outcome_id: `out_${market_number}_${place}`,
    payout,
  }))

/** A row without its revision, which follows from the rows before it; `now` is the minute of publication. */
type Draft = { readonly row: (now: number) => Row; readonly id: string | null }

const of = (
  table: string,
  arbitrary: fc.Arbitrary<(now: number) => Row>,
  id: string | null,
): [string, fc.Arbitrary<Draft>] => [table, arbitrary.map((row) => ({ row, id }))]

const received = { lag: fc.integer({ min: 0, max: 40 }), receipt: fc.integer({ min: 0, max: 10 }) }
const times = ({ lag, receipt }: { lag: number; receipt: number }, now: number) => ({
  source_at: coarse(Math.max(0, now - lag - receipt)),
  received_at: minute(Math.max(0, now - receipt)),
})
const market = (n: number) => ({
  venue_id: 'tiny',
  source_series_id: n === 2 ? null : 's1',
  source_market_id: `m${n}`,
  market_id: `mkt_${n}`,
})

const DRAFTS = new Map<string, fc.Arbitrary<Draft>>([
  of(
    'index_definition',
    fc
      .record({ n: pick(3), name: fc.string(), status: fc.constantFrom('active', 'suspended') })
      .map(({ n, name, status }) => () => ({
        index_id: `idx_${n}`,
        slug: `s${n}`,
        symbol: `S${n}`,
        name,
        status,
        unit: 'index_points',
        base_value: '1000',
        base_date: minute(0),
      })),
    null,
  ),
  of(
    'index_version',
    fc.record({ n: pick(3), v: pick(60), from: fc.integer({ min: -300, max: 900 }) }).map(({ n, v, from }) => () => ({
      index_version_id: `idv_${n}_${v}`,
      index_id: `idx_${n}`,
      version: String(v),
      status: 'approved',
      effective_from: minute(from - (from % 60)),
      mode: 'gauge',
      weight_sum: '1',
      definition: '{}',
    })),
    null,
  ),
  of(
    'index_link',
    fc.record({ n: pick(3), v: pick(4), factor: fc.integer({ min: 1, max: 99 }) }).map(({ n, v, factor }) => (now) => ({
      index_id: `idx_${n}`,
      index_version_id: `idv_${n}_${v}`,
      link_factor: `${factor}`,
      link_at: minute(now),
    })),
    null,
  ),
  of(
    'methodology',
    fc.record({ n: fc.integer({ min: 0, max: 1_000_000 }) }).map(({ n }) => () => ({
      methodology_id: 'mth_a',
      version: String(n),
      status: 'active',
      content_hash: 'x',
      parameters: '{}',
      text_sha256: 'x',
    })),
    null,
  ),
  of(
    'event',
    fc
      .record({
        n: pick(2),
        title: fc.string(),
        category: maybe(fc.constantFrom('a', 'b')),
        status: fc.constantFrom(null, null, 'ended'),
        ...received,
      })
      .map((d) => (now) => ({
        event_id: `evt_${d.n}`,
        title: d.title,
        category: d.category,
        status: d.status,
        market_ids: [`mkt_${d.n}`, ...(d.n === 0 ? ['mkt_2'] : [])],
        ...times(d, now),
      })),
    'event_id',
  ),
  of(
    'market',
    fc
      .record({
        n: pick(3),
        title: fc.string(),
        status: maybe(fc.constantFrom('open', 'closed', 'resolved', 'voided')),
        criteria: maybe(fc.string({ unit: 'grapheme' })),
        sources: fc.constantFrom([], ['https://a.example'], ['https://a.example', 'https://b.example']),
        version: fc.constantFrom(null, null, '3'),
        ...received,
      })
      .map((d) => (now) => ({
        market_id: `mkt_${d.n}`,
        event_id: `evt_${d.n % 2}`,
        title: d.title,
        status: d.status,
        outcome_type: 'binary',
        outcomes: [0, 1].map((place) => ({ outcome_id: `out_${d.n}_${place}`, label: `${place}` })),
        rules: {
          resolution_question: d.title,
          resolution_criteria: d.criteria,
          resolution_sources: d.sources,
          rules_version: d.version,
        },
        venue_mapping: { venue_id: ['kalshi', 'tidemark', 'tiny'][d.n]!, source_market_id: `m${d.n}` },
        ...times(d, now),
      })),
    'market_id',
  ),
  of(
    'market_resolution',
    fc
      .record({ n: pick(3), finality: fc.constantFrom('proposed', 'final', 'withdrawn'), paid: pick(3), ...received })
      .map((d) => (now) => ({
        ...market(d.n),
        finality: d.finality,
        payouts: d.finality === 'withdrawn' ? [] : payoutsOf(d.n, d.paid),
        ...times(d, now),
      })),
    'resolution_id',
  ),
  of(
    'market_eligibility',
    fc.record({ n: pick(3), status: fc.constantFrom('eligible', 'excluded') }).map((d) => (now) => ({
      market_id: `mkt_${d.n}`,
      status: d.status,
      policy_id: 'pol',
      policy_version: '1',
      evaluated_at: minute(now),
    })),
    'eligibility_id',
  ),
  of(
    'market_metric',
    fc.record({ n: pick(3), volume: price, ...received }).map((d) => (now) => ({
      ...{ venue_id: 'tiny', source_market_id: `m${d.n}`, market_id: `mkt_${d.n}` },
      volume_24h: d.volume,
      ...times(d, now),
    })),
    'metric_id',
  ),
  of(
    'index_observation',
    fc
      .record({ n: pick(3), back: fc.integer({ min: 0, max: 30 }), level: fc.integer({ min: 1, max: 99 }), quality })
      .map((d) => (now) => ({
        index_id: `idx_${d.n}`,
        index_version_id: `idv_${d.n}`,
        methodology_version: '1.0.0',
        tick_at: coarse(now - d.back),
        level: d.quality === 'suspended' ? null : `${d.level}.5000`,
        calculated_at: d.quality === 'suspended' ? null : minute(now),
        source_cutoff_at: d.quality === 'suspended' ? null : coarse(now - d.back),
        quality_state: d.quality,
        coverage_ratio: '0.900000',
        record_hash: 'x',
        inputs: [{ constituent_id: 'con_a', market_id: 'mkt_0', raw_value: '0.500000' }],
      })),
    'observation_id',
  ),
  of(
    'market_quote',
    fc
      .record({
        n: pick(3),
        outcome: pick(2),
        bid: maybe(price),
        ask: maybe(price),
        last: maybe(price),
        quality: maybe(quality),
        ...received,
      })
      .map((d) => (now) => ({
        ...market(d.n),
        outcome_id: `out_${d.n}_${d.outcome}`,
        bid: d.bid,
        ask: d.ask,
        last_trade: d.last,
        quality_state: d.quality,
        ...times(d, now),
      })),
    'record_id',
  ),
  of(
    'market_mark',
    fc
      .record({ n: pick(3), outcome: pick(2), back: pick(20), mark: maybe(price), midpoint: maybe(price), quality })
      .map((d) => (now) => ({
        ...market(d.n),
        outcome_id: `out_${d.n}_${d.outcome}`,
        tick_at: coarse(now - d.back),
        mark: d.mark?.slice(0, 8) ?? null,
        mark_rule: 'M1',
        midpoint: d.midpoint,
        source_observation_ids: ['obs_a.bid'],
        quality_state: d.quality,
        source_at: minute(now - d.back - 1),
        received_at: minute(now - d.back),
        calculated_at: minute(now),
        methodology_id: 'mth_a',
        methodology_version: '1.0.0',
      })),
    'mark_id',
  ),
  of(
    'order_book',
    fc.record({ n: pick(3), bid: price, ...received }).map((d) => (now) => ({
      ...market(d.n),
      outcome_id: `out_${d.n}_0`,
      price_unit: 'probability',
      bids: [{ price: d.bid, quantity: '10' }],
      asks: [],
      asks_derived: false,
      ...times(d, now),
    })),
    'order_book_id',
  ),
  of(
    'public_trade',
    fc.record({ n: pick(3), price, id: pick(400), voids: pick(9), ...received }).map((d) => (now) => ({
      ...market(d.n),
      outcome_id: `out_${d.n}_${d.id % 2}`,
      price: d.price,
      quantity: '1',
      source_trade_id: `t${d.id}`,
      // Every seventh trade id is of another feed, which reported a trade of the first one.
      first_source_trade_id: d.id % 7 === 6 ? `t${d.id - 6}` : d.id % 7 === 0 ? `t${d.id}` : null,
      correction_kind: d.voids === 0 ? 'void' : null,
      ...times(d, now),
    })),
    'trade_id',
  ),
])

/** Commits at ascending minutes over a few days, each of one table. */
export function worldCommits(seed: number, count: number): WorldCommit[] {
  const draft = fc.constantFrom(...DRAFTS.keys()).chain((table) => {
    return fc
      .array(DRAFTS.get(table)!, { minLength: 1, maxLength: 14 })
      .map((drafts) => ({ table: table as TableName, drafts }))
  })
  const drafts = fc.sample(draft, { seed, numRuns: count })
  const chains = new Map<string, Row[]>()
  return drafts.map(({ table, drafts: of_commit }, place) => {
    const now = 60 + place * 7
    const rows = of_commit.map(({ row, id }) => revised(table, row(now), id, chains))
    return { table, at: START + now * MINUTE, rows: rows.filter((row) => row !== null) }
  })
}

/** Numbers a row in its chain as the warehouse's rule has it; null where a table takes no second row of a chain. */
function revised(table: TableName, row: Row, id: string | null, chains: Map<string, Row[]>): Row | null {
  const place = [...chains.values()].reduce((sum, rows) => sum + rows.length, 0)
  const { columns, chain } = tableSchema(table)
  const key = JSON.stringify([table, ...chain.map((column) => row[column] ?? null)])
  const before = chains.get(key) ?? []
  if (before.length > 0 && !('revision' in columns)) return null
  const revision = Math.max(0, ...before.map((known) => known.revision as number)) + 1
  const confirmed = 'confirms_id' in columns && place % 3 === 0 ? confirmedBy(row, before) : null
  const numbered: Row = {
    ...row,
    ...('revision' in columns ? { revision } : {}),
    ...(table === 'public_trade' ? { supersedes_id: supersededBy(row, before) } : {}),
    ...(confirmed === null
      ? {}
      : confirmation(row, { confirmed, id: id!, revision, is_old: place % 2 === 0, columns })),
    ...(id === null || id in row ? {} : { [id]: `${table.slice(0, 3)}_${(place * 7919) % 99_991}` }),
  }
  chains.set(key, [...before, numbered])
  return numbered
}

/** Returns the current row of a chain, if it was received before the row that may confirm it. */
function confirmedBy({ received_at }: Row, before: readonly Row[]): Row | null {
  const current = [...before].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)).at(-1)
  return current === undefined || String(current.received_at) >= String(received_at) ? null : current
}

/** Returns the columns of a row that states the same as the current one; earlier releases stored it as a revision. */
function confirmation(
  { received_at }: Row,
  of: { confirmed: Row; id: string; revision: number; is_old: boolean; columns: object },
): Row {
  const { confirmed, id, revision, is_old, columns } = of
  const { [id]: confirmed_id, ...values } = confirmed
  const instant = 'confirmed_at' in columns ? { confirmed_at: received_at! } : {}
  return is_old
    ? {
        ...values,
        ...instant,
        received_at: received_at!,
        revision,
        supersedes_id: confirmed_id!,
        correction_reason: 'CONFIRMED',
      }
    : {
        ...values,
        ...instant,
        received_at: received_at!,
        supersedes_id: null,
        correction_reason: null,
        confirms_id: confirmed_id!,
      }
}

const orderOf = (row: Row) => `${String(row.received_at)} ${String(row.revision).padStart(6, '0')}`

/** Returns the id of the trade that a report supersedes: the current one, unless it was received after the report. */
function supersededBy({ received_at }: Row, before: readonly Row[]): string | null {
  const current = [...before].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)).at(-1)
  return current === undefined || String(current.received_at) > String(received_at) ? null : String(current.trade_id)
}

/** Writes the commits in their order, and says which version of its table each became. */
export async function writeWorld(
  warehouse: Warehouse,
  commits: readonly WorldCommit[],
  versions: Map<WorldCommit, number>,
): Promise<void> {
  for (const commit of commits) {
    const { table, at, rows } = commit
    if (rows.length === 0) continue
    const stamp = { kind: 'recorded', at } as const
    const options = { app_id: 'world', app_sequence: at, stamp, operation: 'TEST' }
    versions.set(commit, (await warehouse.append(table, rows, options)).version)
  }
}
