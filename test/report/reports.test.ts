import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectSelfContained, expectWhole, rowsOf } from '../support/report-page.ts'
import { tidemark } from '../support/run-cli.ts'
import { sized } from '../support/sized.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TIDE_RANGE, type TideChange, tideWarehouse, writeSecondVersion } from '../support/tide-warehouse.ts'

const folder = tempFolder()
const AS_OF = '2026-01-07T12:00:00Z'
const RANGE = ['--from', TIDE_RANGE.from, '--to', TIDE_RANGE.to]
let write: (name: string, change?: TideChange) => string
let warehouse: readonly string[]
/** A file with a second version that begins later, as the index has one. */
let second: string
const LATER = '2026-01-20T00:00:00Z'

beforeAll(async () => {
  const tide = await tideWarehouse(folder)
  write = tide.write
  warehouse = ['--warehouse', tide.root]
  second = writeSecondVersion(folder, 'second', LATER, { parameters: 'mode: chain_linked' })
  const applied = await tidemark(['index', 'apply', writeSecondVersion(folder, 'tide', LATER), ...warehouse])
  expect(applied.exit_code).toBe(0)
})

const run = (...argv: readonly string[]) => tidemark(['index', ...argv, ...warehouse])

/** Runs a command with a report and gives both. */
async function report(name: string, ...argv: readonly string[]) {
  const file = join(folder, `${name}.html`)
  const { exit_code, stdout, stderr } = await run(...argv, '--report', file)
  expect(stderr).toBe(`report written to ${file}\n`)
  return { exit_code, stdout, html: readFileSync(file, 'utf8') }
}

/** Runs every command that a page names for a digest. @returns the digests that they print */
async function reproduced(html: string): Promise<string[]> {
  const commands = [...html.matchAll(/<dt>Reproduce<\/dt><dd><code>(.*?)<\/code>/g)].map(([, text]) =>
    text!.replace(/<[^>]*>/g, ''),
  )
  const digests: string[] = []
  for (const command of commands) {
    const [line, digest] = command.split(' | ')
    const { stdout } = await tidemark([...line!.split(' ').slice(1), ...warehouse])
    if (digest === undefined) digests.push(/impact_digest (\w{64})/.exec(stdout)![1]!)
    else digests.push(createHash('sha256').update(stdout).digest('hex'))
  }
  return digests
}

const digestsOf = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<dt>${name}</dt><dd>.*?sha256:(\\w{64})`, 'g'))].map(([, digest]) => digest)

describe('the command that a page names prints what has the digest beside it', () => {
  const LATE_RANGE = ['--from', '2026-01-05T00:00:00Z', '--to', TIDE_RANGE.to]

  const REPLAYS: readonly (readonly [string, readonly string[]])[] = [
    ['idx_tide', []],
    ['FILE@2', ['--in-force-from', '2026-01-05T00:00:00Z']],
    ['FILE', []],
    ['idx_tide@2', []],
    ['idx_tide@2', ['--in-force-from', '2026-01-05T00:00:00Z']],
  ]
  test.each(REPLAYS.slice(0, sized(2, REPLAYS.length)))('replay of %s %j', async (target, options) => {
    const { html } = await report('again', 'replay', target.replace('FILE', second), ...LATE_RANGE, ...options)
    expect(await reproduced(html)).toEqual(digestsOf(html, 'Digest of lines'))
  })

  const SIDES: readonly (readonly [string, string])[] = [
    ['FILE@2', 'idx_tide@2'],
    ['idx_tide@1', 'idx_tide@2'],
    ['FILE', 'FILE@2'],
  ]
  test.each(SIDES.slice(0, sized(1, SIDES.length)))('both sides of %s against %s', async (target, other) => {
    const file = (text: string) => text.replace('FILE', second)
    const { html } = await report('sides', 'diff', file(target), '--against', file(other), ...LATE_RANGE)
    const digests = digestsOf(html, 'Digest of lines')
    expect(new Set(digests).size).toBe(2)
    expect(await reproduced(html)).toEqual(digests)
  })

  test('an impact', async () => {
    const draft = writeSecondVersion(folder, 'draft', LATER)
    const renamed = readFileSync(draft, 'utf8').replaceAll('idx_tide', 'idx_new').replace('slug: tide', 'slug: new')
    writeFileSync(draft, renamed.replace(/ {2}- version: "2"[\s\S]*/, ''))
    const out = join(folder, 'impact')
    const { exit_code } = await tidemark(['governance', 'impact', draft, ...RANGE, '--out', out, ...warehouse])
    expect(exit_code).toBe(0)
    const html = readFileSync(join(out, 'impact.html'), 'utf8')
    expect(await reproduced(html)).toEqual(digestsOf(html, 'Digest'))
  })
})

describe('index replay --report', () => {
  test('one self-contained page beside the lines, with the digest of what --json prints', async () => {
    const { stdout, html } = await report('replay', 'replay', 'idx_tide', ...RANGE, '--json')
    expectSelfContained(html)
    expectWhole(html)
    expect(html).toContain(`sha256:${createHash('sha256').update(stdout).digest('hex')}`)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string | null>)
    expect(rowsOf(html, 'ticks').map((row) => row.slice(0, 5))).toEqual(
      lines.map((line) => [line.tick_at, line.level ?? '–', line.quality_state, line.coverage_ratio, line.confidence]),
    )
  })

  test('the same question gives the same bytes', async () => {
    const pages = [
      await report('one', 'replay', 'idx_tide', ...RANGE, '--as-of', AS_OF),
      await report('two', 'replay', 'idx_tide', ...RANGE, '--as-of', AS_OF),
    ]
    expect(pages[0]!.html).toBe(pages[1]!.html)
    expect(pages[0]!.html).toContain('All 6 published ticks are reproduced to the last digit.')
  })

  test('a corrected tick names the revision that the replay equals, and every revision has its reason', async () => {
    const { html } = await report('corrected', 'replay', 'idx_tide', ...RANGE)
    expect(html).toContain(
      'All 6 published ticks are reproduced to the last digit, 2 of them as first published and corrected since.',
    )
    expect(rowsOf(html, 'differences')).toEqual([
      [
        '2026-01-02T00:00:00Z',
        '55.0000',
        '50.0000',
        '909.09',
        'indicative',
        'indicative',
        'corrected since (LATE_DATA); replay equals revision 1',
      ],
      [
        '2026-01-03T00:00:00Z',
        '55.0000',
        '50.0000',
        '909.09',
        'stale',
        'stale',
        'corrected since (LATE_DATA); replay equals revision 1',
      ],
    ])
    expect(rowsOf(html, 'revisions').map((row) => row.slice(0, 6))).toEqual([
      ['2026-01-02T00:00:00Z', '1', '50.0000', '–', 'indicative', '–'],
      ['2026-01-02T00:00:00Z', '2', '55.0000', '1000.00', 'indicative', 'LATE_DATA'],
      ['2026-01-03T00:00:00Z', '1', '50.0000', '–', 'stale', '–'],
      ['2026-01-03T00:00:00Z', '2', '55.0000', '1000.00', 'stale', 'LATE_DATA'],
    ])
  })

  test('contributions and weights are strings of the calculation, empty where a tick has no level of its own', async () => {
    const { html } = await report('parts', 'replay', 'idx_tide', ...RANGE)
    const rows = rowsOf(html, 'contributions')
    expect(rows[0]).toEqual(['2026-01-01T00:00:00Z', '25.000000000000', '15.000000000000'])
    expect(rows[2]).toEqual(['2026-01-03T00:00:00Z', '–', '–'])
    expect(rowsOf(html, 'weights')[0]).toEqual(['2026-01-01T00:00:00Z', '0.5000000000', '0.5000000000'])
    expect(rowsOf(html, 'attribution')[0]).toEqual([
      'con_a',
      '0.500000',
      '1.000000',
      '25.000000000000',
      '50.000000000000',
      '25.000000000000',
      '0',
    ])
  })

  test('a draft that would give other levels is an alarm', async () => {
    const { html } = await report(
      'draft',
      'replay',
      write('draft', { weights: ['0.9', '0.1'] }),
      ...RANGE,
      '--as-of',
      AS_OF,
    )
    expect(html).toContain('class="verdict alarm"')
    expect(html).toContain('6 of 6 published ticks are not reproduced by this replay.')
  })

  test('text from a definition stays text', async () => {
    const name = '<script>alert("x")</script>'
    const { html } = await report('hostile', 'replay', write('hostile', { name }), ...RANGE)
    expectSelfContained(html)
    expect(html).toContain('<h1>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</h1>')
  })

  test('a range without any tick makes a page that says so', async () => {
    const range = ['--from', '2025-01-01T00:00:00Z', '--to', '2025-01-02T00:00:00Z']
    const file = join(folder, 'empty.html')
    const { stderr } = await run('replay', 'idx_tide', ...range, '--report', file)
    expect(stderr).toContain('idx_tide begins at 2026-01-01T00:00:00Z, with a tick every P1D')
    const html = readFileSync(file, 'utf8')
    expectSelfContained(html)
    expectWhole(html)
    expect(html).toContain('No ticks in this range.')
  })
})

describe('index diff --against', () => {
  /** A part of a difference of weights alone. */
  const part = (
    constituent_id: string,
    part: string,
    normalized_value: string,
    weights: readonly [string, string],
    contributions: readonly [string, string],
  ) => {
    const side = (i: 0 | 1) => ({
      target_weight: weights[i],
      weight_applied: weights[i],
      normalized_value,
      freshness_class: 'fresh',
      mark_rule: 'M5r',
      contribution: `${contributions[i]}.000000000000`,
    })
    return { constituent_id, part, before: side(0), after: side(1) }
  }

  const against = (name: string, change: TideChange = {}) => [
    'diff',
    'idx_tide',
    '--against',
    write(name, change),
    ...RANGE,
    '--as-of',
    AS_OF,
  ]

  test('exit code 1 and the differing ticks; 0 where there is none', async () => {
    const different = await run(...against('heavy', { weights: ['0.9', '0.1'] }), '--json')
    expect(different.exit_code).toBe(1)
    const document = JSON.parse(different.stdout) as Record<string, unknown>
    expect(document).toMatchObject({
      index: 'idx_tide',
      as_of: AS_OF,
      ticks: 7,
      equal: 0,
      different_level: 7,
      different_state: 1, // 01-07: coverage 0.9 of the weight instead of 0.5
    })
    expect((document.changes as unknown[])[0]).toEqual({
      tick_at: '2026-01-01T00:00:00Z',
      before: { level: '40.0000', quality_state: 'indicative' },
      after: { level: '48.0000', quality_state: 'indicative' },
      difference: '8.0000',
      basis_points: '2000.00',
      published_level: '40.0000',
      link_factor: { before: '100.000000000000', after: '100.000000000000' },
      parts: [
        part('con_a', '20.000000000000', '0.500000', ['0.5000000000', '0.9000000000'], ['25', '45']),
        part('con_b', '-12.000000000000', '0.300000', ['0.5000000000', '0.1000000000'], ['15', '3']),
      ],
    })
    expect(document.composition).toEqual([
      { constituent_id: 'con_a', before: '0.5000000000', after: '0.9000000000', reading_changed: false, terms: [] },
      { constituent_id: 'con_b', before: '0.5000000000', after: '0.1000000000', reading_changed: false, terms: [] },
    ])
    expect(document.attribution).toMatchObject([{ kind: 'weights', effect: { ticks_different: 7 } }])
    const same = await run(...against('tide'))
    const note = `Both sides read the same records, those known at ${AS_OF}\nThe range ends after ${AS_OF}: no later tick is known`
    expect(same).toMatchObject({ exit_code: 0, stdout: `${note}\n0 of 7 ticks differ\n` })
  })

  test('--format csv has a line for each constituent of each differing tick, and one for a tick without parts', async () => {
    const { exit_code, stdout } = await run(...against('heavy', { weights: ['0.9', '0.1'] }), '--format', 'csv')
    expect(exit_code).toBe(1)
    const [head, ...lines] = stdout.trimEnd().split('\n')
    expect(lines.filter((line) => line.startsWith('2026-01-01'))).toHaveLength(2)
    expect(lines.filter((line) => line.startsWith('2026-01-03'))).toHaveLength(1)
    const cells = Object.fromEntries(head!.split(',').map((name, at) => [name, lines[0]!.split(',')[at]]))
    expect(cells).toMatchObject({
      constituent_id: 'con_a',
      part: '20.000000000000',
      contribution_after: '45.000000000000',
    })
    expect(cells).toMatchObject({ link_factor_before: '100.000000000000', published_level: '40.0000' })
  })

  test('--report shows both levels, the largest differences with their parts, and what the definitions say', async () => {
    const { html } = await report(
      'against',
      ...against('strict', { weights: ['0.9', '0.1'], parameters: 'quality.min_confidence: "0.40"' }),
    )
    expectSelfContained(html)
    expectWhole(html)
    expect(rowsOf(html, 'largest')[0]).toEqual([
      '2026-01-06T00:00:00Z',
      '70.0000',
      '94.0000',
      '24.0000',
      '3428.57',
      'con_a +40.0000, con_b −16.0000',
      '70.0000',
      '100.000000000000',
      '100.000000000000',
    ])
    expect(rowsOf(html, 'attribution').map((row) => row.slice(0, 2))).toEqual([
      ['parameter', 'quality.min_confidence'],
      ['weights', 'constituents'],
    ])
    expect(rowsOf(html, 'parts')).toHaveLength(10)
    expect(rowsOf(html, 'settings').map(([name]) => name)).toEqual([
      'methodology',
      'content_hash',
      'quality.min_confidence',
    ])
    expect(rowsOf(html, 'ticks')[0]).toEqual([
      '2026-01-01T00:00:00Z',
      '40.0000',
      '48.0000',
      '8.0000',
      '2000.00',
      'indicative',
      'valid',
      '40.0000',
    ])
  })
})

describe('index diff between two instants', () => {
  test('--report shows what was superseded, with its reason', async () => {
    const later = new Date(Date.now() - 1000).toISOString()
    const { exit_code, html } = await report(
      'known',
      'diff',
      'idx_tide',
      '--as-of',
      '2026-01-05T18:00:00Z',
      '--with',
      later,
    )
    expect(exit_code).toBe(1)
    expectSelfContained(html)
    expectWhole(html)
    expect(html).toContain('4 of 6 ticks have another record later: 2 became known, 2 superseded, 0 changed state.')
    expect(rowsOf(html, 'revisions')[0]).toEqual([
      '2026-01-02T00:00:00Z',
      'superseded',
      '50.0000',
      '55.0000',
      '1000.00',
      'indicative',
      'indicative',
      '2',
      'LATE_DATA',
    ])
  })

  test('nothing changed: exit code 0 and a page that says so', async () => {
    const { exit_code, html } = await report('unchanged', 'diff', 'idx_tide', '--as-of', AS_OF, '--with', AS_OF)
    expect(exit_code).toBe(0)
    expect(html).toContain('Nothing changed between the two instants.')
  })
})

describe('wrong usage of index diff', () => {
  test.each([
    [[], '--as-of is missing'],
    [['--as-of', AS_OF], '--with is missing'],
    [['--as-of', AS_OF, '--with', AS_OF, ...RANGE], `--from is ${TIDE_RANGE.from}; allowed: only with --against`],
    [['--format', 'csv'], '--format is csv; allowed: only with --against'],
    [['--against', 'idx_tide', '--with', AS_OF], '--against is given with --with; allowed: one of the two'],
  ])('%j', async (options, sentence) => {
    const { exit_code, stdout, stderr } = await run('diff', 'idx_tide', ...options)
    expect({ exit_code, stdout }).toEqual({ exit_code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).toContain('usage: tidemark index diff')
  })

  test('a version without --against: the sentence says what is missing', async () => {
    const { exit_code, stderr } = await run('diff', 'idx_tide@1')
    expect(exit_code).toBe(2)
    expect(stderr).toContain('index is idx_tide@1, a version, without --against; allowed: an index id, or --against')
  })

  test('an instant of force without a version', async () => {
    const { exit_code, stderr } = await run('replay', 'idx_tide', ...RANGE, '--in-force-from', AS_OF)
    expect(exit_code).toBe(2)
    expect(stderr).toContain(`--in-force-from is ${AS_OF} for idx_tide; allowed: with INDEX@VERSION or FILE@VERSION`)
  })

  test('a report that cannot be written: one sentence, nothing printed as if it were there', async () => {
    const { exit_code, stderr } = await run(
      'replay',
      'idx_tide',
      ...RANGE,
      '--report',
      join(folder, 'absent', 'x.html'),
    )
    expect(exit_code).toBe(2)
    expect(stderr).toMatch(/^error: report is .*absent.*; allowed: a file that can be written/)
  })
})
