import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { CommitRounds, RoundSession, writtenTogether } from '../../../operations/live/commit-rounds.ts'
import { ingestSession } from '../../../operations/live/ingest-session.ts'
import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { serveWorld } from '../../../service/live/serve-world.ts'
import { VENUES } from '../../../simulator/world/options.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { openedWarehouses } from '../../support/opened-warehouses.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const { running, warehouseAt } = openedWarehouses(folder)
const AT = '2026-01-01T00:00:00Z'
const metric = (venue_id: string, id: string) => ({
  metric_id: `met_${id}`,
  revision: 1,
  supersedes_id: null,
  correction_reason: null,
  venue_id,
  source_market_id: id,
  market_id: `mkt_${id}`,
  volume_24h: '1.000000',
  open_interest: null,
  liquidity_notional: null,
  source_at: AT,
  received_at: AT,
})

/** The transactions of each commit of rows. */
async function transactions(warehouse: Warehouse, table: TableName): Promise<number[]> {
  const log = warehouse.log(table)
  const { version } = await log.snapshot()
  const commits = await Promise.all(Array.from({ length: version }, (_, n) => log.commit(n + 1)))
  const counts = commits.map((commit) => commit!.actions.filter((action) => 'txn' in action).length)
  return counts.filter((count) => count > 0)
}

const TICKS = 6
const LINGER_MS = 150
/** Nobody is too late for a round, however slow the machine is. */
const WAIT_MS = 3_600_000

test('three sessions whose records come at any time make one commit a tick and table', async () => {
  const warehouse = await warehouseAt('ticks')
  const rounds = new CommitRounds(WAIT_MS)
  const session = async (venue_id: string, slow_ms: number) => {
    const part = new RoundSession()
    const writing = writtenTogether(warehouse, venue_id, part)
    for (let turn = 0; turn < TICKS; turn += 1) {
      await sleep(Math.random() * 20)
      await rounds.tick(part, LINGER_MS)
      await sleep(slow_ms)
      const step = {
        app_id: `${venue_id}-${turn}`,
        app_sequence: 1,
        stamp: { kind: 'wall' },
        operation: 'TEST',
      } as const
      await writing.append('market_metric', [metric(venue_id, `${venue_id}-${turn}`)], step)
      part.leave()
    }
    part.end()
  }
  await Promise.all([session('kalshi', 0), session('manifold', 10), session('polymarket', 25)])
  expect(await transactions(warehouse, 'market_metric')).toEqual(Array.from({ length: TICKS }, () => 3))
})

test('a session waits for those that need the table alone, and for none that is slow, over or gone', async () => {
  const rounds = new CommitRounds(100)
  const [first, second, gone] = [new RoundSession(), new RoundSession(), new RoundSession()]
  /** Whether work is over before the process has done anything else. */
  const isAtOnce = (work: Promise<void>) =>
    Promise.race([work.then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))])
  await Promise.all([first, second, gone].map((one) => rounds.tick(one, 10)))
  gone.end()
  // The second one is beyond the table of the first, or never comes to it.
  const beyond = second.reach('order_book')
  expect(await isAtOnce(first.reach('market_quote'))).toBe(true)
  first.leave()
  await beyond
  second.leave()
  await Promise.all([first, second, gone].map((one) => rounds.tick(one, 10)))
  const from = performance.now()
  await first.reach('market_quote')
  expect(performance.now() - from).toBeGreaterThan(80)
  expect(await isAtOnce(first.reach('order_book'))).toBe(true)
  first.leave()
  expect(await isAtOnce(first.reach('market_quote'))).toBe(true)
})

const SIZE = { seed: 'rounds', days: 2, markets: 4, interval: MICROS_PER_SECOND } as const
const MINUTE: Micros = 60 * MICROS_PER_SECOND
const COMMITS = sized(6, 12)

test('sessions of three venues share the commits of their quotes, and the audit finds nothing amiss', async () => {
  const warehouse = await warehouseAt('venues')
  const stop = new AbortController()
  const start = Math.floor(wallClock() / MINUTE - 2) * MINUTE
  const served = await serveWorld({ ...SIZE, start }, wallClock, stop.signal)
  running.unshift(served)
  const problems: unknown[] = []
  const on_problem = (error: unknown) => problems.push(error)
  const sessions = VENUES.map((venue_id) => {
    const connect = () => served.connect(venue_id)
    const ports = { warehouse, connect, signal: stop.signal, linger_ms: 400, on_problem }
    return ingestSession({ venue_id, session_ms: 600_000 }, ports)
  })
  const shared = async () => (await transactions(warehouse, 'market_quote')).filter((count) => count > 1)
  await expect.poll(async () => (await shared()).length, { timeout: 90_000 }).toBeGreaterThanOrEqual(COMMITS)
  stop.abort()
  await Promise.all(sessions)
  const counts = await transactions(warehouse, 'market_quote')
  expect(counts.length).toBeLessThan(counts.reduce((sum, count) => sum + count, 0))
  expect(problems).toEqual([])
  expect(await auditWarehouse({ warehouse })).toMatchObject({ violations: [] })
})
