import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemoryDatabase, openMemoryDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import { guardSql } from '../../../warehouse/read/guard-sql.ts'

/** Views of the property; each has a value of its own, so that a name that means another relation shows. */
const VIEWS = { market: 100, event: 200, methodology: 300 } as const
/** Names of common table expressions: the views', one of the catalogue, and one that nothing else has. */
const NAMES = [...Object.keys(VIEWS), 'pg_class', 'free']

let whole: MemoryDatabase

beforeAll(async () => {
  whole = await openMemoryDatabase()
  await createViews(whole, Object.keys(VIEWS))
})
afterAll(() => whole.close())

async function createViews({ connection }: MemoryDatabase, names: readonly string[]): Promise<void> {
  for (const name of names)
    await connection.run(`create view ${name} as select ${VIEWS[name as keyof typeof VIEWS]} as x`)
}

async function answer({ connection }: MemoryDatabase, sql: string): Promise<string> {
  return connection.runAndReadAll(sql).then(
    (reader) => JSON.stringify(reader.getRowsJson()),
    (error: unknown) => `fails: ${String(error).split('\n')[0]}`,
  )
}

/** Answers a statement with the views that the guard found and no others. */
async function guardedAnswer(sql: string): Promise<string> {
  const database = await openMemoryDatabase()
  try {
    const { views } = await guardSql(database.connection, sql)
    await createViews(database, views)
    return await answer(database, sql)
  } finally {
    database.close()
  }
}

const name = fc.constantFrom(...NAMES)

const { query } = fc.letrec<{ query: string; simple: string; definition: string }>((tie) => ({
  simple: fc.oneof(
    { weight: 3, arbitrary: name.map((from) => `select x from ${from}`) },
    { weight: 1, arbitrary: fc.constantFrom('select 1 as x', 'select 2 as x') },
  ),
  definition: fc.oneof(
    fc.tuple(name, tie('query')).map(([cte, body]) => `${cte} as (${body})`),
    fc.tuple(name, tie('query'), name).map(([cte, body, from]) => {
      return `${cte} as (select x from (${body}) union select x + 1 from ${from} where x < 5)`
    }),
  ),
  query: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('simple'),
    fc
      .tuple(
        fc.boolean(),
        fc.uniqueArray(tie('definition'), { minLength: 1, maxLength: 3, selector: firstWord }),
        tie('query'),
      )
      .map(
        ([recursive, ctes, body]) => `with ${recursive ? 'recursive ' : ''}${ctes.join(', ')} select x from (${body})`,
      ),
    fc.tuple(tie('query'), name).map(([inner, from]) => `select (${inner} limit 1) + x as x from ${from}`),
    fc.tuple(name, tie('query')).map(([from, inner]) => `select x from ${from} where x in (${inner})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a}) union all (${b})`),
    tie('query').map((inner) => `select x from (${inner})`),
  ),
}))

function firstWord(text: string): string {
  return text.split(' ')[0]!
}

test('an accepted statement is answered as over all views; only one that names something else is refused', async () => {
  await fc.assert(
    fc.asyncProperty(query, async (sql) => {
      const seen = await guardedAnswer(sql).catch((error: Error) => error)
      if (seen instanceof Error) {
        expect(seen).toMatchObject({
          code: 'VALIDATION_SQL_REFUSED',
          facts: { seen: expect.stringMatching(/^(free|pg_class)$/) },
        })
        return
      }
      expect(seen).toBe(await answer(whole, sql))
      // The catalogue's relation has no such column, so an accepted statement has not read it.
      expect(seen).not.toMatch(/"x" not found/)
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['with a as (select x from market), market as (select 1 x) select a.x, market.x from a, market', [[100, 1]]],
  [
    'with recursive a as (select x from market), market as (select 1 x) select a.x, market.x from a, market',
    [[100, 1]],
  ],
  ['select (with a as (select x from market), market as (select 1 x) select a.x from a, market)', [[100]]],
  ['select 1 where 100 in (with a as (select x from market), market as (select 1 x) select x from a)', [[1]]],
  ['with recursive market as (select x from market) select x from market', [[100]]],
  [
    'with recursive market as (select x from market union all select x + 1 from market where x < 102) from market',
    [[100], [101], [102]],
  ],
  ['with free as (select 1 x) select x from (with a as (select x from free) from a)', [[1]]],
])('%s', async (sql, rows) => {
  expect(JSON.parse(await guardedAnswer(sql))).toEqual(rows)
})

test.each([
  ['with a as (select * from pg_class), pg_class as (select 1 x) select * from a', 'pg_class'],
  ['with pg_class as (select * from pg_class) select * from pg_class', 'pg_class'],
  ['with recursive free as (select * from free) select * from free', 'free'],
])('%s: a name that is not defined yet is refused', async (sql, seen) => {
  const message = expect.stringMatching(/where it is not defined yet; allowed: .* after the UNION of a WITH RECURSIVE$/)
  await expect(guardedAnswer(sql)).rejects.toMatchObject({ message, facts: { seen } })
})
