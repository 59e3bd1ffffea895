import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()

function nightly(...argv: string[]) {
  return spawnSync(process.execPath, [join(ROOT, 'tools/nightly/main.mjs'), ...argv], { encoding: 'utf8' })
}

/** Runs a module written beside the tests, in which `runLanes` is known. */
function runLanes(lanes: readonly { name: string; command: readonly string[] }[]) {
  const code = `
    import { runLanes } from ${JSON.stringify(join(ROOT, 'tools/nightly/run-lanes.mjs'))}
    const options = { folder: ${JSON.stringify(folder)}, cwd: process.cwd(), on_result: () => undefined }
    const results = await runLanes(${JSON.stringify(lanes)}, options)
    console.log(JSON.stringify(results.map(({ name, passed }) => [name, passed])))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as [string, boolean][]
}

test('--list names the slow tests, every lane of package.json and every bench', () => {
  const { status, stdout } = nightly('--list')
  const names = stdout.split('\n').map((line) => line.split(' ')[0])
  const scripts = Object.keys(packageJson.scripts).filter((name) => /^(rel|sec):|^load$|^test:slow$/.test(name))
  const benches = readdirSync(join(ROOT, 'bench')).flatMap((file) => /^(.*)\.bench\.ts$/.exec(file)?.[1] ?? [])
  expect(status).toBe(0)
  expect(names).toEqual(
    expect.arrayContaining([...scripts, 'runtime:22', 'runtime:24', ...benches.map((name) => `bench:${name}`)]),
  )
})

test('--quick shortens every reliability lane that has a count, and the benches of a year', () => {
  const commands = (...options: string[]) =>
    nightly('--list', ...options)
      .stdout.trim()
      .split('\n')
  const full = new Set(commands())
  const same = commands('--quick').filter((command) => full.has(command))
  expect(same.map((command) => command.split(' ')[0])).toEqual(['test:slow', 'sbom', 'audit:packages', 'rel:replay'])
})

test('a lane that is not known, or an option, is refused with what is allowed', () => {
  expect(nightly('rel:nothing')).toMatchObject({ status: 2, stderr: expect.stringContaining('allowed: test:slow, ') })
  expect(nightly('--fast')).toMatchObject({ status: 2, stderr: expect.stringContaining("Unknown option '--fast'") })
})

test('a lane that fails, or that cannot start, stops no other; the report has its last words and the figures', () => {
  const figure = { figure: 'x.seconds', value: 3, unit: 's', goal: { at_most: 2 }, details: {}, reached: false }
  const print = (text: string, code: number) => [
    process.execPath,
    '-e',
    `console.log(${JSON.stringify(text)}); process.exitCode = ${code}`,
  ]
  const lanes = [
    { name: 'rel:broken', command: print('seed 17 differs', 1) },
    { name: 'rel:absent', command: [join(folder, 'no-such-program')] },
    { name: 'bench:x', command: print(JSON.stringify(figure), 0) },
  ]
  expect(runLanes(lanes)).toEqual([
    ['rel:broken', false],
    ['rel:absent', false],
    ['bench:x', true],
  ])
  const report = readFileSync(join(folder, 'report.md'), 'utf8')
  expect(report).toContain('1 passed, 2 failed, 0 not run yet.')
  expect(report).toMatch(/^\| rel:broken \| FAILED \(1\) \|.*\[log\]\(rel-broken\.log\) \|$/m)
  expect(report).toMatch(/^\| rel:absent \| FAILED \(.*ENOENT\) \|/m)
  expect(report).toContain('## rel:broken failed\n\n    seed 17 differs\n')
  expect(report).toContain('| x.seconds | 3 | s | at most 2 | MISSED |')
  expect(readFileSync(join(folder, 'bench-x.log'), 'utf8')).toBe(`${JSON.stringify(figure)}\n`)
})
