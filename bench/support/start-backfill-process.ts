import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import { invariant } from '../../primitives/errors.ts'
import type { Instant } from '../../primitives/instants.ts'

type Place = {
  /** Folder of the warehouse. */
  readonly root: string
  readonly home: string
  /** Time of its clock; null for this machine's clock. */
  readonly now: Instant | null
  /** Its DuckDB has one thread; as many as the machine has cores when left out. */
  readonly one_thread?: boolean
}

/** Arguments of backfill-process.ts. */
export type BackfillProcess = Place &
  (
    | { readonly kind: 'here'; readonly subject: BackfillSubject }
    | { readonly kind: 'worker'; readonly address: string; readonly cache: string }
  )

const SCRIPT = fileURLToPath(new URL('backfill-process.ts', import.meta.url))

/** Runs a backfill in a process of its own. @returns its wall time and CPU time */
export async function backfillHere(
  subject: BackfillSubject,
  place: Place,
): Promise<{ readonly seconds: number; readonly cpu_seconds: number }> {
  const { next } = start({ kind: 'here', subject, ...place })
  const { seconds } = await next()
  const { cpu_seconds } = await next()
  return { seconds: seconds!, cpu_seconds: cpu_seconds! }
}

export type BulkWorker = {
  /** Stops it. @returns its CPU time */
  close(): Promise<{ readonly cpu_seconds: number }>
}

/** Starts the worker for long work in a process of its own, as `tidemark up` does; resolves once it works. */
export async function startBulkWorker(address: string, cache: string, place: Place): Promise<BulkWorker> {
  const { child, next } = start({ kind: 'worker', address, cache, ...place })
  await next()
  return {
    close: async () => {
      child.stdin.end()
      const { cpu_seconds } = await next()
      return { cpu_seconds: cpu_seconds! }
    },
  }
}

type Line = { readonly seconds?: number; readonly cpu_seconds?: number }

function start(given: BackfillProcess) {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, JSON.stringify(given)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'close')
  const next = async (): Promise<Line> => {
    const { value, done } = await lines.next()
    if (done === true) invariant(false, `the backfill process exited with ${(await ended)[0]}`)
    return JSON.parse(value as string) as Line
  }
  return { child, next }
}
