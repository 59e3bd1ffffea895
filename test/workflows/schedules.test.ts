import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { durationMicros } from '../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { ensureSearchAttributes } from '../../workflows/client/connect.ts'
import { keepSchedules } from '../../workflows/client/keep-schedules.ts'
import { reconcileSchedules } from '../../workflows/client/reconcile-schedules.ts'
import {
  backfillSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  triggerSchedule,
} from '../../workflows/client/schedules.ts'
import { type ScheduleRow, scheduleTable } from '../../workflows/schedules.ts'
import * as workflows from '../../workflows/workflow-code.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { fakePorts, TICK } from './support/fake-ports.ts'
import { eventually, startWorker, type TestWorker, testServer } from './support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
const TABLE = scheduleTable(['kalshi', 'manifold'])
const published: number[] = []
let warehouse: Warehouse
let worker: TestWorker

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  const publish = async () => {
    published.push(Date.now())
    return TICK
  }
  worker = await startWorker(temporal, fakePorts(warehouse, folder, { publish }))
}, 120_000)

afterAll(async () => {
  await worker.stop()
  await warehouse.close()
})

const describeOf = (schedule_id: string) => temporal.client().schedule.getHandle(schedule_id).describe()
const changed = (schedule_id: string, change: Partial<ScheduleRow>) =>
  TABLE.map((row) => (row.schedule_id === schedule_id ? { ...row, ...change } : row))
/** Returns the ids of the workflows that a schedule started, as its description lists them. */
const started = async (schedule_id: string) =>
  (await describeOf(schedule_id)).info.recentActions.map(({ action }) => action.workflow.workflowId)

/** Keeps the schedules until it is stopped, at the latest at the end of the test, however that ends. */
function keepingSchedules(on_problem: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController()
  const kept = keepSchedules({
    server: temporal.server(),
    table: TABLE,
    signal: stopping.signal,
    on_problem,
    every_ms: 200,
  })
  const stop = () => {
    stopping.abort()
    return kept
  }
  onTestFinished(stop)
  return stop
}

describe('the table', () => {
  test.each(TABLE)('$schedule_id starts a workflow that there is, at instants that it says', (row) => {
    expect(Object.keys(workflows)).toContain(row.workflow)
    expect(durationMicros(row.every)).toBeGreaterThanOrEqual(60_000_000)
    expect(durationMicros(row.offset)).toBeLessThan(durationMicros(row.every))
    // Turns of one workflow have ids of their own, unless there is one workflow for all turns.
    expect(row.workflow_id.includes('<scheduled_at>')).toBe(row.waits)
  })

  test('has one row an id', () => {
    expect(new Set(TABLE.map(({ schedule_id }) => schedule_id)).size).toBe(TABLE.length)
  })
})

test('made twice, by two workers at once, they are there once', async () => {
  const client = temporal.client()
  await Promise.all([reconcileSchedules(client, TABLE), reconcileSchedules(client, TABLE)])
  expect(await reconcileSchedules(client, TABLE)).toEqual({ created: [], changed: [], removed: [] })
  const listed = await eventually(async () => {
    const found = await listSchedules(client)
    return found.length === TABLE.length ? found : null
  })
  expect(listed.map(({ schedule_id }) => schedule_id)).toEqual(TABLE.map(({ schedule_id }) => schedule_id).sort())
  const { policies, spec } = await describeOf('publish-tick')
  expect(policies).toMatchObject({ overlap: 'BUFFER_ONE', catchupWindow: 60_000 })
  expect(spec.intervals).toEqual([{ every: 60_000, offset: 5_000 }])
}, 60_000)

test('a changed interval is taken over; a paused one stays paused, with its reason; one that the table lost is removed', async () => {
  const client = temporal.client()
  await pauseSchedule(client, 'compact')
  const table = changed('compact', { every: 'PT6H', offset: 'PT1H' }).filter(
    ({ schedule_id }) => schedule_id !== 'seal',
  )
  expect(await reconcileSchedules(client, table)).toEqual({ created: [], changed: ['compact'], removed: ['seal'] })
  const { spec, state } = await describeOf('compact')
  expect(spec.intervals).toEqual([{ every: 6 * 3_600_000, offset: 3_600_000 }])
  expect(state).toMatchObject({ paused: true, note: 'paused by an operator' })
  await resumeSchedule(client, 'compact')
  expect((await describeOf('compact')).state.paused).toBe(false)
  expect(await reconcileSchedules(client, TABLE)).toMatchObject({ created: ['seal'], changed: ['compact'] })
}, 60_000)

test('a turn has the id of its instant: the same instant again is not published twice', async () => {
  const client = temporal.client()
  const before = published.length
  const range = ['2026-01-01T00:00:00Z', '2026-01-01T00:02:30Z'] as const
  await backfillSchedule(client, 'publish-tick', ...range)
  const id = 'publish-tick/2026-01-01T00:02:00Z'
  await eventually(async () => (await isDone(id)) || null)
  expect(await client.workflow.getHandle(id).result()).toEqual(TICK)
  await backfillSchedule(client, 'publish-tick', ...range)
  await eventually(async () => ((await started('publish-tick')).length >= 6 ? true : null))
  await eventually(async () => ((await describeOf('publish-tick')).info.runningActions.length === 0 ? true : null))
  // Two ticks lie between: 00:01 and 00:02 (that of 00:00 is due at 00:00:05). Real minutes may pass meanwhile.
  const ticks = []
  for await (const { workflowId } of client.workflow.list({ query: 'WorkflowType = "publishTick"' })) {
    if (workflowId.startsWith('publish-tick/2026-01-01')) ticks.push(workflowId)
  }
  expect(ticks.sort()).toEqual(['00:00', '00:01', '00:02'].map((minute) => `publish-tick/2026-01-01T${minute}:00Z`))
  expect(published.length - before).toBeGreaterThanOrEqual(3)
}, 120_000)

const isDone = async (workflow_id: string) =>
  temporal
    .client()
    .workflow.getHandle(workflow_id)
    .describe()
    .then(
      ({ status }) => status.name === 'COMPLETED',
      () => false,
    )

test('a venue is followed by one workflow, however often its schedule has a turn; paused, it ends', async () => {
  const client = temporal.client()
  const handle = client.workflow.getHandle('ingest-venue/kalshi')
  await triggerSchedule(client, 'ingest-venue/kalshi')
  const { runId } = await eventually(async () => handle.describe().catch(() => null))
  await triggerSchedule(client, 'ingest-venue/kalshi')
  await eventually(async () => ((await started('ingest-venue/kalshi')).length >= 2 ? true : null))
  expect(await handle.describe()).toMatchObject({ runId, status: { name: 'RUNNING' } })
  expect((await handle.describe()).searchAttributes).toMatchObject({ venue_id: ['kalshi'] })
  await pauseSchedule(client, 'ingest-venue/kalshi')
  await eventually(async () => ((await handle.describe()).status.name === 'CANCELLED' ? true : null))
}, 60_000)

test('an unknown schedule is told in one sentence', async () => {
  await expect(pauseSchedule(temporal.client(), 'absent')).rejects.toMatchObject({
    code: 'SCHEDULE_NOT_FOUND',
    message: 'there is no schedule absent; allowed: an id that `tidemark schedules list` shows',
  })
})

test('a schedule that was deleted is made again; a paused one beside it stays paused', async () => {
  const client = temporal.client()
  const problems: unknown[] = []
  const stop = keepingSchedules((error) => problems.push(error))
  await client.schedule.getHandle('publish-tick').delete()
  await eventually(async () => describeOf('publish-tick').catch(() => null))
  await stop()
  expect(problems).toEqual([])
  expect((await describeOf('ingest-venue/kalshi')).state.paused).toBe(true)
}, 60_000)

test('a server that is killed and has lost its database has its schedules again, and ticks are published through it', async () => {
  keepingSchedules(() => undefined) // it is away for a while
  await eventually(async () => describeOf('publish-tick').catch(() => null))
  for (const name of readdirSync(join(folder, 'temporal'))) {
    if (name.startsWith('temporal.db')) rmSync(join(folder, 'temporal', name), { force: true }) // its journal comes and goes
  }
  const before = published.length
  temporal.kill()
  await eventually(async () => (published.length > before ? true : null), 100_000)
  await eventually(async () => describeOf('ingest-venue/kalshi').catch(() => null))
}, 120_000)

test('attributes that workflows are found by are there, and making them again changes nothing', async () => {
  const connected = { client: temporal.client(), server: temporal.server(), close: async () => undefined }
  await ensureSearchAttributes(connected)
  await ensureSearchAttributes(connected)
})
