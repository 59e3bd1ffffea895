import type { Pool, PoolClient } from '../create-pool.ts'
import { type AppliedMigration, appliedMigrations } from '../migrate.ts'
import { readSql } from '../read-sql.ts'
import { copyOut } from './copy-out.ts'

/** Newest committed batch of a snapshot; null fields: nothing was committed yet. */
export type TradingHead = {
  readonly batch_sequence: number | null
  readonly batch_hash: string | null
  readonly engine_sequence: number | null
}

/** Table of the trading schema, as it is copied. */
type StoredTable = {
  readonly table_name: string
  readonly columns: readonly string[]
  readonly key: readonly string[] | null
}

/** Snapshot of a trading database, open until it is closed: everything committed before it was opened, and nothing later. */
export type TradingSnapshot = {
  readonly migrations: readonly AppliedMigration[]
  readonly head: TradingHead
  readonly tables: readonly StoredTable[]
  /** Reads the rows of a table as COPY's text, in the order of its key, in chunks of whole rows. @returns the number of rows */
  read(table: StoredTable, keep: (rows: Buffer, count: number) => void): Promise<number>
  close(): Promise<void>
}

const FOLDER = new URL('./sql/', import.meta.url)
/** Bytes from which a chunk ends. Equal rows make equal chunks, so a table that only grows changes its last chunk alone. */
const CHUNK_BYTES = 4 << 20

/**
 * Opens a snapshot in a read-only transaction of one isolation; writers go on meanwhile.
 * @returns null: the database was never migrated
 */
export async function openTradingSnapshot(pool: Pool): Promise<TradingSnapshot | null> {
  const client = await pool.connect()
  const close = async () => {
    await client.query('ROLLBACK').catch(() => undefined)
    client.release()
  }
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const migrations = await appliedMigrations(client)
    if (migrations.length > 0) return await snapshotOf(client, migrations, close)
  } catch (error) {
    await close()
    throw error
  }
  await close()
  return null
}

async function snapshotOf(
  client: PoolClient,
  migrations: readonly AppliedMigration[],
  close: () => Promise<void>,
): Promise<TradingSnapshot> {
  const [newest] = (await client.query(readSql('last_batch'))).rows
  const { rows: tables } = await client.query<StoredTable>(readSql('stored_tables', FOLDER))
  return {
    migrations,
    head: {
      batch_sequence: newest?.batch_sequence ?? null,
      batch_hash: newest?.hash ?? null,
      engine_sequence: newest?.last_engine_sequence ?? null,
    },
    tables,
    read: (table, keep) => readTable(client, table, keep),
    close,
  }
}

async function readTable(
  client: PoolClient,
  { table_name, columns, key }: StoredTable,
  keep: (rows: Buffer, count: number) => void,
): Promise<number> {
  const order = key === null ? '' : `ORDER BY ${quoted(key)}`
  let [pending, bytes, total] = [[] as Buffer[], 0, 0]
  const flush = () => {
    if (pending.length > 0) keep(Buffer.concat(pending), pending.length)
    ;[pending, bytes] = [[], 0]
  }
  const query = `COPY (SELECT ${quoted(columns)} FROM trading.${table_name} ${order}) TO STDOUT`
  await copyOut(client, query, (row) => {
    pending.push(Buffer.from(row))
    bytes += row.length
    total += 1
    if (bytes >= CHUNK_BYTES) flush()
  })
  flush()
  return total
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
