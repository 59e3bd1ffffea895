import { InvariantError, isServiceError, type ServiceError } from '../../../primitives/errors.ts'
import { FairTurns } from '../../../primitives/fair-turns.ts'
import type { SqlParameters } from '../../duckdb/memory-database.ts'
import type { Row } from '../../schema.ts'
import type { KeptFiles, QueryText } from './query-job.ts'
import { notNow, QUERY_LIMITS, type QueryLimits, tooManyOfCaller } from './query-limits.ts'
import { type Query, type QueryWorker, startQueryWorker } from './query-worker.ts'

export type Queries = {
  /**
   * @param kept  small files that the query reads from memory (keptRelation)
   * @throws {ServiceError} QUERY_TIMEOUT: it took too long; VALIDATION_QUERY_LIMIT: its memory is used up;
   *   SERVICE_UNAVAILABLE: too many are queued; RATE_LIMIT_EXCEEDED: too many of this caller are
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

/** Too many of one caller, or in all, were waiting; a query waited too long; it took too much time; it took too much memory. */
type Refusal = 'caller' | 'queue' | 'wait' | 'time' | 'limit'

type Waiting = Query & { readonly caller: string; readonly timer: NodeJS.Timeout }

/** The service itself; it may use every process. */
const OWN = ''

/** Starts the processes, so that they are warm when the first query arrives. */
export function openQueryPool(limits: QueryLimits = QUERY_LIMITS): QueryPool {
  const of_caller_at_once_max = Math.max(1, limits.processes - 1)
  const turns = new FairTurns<Waiting>({ ...limits, at_once_max: limits.processes, of_caller_at_once_max }, OWN)
  const workers: QueryWorker[] = []
  const refused: Record<Refusal, number> = { caller: 0, queue: 0, wait: 0, time: 0, limit: 0 }
  const refuse = (cause: Refusal, error: ServiceError): ServiceError => {
    refused[cause] += 1
    return error
  }
  let closed = false
  let resolveReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  if (limits.processes === 0) resolveReady()

  const startNext = (): void => {
    resolveReady()
    const worker = workers.find((one) => one.isFree())
    const next = worker === undefined ? undefined : turns.next()
    if (worker === undefined || next === undefined) return
    clearTimeout(next.timer)
    worker.run({ text: next.text, done: counted(next) })
    startNext()
  }
  /** Counts the end of a query, however it ends. */
  const counted = (entry: Waiting): Query['done'] => {
    const began_ms = performance.now()
    const end = () => turns.ended(entry, performance.now() - began_ms)
    return {
      resolve: (rows) => {
        end()
        entry.done.resolve(rows)
      },
      reject: (error) => {
        end()
        if (isServiceError(error, 'QUERY_TIMEOUT')) refuse('time', error)
        if (isServiceError(error, 'VALIDATION_QUERY_LIMIT')) refuse('limit', error)
        entry.done.reject(error)
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
  const full = () => {
    const retry_after_ms = String(turns.wait_ms)
    return refuse('queue', notNow(`${limits.waiting_max} reads of history are queued`, { retry_after_ms }))
  }
  const reject = ({ timer, done }: Waiting, error: Error): void => {
    clearTimeout(timer)
    done.reject(error)
  }
  const queue = (entry: Waiting): void => {
    const outcome = turns.add(entry, (dropped) => reject(dropped, full()))
    if (outcome === 'queue') reject(entry, full())
    else if (outcome === 'caller')
      reject(entry, refuse('caller', tooManyOfCaller(limits, turns.waitOfCaller_ms(entry.caller))))
    else if (workers.some((worker) => worker.isFree())) startNext()
  }
  const wait = (caller: string, text: QueryText, done: Query['done']): void => {
    const timer = setTimeout(() => {
      turns.withdraw(entry)
      done.reject(refuse('wait', notNow(`a read of history waited ${limits.time_ms} ms`)))
    }, limits.time_ms)
    const entry: Waiting = { caller, text, done, timer }
    queue(entry)
  }
  const of = (caller: string): Queries => ({
    query: (sql, params = {}, kept = null) =>
      new Promise<Row[]>((resolve, reject) => {
        if (closed) return reject(new InvariantError('query pool is closed'))
        wait(caller, { sql, params, kept }, { resolve, reject })
      }),
  })

  for (let slot = 0; slot < limits.processes; slot += 1) startWorker(slot)
  return {
    ...of(OWN),
    of,
    ready: () => ready,
    stats: () => ({
      waiting: turns.waiting,
      waiting_of_busiest_caller: turns.longest,
      running: turns.running,
      refused,
    }),
    close() {
      closed = true
      resolveReady()
      for (const entry of turns.empty()) reject(entry, notNow('the service is closing'))
      for (const worker of workers) worker.end()
    },
  }
}
