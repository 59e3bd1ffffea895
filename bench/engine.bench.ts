/**
 * Measures durable accepted orders per second through the engine, without HTTP and signatures but with every rule on, beside the
 * design that most people would start with: one transaction per order. Both write an order's rows to the same tables of the same
 * server and take turns; the naive design decides nothing. The limit writes the engine's rows without deciding or looking up.
 * `engine.journal` is what one row per batch could give at most (docs/decisions/0021-rows-before-a-journal.md): nothing is looked
 * up, answered or brought into the tables.
 * Goal: 6 times the naive design at its better number of connections.
 */

import { invariant } from '../primitives/errors.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { SubmissionMaker } from '../test/support/trading/submissions.ts'
import { noFacts } from '../trading/engine/facts.ts'
import { emptyState } from '../trading/engine/state.ts'
import type { Place, Submission } from '../trading/engine/submission.ts'
import type { BatchRow } from '../trading/projections/rows.ts'
import { ENGINE_CORE } from '../trading/service/engine-core.ts'
import { startEngine } from '../trading/service/start-engine.ts'
import { auditTrading } from '../trading/store/audit-trading.ts'
import type { Pool } from '../trading/store/create-pool.ts'
import { connectEngineDatabase } from '../trading/store/engine-connection.ts'
import { releaseLease, takeLease } from '../trading/store/lease.ts'
import { writeBatch } from '../trading/store/write-batch.ts'
import type { BenchRow } from './bench-row.ts'
import { createJournal, writeJournal } from './support/journal-writer.ts'
import { countRows, type DecidedOrder, NaiveOrders } from './support/naive-orders.ts'
import { median, rounded } from './support/rounds.ts'
import { withSeededDatabases } from './support/trading-database.ts'

const ROUNDS = 3
const ORDERS = 4_000
const NAIVE_ORDERS = 1_000
/** Submissions in flight at once. */
const IN_FLIGHT = 256
const ACCOUNTS = Array.from({ length: 40 }, (_, n) => `acct_${n}`)
const START = 1_790_000_000_000_000

export async function run(): Promise<BenchRow[]> {
  const maker = new SubmissionMaker('bench')
  const setup = maker.setUp(ACCOUNTS, '1000000')
  return withSeededDatabases(
    (pool) => seed(pool, setup),
    async (fresh) => {
      const rates = {
        ours: [] as number[],
        limit: [] as number[],
        naive_8: [] as number[],
        naive_32: [] as number[],
        journal: [] as number[],
      }
      let rows_per_order = { ours: 0, naive: 0, mean_batch: 0 }
      for (let round = 0; round < ROUNDS; round += 1) {
        const ours = await fresh(({ pool }) => enginePath(pool, places(maker, ORDERS)))
        rates.ours.push(ours.rate)
        const decided = decide(setup, places(maker, NAIVE_ORDERS))
        rates.naive_8.push(await fresh(({ url }) => naivePath(url, decided, 8)))
        rates.naive_32.push(await fresh(({ url }) => naivePath(url, decided, 32)))
        const limit = await fresh(({ pool }) => bareWrites(pool, setup, places(maker, ORDERS), ours.mean_batch))
        rates.limit.push(limit.rate)
        rates.journal.push(await fresh(({ pool }) => journalBound(pool, setup, places(maker, ORDERS), ours.mean_batch)))
        const naive = decided.reduce((sum, { rows }) => sum + countRows(rows), 0) / decided.length
        rows_per_order = {
          ours: rounded(limit.rows_per_order),
          naive: rounded(naive),
          mean_batch: rounded(ours.mean_batch),
        }
      }
      const best = rates.naive_8.map((rate, round) => Math.max(rate, rates.naive_32[round]!))
      return [
        {
          figure: 'engine.path',
          value: rounded(median(rates.ours.map((rate, round) => rate / best[round]!))),
          unit: 'x',
          goal: { at_least: 6 },
          details: {
            orders_per_s: rates.ours.map(Math.round),
            naive_8_per_s: rates.naive_8.map(Math.round),
            naive_32_per_s: rates.naive_32.map(Math.round),
            limit_per_s: rates.limit.map(Math.round),
            rows_per_order: rows_per_order.ours,
            naive_rows_per_order: rows_per_order.naive,
            mean_batch: rows_per_order.mean_batch,
          },
        },
        {
          figure: 'engine.path_of_limit',
          value: rounded(median(rates.ours.map((rate, round) => rate / rates.limit[round]!))),
          unit: 'x',
          goal: null,
          details: { limit: 'the same rows, in batches of the same size, nothing decided or looked up' },
        },
        {
          figure: 'engine.journal',
          value: rounded(median(rates.journal.map((rate, round) => rate / best[round]!))),
          unit: 'x',
          goal: null,
          details: { orders_per_s: rates.journal.map(Math.round) },
        },
      ]
    },
  )
}

/** Resting orders: bids and asks that never cross. */
function places(maker: SubmissionMaker, count: number): Place[] {
  return Array.from({ length: count }, (_, n) => {
    const account_id = ACCOUNTS[n % ACCOUNTS.length]!
    const price = 1 + ((n * 7) % 40)
    const cents = n % 2 === 0 ? price : 100 - price
    const limit_price = `0.${String(cents).padStart(2, '0')}`
    return maker.place(account_id, { side: n % 2 === 0 ? 'BUY' : 'SELL', limit_price, quantity: `${1 + (n % 9)}` })
  })
}

async function seed(pool: Pool, setup: readonly Submission[]): Promise<void> {
  const engine = await startEngine({ pool, now: () => START, holder: 'bench', address: null })
  await engine.leading
  for (const submission of setup)
    invariant((await engine.client.submit(submission)).error === null, 'the bench is set up')
  await engine.stop()
}

async function enginePath(pool: Pool, orders: readonly Place[]): Promise<{ rate: number; mean_batch: number }> {
  let batches = 0
  const engine = await startEngine({
    pool,
    now: wallClock,
    holder: 'bench',
    address: null,
    onBatch: () => (batches += 1),
  })
  await engine.leading
  const warm = Math.floor(orders.length / 6)
  await throughput(orders.slice(0, warm), IN_FLIGHT, async (order) => accepted(await engine.client.submit(order)))
  batches = 0
  const rest = orders.slice(warm)
  const rate = await throughput(rest, IN_FLIGHT, async (order) => accepted(await engine.client.submit(order)))
  const mean_batch = rest.length / batches
  await engine.stop()
  const { rows } = await pool.query<{ orders: number }>('SELECT count(*) AS orders FROM trading.orders')
  invariant(rows[0]!.orders === orders.length, 'every order that was accepted is stored')
  const broken = (await auditTrading(pool, { without: ['O10'] })).filter(({ violations }) => violations.length > 0)
  invariant(broken.length === 0, `the invariants hold: ${broken.map(({ invariant_id }) => invariant_id)}`)
  return { rate, mean_batch }
}

async function naivePath(url: string, orders: readonly DecidedOrder[], connections: number): Promise<number> {
  const naive = await NaiveOrders.connect(url, connections)
  const warm = Math.floor(orders.length / 6)
  await throughput(orders.slice(0, warm), connections, (order) => naive.place(order, 1))
  const rate = await throughput(orders.slice(warm), connections, (order) => naive.place(order, 1))
  await naive.close()
  return rate
}

/** Returns the rate of deciding orders and then committing one row per batch. */
async function journalBound(pool: Pool, setup: readonly Submission[], orders: readonly Place[], mean_batch: number) {
  await createJournal(pool)
  const { rate, decided } = await bareWrites(pool, setup, orders, mean_batch, writeJournal)
  return 1 / (1 / decided + 1 / rate)
}

async function bareWrites(
  pool: Pool,
  setup: readonly Submission[],
  orders: readonly Place[],
  mean_batch: number,
  write: typeof writeBatch = writeBatch,
) {
  const connection = await connectEngineDatabase(pool)
  const lease = await takeLease(connection, { holder: 'bench', lease_ms: 60_000 }, null)
  const began = performance.now()
  const decided = decide(setup, orders, Math.max(1, Math.round(mean_batch)))
  const decided_rate = (orders.length * 1000) / (performance.now() - began)
  let previous = await lastBatch(pool)
  let at = previous.at
  const started = performance.now()
  for (const { rows, engine_sequence, ledger_sequence } of decided) {
    at += 1
    const sequences = { last_engine_sequence: engine_sequence, last_ledger_sequence: ledger_sequence }
    previous = await write(connection, { epoch: lease!.epoch, lease_ms: 60_000, at, previous, rows, ...sequences })
  }
  const rate = (orders.length * 1000) / (performance.now() - started)
  await releaseLease(connection, lease!)
  await connection.close()
  const rows = decided.reduce((sum, batch) => sum + countRows(batch.rows), 0)
  return { rate, decided: decided_rate, rows_per_order: rows / orders.length }
}

async function lastBatch(pool: Pool): Promise<BatchRow> {
  const { rows } = await pool.query<BatchRow>('SELECT * FROM trading.engine_batch ORDER BY batch_sequence DESC LIMIT 1')
  return { ...rows[0]!, previous_hash: String(rows[0]!.previous_hash), hash: String(rows[0]!.hash) }
}

/** Returns the rows of orders decided in memory after the set-up, in batches of one size. */
function decide(setup: readonly Submission[], orders: readonly Place[], size = 1) {
  const state = emptyState()
  let now = START
  const apply = (submissions: readonly Submission[]) => {
    now += 1
    const changes = ENGINE_CORE.noChanges()
    const facts = noFacts()
    for (const submission of submissions) ENGINE_CORE.apply(state, submission, facts, now, changes)
    return ENGINE_CORE.finish(state, now, changes)
  }
  for (const submission of setup) apply([submission])
  return Array.from({ length: Math.ceil(orders.length / size) }, (_, n) => {
    const batch = orders.slice(n * size, (n + 1) * size)
    const rows = apply(batch)
    const { engine_sequence, ledger_sequence } = state
    return { place: batch[0]!, rows, engine_sequence, ledger_sequence }
  })
}

function accepted(answer: { readonly status: number }): void {
  invariant(answer.status === 201, 'the order is accepted')
}

/** Returns completions per second with a fixed number in flight. */
async function throughput<T>(
  items: readonly T[],
  in_flight: number,
  work: (item: T) => Promise<void>,
): Promise<number> {
  let next = 0
  const started = performance.now()
  const worker = async () => {
    while (next < items.length) {
      next += 1
      await work(items[next - 1]!)
    }
  }
  await Promise.all(Array.from({ length: in_flight }, worker))
  return (items.length * 1000) / (performance.now() - started)
}
