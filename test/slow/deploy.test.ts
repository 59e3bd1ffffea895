import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The shipped files, read by the programs that they are for. */
const DEPLOY = join(ROOT, 'deploy')
const EXPOSURE_MAX = 2
const folder = tempFolder()

/** Programs of Debian's packages systemd and prometheus. */
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0
function run(program: string, argv: readonly string[], cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(program, argv, { cwd, encoding: 'utf8' })
  if (error) throw error
  return { status, output: `${stdout}${stderr}` }
}
const PROGRAMS = ['systemd-analyze', 'promtool'] as const
const INSTALLED = PROGRAMS.filter(isInstalled)

test('programs that are not installed are left out by name', () => {
  const left_out = PROGRAMS.filter((program) => !INSTALLED.includes(program))
  if (left_out.length > 0) console.warn(`deploy/ is not tried with ${left_out.join(' and ')}: not installed`)
  expect(INSTALLED.length + left_out.length).toBe(PROGRAMS.length)
})

describe.each(INSTALLED.filter((program) => program === 'systemd-analyze'))('units, by %s', () => {
  /** Copies a unit, with a program that is there in place of ours: a missing one is a fault of the unit. */
  function copied(name: string, change = (text: string) => text): string {
    const text = readFileSync(join(DEPLOY, 'systemd', name), 'utf8')
    const file = join(folder, name)
    writeFileSync(file, change(text.replace('/usr/local/bin/tidemark', '/bin/true')))
    return file
  }
  const names = readdirSync(join(DEPLOY, 'systemd')).filter((name) => name.endsWith('.service'))

  test.each(names)('%s: verify says nothing, and little is exposed', (name) => {
    const file = copied(name)
    expect(run('systemd-analyze', ['verify', file])).toEqual({ status: 0, output: '' })
    const { output } = run('systemd-analyze', ['security', '--offline=true', file])
    expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(output)?.[1])).toBeLessThan(EXPOSURE_MAX)
  })

  test('a misspelled setting is told', () => {
    const file = copied(names[0]!, (text) => text.replace('Restart=always', 'Restrat=always'))
    expect(run('systemd-analyze', ['verify', file]).output).toContain('Restrat')
  })
})

describe.each(INSTALLED.filter((program) => program === 'promtool'))('alerts, by %s', () => {
  const rules = join(DEPLOY, 'observability')

  test('promtool accepts the configuration, and each rule does what its test says', () => {
    for (const argv of [
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ])
      expect(run('promtool', argv, rules)).toMatchObject({ status: 0 })
  })

  test('a rule with another bound fails its test', () => {
    const other = join(folder, 'alerts')
    mkdirSync(other)
    const text = readFileSync(join(rules, 'alerts.yml'), 'utf8')
    writeFileSync(join(other, 'alerts.yml'), text.replace('stale_seconds > 60', 'stale_seconds > 70'))
    writeFileSync(join(other, 'alerts.test.yml'), readFileSync(join(rules, 'alerts.test.yml')))
    expect(run('promtool', ['test', 'rules', 'alerts.test.yml'], other).status).not.toBe(0)
  })

  test('every query of the dashboard is one', () => {
    type Dashboard = { panels: { targets: { expr: string }[] }[] }
    const { panels } = JSON.parse(readFileSync(join(rules, 'dashboard.json'), 'utf8')) as Dashboard
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    const written = queries.map((expr, at) => ({ record: `query:${at}`, expr }))
    const file = join(folder, 'queries.json') // JSON is YAML
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules: written }] }))
    expect(run('promtool', ['check', 'rules', file])).toMatchObject({ status: 0 })
  })
})

describe('chart', () => {
  const CHECK = join(ROOT, 'tools/python/check-chart.py')
  type Findings = { lint: string[]; manifests: string[][]; refused: string[] }

  test('Helm lints and renders it, Kubernetes accepts what it makes, and wrong values are refused', () => {
    const python = pythonInterpreter('deploy.txt', 'the chart')
    const { status, output } = run(python, [CHECK, join(DEPLOY, 'helm/tidemark')])
    expect([status, status === 0 ? '' : output]).toEqual([0, ''])
    const { lint, manifests, refused } = JSON.parse(output) as Findings
    expect(lint).toEqual([])
    expect(manifests.map((kinds) => kinds.join(' '))).toEqual([
      'NetworkPolicy Service StatefulSet',
      'NetworkPolicy Service Service StatefulSet',
      'Ingress NetworkPolicy Service Service StatefulSet StatefulSet',
      'Service StatefulSet',
    ])
    expect(refused).toEqual(['queues', 'address', 'count', 'trustedProxies', 'unknown'])
  })
})
