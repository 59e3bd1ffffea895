import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { correctIndex } from '../../operations/index/correct-index.ts'
import { type ReplayLine, replayIndex, withoutReasons } from '../../operations/replay/replay-index.ts'
import { replayPart } from '../../operations/replay/replay-part.ts'
import { fileOfTarget } from '../../operations/replay/replay-target.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { DEFINITIONS, replayFolder } from '../../warehouse/store/work-keys.ts'
import type {
  Activities,
  JoinReplayArgs,
  ReplayArgs,
  ReplayedPart,
  ReplayPartArgs,
  ReplayReport,
} from './activity-types.ts'
import { watched } from './watched.ts'
import type { Watch, WorkerPorts } from './worker-ports.ts'

type ReplayActivities = Pick<Activities, 'replayMethodology' | 'replayPart' | 'joinReplay' | 'correctIndex'>

/** Creates the activities that recompute levels: into a file, or as new revisions. */
export function replayActivities(ports: WorkerPorts): ReplayActivities {
  const { warehouse } = ports
  return {
    replayMethodology: (args) => watched((watch) => replay(args, ports, watch)),
    replayPart: (args) => watched((watch) => replayOnePart(args, ports, watch)),
    joinReplay: (args) => watched((watch) => joinParts(args, ports, watch)),
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
  const texts = new Texts(replayIndex({ ...definition, from, to, as_of, warehouse, ...watching }))
  const written = await writeReplay(args.replay_id, texts, ports, watch)
  return { ...written, lines: texts.count }
}

async function replayOnePart(args: ReplayPartArgs, ports: WorkerPorts, watch: Watch): Promise<ReplayedPart> {
  const { warehouse } = ports
  const { replay_id, from, to, as_of, whole } = args
  const definition = await definitionOf(args.target, ports)
  const key = `${replayFolder(replay_id)}/parts/${randomUUID()}.ndjson`
  const part = await replayPart({ ...definition, from, to, as_of, warehouse, whole, signal: watch.signal })
  try {
    const texts = new Texts(part.lines())
    await write(key, texts, ports, watch)
    const { start, end } = part.states()
    return { key, lines: texts.count, start, end }
  } finally {
    await part.close()
  }
}

async function joinParts({ replay_id, parts }: JoinReplayArgs, ports: WorkerPorts, watch: Watch) {
  const { store } = ports.warehouse
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for (const { key } of parts) yield* createReadStream(await store.localPath(key))
  }
  const written = await writeReplay(replay_id, bytes(), ports, watch)
  return { ...written, lines: parts.reduce((sum, { lines }) => sum + lines, 0) }
}

/** Writes an object of its own, which replaces those of earlier replays and of parts when it is whole. */
async function writeReplay(
  replay_id: string,
  chunks: AsyncIterable<string | Buffer>,
  ports: WorkerPorts,
  watch: Watch,
): Promise<Omit<ReplayReport, 'lines'>> {
  const { store } = ports.warehouse
  const folder = replayFolder(replay_id)
  const key = `${folder}/${randomUUID()}.ndjson`
  const sha256 = await write(key, chunks, ports, watch)
  for await (const other of store.list(folder)) if (other.key !== key) await store.delete(other.key)
  return { key, file: `${store.root}/${key}`, sha256 }
}

/** @returns hash of the bytes */
async function write(
  key: string,
  chunks: AsyncIterable<string | Buffer>,
  { warehouse }: WorkerPorts,
  { signal }: Watch,
): Promise<string> {
  const produce = (path: string) => pipeline(Readable.from(chunks), createWriteStream(path), { signal })
  const { sha256 } = await warehouse.store.putProduced(key, produce)
  return `sha256:${sha256}`
}

/** Texts of lines, as `replay --json` prints them. */
class Texts {
  count = 0
  readonly #lines: AsyncIterable<ReplayLine> | Iterable<ReplayLine>

  constructor(lines: AsyncIterable<ReplayLine> | Iterable<ReplayLine>) {
    this.#lines = lines
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for await (const line of this.#lines) {
      this.count += 1
      yield `${JSON.stringify(withoutReasons(line))}\n`
    }
  }
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
