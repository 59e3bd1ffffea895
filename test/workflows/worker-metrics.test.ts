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
let worker: Awaited<ReturnType<typeof start>>

/** Starts a worker that serves metrics at an address of its own. */
async function start() {
  const metrics = `127.0.0.1:${await freePort('127.0.0.1')}`
  const [stop, notes] = [new AbortController(), [] as string[]]
  const ports = fakePorts({ root: folder }, folder)
  const on_note = (text: string) => notes.push(text)
  const of = { server: temporal.server(), cache: CACHE, queues: ['live', 'bulk'] as const, ports, metrics, on_note }
  let run = Promise.resolve()
  await new Promise<void>((on_ready, refused) => {
    run = runWorker({ ...of, signal: stop.signal, on_ready })
    run.catch(refused)
  })
  const ended = async () => {
    stop.abort()
    await run
  }
  return { notes, ended, served: () => fetch(`http://${metrics}/metrics`).then((answer) => answer.text()) }
}

beforeAll(async () => {
  worker = await start()
}, 120_000)
afterAll(() => worker.ended())

/** Names of the metrics that the example rules of docs/operations.md rest on. */
const NAMED = ['temporal_num_pollers', 'temporal_workflow_task_schedule_to_start_latency_bucket']

/** Fails a task, and waits until the worker has noted it and its metrics tell it. */
async function failTask(workflowId: string): Promise<void> {
  const { client } = temporal
  await client().workflow.start('absent', { workflowId, taskQueue: 'tidemark-bulk', args: [] })
  const failed = 'temporal_workflow_task_execution_failed'
  await eventually(async () => ((await worker.served()).includes(failed) ? true : null))
  // Both that of the SDK and that of its core, which knows the run alone.
  const of_workflow = () => worker.notes.filter((note) => note.includes(`[${workflowId}`))
  await eventually(async () => (of_workflow().length >= 2 ? true : null))
  await client().workflow.getHandle(workflowId).terminate()
}

test('a worker serves its metrics; a failing task is noted with its workflow and told by a metric', async () => {
  await failTask('stuck/1')
  const served = await worker.served()
  for (const name of NAMED) expect(served).toContain(name)
}, 120_000)

test('so does the next worker of the process, at its own address and with its own notes', async () => {
  const first = worker
  await first.ended()
  const noted = first.notes.length
  worker = await start()
  await failTask('stuck/2')
  expect(first.notes).toHaveLength(noted)
  await expect(first.served()).rejects.toThrow()
}, 120_000)
