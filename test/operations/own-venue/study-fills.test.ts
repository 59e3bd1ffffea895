import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type FillStudy, studyFills } from '../../../operations/own-venue/study-fills.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { isRejection } from '../../../trading/order/order-errors.ts'
import { createTapeReads, type TapeReads } from '../../../trading/store/read/tape-reads.ts'
import { previewPast } from '../../../trading/store/read/walk-past.ts'
import { type FillRow, fillRowOf, rejectedRow } from '../../../trading/would-fill/fill-row.ts'
import { openMemoryDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'
import { startWorld, submitInPortions } from '../../api/own-venue/own-world.ts'
import { commandWords } from '../../support/console-blocks.ts'
import { tidemark } from '../../support/run-cli.ts'
import { ROOT } from '../../support/source-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { randomSubmissions } from '../../support/trading/random-submissions.ts'

const PAGE = readFileSync(join(ROOT, 'docs/would-it-have-filled.md'), 'utf8')
const database = withDatabase()
const folder = tempFolder()
let reads: TapeReads
let url: string
let [from, to]: Micros[] = []

beforeAll(async () => {
  const opened = await database()
  url = opened.url
  reads = createTapeReads(opened.pool, 50)
  const { engine } = await startWorld(opened.pool, true)
  from = (await reads.head()).at
  await submitInPortions(engine.client, randomSubmissions(11, 500, from), 3)
  to = (await reads.head()).at
  await engine.stop()
}, 120_000)

const study = (change: Partial<FillStudy> = {}, order: Partial<FillStudy['order']> = {}): FillStudy => ({
  order: {
    market_id: 'mkt_1',
    outcome_id: 'out_yes',
    side: 'BUY',
    limit_price: '0.50',
    quantity: '10',
    time_in_force: 'GTC',
    expires_at: null,
    post_only: false,
    ...order,
  },
  from: from!,
  to: to!,
  every: Math.ceil((to! - from!) / 40),
  horizon: Math.ceil((to! - from!) / 5),
  ...change,
})
const rowsOf = async (asked: FillStudy) => {
  const rows: FillRow[] = []
  for await (const row of studyFills(reads, asked)) rows.push(row)
  return rows
}

/** The same, asked one preview at a time. */
async function asPreviews({ order, from: first, to: last, every, horizon }: FillStudy): Promise<FillRow[]> {
  const head = (await reads.head()).at
  const rows: FillRow[] = []
  for (let as_of = first; as_of < last; as_of += every) {
    const range = { as_of, until: Math.min(head, as_of + horizon) }
    const { result } = await previewPast(reads, { ...order, settlement_asset_id: 'asset_usd' }, range)
    const shown = { as_of: formatMicros(range.as_of), until: formatMicros(range.until) }
    rows.push(isRejection(result) ? rejectedRow(result, shown) : fillRowOf(result.would_fill, shown.as_of))
  }
  return rows
}

test.each([
  ['a purchase that rests', {}, {}],
  ['a sale of the other outcome', {}, { outcome_id: 'out_no', side: 'SELL', limit_price: '0.52' }],
  ['a purchase that takes, or nothing', {}, { time_in_force: 'FAK', limit_price: '0.55' }],
  ['one that only rests', {}, { post_only: true }],
  ['a horizon shorter than the steps', { horizon: 1 }, {}],
  ['a horizon beyond the last batch', { horizon: 3_600_000_000 }, {}],
] as const)('one pass tells the same as a preview for each start: %s', async (_what, change, order) => {
  const asked = study(
    { ...change, ...('horizon' in change && change.horizon > 1e6 ? { every: 3_600_000 } : {}) },
    order,
  )
  const rows = await rowsOf(asked)
  expect(rows).toEqual(await asPreviews(asked))
  expect(rows.length).toBe(Math.ceil((asked.to - asked.from) / asked.every))
})

test('the history has fills, rejections, open bounds and ends of several kinds', async () => {
  const rows = await rowsOf(study())
  expect(rows.some(({ pessimistic_filled_quantity }) => Number(pessimistic_filled_quantity) > 0)).toBe(true)
  expect(new Set(rows.map(({ end_reason }) => end_reason)).size).toBeGreaterThan(1)
})

test.each([
  ['--to', 'an empty range', () => ({ to: from! })],
  ['--to', 'a range after the last batch', () => ({ to: to! + 10_000_000 })],
  ['--horizon', 'too many walks at once', () => ({ every: 1, horizon: 10_001 })],
  ['--every', 'no step', () => ({ every: 0 })],
] as const)('%s is refused: %s', async (field, _what, change) => {
  await expect(rowsOf(study(change()))).rejects.toMatchObject({ code: 'VALIDATION_RANGE_INVALID', facts: { field } })
})

test('unknown market and outcome, and a start before the listing', async () => {
  await expect(rowsOf(study({}, { market_id: 'mkt_x' }))).rejects.toMatchObject({ code: 'MARKET_NOT_FOUND' })
  await expect(rowsOf(study({}, { outcome_id: 'out_x' }))).rejects.toMatchObject({ code: 'MARKET_OUTCOME_NOT_FOUND' })
  const early = study({ from: from! - 60_000_000, every: 60_000_000, horizon: 1 })
  await expect(rowsOf(early)).rejects.toMatchObject({ code: 'VALIDATION_AS_OF_UNAVAILABLE' })
})

test('the command of the page writes these rows as Parquet, CSV and JSON', async () => {
  const line = PAGE.split('```sh\n')[1]!.split('```')[0]!.replaceAll('\\\n', ' ')
  const set = (words: readonly string[], name: string, value: string) => words.with(words.indexOf(name) + 1, value)
  const begun = set(commandWords(line).slice(1), '--from', formatMicros(from!))
  const words = set(begun, '--to', formatMicros(to!))
  const environment = { DATABASE_URL: url, TIDEMARK_HOME: folder }
  const run = async (out: string) => {
    const path = join(folder, out)
    const got = await tidemark(set(words, '--out', path), { environment })
    expect({ ...got, stdout: '' }).toEqual({ exit_code: 0, stdout: '', stderr: '' })
    expect(got.stdout).toMatch(/^1 starts written to /)
    return path
  }
  const hour = { every: 3_600_000_000, horizon: 24 * 3_600_000_000 }
  const expected = await rowsOf(study(hour, { limit_price: '0.55' }))
  const json = readFileSync(await run('fills.json'), 'utf8')
  expect(
    json
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text)),
  ).toEqual(expected)
  const [names, values] = readFileSync(await run('fills.csv'), 'utf8').split('\r\n')
  expect(names).toBe(Object.keys(expected[0]!).join(','))
  expect(values!.startsWith(`${expected[0]!.as_of},`)).toBe(true)
  const path = await run('fills.parquet')
  const { connection, close } = await openMemoryDatabase()
  const [row] = await readRows(connection, `SELECT * FROM read_parquet('${path}')`)
  expect(row).toMatchObject({
    as_of: expected[0]!.as_of,
    pessimistic_filled_quantity: expected[0]!.pessimistic_filled_quantity,
  })
  close()
  expect(toMicros(expected[0]!.as_of)).toBe(from)
})
