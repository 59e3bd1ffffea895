import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { invariant } from '../../../primitives/errors.ts'
import type { Row } from '../../schema.ts'
import type { QueryJob, QueryProcessOptions, QueryReply, QueryResult, QueryText } from './query-job.ts'
import { memoryLimit, notNow, type QueryLimits, timeLimit } from './query-limits.ts'

/** Query with the callbacks of its promise. */
export type Query = { readonly text: QueryText; readonly done: Settle }
type Settle = { resolve(rows: Row[]): void; reject(error: Error): void }

/** One process of the pool: runs one query at a time and is killed when it takes too long. */
export type QueryWorker = {
  /** True if its DuckDB is open, no query runs and it is not being killed. */
  isFree(): boolean
  run(query: Query): void
  /** Kills it and rejects its query; `onExit` is not called. */
  end(): void
}

/** Error that DuckDB raised for a query. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}

/**
 * Starts a process; `onFree`: it can take a query; `onExit`: it ended and must be replaced.
 * @param script  what the process runs; tests run another one
 */
export function startQueryWorker(
  limits: QueryLimits,
  { onFree, onExit }: { onFree(): void; onExit(): void },
  script = SCRIPT,
): QueryWorker {
  const child = startProcess(limits, script)
  let ready = false
  let running: { readonly id: number; readonly done: Settle; readonly timer: NodeJS.Timeout } | null = null
  let last_id = 0

  /** Clears the running query and returns its callbacks. */
  const finished = (): Settle | null => {
    const done = running?.done ?? null
    clearTimeout(running?.timer)
    running = null
    return done
  }
  child.on('message', (reply: QueryReply) => {
    if ('ready' in reply) ready = true
    else if (running?.id !== reply.id) return
    else if ('kept' in reply) return void running.timer.refresh()
    else settle(finished()!, reply, limits)
    onFree()
  })
  child.on('exit', () => {
    ready = false
    finished()?.reject(memoryLimit(limits, 'its process ended'))
    onExit()
  })
  return {
    isFree: () => ready && running === null,
    run({ text, done }) {
      invariant(running === null, 'query worker: a query is running already')
      last_id += 1
      const timer = setTimeout(() => {
        ready = false
        finished()?.reject(timeLimit(limits))
        child.kill('SIGKILL')
      }, limits.time_ms)
      running = { id: last_id, done, timer }
      child.send({ id: last_id, ...text } satisfies QueryJob)
    },
    end() {
      ready = false
      finished()?.reject(notNow('the service is closing'))
      child.removeAllListeners('exit')
      child.kill('SIGKILL')
    },
  }
}

function settle(done: Settle, reply: QueryResult, limits: QueryLimits): void {
  if (reply.ok) done.resolve([...reply.rows])
  else done.reject(reply.limit ? memoryLimit(limits, reply.message) : new EngineError(reply.message))
}

const SCRIPT = fileURLToPath(new URL('./query-process.mjs', import.meta.url))

function startProcess({ memory_mb, threads }: QueryLimits, script: string): ChildProcess {
  const options = JSON.stringify({ memory_mb, threads } satisfies QueryProcessOptions)
  return fork(script, [options], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
