import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dumpSchema } from '../../../trading/store/dump-schema.ts'
import { migrate } from '../../../trading/store/migrate.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()
const SCHEMA = new URL('../../../trading/schema.sql', import.meta.url)

/** Set to make trading/schema.sql again after a new migration. */
const { UPDATE_SCHEMA } = process.env

test('trading/schema.sql is the schema that the migrations make', async () => {
  const { pool } = await database()
  const dumped = await dumpSchema(pool)
  if (UPDATE_SCHEMA === '1') writeFileSync(SCHEMA, dumped)
  expect(dumped).toBe(readFileSync(SCHEMA, 'utf8'))
})

test('what is applied is not applied again', async () => {
  const { pool } = await database()
  expect(await migrate(pool)).toEqual([])
})

test('several processes that start at once apply each file once', async () => {
  const { pool } = await database()
  await pool.query('DROP SCHEMA trading CASCADE; DROP TABLE public.tidemark_migration')
  const applied = await Promise.all([migrate(pool), migrate(pool), migrate(pool)])
  expect(applied.map(({ length }) => length).sort()).toEqual([0, 0, applied.flat().length])
  expect(applied.flat()).toContain('0001_trading.sql')
})

test('an applied file that has changed since is refused', async () => {
  const { pool } = await database()
  await pool.query("UPDATE public.tidemark_migration SET sha256 = 'other'")
  await expect(migrate(pool)).rejects.toMatchObject({ code: 'VALIDATION_VERSION_PUBLISHED' })
})

test('a database that is ahead of these files is refused', async () => {
  const { pool } = await database()
  await pool.query("INSERT INTO public.tidemark_migration (name, sha256) VALUES ('9999_later.sql', 'x')")
  await expect(migrate(pool)).rejects.toThrow('9999_later.sql')
})
