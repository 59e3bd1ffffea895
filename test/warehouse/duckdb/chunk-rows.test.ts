import { deepStrictEqual } from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type MemoryDatabase, openMemoryDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import { resultRows } from '../../../warehouse/duckdb/read/chunk-rows.ts'
import { rowValue } from '../../../warehouse/duckdb/read/row-values.ts'
import { sized } from '../../support/sized.ts'

/** A column of each type that has a reader of its own, and of some that have none, as SQL of the row's number i. */
const COLUMNS: readonly string[] = [
  'i % 3 = 0',
  '(i % 256 - 128)::tinyint',
  '(i * 13 % 65536 - 32768)::smallint',
  '(i * -400003)::integer',
  '(i * 1000000007)::bigint',
  '9007199254740990 + i',
  '-9007199254740990 - i',
  'i::hugeint * 12345678901234567890',
  'i::uinteger',
  'i / 7.0::double',
  "if(i % 2 = 0, 'nan', '-infinity')::double",
  '(i / 8)::float',
  '(i % 200 - 99.5)::decimal(4, 2)',
  '(i * -123.456)::decimal(9, 3)',
  '(i * 123456789.123456)::decimal(18, 6)',
  "('-' || i || '123456789012345678901.123456789012')::decimal(38, 12)",
  '(i * 98765432109876::hugeint)::decimal(38, 18)',
  "'a'",
  "'twelve bytes'",
  "'thirteen byte'",
  "repeat('x', i)",
  "repeat('ä€😀', i % 20) || i",
  'make_timestamptz(1770000000000000 + i * 1001)',
  "timestamptz '1969-12-31T23:59:59.999999Z' - to_microseconds(i)",
  "timestamptz '2260-01-01T00:00:00.000001Z' + to_microseconds(i)",
  "timestamptz '0044-03-15 (BC) 12:00:00Z'",
  "timestamptz 'infinity'",
  "timestamp '2026-01-01 00:00:00' + to_seconds(i)",
  "date '2026-01-01' + i::integer",
  "time '12:00:00' + to_seconds(i)",
  'interval (i) day',
  "'ff'::blob",
  'uuid()::varchar',
  'range(i % 5)',
  "list_transform(range(i % 40), x -> 'item number ' || x)",
  "[null, 'short', null, repeat('long', 20)]",
  '[[i], [], null, [i, null]]',
  "{'a': i, 'b': 'text ' || i, 'c': [1.50::decimal(18, 4), null], 'd': if(i % 3 = 0, null, {'e': timestamptz '2026-01-01 00:00:00Z'})}",
  "[{'price': (i / 4)::decimal(18, 6), 'size': '1'}, null]",
  "{'unread': interval (i) day, 'other': i}",
  'map([i], [i::decimal(9, 2)])',
  'null',
]
/** More than DuckDB hands over at once, 2048 rows. */
const ROWS = sized(2_100, 5_000)

let database: MemoryDatabase
beforeAll(async () => {
  database = await openMemoryDatabase()
})
afterAll(() => database.close())

describe('rows read a column at a time', () => {
  test.each(COLUMNS)('are those read value by value: %s', async (expression) => {
    const { connection } = database
    await connection.run(
      `create or replace table t as select ${expression} as always, if(i % 7 = 3, null, ${expression}) as sometimes, i from range(${ROWS}) r(i)`,
    )
    const expected = (await (await connection.run('from t')).getRows()).map(([always, sometimes, i]) => ({
      always: rowValue(always!),
      sometimes: rowValue(sometimes!),
      i: rowValue(i!),
    }))
    for (const result of [await connection.run('from t'), await connection.stream('from t')]) {
      const rows = []
      for await (const some of resultRows(result)) rows.push(...some)
      deepStrictEqual(rows, expected) // thousands of rows, which expect() compares in ten times the time
    }
  })
})
