import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import type { Pool, PoolClient } from './create-pool.ts'

const FOLDER = fileURLToPath(new URL('../migrations/', import.meta.url))
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/
/** Advisory lock that serializes processes starting at once; the number is arbitrary but unique in this database. */
const LOCK = 7_031_944

const MIGRATION_TABLE = `
  CREATE TABLE IF NOT EXISTS public.tidemark_migration (
    name       text PRIMARY KEY,
    sha256     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`

/** Migration that a database has. */
export type AppliedMigration = { readonly name: string; readonly sha256: string }
type Migration = AppliedMigration & { readonly sql: string }

/**
 * Brings a database to the newest schema: plain SQL files of trading/migrations in numeric order, forward only, all in one
 * transaction. An applied file never changes.
 * @returns names of the files applied now
 * @throws {ServiceError} VALIDATION_VERSION_PUBLISHED: an applied file has changed or is gone
 */
export async function migrate(pool: Pool): Promise<readonly string[]> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    const applied = await applyMissing(client, readMigrations())
    await client.query('COMMIT')
    return applied
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

async function applyMissing(client: PoolClient, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(MIGRATION_TABLE)
  const missing = missingAfter(await appliedMigrations(client), migrations)
  for (const { name, sha256, sql } of missing) {
    await client.query(sql)
    await client.query('INSERT INTO public.tidemark_migration (name, sha256) VALUES ($1, $2)', [name, sha256])
  }
  return missing.map(({ name }) => name)
}

function missingAfter(applied: readonly AppliedMigration[], migrations: readonly Migration[]): readonly Migration[] {
  for (const [i, { name, sha256 }] of applied.entries()) checkUnchanged(migrations[i], name, sha256)
  return migrations.slice(applied.length)
}

/** Returns the migrations that a database has, in their order; none if it was never migrated. Writes nothing. */
export async function appliedMigrations(client: Pick<PoolClient, 'query'>): Promise<readonly AppliedMigration[]> {
  const found = await client.query<{ is_there: boolean }>(
    `SELECT to_regclass('public.tidemark_migration') IS NOT NULL AS is_there`,
  )
  if (found.rows[0]?.is_there !== true) return []
  const applied = await client.query<AppliedMigration>(
    'SELECT name, sha256 FROM public.tidemark_migration ORDER BY name',
  )
  return applied.rows
}

/**
 * Returns the names of the migrations that a database with these ones lacks.
 * @throws {ServiceError} VALIDATION_VERSION_PUBLISHED: one of them is not a migration of this version
 */
export function pendingMigrations(applied: readonly AppliedMigration[]): readonly string[] {
  return missingAfter(applied, readMigrations()).map(({ name }) => name)
}

/**
 * Brings an empty database to the schema that a backup was written with, which may be an earlier one, in the caller's transaction.
 * @throws {ServiceError} VALIDATION_VERSION_PUBLISHED: one of these migrations is not one of this version
 */
export async function migrateTo(client: PoolClient, wanted: readonly AppliedMigration[]): Promise<void> {
  const migrations = readMigrations()
  missingAfter(wanted, migrations)
  await applyMissing(client, migrations.slice(0, wanted.length))
}

function checkUnchanged(file: Migration | undefined, name: string, sha256: string): void {
  if (file?.name === name && file.sha256 === sha256) return
  throw new ServiceError(
    'VALIDATION_VERSION_PUBLISHED',
    `migration is ${file?.name ?? 'missing'} (sha256 ${file?.sha256 ?? 'none'}); allowed: ${name} as it was applied (sha256 ${sha256})`,
  )
}

function readMigrations(): Migration[] {
  const names = readdirSync(FOLDER)
    .filter((name) => FILE_NAME.test(name))
    .sort()
  return names.map((name) => {
    const sql = readFileSync(`${FOLDER}${name}`, 'utf8')
    return { name, sha256: sha256Hex(sql), sql }
  })
}
