import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { correctIndex } from '../../operations/index/correct-index.ts'
import { replayIndex, withoutReasons } from '../../operations/replay/replay-index.ts'
import { fileOfTarget } from '../../operations/replay/replay-target.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { DEFINITIONS, replayFolder } from '../../warehouse/store/work-keys.ts'
import type { Activities, ReplayArgs, ReplayReport } from './activity-types.ts'
import { watched } from './watched.ts'
import type { Watch, WorkerPorts } from './worker-ports.ts'

/** Creates the activities that recompute levels: into a file, or as new revisions. */
export function replayActivities(ports: WorkerPorts): Pick<Activities, 'replayMethodology' | 'correctIndex'> {
  const { warehouse } = ports
  return {
    replayMethodology: (args) => watched((watch) => replay(args, ports, watch)),
    correctIndex: (args) =>
      watched(async ({ signal }) => {
        const { revised, waiting, ...report } = await correctIndex({ ...args, warehouse, signal })
        return { ...report, revised: revised.length, waiting: waiting.length }
      }),
  }
}

/** Writes an object of its own, which replaces those of earlier replays when it is whole. */
async function replay(args: ReplayArgs, ports: WorkerPorts, watch: Watch): Promise<ReplayReport> {
  const { warehouse } = ports
  const { store } = warehouse
  const { replay_id, from, to, as_of } = args
  const definition = await definitionOf(args.target, ports)
  const key = `${replayFolder(replay_id)}/${randomUUID()}.ndjson`
  const hash = createHash('sha256')
  let lines = 0
  const texts = async function* () {
    const watching = { signal: watch.signal, on_progress: watch.heartbeat }
    for await (const line of replayIndex({ ...definition, from, to, as_of, warehouse, ...watching })) {
      const text = `${JSON.stringify(withoutReasons(line))}\n`
      hash.update(text)
      lines += 1
      yield text
    }
  }
  await store.putProduced(key, (path) =>
    pipeline(Readable.from(texts()), createWriteStream(path), { signal: watch.signal }),
  )
  for await (const other of store.list(replayFolder(replay_id))) if (other.key !== key) await store.delete(other.key)
  return { key, file: `${store.root}/${key}`, lines, sha256: `sha256:${hash.digest('hex')}` }
}

type Definition = { readonly target: string; readonly definition?: string }

/** Reads a definition from the store, or from the home, where earlier releases kept them: a request cannot read other files. */
async function definitionOf(target: string, { warehouse, home }: WorkerPorts): Promise<Definition> {
  const file = fileOfTarget(target)?.file
  if (file === undefined) return { target }
  if (target !== basename(target)) {
    throw notAllowed('VALIDATION_USAGE_INVALID', 'target', target, `the name of a definition in ${DEFINITIONS}`)
  }
  const stored = await warehouse.store.get(`${DEFINITIONS}/${file}`)
  if (stored !== null) return { target, definition: String(stored) }
  const earlier = join(home, 'definitions', target)
  return { target: existsSync(earlier) ? earlier : `${DEFINITIONS}/${target}` }
}
