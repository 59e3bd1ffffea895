import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { commandWords } from '../support/console-blocks.ts'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { tidemarkProcess } from '../support/run-cli.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/**
 * The notebook as a reader has it: its commands make the warehouse, its cells run in a fresh kernel beside it. What it shows
 * is made anew by tools/python/run_notebook.py, in a folder where those commands were run.
 */
const NOTEBOOK = join(ROOT, 'docs/notebooks/as-of.ipynb')
const RUN = join(ROOT, 'tools/python/run_notebook.py')
const WAREHOUSE = 'notebook-world/warehouse'
const NOON = '2026-01-01T12:00:00Z'

type Output = { readonly text?: readonly string[]; readonly data?: { readonly 'text/plain': readonly string[] } }
type Cell = { readonly id: string; readonly source: readonly string[]; readonly outputs?: readonly Output[] }
type Row = Readonly<Record<string, string | null>>

const readCells = (file: string): Cell[] => (JSON.parse(readFileSync(file, 'utf8')) as { cells: Cell[] }).cells
const sourceOf = (cells: readonly Cell[], id: string) => cells.find((cell) => cell.id === id)!.source.join('')
const textsOf = ({ outputs = [] }: Cell) =>
  outputs.map((output) => (output.text ?? output.data!['text/plain']).join(''))

/** The Markdown table that a cell printed, as rows of texts; an empty value is null. */
function printedTable(cells: readonly Cell[], id: string): Row[] {
  const [text] = textsOf(cells.find((cell) => cell.id === id)!)
  const [names, , ...rows] = text!
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((word) => word.trim()),
    )
  return rows.map((words) => Object.fromEntries(words.map((word, i) => [names![i]!, word === 'null' ? null : word])))
}

const python = pythonInterpreter('notebook.txt', 'the notebook')
const folder = tempFolder()
const stored = readCells(NOTEBOOK)

function runNotebook(file: string, out: string, warehouse = join(folder, WAREHOUSE)) {
  const env = { ...process.env, TIDEMARK_WAREHOUSE: warehouse, PYTHONPATH: join(ROOT, 'python/src') }
  return spawnSync(python, [RUN, file, out], { cwd: folder, env, encoding: 'utf8' })
}

/** Writes a price history with a point each minute until noon, of every token whose book the world has. */
function writeHistories(files: string): void {
  const books = gunzipSync(readFileSync(join(files, '2026-01-01.polymarket.payloads.jsonl.gz'))).toString('utf8')
  const tokens = new Set([...books.matchAll(/"\/book\?token_id=(\d+)"/g)].map(([, token]) => token!))
  expect(tokens.size).toBeGreaterThan(3)
  const noon_s = Date.parse(NOON) / 1000
  const history = Array.from({ length: 12 * 60 }, (_, minute) => ({ t: noon_s - 60 * (minute + 1), p: 0.5 })).reverse()
  const payloads = [...tokens].map((token) => ({
    venue_id: 'polymarket',
    endpoint: 'GET /prices-history',
    request: `/prices-history?market=${token}`,
    received_at: '2026-01-01T11:59:59.000000Z',
    body: JSON.stringify({ history }),
  }))
  writeFileSync(join(files, 'histories.payloads.jsonl'), payloads.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

async function answerOf(question: string): Promise<Row[]> {
  const argv = ['sql', '--warehouse', WAREHOUSE, '--as-of', NOON, '--json', question]
  const { stdout, stderr } = await tidemarkProcess(argv, { cwd: folder })
  expect(stderr).toBe('')
  const rows = JSON.parse(stdout) as Record<string, string | number | null>[]
  return rows.map((row) => {
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : `${value}`]))
  })
}

test('what is to be copied comes first and is ten lines', () => {
  const [, first] = stored
  expect(first!.id).toBe('ten-lines')
  const lines = first!.source.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines).toHaveLength(10)
})

describe('docs/notebooks/as-of.ipynb', () => {
  let cells: Cell[]

  beforeAll(async () => {
    const block = /^```sh\n([\s\S]*?)^```$/m.exec(sourceOf(stored, 'world'))![1]!
    for (const command of block.trim().split('\n')) {
      const words = commandWords(command)
      expect(words.slice(0, 2)).toEqual(['npx', 'tidemark'])
      const { exit_code, stderr } = await tidemarkProcess(words.slice(2), { cwd: folder })
      expect({ exit_code, stderr }).toMatchObject({ exit_code: 0 })
    }
    cpSync(join(ROOT, 'python/tests/data/saved-levels.jsonl'), join(folder, 'notebook-world/levels.jsonl'))
    const out = join(folder, 'run.ipynb')
    expect(runNotebook(NOTEBOOK, out)).toMatchObject({ status: 0 })
    cells = readCells(out)
  })

  test('prints what it shows', () => {
    const printed = (list: readonly Cell[]) => list.map((cell) => [cell.id, textsOf(cell)])
    expect(printed(cells)).toEqual(printed(stored))
  })

  test('its counts and sums are those of the question that it names', async () => {
    const [, question] = /--as-of 2026-01-01T12:00:00Z "([^"]+)"/.exec(sourceOf(stored, 'same-question'))!
    const answer = await answerOf(question!)
    expect(answer.map((row) => row.venue_id)).toEqual(['kalshi', 'manifold', 'polymarket'])
    expect(printedTable(cells, 'duckdb')).toEqual(answer)
  })

  test('what a decision at noon could have used is the latest quote of each outcome as of noon', async () => {
    const latest =
      'select * from market_quote qualify row_number() over (partition by outcome_id order by source_at desc) = 1'
    const columns = 'venue_id, count(*) as outcomes, sum(bid) as bids, sum(ask) as asks'
    expect(printedTable(cells, 'noon')).toEqual(
      await answerOf(`select ${columns} from (${latest}) group by all order by all`),
    )
  })

  test('its trades are those of the warehouse, with every digit of their volume', async () => {
    const answer = await answerOf(
      'select venue_id, count(*) as trades, sum(quantity) as volume from public_trade group by all order by all',
    )
    expect(printedTable(cells, 'marked').map(({ venue_id, trades, volume }) => ({ venue_id, trades, volume }))).toEqual(
      answer,
    )
  })

  test('probabilities of a price history, newer than the books, take the place of none', async () => {
    const [files, warehouse] = [join(folder, 'with-histories'), join(folder, 'with-histories-warehouse')]
    cpSync(join(folder, 'notebook-world/files'), files, { recursive: true })
    writeHistories(files)
    const imported = await tidemarkProcess([
      'import',
      'payloads',
      files,
      '--clock',
      'recorded',
      '--warehouse',
      warehouse,
    ])
    expect(imported.exit_code).toBe(0)
    const out = join(folder, 'with-histories.ipynb')
    expect(runNotebook(NOTEBOOK, out, warehouse)).toMatchObject({ status: 0 })
    const shown = readCells(out)
    expect(printedTable(shown, 'duckdb')).not.toEqual(printedTable(cells, 'duckdb')) // they are rows of the table
    for (const id of ['marked', 'decisions', 'noon']) expect(printedTable(shown, id)).toEqual(printedTable(cells, id))
  })

  test('a reader who forgets that the future is there is told', () => {
    const text = readFileSync(NOTEBOOK, 'utf8')
    const changed = text.replace('tidemark.open(WAREHOUSE, as_of=T)', 'tidemark.open(WAREHOUSE)')
    expect(changed).not.toBe(text)
    const file = join(folder, 'changed.ipynb')
    writeFileSync(file, changed)
    const { status, stderr } = runNotebook(file, join(folder, 'never.ipynb'))
    expect(status).toBe(1)
    expect(stderr).toContain('AssertionError')
  })
})
