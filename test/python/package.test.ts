import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { SEED } from '../support/seed.ts'
import { sized } from '../support/sized.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { indexCases } from './support/index-cases.ts'

/** The Python package as its users have it: built as a wheel, installed in a new environment, never read from the source tree. */
const PACKAGE = join(ROOT, 'python')
const TESTS = join(PACKAGE, 'tests')
const CASES = sized(20, 400)

const base = pythonInterpreter('package.txt', 'the Python package')
const folder = tempFolder()
let python: string
let wheel: string

const ENV = {
  ...process.env,
  TIDEMARK_EXAMPLES: join(ROOT, 'datasets/golden/methodology-examples.json'),
  TIDEMARK_VECTORS: join(ROOT, 'datasets/vectors'),
}

function run(program: string, args: readonly string[], cwd = folder) {
  const child = spawnSync(program, args, { encoding: 'utf8', cwd, env: ENV, maxBuffer: 2 ** 26 })
  if (child.error) throw child.error
  return { status: child.status, text: `${child.stdout}${child.stderr}` }
}

beforeAll(() => {
  const dist = join(folder, 'dist')
  expect(run(base, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', dist], PACKAGE)).toMatchObject({ status: 0 })
  const [file] = readdirSync(dist)
  wheel = join(dist, file!)
  const home = join(folder, 'env')
  expect(run(base, ['-m', 'venv', '--without-pip', home])).toMatchObject({ status: 0 })
  python = join(home, 'bin', 'python')
  const site = run(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']).text.trim()
  // The dependencies are those of the environment that was made before; the package itself is only what the wheel has.
  const known = run(base, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']).text.trim()
  writeFileSync(join(site, 'dependencies.pth'), `${known}\n`)
  const pip = ['-m', 'pip', 'install', '-q', '--no-index', '--no-deps', '--disable-pip-version-check', '--target', site]
  expect(run(base, [...pip, wheel])).toMatchObject({ status: 0 })
}, 120_000)

test('the wheel is pure and typed, and has its license', () => {
  expect(wheel).toMatch(/tidemark-[0-9.]+-py3-none-any\.whl$/)
  const names = run(base, ['-m', 'zipfile', '-l', wheel]).text
  expect(names).toContain('tidemark/py.typed')
  expect(names).toContain('licenses/LICENSE')
  expect(names).not.toContain('tests/')
})

test('worked examples to the last digit, conformance vectors, both clients, tables, warehouses and streams', () => {
  const { status, text } = run(python, ['-m', 'unittest', 'discover', '-s', TESTS, '-t', TESTS])
  expect(status, text).toBe(0)
  for (const name of ['test_examples.py', 'test_client.py', 'test_stream.py', 'test_vectors.py'])
    expect(readdirSync(TESTS)).toContain(name)
  expect(text).not.toMatch(/skipped/)
})

test(`${CASES} random indexes: every field of every tick equals the engine's`, () => {
  const file = join(folder, 'cases.json')
  const cases = indexCases(CASES, SEED)
  writeFileSync(file, JSON.stringify(cases))
  const { status, text } = run(python, [join(TESTS, 'engine_cases.py'), file])
  expect(text).toMatch(new RegExp(`^${CASES} of ${CASES} cases agree, \\d+ ticks\n$`))
  expect(status).toBe(0)
  // A changed digit of what the engine gave is seen.
  const changed = JSON.stringify(cases).replace(/"confidence":"0\.(\d{3})\d"/, '"confidence":"1.$11"')
  writeFileSync(file, changed)
  expect(run(python, [join(TESTS, 'engine_cases.py'), file])).toMatchObject({ status: 1 })
}, 300_000)

const SAVED = join(ROOT, 'python/tests/data/saved-levels.jsonl')

test('saved answers of a service: every level is reproduced', () => {
  const { status, text } = run(python, ['-m', 'tidemark.verify', '--file', SAVED, '--index', 'idx_sample_lowport'])
  const [total, note, ...levels] = text.trimEnd().split('\n').reverse()
  expect(total).toBe(`${levels.length} of ${levels.length} levels reproduced`)
  expect(note).toMatch(/^note: idx_sample_lowport: \d+ of \d+ ticks have no level, the first at /)
  expect(levels.length).toBeGreaterThan(10)
  expect(status).toBe(0)
})

test.each([
  ['a quote', /"(bid|reported_probability)": "0\.(\d)(\d+)", "ask/, '"$1": "0.0$3", "ask', 'value of the quote'],
  ['a methodology', /"fresh\.stale_after": "\w+"/, '"fresh.stale_after": "PT1S"', 'content_hash'],
])('%s with another digit is named, with exit code 1', (_, from, to, step) => {
  const lines = readFileSync(SAVED, 'utf8').split('\n')
  const at = lines.findIndex((line) => from.test(line))
  expect(at).toBeGreaterThanOrEqual(0)
  lines[at] = lines[at]!.replace(from, to)
  const file = join(folder, 'changed', `${step.replaceAll(' ', '-')}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, lines.join('\n'))
  const { status, text } = run(python, ['-m', 'tidemark.verify', '--file', file, '--index', 'idx_sample_lowport'])
  expect(text).toContain(`differs: ${step}`)
  expect(status).toBe(1)
})

test('the sources pass the strict type checker, the linter and the formatter', () => {
  expect(run(base, ['-m', 'ruff', 'check', '--no-cache', '.'], PACKAGE)).toMatchObject({ status: 0 })
  expect(run(base, ['-m', 'ruff', 'format', '--check', '--no-cache', '.'], PACKAGE)).toMatchObject({ status: 0 })
  const cache = ['--cache-dir', join(folder, 'mypy')]
  expect(run(base, ['-m', 'mypy', ...cache], PACKAGE)).toMatchObject({ status: 0 })
}, 120_000)
