import { InvariantError } from '../../../primitives/errors.ts'
import type { SqlParameters } from '../../duckdb/memory-database.ts'
import type { Row } from '../../schema.ts'
import type { KeptFiles, QueryText } from './query-job.ts'
import { notNow, QUERY_LIMITS, type QueryLimits } from './query-limits.ts'
import { type Query, type QueryWorker, startQueryWorker } from './query-worker.ts'

/** Runs queries in separate processes: a slow or greedy one can be killed and never blocks the event loop. */
export type QueryPool = {
  /**
   * @param kept  small files that the query reads from memory (keptRelation)
   * @throws {ServiceError} VALIDATION_QUERY_LIMIT: time or memory is used up; SERVICE_UNAVAILABLE: too many are queued
   * @throws {EngineError} any other error of DuckDB
   */
  query(sql: string, params?: SqlParameters, kept?: KeptFiles | null): Promise<Row[]>
  /** Resolves once a process can take a query: on a busy machine a start may take longer than a query may wait. */
  ready(): Promise<void>
  close(): void
}

type Waiting = Query & { readonly timer: NodeJS.Timeout }

/** Starts the processes, so that they are warm when the first query arrives. */
export function openQueryPool(limits: QueryLimits = QUERY_LIMITS): QueryPool {
  const waiting: Waiting[] = []
  const workers: QueryWorker[] = []
  let closed = false
  let resolveReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  if (limits.processes === 0) resolveReady()

  const startNext = (): void => {
    resolveReady()
    const worker = workers.find((one) => one.isFree())
    const next = worker === undefined ? undefined : waiting.shift()
    if (worker === undefined || next === undefined) return
    clearTimeout(next.timer)
    worker.run(next)
    startNext()
  }
  /** A process that ends fails its query and is replaced. */
  const startWorker = (slot: number): void => {
    const onExit = () => {
      if (!closed) startWorker(slot)
    }
    workers[slot] = startQueryWorker(limits, { onFree: startNext, onExit })
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

  for (let slot = 0; slot < limits.processes; slot += 1) startWorker(slot)
  return {
    query: (sql, params = {}, kept = null) =>
      new Promise<Row[]>((resolve, reject) => {
        if (closed) return reject(new InvariantError('query pool is closed'))
        if (waiting.length >= limits.waiting_max)
          return reject(notNow(`${limits.waiting_max} reads of history are queued`))
        wait({ sql, params, kept }, { resolve, reject })
      }),
    ready: () => ready,
    close() {
      closed = true
      resolveReady()
      for (const { timer, done } of waiting.splice(0)) {
        clearTimeout(timer)
        done.reject(notNow('the service is closing'))
      }
      for (const worker of workers) worker.end()
    },
  }
}
