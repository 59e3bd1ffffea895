import { InvariantError } from '../../../primitives/errors.ts'
import type { SqlParameters } from '../../read/duckdb.ts'
import type { Row } from '../../schema.ts'
import { notNow, QUERY_LIMITS, type QueryLimits } from './query-limits.ts'
import { type Query, type QueryWorker, startQueryWorker } from './query-worker.ts'

/** Runs queries in processes of their own: a slow or greedy one can be ended, and never holds up the event loop. */
export type QueryPool = {
  /**
   * @throws {ServiceError} VALIDATION_QUERY_LIMIT: time or memory is used up; SERVICE_UNAVAILABLE: too many wait
   * @throws {EngineError} what the engine says otherwise
   */
  query(sql: string, params?: SqlParameters): Promise<Row[]>
  close(): void
}

type Waiting = Query & { readonly timer: NodeJS.Timeout }

/** Starts the processes; they are warm when the first query comes. */
export function openQueryPool(limits: QueryLimits = QUERY_LIMITS): QueryPool {
  const waiting: Waiting[] = []
  const workers: QueryWorker[] = []
  let closed = false

  const startNext = (): void => {
    const worker = workers.find((one) => one.isFree())
    const next = worker === undefined ? undefined : waiting.shift()
    if (worker === undefined || next === undefined) return
    clearTimeout(next.timer)
    worker.run(next)
    startNext()
  }
  /** A process that ended takes its query with it; another one takes its place. */
  const startWorker = (place: number): void => {
    const onExit = () => {
      if (!closed) startWorker(place)
    }
    workers[place] = startQueryWorker(limits, { onFree: startNext, onExit })
  }
  const wait = (sql: string, params: SqlParameters, done: Query['done']): void => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1)
      done.reject(notNow(`a read of history waited ${limits.time_ms} ms`))
    }, limits.time_ms)
    const entry: Waiting = { sql, params, done, timer }
    waiting.push(entry)
    startNext()
  }

  for (let place = 0; place < limits.processes; place += 1) startWorker(place)
  return {
    query: (sql, params = {}) =>
      new Promise<Row[]>((resolve, reject) => {
        if (closed) return reject(new InvariantError('query pool: it is closed'))
        if (waiting.length >= limits.waiting_max) return reject(notNow(`${limits.waiting_max} reads of history wait`))
        wait(sql, params, { resolve, reject })
      }),
    close() {
      closed = true
      for (const { timer, done } of waiting.splice(0)) {
        clearTimeout(timer)
        done.reject(notNow('the service is closing'))
      }
      for (const worker of workers) worker.end()
    },
  }
}
