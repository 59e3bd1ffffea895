import { ServiceError } from '../../../primitives/errors.ts'
import { copyRows } from '../copy-rows.ts'
import type { Pool, PoolClient } from '../create-pool.ts'
import { type AppliedMigration, migrateTo } from '../migrate.ts'
import { readSql } from '../read-sql.ts'

/** Table of a backup: its rows come in chunks of COPY's text, which are read when their turn comes. */
export type CopiedTable = {
  readonly table_name: string
  readonly columns: readonly string[]
  readonly rows: number
  readonly chunks: readonly (() => Promise<Buffer>)[]
}

const FOLDER = new URL('./sql/', import.meta.url)

/**
 * Fills an empty database with the tables of a backup, at the schema that they were written with: all of it in one transaction, or
 * nothing. The lease of the engine that wrote them is ended.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the database has a trading schema; VALIDATION_VERSION_PUBLISHED: a migration is not one
 *   of this version; BACKUP_CORRUPT: a table has another number of rows
 */
export async function importTrading(
  pool: Pool,
  backup: { readonly migrations: readonly AppliedMigration[]; readonly tables: readonly CopiedTable[] },
): Promise<void> {
  await refuseUsedDatabase(pool)
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await migrateTo(client, backup.migrations)
    for (const table of backup.tables) await fill(client, table)
    await client.query(readSql('end_lease', FOLDER))
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/** Refuses a database that was used before. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export async function refuseUsedDatabase(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ used: boolean }>(`SELECT to_regnamespace('trading') IS NOT NULL AS used`)
  if (rows[0]?.used !== true) return
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    'the trading database is not empty: it has a schema trading; allowed: a database without one',
  )
}

async function fill(client: PoolClient, { table_name, columns, rows, chunks }: CopiedTable): Promise<void> {
  const table = `trading.${table_name}`
  await empty(client, table)
  const names = columns.map((name) => `"${name}"`).join(', ')
  for (const chunk of chunks) await copyRows(client, `COPY ${table} (${names}) FROM STDIN`, await chunk())
  const counted = await client.query<{ rows: string }>(`SELECT count(*)::text AS rows FROM ${table}`)
  if (counted.rows[0]?.rows === String(rows)) return
  throw new ServiceError(
    'BACKUP_CORRUPT',
    `table ${table_name} has ${counted.rows[0]?.rows} rows after the restore; allowed: ${rows}, as the backup states`,
    { table: table_name },
  )
}

/** Removes the first rows that migrations write into a few tables, some of them append-only: the backup has these rows as they became. */
async function empty(client: PoolClient, table: string): Promise<void> {
  const found = await client.query(`SELECT FROM ${table} LIMIT 1`)
  if (found.rowCount === 0) return
  await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await client.query(`DELETE FROM ${table}`)
  await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
}
