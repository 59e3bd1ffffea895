import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ARCHIVES } from '../../cli/commands/import.ts'
import { ARCHIVE_KINDS } from '../../connectors/archives/read-archive.ts'
import { writeArchiveFile, writePayloads } from '../support/payload-folder.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()
const dir = join(folder, 'archive')
mkdirSync(dir)
const empty = join(folder, 'empty')
mkdirSync(empty)
writePayloads(dir, 'x.payloads.jsonl', [
  { endpoint: 'GET /markets/orderbooks', received_at: '2026-01-05T10:00:00Z', body: { orderbooks: [{ ticker: '' }] } },
])
writeArchiveFile(dir, 'notes.txt', 'not data of any form')
const run = (root: string, ...more: string[]) =>
  tidemark(['import', 'kalshi', dir, '--warehouse', join(folder, root), ...more])

test('the kinds that --help names are those that are read', () => {
  expect([...ARCHIVES].toSorted()).toEqual([...ARCHIVE_KINDS].toSorted())
})

test('what is not taken is shown with file, line, place and meaning', async () => {
  const { exit_code, stdout, stderr } = await run('a')
  expect(exit_code).toBe(1)
  expect(stderr).toMatch(
    /^nothing of .* could be used: 2 records read, none imported; notes\.txt: text .* docs\/archives\.md\)\n$/,
  )
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/))
  expect(rows).toContainEqual([
    ...['quarantined file', 'line', 'path', 'reason', 'count', 'files', 'what it is, and what to do'],
  ])
  expect(rows.find(([file, , path]) => file === 'notes.txt' && path === '$')?.slice(0, 4)).toEqual([
    'notes.txt',
    '1',
    '$',
    'UNKNOWN_SHAPE',
  ])
  expect(
    rows.find(([file, , path]) => file === 'x.payloads.jsonl' && path?.startsWith('orderbooks'))?.slice(0, 3),
  ).toEqual(['x.payloads.jsonl', '1', 'orderbooks[0]'])
})

test('--json has the same items', async () => {
  const { stdout } = await run('b', '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    archive: 'kalshi',
    payloads_read: 1,
    payloads_new: 1,
    records_quarantined: 2,
    input: { read: 2, imported: 0, duplicate: 0, redacted: 0, ignored: 0, quarantined: 2 },
    problems: [{ count: 1 }, { count: 1 }],
    quarantine: [{ file: 'notes.txt', line: 1, path: '$', reason: 'UNKNOWN_SHAPE' }, { path: 'orderbooks[0]' }],
  })
})

test.each([
  ['no folder', join(folder, 'none'), 'VALIDATION_INPUT_UNREADABLE'],
  ['a folder without payloads', empty, 'VALIDATION_INPUT_UNREADABLE'],
])('%s is one sentence and exit code 2', async (_what, from, code) => {
  const { exit_code, stderr } = await tidemark(['import', 'usgs', from, '--warehouse', join(folder, 'c')])
  expect(exit_code).toBe(2)
  expect(stderr).toMatch(new RegExp(`^error: .*\\(${code}\\)\\n$`))
})

test('equal problems of many files are one line, and the last sentence says what to do', async () => {
  const many = join(folder, 'many')
  mkdirSync(many)
  for (let n = 0; n < 300; n += 1) writeArchiveFile(many, `answer-${1000 + n}.json`, '{"error":"too many requests"}')
  const warehouse = join(folder, 'd')
  const { exit_code, stdout, stderr } = await tidemark(['import', 'kalshi', many, '--warehouse', warehouse])
  const lines = stdout.split('\n').filter((line) => line.includes('ERROR_ANSWER'))
  expect(lines.map((line) => line.trim().split(/\s{2,}/))).toEqual([
    [
      ...['answer-1000.json', '1', '$', 'ERROR_ANSWER', '300', '300'],
      'the error "too many requests" instead of data: request it again',
    ],
  ])
  expect([exit_code, stderr]).toEqual([
    1,
    `nothing of ${many} could be used: 300 records read, none imported; answer-1000.json: the error "too many requests" ` +
      'instead of data: request it again (what is accepted for kalshi: docs/archives.md)\n',
  ])
})

test.each([
  ['a table of another name', 'prices.csv', 'time,price\n1,2\n', 'a folder with markets.jsonl in it; a table of other'],
  [
    'a cut file',
    'quotes.csv.gz',
    gzipSync('a'.repeat(1000)).subarray(0, 20),
    'get it again, or move it out of the folder',
  ],
  ['a file that is no gzip file', 'quotes.csv.gz', 'received_at', 'rename it without .gz'],
  ['an empty table', 'quotes.csv', '', 'quotes.csv is empty; allowed: a CSV file'],
])('quotes: %s is refused in a sentence with the next step', async (what, name, content, next) => {
  const tables = join(folder, what)
  mkdirSync(tables)
  const market = { received_at: '2026-01-05T10:00:00Z', venue_id: 'v', source_market_id: 'm', title: 'M' }
  if (name.startsWith('quotes')) writeFileSync(join(tables, 'markets.jsonl'), JSON.stringify(market))
  writeFileSync(join(tables, name), content)
  const from = name.startsWith('quotes') ? tables : join(tables, name)
  const { exit_code, stderr } = await tidemark(['import', 'quotes', from, '--warehouse', join(folder, 'e')])
  expect([exit_code, stderr]).toEqual([2, expect.stringContaining(next)])
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
