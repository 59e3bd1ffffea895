import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemoryDatabase, openMemoryDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import { sqlComplaint } from '../../../warehouse/read/sql-complaint.ts'

let database: MemoryDatabase

beforeAll(async () => {
  database = await openMemoryDatabase()
  await database.connection.run('create table level_of_index (tick_at integer, level integer, quality_state varchar)')
})
afterAll(() => database.close())

/** The complaint about a statement that DuckDB itself refuses. */
async function complaint(sql: string): Promise<string> {
  const error = await database.connection.run(sql).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Error)
  return sqlComplaint((error as Error).message)
}

test.each([
  ['select levl from level_of_index', /column "levl" not found.*\(did you mean level\?\)$/],
  ['select o.quality_stat from level_of_index as o', /quality_stat.*\(did you mean quality_state\?\)$/],
  ['select xyzzy from level_of_index', /column "xyzzy" not found.*\(candidates: quality_state\)$/],
  ['select lenght(quality_state) from level_of_index', /\(did you mean length\?\)$/],
])('%s: one line with the name that was meant', async (sql, expected) => {
  const text = await complaint(sql)
  expect(text).toMatch(expected)
  expect(text).not.toContain('\n')
})

test('a table of the catalogue is not suggested', async () => {
  const text = await complaint('select * from pg_clas')
  expect(text).toMatch(/pg_clas does not exist$/)
})

test('a message without candidates stays as it is', () => {
  expect(sqlComplaint('Binder Error: no.\nLINE 1: select')).toBe('Binder Error: no')
})
