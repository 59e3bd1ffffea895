import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openMemoryDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import { type Column, readColumns, scaledNumbers } from '../../../warehouse/duckdb/read/columns.ts'
import { anyText } from '../../support/any-text.ts'

const database = await openMemoryDatabase()
afterAll(database.close)
const columnsOf = async (sql: string) => (await readColumns(database.connection, sql)).columns

/** The values of a column as plain JavaScript, null where there is none. */
function plain(column: Column): unknown[] {
  if (column.kind === 'text') return Array.from(column.codes, (code) => (code < 0 ? null : column.dictionary[code]))
  if (column.kind === 'integer') return Array.from(column.values, (v, row) => (column.valid?.[row] === 0 ? null : v))
  if (column.kind === 'boolean')
    return Array.from(column.values, (v, row) => (column.valid?.[row] === 0 ? null : v === 1))
  return Array.from(column.values, (value) => (Number.isNaN(value) ? null : value))
}

describe('column types', () => {
  test('decimals of every width are integers at their scale', async () => {
    const columns = await columnsOf(`select * from (values
      (-999.9::decimal(4,1), -9999999.99::decimal(9,2), -999999999.999999999::decimal(18,9)),
      (999.9, 9999999.99, 999999999.999999999), (null, null, null)) t(a, b, c)`)
    expect(plain(columns.a!)).toEqual([-9999n, 9999n, null])
    expect(plain(columns.b!)).toEqual([-999999999n, 999999999n, null])
    expect(plain(columns.c!)).toEqual([-999999999999999999n, 999999999999999999n, null])
    expect(columns.c).toMatchObject({ kind: 'integer', scale: 9 })
  })

  test('integers, booleans, floats and instants', async () => {
    const columns = await columnsOf(`select * from (values
      (1::tinyint, 2::smallint, 3::integer, -9223372036854775808, true, 1.5::double, timestamptz '1969-12-31T23:59:59.999999Z'),
      (null, null, null, null, null, null, null),
      (-1, -2, -3, 9223372036854775807, false, -1.5, timestamptz '2199-12-31T23:59:59.999999Z')) t(a, b, c, d, e, f, g)`)
    expect(Object.values(columns).map(plain)).toEqual([
      [1n, null, -1n],
      [2n, null, -2n],
      [3n, null, -3n],
      [-9223372036854775808n, null, 9223372036854775807n],
      [true, null, false],
      [1.5, null, -1.5],
      [-1, null, Date.UTC(2200, 0, 1) * 1000 - 1],
    ])
  })

  test('no rows are empty columns', async () => {
    const result = await readColumns(database.connection, "select 1::bigint as a, 'x' as b where false")
    expect(result.row_count).toBe(0)
    expect(Object.values(result.columns).map(plain)).toEqual([[], []])
  })

  test('a type that has no typed array is a bug of the caller', async () => {
    await expect(columnsOf('select [1] as a')).rejects.toThrow('readColumns: a is INTEGER[]')
    await expect(columnsOf('select 1::decimal(38,12) as a')).rejects.toThrow('readColumns: a is DECIMAL(38,12)')
  })
})

test('scaledNumbers is exact up to 2^53 and refuses what a number does not hold', async () => {
  const columns = await columnsOf(`select * from (values
    (9007199254740991, 9007199254740993), (-9007199254740991, 0), (null, null), (-1, 0)) t(a, b)`)
  expect([...scaledNumbers(columns.a!)]).toEqual([9007199254740991, -9007199254740991, Number.NaN, -1])
  expect(() => scaledNumbers(columns.b!)).toThrow('beyond 2^53')
})

/** Short texts lie in the vector, long ones behind pointers, repeated ones side by side. */
const texts = fc.array(
  fc.oneof(
    fc.constant(null),
    anyText({ maxLength: 6 }).filter((text) => !text.includes('\u0000')),
    fc.constantFrom(
      'twelve bytes',
      'thirteen byte',
      'é'.repeat(6),
      'é'.repeat(7),
      '😀'.repeat(40),
      `x${'y'.repeat(5000)}`,
    ),
  ),
  { maxLength: 40 },
)

test('texts survive whatever their length, repetition and nulls, over many chunks', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 400 }), async (given, copies) => {
      const values = given.map((text) => (text === null ? '(null::varchar)' : `('${text.replaceAll("'", "''")}')`))
      if (values.length === 0) return
      await database.connection.run('create or replace temp table given (n integer, x varchar)')
      await database.connection.run(
        `insert into given select row_number() over (), x from (values ${values.join(', ')}) t(x)`,
      )
      const columns = await columnsOf(`select x from given, range(${copies}) order by n`)
      expect(plain(columns.x!)).toEqual(given.flatMap((text) => new Array(copies).fill(text)))
    }),
    { numRuns: 60 },
  )
})
