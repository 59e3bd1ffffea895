/**
 * Measures reads of a market's rating over HTTP beside the price of that market and the level of an index, from the same process
 * in turns. In requests per second of the server's CPU; the query engine is idle.
 * Goals: at least the rate of the price, and 0.85 of the rate of the level, although a rating is more bytes.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { modelRating } from '../pipelines/rating/rating-record.ts'
import { invariant } from '../primitives/errors.ts'
import { sha256Hex } from '../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../primitives/instants.ts'
import { RATING_COMPONENTS } from '../vocabulary/rating.ts'
import type { Row } from '../warehouse/schema.ts'
import type { TableName } from '../warehouse/tables.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { BenchRow } from './bench-row.ts'
import { appendLevel, INDEX_ID, oneIndex } from './support/one-index.ts'
import { median, rounded } from './support/rounds.ts'
import { type StartedServer, startPriceServer } from './support/start-price-server.ts'

const ROUNDS = 5
const REQUESTS = 20_000
const CONNECTIONS = 64
/** Older ratings of the market; history that memory does not hold must not slow the read. */
const DAYS = 30
const MARKET_ID = 'mkt_rated'
const PATHS = {
  rating: `/v1/markets/${MARKET_ID}/rating`,
  market_price: `/v1/markets/${MARKET_ID}/price`,
  index_price: `/v1/indexes/${INDEX_ID}/price`,
} as const
type Name = keyof typeof PATHS

export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'))
  const root = join(folder, 'warehouse')
  const warehouse = await oneIndex(root)
  let server: StartedServer | null = null
  try {
    const now = await warehouse.now()
    await appendLevel(warehouse, 1, now)
    await writeRatedMarket(warehouse, now)
    server = await startPriceServer({ kind: 'api', root })
    return await measure(server)
  } finally {
    await server?.close()
    await warehouse.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(server: StartedServer): Promise<BenchRow[]> {
  const names = Object.keys(PATHS) as Name[]
  const rates: Record<Name, number[]> = { rating: [], market_price: [], index_price: [] }
  const bytes: Partial<Record<Name, number>> = {}
  for (const name of names) bytes[name] = await bytesOf(server, name)
  const before = await server.usage()
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      const rate = await rateOf(server, name)
      if (round > 0) rates[name].push(rate) // the first round warms up
    }
  }
  const engine_calls = (await server.usage()).engine_calls - before.engine_calls
  invariant(engine_calls === 0, `rating-read: the engine was asked ${engine_calls} times`)
  const per_cpu_s = Object.fromEntries(names.map((name) => [`${name}_per_cpu_s`, Math.round(median(rates[name]))]))
  const sizes = Object.fromEntries(names.map((name) => [`${name}_bytes`, bytes[name]!]))
  const details = { engine_calls, ...per_cpu_s, ...sizes }
  const ratioTo = (other: Name) => rounded(median(rates.rating.map((rate, round) => rate / rates[other][round]!)))
  return [
    {
      figure: 'rating_read.to_market_price',
      value: ratioTo('market_price'),
      unit: 'x',
      goal: { at_least: 1 },
      details,
    },
    {
      figure: 'rating_read.to_index_price',
      value: ratioTo('index_price'),
      unit: 'x',
      goal: { at_least: 0.85 },
      details,
    },
  ]
}

/** Returns requests per second of the server's CPU. */
async function rateOf(server: StartedServer, name: Name): Promise<number> {
  const before = await server.usage()
  const result = await autocannon({
    url: `${server.base_url}${PATHS[name]}`,
    connections: CONNECTIONS,
    amount: REQUESTS,
  })
  const after = await server.usage()
  invariant(result['2xx'] > 0 && result.non2xx === 0 && result.errors === 0, `rating-read: ${name} is answered`)
  return result['2xx'] / (after.cpu_s - before.cpu_s)
}

async function bytesOf({ base_url }: StartedServer, name: Name): Promise<number> {
  const response = await fetch(`${base_url}${PATHS[name]}`)
  const body = await response.text()
  invariant(response.status === 200, `rating-read: ${response.status} ${body}`)
  return Buffer.byteLength(body)
}

async function writeRatedMarket(warehouse: Warehouse, now: Micros): Promise<void> {
  const at = formatMicros(now)
  const received = { source_at: at, received_at: at }
  const outcomes = ['yes', 'no'].map((name) => ({ outcome_id: `out_${name}`, label: name }))
  const mapping = { venue_id: 'v', source_market_id: 'R' }
  const own = { market_id: MARKET_ID, revision: 1, ...received }
  await append(warehouse, 'market', {
    ...own,
    event_id: 'evt_rated',
    title: 'Rated',
    status: 'open',
    outcome_type: 'binary',
    outcomes,
    venue_mapping: mapping,
  })
  const quote = { record_id: 'obs_rated', outcome_id: 'out_yes', bid: '0.400000000', ask: '0.420000000' }
  await append(warehouse, 'market_quote', { ...own, ...mapping, ...quote })
  for (let back = DAYS; back >= 0; back -= 1)
    await append(warehouse, 'market_rating', ratingRow(now - back * MICROS_PER_DAY))
}

function ratingRow(cutoff: Micros): Row {
  const components = Object.fromEntries(RATING_COMPONENTS.map((name) => [name, '82.43'])) as Parameters<
    typeof modelRating
  >[0]['components']
  const past = { band: null, day_before: null, score_30d: null, previous_band: null, previous_score: null }
  const evidence = RATING_COMPONENTS.map((component) => ({
    evidence_id: `evd_${component}`,
    kind: 'measured',
    source_uri: `urn:tidemark:${component}`,
    observed_at: formatMicros(cutoff),
    content_hash: `sha256:${sha256Hex(component)}`,
    component,
    tier: 'A' as const,
    measured: JSON.stringify({ component, figures: 'x'.repeat(500) }),
  }))
  return modelRating({ market_id: MARKET_ID, components, evidence, past, cutoff }) as unknown as Row
}

let steps = 0
async function append(warehouse: Warehouse, table: TableName, row: Row): Promise<void> {
  steps += 1
  const from = { app_id: 'bench', app_sequence: steps, operation: 'BENCH' } as const
  await warehouse.append(table, [row], { ...from, stamp: { kind: 'wall' } })
}
