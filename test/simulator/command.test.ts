import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
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

describe('--serve', () => {
  const served = ['simulate', '--venue', 'all', '--days', '3', '--markets', '3', '--seed', '7', '--interval', 'PT1H']

  test('serves every venue until it is stopped, at addresses that it prints', async () => {
    const stop = new AbortController()
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const ended = runCli([...served, '--serve', '--json', '--fault', 'manifold/reset=1', '--stall', 'PT1S'], {
      stdout,
      stderr,
      environment: {},
      stop: { signal: stop.signal, exitCode: () => null, overdue: new Promise(() => undefined) },
    })
    const [line] = (await once(stdout, 'data')) as [Buffer]
    const { venues } = JSON.parse(String(line)) as {
      venues: { venue_id: string; base_url: string; variable: string }[]
    }
    expect(venues.map(({ variable }) => variable)).toEqual([
      'TIDEMARK_POLYMARKET_URL',
      'TIDEMARK_KALSHI_URL',
      'TIDEMARK_MANIFOLD_URL',
    ])
    const [polymarket, kalshi, manifold] = venues.map(({ base_url }) => base_url)
    expect((await fetch(`${polymarket}/markets?limit=1`)).status).toBe(200)
    expect((await fetch(`${kalshi}/trade-api/v2/markets?limit=1`)).status).toBe(200)
    await expect(fetch(`${manifold}/v0/markets?limit=1`)).rejects.toThrow('fetch failed')
    expect(await (await fetch(`${manifold}/-/faults`)).json()).toEqual({
      faults: [{ fault: 'manifold/reset=1', hits: 1 }],
    })
    stop.abort()
    expect(await ended).toBe(0)
    await expect(fetch(`${kalshi}/trade-api/v2/markets`)).rejects.toThrow('fetch failed')
  })

  test.each([
    [['--serve', '--out', 'x'], 'out is x, and serve is given; allowed: one of --out and --serve'],
    [[], 'out is missing; allowed: one of --out and --serve'],
    [['--out', 'x', '--fault', '500=1'], 'fault is 500=1; allowed: none without --serve'],
    [['--serve', '--fault', '500=2'], 'fault is "500=2"; allowed: [VENUE/]'],
    [['--serve', '--stall', '5'], '--stall is "5"; allowed: a duration such as 90s, '],
    [['--serve', '--start', '2020-01-01T00:00:00Z'], 'allowed: one in which now lies'],
    [['--serve', '--venue', 'kalshi', '--fault', 'manifold/500=1'], 'allowed: faults of served venues, kalshi'],
  ])('%j is refused by one sentence', async (more, sentence) => {
    const { exit_code, stderr } = await tidemark([...served, ...more])
    expect(exit_code).toBe(2)
    expect(stderr).toContain(sentence)
  })
})
