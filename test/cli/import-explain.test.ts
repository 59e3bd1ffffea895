import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { valueLine, writeArchive } from '../support/archive-folder.ts'
import { writeArchiveFile, writePayloads } from '../support/payload-folder.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()
const AT = '2026-01-17T00:00:05.123Z'
const MARKET = `0x${'ab'.repeat(32)}`
const TOKENS = ['1'.repeat(77), '2'.repeat(77)]
const GAMMA = {
  ...{ id: '5', conditionId: MARKET, question: 'Will it?', slug: 'will-it', outcomes: '["Yes", "No"]' },
  ...{ clobTokenIds: JSON.stringify(TOKENS), updatedAt: '2026-01-17T00:00:00Z', createdAt: '2026-01-01T00:00:00Z' },
}
const HISTORY = {
  history: [
    { t: 1768600000, p: 0.515 },
    { t: 1768603600, p: 0.52 },
  ],
}

async function explain(...argv: readonly string[]) {
  const home = join(folder, 'home')
  const { exit_code, stdout, stderr } = await tidemark(['import', ...argv, '--json', '--warehouse', home])
  expect(existsSync(home)).toBe(false)
  return { exit_code, stderr, explained: exit_code === 2 ? null : JSON.parse(stdout) }
}

const dir = join(folder, 'polymarket')
mkdirSync(dir)
writeArchiveFile(dir, 'market.json', JSON.stringify(GAMMA))
writeArchiveFile(dir, `prices-${TOKENS[0]}.json`, JSON.stringify(HISTORY))
writeArchiveFile(
  dir,
  'messages.ndjson',
  `{"ts":"${AT}","raw":"PONG"}\n{"ts":"${AT}","data":{"event_type":"trade","id":"1"}}\nnot json\n`,
)
writeArchiveFile(dir, 'README.md', 'about')
writeArchiveFile(dir, 'notes.txt', 'hello')

test('payloads: form and endpoint of each file, records, markets, time range, and why the rest is not used', async () => {
  const { exit_code, explained } = await explain('--explain', dir)
  expect(exit_code).toBe(0)
  expect(explained).toMatchObject({
    archive: 'payloads',
    venues: ['polymarket'],
    markets: [`polymarket ${MARKET}`],
    records: { quotes: 2, references: 1 },
    first_source_at: '2026-01-16T21:46:40Z',
    last_source_at: '2026-01-16T22:46:40Z',
    advice: `import it with: tidemark import polymarket ${dir}`,
  })
  const { read, usable, repeated, redacted, ignored, quarantined } = explained.input
  expect(read).toBe(usable + repeated + redacted + ignored + quarantined)
  const of = (file: string) => explained.files.find((one: { file: string }) => one.file === file)
  expect(of('market.json')).toMatchObject({
    form: 'one document',
    endpoints: [{ endpoint: 'GET /markets/{id}', payloads: 1, known_by: '`conditionId` and `outcomes`' }],
  })
  expect(of(`prices-${TOKENS[0]}.json`)).toMatchObject({ endpoints: [{ endpoint: 'GET /prices-history' }] })
  expect(of('messages.ndjson')).toMatchObject({ form: 'JSON line by line' })
  expect(of('README.md')).toMatchObject({ form: null, why: 'ignored: NOT_DATA' })
  expect(of('notes.txt')).toMatchObject({ form: null, why: 'quarantined: UNKNOWN_SHAPE' })
  expect(explained.problems.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
    'BAD_JSON',
    'UNKNOWN_SHAPE',
  ])
})

test('it says of an archive what the import of the same files reports', async () => {
  const { explained } = await explain('polymarket', dir, '--explain')
  const { stdout } = await tidemark(['import', 'polymarket', dir, '--json', '--warehouse', join(folder, 'imported')])
  const report = JSON.parse(stdout)
  const { usable, repeated, ...others } = explained.input
  const { imported, duplicate, ...counts } = report.input
  expect([usable + repeated, others]).toEqual([imported + duplicate, counts])
  for (const field of ['ignored', 'redactions', 'problems', 'first_source_at', 'last_source_at'])
    expect(explained[field]).toEqual(report[field])
})

test('a table: its columns, and with a mapping what becomes of each', async () => {
  const csv = join(folder, 'prices.csv')
  writeFileSync(csv, 'when,contract,yes\n2026-01-01T00:00:00Z,A,45\n2026-01-01T00:00:01Z,A,145\n')
  const bare = await explain('--explain', csv)
  expect(bare.exit_code).toBe(1)
  expect(bare.explained.advice).toBe(
    'prices.csv is a table with the columns when, contract, yes: write a mapping (docs/archives.md) and add --mapping FILE',
  )
  const mapping = join(folder, 'map.json')
  const columns = { source_market_id: 'contract', source_at: 'when', bid: 'yes' }
  writeFileSync(mapping, JSON.stringify({ columns, constants: { venue_id: 'v', outcome: 'YES' }, unit: 'cents' }))
  const { explained } = await explain('--explain', csv, '--mapping', mapping)
  expect(explained).toMatchObject({
    archive: 'quotes',
    archive_why: 'a mapping is given',
    input: { read: 2, usable: 1, quarantined: 1 },
    markets: ['v A'],
  })
  expect(explained.mapping).toContain('column yes -> bid: price')
  const { exit_code, stdout } = await tidemark(['import', '--explain', csv, '--mapping', mapping])
  expect([exit_code, stdout]).toEqual([
    0,
    expect.stringContaining(`import it with: tidemark import quotes ${csv} --mapping ${mapping}`),
  ])
})

test('with --zero-means-missing it says what the import with it reports', async () => {
  const tables = writeArchive(join(folder, 'zeros'), [
    valueLine(['s1', 'A', 1, '01T06:00', '0']),
    valueLine(['s1', 'A', 2, '02T06:00', '0.5']),
  ])
  const { explained } = await explain('forecastbench', '--explain', tables, '--zero-means-missing')
  expect(explained.input).toMatchObject({ read: 2, usable: 1, ignored: 1 })
  expect(explained.ignored).toMatchObject([{ rule: 'ZERO_PRICE' }])
  expect(explained.advice).toContain('--zero-means-missing')
  expect((await explain('forecastbench', '--explain', tables)).explained.input).toMatchObject({ usable: 2 })
  const { stderr } = await explain('polymarket', '--explain', tables, '--zero-means-missing')
  expect(stderr).toContain('zero_means_missing does not apply to polymarket')
})

test('exit codes are those of an import', async () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  expect((await explain('--explain', empty)).exit_code).toBe(2)
  expect((await explain('--explain', join(folder, 'none'))).exit_code).toBe(2)
  expect((await explain('--explain')).stderr).toContain('explain is missing; allowed: the path of one file or folder')
  expect((await explain('kalshi', dir, '--explain', dir)).stderr).toContain('allowed: the path of one file or folder')
  expect((await explain('kalshi', '--explain', dir, '--mapping', 'm.yaml')).stderr).toContain(
    'mapping is m.yaml; allowed: none with kalshi',
  )
  const bare = await tidemark(['import', 'kalshi'])
  expect([bare.exit_code, bare.stderr]).toEqual([2, expect.stringContaining("missing required argument 'dir'")])
  writePayloads(empty, 'x.payloads.jsonl', [{ endpoint: 'GET /exchange/status', received_at: AT, body: {} }])
  expect((await explain('kalshi', empty, '--explain')).exit_code).toBe(1)
})

test('the command that it prints can be pasted, whatever the folder is called', async () => {
  const odd = join(folder, "O'Hara data")
  mkdirSync(odd)
  writeArchiveFile(odd, 'market.json', JSON.stringify(GAMMA))
  const { explained } = await explain('--explain', odd)
  expect(JSON.stringify(explained)).toContain(
    JSON.stringify(`tidemark import polymarket '${odd.replace("'", `'\\''`)}'`).slice(1, -1),
  )
})
