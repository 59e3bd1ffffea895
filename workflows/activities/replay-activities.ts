import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { correctIndex } from '../../operations/index/correct-index.ts'
import { replayIndex, withoutReasons } from '../../operations/replay/replay-index.ts'
import { isDefinitionFile } from '../../operations/replay/replay-target.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
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

/** Writes to a temporary file and renames it: a repeated replay leaves no partial file. */
async function replay(args: ReplayArgs, { warehouse, home }: WorkerPorts, watch: Watch): Promise<ReplayReport> {
  const { replay_id, from, to, as_of } = args
  const target = targetIn(home, args.target)
  const file = join(home, 'replays', `${contentHash(replay_id).slice('sha256:'.length, 24)}.ndjson`)
  const unfinished = `${file}.${process.pid}`
  const hash = createHash('sha256')
  let lines = 0
  await mkdir(dirname(file), { recursive: true })
  const texts = async function* () {
    const request = { target, from, to, as_of, warehouse, signal: watch.signal, on_progress: watch.heartbeat }
    for await (const line of replayIndex(request)) {
      const text = `${JSON.stringify(withoutReasons(line))}\n`
      hash.update(text)
      lines += 1
      yield text
    }
  }
  try {
    await pipeline(Readable.from(texts()), createWriteStream(unfinished), { signal: watch.signal })
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
  return { file, lines, sha256: `sha256:${hash.digest('hex')}` }
}

/** Resolves a definition file inside the home: a request cannot read other files of this machine. */
function targetIn(home: string, target: string): string {
  if (!isDefinitionFile(target)) return target
  const folder = join(home, 'definitions')
  const file = join(folder, target)
  const inside = relative(folder, file)
  if (inside !== '..' && !inside.startsWith(`..${sep}`)) return file
  throw new ServiceError('VALIDATION_USAGE_INVALID', `target is ${target}; allowed: a file below ${folder}`, {
    field: 'target',
    value: target,
  })
}
