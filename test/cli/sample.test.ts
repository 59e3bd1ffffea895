import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SampleRun } from '../../operations/sample/report-sample.ts'
import { parseDefinition } from '../../pipelines/index/parse-definition.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { NEXT } from '../../service/up/print-sample.ts'
import { copySample } from '../support/run/run-sample.ts'
import { type CliResult, tidemark } from '../support/run-cli.ts'
import { sized } from '../support/sized.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Everything below runs as a user would, over one warehouse that `tidemark up` makes. */
const home = tempFolder()
const environment = { TIDEMARK_HOME: home }
const run = (...argv: string[]): Promise<CliResult> => tidemark(argv, { environment })
const json = async <T>(...argv: string[]): Promise<T> => JSON.parse((await run(...argv, '--json')).stdout) as T

const DEFINITIONS = join(ROOT, 'datasets/sample/definitions')
const LOWPORT = 'idx_sample_lowport'
const WEEK_END = '2025-12-08T00:00:00Z'
/** The withdrawn resolution enters this tick. */
const WRONG_TICK = '2025-12-05T09:00:00Z'
const KNOWN_THEN = '2025-12-05T12:00:00Z'
/** Half a minute of work, on a machine that may have more to do. */
const UP_TIMEOUT_MS = 400_000
let first: CliResult
/** Home that the output of `first` names. */
let made_in: string

beforeAll(async () => {
  const sample = await copySample(home)
  first = sample.up
  made_in = sample.made_in
}, UP_TIMEOUT_MS)

describe('tidemark up', () => {
  test('tells its steps on standard error, and shows venues, indexes and what was not taken', () => {
    expect({ exit_code: first.exit_code, steps: first.stderr.trimEnd().split('\n').length }).toEqual({
      exit_code: 0,
      steps: 5,
    })
    expect(first.stdout).toMatch(
      /^21,577 payloads read, \d{2},\d{3} records stored, 0 quarantined; 829 levels published from 2025-12-01T00:00:00Z to 2025-12-08T00:00:00Z\.$/m,
    )
    for (const venue of ['kalshi', 'manifold', 'polymarket']) {
      expect(first.stdout).toMatch(new RegExp(`^${venue} +[\\d,]+ +\\d+ +[\\d,]+ +[\\d,]+ +[\\d,]+ +\\d+$`, 'm'))
    }
    expect(first.stdout.match(/^idx_sample_(harvest|lowport|regatta|summit|tunnel|vote) .*$/gm)).toHaveLength(6)
  })

  test('a dispute: proposed, disputed, withdrawn, and final with another payout', () => {
    const said = [...first.stdout.matchAll(/^2025-12-05T\S+Z +(kalshi|manifold|polymarket) +(\w+) +(\S+)$/gm)]
    expect(said.map(([, venue, finality, payout]) => `${venue} ${finality} ${payout!.slice(0, 3)}`)).toEqual([
      'kalshi proposed 0.0',
      'manifold final 0.0',
      'polymarket proposed -',
      'manifold withdrawn -',
      'kalshi disputed 0.0',
      'polymarket disputed -',
      'polymarket final 1.0',
      'kalshi proposed 1.0',
      'kalshi final 1.0',
      'manifold final 1.0',
    ])
  })

  test('a correction: the past answer stays', () => {
    const [wrong, corrected, again] = [...first.stdout.matchAll(/^(20\S+Z) +(\d+\.\d{4}) +(\d) {2}\S/gm)].map((match) =>
      match.slice(1),
    )
    expect(wrong).toEqual([WEEK_END, '196.3654', '1'])
    expect(corrected!.slice(1)).toEqual(['1817.9219', '2'])
    expect(again).toEqual(wrong)
  })

  test('writes a report of the corrected index', () => {
    const file = join(made_in, 'sample-report.html')
    expect(first.stdout).toContain(file)
    expect(readFileSync(file, 'utf8')).toContain(
      'published ticks are reproduced to the last digit, 1 of them as first published and corrected since',
    )
  })

  test('a second run changes nothing', async () => {
    const report = join(home, 'sample-report.html')
    const before = [await json<unknown>('tables'), statSync(report).mtimeMs]
    const { published, correction, dispute, venues, indexes } = await json<SampleRun>('up', '--once')
    expect(published).toBeNull()
    expect([correction.answers.length, dispute.length, venues.length, indexes.length]).toEqual([3, 10, 3, 6])
    expect([await json('tables'), statSync(report).mtimeMs]).toEqual(before)
  })

  test('--fresh refuses a warehouse outside home', async () => {
    const outside = tempFolder()
    const { exit_code, stderr } = await run('up', '--once', '--fresh', '--warehouse', outside)
    expect(exit_code).toBe(2)
    expect(stderr).toContain('allowed with --fresh: a folder inside home')
  })
})

describe('datasets', () => {
  test('the simulated recordings are, byte for byte, those of datasets/sample/SHA256SUMS', () => {
    const dir = join(home, 'sample')
    const found = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.gz') || name.endsWith('.json'))
      .map((name) => {
        const bytes = readFileSync(join(dir, name))
        const plain = name.endsWith('.gz') ? gunzipSync(bytes) : bytes
        return `${sha256Hex(plain)}  ${name.split(sep).join('/').replace(/\.gz$/, '')}`
      })
    const listed = readFileSync(join(ROOT, 'datasets/sample/SHA256SUMS'), 'utf8').trimEnd().split('\n')
    expect(found.sort()).toEqual(listed.sort())
  })

  test('every published and corrected level is that of datasets/golden/sample-levels.csv', async () => {
    const golden = readFileSync(join(ROOT, 'datasets/golden/sample-levels.csv'), 'utf8')
    const columns = golden.slice(0, golden.indexOf('\n'))
    const statement = `select ${columns} from index_observation_history order by index_id, tick_at, revision`
    expect((await run('sql', '--format', 'csv', statement)).stdout).toBe(golden)
  })

  test('the six definitions have every kind of version and constituent', async () => {
    const texts = readdirSync(DEFINITIONS).map((name) => readFileSync(join(DEFINITIONS, name), 'utf8'))
    const definitions = texts.map((text, n) => parseDefinition(text, `${n}`))
    const versions = definitions.flatMap((definition) => definition.versions.map(({ version }) => version))
    const constituents = versions.flatMap((version) => version.constituents)
    const kinds = {
      modes: definitions.map(({ methodology }) => methodology.parameters.mode),
      rules: definitions.flatMap((definition) => definition.versions.map(({ weighting }) => weighting)),
      rolls: versions.map(({ roll }) => roll?.mode ?? null),
      normalizations: constituents.map(({ normalization }) => normalization),
    }
    expect(Object.values(kinds).map((kind) => [...new Set<string | null>(kind)].sort())).toEqual([
      ['chain_linked', 'gauge'],
      ['equal', 'fixed', 'sqrt_volume'],
      ['hazard', 'linear', null],
      ['constant_maturity', 'inverse', 'logodds_pool', 'multi_outcome_sum_to_one', 'probability_0_1'],
    ])
    expect(versions.some(({ fixing }) => fixing !== null && fixing.trim > 0)).toBe(true)
    expect(definitions.filter((definition) => definition.versions.length > 1)).toHaveLength(3)
    for (const key of [
      'single:',
      'event:',
      'venue:',
      'group_event:',
      'weight_cap:',
      'rating_multiplier:',
      'outcomes:',
    ]) {
      expect(texts.some((text) => text.includes(key))).toBe(true)
    }
  })
})

describe('reading', () => {
  const QUESTION = 'select count(*) as n, sum(value) as total from market_observation'

  test('sql: one array of objects, decimals as strings', async () => {
    const [row] = await json<{ n: number; total: string }[]>('sql', '--as-of', KNOWN_THEN, QUESTION)
    expect(row!.n).toBeGreaterThan(3000)
    expect(row!.total).toMatch(/^\d+\.\d{9}$/)
  })

  test('sql: an instant before the first row gives no rows, a future one is refused', async () => {
    expect(await json('sql', '--as-of', '2025-01-01T00:00:00Z', 'select * from market_observation')).toEqual([])
    const { exit_code, stdout } = await run('sql', '--as-of', '2099-01-01T00:00:00Z', QUESTION, '--json')
    expect(exit_code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'VALIDATION_AS_OF_IN_FUTURE', retryable: false } })
  })

  test.each(sized(['csv'], ['csv', 'ndjson', 'json']))(
    'sql --out: the file is what --format %s prints',
    async (format) => {
      const statement = 'select market_id, source_at, value from market_observation order by all limit 50'
      const out = join(home, `result.${format}`)
      expect((await run('sql', '--out', out, statement)).stdout).toMatch(/^50 rows as of .* written to /)
      expect(readFileSync(out, 'utf8')).toBe((await run('sql', '--format', format, statement)).stdout)
    },
  )

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
    expect(tables.find((row) => row.table === 'venue_payload')).toMatchObject({
      rows: 21_577,
      first_published_at: '2025-11-03T00:00:31.458218Z',
    })
  })

  test('tail --once: the rows after a version, one JSON object a line', async () => {
    const { stdout } = await run('tail', 'methodology', '--from-version', '0', '--once')
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows.map((row) => row.methodology_id)).toEqual([
      'mth_market_mark',
      'mth_sample_fixing',
      'mth_sample_gauge',
      'mth_sample_chain',
      'mth_sample_governed',
    ])
  })
})

describe('indexes', () => {
  const RANGE = ['--from', '2025-12-05T06:00:00Z', '--to', '2025-12-05T12:00:00Z'] as const

  test('replay --json --report: one object a tick with its keys in order, and one page beside the lines', async () => {
    const report = join(home, 'report.html')
    const { exit_code, stdout, stderr } = await run('index', 'replay', LOWPORT, ...RANGE, '--report', report, '--json')
    const lines = stdout.trimEnd().split('\n')
    expect({ exit_code, lines: lines.length, stderr }).toEqual({
      exit_code: 0,
      lines: 6,
      stderr: `report written to ${report}\n`,
    })
    expect(readFileSync(report, 'utf8')).toContain('published ticks are reproduced to the last digit')
    expect(Object.keys(JSON.parse(lines[0]!) as object)).toEqual([
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
    // The definition file gives the lines of the published index.
    const file = 'datasets/sample/definitions/lowport-chain.yaml'
    expect((await run('index', 'replay', file, ...RANGE, '--json')).stdout).toBe(stdout)
  })

  test('replay --format csv has a header and a line a tick', async () => {
    const hour = ['--from', '2025-12-05T06:00:00Z', '--to', '2025-12-05T07:00:00Z']
    const lines = (await run('index', 'replay', LOWPORT, ...hour, '--format', 'csv')).stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^tick_at,source_cutoff_at,level,/)
  })

  test('every published level is reproduced: exit code 0', async () => {
    const [which, levels] = sized<[string[], number]>([['--index', 'idx_sample_summit'], 42], [['--all'], 673])
    const { exit_code, stdout } = await run('index', 'verify', ...which)
    expect({ exit_code, stdout }).toEqual({ exit_code: 0, stdout: `${levels} of ${levels} observations reproduced\n` })
  })

  test('diff: exit code 1 where something changed, 0 where nothing did', async () => {
    const between = (later: string) => ['--as-of', WRONG_TICK, '--with', later]
    expect((await run('index', 'diff', LOWPORT, ...between(KNOWN_THEN))).exit_code).toBe(1)
    expect((await run('index', 'diff', LOWPORT, ...between(WRONG_TICK))).exit_code).toBe(0)
  })

  test('a correction adds revisions; what was known before stays', async () => {
    const late = '2025-12-05T05:00:00Z'
    const level = `select level, revision from index_observation where index_id = '${LOWPORT}' and tick_at = '${late}'`
    const before = await json('sql', '--as-of', WEEK_END, level)
    const range = ['--from', late, '--to', '2025-12-05T06:00:00Z']
    const report = await json<{ revised: { tick_at: string }[] }>(
      ...['index', 'correct', LOWPORT, ...range, '--reason', 'LATE_DATA'],
    )
    expect(report.revised.map((revision) => revision.tick_at)).toEqual([late])
    expect(await json('sql', '--as-of', WEEK_END, level)).toEqual(before)
    expect(await json('sql', level)).toMatchObject([{ revision: 2 }])
    expect((await run('index', 'verify', '--index', LOWPORT)).exit_code).toBe(0)
  })

  const MISSING = [
    ['index', 'show', 'idx_nope'],
    ['index', 'compute', 'idx_nope', ...RANGE],
    ['index', 'replay', 'idx_nope', ...RANGE],
    ['index', 'correct', 'idx_nope', '--reason', 'LATE_DATA'],
    ['index', 'verify', 'iob_nope'],
    ['index', 'verify', '--index', 'idx_nope'],
    ['index', 'diff', 'idx_nope', '--as-of', WRONG_TICK, '--with', KNOWN_THEN],
    ['index', 'candles', 'idx_nope', ...RANGE],
  ]
  test.each(MISSING.map((argv) => ({ argv })))('$argv: exit code 3', async ({ argv }) => {
    const { exit_code, stdout, stderr } = await run(...argv)
    expect({ exit_code, stdout }).toEqual({ exit_code: 3, stdout: '' })
    expect(stderr).toMatch(/^error: [^\n]+_NOT_FOUND\)\n$/)
  })

  test('index ids are completed', async () => {
    const { stdout } = await run('__complete', 'index', 'replay', 'idx_sample_l')
    expect(stdout).toBe(`${LOWPORT}\n`)
  })
})

describe('what `up` says to try next', () => {
  test.each(NEXT)('%s', async (line) => {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
    const { exit_code, stdout, stderr } = await run(...words.slice(2))
    // Two indexes of the sample pause for some hours, which a verification notes.
    expect(stderr).toMatch(/^(idx_\w+: \d+ of \d+ ticks have no level, the first at \S+\n)?$/)
    expect(stdout).not.toBe('')
    expect(exit_code).toBe(line.includes('index diff') ? 1 : 0)
  })
})

describe('marks of the week', () => {
  test('every final payout is a mark, and no mark is published before its tick or a record that it is made of', async () => {
    const [found] = await json<Record<string, number>[]>(
      'sql',
      '--time-limit',
      '5m',
      `with settled as (
         select unnest(payouts) as p from market_resolution where finality = 'final'
       ),
       source as (
         select published_at, tick_at, unnest(source_observation_ids) as id from market_mark where mark_rule <> 'M0'
       )
       select
         (select count(*) from settled where not exists (
            select 1 from market_mark as m
            where m.outcome_id = settled.p.outcome_id and m.mark_rule = 'M0' and m.mark = settled.p.payout)) as unmarked,
         (select count(*) from market_mark where published_at < tick_at) as early,
         (select count(*) from source as s join market_observation_history as o on o.observation_id = s.id
          where o.published_at > s.published_at) as ahead,
         (select count(*) from source as s where s.id not in (select observation_id from market_observation_history)) as strays,
         (select count(midpoint) from market_mark) as midpoints`,
    )
    expect(found).toMatchObject({ unmarked: 0, early: 0, ahead: 0, strays: 0 })
    expect(found!.midpoints).toBeGreaterThan(10_000)
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
})
