// Records the histories of test/workflows/histories anew, after a workflow was changed on purpose:
//   node --import tsx test/workflows/support/record-main.ts
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectTemporal } from '../../../workflows/client/connect.ts'
import { startDevServer } from '../../../workflows/server/start-dev-server.ts'
import { runWorker } from '../../../workflows/worker/run-worker.ts'
import { CACHE } from './cache.ts'
import { fakePorts } from './fake-ports.ts'
import { recordHistories, SCRIPTED } from './record-histories.ts'
import { temporalBinary } from './temporal.ts'

const target = fileURLToPath(new URL('../histories', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'tidemark-histories-'))
const on_problem = (error: unknown) => process.stderr.write(`${error}\n`)
const server = await startDevServer({ binary: await temporalBinary(), folder, namespace: 'default', on_problem })
const stop = new AbortController()
let work: Promise<void> = Promise.resolve()
await new Promise<void>((on_ready, refused) => {
  const ports = fakePorts({ root: folder }, folder)
  const base = { server, cache: CACHE, queues: ['live', 'bulk'], ports, signal: stop.signal } as const
  work = runWorker({ ...base, interceptors: SCRIPTED, on_ready })
  work.catch(refused)
})
const connected = await connectTemporal(server)
await rm(target, { recursive: true, force: true })
await mkdir(target)
const KEPT_MAX = 2
const counts = new Map<string, number>()
for (const { workflow, name, history } of await recordHistories(connected.client, 0)) {
  const base = `${workflow}.${name.replaceAll(' ', '-')}`
  const count = (counts.get(base) ?? 0) + 1
  counts.set(base, count)
  if (count > (workflow === 'backfillPart' ? 1 : KEPT_MAX)) continue // children and later runs take the same course
  await writeFile(join(target, `${base}.${count}.json`), `${JSON.stringify(history)}\n`)
}
stop.abort()
await work
await connected.close()
await server.close()
await rm(folder, { recursive: true, force: true })
process.stdout.write(`${counts.size} histories in ${target}\n`)
