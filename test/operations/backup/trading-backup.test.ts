import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { checkUpgrade } from '../../../operations/backup/check-upgrade.ts'
import { openTradingSnapshot } from '../../../trading/store/backup/export-trading.ts'
import { type CopiedTable, importTrading } from '../../../trading/store/backup/import-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { appliedMigrations, migrate } from '../../../trading/store/migrate.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { writeRandomHistory } from '../../support/trading/random-history.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { openWriter } from '../../trading/support/batch-writer.ts'
import { violations } from '../../trading/support/engine-faults.ts'
import { smallHome } from './small-home.ts'

const database = withDatabase()
const MIGRATIONS = new URL('../../../trading/migrations/', import.meta.url)
const OLD = new URL('../../trading/store/old-database.json', import.meta.url)

async function emptyDatabase(): Promise<Pool> {
  const { pool } = await database()
  await pool.query('DROP SCHEMA trading CASCADE; DROP TABLE public.tidemark_migration')
  return pool
}

/** A database of an earlier release, as test/trading/store keeps it. */
async function oldDatabase(): Promise<Pool> {
  const pool = await emptyDatabase()
  const { tidemark_migration: applied, ...tables } = JSON.parse(readFileSync(OLD, 'utf8'))
  await migrate(pool)
  await pool.query('DROP SCHEMA trading CASCADE; DELETE FROM public.tidemark_migration')
  for (const { name, sha256 } of applied) {
    await pool.query(readFileSync(new URL(name, MIGRATIONS), 'utf8'))
    await pool.query('INSERT INTO public.tidemark_migration (name, sha256) VALUES ($1, $2)', [name, sha256])
  }
  for (const [table, rows] of Object.entries(tables)) {
    const insert = `INSERT INTO trading.${table} SELECT * FROM json_populate_recordset(null::trading.${table}, $1)`
    await pool.query(insert, [JSON.stringify(rows)])
  }
  return pool
}

/** Every row that a crash would keep, as text. The lease is ended by a restore. */
async function rowsOf(pool: Pool): Promise<Record<string, string>> {
  const snapshot = (await openTradingSnapshot(pool))!
  const found: Record<string, string> = {}
  for (const table of snapshot.tables) {
    if (table.table_name === 'engine_lease') continue
    found[table.table_name] = ''
    await snapshot.read(table, (bytes) => {
      found[table.table_name] += bytes.toString()
    })
  }
  await snapshot.close()
  return found
}

test('a database that is written to is restored as it was when the snapshot was opened', async () => {
  const { pool } = await database()
  const writer = await openWriter(pool)
  onTestFinished(() => writer.connection.close())
  const maker = new SubmissionMaker('later')
  await writeRandomHistory(writer, 7, 60)
  const before = await rowsOf(pool)
  const snapshot = (await openTradingSnapshot(pool))!
  const copied: CopiedTable[] = []
  const more = async () => {
    for (let n = 1; n <= 5; n += 1) await writer.write(...maker.setUp([`acct_later${n}`]).slice(3))
  }
  const copy = async () => {
    for (const table of snapshot.tables) {
      const chunks: Buffer[] = []
      const rows = await snapshot.read(table, (bytes) => chunks.push(bytes))
      copied.push({ ...table, rows, chunks: chunks.map((chunk) => async () => chunk) })
    }
  }
  await Promise.all([more(), copy()])
  await snapshot.close()
  // Empty after a crash, so empty after a restore: nonces that may have been used are then refused by their time.
  const kept = snapshot.tables.map(({ table_name }) => table_name)
  expect(kept).toContain('request_nonce')
  expect(kept).not.toContain('accepted_nonce')
  expect(snapshot.head.batch_sequence).toBeLessThan(writer.last!.batch_sequence)
  const restored = await emptyDatabase()
  await importTrading(restored, { migrations: snapshot.migrations, tables: copied })
  expect(await rowsOf(restored)).toEqual(before)
  expect(await violations(restored)).toEqual([])
  // Neither the address nor the token of the engine that wrote the backup leads anybody to it.
  const { rows } = await restored.query(
    'SELECT address, token, backend_pid, expires_at < now() AS is_free FROM trading.engine_lease',
  )
  expect(rows).toEqual([{ address: null, token: null, backend_pid: null, is_free: true }])
  await expect(restored.query('DELETE FROM trading.rule_start')).rejects.toThrow('append-only')
  await expect(importTrading(restored, { migrations: [], tables: [] })).rejects.toThrow('it has a schema trading')
})

test('a home of an earlier release is backed up and restored as it is; the check names what a start would change', async () => {
  const { backUp, restore, home, open } = await smallHome()
  const old = await oldDatabase()
  const migrations = await appliedMigrations(old)
  const before = await rowsOf(old)
  const { manifest } = await backUp({ pool: old })
  expect(await appliedMigrations(old)).toEqual(migrations)
  const restored = await emptyDatabase()
  const openPool = async () => ({ pool: restored, stop: async () => undefined })
  const report = await restore('restored', { openPool })
  expect(report.trading_rows).toBe(manifest.trading!.tables.reduce((sum, { rows }) => sum + rows, 0))
  expect(await rowsOf(restored)).toEqual(before)
  expect(await appliedMigrations(restored)).toEqual(migrations)
  const check = await checkUpgrade({ home, warehouse: await open('restored'), pool: restored })
  const pending = check.changes.filter(({ change }) => change === 'migration').map(({ name }) => name)
  expect(check).toMatchObject({ ok: true, reversible: false, refusals: [] })
  expect(check.space_needed_bytes).toBeGreaterThan(0)
  expect(await appliedMigrations(restored)).toEqual(migrations)
  expect(await migrate(restored)).toEqual(pending)
  expect(await violations(restored)).toEqual([])
  const after = await checkUpgrade({ home, warehouse: await open('restored'), pool: restored })
  expect(after.changes.filter(({ part }) => part === 'trading')).toEqual([])
  expect(after).toMatchObject({ reversible: true, space_needed_bytes: 0 })
  await restored.query("UPDATE public.tidemark_migration SET name = '0001_other.sql' WHERE name = '0001_trading.sql'")
  const refused = await checkUpgrade({ home, warehouse: await open('restored'), pool: restored })
  expect(refused).toMatchObject({ ok: false, refusals: [{ code: 'VALIDATION_VERSION_PUBLISHED' }] })
})

test('a backup with other rows than it states leaves the database empty', async () => {
  const { pool } = await database()
  const migrations = await appliedMigrations(pool)
  const restored = await emptyDatabase()
  const asset = { table_name: 'asset', columns: ['asset_id', 'scale'] }
  const chunks = [async () => Buffer.from('asset_usd\t6\n')]
  const tables = [{ ...asset, rows: 2, chunks }]
  await expect(importTrading(restored, { migrations, tables })).rejects.toMatchObject({ code: 'BACKUP_CORRUPT' })
  expect(await appliedMigrations(restored)).toEqual([])
  await importTrading(restored, { migrations, tables: [{ ...asset, rows: 1, chunks }] })
})
