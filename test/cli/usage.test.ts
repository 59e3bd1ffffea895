import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { type CommandContext, commandPath, examplesOf } from '../../cli/command.ts'
import { buildProgram } from '../../cli/program.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { createOutput } from '../../service/output.ts'
import { tidemark } from '../support/run-cli.ts'
import { sourceFiles } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

const home = tempFolder()

const context: CommandContext = {
  output: createOutput(process, false),
  environment: {},
  signal: new AbortController().signal,
  finish: () => undefined,
}
const program = await buildProgram(context, process)
const leavesOf = (command: Command): Command[] =>
  command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command]
const commands = leavesOf(program)
const paths = commands.map((command) => commandPath(command).split(' ').slice(1))

describe('asking for help', () => {
  test.each(paths.map((path) => ({ path })))('tidemark $path --help', async ({ path }) => {
    const { exit_code, stdout, stderr } = await tidemark([...path, '--help'])
    expect(exit_code).toBe(0)
    expect(stdout).toContain(`Usage: tidemark ${path.join(' ')}`)
    expect(stdout).toContain('--warehouse <dir>')
    expect(stderr).toBe('')
  })

  test.each(commands.map((command) => ({ path: commandPath(command), command })))(
    '$path has an example of itself',
    ({ path, command }) => {
      expect(examplesOf(command).length).toBeGreaterThan(0)
      expect(examplesOf(command).filter((line) => !line.includes(path.replace('tidemark ', '')))).toEqual([])
    },
  )

  test('a name that a command line begins with builds that command alone', async () => {
    for (const name of program.commands.map((command) => command.name())) {
      const alone = await buildProgram(context, process, [name, '--json'])
      expect(alone.commands.map((command) => command.name())).toEqual([name])
    }
    expect((await buildProgram(context, process, ['--json', 'sql'])).commands).toHaveLength(program.commands.length)
  })

  test('--version', async () => {
    expect(await tidemark(['--version'])).toEqual({ exit_code: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  })
})

describe('wrong usage: exit code 2, one sentence and the usage line', () => {
  const WRONG = [
    [['sql', '--bogus', 'select 1'], 'option is "--bogus"; allowed: --as-of, --format, --out, ', 'tidemark sql'],
    [
      ['up', '--fresh', '--once', '--no-sample-data'],
      '--once is given with --no-sample-data; allowed: one of the two',
      'tidemark up',
    ],
    [
      ['up', '--once', '--ready-file', 'r.json'],
      '--once is given with --ready-file; allowed: one of the two',
      'tidemark up',
    ],
    [['sql'], 'statement is missing; allowed: one SELECT statement', 'tidemark sql'],
    [['sql', 'select 1', 'select 2'], 'too many arguments: "select 1", "select 2"; allowed: statement', 'tidemark sql'],
    [['sql', '--format', 'xml', 'select 1'], '--format is "xml"; allowed: table, json', 'tidemark sql'],
    [['sql', '--as-of'], '--as-of has no value; allowed: --as-of <instant>: answer as known at', 'tidemark sql'],
    [['improt'], 'command is "improt" (did you mean import?); allowed: up, api, ', 'tidemark '],
    [['bogus'], 'command is "bogus"; allowed: up, api, ', 'tidemark '],
    [
      ['index', 'aply'],
      'command is "aply" (did you mean apply?); allowed: validate, apply, compute, ',
      'tidemark index',
    ],
    [
      ['index', 'replay', 'idx_demo', '--from', '2d', '--to', '1d', '--levels', '--report', 'x.html'],
      '--levels is given with --report; allowed: one of the two',
      'tidemark index replay',
    ],
    [
      ['index', 'compute', 'idx_demo'],
      '--from is missing; allowed: --from <instant>: first instant',
      'tidemark index compute',
    ],
    [['import', 'unknown', '.'], 'archive is "unknown"; allowed: forecastbench, quotes, ', 'tidemark import'],
    [
      ['import', 'forecastbench', '.', '--clock', 'sundial'],
      '--clock is "sundial"; allowed: wall, recorded',
      'tidemark import',
    ],
    [
      ['tail', 'market_quote', '--from-version', '-1'],
      '--from-version is "-1"; allowed: a whole number from 0',
      'tidemark tail',
    ],
    [['index', 'verify'], '0 selections are given', 'tidemark index verify'],
    [['index', 'verify', 'iob_1', '--all'], '2 selections are given', 'tidemark index verify'],
    [['completion', 'tcsh'], 'shell is "tcsh"; allowed: bash, zsh, fish', 'tidemark completion'],
    [['sql', '--as_of', '1d', 'select 1'], 'option is "--as_of" (did you mean --as-of?); allowed: ', 'tidemark sql'],
  ] as const
  test.each(WRONG.map(([argv, sentence, usage]) => ({ argv, sentence, usage })))(
    '$argv',
    async ({ argv, sentence, usage }) => {
      const { exit_code, stdout, stderr } = await tidemark(argv)
      const lines = stderr.trimEnd().split('\n')
      expect({ exit_code, stdout, lines: lines.length }).toEqual({ exit_code: 2, stdout: '', lines: 2 })
      expect(lines[0]).toMatch(/^error: .* \(VALIDATION_USAGE_INVALID\)$/)
      expect(lines[0]).toContain(sentence)
      expect(lines[1]).toContain(`usage: ${usage}`)
    },
  )

  test.each([[[]], [['index']]])('a command that is missing (%j) shows help and says which there are', async (argv) => {
    const { exit_code, stdout, stderr } = await tidemark(argv)
    expect({ exit_code, stdout }).toEqual({ exit_code: 2, stdout: '' })
    expect(stderr).toContain('Usage: tidemark')
    expect(stderr).toContain('error: command is missing; allowed: ')
  })

  test('with --json the same failure is a document on standard output', async () => {
    const { exit_code, stdout, stderr } = await tidemark(['sql', '--bogus', '--json'])
    expect(exit_code).toBe(2)
    const message = expect.stringMatching(/^option is "--bogus"; allowed: --as-of, /)
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'VALIDATION_USAGE_INVALID', message, retryable: false } })
    expect(stderr).toMatch(/^error: option is "--bogus"; allowed: /)
  })
})

describe('options of every command', () => {
  test.each([[['--json', '--warehouse', '/x', 'config']], [['config', '--warehouse', '/x', '--json']]])(
    'are read before and after its name: %j',
    async (argv) => {
      const { exit_code, stdout } = await tidemark(argv)
      expect(exit_code).toBe(0)
      const rows = JSON.parse(stdout) as { setting: string; value: string; source: string }[]
      expect(rows.find((row) => row.setting === 'warehouse')).toMatchObject({ value: '/x', source: 'flag' })
    },
  )
})

test('a warehouse that is not there: exit code 3, one sentence', async () => {
  const { exit_code, stderr } = await tidemark(['tables', '--warehouse', '/nonexistent/warehouse'])
  expect(exit_code).toBe(3)
  expect(stderr).toMatch(/^error: [^\n]*\/nonexistent\/warehouse[^\n]*\(WAREHOUSE_NOT_FOUND\)\n$/)
})

test.each(['package.json', 'package.json/inside'])(
  'a warehouse that is a file (%s): exit code 2, one sentence',
  async (path) => {
    const { exit_code, stderr } = await tidemark(['tables', '--warehouse', path])
    expect(exit_code).toBe(2)
    expect(stderr).toMatch(
      /^error: warehouse is [^\n]*, which is a file; allowed: a folder \(VALIDATION_USAGE_INVALID\)\n$/,
    )
  },
)

test.each(['2026-02-30T00:00:00Z', '2026-02-28T24:00:00Z', '2026-02-28T23:59:60Z', '2026-02-29'])(
  'backfill from %s, which is no instant, is refused before anything is stored',
  async (from) => {
    const { exit_code, stderr } = await tidemark(
      ['backfill', '--venue', 'kalshi', '--from', from, '--to', '2026-03-04T00:00:00Z', '--in-process'],
      { environment: { TIDEMARK_HOME: home } },
    )
    expect([exit_code, stderr]).toEqual([2, expect.stringMatching(/^error: --from is .*VALIDATION_INSTANT_INVALID/)])
  },
)

describe('instants and durations', () => {
  const TIMED = /<(instant|duration|time)>/
  const timed = commands.flatMap((command) =>
    command.options
      .filter(({ flags, argChoices }) => TIMED.test(flags) && argChoices === undefined)
      .map((option) => ({ name: `${commandPath(command)} ${option.flags}`, option })),
  )

  test('are read as people type them by every option that has one', () => {
    expect(timed.length).toBeGreaterThan(20)
    const unread = timed.filter(({ option: { flags, parseArg } }) => {
      const text = flags.includes('<instant>') ? '2026-01-17' : '1d'
      return parseArg === undefined || parseArg(text, undefined) === text
    })
    expect(unread.map(({ name }) => name)).toEqual([])
  })

  test('are refused with the option, the value and what is accepted', async () => {
    const { exit_code, stderr } = await tidemark(['vacuum', '--retention', 'long'])
    expect(exit_code).toBe(2)
    expect(stderr).toMatch(
      /^error: --retention is "long"; allowed: a duration such as 90s, .*VALIDATION_DURATION_INVALID/,
    )
  })

  test('no command reads them by itself', () => {
    const readers = sourceFiles(['.ts'])
      .filter(({ path }) => path.startsWith('cli/') && !['cli/options.ts', 'cli/sql/dot-commands.ts'].includes(path))
      .filter(({ text }) => /\b(durationMicros|typedDuration|typedInstant|Date\.parse)\b/.test(text))
    expect(readers.map(({ path }) => path)).toEqual([])
  })
})

test('--home is read by every command, and brings its own warehouse', async () => {
  for (const argv of [
    ['--home', '/x', 'tables'],
    ['tables', '--home', '/x'],
    ['index', 'list', '--home', '/x'],
  ]) {
    const { exit_code, stderr } = await tidemark(argv, { environment: { TIDEMARK_WAREHOUSE: '/y' } })
    expect(exit_code).toBe(3)
    expect(stderr).toMatch(/^error: [^\n]*\/x\/warehouse[^\n]*\(WAREHOUSE_NOT_FOUND\)\n$/)
  }
})

test.each([
  ['levels.xlsx', ''],
  ['levels.parquett', ' (did you mean parquet?)'],
])('an --out file %s of no known format is refused', async (file, hint) => {
  const { exit_code, stderr } = await tidemark(['sql', '--out', file, 'select 1'])
  expect(exit_code).toBe(2)
  expect(stderr).toContain(`--out is "${file}"${hint}; allowed: a name that ends with .table, .json, .ndjson, .csv`)
})

test('an unknown view is refused with the nearest one, before a warehouse is looked for', async () => {
  const { exit_code, stderr } = await tidemark(['describe', 'market_qoute'])
  expect(exit_code).toBe(2)
  expect(stderr).toContain('view is "market_qoute" (did you mean market_quote?); allowed: market_quote, ')
})

test('without a warehouse, validate checks schema and rules where unknown markets are allowed', async () => {
  const environment = { TIDEMARK_HOME: home }
  const files = ['datasets/eligibility/most-traded.yaml']
  expect(await tidemark(['index', 'validate', ...files], { environment })).toMatchObject({ exit_code: 3 })
  const valid = await tidemark(['index', 'validate', ...files, '--allow-unknown'], { environment })
  expect(valid).toMatchObject({ exit_code: 0, stdout: expect.stringContaining('valid: 1; there is no warehouse') })
  const wrong = await tidemark(['index', 'validate', 'package.json', '--allow-unknown'], { environment })
  expect(wrong).toMatchObject({ exit_code: 2, stderr: expect.stringContaining('VALIDATION_DEFINITION_INVALID') })
})
