import { InvariantError } from '../../../primitives/errors.ts'
import type { SqlParameters } from '../../duckdb/memory-database.ts'
import type { Row } from '../../schema.ts'
import type { KeptFiles, QueryText } from './query-job.ts'
import { notNow, QUERY_LIMITS, type QueryLimits } from './query-limits.ts'
import { type Query, type QueryWorker, startQueryWorker } from './query-worker.ts'

/** Runs queries in processes of their own: a slow or greedy one can be ended, and never holds up the event loop. */
export type QueryPool = {
  /**
   * @param kept  small files that the query reads from memory (keptRelation)
   * @throws {ServiceError} VALIDATION_QUERY_LIMIT: time or memory is used up; SERVICE_UNAVAILABLE: too many wait
   * @throws {EngineError} what the engine says otherwise
   */
  query(sql: string, params?: SqlParameters, kept?: KeptFiles | null): Promise<Row[]>
  /** Until a process can take a query: on a busy machine one that starts may take longer than a query may wait. */
  ready(): Promise<void>
  close(): void
}

type Waiting = Query & { readonly timer: NodeJS.Timeout }

/** Starts the processes; they are warm when the first query comes. */
export function openQueryPool(limits: QueryLimits = QUERY_LIMITS): QueryPool {
  const waiting: Waiting[] = []
  const workers: QueryWorker[] = []
  let closed = false
  let tellReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    tellReady = resolve
  })
  if (limits.processes === 0) tellReady()

  const startNext = (): void => {
    tellReady()
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
  const wait = (text: QueryText, done: Query['done']): void => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1)
      done.reject(notNow(`a read of history waited ${limits.time_ms} ms`))
    }, limits.time_ms)
    const entry: Waiting = { text, done, timer }
    waiting.push(entry)
    if (workers.some((worker) => worker.isFree())) startNext()
  }

  for (let place = 0; place < limits.processes; place += 1) startWorker(place)
  return {
    query: (sql, params = {}, kept = null) =>
      new Promise<Row[]>((resolve, reject) => {
        if (closed) return reject(new InvariantError('query pool: it is closed'))
        if (waiting.length >= limits.waiting_max) return reject(notNow(`${limits.waiting_max} reads of history wait`))
        wait({ sql, params, kept }, { resolve, reject })
      }),
    ready: () => ready,
    close() {
      closed = true
      tellReady()
      for (const { timer, done } of waiting.splice(0)) {
        clearTimeout(timer)
        done.reject(notNow('the service is closing'))
      }
      for (const worker of workers) worker.end()
    },
  }
}
