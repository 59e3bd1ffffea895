import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditWarehouse } from '../../operations/audit/audit-warehouse.ts'
import { runBackfill } from '../../operations/backfill/run-backfill.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { startBackfill } from '../../workflows/client/backfills.ts'
import { FROM, portsOf, recordsOf, servePast, TO } from '../operations/backfill/served-past.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { fakePorts } from '../workflows/support/fake-ports.ts'
import { flaky } from '../workflows/support/flaky.ts'
import { startWorker, testServer } from '../workflows/support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))

test('30 % of all activity executions fail, half of them after their work was done: no row is doubled or missing', async () => {
  const served = await servePast('polymarket')
  const [plain, beset] = [await emptyWarehouse('plain'), await emptyWarehouse('beset')]
  const [undisturbed, disturbed] = [portsOf(served, plain), portsOf(served, beset)]
  try {
    const request = { venue_id: 'polymarket', from: FROM, to: TO, markets: null } as const
    const subject = { kind: 'venue', request } as const
    await runBackfill(subject, { ...undisturbed.ports, home: join(folder, 'plain-home') })
    const { interceptors, executions } = flaky(0.3, 7)
    const { connectorOf } = disturbed.ports
    const ports = fakePorts(beset, join(folder, 'home'), { connectorOf })
    const worker = await startWorker(temporal, ports, { queues: ['bulk'], interceptors })
    const report = await (await startBackfill(temporal.client(), subject, 2)).result()
    await worker.stop()
    expect(report).toMatchObject({ state: 'done', failed: [], chunks_done: report.chunks_total })
    expect(executions.all).toBeGreaterThan(20)
    expect(executions.failed).toBeGreaterThan(4)
    expect(await recordsOf(beset)).toEqual(await recordsOf(plain))
    expect(await auditWarehouse({ warehouse: beset })).toMatchObject({ violations: [] })
  } finally {
    await undisturbed.close()
    await disturbed.close()
    await plain.close()
    await beset.close()
    await served.close()
  }
}, 240_000)

const emptyWarehouse = (name: string) => openWarehouse({ root: join(folder, name), create: true })
