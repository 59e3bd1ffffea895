import pg from 'pg'
import { TYPES } from './type-parsers.ts'

export type Pool = pg.Pool
export type PoolClient = pg.PoolClient

export type PoolOptions = {
  /** postgresql://... */
  readonly url: string
  /** Connections at most. */
  readonly size?: number
  /** Shown by pg_stat_activity. */
  readonly name?: string
  /** What is read through it is a few rows of large tables, found by indexes. */
  readonly by_index?: boolean
  /** Told of connections that broke while they lay idle; the pool makes new ones. */
  readonly onError?: (error: Error) => void
}

const CONNECT_MS = 5_000
/**
 * Planner settings: rows are found by indexes. A plan stays while a table grows from nothing to millions of rows, until the server has
 * counted them: it must not read it whole.
 */
export const BY_INDEX = '-c enable_seqscan=off'

/**
 * Connections to the trading database, with the parsers of type-parsers.ts, in UTC. It outlives a restart of the server: a broken
 * connection is dropped, and the next query makes another.
 */
export function createPool({ url, size = 8, name = 'tidemark', by_index = false, onError }: PoolOptions): Pool {
  const options = connectionOptions(url, name, by_index ? BY_INDEX : '')
  const pool = new pg.Pool({ ...options, max: size, connectionTimeoutMillis: CONNECT_MS })
  pool.on('error', (error) => onError?.(error))
  // Between its query and its return to the pool a client speaks for itself; unheard, its error would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  return pool
}

/** What every connection to the trading database is made with. @param planner settings of the server's planner, as `-c name=value` */
export function connectionOptions(url: string, name: string, planner = ''): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    keepAlive: true,
    options: `-c timezone=UTC -c datestyle=ISO ${planner}`,
    types: TYPES,
  }
}
