import { join } from 'node:path'
import type { Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPauses } from '../../operations/pause/pauses.ts'
import { recordPause } from '../../operations/pause/record-schedule-act.ts'
import type { LivePorts } from '../../service/live/live-ports.ts'
import { workThroughTemporal } from '../../service/live/work-through-temporal.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { startBackfill } from '../../workflows/client/backfills.ts'
import { connectTemporal, type TemporalClient } from '../../workflows/client/connect.ts'
import { listSchedules } from '../../workflows/client/schedules.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { CACHE } from './support/cache.ts'
import { fakePorts } from './support/fake-ports.ts'
import { subjectOf } from './support/scripted-backfills.ts'
import { eventually, testServer } from './support/temporal.ts'

const NAMESPACE = 'fleet'
const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
const stop = new AbortController()
let warehouse: Warehouse
let connected: TemporalClient

/** A namespace as an administrator makes it: without our search attributes. */
beforeAll(async () => {
  const { workflowService } = temporal.client().connection as Connection
  const day = { seconds: 86_400 as never }
  await workflowService.registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod: day })
  await eventually(async () => workflowService.describeNamespace({ namespace: NAMESPACE }).catch(() => null))
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  // The venue is not there: a backfill of it waits before its plan.
  await recordPause(warehouse, 'ingest-venue/kalshi', { actor: 'ada', reason: 'no venue' })
  connected = await connectTemporal({ ...temporal.server(), namespace: NAMESPACE })
}, 120_000)

afterAll(async () => {
  stop.abort()
  await connected.close()
  await warehouse.close()
})

const attributesOf = async () => {
  const { operatorService } = connected.client.connection as Connection
  return Object.keys((await operatorService.listSearchAttributes({ namespace: NAMESPACE })).customAttributes ?? {})
}

test('workers that keep no schedules register the search attributes, make no schedule, and work on backfills', async () => {
  expect(await attributesOf()).not.toContain('venue_id')
  const server = { ...temporal.server(), namespace: NAMESPACE, is_own: false, close: async () => undefined }
  const problems: unknown[] = []
  const note = (problem: unknown) => void problems.push(problem)
  const ports = fakePorts(warehouse, folder, { pauses: openPauses(warehouse) }) as unknown as LivePorts
  let working: Promise<void> = Promise.resolve()
  await new Promise<void>((ready, refused) => {
    working = workThroughTemporal(server, {
      ...{ ports, venues: ['kalshi'], owner: 'fleet', queues: ['bulk'], cache: CACHE, signal: stop.signal },
      ...{ on_problem: note, on_note: note, on_step: () => undefined, on_ready: () => ready() },
    })
    working.catch(refused)
  })
  await eventually(async () => ((await attributesOf()).includes('venue_id') ? true : null))
  const handle = await eventually(() => startBackfill(connected.client, subjectOf('FLEET')).catch(() => null))
  await eventually(async () => ((await handle.progress())?.state === 'planning' ? true : null))
  expect(await listSchedules(connected.client)).toEqual([])
  await handle.cancel()
  stop.abort()
  await working
  expect(problems).toEqual([])
}, 120_000)
