import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { InvariantError, ServiceError } from '../../../primitives/errors.ts'
import type { SqlParameters } from '../../read/duckdb.ts'
import type { Row } from '../../schema.ts'
import type { QueryJob, QueryProcessOptions, QueryReply } from './query-job.ts'

/** Bounds of the reads of history in one serving process. */
export type QueryLimits = QueryProcessOptions & {
  /** Queries that run at the same time, each in a process of its own. */
  readonly processes: number
  /** Queries that may wait for one. */
  readonly waiting_max: number
  /** How long one may run, and how long it may wait. */
  readonly time_ms: number
}

export const QUERY_LIMITS: QueryLimits = { processes: 2, waiting_max: 64, time_ms: 5000, memory_mb: 512, threads: 1 }

/** Runs queries in processes of their own: a slow or greedy one can be ended, and never holds up the event loop. */
export type QueryPool = {
  /**
   * @throws {ServiceError} VALIDATION_QUERY_LIMIT: time or memory is used up; SERVICE_UNAVAILABLE: too many wait
   * @throws {EngineError} what the engine says otherwise
   */
  query(sql: string, params?: SqlParameters): Promise<Row[]>
  close(): void
}

/** The engine's own complaint about a query. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}

type Waiting = {
  readonly sql: string
  readonly params: SqlParameters
  readonly done: Settle
  readonly timer: NodeJS.Timeout
}
type Settle = { resolve(rows: Row[]): void; reject(error: Error): void }
type Worker = {
  readonly child: ChildProcess
  /** Its engine is open and it is not being ended. */
  ready: boolean
  running: { readonly id: number; readonly done: Settle; readonly timer: NodeJS.Timeout } | null
}

const SCRIPT = fileURLToPath(new URL('./query-process.ts', import.meta.url))
const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** Starts the processes; they are warm when the first query comes. */
export function openQueryPool(limits: QueryLimits = QUERY_LIMITS): QueryPool {
  const waiting: Waiting[] = []
  const workers: Worker[] = []
  let closed = false
  let last_id = 0

  const startWorker = (): Worker => {
    const child = startProcess(limits)
    const worker: Worker = { child, ready: false, running: null }
    child.on('message', (reply: QueryReply) => finish(worker, reply))
    child.on('exit', () => replace(worker))
    return worker
  }

  const finish = (worker: Worker, reply: QueryReply): void => {
    if ('ready' in reply) {
      worker.ready = true
      startNext()
      return
    }
    const { running } = worker
    if (running === null || running.id !== reply.id) return
    worker.running = null
    clearTimeout(running.timer)
    if (reply.ok) running.done.resolve([...reply.rows])
    else running.done.reject(reply.limit ? memoryLimit(limits, reply.message) : new EngineError(reply.message))
    startNext()
  }

  /** A process that ended takes its query with it; another one takes its place. */
  const replace = (worker: Worker): void => {
    const { running } = worker
    if (running !== null) {
      clearTimeout(running.timer)
      running.done.reject(memoryLimit(limits, 'its process ended'))
    }
    const place = workers.indexOf(worker)
    if (closed || place < 0) return
    workers[place] = startWorker()
    startNext()
  }

  const startNext = (): void => {
    const worker = workers.find(({ ready, running }) => ready && running === null)
    const next = worker === undefined ? undefined : waiting.shift()
    if (worker === undefined || next === undefined) return
    clearTimeout(next.timer)
    last_id += 1
    const id = last_id
    const timer = setTimeout(() => {
      worker.running = null
      worker.ready = false
      next.done.reject(timeLimit(limits))
      worker.child.kill('SIGKILL')
    }, limits.time_ms)
    worker.running = { id, done: next.done, timer }
    worker.child.send({ id, sql: next.sql, params: next.params } satisfies QueryJob)
    startNext()
  }

  for (let count = 0; count < limits.processes; count += 1) workers.push(startWorker())
  return {
    query: (sql, params = {}) =>
      new Promise<Row[]>((resolve, reject) => {
        if (closed) return reject(new InvariantError('query pool: it is closed'))
        if (waiting.length >= limits.waiting_max) return reject(tooMany(`${limits.waiting_max} reads of history wait`))
        const done = { resolve, reject }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(entry), 1)
          reject(tooMany(`a read of history waited ${limits.time_ms} ms`))
        }, limits.time_ms)
        const entry: Waiting = { sql, params, done, timer }
        waiting.push(entry)
        startNext()
      }),
    close() {
      closed = true
      for (const { timer, done } of waiting.splice(0)) {
        clearTimeout(timer)
        done.reject(tooMany('the service is closing'))
      }
      for (const { child, running } of workers) {
        if (running !== null) clearTimeout(running.timer)
        running?.done.reject(tooMany('the service is closing'))
        child.removeAllListeners('exit')
        child.kill('SIGKILL')
      }
    },
  }
}

function startProcess({ memory_mb, threads }: QueryLimits): ChildProcess {
  const options = JSON.stringify({ memory_mb, threads } satisfies QueryProcessOptions)
  return fork(SCRIPT, [options], {
    execArgv: ['--import', LOADER],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function timeLimit({ time_ms }: QueryLimits): ServiceError {
  return new ServiceError(
    'VALIDATION_QUERY_LIMIT',
    `the read took longer than ${time_ms} ms; allowed: a smaller range, or more filters`,
    { time_ms: String(time_ms) },
  )
}

function memoryLimit({ memory_mb }: QueryLimits, seen: string): ServiceError {
  return new ServiceError(
    'VALIDATION_QUERY_LIMIT',
    `the read needs more than ${memory_mb} MB (${seen}); allowed: a smaller range, or more filters`,
    { memory_mb: String(memory_mb) },
  )
}

function tooMany(seen: string): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', `reads of history are not possible now: ${seen}; try again`, {})
}
