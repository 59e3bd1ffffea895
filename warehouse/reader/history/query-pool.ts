import { InvariantError, isServiceError, type ServiceError } from '../../../primitives/errors.ts'
import { FairQueue } from '../../../primitives/fair-queue.ts'
import type { SqlParameters } from '../../duckdb/memory-database.ts'
import type { Row } from '../../schema.ts'
import type { KeptFiles, QueryText } from './query-job.ts'
import { notNow, QUERY_LIMITS, type QueryLimits, tooManyOfCaller } from './query-limits.ts'
import { type Query, type QueryWorker, startQueryWorker } from './query-worker.ts'

export type Queries = {
  /**
   * @param kept  small files that the query reads from memory (keptRelation)
   * @throws {ServiceError} VALIDATION_QUERY_LIMIT: time or memory is used up; SERVICE_UNAVAILABLE: too many are queued;
   *   RATE_LIMIT_EXCEEDED: too many of this caller are
   * @throws {EngineError} any other error of DuckDB
   */
  query(sql: string, params?: SqlParameters, kept?: KeptFiles | null): Promise<Row[]>
}

/** Runs queries in separate processes: a slow or greedy one can be killed and never blocks the event loop. */
export type QueryPool = Queries & {
  /**
   * Returns the queries of a caller. Callers take turns, and none runs queries in every process, so that another one's next query
   * never waits for more than one.
   */
  of(caller: string): Queries
  /** Resolves once a process can take a query: on a busy machine a start may take longer than a query may wait. */
  ready(): Promise<void>
  stats(): QueryStats
  close(): void
}

/** State of a pool, for metrics. */
export type QueryStats = {
  readonly waiting: number
  readonly waiting_of_busiest_caller: number
  readonly running: number
  /** Refused queries since the start, by cause. */
  readonly refused: Readonly<Record<Refusal, number>>
}

/** Too many of one caller, or in all, were waiting; a query waited too long; it took too much time or memory. */
type Refusal = 'caller' | 'queue' | 'wait' | 'limit'

type Waiting = Query & { readonly caller: string; readonly timer: NodeJS.Timeout }

/** The service itself; it may use every process. */
const OWN = ''
/** Weight of the newest query in the average of run times. */
const NEWEST = 0.1

/** Starts the processes, so that they are warm when the first query arrives. */
export function openQueryPool(limits: QueryLimits = QUERY_LIMITS): QueryPool {
  const waiting = new FairQueue<Waiting>()
  const workers: QueryWorker[] = []
  /** Running queries of each caller. */
  const running = new Map<string, number>()
  const running_max = Math.max(1, limits.processes - 1)
  const refused: Record<Refusal, number> = { caller: 0, queue: 0, wait: 0, limit: 0 }
  const refuse = (cause: Refusal, error: ServiceError): ServiceError => {
    refused[cause] += 1
    return error
  }
  let average_ms = 0
  let closed = false
  let resolveReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  if (limits.processes === 0) resolveReady()

  const mayRun = (caller: string) => caller === OWN || (running.get(caller) ?? 0) < running_max
  const startNext = (): void => {
    resolveReady()
    const worker = workers.find((one) => one.isFree())
    const next = worker === undefined ? undefined : waiting.shift(mayRun)
    if (worker === undefined || next === undefined) return
    clearTimeout(next.timer)
    worker.run({ text: next.text, done: counted(next) })
    startNext()
  }
  /** Counts a query as running until it has ended. */
  const counted = ({ caller, done }: Waiting): Query['done'] => {
    const began_ms = performance.now()
    running.set(caller, (running.get(caller) ?? 0) + 1)
    const end = () => {
      average_ms += NEWEST * (performance.now() - began_ms - average_ms)
      const left = running.get(caller)! - 1
      if (left === 0) running.delete(caller)
      else running.set(caller, left)
    }
    return {
      resolve: (rows) => {
        end()
        done.resolve(rows)
      },
      reject: (error) => {
        end()
        if (isServiceError(error, 'VALIDATION_QUERY_LIMIT')) refuse('limit', error)
        done.reject(error)
      },
    }
  }
  /** A process that ends fails its query and is replaced. */
  const startWorker = (slot: number): void => {
    const onExit = () => {
      if (!closed) startWorker(slot)
    }
    workers[slot] = startQueryWorker(limits, { onFree: startNext, onExit })
  }
  /** Time until as many queries have run as are waiting, in milliseconds. */
  const waitOf = (queued: number, processes: number) => Math.max(1, Math.ceil((queued * average_ms) / processes))
  const full = () => {
    const retry_after_ms = String(waitOf(waiting.size, Math.max(1, limits.processes)))
    return refuse('queue', notNow(`${limits.waiting_max} reads of history are queued`, { retry_after_ms }))
  }
  /** Rejects a query of the caller with the most, so that one caller with few has room; false: there is no room. */
  const makeRoom = (caller: string): boolean => {
    if (waiting.size < limits.waiting_max) return true
    const dropped = waiting.dropFor(caller)
    if (dropped === undefined) return false
    clearTimeout(dropped.timer)
    dropped.done.reject(full())
    return true
  }
  const wait = (caller: string, text: QueryText, done: Query['done']): void => {
    const timer = setTimeout(() => {
      waiting.remove(caller, entry)
      done.reject(refuse('wait', notNow(`a read of history waited ${limits.time_ms} ms`)))
    }, limits.time_ms)
    const entry: Waiting = { caller, text, done, timer }
    waiting.push(caller, entry)
    if (workers.some((worker) => worker.isFree())) startNext()
  }
  const of = (caller: string): Queries => ({
    query: (sql, params = {}, kept = null) =>
      new Promise<Row[]>((resolve, reject) => {
        const queued = waiting.lengthOf(caller)
        if (closed) return reject(new InvariantError('query pool is closed'))
        if (queued >= limits.waiting_of_caller_max)
          return reject(refuse('caller', tooManyOfCaller(limits, waitOf(queued, running_max))))
        if (!makeRoom(caller)) return reject(full())
        wait(caller, { sql, params, kept }, { resolve, reject })
      }),
  })

  for (let slot = 0; slot < limits.processes; slot += 1) startWorker(slot)
  return {
    ...of(OWN),
    of,
    ready: () => ready,
    stats: () => ({
      waiting: waiting.size,
      waiting_of_busiest_caller: waiting.longest,
      running: [...running.values()].reduce((sum, count) => sum + count, 0),
      refused,
    }),
    close() {
      closed = true
      resolveReady()
      for (let next = waiting.shift(() => true); next !== undefined; next = waiting.shift(() => true)) {
        clearTimeout(next.timer)
        next.done.reject(notNow('the service is closing'))
      }
      for (const worker of workers) worker.end()
    },
  }
}
