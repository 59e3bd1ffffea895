// Records the histories of test/workflows/histories anew, after a workflow was changed on purpose:
//   node --import tsx test/workflows/support/record-main.ts scripted varied
// or those of some workflows alone, the others staying as they are:
//   node --import tsx test/workflows/support/record-main.ts scripted varied review rate
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { connectTemporal } from '../../../workflows/client/connect.ts'
import { startDevServer } from '../../../workflows/server/start-dev-server.ts'
import { runWorker } from '../../../workflows/worker/run-worker.ts'
import { CACHE } from './cache.ts'
import { fakePorts } from './fake-ports.ts'
import { type RecordedHistory, recordHistories, SCRIPTED } from './record-histories.ts'
import { REVIEWS, RUNS_OF_THE_PROGRAM, variedReviews } from './review-scenarios.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { settlementScenarios, variedSettlement } from './settlement-scenarios.ts'
import { temporalBinary } from './temporal.ts'
import { variedScenarios } from './varied-scenarios.ts'

const WORDS = process.argv.slice(2)
const KINDS: readonly string[] = WORDS.filter((word) => word === 'scripted' || word === 'varied')
const NAMED = WORDS.filter((word) => !KINDS.includes(word))
/** Whether histories of a workflow are recorded anew. */
const isMeant = (workflow: string) => NAMED.length === 0 || NAMED.includes(workflow)
/** Runs of one workflow that are kept of a scripted scenario, and histories of a workflow of varied ones. */
const RUNS_KEPT = 2
const VARIED_KEPT = 24

const target = fileURLToPath(new URL('../histories', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'tidemark-histories-'))
const on_problem = (error: unknown) => process.stderr.write(`${error}\n`)
const server = await startDevServer({ binary: await temporalBinary(), folder, namespace: 'default', on_problem })
const stop = new AbortController()
let work: Promise<void> = Promise.resolve()
await new Promise<void>((on_ready, refused) => {
  const ports = fakePorts({ root: folder }, folder)
  const base = {
    server,
    cache: CACHE,
    queues: ['live', 'bulk', 'settlement', 'venue'],
    ports,
    signal: stop.signal,
  } as const
  work = runWorker({ ...base, interceptors: SCRIPTED, on_ready })
  work.catch(refused)
})
const connected = await connectTemporal(server)
const counts = { scripted: 0, varied: 0 }
if (KINDS.includes('scripted'))
  counts.scripted = await writeScripted(
    await recordHistories(
      connected.client,
      meant([...SCENARIOS, ...REVIEWS, ...RUNS_OF_THE_PROGRAM, ...settlementScenarios()]),
    ),
  )
if (KINDS.includes('varied')) {
  const seed = Date.now()
  const varied = meant([...variedScenarios(seed), ...variedReviews(seed), ...variedSettlement(seed)])
  counts.varied = await writeVaried(await recordHistories(connected.client, varied))
}
stop.abort()
await work
await connected.close()
await server.close()
await rm(folder, { recursive: true, force: true })
process.stdout.write(`${counts.scripted} scripted and ${counts.varied} varied histories in ${target}\n`)

function meant(scenarios: readonly Scenario[]): Scenario[] {
  return scenarios.filter(({ workflow }) => isMeant(workflow))
}

/** A file each, to be read. Children and later runs take the same course. */
async function writeScripted(histories: readonly RecordedHistory[]): Promise<number> {
  await mkdir(target, { recursive: true })
  for (const file of await readdir(target))
    if (file.endsWith('.json') && isMeant(file.split('.')[0]!)) await rm(join(target, file))
  const counts = new Map<string, number>()
  for (const { workflow, name, history } of histories) {
    if (!isMeant(workflow)) continue
    const base = `${workflow}.${name.replaceAll(' ', '-')}`
    const count = (counts.get(base) ?? 0) + 1
    counts.set(base, count)
    if (count > (workflow === 'backfillPart' ? 1 : RUNS_KEPT)) continue
    await writeFile(join(target, `${base}.${count}.json`), `${JSON.stringify(history)}\n`)
  }
  return counts.size
}

/** A compressed file of each workflow, for there are many, and nobody reads them. */
async function writeVaried(histories: readonly RecordedHistory[]): Promise<number> {
  await mkdir(join(target, 'varied'), { recursive: true })
  const kept = new Map<string, RecordedHistory[]>()
  const of_meant = histories.filter(({ workflow }) => isMeant(workflow))
  for (const one of of_meant) kept.set(one.workflow, [...(kept.get(one.workflow) ?? []), one])
  for (const [workflow, of_it] of kept) {
    const lines = of_it.slice(0, VARIED_KEPT).map(({ history }) => `${JSON.stringify(history)}\n`)
    await writeFile(join(target, 'varied', `${workflow}.ndjson.gz`), gzipSync(lines.join(''), { level: 9 }))
  }
  return [...kept.values()].reduce((sum, { length }) => sum + Math.min(length, VARIED_KEPT), 0)
}
