import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import { commitKey } from '../../../warehouse/log/commit-text.ts'
import { type ColumnType, LOG_COLUMNS, type Row, type RowValue } from '../../../warehouse/schema.ts'
import { TABLE_NAMES, type TableName, tableSchema } from '../../../warehouse/tables.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { pythonInterpreter } from '../../support/python-interpreter.ts'
import { sized } from '../../support/sized.ts'
import { step, testWarehouse } from './fixtures.ts'

const TOOLS = join(import.meta.dirname, '../../../tools/python')

/** Values that a reader may get wrong: extremes of every type, the least step, nulls, nested lists, texts beyond ASCII. */
function sampleValue(type: ColumnType, turn: number): RowValue {
  const pick = <T>(...values: T[]): T => values[turn % values.length]!
  if (type === 'VARCHAR') return pick('a', 'Zürich ☂ 😀', '', 'tab\tquote"\'\\', 'x'.repeat(80))
  if (type === 'INTEGER') return pick(2 ** 31 - 1, -(2 ** 31), 0)
  if (type === 'BIGINT') return pick(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1)
  if (type === 'BOOLEAN') return pick(true, false)
  if (type === 'TIMESTAMPTZ') {
    return pick(
      '2199-12-31T23:59:59.999999Z',
      '1700-01-01T00:00:00.000001Z',
      '2026-01-17T00:00:00Z',
      '1969-12-31T23:59:59.999999Z',
    )
  }
  if (type.kind === 'decimal') {
    const greatest = fromScaled(10n ** BigInt(type.width) - 1n, type.scale)
    return pick(greatest, `-${greatest}`, fromScaled(1n, type.scale), '0', `-${fromScaled(1n, type.scale)}`)
  }
  if (type.kind === 'list')
    return Array.from({ length: turn % 4 }, (_, i) => (i === 2 ? null : sampleValue(type.item, turn + i)))
  return Object.fromEntries(Object.entries(type.fields).map(([name, field], i) => [name, nullable(field, turn + i)]))
}

const nullable = (type: ColumnType, turn: number): RowValue => (turn % 7 === 3 ? null : sampleValue(type, turn))

function rowsOf(table: TableName, count: number): Row[] {
  const { columns, required } = tableSchema(table)
  return Array.from({ length: count }, (_, row) => {
    const values = Object.entries(columns).map(([name, type], place) => {
      return [name, required.includes(name) ? sampleValue(type, row + place) : nullable(type, row + place)]
    })
    return Object.fromEntries(values) as Row
  })
}

/** Returns the types in a column, whatever the names of its fields. */
function typesIn(type: ColumnType): string[] {
  if (typeof type === 'string') return [type]
  if (type.kind === 'decimal') return [`decimal(${type.width},${type.scale})`]
  if (type.kind === 'list') return typesIn(type.item).map((inner) => `list of ${inner}`)
  return Object.values(type.fields).flatMap((field) => typesIn(field).map((inner) => `struct with ${inner}`))
}

/** In the fast lane the tables that have a type of column which no table before them has. */
const known_types = new Set<string>()
const TABLES = TABLE_NAMES.filter((table) => {
  const types = Object.values(tableSchema(table).columns).flatMap(typesIn)
  const has_new = types.some((type) => !known_types.has(type))
  for (const type of types) known_types.add(type)
  return sized(has_new, true)
})

/** Commits of a table, two a day. */
const COMMITS = sized(3, 6)

/**
 * Several days of every table; half of them compacted, then a checkpoint, then more commits; the log before the checkpoint is archived.
 * The last commit has two appends.
 */
async function fillWarehouse(): Promise<Warehouse> {
  const warehouse = await testWarehouse()
  for (const table of TABLES) {
    const log = warehouse.log(table)
    const at = (day: number, micros: number) =>
      ({ kind: 'recorded', at: toMicros(`2026-01-1${day}T00:00:00Z`) + micros }) as const
    for (let i = 0; i < COMMITS; i++) await warehouse.append(table, rowsOf(table, 35 + i), step(i, at(i >> 1, i)))
    await log.compact({ published_date: '2026-01-10' })
    await log.checkpoint()
    await warehouse.append(table, rowsOf(table, 1), step(COMMITS, at(5, 999_999)))
    await log.seal(toMicros('2026-01-16T00:00:00Z'))
    await log.checkpoint()
    expect((await log.vacuum({ retention_ms: 0 })).deleted).toContain(commitKey(table, 0))
    const shared = (apart: string) => ({ ...step(0, { kind: 'wall' }, apart), apart })
    await Promise.all(['a', 'b'].map((apart) => warehouse.append(table, rowsOf(table, 2), shared(apart))))
  }
  return warehouse
}

type Answer = { readonly rows: number; readonly columns: Record<string, object> }

/** Returns DuckDB's reading of the same files, in the form of read_warehouse.py. */
async function duckdbAnswer(warehouse: Warehouse, table: TableName): Promise<Answer> {
  const log = warehouse.log(table)
  const paths = await log.ensureVerified((await log.snapshot()).files)
  const types: Record<string, ColumnType> = { ...tableSchema(table).columns, ...LOG_COLUMNS }
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const names = Object.keys(types).map((name) => `"${name}"`)
  const reader = await connection.runAndReadAll(
    `SELECT ${names.join()} FROM read_parquet([${paths.map((path) => `'${path}'`).join()}])`,
  )
  const columns: Record<string, object> = {}
  reader.getColumns().forEach((values, i) => {
    const [name, type] = Object.entries(types)[i]!
    describe(name, type, values, columns)
  })
  connection.closeSync()
  instance.closeSync()
  return { rows: reader.currentRowCount, columns }
}

function describe(
  path: string,
  type: ColumnType,
  values: readonly DuckDBValue[],
  columns: Record<string, object>,
): void {
  const present = values.filter((value) => value !== null)
  const nulls = values.length - present.length
  if (typeof type === 'string' || type.kind === 'decimal') columns[path] = { nulls, ...summary(type, present) }
  else if (type.kind === 'list') {
    const items = present.flatMap((value) => (value as { items: readonly DuckDBValue[] }).items)
    columns[path] = { nulls, items: items.length }
    describe(`${path}[]`, type.item, items, columns)
  } else {
    for (const [name, field] of Object.entries(type.fields)) {
      const inner = present.map((value) => (value as { entries: Record<string, DuckDBValue> }).entries[name]!)
      describe(`${path}.${name}`, field, inner, columns)
    }
  }
}

function summary(type: Exclude<ColumnType, { kind: 'list' | 'struct' }>, values: readonly DuckDBValue[]): object {
  if (type === 'VARCHAR') {
    const sorted = (values as string[]).map((text) => Buffer.from(text)).sort(Buffer.compare)
    return { sha256: createHash('sha256').update(sorted.join('\n')).digest('hex') }
  }
  if (type === 'BOOLEAN') return { true: values.filter(Boolean).length }
  if (type === 'INTEGER' || type === 'BIGINT')
    return { sum: sum((values as (number | bigint)[]).map(BigInt)).toString() }
  if (type === 'TIMESTAMPTZ') {
    const micros = (values as readonly { micros: bigint }[]).map((value) => value.micros)
    const range = bounds(micros)
    return {
      type: 'timestamp[us,UTC]',
      sum: sum(micros).toString(),
      ...(range && { min: Number(range.min), max: Number(range.max) }),
    }
  }
  const scaled = (values as readonly { value: bigint }[]).map(({ value }) => value)
  const range = bounds(scaled)
  const text = (value: bigint) => fromScaled(value, type.scale)
  const named = `decimal(${type.width},${type.scale})`
  return {
    type: named,
    sum_scaled: sum(scaled).toString(),
    ...(range && { min: text(range.min), max: text(range.max) }),
  }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

function bounds(values: readonly bigint[]): { min: bigint; max: bigint } | null {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted.length === 0 ? null : { min: sorted[0]!, max: sorted.at(-1)! }
}

/** Least and greatest value of each decimal and instant column. */
function boundsOf({ columns }: Answer): Record<string, object> {
  const entries = Object.entries(columns as Record<string, { min?: unknown; max?: unknown }>)
  const scalars = entries.filter(([path, { min }]) => min !== undefined && !/[[.]/.test(path))
  return Object.fromEntries(scalars.map(([path, { min, max }]) => [path, { min, max }]))
}

type Seen = {
  delta_rs: Answer
  polars: Answer
  skipped_by_bounds: string[]
  stated_bounds: Record<string, object>
  write_refused: string | null
}

test('delta-rs and Polars read every table as DuckDB does, to the last digit and microsecond, and may not write it', {
  timeout: 600_000,
}, async () => {
  const interpreter = pythonInterpreter('requirements.txt', 'delta-rs and Polars')
  const warehouse = await fillWarehouse()
  const output = execFileSync(interpreter, [join(TOOLS, 'read_warehouse.py'), warehouse.root], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const seen = JSON.parse(output) as Record<string, Seen>
  expect(Object.keys(seen)).toEqual(expect.arrayContaining(TABLES))
  for (const table of TABLES) {
    const expected = await duckdbAnswer(warehouse, table)
    expect(expected.rows).toBe(35 * COMMITS + (COMMITS * (COMMITS - 1)) / 2 + 1 + 4)
    expect(seen[table]!.delta_rs, `${table} by delta-rs`).toEqual(expected)
    expect(seen[table]!.polars, `${table} by Polars`).toEqual(expected)
    expect(seen[table]!.stated_bounds, `${table} by the log's statistics`).toEqual(boundsOf(expected))
    expect(seen[table]!.skipped_by_bounds).toEqual([])
    expect(seen[table]!.write_refused).toMatch(/tidemarkBitemporal/)
    expect((await warehouse.log(table).verify()).violations).toEqual([])
  }
})
