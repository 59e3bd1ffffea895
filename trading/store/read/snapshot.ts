import { isServiceError, ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { PAGE_BYTES_MAX } from '../../../protocol/limits.ts'
import type { Pool, PoolClient } from '../create-pool.ts'
import { isOurFault } from '../database-failure.ts'
import { readSql } from '../read-sql.ts'
import { queryUpTo, type RowsUpTo } from './query-up-to.ts'
import type { Head } from './trading-reads.ts'

/** Runs a statement of sql/ by its name. */
export type Query = <R>(name: string, values: readonly unknown[]) => Promise<readonly R[]>

/** Runs a statement whose rows are those of a page, and reads no more of them than such a page may have. */
export type List = <R>(name: string, values: readonly unknown[]) => Promise<RowsUpTo<R>>

const FOLDER = new URL('./sql/', import.meta.url)

/** Runs a single statement. @throws {ServiceError} SERVICE_UNAVAILABLE */
export async function queryOnce<R>(pool: Pool, name: string, values: readonly unknown[]): Promise<readonly R[]> {
  return reachable(async () => await run<R>(pool, name, values))
}

/**
 * Runs several statements on one state of the database.
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
export async function snapshot<T>(pool: Pool, work: (query: Query, list: List) => Promise<T>): Promise<T> {
  return reachable(async () => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const list: List = (name, values) => queryUpTo(client, statement(name, values), PAGE_BYTES_MAX)
      const result = await work((name, values) => run(client, name, values), list)
      await client.query('COMMIT')
      client.release()
      return result
    } catch (error) {
      // A connection inside a failed transaction cannot be reused.
      client.release(true)
      throw error
    }
  })
}

const NOTHING_YET: Head = { epoch: '0000000000000000', at: 0, engine_sequence: 0, ledger_sequence: 0 }

/** Reads the last batch, or the last one up to an instant. */
export async function headOf(query: Query, as_of: Micros | null): Promise<Head> {
  const rows = as_of === null ? await query<Head>('head', []) : await query<Head>('head_at', [formatMicros(as_of)])
  return rows[0] ?? NOTHING_YET
}

async function run<R>(client: Pool | PoolClient, name: string, values: readonly unknown[]): Promise<readonly R[]> {
  const { rows } = await client.query(statement(name, values))
  return rows as R[]
}

function statement(name: string, values: readonly unknown[]) {
  return { name: `read_${name}`, text: readSql(name, FOLDER), values: [...values] }
}

/** Reports an unreachable database as SERVICE_UNAVAILABLE; a statement that the server rejects is a bug of ours and passes through. */
async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isServiceError(error) || isOurFault(error)) throw error
    const message = 'the trading database does not answer; what was asked changes nothing, ask again'
    throw new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'database' }, error)
  }
}
