import { deepStrictEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemoryDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import { arrowFile } from '../../../warehouse/export/arrow-file.ts'
import { pythonInterpreter } from '../../support/python-interpreter.ts'
import { ROOT } from '../../support/source-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const database = await openMemoryDatabase()
afterAll(database.close)

async function arrowBytes(sql: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const counter = { rows: 0 }
  for await (const piece of arrowFile(await database.connection.stream(sql), counter)) pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces)
}

type Answer = { readonly schema: Record<string, string>; readonly rows: readonly Record<string, unknown>[] }

type Answers = { readonly pyarrow: Answer; readonly polars: Answer }

/** Returns the content of each query's file as pyarrow and Polars read it, in one process: it takes longer to start than to read. */
async function readByOthers(queries: readonly string[]): Promise<Answers[]> {
  const paths = queries.map((_, n) => join(folder, `result-${n}.arrow`))
  for (const [n, sql] of queries.entries()) writeFileSync(paths[n]!, await arrowBytes(sql))
  const python = pythonInterpreter('requirements.txt', 'pyarrow and Polars')
  const script = join(ROOT, 'tools/python/read_arrow.py')
  const { status, stdout, stderr } = spawnSync(python, [script, ...paths], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  expect(status, stderr).toBe(0)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answers)
}

/** The same rows from DuckDB as text: its own casts are exact. */
async function textRows(sql: string, columns: readonly string[]): Promise<Record<string, unknown>[]> {
  const texts = columns.map((name) => `${name}::varchar as ${name}`).join(', ')
  const reader = await database.connection.runAndReadAll(`select ${texts} from (${sql})`)
  return reader.getRowObjectsJson() as Record<string, unknown>[]
}

const EXTREMES = `select * from (values
  (0,  999999999.999999999, -999999999.999999999,  9999999999.9999, 999.9, 99999.99, 99999999999999999999999999.999999999999, 9223372036854775807, 170141183460469231731687303715::hugeint),
  (1, -999999999.999999999,  0.000000001,         -9999999999.9999, -999.9, -99999.99, -99999999999999999999999999.999999999999, -9223372036854775808, -99999999999999999999999999999999999999::hugeint),
  (2, null, -0.000000001, null, null, null, null, null, null),
  (3, 0, 0, 0, 0, 0, 0.000000000001, 0, 0),
  (4, -0.000000001, null, -0.0001, -0.1, -0.01, -0.000000000001, -1, -1)
) t(k, a, b, c, d, e, f, g, h)`

const TYPED = `select k,
  a::decimal(18,9) a, b::decimal(18,9) b, c::decimal(14,4) c, d::decimal(4,1) d, e::decimal(7,2) e, f::decimal(38,12) f, g::bigint g, h
  from (${EXTREMES}) order by k`

const COLUMNS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

let read: readonly Answers[]
beforeAll(async () => {
  read = await readByOthers([
    `select ${COLUMNS.join(', ')} from (${TYPED})`,
    INSTANTS,
    `select * from (${NESTED}) where i % 2 = 1 or i < 100 order by i desc`,
  ])
}, 180_000)

test('decimals and integers are exact at their extremes, negative, null, in every width', async () => {
  const expected = await textRows(TYPED, COLUMNS)
  const { pyarrow, polars } = read[0]!
  expect(pyarrow.rows).toEqual(expected)
  expect(polars.rows).toEqual(expected)
  expect(pyarrow.schema).toMatchObject({
    a: 'decimal128(18, 9)',
    d: 'decimal128(4, 1)',
    f: 'decimal128(38, 12)',
    g: 'int64',
  })
})

const INSTANTS = `select
  [timestamptz '2026-01-17T00:00:00.123456Z', timestamptz '1700-01-01T00:00:00.000001Z', timestamptz '2199-12-31T23:59:59.999999Z', null][i] as t,
  [true, false, null, true][i] as b,
  ['', 'twelve bytes', 'thirteen byte', null][i] as s,
  ['é', 'longer than twelve bytes, with é and 😀', 'a' || repeat('b', 3000), null][i] as u,
  [date '2026-01-17', date '1969-12-31', null, date '2000-02-29'][i] as d
  from range(1, 5) r(i) order by i`

test('instants keep their microseconds in UTC; booleans, texts and dates are the same', () => {
  const { pyarrow, polars } = read[1]!
  const expected = [
    { t: '2026-01-17T00:00:00.123456', b: true, s: '', u: 'é', d: '2026-01-17' },
    {
      t: '1700-01-01T00:00:00.000001',
      b: false,
      s: 'twelve bytes',
      u: 'longer than twelve bytes, with é and 😀',
      d: '1969-12-31',
    },
    { t: '2199-12-31T23:59:59.999999', b: null, s: 'thirteen byte', u: `a${'b'.repeat(3000)}`, d: null },
    { t: null, b: true, s: null, u: null, d: '2000-02-29' },
  ]
  expect(pyarrow.rows).toEqual(expected)
  expect(polars.rows).toEqual(expected)
  expect(pyarrow.schema.t).toBe('timestamp[us, tz=UTC]')
})

const NESTED = `select
  i::integer as i,
  case when i % 5 = 0 then null when i % 5 = 1 then [] else [i::decimal(18,9), null, -i] end as l,
  case when i % 7 = 0 then null else {'x': 'item ' || i, 'y': [{'z': i::bigint}, null], 'w': i % 2 = 0} end as s,
  case when i % 3 = 0 then null else 'text of row ' || i end as u
  from range(10000) r(i)`

test('lists, structs and nulls inside them survive, over many batches and out of order', () => {
  const { pyarrow, polars } = read[2]!
  const kept = Array.from({ length: 10_000 }, (_, i) => i).filter((i) => i % 2 === 1 || i < 100)
  const expected = kept.reverse().map((i) => ({
    i: String(i),
    l: i % 5 === 0 ? null : i % 5 === 1 ? [] : [`${i}.000000000`, null, i === 0 ? '0.000000000' : `-${i}.000000000`],
    s: i % 7 === 0 ? null : { x: `item ${i}`, y: [{ z: String(i) }, null], w: i % 2 === 0 },
    u: i % 3 === 0 ? null : `text of row ${i}`,
  }))
  // Thousands of rows, which expect() compares in ten times the time.
  deepStrictEqual(pyarrow.rows, expected)
  // Polars has no null struct inside a frame: its fields are null instead.
  const asPolars = expected.map((row) => ({ ...row, s: row.s ?? null }))
  deepStrictEqual(withNullStructs(polars.rows), withNullStructs(asPolars))
})

/** A struct whose fields are all null counts as null. */
function withNullStructs(rows: readonly Record<string, unknown>[]): unknown {
  return JSON.parse(JSON.stringify(rows), (_, value: unknown) => {
    const object = value !== null && typeof value === 'object' && !Array.isArray(value)
    return object && Object.values(value).every((item) => item === null) ? null : value
  })
}

test('an empty result has its columns', async () => {
  const table = tableFromIPC(await arrowBytes('select 1::decimal(18,9) as a, now() as t where false'))
  expect(table.numRows).toBe(0)
  expect(table.schema.fields.map((field) => field.name)).toEqual(['a', 't'])
})

test('equal results are equal files', async () => {
  const sql = `select * from (${NESTED}) order by i`
  expect((await arrowBytes(sql)).equals(await arrowBytes(sql))).toBe(true)
})

test.each([
  ['an interval', 'select interval 1 day as x', 'column x is INTERVAL'],
  ['a map', "select map{'a': 1} as x", 'column x is MAP'],
])('%s is refused with the cast that helps', async (_, sql, message) => {
  await expect(arrowBytes(sql)).rejects.toMatchObject({
    code: 'VALIDATION_SQL_REFUSED',
    message: expect.stringContaining(message),
  })
})

test('an integer of 39 digits is refused, one of 38 is exact', async () => {
  await expect(arrowBytes('select 100000000000000000000000000000000000000::hugeint as x')).rejects.toThrow('38 digits')
  await expect(arrowBytes('select -99999999999999999999999999999999999999::hugeint as x')).resolves.toBeInstanceOf(
    Buffer,
  )
})
