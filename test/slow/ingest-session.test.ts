import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../operations/audit/audit-warehouse.ts'
import type { FeedPlan } from '../../operations/live/feed-plan.ts'
import { type IngestPorts, ingestSession } from '../../operations/live/ingest-session.ts'
import { MICROS_PER_DAY, MICROS_PER_SECOND } from '../../primitives/instants.ts'
import type { VenueId } from '../../simulator/world/options.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { MINUTE, SECOND, START } from '../simulator/support/small-world.ts'
import { type ServedVenue, serveVenue } from '../support/served-venue.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()
const running: { close(): Promise<void> }[] = []
const WORLD = { seed: 'session', start: START, days: 3, markets: 5, interval: 10 * MINUTE }
const SESSION_MS = 600_000
const TIMEOUT_MS = 600_000

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

const opened = <T extends { close(): Promise<void> }>(one: T): T => {
  running.unshift(one)
  return one
}

/** Lists and tapes again and again, as far back as an outage lasts. */
const PLAN: FeedPlan = {
  first: ['catalogue', 'markets', 'trades', 'resolutions'],
  first_back: 2 * MICROS_PER_DAY,
  readings: [{ parts: ['markets', 'trades'], every_ms: 500, back: 2 * MICROS_PER_DAY }],
  silence: 45 * MICROS_PER_SECOND,
}

type Session = {
  readonly served: ServedVenue
  readonly warehouse: Warehouse
  readonly stop: AbortController
  readonly done: ReturnType<typeof ingestSession>
  readonly problems: unknown[]
}

async function follow(venue_id: VenueId, name: string, changes: Partial<IngestPorts> = {}): Promise<Session> {
  const served = opened(await serveVenue(venue_id, WORLD, START + 60 * MINUTE, { remembers: 10 * MICROS_PER_DAY }))
  const warehouse = opened(await openWarehouse({ root: join(folder, name), create: true }))
  const stop = new AbortController()
  const problems: unknown[] = []
  const ports: IngestPorts = {
    warehouse,
    connect: () => served.connect({ stream: { backoff_first_ms: 5, backoff_max_ms: 50 } }),
    now: () => served.clock.now(),
    plan: PLAN,
    signal: stop.signal,
    linger_ms: 50,
    on_problem: (error) => problems.push(error),
    ...changes,
  }
  return { served, warehouse, stop, problems, done: ingestSession({ venue_id, session_ms: SESSION_MS }, ports) }
}

async function query(warehouse: Warehouse, sql: string): Promise<readonly Row[]> {
  const tables = (['ingest_health', 'public_trade', 'venue_payload'] as const).filter((table) => sql.includes(table))
  const session = await openReadSession(warehouse, { as_of: null, tables })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

const states = async (warehouse: Warehouse) =>
  (await query(warehouse, 'select state from ingest_health_history order by published_at')).map(({ state }) => state)

async function untilState(warehouse: Warehouse, wanted: string, after = 0): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if ((await states(warehouse)).slice(after).includes(wanted)) return
    await sleep(100)
  }
  expect(await states(warehouse)).toContain(wanted)
}

/** Time goes on, so that what was amiss is over. */
async function untilWell({ served, warehouse }: Session, after: number): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if ((await states(warehouse)).slice(after).at(-1) === 'ok') return
    await sleep(1_200)
    served.clock.advanceTo(served.clock.now() + 40 * SECOND)
  }
  expect((await states(warehouse)).at(-1)).toBe('ok')
}

async function untilStreaming(warehouse: Warehouse): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await query(warehouse, "select 1 from venue_payload where endpoint like 'ws%' limit 1")
    if (found.length > 0) return
    await sleep(100)
  }
  throw new TypeError('no message of a stream came')
}

/** What the venue's tape lists at the end, and what is stored. */
async function tradesOf({ served, warehouse }: Session) {
  const response = await fetch(`${served.base_url}/trade-api/v2/markets/trades?limit=1000&min_ts=0`)
  const { trades } = (await response.json()) as { trades: readonly { trade_id: string }[] }
  const stored = await query(warehouse, 'select source_trade_id from public_trade order by all')
  return { listed: trades.map(({ trade_id }) => trade_id).sort(), stored: stored.map((row) => row.source_trade_id) }
}

describe('a session of a venue', () => {
  test(
    'a day of outage is told, and made up for: nothing is lost, nothing is doubled',
    async () => {
      const session = await follow('kalshi', 'outage')
      const { served, warehouse, stop, done } = session
      await untilState(warehouse, 'ok')
      await untilStreaming(warehouse)
      const { resume } = await served.interrupt()
      await sleep(500) // what was under way has come
      served.clock.advanceTo(served.clock.now() + MICROS_PER_DAY)
      await untilState(warehouse, 'down')
      const before = (await states(warehouse)).length
      await resume()
      for (let n = 0; n < 5; n += 1) {
        served.clock.advanceTo(served.clock.now() + 10 * MINUTE)
        await sleep(300)
      }
      await untilWell(session, before)
      await sleep(1_500)
      served.clock.advanceTo(served.clock.now() + SECOND)
      stop.abort()
      const report = await done
      const { listed, stored } = await tradesOf(session)
      expect(stored).toEqual(listed)
      expect(listed.length).toBeGreaterThan(20)
      expect(report.gaps).toBeGreaterThan(0)
      expect(report.records_new).toBeGreaterThan(listed.length)
      expect(await auditWarehouse({ warehouse })).toMatchObject({ violations: [] })
      const trades = await query(warehouse, 'select max(revision) as most from public_trade_history')
      expect(trades[0]!.most).toBeLessThanOrEqual(2) // read again and again, and amended once at most
      const [last] = await query(warehouse, 'select * from ingest_health')
      expect(last).toMatchObject({ venue_id: 'kalshi', sessions: 1 })
      expect([last!.records_new, last!.gaps]).toEqual([report.records_new, report.gaps])
    },
    TIMEOUT_MS,
  )

  test(
    '429, 5xx, cut answers and cut sockets are told as degraded, and end nothing',
    async () => {
      const session = await follow('kalshi', 'faults')
      const { served, warehouse, stop, done, problems } = session
      await untilState(warehouse, 'ok')
      for (let n = 0; n < 9; n += 1) served.faults.nextAnswer('/markets', { kind: 'status', status: 502 })
      served.faults.nextAnswer('/markets', { kind: 'cut' })
      served.faults.nextAnswer('/markets', { kind: 'rate_limit', retry_after_seconds: 1 })
      served.faults.nextAnswer('/markets', { kind: 'reset' })
      served.faults.nextMessage({ kind: 'drop' })
      served.faults.nextMessage({ kind: 'cut' }, 3)
      served.faults.nextMessage({ kind: 'reset' }, 3)
      for (let n = 0; n < 12; n += 1) {
        served.clock.advanceTo(served.clock.now() + 10 * MINUTE)
        await sleep(250)
      }
      await untilState(warehouse, 'degraded')
      expect(problems.length).toBeGreaterThan(0)
      const before = (await states(warehouse)).length
      await untilWell(session, before - 1)
      stop.abort()
      const report = await done
      expect([report.gaps > 0, report.quarantined > 0]).toEqual([true, true])
      const { listed, stored } = await tradesOf(session)
      expect(stored).toEqual(listed)
      expect(await auditWarehouse({ warehouse })).toMatchObject({ violations: [] })
    },
    TIMEOUT_MS,
  )

  test(
    'two sessions of one venue at the same time store everything once',
    async () => {
      const first = await follow('manifold', 'twice')
      const { served, warehouse, stop } = first
      const ports = {
        warehouse,
        connect: () => served.connect(),
        now: () => served.clock.now(),
        plan: PLAN,
        signal: stop.signal,
        linger_ms: 50,
      }
      const second = ingestSession({ venue_id: 'manifold', session_ms: SESSION_MS }, ports)
      for (let n = 0; n < 12; n += 1) {
        served.clock.advanceTo(served.clock.now() + 10 * MINUTE)
        await sleep(200)
      }
      await sleep(1_500)
      stop.abort()
      await Promise.all([first.done, second])
      expect(await auditWarehouse({ warehouse })).toMatchObject({ violations: [] })
      const [twice] = await query(
        warehouse,
        'select count(*) as count from (select source_trade_id from public_trade_history where revision = 1 group by all having count(*) > 1)',
      )
      expect(twice!.count).toBe(0)
    },
    TIMEOUT_MS,
  )
})
