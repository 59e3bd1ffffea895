import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { recordBackfill } from '../../operations/backfill/backfill-progress.ts'
import type { BackfillProgress } from '../../operations/backfill/backfill-types.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { startBackfill } from '../../workflows/client/backfills.ts'
import { keepBackfills } from '../../workflows/client/keep-backfills.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { fakePorts } from './support/fake-ports.ts'
import { DAYS, forever, scriptedBackfills, subjectOf } from './support/scripted-backfills.ts'
import { eventually, startWorker, type TestWorker, testServer } from './support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
const { script, interceptors } = scriptedBackfills()
let warehouse: Warehouse
let worker: TestWorker

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  worker = await startWorker(temporal, fakePorts(warehouse, folder), { queues: ['bulk'], interceptors })
}, 120_000)

afterAll(async () => {
  await worker.stop()
  await warehouse.close()
})

const LONG_AGO = '2026-01-01T00:00:00Z'
/** Chunks of reports that a test makes; the workflow's own has DAYS. */
const TOLD = 7

const told = (backfill_id: string, updated_at: string, state: BackfillProgress['state'] = 'running') =>
  recordBackfill(warehouse, {
    ...{ backfill_id, subject_kind: 'venue', subject_id: 'kalshi', from: LONG_AGO, to: '2026-01-04T00:00:00Z', state },
    ...{ chunks_total: TOLD, chunks_done: 1, records_new: 5, started_at: LONG_AGO, updated_at },
  })

type Report = { readonly state: string; readonly chunks_total: number; readonly updated_at: string }

/** Reports of a backfill, in the order of their publication. */
async function reports(backfill_id: string): Promise<Report[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const columns = 'backfill_id, state, chunks_total, updated_at'
    const rows = await session.query(`select ${columns} from backfill_run_history order by published_at`)
    return (rows as unknown as (Report & { backfill_id: string })[]).filter((row) => row.backfill_id === backfill_id)
  } finally {
    await session.close()
  }
}

/** Keeps backfills until the end of the test. */
function keeping(every_ms: number): { readonly problems: unknown[]; readonly stop: () => Promise<void> } {
  const stopping = new AbortController()
  const problems: unknown[] = []
  const on_problem = (error: unknown) => void problems.push(error)
  const kept = keepBackfills({ server: temporal.server(), warehouse, signal: stopping.signal, on_problem, every_ms })
  const stop = () => {
    stopping.abort()
    return kept
  }
  onTestFinished(stop)
  return { problems, stop }
}

/** A backfill that runs on the server and waits. */
async function waiting(market: string): Promise<string> {
  script.set(market, [forever])
  const handle = await startBackfill(temporal.client(), subjectOf(market))
  onTestFinished(() => handle.cancel().catch(() => undefined)) // it may have ended
  await eventually(async () => ((await handle.progress())?.state === 'running' ? true : null))
  return handle.backfill_id
}

const bySelf = (rows: readonly Report[]) => rows.filter(({ chunks_total }) => chunks_total === DAYS)

test('one that waits is reported with its own progress; one that ended, or that the server does not run, is not', async () => {
  const backfill_id = await waiting('WAITS')
  await told(backfill_id, LONG_AGO)
  // It answers as it was when somebody ended it: running.
  const ended = await waiting('ENDED')
  await temporal.client().workflow.getHandle(`backfill/${ended}`).terminate()
  await told(ended, LONG_AGO)
  await told('bkf_gone', LONG_AGO)
  await told('bkf_done', LONG_AGO, 'done')
  const { problems, stop } = keeping(100)
  const [first] = await eventually(async () => {
    const own = bySelf(await reports(backfill_id))
    return own.length > 1 ? own : null
  })
  await stop()
  expect(first).toMatchObject({ state: 'running', chunks_total: DAYS })
  expect(Date.now() - Date.parse(first!.updated_at)).toBeLessThan(60_000)
  for (const one of [ended, 'bkf_gone', 'bkf_done']) expect(await reports(one)).toHaveLength(1)
  expect(problems).toEqual([])
  const before = (await reports(backfill_id)).length
  await sleep(500)
  expect(await reports(backfill_id)).toHaveLength(before)
}, 120_000)

test('one that reports by itself is left alone until it has been silent', async () => {
  const every_ms = 1_500
  const backfill_id = await waiting('TELLS')
  await told(backfill_id, formatMicros(await warehouse.now()))
  const { stop } = keeping(every_ms)
  for (const end = Date.now() + 3 * every_ms; Date.now() < end; await sleep(100))
    await told(backfill_id, formatMicros(await warehouse.now()))
  await eventually(async () => (bySelf(await reports(backfill_id)).length > 0 ? true : null))
  await stop()
  const all = await reports(backfill_id)
  // Since the newest report before: nothing is published between the look at it and a report by others.
  const silences = all.flatMap(({ chunks_total, updated_at }, n) => {
    const before = Math.max(...all.slice(0, n).map((one) => Date.parse(one.updated_at)))
    return chunks_total === DAYS ? [Date.parse(updated_at) - before] : []
  })
  expect(Math.min(...silences)).toBeGreaterThanOrEqual(every_ms)
}, 120_000)

test('a server that is away is a problem in one sentence, and the reports go on afterwards', async () => {
  const backfill_id = await waiting('AWAY')
  await told(backfill_id, LONG_AGO)
  temporal.freeze()
  const { problems } = keeping(100)
  await eventually(async () => (problems.length > 0 ? true : null)).finally(temporal.thaw)
  expect(problems[0]).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining(`Temporal does not answer at ${temporal.server().address}; allowed:`),
  })
  await eventually(async () => (bySelf(await reports(backfill_id)).length > 0 ? true : null))
}, 120_000)
