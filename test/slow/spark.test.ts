import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatMicros, type Instant, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { tablesOfView, VIEW_NAMES } from '../../warehouse/read/views.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import { TABLE_NAMES, type TableName } from '../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { tidemark } from '../support/run-cli.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { wholeWarehouse } from '../support/whole-warehouse.ts'

/**
 * The functions for Spark, row by row against our own views, at 20 instants and at publications of each view's own tables; the levels that a job on Spark recomputes from the tables,
 * against those published; and the notes for DuckDB and Polars at the same instants. Spark fetches the jars of Delta Lake once.
 */
const INSTANTS = 20
/** After the last level of the two indexes, which are of one day. */
const AS_OF = '2026-02-01T11:30:00Z'

/** Questions to our own views with the answers of the notes. */
const OUR_NOTES: Readonly<Record<string, string>> = {
  market_mark: 'from market_mark',
  public_trade: `select venue_id, count(*) as trades, sum(quantity) as volume from public_trade
    where correction_kind is distinct from 'void' group by all`,
  polars: 'from market_quote_history',
}

type Rows = Readonly<Record<Instant, readonly Row[]>>
type Line = {
  readonly view?: string
  readonly note?: string
  readonly rows: Rows
  readonly refused: string | null
  readonly recomputed?: readonly Row[]
}

const python = pythonWithJava()
const folder = tempFolder()

function pythonWithJava(): string {
  if (spawnSync('java', ['-version']).status !== 0)
    throw new Error('Spark cannot be tested: no java on PATH; allowed: Java 17 or 21')
  return pythonInterpreter('spark.txt', 'Spark')
}

/** SQL of the notes of docs/warehouse.md that read one table, as of an instant that the reader chooses. */
function notes(): Readonly<Record<string, { table: string; sql: string | null }>> {
  const page = readFileSync(join(ROOT, 'docs/warehouse.md'), 'utf8')
  const section = page.slice(page.indexOf('## Reading with other engines'), page.indexOf('## Following a table'))
  const blocks = [...section.matchAll(/^```sql\n([\s\S]*?)^```$/gm)]
    .map(([, sql]) => sql!)
    .filter((sql) => sql.includes('delta_scan('))
  const found = blocks.map((sql) => {
    const [, table] = /delta_scan\('\.tidemark\/warehouse\/(\w+)'\) where published_at <= timestamptz '[^']+'/.exec(
      sql,
    )!
    // The reader of the Python package has the filter, and needs no extension of DuckDB.
    return [
      table!,
      { table: table!, sql: sql.replace(/delta_scan\('[^']+'\) where published_at <= timestamptz '[^']+'/, table!) },
    ]
  })
  return { ...Object.fromEntries(found), polars: { table: 'market_quote', sql: null } }
}

/** Instants at and just before publications of every kind, with one before the first, and the seal. */
async function chooseInstants(warehouse: Warehouse, sealed: Micros): Promise<Instant[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  const all = TABLE_NAMES.map((table) => `select distinct published_at from ${table}__visible`).join(' union ')
  const stamps = (await session.query(all)).map((row) => toMicros(row.published_at)).sort((a, b) => a - b)
  await session.close()
  const between = Array.from({ length: INSTANTS - 2 }, (_, n) => {
    return stamps[Math.round((n * (stamps.length - 1)) / (INSTANTS - 3))]! - (n % 2)
  })
  return [stamps[0]! - MICROS_PER_DAY, ...between, sealed].map((instant) => formatMicros(instant))
}

/** Publishes a correction of a quote, received later: without one, no chain of quotes would have two rows. */
async function correctQuote(warehouse: Warehouse): Promise<void> {
  const session = await openReadSession(warehouse, { as_of: null })
  const [row] = await session.query('from market_quote__visible order by published_at, row_ordinal limit 1')
  await session.close()
  const { published_at: _, row_ordinal: __, ...quote } = row!
  const received_at = formatMicros(toMicros(quote.received_at) + 1_000_000)
  const correction = {
    revision: 2,
    supersedes_id: quote.record_id!,
    correction_reason: 'SOURCE_CORRECTED',
    received_at,
  }
  const step = { app_id: 'test-correction', app_sequence: 1, stamp: { kind: 'wall' }, operation: 'TEST' } as const
  await warehouse.append('market_quote', [{ ...quote, ...correction, record_id: `${quote.record_id}_2` }], step)
}

/** Instants at and just before the last publication and one in the middle of a view's tables; none if they are empty. */
async function ownInstants(warehouse: Warehouse, view: string): Promise<Instant[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  const all = tablesOfView(view)!.map((table) => `select distinct published_at from ${table}__visible`)
  const stamps = (await session.query(all.join(' union '))).map((row) => toMicros(row.published_at))
  await session.close()
  const chosen = [stamps.length - 1, Math.floor(stamps.length / 2)].flatMap(
    (n) => stamps.sort((a, b) => a - b)[n] ?? [],
  )
  return [...new Set(chosen.flatMap((stamp) => [stamp, stamp - 1]))].map((stamp) => formatMicros(stamp))
}

/** Answers to queries, each at instants of its own. */
async function ourAnswers(warehouse: Warehouse, asked: Readonly<Record<string, readonly Instant[]>>) {
  const found = new Map<string, Record<Instant, readonly Row[]>>(Object.keys(asked).map((query) => [query, {}]))
  for (const instant of new Set(Object.values(asked).flat())) {
    const session = await openReadSession(warehouse, { as_of: toMicros(instant) })
    for (const query of Object.keys(asked))
      if (asked[query]!.includes(instant)) found.get(query)![instant] = await session.query(query)
    await session.close()
  }
  return found
}

/** Rows as sorted texts with sorted fields, so that neither order counts. */
function comparable(rows: readonly Row[]): string[] {
  return rows.map((row) => JSON.stringify(sorted(row))).sort()
}

function sorted(value: RowValue): RowValue {
  if (Array.isArray(value)) return value.map((item) => sorted(item as RowValue))
  if (value === null || value === undefined || typeof value !== 'object') return value ?? null
  const fields = Object.entries(value as Row).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, item]) => [name, sorted(item)]))
}

async function askSpark(job: object): Promise<Line[]> {
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'python/src') }
  const child = spawn(python, [join(ROOT, 'tools/python/spark_answers.py')], { cwd: folder, env })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stdin.end(JSON.stringify(job))
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect(status, err.slice(-4000)).toBe(0)
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('a warehouse, read by Spark', () => {
  let root: string
  let instants: Instant[]
  /** Instants of each view's own tables. */
  const views: Record<string, readonly Instant[]> = {}
  let ours: Awaited<ReturnType<typeof ourAnswers>>
  let lines: Line[]
  let written: ReadonlySet<TableName>
  const asked = notes()

  beforeAll(async () => {
    root = await wholeWarehouse(folder)
    const warehouse = await openWarehouse({ root })
    try {
      await correctQuote(warehouse)
      const sealed = await warehouse.now()
      instants = await chooseInstants(warehouse, sealed)
      for (const view of VIEW_NAMES) views[view] = await ownInstants(warehouse, view)
      ours = await ourAnswers(warehouse, {
        ...Object.fromEntries(VIEW_NAMES.map((view) => [`from ${view}`, [...instants, ...views[view]!]])),
        ...Object.fromEntries(Object.values(OUR_NOTES).map((query) => [query, instants])),
      })
      const versions = await Promise.all(TABLE_NAMES.map((table) => warehouse.log(table).snapshot()))
      written = new Set(TABLE_NAMES.filter((_, n) => versions[n]!.version >= 0))
      const recomputed = { as_of: AS_OF, start: '2026-02-01T00:00:00Z', end: '2026-02-01T12:00:00Z' }
      const refused = formatMicros(sealed + 1)
      lines = await askSpark({ warehouse: root, views, instants, refused, recomputed, notes: asked })
    } finally {
      await warehouse.close()
    }
  }, 3_600_000)

  test.each(VIEW_NAMES)('%s_as_of answers as our view does', (view) => {
    const { rows } = lines.find((line) => line.view === view)!
    const asked = new Set([...instants, ...views[view]!])
    expect(Object.keys(rows).sort()).toEqual([...asked].sort())
    for (const instant of asked)
      expect(comparable(rows[instant]!), instant).toEqual(comparable(ours.get(`from ${view}`)![instant]!))
  })

  test('the instants show different answers, and none before the first', () => {
    const counts = instants.map((instant) =>
      VIEW_NAMES.map((view) => ours.get(`from ${view}`)![instant]!.length).join(),
    )
    expect(new Set(counts).size).toBeGreaterThan(INSTANTS / 2)
    expect(counts[0]).toMatch(/^[0,]+$/)
    const empty = VIEW_NAMES.filter((view) => ours.get(`from ${view}`)![instants.at(-1)!]!.length === 0)
    expect(empty.length).toBeLessThan(VIEW_NAMES.length / 2)
  })

  test('an instant after the seal is refused, whatever the table holds', () => {
    for (const view of VIEW_NAMES) {
      const { refused } = lines.find((line) => line.view === view)!
      if (tablesOfView(view)!.some((table) => written.has(table)))
        expect(refused, view).toContain('VALIDATION_AS_OF_UNAVAILABLE')
      else expect(refused, view).toBeNull()
    }
  })

  test('the command line gives the same rows', async () => {
    const instant = instants[12]!
    const argv = [
      'sql',
      '--warehouse',
      root,
      '--as-of',
      instant,
      '--json',
      'select count(*) as n, sum(bid) as bids from market_quote',
    ]
    const [answer] = JSON.parse((await tidemark(argv)).stdout) as [{ n: number; bids: string }]
    const { rows } = lines.find((line) => line.view === 'market_quote')!
    expect(rows[instant]).toHaveLength(answer.n)
    expect(answer.n).toBeGreaterThan(0)
  })

  test('levels computed on Spark from the tables are those published', () => {
    const { recomputed } = lines.find((line) => line.recomputed !== undefined)!
    const published = ours
      .get('from index_observation_history')!
      [instants.at(-1)!]!.filter(({ revision }) => revision === 1)
    expect(published).toHaveLength(24)
    const names = Object.keys(recomputed![0]!)
    const shown = published.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])))
    expect(comparable(recomputed!)).toEqual(comparable(shown))
  })

  test('the notebook asks, is refused, and finds every published level among its own', () => {
    const out = join(folder, 'run.ipynb')
    const cache = process.env.TIDEMARK_CACHE ?? join(homedir(), '.cache', 'tidemark')
    const env = {
      ...{ ...process.env, PYTHONPATH: join(ROOT, 'python/src'), TIDEMARK_SPARK_IVY: join(cache, 'spark-ivy') },
      ...{ TIDEMARK_WAREHOUSE: root, TIDEMARK_AS_OF: AS_OF },
    }
    const argv = [join(ROOT, 'tools/python/run_notebook.py'), join(ROOT, 'docs/notebooks/spark.ipynb'), out]
    const { status, stderr } = spawnSync(python, argv, { cwd: folder, env, encoding: 'utf8' })
    expect(status, stderr.slice(-4000)).toBe(0)
    expect(readFileSync(out, 'utf8')).toContain('24 levels published, 0 different')
  })

  test.each(Object.keys(OUR_NOTES))('the note about %s gives the same', (name) => {
    const { rows } = lines.find((line) => line.note === name)!
    for (const instant of instants)
      expect(comparable(rows[instant]!), instant).toEqual(comparable(ours.get(OUR_NOTES[name]!)![instant]!))
  })
})
