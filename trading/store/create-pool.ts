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
  /** Told of connections that broke while they lay idle; the pool makes new ones. */
  readonly onError?: (error: Error) => void
}

const CONNECT_MS = 5_000

/**
 * Connections to the trading database, with the parsers of type-parsers.ts, in UTC. It outlives a restart of the server: a broken
 * connection is dropped, and the next query makes another.
 */
export function createPool({ url, size = 8, name = 'tidemark', onError }: PoolOptions): Pool {
  const pool = new pg.Pool({ ...connectionOptions(url, name), max: size, connectionTimeoutMillis: CONNECT_MS })
  pool.on('error', (error) => onError?.(error))
  // Between its query and its return to the pool a client speaks for itself; unheard, its error would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  return pool
}

/** What every connection to the trading database is made with. */
export function connectionOptions(url: string, name: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    keepAlive: true,
    options: '-c timezone=UTC -c datestyle=ISO',
    types: TYPES,
  }
}
