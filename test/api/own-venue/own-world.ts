import { afterEach } from 'vitest'
import { openOwnVenue } from '../../../api/own-venue/own-venue.ts'
import { openTradingFeed } from '../../../api/trading-feed.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { Submission } from '../../../trading/engine/submission.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { sharedStamp } from '../../../trading/service/shared-stamp.ts'
import { startEngine } from '../../../trading/service/start-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { createPastReads } from '../../../trading/store/read/past-reads.ts'
import { createPublicReads } from '../../../trading/store/read/public-reads.ts'
import { ACCOUNTS, randomSubmissions } from '../../support/trading/random-submissions.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'

/** Engine state followed by an API process, over a database of its own. */
export type FollowedVenue = ReturnType<typeof followVenue>

type Followed = {
  /** Most events read of what was said before, for those who come back; left out: all. */
  readonly events_max?: number | undefined
  /** The engine that seals instants; left out: none. */
  readonly client?: Pick<EngineClient, 'submit'> | undefined
}

export function followVenue(pool: Pool, { events_max, client }: Followed = {}) {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const feed = openTradingFeed({ pool, onFailure, poll_ms: 50 })
  const all = createPublicReads(pool)
  const reads: typeof all =
    events_max === undefined ? all : { ...all, state: ({ since }) => all.state({ since, events_max }) }
  const seal = client === undefined ? null : sharedStamp((at) => client.submit({ kind: 'stamp', at }))
  const past = createPastReads(pool)
  const venue = openOwnVenue({ feed, reads, past, seal, now: wallClock, onFailure, confirm_ms: 50 })
  return {
    feed,
    reads,
    venue,
    failures,
    async close() {
      await venue.close()
      await feed.close()
    },
  }
}

/** A leading engine over what its database has. */
export async function startLeader(pool: Pool) {
  const engine = await startEngine({ pool, now: wallClock, holder: 'test', address: null })
  await engine.leading
  return engine
}

/** A leading engine with an open market mkt_1, accounts with money, and a way to hand it what comes. */
export async function startWorld(pool: Pool, complementary = false) {
  const engine = await startLeader(pool)
  const maker = new SubmissionMaker('w')
  for (const submission of maker.setUp(ACCOUNTS, undefined, { complementary })) await engine.client.submit(submission)
  return { engine, maker, stop: () => engine.stop() }
}

/** A random flow of a market that is never paused: most of it changes something. */
export function liveFlow(seed: number, count: number): Submission[] {
  return randomSubmissions(seed, count, wallClock()).filter(
    (given) => given.kind !== 'operate' || given.command.kind !== 'move_market' || given.command.to !== 'paused',
  )
}

/** Hands in what comes in portions: several share a batch. Refusals are answers like others. */
export async function submitInPortions(
  client: Pick<EngineClient, 'submit'>,
  submissions: readonly Submission[],
  portion = 5,
  between: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (let from = 0; from < submissions.length; from += portion) {
    await Promise.all(submissions.slice(from, from + portion).map((submission) => client.submit(submission)))
    await between()
  }
}

/** Call it at the top of a test file: what a test has opened is closed after it, the last one first, also where it fails. */
export function withEnds(): (end: () => Promise<unknown>) => void {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  return (end) => {
    ends.push(end)
  }
}

/** Waits until something is so; the test's time is its bound. A look may be several requests: more often would keep a core busy. */
export async function until(is_so: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await is_so())) await new Promise((resolve) => setTimeout(resolve, 20))
}

type BookText = string

/** The books as the working orders of the database make them, written apart from the service's own read, and their place. */
export async function booksOfDatabase(pool: Pool): Promise<{ engine_sequence: number; books: BookText }> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const head = await client.query('SELECT max(last_engine_sequence) AS engine_sequence FROM trading.engine_batch')
    const orders = await client.query(`
      SELECT outcome_id, side, limit_price, remaining_quantity FROM trading.orders
      WHERE status NOT IN ('rejected', 'filled', 'canceled', 'expired', 'failed')`)
    await client.query('COMMIT')
    const levels = new Map<string, { quantity: number; order_count: number }>()
    for (const { outcome_id, side, limit_price, remaining_quantity } of orders.rows) {
      const key = `${outcome_id} ${side} ${String(limit_price).padEnd(4, '0')}`
      const { quantity = 0, order_count = 0 } = levels.get(key) ?? {}
      levels.set(key, { quantity: quantity + remaining_quantity, order_count: order_count + 1 })
    }
    return { engine_sequence: head.rows[0].engine_sequence, books: textOf([...levels]) }
  } finally {
    client.release()
  }
}

/** The books of a venue in the same words. */
export function booksInMemory({ venue }: Pick<FollowedVenue, 'venue'>): BookText {
  const levels = venue.markets().flatMap(({ outcomes }) =>
    outcomes.flatMap(({ outcome_id, book }) =>
      (['bids', 'asks'] as const).flatMap((side) =>
        book[side].map(({ price, quantity, order_count }) => {
          const key = `${outcome_id} ${side === 'bids' ? 'BUY' : 'SELL'} 0.${String(price).padStart(2, '0')}`
          return [key, { quantity, order_count }] as const
        }),
      ),
    ),
  )
  return textOf(levels)
}

function textOf(levels: readonly (readonly [string, { quantity: number; order_count: number }])[]): BookText {
  return levels
    .map(([key, { quantity, order_count }]) => `${key}: ${quantity} in ${order_count}`)
    .sort()
    .join('\n')
}
