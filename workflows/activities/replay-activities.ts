import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { basename, join as joinPath } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { correctIndex } from '../../operations/index/correct-index.ts'
import { type ReplayLine, replayIndex, withoutReasons } from '../../operations/replay/replay-index.ts'
import { replayPart } from '../../operations/replay/replay-part.ts'
import { fileOfTarget } from '../../operations/replay/replay-target.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { DEFINITIONS, replayFolder } from '../../warehouse/store/work-keys.ts'
import type { Activities, ReplayArgs, ReplayedPart, ReplayPartArgs, ReplayReport } from './activity-types.ts'
import { watched } from './watched.ts'
import type { Watch, WorkerPorts } from './worker-ports.ts'

type ReplayActivities = Pick<Activities, 'replayMethodology' | 'replayPart' | 'joinReplay' | 'correctIndex'>

/** Creates the activities that recompute levels: into a file, or as new revisions. */
export function replayActivities(ports: WorkerPorts): ReplayActivities {
  const { warehouse } = ports
  return {
    replayMethodology: (args) => watched((watch) => replay(args, ports, watch)),
    replayPart: (args) => watched((watch) => replayOnePart(args, ports, watch)),
    joinReplay: ({ replay_id, keys }) => watched((watch) => join(replay_id, keys, ports, watch)),
    correctIndex: (args) =>
      watched(async ({ signal }) => {
        const { revised, waiting, ...report } = await correctIndex({ ...args, warehouse, signal })
        return { ...report, revised: revised.length, waiting: waiting.length }
      }),
  }
}

async function replay(args: ReplayArgs, ports: WorkerPorts, watch: Watch): Promise<ReplayReport> {
  const { warehouse } = ports
  const { from, to, as_of } = args
  const definition = await definitionOf(args.target, ports)
  const watching = { signal: watch.signal, on_progress: watch.heartbeat }
  const lines = replayIndex({ ...definition, from, to, as_of, warehouse, ...watching })
  return writeReplay(args.replay_id, textsOf(lines), ports, watch)
}

async function replayOnePart(args: ReplayPartArgs, ports: WorkerPorts, watch: Watch): Promise<ReplayedPart> {
  const { warehouse } = ports
  const { replay_id, from, to, as_of, whole } = args
  const definition = await definitionOf(args.target, ports)
  const key = `${replayFolder(replay_id)}/parts/${randomUUID()}.ndjson`
  const part = await replayPart({ ...definition, from, to, as_of, warehouse, whole, signal: watch.signal })
  try {
    await writeTexts(key, textsOf(part.lines()), ports, watch)
    return { key, ...part.states() }
  } finally {
    await part.close()
  }
}

async function join(replay_id: string, keys: readonly string[], ports: WorkerPorts, watch: Watch) {
  const { store } = ports.warehouse
  const texts = async function* () {
    for (const key of keys) {
      const input = createReadStream(await store.localPath(key), 'utf8')
      for await (const line of createInterface({ input })) yield `${line}\n`
    }
  }
  return writeReplay(replay_id, texts(), ports, watch)
}

/** Writes an object of its own, which replaces those of earlier replays and of parts when it is whole. */
async function writeReplay(replay_id: string, texts: AsyncIterable<string>, ports: WorkerPorts, watch: Watch) {
  const { store } = ports.warehouse
  const key = `${replayFolder(replay_id)}/${randomUUID()}.ndjson`
  const hash = createHash('sha256')
  let lines = 0
  const counted = async function* () {
    for await (const text of texts) {
      hash.update(text)
      lines += 1
      yield text
    }
  }
  await writeTexts(key, counted(), ports, watch)
  for await (const other of store.list(replayFolder(replay_id))) if (other.key !== key) await store.delete(other.key)
  return { key, file: `${store.root}/${key}`, lines, sha256: `sha256:${hash.digest('hex')}` }
}

async function writeTexts(key: string, texts: AsyncIterable<string>, { warehouse }: WorkerPorts, { signal }: Watch) {
  await warehouse.store.putProduced(key, (path) => pipeline(Readable.from(texts), createWriteStream(path), { signal }))
}

async function* textsOf(lines: AsyncIterable<ReplayLine> | Iterable<ReplayLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(withoutReasons(line))}\n`
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
  const earlier = joinPath(home, 'definitions', target)
  return { target: existsSync(earlier) ? earlier : `${DEFINITIONS}/${target}` }
}
