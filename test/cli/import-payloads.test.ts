import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
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
  expect(stderr).toMatch(/nothing of .* could be used: 2 records read, none imported; see .* docs\/archives\.md/)
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/))
  expect(rows).toContainEqual(['quarantined file', 'line', 'path', 'reason', 'count', 'meaning'])
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
