import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { auditWarehouse } from '../../operations/audit/audit-warehouse.ts'
import { runBackfill } from '../../operations/backfill/run-backfill.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { startBackfill } from '../../workflows/client/backfills.ts'
import { FROM, portsOf, recordsOf, servePast, TO } from '../operations/backfill/served-past.ts'
import { childArgv } from '../support/child-argv.ts'
import { chunksDone } from '../support/chunks-done.ts'
import type { ServedVenue } from '../support/served-venue.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { eventually, testServer } from '../workflows/support/temporal.ts'
import type { ChildOptions } from '../workflows/support/worker-child.ts'

const CHILD = fileURLToPath(new URL('../workflows/support/worker-child.ts', import.meta.url))
const VENUE = 'kalshi'
const KILLS = 5
const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
const children = new Set<ChildProcess>()

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

test(`three days of a venue on two hosts, hosts killed ${KILLS} times and the server once: the rows of an undisturbed run`, async () => {
  const served = await servePast(VENUE)
  const [disturbed, undisturbed] = [await emptyWarehouse('disturbed'), await emptyWarehouse('undisturbed')]
  try {
    const subject = { kind: 'venue', request: { venue_id: VENUE, from: FROM, to: TO, markets: null } } as const
    await fillUndisturbed(served, undisturbed, subject)
    const workers = [startChild(served, disturbed), startChild(served, disturbed)]
    await Promise.all(workers)
    const handle = await startBackfill(temporal.client(), subject, 3)
    for (let kills = 0; kills < KILLS; kills++) {
      const before = chunksDone(disturbed.root)
      await eventually(async () => (chunksDone(disturbed.root) > before ? true : null), 120_000)
      // A worker that is started while the server is away ends at once, so the others must have begun.
      const [first] = await Promise.all(workers)
      workers.shift()
      first!.kill('SIGKILL')
      if (kills === 1) temporal.kill()
      await eventually(async () => ((await handle.isRunning().catch(() => null)) === null ? null : true), 120_000)
      workers.push(startChild(served, disturbed))
    }
    expect(chunksDone(disturbed.root)).toBeGreaterThan(0) // not at its end yet
    await eventually(async () => ((await handle.isRunning().catch(() => true)) === false ? true : null), 240_000)
    const report = await handle.result()
    expect(report).toMatchObject({ state: 'done', failed: [], chunks_done: report.chunks_total })
    expect(report.chunks_total).toBeGreaterThan(10)
    expect(await recordsOf(disturbed)).toEqual(await recordsOf(undisturbed))
    expect(await auditWarehouse({ warehouse: disturbed })).toMatchObject({ violations: [] })
  } finally {
    await disturbed.close()
    await undisturbed.close()
    await served.close()
  }
}, 400_000)

type Subject = Parameters<typeof startBackfill>[1]

async function fillUndisturbed(served: ServedVenue, warehouse: Warehouse, subject: Subject): Promise<void> {
  const { ports, close } = portsOf(served, warehouse)
  try {
    await runBackfill(subject, { ...ports, home: join(folder, 'undisturbed-home') })
  } finally {
    await close()
  }
}

const emptyWarehouse = (name: string) => openWarehouse({ root: join(folder, name), create: true })

async function startChild(served: ServedVenue, warehouse: Warehouse): Promise<ChildProcess> {
  const { address } = temporal.server()
  const { base_url, clock } = served
  const options: ChildOptions = {
    address,
    root: warehouse.root,
    // Each is a host of its own, which finds nothing at home.
    home: join(folder, `home-${children.size}`),
    base_urls: { [VENUE]: base_url },
    now: formatMicros(clock.now()),
    pause_ms: 400,
    fails: null,
  }
  const child = spawn(process.execPath, childArgv(CHILD, JSON.stringify(options)), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  await once(child.stdout, 'data')
  return child
}
