import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../workflows/server/free-port.ts'
import { runWorker } from '../../workflows/worker/run-worker.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { CACHE } from './support/cache.ts'
import { fakePorts } from './support/fake-ports.ts'
import { eventually, testServer } from './support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
const stop = new AbortController()
const notes: string[] = []
let metrics: string
let run: Promise<void>

beforeAll(async () => {
  metrics = `127.0.0.1:${await freePort('127.0.0.1')}`
  const ports = fakePorts({ root: folder }, folder)
  await new Promise<void>((on_ready, refused) => {
    const on_note = (text: string) => notes.push(text)
    const of = { server: temporal.server(), cache: CACHE, queues: ['live', 'bulk'] as const, ports, metrics, on_note }
    run = runWorker({ ...of, signal: stop.signal, on_ready })
    run.catch(refused)
  })
}, 120_000)

afterAll(async () => {
  stop.abort()
  await run
})

/** Names of the metrics that the example rules of docs/operations.md rest on. */
const NAMED = ['temporal_num_pollers', 'temporal_workflow_task_schedule_to_start_latency_bucket']

test('a worker serves its metrics; a failing task is noted with its workflow and told by a metric', async () => {
  const { client } = temporal
  const text = () => fetch(`http://${metrics}/metrics`).then((answer) => answer.text())
  await client().workflow.start('absent', { workflowId: 'stuck/1', taskQueue: 'tidemark-bulk', args: [] })
  await eventually(async () => ((await text()).includes('temporal_workflow_task_execution_failed') ? true : null))
  // Both that of the SDK and that of its core, which knows the run alone.
  await eventually(async () => (notes.filter((note) => note.includes('[stuck/1')).length >= 2 ? true : null))
  const served = await text()
  for (const name of NAMED) expect(served).toContain(name)
  await client().workflow.getHandle('stuck/1').terminate()
}, 120_000)
