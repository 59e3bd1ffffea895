import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPauses } from '../../operations/pause/pauses.ts'
import { recordPause, recordResume } from '../../operations/pause/record-schedule-act.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import { durationMicros } from '../../primitives/instants.ts'
import { LIVE_VENUES } from '../../vocabulary/venue.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { keepSchedules } from '../../workflows/client/keep-schedules.ts'
import { reconcileSchedules } from '../../workflows/client/reconcile-schedules.ts'
import {
  backfillSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  triggerSchedule,
} from '../../workflows/client/schedules.ts'
import { ensureSearchAttributes } from '../../workflows/client/search-attributes.ts'
import { ownerOf, SCHEDULES_GENERATION, type ScheduleRow, scheduleTable } from '../../workflows/schedules.ts'
import * as workflows from '../../workflows/workflow-code.ts'
import { sized } from '../support/sized.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { fakePorts, TICK } from './support/fake-ports.ts'
import { eventually, startWorker, type TestWorker, testServer } from './support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
/** Schedules in the fast lane beside those of venues: the server works for each in every round. */
const FEW = ['publish-tick', 'rate', 'expire', 'compact', 'seal', 'digests', 'vacuum']
const tableOf = (venues: readonly ('kalshi' | 'manifold' | 'polymarket')[]) =>
  scheduleTable(venues).filter(({ schedule_id }) =>
    sized(FEW.includes(schedule_id) || schedule_id.startsWith('ingest-venue/'), true),
  )
const TABLE = tableOf(['kalshi', 'manifold'])
const OURS = { owner: 'ours', generation: 5 }
const BY = { actor: 'ada', reason: 'wrong books' }
const published: number[] = []
let warehouse: Warehouse
let worker: TestWorker

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  const publish = async () => {
    published.push(Date.now())
    return TICK
  }
  worker = await startWorker(temporal, fakePorts(warehouse, folder, { publish, pauses: openPauses(warehouse) }))
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
function keepingSchedules(
  on_problem: (error: unknown) => void,
  given: { readonly owner?: string; readonly table?: typeof TABLE; readonly every_ms?: number } = {},
): () => Promise<void> {
  const { owner = OURS.owner, table = TABLE, every_ms = 200 } = given
  const stopping = new AbortController()
  const kept = keepSchedules({
    server: temporal.server(),
    table,
    owner,
    warehouse,
    pauses: openPauses(warehouse),
    signal: stopping.signal,
    on_problem,
    every_ms,
  })
  const stop = () => {
    stopping.abort()
    return kept
  }
  onTestFinished(stop)
  return stop
}

describe('the table', () => {
  const whole = scheduleTable(['kalshi', 'manifold'])

  test.each(whole)('$schedule_id starts a workflow that there is, at instants that it says', (row) => {
    expect(Object.keys(workflows)).toContain(row.workflow)
    expect(durationMicros(row.every)).toBeGreaterThanOrEqual(60_000_000)
    expect(durationMicros(row.offset)).toBeLessThan(durationMicros(row.every))
    // Turns of one workflow have ids of their own, unless there is one workflow for all turns, whose id is the schedule's.
    expect([row.workflow_id, row.workflow_id.replace(/\/<scheduled_at>$/, '')]).toContain(row.schedule_id)
  })

  test('is of a later generation whenever a row changes', () => {
    // A new hash needs a new generation: workers of an earlier release must not undo the change.
    const hash = contentHash(scheduleTable(LIVE_VENUES))
    expect([SCHEDULES_GENERATION, hash]).toEqual([
      2,
      'sha256:7b742da4e8d4e36da4b3e8adf500c064e172c04d033bde19d91c2f89d5f84256',
    ])
  })

  test('belongs to the workers with the same venues', () => {
    expect(ownerOf(LIVE_VENUES)).toBe('tidemark')
    expect(ownerOf(['manifold', 'kalshi'])).toBe('tidemark/kalshi+manifold')
    expect(ownerOf(['kalshi'])).not.toBe(ownerOf(['polymarket']))
  })

  test('has one row an id', () => {
    expect(new Set(whole.map(({ schedule_id }) => schedule_id)).size).toBe(whole.length)
  })
})

const NOTHING_DONE = { created: [], changed: [], removed: [], left: [] }

test('made twice, by two workers at once, they are there once', async () => {
  const client = temporal.client()
  await Promise.all([reconcileSchedules(client, TABLE, OURS), reconcileSchedules(client, TABLE, OURS)])
  expect(await reconcileSchedules(client, TABLE, OURS)).toEqual(NOTHING_DONE)
  const listed = await eventually(async () => {
    const found = await listSchedules(client)
    return found.length === TABLE.length ? found : null
  })
  expect(listed.map(({ schedule_id }) => schedule_id)).toEqual(TABLE.map(({ schedule_id }) => schedule_id).sort())
  const { policies, spec } = await describeOf('publish-tick')
  expect(policies).toMatchObject({ overlap: 'BUFFER_ONE', catchupWindow: 60_000 })
  expect(spec.intervals).toEqual([{ every: 60_000, offset: 5_000 }])
}, 120_000)

test('a changed interval is taken over; a paused one stays paused, with its reason; one that the table lost is removed', async () => {
  const client = temporal.client()
  const pause = { schedule_id: 'compact', paused_by: 'ada', paused_at: '2026-01-01T00:00:00Z', reason: 'wrong books' }
  await pauseSchedule(client, pause)
  const table = changed('compact', { every: 'PT6H', offset: 'PT1H' }).filter(
    ({ schedule_id }) => schedule_id !== 'seal',
  )
  const done = await reconcileSchedules(client, table, { ...OURS, generation: 6 })
  expect(done).toMatchObject({ created: [], removed: ['seal'], left: [] })
  expect(done.changed).toContain('compact')
  const { spec, state } = await describeOf('compact')
  expect(spec.intervals).toEqual([{ every: 6 * 3_600_000, offset: 3_600_000 }])
  expect(state).toMatchObject({ paused: true, note: 'paused by ada at 2026-01-01T00:00:00Z (wrong books)' })
  await resumeSchedule(client, 'compact', 'ada')
  expect((await describeOf('compact')).state.paused).toBe(false)
  expect(await reconcileSchedules(client, TABLE, { ...OURS, generation: 7 })).toMatchObject({ created: ['seal'] })
}, 120_000)

test('a worker of an earlier release undoes nothing: neither a change, nor a new schedule', async () => {
  const client = temporal.client()
  const later = changed('vacuum', { every: 'PT6H' })
  await reconcileSchedules(client, later, { ...OURS, generation: 8 })
  const earlier = TABLE.filter(({ schedule_id }) => schedule_id !== 'digests')
  const done = await reconcileSchedules(client, earlier, { ...OURS, generation: 7 })
  expect(done).toMatchObject({ created: [], changed: [], removed: [] })
  expect(done.left).toContain('vacuum')
  expect((await describeOf('vacuum')).spec.intervals).toMatchObject([{ every: 6 * 3_600_000 }])
  expect((await describeOf('digests')).memo).toMatchObject({ owner: 'ours' })
}, 120_000)

test('workers with other venues make their own schedules, and never touch those of others', async () => {
  const client = temporal.client()
  const theirs = tableOf(['polymarket']).map((row) =>
    row.schedule_id === 'compact' ? { ...row, every: 'PT1H' as const } : row,
  )
  const them = { owner: 'theirs', generation: 99 }
  const done = await reconcileSchedules(client, theirs, them)
  expect(done).toMatchObject({ created: ['ingest-venue/polymarket'], changed: [], removed: [] })
  expect((await describeOf('compact')).spec.intervals).toMatchObject([{ every: 24 * 3_600_000 }])
  expect(await reconcileSchedules(client, TABLE, { ...OURS, generation: 9 })).toMatchObject({
    created: [],
    removed: [],
  })
  expect((await describeOf('ingest-venue/polymarket')).memo).toMatchObject({ owner: 'theirs' })
  expect((await describeOf('ingest-venue/kalshi')).memo).toMatchObject({ owner: 'ours' })
  await eventually(async () => ((await listSchedules(client)).some(({ owner }) => owner === 'theirs') ? true : null))
  expect(await reconcileSchedules(client, [], them)).toMatchObject({ removed: ['ingest-venue/polymarket'] })
}, 120_000)

test('two workers with other venues keep their schedules side by side, round after round', async () => {
  const client = temporal.client()
  const problems: unknown[] = []
  const on_problem = (error: unknown) => problems.push(error)
  const beside = { owner: 'beside', table: tableOf(['polymarket']), every_ms: 500 }
  const stops = [keepingSchedules(on_problem, { every_ms: 500 }), keepingSchedules(on_problem, beside)]
  await eventually(async () => describeOf('ingest-venue/polymarket').catch(() => null))
  const owners = async () => (await listSchedules(client)).map(({ schedule_id, owner }) => [schedule_id, owner])
  const expected = [...TABLE.map(({ schedule_id }) => [schedule_id, 'ours']), ['ingest-venue/polymarket', 'beside']]
  await eventually(async () => ((await owners()).length === expected.length ? true : null))
  const created = async () =>
    Promise.all(expected.map(async ([id]) => (await describeOf(id!)).info.createdAt.getTime()))
  const before = await created()
  for (let round = 0; round < sized(3, 6); round += 1) {
    await sleep(250)
    expect((await owners()).sort()).toEqual(expected.toSorted())
  }
  expect(await created()).toEqual(before)
  for (const stop of stops) await stop()
  expect(problems).toEqual([])
  expect(await reconcileSchedules(client, [], { owner: 'beside' })).toMatchObject({
    removed: ['ingest-venue/polymarket'],
  })
}, 120_000)

test('the record of pauses counts: a schedule is paused and resumed by it, and a pause made in Temporal is recorded', async () => {
  const client = temporal.client()
  const problems: unknown[] = []
  await recordPause(warehouse, 'rate', BY)
  await client.schedule.getHandle('expire').pause('by hand')
  const stop = keepingSchedules((error) => problems.push(error))
  const note = await eventually(async () => {
    const { state } = await describeOf('rate')
    return state.paused ? state.note : null
  })
  expect(note).toMatch(/^paused by ada at .* \(wrong books\)$/)
  const pauses = openPauses(warehouse)
  expect(await eventually(() => pauses.of('expire'))).toMatchObject({ paused_by: 'Temporal', reason: 'by hand' })
  await recordResume(warehouse, 'rate', BY)
  await recordResume(warehouse, 'expire', BY)
  for (const id of ['rate', 'expire']) await eventually(async () => ((await describeOf(id)).state.paused ? null : true))
  await stop()
  expect(problems).toEqual([])
  expect(await pauses.of('expire')).toBeNull()
}, 120_000)

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
  expect(await activitiesOf(id)).toEqual(['publishDue in tidemark-publish'])
}, 120_000)

/** Returns the activities that a workflow asked for, with their queues. */
async function activitiesOf(workflow_id: string): Promise<readonly string[]> {
  const { events } = await temporal.client().workflow.getHandle(workflow_id).fetchHistory()
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: asked }) => {
    return asked ? [`${asked.activityType?.name} in ${asked.taskQueue?.name}`] : []
  })
}

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
  // Its turn lasts as long as it does, so the next turns start nothing.
  await eventually(async () => ((await started('ingest-venue/kalshi')).length > 0 ? true : null))
  expect(await started('ingest-venue/kalshi')).toHaveLength(1)
  expect(await handle.describe()).toMatchObject({ runId, status: { name: 'RUNNING' } })
  expect((await handle.describe()).searchAttributes).toMatchObject({ venue_id: ['kalshi'] })
  await pauseSchedule(client, await recordPause(warehouse, 'ingest-venue/kalshi', BY))
  await eventually(async () => ((await handle.describe()).status.name === 'CANCELLED' ? true : null))
  expect(await activitiesOf('ingest-venue/kalshi')).toEqual(['ingestSession in tidemark-ingest-kalshi'])
}, 120_000)

test('turns that somebody starts in Temporal itself while their schedules are paused wait for the end of the pauses', async () => {
  const client = temporal.client()
  const every = ['compact', 'merge-files', 'seal', 'digests', 'vacuum', 'rate', 'assess', 'expire', 'govern']
  const ids = every.filter((id) => TABLE.some(({ schedule_id }) => schedule_id === id))
  for (const id of ids) await recordPause(warehouse, id, BY)
  for (const { schedule_id, every } of TABLE.filter((row) => ids.includes(row.schedule_id))) {
    // An instant of its own: of the last one there may have been a turn of the clock before the pause, and it is not repeated.
    const start = new Date('2026-02-01T00:00:00Z')
    const end = new Date(+start + durationMicros(every) / 1_000)
    await client.schedule.getHandle(schedule_id).backfill({ start, end, overlap: 'ALLOW_ALL' })
  }
  const waiting = await eventually(async () => {
    const found = new Map<string, string>()
    for await (const { workflowId } of client.workflow.list({ query: 'ExecutionStatus = "Running"' })) {
      const id = ids.find((one) => workflowId.startsWith(`${one}/2026-02-01`))
      if (id === undefined) continue
      const { raw } = await client.workflow.getHandle(workflowId).describe()
      const failure = raw.pendingActivities?.[0]?.lastFailure
      if (failure?.applicationFailureInfo?.type === 'SCHEDULE_PAUSED') found.set(id, workflowId)
    }
    return found.size === ids.length ? [...found.values()] : null
  })
  for (const id of ids) await recordResume(warehouse, id, BY)
  await Promise.all(waiting.map((workflow_id) => client.workflow.getHandle(workflow_id).result()))
}, 120_000)

test('an unknown schedule is told in one sentence', async () => {
  await expect(triggerSchedule(temporal.client(), 'absent')).rejects.toMatchObject({
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
}, 120_000)

test('a server that is killed and has lost its database has its schedules again, and ticks are published through it', async () => {
  // Without problems: it is away for a while. Seldom: a minute may pass until the next tick.
  keepingSchedules(() => undefined, { every_ms: 2_000 })
  await eventually(async () => describeOf('publish-tick').catch(() => null))
  for (const name of readdirSync(join(folder, 'temporal'))) {
    if (name.startsWith('temporal.db')) rmSync(join(folder, 'temporal', name), { force: true }) // its journal comes and goes
  }
  const before = published.length
  temporal.kill()
  await eventually(async () => (published.length > before ? true : null), 300_000)
  await eventually(async () => describeOf('ingest-venue/kalshi').catch(() => null))
  // The lost database knew of the pause; the record does.
  await eventually(async () => ((await describeOf('ingest-venue/kalshi')).state.paused ? true : null))
  expect(await started('ingest-venue/kalshi')).toEqual([])
}, 480_000)

test('the server keeps ended workflows for half a day, so that its database stops growing', async () => {
  const { config } = await (temporal.client().connection as Connection).workflowService.describeNamespace({
    namespace: 'default',
  })
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(12 * 3_600)
})

test('attributes that workflows are found by are there, and making them again changes nothing', async () => {
  await ensureSearchAttributes(temporal.client())
  await ensureSearchAttributes(temporal.client())
})
