import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type RunSqlOptions, runSql } from '../../../operations/query/run-sql.ts'
import { summarizeView } from '../../../operations/query/summarize-view.ts'
import { openSharedDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import type { SqlFormat } from '../../../warehouse/export/format.ts'
import { writeResult } from '../../../warehouse/export/write-result.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { commit, minute, minuteMicros, quote } from '../../warehouse/read/quotes.ts'

const folder = tempFolder()
let warehouse: Warehouse

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  const final = { is_final: true, supersedes_id: 'a1', correction_reason: 'RESOLVED' }
  await commit(warehouse, 10, [
    quote({ record_id: 'a1', market: 'a', received_minute: 5, probability: '0.25' }),
    quote({ record_id: 'b1', market: 'b', received_minute: 5, probability: '0.123456789', series: 's' }),
  ])
  await commit(warehouse, 20, [
    quote({ record_id: 'a2', market: 'a', received_minute: 6, revision: 2, probability: '1', more: final }),
  ])
})
afterAll(() => warehouse.close())

/** A loaded machine starts the process of a statement slowly. */
const PATIENT = { time_ms: 120_000 }

/** The answer as text. */
async function ask(options: Partial<RunSqlOptions> & { sql: string }): Promise<string> {
  const out = new PassThrough()
  const answer = text(out)
  await runSql({ warehouse, as_of: null, format: 'json', out, limits: PATIENT, ...options })
  out.end()
  return answer
}
const askRows = async (sql: string, as_of: string | null = null) => JSON.parse(await ask({ sql, as_of })) as unknown

/** The answer as the process of a statement writes it, without such a process. */
async function written(sql: string, format: SqlFormat, table = { rows_max: 1000, width: null as number | null }) {
  const { connection, close } = await openSharedDatabase()
  const request = { connection, sql, format, table, scratch: folder }
  try {
    return await text(Readable.from(writeResult(request, { rows: 0 })))
  } finally {
    await close()
  }
}

const VALUES = 'select observation_id, value, is_final from market_observation order by 1'

test('a slow receiver has every byte when the answer is reported complete', async () => {
  let received = ''
  const slow = new Writable({
    write: (chunk, _encoding, done) => {
      setTimeout(() => {
        received += chunk
        done()
      }, 200)
    },
  })
  await runSql({ warehouse, as_of: null, format: 'json', out: slow, sql: VALUES, limits: PATIENT })
  expect(JSON.parse(received)).toHaveLength(2)
})

describe('the same question as of different instants', () => {
  test.each([
    ['before the first row', 9, []],
    [
      'at the first commit, inclusive',
      10,
      [
        ['a1', '0.250000000', false],
        ['b1', '0.123456789', false],
      ],
    ],
    [
      'just before the second',
      19,
      [
        ['a1', '0.250000000', false],
        ['b1', '0.123456789', false],
      ],
    ],
    [
      'at the second',
      20,
      [
        ['a2', '1.000000000', true],
        ['b1', '0.123456789', false],
      ],
    ],
  ])('%s', async (_, at, rows) => {
    const expected = rows.map(([id, value, is_final]) => ({
      observation_id: `${id}.reported_probability`,
      value,
      is_final,
    }))
    expect(await askRows(VALUES, minute(at as number))).toEqual(expected)
  })

  test('history shows every visible revision with what it supersedes', async () => {
    const sql = 'select observation_id, supersedes_id, correction_reason from market_observation_history order by 1'
    expect(await askRows(sql, minute(20))).toEqual([
      { observation_id: 'a1.reported_probability', supersedes_id: null, correction_reason: null },
      {
        observation_id: 'a2.reported_probability',
        supersedes_id: 'a1.reported_probability',
        correction_reason: 'RESOLVED',
      },
      { observation_id: 'b1.reported_probability', supersedes_id: null, correction_reason: null },
    ])
  })
})

test('sums of decimals are exact strings, counts are integers, instants RFC 3339', async () => {
  const sql =
    'select count(*) as n, sum(value) as s, max(received_at) as t, sum(revision) as r, null as x, [value] as l from market_observation group by all order by s'
  expect(await askRows(sql, minute(10))).toEqual([
    { n: 1, s: '0.123456789', t: minute(5), r: 1, x: null, l: ['0.123456789'] },
    { n: 1, s: '0.250000000', t: minute(5), r: 1, x: null, l: ['0.250000000'] },
  ])
})

test.each(['json', 'ndjson'] as const)(
  'a column of integers has numbers with all their digits in %s',
  async (format) => {
    const sql = `select a, [a] as b, {c: a, d: 'x'} as e, 100000000000000000000::hugeint as f
    from (values (5::bigint), (9007199254740993::bigint), (null)) t(a) order by a`
    const lines = (await written(sql, format)).split('\n').filter((line) => line.startsWith('{'))
    expect(lines.map((line) => line.replace(/,$/, ''))).toEqual(
      [5, 9007199254740993n, null].map((a) => `{"a":${a},"b":[${a}],"e":{"c":${a},"d":"x"},"f":100000000000000000000}`),
    )
  },
)

describe('formats', () => {
  const sql = `select observation_id as id, value, source_series_id as series, 'a "b", c' as note, '' as empty from market_observation order by 1`
  const same = `select id, value::decimal(18, 9) as value, series, 'a "b", c' as note, '' as empty
    from (values ('a1.reported_probability', 0.25, null), ('b1.reported_probability', 0.123456789, 's')) as t(id, value, series)`
  const as_of = minute(10)

  test('ndjson is the same rows, one a line', async () => {
    const lines = (await written(same, 'ndjson')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(await askRows(sql, as_of))
  })

  test('csv is RFC 4180: CRLF, quotes doubled, null empty, an empty text ""', async () => {
    expect(await written(same, 'csv')).toBe(
      'id,value,series,note,empty\na1.reported_probability,0.250000000,,"a ""b"", c",""\nb1.reported_probability,0.123456789,s,"a ""b"", c",""\n',
    )
  })

  test('a table says how many rows there are, and how many it shows', async () => {
    expect(await written(same, 'table')).toMatch(/│ a1\.reported_probability +│ 0\.250000000 │[\s\S]*\n2 rows\n$/)
    const cut = await ask({ sql: 'select * from range(10)', format: 'table', limits: { ...PATIENT, table_rows: 3 } })
    expect(cut).toContain('first 3 of 10 rows')
  })

  test('a table of a terminal fits its width, and says what it cuts and leaves out', async () => {
    const wide = "select 'x' as a, repeat('long ', 30) as b, 1.5 as c"
    const table = await written(wide, 'table', { rows_max: 1000, width: 40 })
    const lines = table.trimEnd().split('\n')
    expect(Math.max(...lines.slice(0, -1).map((line) => line.length))).toBeLessThanOrEqual(40)
    expect(table).toContain('…')
    expect(lines.at(-1)).toMatch(/^1 row \(cells are cut: /)
  })

  test('a plan names what is read, and runs nothing', async () => {
    const endless = 'select count(*) from range(1000000000000), market_observation'
    expect(await ask({ sql: endless, format: 'table', answer: 'plan' })).toMatch(/RANGE|READ_PARQUET/)
  })

  test('a summary is what a statement for one column gives', async () => {
    const columns = await summarizeView({ warehouse, view: 'market_observation', as_of, limits: PATIENT })
    const value = columns.find(({ column }) => column === 'value')
    const session = await openReadSession(warehouse, { as_of: minuteMicros(10), tables: ['market_quote'] })
    const [asked] = await session.query(
      'select count(*) as rows, count(*) - count(value) as nulls, min(value) as min, max(value) as max, quantile_disc(value, 0.5) as q50 from market_observation',
    )
    await session.close()
    expect(value).toMatchObject({ ...asked, type: 'DECIMAL(18,9)' })
    expect(columns.find(({ column }) => column === 'supersedes_id')).toMatchObject({ min: null, max: null, q50: null })
    // Its numbers of different values are estimates, and say so.
    for (const column of columns) {
      expect(column.about_distinct).toBeGreaterThanOrEqual(0)
      expect(column).not.toHaveProperty('distinct')
    }
  })

  test('csv and table make formulas and control characters of recorded text harmless; json and csv-exact keep them', async () => {
    const text = "select '=1+1' as a, chr(27) || '[2J' as b, '-0.5' as c, -0.5 as d"
    expect(await written(text, 'csv')).toBe("a,b,c,d\n'=1+1,?[2J,-0.5,-0.5\n")
    expect(await written(text, 'csv-exact')).toBe('a,b,c,d\n=1+1,\u001b[2J,-0.5,-0.5\n')
    expect(JSON.parse(await written(text, 'json'))).toMatchObject([{ a: '=1+1', b: '\u001b[2J' }])
    const table = await written(text, 'table')
    expect(table).toContain('?[2J')
    expect(table).not.toContain('\u001b')
  })

  test('an empty result is [] in json, a header in csv', async () => {
    const empty = `select * from (${same}) where false`
    expect(await written(empty, 'json')).toBe('[]\n')
    expect(await written(empty, 'csv')).toBe('id,value,series,note,empty\n')
  })

  test('arrow and parquet files hold the rows', async () => {
    const arrow = join(folder, 'rows.arrow')
    expect(await runSql({ warehouse, sql: `${sql};`, as_of, format: 'arrow', out: arrow, limits: PATIENT })).toEqual({
      rows: 2,
      as_of,
    })
    expect(tableFromIPC(readFileSync(arrow)).numRows).toBe(2)
    const parquet = join(folder, 'rows.parquet')
    expect(
      await runSql({ warehouse, sql: `${sql} -- end`, as_of, format: 'parquet', out: parquet, limits: PATIENT }),
    ).toEqual({
      rows: 2,
      as_of,
    })
    expect(readFileSync(parquet).subarray(0, 4).toString()).toBe('PAR1')
  })
})

describe('sealing', () => {
  const sealed = async (table: 'market_quote' | 'event') => (await warehouse.log(table).snapshot()).sealed_through

  test('an explicit as_of seals the tables that the statement reads and no other', async () => {
    await askRows('select count(*) from market_observation', minute(1000))
    expect(await sealed('market_quote')).toBe(minuteMicros(1000))
    expect(await sealed('event')).toBeNull()
  })

  test('now seals nothing', async () => {
    await askRows('select count(*) from event')
    expect(await sealed('event')).toBeNull()
  })

  test('a later commit cannot be stamped into a sealed past', async () => {
    await expect(
      commit(warehouse, 999, [quote({ record_id: 'x', market: 'x', received_minute: 1 })]),
    ).rejects.toMatchObject({
      code: 'VALIDATION_CLOCK_REFUSED',
    })
  })

  test('a future as_of is refused', async () => {
    await expect(askRows('select 1 from market', '2199-01-01T00:00:00Z')).rejects.toMatchObject({
      code: 'VALIDATION_AS_OF_IN_FUTURE',
    })
  })
})

describe('limits', () => {
  const ENDLESS = 'select count(*) from range(1000000000) a, range(1000000) b'

  test('a statement that runs for ever is ended', async () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('TMPDIR', mkdtempSync(join(tmpdir(), 'tidemark-test-'))) // of its own: other processes leave nothing in it
    await expect(ask({ sql: ENDLESS, limits: { time_ms: 2500 } })).rejects.toMatchObject({
      code: 'VALIDATION_SQL_LIMIT',
      message: 'sql ran longer than 2500 ms; allowed: 2500 ms, or a longer --time-limit',
    })
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('tidemark-sql-'))).toEqual([])
    rmSync(tmpdir(), { recursive: true })
  })

  test('a statement that needs too much memory is ended', async () => {
    const sql = "select list(i || 'a text of some length') from range(100000000) t(i)"
    await expect(ask({ sql, limits: { memory_mb: 128 } })).rejects.toMatchObject({ code: 'VALIDATION_SQL_LIMIT' })
  })

  test('an abort ends the process and says nothing else', async () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 800)
    await expect(ask({ sql: ENDLESS, signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('what the engine refuses is one sentence too', () => {
  test.each([
    ['select nope from market', 'Referenced column "nope" not found'],
    ["select 'x'::integer", "Could not convert string 'x' to INT32"],
  ])('%s', async (sql, seen) => {
    const error = await askRows(sql).catch((caught: Error) => caught)
    expect(error).toMatchObject({ code: 'VALIDATION_SQL_REFUSED', message: expect.stringContaining(seen) })
    expect((error as Error).message).not.toContain('\n')
  })
})

test('a file appears complete or not at all', async () => {
  const target = join(folder, 'out')
  mkdirSync(target)
  const out = join(target, 'rows.csv')
  writeFileSync(out, 'before')
  const failing = "select case when i < 100000 then i else ('x' || i)::integer end from range(200000) t(i)"
  await expect(
    runSql({ warehouse, sql: failing, as_of: null, format: 'csv', out, limits: PATIENT }),
  ).rejects.toMatchObject({
    code: 'VALIDATION_SQL_REFUSED',
  })
  expect(readFileSync(out, 'utf8')).toBe('before')
  expect(readdirSync(target)).toEqual(['rows.csv'])
  const missing = join(folder, 'no', 'such', 'folder.csv')
  await expect(runSql({ warehouse, sql: 'select 1', as_of: null, format: 'csv', out: missing })).rejects.toMatchObject({
    code: 'VALIDATION_USAGE_INVALID',
  })
  expect(existsSync(missing)).toBe(false)
})
