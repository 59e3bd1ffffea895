import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { NEXT } from '../../cli/commands/up.ts'
import type { SampleRun } from '../../operations/run-sample.ts'
import { type CliResult, tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Everything below runs as a user would, over one warehouse that `tidemark up` makes. */
const home = tempFolder()
const environment = { TIDEMARK_HOME: home }
const run = (...argv: string[]): Promise<CliResult> => tidemark(argv, { environment })
const json = async <T>(...argv: string[]): Promise<T> => JSON.parse((await run(...argv, '--json')).stdout) as T

const COAST = 'idx_sample_coast'
const FIRST_REPORT = '2025-09-02T02:12:05Z'
const CORRECTED = '2025-09-04T02:09:38Z'
let first: CliResult

beforeAll(async () => {
  first = await run('up')
})

describe('tidemark up', () => {
  test('prints both indexes and the as_of comparison', () => {
    expect(first.exit_code).toBe(0)
    expect(first.stdout).toContain('5,087 values imported (0 already there)')
    expect(first.stdout).toContain('Coast index (sample): idx_sample_coast, version 2')
    expect(first.stdout).toContain('Harbor gauge (sample): idx_sample_harbor, version 1')
  })

  test('a corrected payout: the past answer stays', () => {
    const answers = [...first.stdout.matchAll(/^(2025-09-0\S+)\s+(\d\.\d{9})\s+(\d)\s/gm)].map((match) =>
      match.slice(1),
    )
    expect(answers).toEqual([
      [FIRST_REPORT, '0.000000000', '1'],
      [CORRECTED, '1.000000000', '2'],
      [FIRST_REPORT, '0.000000000', '1'],
    ])
  })

  test('a second run changes nothing', async () => {
    const before = await json<unknown>('tables')
    const second = await json<SampleRun>('up')
    expect(second.imported).toMatchObject({ records_new: 0, records_revised: 0, records_duplicate: 5087, commits: 0 })
    expect(second.applied.flatMap((index) => index.versions_published)).toEqual([])
    expect(second.computed.map((index) => index.published)).toEqual([0, 0])
    expect(await json('tables')).toEqual(before)
  })

  test('--fresh refuses a warehouse outside home', async () => {
    const outside = tempFolder()
    const { exit_code, stderr } = await run('up', '--fresh', '--warehouse', outside)
    expect(exit_code).toBe(2)
    expect(stderr).toContain('allowed with --fresh: a folder inside home')
  })
})

describe('reading', () => {
  const QUESTION = 'select count(*) as n, sum(value) as total from market_observation'

  test('sql: one array of objects, decimals as strings', async () => {
    const [row] = await json<{ n: number; total: string }[]>('sql', '--as-of', FIRST_REPORT, QUESTION)
    expect(row!.n).toBeGreaterThan(3000)
    expect(row!.total).toMatch(/^\d+\.\d{9}$/)
  })

  test('sql: an instant before the first row gives no rows, a future one is refused', async () => {
    expect(await json('sql', '--as-of', '2025-01-01T00:00:00Z', 'select * from market_observation')).toEqual([])
    const { exit_code, stdout } = await run('sql', '--as-of', '2099-01-01T00:00:00Z', QUESTION, '--json')
    expect(exit_code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'VALIDATION_AS_OF_IN_FUTURE', retryable: false } })
  })

  test.each(['csv', 'ndjson', 'json'])('sql --out: the file is what --format %s prints', async (format) => {
    const statement = 'select market_id, source_at, value from market_observation order by all limit 50'
    const out = join(home, `result.${format}`)
    expect((await run('sql', '--out', out, statement)).stdout).toMatch(/^50 rows as of .* written to /)
    expect(readFileSync(out, 'utf8')).toBe((await run('sql', '--format', format, statement)).stdout)
  })

  const REFUSED = [
    ['drop table market', 'DROP'],
    ["select * from read_csv('/etc/passwd')", 'read_csv'],
    ['select 1; select 2', 'VALIDATION_SQL_REFUSED'],
    ['select nothing from market', 'nothing'],
  ] as const
  test.each(REFUSED)('sql: %s is refused in one sentence', async (statement, part) => {
    const { exit_code, stdout, stderr } = await run('sql', statement)
    expect({ exit_code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      exit_code: 2,
      stdout: '',
      lines: 1,
    })
    expect(stderr).toContain(part)
  })

  test('tables: one row a table, with its publication span', async () => {
    const tables = await json<Record<string, unknown>[]>('tables')
    expect(tables.find((row) => row.table === 'market_quote')).toMatchObject({
      rows: 5087,
      first_published_at: '2025-07-02T02:22:39Z',
    })
  })

  test('tail --once: the rows after a version, one JSON object a line', async () => {
    const { stdout } = await run('tail', 'methodology', '--from-version', '0', '--once')
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows.map((row) => row.methodology_id)).toEqual(['mth_sample_gauge', 'mth_sample_chain'])
  })
})

describe('indexes', () => {
  const RANGE = ['--from', '2025-08-30T00:00:00Z', '--to', '2025-09-05T00:00:00Z'] as const

  test('replay --json: one object a tick with its keys in order', async () => {
    const { stdout } = await run('index', 'replay', COAST, ...RANGE, '--json')
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toHaveLength(6)
    expect(Object.keys(lines[0]!)).toEqual([
      'tick_at',
      'source_cutoff_at',
      'level',
      'quality_state',
      'coverage_ratio',
      'confidence',
      'missing_constituent_ids',
      'excluded_inputs',
      'input_observation_ids',
      'index_version',
    ])
  })

  test('replay of the definition file and of the published index give the same lines', async () => {
    const file = 'datasets/sample/definitions/coast-chain.yaml'
    const published = await run('index', 'replay', COAST, ...RANGE, '--json')
    expect((await run('index', 'replay', file, ...RANGE, '--json')).stdout).toBe(published.stdout)
  })

  test('replay --format csv has a header and a line a tick', async () => {
    const lines = (await run('index', 'replay', COAST, ...RANGE, '--format', 'csv')).stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(7)
    expect(lines[0]).toMatch(/^tick_at,source_cutoff_at,level,/)
  })

  test('replay --report writes one page beside the lines', async () => {
    const report = join(home, 'report.html')
    const { exit_code, stdout, stderr } = await run('index', 'replay', COAST, ...RANGE, '--report', report, '--json')
    expect({ exit_code, lines: stdout.trimEnd().split('\n').length, stderr }).toEqual({
      exit_code: 0,
      lines: 6,
      stderr: `report written to ${report}\n`,
    })
    expect(readFileSync(report, 'utf8')).toContain('published ticks are reproduced to the last digit')
  })

  test('every published level is reproduced: exit code 0', async () => {
    const { exit_code, stdout } = await run('index', 'verify', '--all')
    expect({ exit_code, stdout }).toEqual({ exit_code: 0, stdout: '167 of 167 observations reproduced\n' })
  })

  test('diff: exit code 1 where something changed, 0 where nothing did', async () => {
    const between = (later: string) => ['--as-of', '2025-09-05T00:00:00Z', '--with', later]
    expect((await run('index', 'diff', COAST, ...between('2025-09-06T00:00:00Z'))).exit_code).toBe(1)
    expect((await run('index', 'diff', COAST, ...between('2025-09-05T00:00:00Z'))).exit_code).toBe(0)
  })

  test('a correction adds revisions; what was known before stays', async () => {
    const level =
      'select level, revision from index_observation where index_id = $$idx_sample_coast$$ and tick_at = $$2025-09-01T00:00:00Z$$'
    const before = await json('sql', '--as-of', '2025-09-30T00:00:00Z', level)
    const report = await json<{ revised: { tick_at: string }[] }>(
      'index',
      'correct',
      COAST,
      '--reason',
      'RESOLUTION_CORRECTED',
    )
    expect(report.revised.map((revision) => revision.tick_at)).toContain('2025-09-01T00:00:00Z')
    expect(await json('sql', '--as-of', '2025-09-30T00:00:00Z', level)).toEqual(before)
    expect(await json('sql', level)).toMatchObject([{ revision: 2 }])
    expect((await run('index', 'verify', '--index', COAST)).exit_code).toBe(0)
  })

  const MISSING = [
    ['index', 'show', 'idx_nope'],
    ['index', 'compute', 'idx_nope', ...RANGE],
    ['index', 'replay', 'idx_nope', ...RANGE],
    ['index', 'correct', 'idx_nope', '--reason', 'LATE_DATA'],
    ['index', 'verify', 'iob_nope'],
    ['index', 'verify', '--index', 'idx_nope'],
    ['index', 'diff', 'idx_nope', '--as-of', FIRST_REPORT, '--with', CORRECTED],
    ['index', 'candles', 'idx_nope', ...RANGE],
  ]
  test.each(MISSING.map((argv) => ({ argv })))('$argv: exit code 3', async ({ argv }) => {
    const { exit_code, stdout, stderr } = await run(...argv)
    expect({ exit_code, stdout }).toEqual({ exit_code: 3, stdout: '' })
    expect(stderr).toMatch(/^error: [^\n]+_NOT_FOUND\)\n$/)
  })

  test('index ids are completed', async () => {
    const { stdout } = await run('__complete', 'index', 'replay', 'idx_sample_c')
    expect(stdout).toBe(`${COAST}\n`)
  })
})

describe('what `up` says to try next', () => {
  test.each(NEXT)('%s', async (line) => {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
    const { exit_code, stdout, stderr } = await run(...words.slice(2))
    expect(stderr).toBe('')
    expect(stdout).not.toBe('')
    expect(exit_code).toBe(line.includes('index diff') ? 1 : 0)
  })
})

describe('importing', () => {
  test('a folder that is not there, and one without the files: exit code 2, nothing stored', async () => {
    for (const dir of ['/nonexistent/archive', tempFolder()]) {
      const { exit_code, stdout, stderr } = await run('import', 'forecastbench', dir)
      expect({ exit_code, stdout }).toEqual({ exit_code: 2, stdout: '' })
      expect(stderr).toMatch(/^error: [^\n]+\n$/)
    }
  })

  test('the same archive again: everything is a duplicate', async () => {
    const report = await json<Record<string, unknown>>(
      'import',
      'forecastbench',
      join(home, 'sample'),
      '--clock',
      'recorded',
    )
    expect(report).toMatchObject({ records_new: 0, records_revised: 0, records_quarantined: 0, commits: 0 })
  })
})
