import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { auditWarehouse } from '../../operations/audit/audit-warehouse.ts'
import { runBackfill } from '../../operations/backfill/run-backfill.ts'
import { formatMicros, MICROS_PER_DAY } from '../../primitives/instants.ts'
import { VENUES, type VenueId, type WorldOptions } from '../../simulator/world/options.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { startBackfill } from '../../workflows/client/backfills.ts'
import { portsOf, recordsOf } from '../operations/backfill/served-past.ts'
import { MINUTE, START } from '../simulator/support/small-world.ts'
import { childArgv } from '../support/child-argv.ts'
import { type ServedVenue, serveVenue } from '../support/served-venue.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testServer } from '../workflows/support/temporal.ts'
import type { ChildOptions } from '../workflows/support/worker-child.ts'

const CHILD = fileURLToPath(new URL('../workflows/support/worker-child.ts', import.meta.url))
const EXECUTIONS = 5_000
const RATIO = 0.3
const KILL_EVERY = 600
const WORLD: WorldOptions = { seed: 'failures', start: START, days: 4, markets: 10, interval: 120 * MINUTE }
const RANGE = { from: formatMicros(START), to: formatMicros(START + WORLD.days * MICROS_PER_DAY) }
const NOW = START + WORLD.days * MICROS_PER_DAY + MICROS_PER_DAY / 2
const PAST = { remembers: 20 * MICROS_PER_DAY, historical_after: 3 * MICROS_PER_DAY }
const subject = (venue_id: VenueId) => ({ kind: 'venue', request: { venue_id, ...RANGE, markets: null } }) as const

const folder = tempFolder()
const letters = join(folder, 'executions')
const temporal = testServer(join(folder, 'temporal'))
const children = new Set<ChildProcess>()
let started = 0

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

test(`${EXECUTIONS} executions of activities, ${100 * RATIO} % of them failing, workers killed meanwhile: no row is doubled or missing`, async () => {
  const served = await Promise.all(VENUES.map((venue_id) => serveVenue(venue_id, WORLD, NOW, PAST)))
  const [plain, beset] = [await emptyWarehouse('plain'), await emptyWarehouse('beset')]
  try {
    for (const [n, venue_id] of VENUES.entries()) await fillPlain(served[n]!, plain, venue_id)
    const killing = new AbortController()
    const kills = killNowAndThen(served, beset, killing.signal)
    let rounds = 0
    // A backfill that is done begins anew when it is asked for again: everything is read again, and nothing of it is new.
    for (; executions().length < EXECUTIONS; rounds += 1) {
      const handles = await Promise.all(VENUES.map((id) => startBackfill(temporal.client(), subject(id), 7)))
      const reports = await Promise.all(handles.map(({ result }) => result()))
      for (const report of reports)
        expect(report).toMatchObject({ state: 'done', failed: [], chunks_done: report.chunks_total })
    }
    killing.abort()
    const all = executions()
    process.stderr.write(`${all.length} executions, ${await kills} workers killed, ${rounds} rounds\n`)
    expect(await kills).toBeGreaterThanOrEqual(5)
    const share = all.split('F').length / all.length
    expect(share).toBeGreaterThan(RATIO - 0.05)
    expect(share).toBeLessThan(RATIO + 0.05)
    expect(await recordsOf(beset)).toEqual(await recordsOf(plain))
    expect(await auditWarehouse({ warehouse: beset })).toMatchObject({ violations: [] })
  } finally {
    await Promise.all([plain, beset, ...served].map((one) => one.close()))
  }
}, 3_600_000)

const emptyWarehouse = (name: string) => openWarehouse({ root: join(folder, name), create: true })
const executions = () => (existsSync(letters) ? readFileSync(letters, 'utf8') : '')

async function fillPlain(served: ServedVenue, warehouse: Warehouse, venue_id: VenueId): Promise<void> {
  const { ports, close } = portsOf(served, warehouse)
  await runBackfill(subject(venue_id), { ...ports, home: join(folder, 'plain-home') }).finally(close)
}

/** Two workers; after each so many executions the older one is killed, and another one begins. @returns how many were killed */
async function killNowAndThen(
  served: readonly ServedVenue[],
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<number> {
  const workers = [await startChild(served, warehouse), await startChild(served, warehouse)]
  let kills = 0
  while (!signal.aborted) {
    await sleep(100)
    if (executions().length < (kills + 1) * KILL_EVERY) continue
    workers.shift()!.kill('SIGKILL')
    kills += 1
    workers.push(await startChild(served, warehouse))
  }
  return kills
}

async function startChild(served: readonly ServedVenue[], warehouse: Warehouse): Promise<ChildProcess> {
  const options: ChildOptions = {
    address: temporal.server().address,
    root: warehouse.root,
    home: join(folder, 'home'),
    base_urls: Object.fromEntries(VENUES.map((venue_id, n) => [venue_id, served[n]!.base_url])),
    now: formatMicros(NOW),
    pause_ms: 0,
    fails: { ratio: RATIO, seed: ++started, file: letters },
  }
  const child = spawn(process.execPath, childArgv(CHILD, JSON.stringify(options)), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  await once(child.stdout, 'data')
  return child
}
