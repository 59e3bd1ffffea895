import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SettlementRail } from '../../trading/settlement/settlement-rail.ts'
import { TASK_QUEUES } from '../../workflows/task-queues.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { faultRail } from '../support/trading/fault-rail.ts'
import { withDatabase } from '../support/trading/postgres.ts'
import { openRailRecord } from '../support/trading/rail-record.ts'
import { SettlementWorld } from '../support/trading/settlement-world.ts'
import { fakePorts } from './support/fake-ports.ts'
import { flaky } from './support/flaky.ts'
import { eventually, startWorker, testServer } from './support/temporal.ts'

const database = withDatabase()
const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))

const QUEUES = { queues: ['settlement'] } as const

function portsOf(of: SettlementWorld, rail: SettlementRail) {
  return fakePorts({ root: folder }, folder, { settlement: (signal) => of.ports(rail, { signal }) })
}

async function follow() {
  return temporal.client().workflow.start('followSettlement', {
    workflowId: 'follow-settlement',
    taskQueue: TASK_QUEUES.settlement,
    // Short activities, so that many of them fail.
    args: [{ looks_per_run: 3, known: { assets: [], resolutions: [] }, settle_ms: 500 }],
  })
}

const payouts = (yes: string, no: string) => [
  { outcome_id: 'out_yes', payout: yes },
  { outcome_id: 'out_no', payout: no },
]

function propose(of: SettlementWorld, resolution_id: string, dispute_window_ms: number): Promise<unknown> {
  return of.act({
    kind: 'propose_resolution',
    resolution_id,
    market_id: 'mkt_1',
    verdict: 'resolved',
    payouts: payouts('1', '0'),
    evidence: [],
    resolver: { kind: 'operator', resolver_id: 'desk-lead' },
    dispute_window_ms,
  })
}

const settled = (of: SettlementWorld) => async () =>
  (await of.states()).every((state) => state === 'confirmed') ? true : null
const paid = (of: SettlementWorld, resolution_id: string) => async () =>
  (await of.ports().work.openResolutions(resolution_id)).length === 0 ? true : null

test('trades are settled, and a resolution is disputed, paid and corrected, while 30 % of all executions fail', async () => {
  const of = await SettlementWorld.start((await database()).pool)
  const record = await openRailRecord(join(folder, 'rail'))
  const rates = { late: 200, lost_answer: 200, unavailable: 200, duplicate: 200 }
  const rail = faultRail({ seed: '4', rates, record, now_ms: Date.now, finality_ms: 3_000, late_ms: 200 })
  const { interceptors, executions } = flaky(0.3, 11)
  const worker = await startWorker(temporal, portsOf(of, rail), { ...QUEUES, interceptors })
  const handle = await follow()
  for (let n = 0; n < 5; n += 1) await of.trade('acct_a', 'acct_b', `${n + 1}`)
  await eventually(settled(of), 120_000)

  await propose(of, 'res_1', 3_600_000)
  const resolving = temporal.client().workflow.getHandle('resolve/res_1')
  const state = async () => ((await resolving.query('resolutionProgress')) as { state: string } | null)?.state
  await eventually(async () => ((await state().catch(() => null)) === 'window' ? true : null))
  // Its timer is of an hour: that a dispute was filed and decided, it is told.
  const dispute = { resolution_id: 'res_1', dispute_id: 'dsp_1' }
  await of.act({ kind: 'dispute_resolution', ...dispute, filer: 'acct_b', basis: 'no' })
  await eventually(async () => ((await state()) === 'disputed' ? true : null))
  await of.act({ kind: 'decide_dispute', ...dispute, upheld: true, decision: 'right' })
  expect(await resolving.result()).toMatchObject({ state: 'ended' })

  await propose(of, 'res_2', 200)
  await eventually(paid(of, 'res_2'), 120_000)
  const correction = { supersedes_id: 'res_2', correction_reason: 'it was wrong', approved_by: 'omar', evidence: [] }
  const resolver = { kind: 'operator', resolver_id: 'desk-lead' }
  await of.act({
    kind: 'correct_resolution',
    resolution_id: 'res_3',
    payouts: payouts('0', '1'),
    resolver,
    ...correction,
  })
  await eventually(paid(of, 'res_3'), 120_000)
  await eventually(settled(of), 120_000)

  expect(executions.failed).toBeGreaterThan(3)
  await handle.terminate()
  await worker.stop()
  const { rows } = await of.pool.query('SELECT net_quantity FROM trading.position WHERE net_quantity <> 0')
  expect(rows).toEqual([])
  expect(await of.violations()).toEqual([])
  await of.stop()
}, 400_000)

test('a worker and a server that end half-way: what was begun is gone on with', async () => {
  const of = await SettlementWorld.start((await database()).pool)
  const rail = faultRail({
    seed: '5',
    rates: { late: 1_000 },
    record: await openRailRecord(join(folder, 'rail-2')),
    now_ms: Date.now,
    finality_ms: 60_000,
    late_ms: 1_500,
  })
  const ports = portsOf(of, rail)
  const first = await startWorker(temporal, ports, QUEUES)
  const handle = await follow()
  await of.trade('acct_a', 'acct_b', '5')
  await eventually(async () => ((await of.states()).every((state) => state === 'submitted') ? true : null))
  temporal.kill()
  await first.stop()
  const second = await startWorker(temporal, ports, QUEUES)
  await eventually(settled(of), 120_000)
  const { rows } = await of.pool.query('SELECT count(*) AS attempts FROM trading.settlement_attempt')
  expect(rows).toEqual([{ attempts: 2 }])
  await handle.terminate()
  await second.stop()
  expect(await of.violations()).toEqual([])
  await of.stop()
}, 300_000)
