import pg from 'pg'
import { TYPES } from './type-parsers.ts'

export type Pool = pg.Pool
export type PoolClient = pg.PoolClient

export type PoolOptions = {
  /** postgresql://... */
  readonly url: string
  /** Largest number of connections. */
  readonly size?: number
  /** Application name in pg_stat_activity. */
  readonly name?: string
  /** Set for reads of few rows from large tables, found by index. */
  readonly by_index?: boolean
  /** Called for connections that broke while idle; the pool replaces them. */
  readonly onError?: (error: Error) => void
}

const CONNECT_MS = 5_000
/**
 * Planner setting for lookups by index. A plan is kept while a table grows from empty to millions of rows, until the server has
 * counted them: such a plan must never scan the table.
 */
export const BY_INDEX = '-c enable_seqscan=off'

/**
 * Creates a pool of connections to the trading database, with the parsers of type-parsers.ts, in UTC. It survives a server
 * restart: a broken connection is dropped, and the next query opens another.
 */
export function createPool({ url, size = 8, name = 'tidemark', by_index = false, onError }: PoolOptions): Pool {
  const options = connectionOptions(url, name, by_index ? BY_INDEX : '')
  const pool = new pg.Pool({ ...options, max: size, connectionTimeoutMillis: CONNECT_MS })
  pool.on('error', (error) => onError?.(error))
  // Without a listener an error between a client's query and its return to the pool would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  return pool
}

/** Returns the settings of every connection to the trading database. @param planner planner settings, as `-c name=value` */
export function connectionOptions(url: string, name: string, planner = ''): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    keepAlive: true,
    options: `-c timezone=UTC -c datestyle=ISO ${planner}`,
    types: TYPES,
  }
}
