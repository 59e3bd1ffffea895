import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openConnector } from '../../../connectors/venues/open-connector.ts'
import type { ReadPart, VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import type { FeedPlan } from '../../../operations/live/feed-plan.ts'
import { ingestSession } from '../../../operations/live/ingest-session.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, type Micros, toMicros } from '../../../primitives/instants.ts'
import { createRuledFaults, parseFaultRule } from '../../../simulator/server/fault-rules.ts'
import { createSimulatedClock } from '../../../simulator/server/simulated-clock.ts'
import { startSimulatorServer } from '../../../simulator/server/start-simulator-server.ts'
import { createSimulatedVenue } from '../../../simulator/simulated-venue.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { MINUTE, START } from '../../simulator/support/small-world.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { ONE_READ, openedStreams, ticking } from '../record/support.ts'

/**
 * Ingest of a venue whose websocket fails: what is stored is what an ingest of the same venue without faults stored. While messages
 * are missing it stores less, never something else; once the faults are over, the same.
 */

const RULES = ['ws/reset=0.3', 'ws/garbage=0.3', 'ws/cut=0.3', 'ws/shape=0.3', 'ws/stall=0.3']
/** In the fast lane a venue each: messages that are others, that come late, and that end early. */
const SHORT = ['ws/shape=0.3', 'ws/stall=0.3', 'ws/cut=0.3']
const WORLD = { seed: 'stream-faults', start: START, days: 2, markets: 3, interval: MINUTE }
const [DISTURBED_STEPS, CALM_STEPS] = [sized(22, 200), sized(15, 60)]
const STEP: Micros = 20 * MICROS_PER_SECOND
const STALL_MS = 15
const READ_EVERY_MS = 400
const reading = (parts: readonly ReadPart[]): FeedPlan => ({
  ...ONE_READ,
  readings: [{ parts, every_ms: READ_EVERY_MS, back: 2 * MICROS_PER_DAY }],
})
/** Lists and the tape are read again and again. Without faults books need no other source than the stream. */
const [PLAN, CALM_PLAN] = [reading(['markets', 'trades']), reading(['trades'])]
const HTTP = { attempts_max: 3, backoff_first_ms: 1, backoff_max_ms: 5, breaker_failures: 1_000_000 } as const
const STREAM = { backoff_first_ms: 1, backoff_max_ms: 5, heartbeat_ms: 3_600_000 } as const

const folder = tempFolder()
const running: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

/** Serves the world and ingests it, until it is ended. */
async function follow(venue_id: VenueId, name: string, rules: readonly string[]) {
  const clock = createSimulatedClock(START)
  const faults = createRuledFaults({ venue_id, rules: rules.map(parseFaultRule), seed: name, stall_ms: STALL_MS })
  const venue = createSimulatedVenue(planWorld(WORLD), venue_id, { remembers: 10 * MICROS_PER_DAY })
  const server = await startSimulatorServer({ venue, clock, rules: faults, limits: [] })
  clock.advanceTo(START + 60 * MINUTE)
  const warehouse = await openWarehouse({ root: join(folder, name), create: true })
  running.unshift(warehouse, server)
  const [stop, streams] = [new AbortController(), openedStreams(1)]
  let lists_read = 0
  const options = { now: ticking(clock), limits: [], http: HTTP, stream: STREAM }
  const onRead = (part: ReadPart) => {
    if (part === 'markets') lists_read += 1
  }
  const connect = () => streams.watched(counted(openConnector(venue_id, options, server.base_url), onRead))
  const ports = {
    warehouse,
    connect,
    now: () => clock.now(),
    plan: rules.length === 0 ? CALM_PLAN : PLAN,
    signal: stop.signal,
    linger_ms: 100,
  }
  const done = ingestSession({ venue_id, session_ms: 600_000 }, ports)
  const end = async () => {
    stop.abort()
    return done
  }
  running.unshift({ close: async () => void (await end()) })
  const arrived = async () => {
    await streams.arrived()
    // Time stands still until a message that stalls has come, and whatever waits behind it.
    if (rules.some((rule) => rule.includes('stall'))) await sleep(2 * STALL_MS)
    await streams.arrived()
  }
  await arrived()
  return {
    ...{ clock, faults, warehouse },
    step: async () => {
      clock.advanceTo(clock.now() + STEP)
      await arrived()
    },
    /** Waits until the lists, and with them whole books, were read from their beginning to their end. */
    listsRead: async () => {
      for (const wanted = lists_read + 2; lists_read < wanted; ) await sleep(50)
    },
    end: async () => {
      await untilTapeIsRead(warehouse, clock.now())
      return end()
    },
  }
}

/** A connector that reports the parts that were read to their end. */
function counted(connector: VenueConnector, onRead: (part: ReadPart) => void): VenueConnector {
  return {
    ...connector,
    get confirmed_at() {
      return connector.confirmed_at
    },
    async *read(part, ...range) {
      yield* connector.read(part, ...range)
      onRead(part)
    },
  }
}

/** The tape as of the last instant shows every trade, whatever the stream did. */
async function untilTapeIsRead(warehouse: Warehouse, at: Micros): Promise<void> {
  const sql = `select 1 from venue_payload where regexp_matches(endpoint, '/(trades|bets)$') and received_at >= '${formatMicros(at)}'`
  const deadline = performance.now() + 100_000
  while ((await query(warehouse, sql)).length === 0) {
    if (performance.now() > deadline) throw new Error('the tape was not read')
    await sleep(READ_EVERY_MS / 2)
  }
}

async function query(warehouse: Warehouse, sql: string): Promise<readonly Row[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

type Statement = {
  readonly outcome: string
  readonly at: Micros
  readonly prices: string
  /** Depths at the best prices; null where they are not stated. */
  readonly depths: readonly Row[string][]
}

/** Every statement about prices: what stood at an instant, and what was still known to stand later. */
async function statements(warehouse: Warehouse): Promise<readonly Statement[]> {
  const rows = await query(
    warehouse,
    `select outcome_id, source_at, confirmed_at, bid, ask, bid_depth, ask_depth, reported_probability
      from market_quote_history order by source_at`,
  )
  return rows.flatMap((row) => {
    const { outcome_id, source_at, confirmed_at, bid, ask, bid_depth, ask_depth, reported_probability } = row
    const instants = [source_at, confirmed_at].filter((at) => at !== null).map((at) => toMicros(String(at)))
    const prices = JSON.stringify([bid, ask, reported_probability])
    return instants.map((at) => ({ outcome: String(outcome_id), at, prices, depths: [bid_depth, ask_depth] }))
  })
}

/**
 * Statements that others contradict: that state what did not stand at their instant, nor since the step before. An answer that was
 * under way while time was moved on shows the state before.
 */
function contradicted(some: readonly Statement[], others: readonly Statement[]) {
  return some.flatMap((one) => {
    const until = others.filter(({ outcome, at }) => outcome === one.outcome && at <= one.at)
    const stood_at = Math.max(...until.map(({ at }) => at).filter((at) => at <= one.at - STEP))
    const others_say = until.filter(({ at }) => at >= stood_at)
    return others_say.some((other) => agree(one, other)) ? [] : [{ one, others_say }]
  })
}

function agree(a: Statement, b: Statement): boolean {
  const isSame = (depth: Row[string], n: number) => depth === null || b.depths[n] === null || depth === b.depths[n]
  return a.prices === b.prices && a.depths.every(isSame)
}

/** Trades, whichever feed reported them first: one of them states whole seconds. */
const TRADES =
  "select outcome_id, price, quantity, date_trunc('second', source_at) as at from public_trade order by all"
const TWICE = 'select source_trade_id from public_trade_history where revision = 1 group by all having count(*) > 1'

describe.each(VENUES)('%s', (venue_id) => {
  const rules = sized([SHORT[VENUES.indexOf(venue_id)]!], RULES)
  test.each(rules)(
    '%s: what is stored is what is stored without faults',
    async (rule) => {
      const name = `${venue_id}-${rule.replaceAll('/', '-')}`
      const calm = await follow(venue_id, `${name}-calm`, [])
      const disturbed = await follow(venue_id, name, [rule])
      for (let n = 0; n < DISTURBED_STEPS; n += 1) await Promise.all([calm.step(), disturbed.step()])
      const hits = disturbed.faults.counts().reduce((sum, one) => sum + one.hits, 0)
      expect(hits).toBeGreaterThan(2)
      disturbed.faults.replace([])
      await disturbed.listsRead()
      const over_at = disturbed.clock.now()
      for (let n = 0; n < CALM_STEPS; n += 1) await Promise.all([calm.step(), disturbed.step()])
      const [, report] = await Promise.all([calm.end(), disturbed.end()])
      if (!rule.includes('stall')) expect(report.gaps + report.quarantined).toBeGreaterThan(0)
      const [expected, found] = [await statements(calm.warehouse), await statements(disturbed.warehouse)]
      expect(expected.length).toBeGreaterThan(20)
      expect(contradicted(found, expected)).toEqual([])
      const after = expected.filter(({ at }) => at > over_at)
      expect(after.length).toBeGreaterThan(0)
      expect(contradicted(after, found)).toEqual([])
      const trades = await query(disturbed.warehouse, TRADES)
      expect(trades.length).toBeGreaterThan(0)
      expect(trades).toEqual(await query(calm.warehouse, TRADES))
      expect(await query(disturbed.warehouse, TWICE)).toEqual([])
      expect(await auditWarehouse(disturbed)).toMatchObject({ violations: [] })
    },
    120_000,
  )
})
