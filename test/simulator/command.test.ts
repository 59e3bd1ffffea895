import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()
const argv = (out: string, ...more: readonly string[]) => [
  ...['simulate', '--venue', 'all', '--days', '1', '--markets', '4', '--seed', '7', '--interval', 'PT10M'],
  ...['--out', join(folder, out), ...more],
]

test('tidemark simulate --json says what it wrote', async () => {
  const { exit_code, stdout } = await tidemark(argv('json', '--json'))
  expect(exit_code).toBe(0)
  const report = JSON.parse(stdout) as { files: string[]; venues: { venue_id: string; payloads: number }[] }
  expect(report).toMatchObject({
    seed: '7',
    from: '2026-01-01T00:00:00Z',
    to: '2026-01-02T00:00:00Z',
    interval_seconds: 600,
    markets: 4,
  })
  expect(report.venues.map(({ venue_id }) => venue_id)).toEqual(['polymarket', 'kalshi', 'manifold'])
  expect(report.venues.every(({ payloads }) => payloads > 100)).toBe(true)
  expect(readdirSync(join(folder, 'json')).sort()).toEqual([...report.files].sort())
})

test('for people it prints a table', async () => {
  const { exit_code, stdout } = await tidemark(argv('table'))
  expect(exit_code).toBe(0)
  expect(stdout).toMatch(/polymarket +[\d,]+ +[\d,]+ +[\d,]+/)
  expect(stdout).toContain('4 markets of')
})

test('a folder that holds something is refused with exit code 2', async () => {
  await tidemark(argv('twice'))
  const before = readFileSync(join(folder, 'twice', 'truth.json'))
  const { exit_code, stderr } = await tidemark(argv('twice'))
  expect(exit_code).toBe(2)
  expect(stderr).toContain('allowed: an empty folder, or a new one')
  expect(readFileSync(join(folder, 'twice', 'truth.json')).equals(before)).toBe(true)
})

test.each([
  ['--venue', 'nowhere', '--venue is "nowhere"; allowed: polymarket, kalshi, manifold, all'],
  ['--days', '0', 'days is 0; allowed: 1 to 3660'],
  ['--interval', 'PT7S', 'interval is PT7S; allowed: a duration of whole seconds that divides a day'],
  ['--start', 'yesterday', 'start is "yesterday"; allowed: an RFC 3339 instant in UTC'],
])('%s %s is refused by one sentence', async (option, value, sentence) => {
  const { exit_code, stderr } = await tidemark(argv(`refused${option}`, option, value))
  expect(exit_code).toBe(2)
  expect(stderr).toContain(sentence)
})
