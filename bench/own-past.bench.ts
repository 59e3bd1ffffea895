/**
 * Measures reads of a market listed here as of random instants of its past, over HTTP, with a million events of the engine stored:
 * price view, order book and a page of trades. Beside them a read that asks no database (`/v1/time`), in turns, which shows how busy the
 * machine was, and the naive way for a book: to fold all its events from the first one on.
 * Goal: p99 of each at most 100 ms.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveApi } from '../api/serve.ts'
import { tradingPorts } from '../api/trading-ports.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros, type Micros } from '../primitives/instants.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { SubmissionMaker } from '../test/support/trading/submissions.ts'
import { keyEncryptionKey } from '../trading/auth/seal-secret.ts'
import { createSignatureVerifier } from '../trading/auth/signature-verifier.ts'
import { foldBook, type LevelEvent } from '../trading/public-market/fold-book.ts'
import { connectEngine } from '../trading/service/connect-engine.ts'
import { startEngine } from '../trading/service/start-engine.ts'
import { createPool, type Pool } from '../trading/store/create-pool.ts'
import { checkpointKeeper } from '../trading/store/keep-checkpoints.ts'
import { createPastReads } from '../trading/store/read/past-reads.ts'
import { openWarehouse } from '../warehouse/warehouse.ts'
import type { BenchRow } from './bench-row.ts'
import { rounded, spread } from './support/rounds.ts'
import { withTradingDatabase } from './support/trading-database.ts'
import { type EventHistory, multiplyEvents } from './support/trading-history.ts'

const EVENTS = 1_000_000
const READS = 500
const WARM_UP = 50
const NAIVE_READS = 5
const MARKET = '/v1/markets/mkt_1'
const PATHS = {
  price: `${MARKET}/price?`,
  book: `${MARKET}/orderbook?outcome_id=out_yes&`,
  trades: `${MARKET}/trades?limit=100&`,
} as const

export async function run(): Promise<BenchRow[]> {
  return withTradingDatabase(async ({ pool, url }) => {
    const maker = new SubmissionMaker('past')
    const engine = await startEngine({ pool, now: wallClock, holder: 'bench', address: null })
    await engine.leading
    for (const submission of [...maker.setUp(['acct_a', 'acct_b'], '1000000'), maker.place('acct_a', {})])
      invariant((await engine.client.submit(submission)).error === null, 'the bench is set up')
    await engine.stop()
    const history = await multiplyEvents(pool, EVENTS)
    const keeper = checkpointKeeper(pool)
    while (!(await keeper.keep(await keeper.outcomes(), history.last_sequence)));
    return await serve(url, (base_url) => measure(base_url, pool, history))
  })
}

/** Serves the API as its own process does, over a warehouse without this market. */
async function serve<T>(url: string, work: (base_url: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'))
  const warehouse_root = join(folder, 'warehouse')
  await (await openWarehouse({ root: warehouse_root, create: true })).close()
  const pool = createPool({ url, size: 12, name: 'tidemark api', by_index: true })
  const engine = connectEngine({ pool })
  const verifier = await createSignatureVerifier({ environment: 'bench' })
  const trading = tradingPorts({ pool, engine, verifier, sealing: keyEncryptionKey('5e'.repeat(32), 'bench') })
  const place = { host: '127.0.0.1', port: 0, environment: 'bench', rate_limits: 'off' } as const
  const api = await serveApi({ warehouse_root, ...place, trading })
  try {
    while ((await fetch(`${api.base_url}${PATHS.price}`)).status === 503)
      await new Promise((done) => setTimeout(done, 50))
    return await work(api.base_url)
  } finally {
    await api.close()
    await engine.close()
    await verifier.close()
    await pool.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(base_url: string, pool: Pool, history: EventHistory): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  const naive_book_ms = await naiveBook(pool, history)
  for (const [name, path] of Object.entries(PATHS)) {
    const taken = { past: [] as number[], bare: [] as number[] }
    for (let n = 0; n < READS + WARM_UP; n += 1) {
      const past = await timed(`${base_url}${path}as_of=${formatMicros(instantIn(history, n))}`)
      const bare = await timed(`${base_url}/v1/time`)
      if (n < WARM_UP) continue
      taken.past.push(past)
      taken.bare.push(bare)
    }
    const [past, bare] = [spread(taken.past), spread(taken.bare)]
    const of_bare = { bare_p50_ms: bare.p50, bare_p99_ms: bare.p99 }
    const details = { events: EVENTS, reads: READS, p50_ms: past.p50, ...of_bare, naive_book_ms }
    rows.push({ figure: `own_past.${name}.p99`, value: past.p99, unit: 'ms', goal: { at_most: 100 }, details })
  }
  return rows
}

async function timed(url: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(url)
  const text = await response.text()
  invariant(response.status === 200, `own-past: ${response.status} ${text}`)
  return performance.now() - started
}

/** Instants spread over the history, in an order without a pattern; none is asked twice. */
function instantIn({ first_at, last_at }: EventHistory, n: number): Micros {
  return first_at + Math.floor(((n * 0.618_034) % 1) * (last_at - first_at))
}

/** Returns the median time of the fold of all events of one outcome, in milliseconds. */
async function naiveBook(pool: Pool, history: EventHistory): Promise<number> {
  const reads = createPastReads(pool)
  const taken: number[] = []
  for (let n = 0; n < NAIVE_READS; n += 1) {
    const started = performance.now()
    const { engine_sequence } = await reads.headAt(instantIn(history, n))
    const { rows } = await pool.query<{ body: LevelEvent }>(
      `SELECT body FROM trading.engine_event WHERE account_id IS NULL AND kind = 'book' AND body ->> 'outcome_id' = 'out_yes'
       AND engine_sequence <= $1 ORDER BY engine_sequence`,
      [engine_sequence],
    )
    foldBook(
      [],
      rows.map(({ body }) => body),
    )
    taken.push(performance.now() - started)
  }
  return rounded(taken.toSorted((a, b) => a - b)[Math.floor(NAIVE_READS / 2)]!)
}
