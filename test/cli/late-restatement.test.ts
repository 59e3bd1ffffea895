import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { formatMicros, MICROS_PER_DAY } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { tidemark } from '../support/run-cli.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000 })

const page = readFileSync(join(ROOT, 'docs/late-restatement.md'), 'utf8')
const home = tempFolder()
const file = (name: string) => join(home, name)
/** Words of a command, with texts in quotes as one word. */
const wordsOf = (command: string) =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)

/** Roster and policy of the worked example in docs/governance.md, with notices of no length. */
function writeOffice(keys: ReadonlyMap<string, string>): void {
  const expires_at = formatMicros(wallClock() + 300 * MICROS_PER_DAY)
  const roles = { admin: 'administrator', ann: 'committee', ben: 'committee', olaf: 'oversight' }
  const members = Object.entries(roles).map(
    ([name, role]) =>
      `  - { actor_id: ${name}, name: ${name}, roles: [${role}], public_key: "${keys.get(name)}", valid_from: 2026-01-01T00:00:00Z, valid_to: null }\n`,
  )
  writeFileSync(
    file('people.yaml'),
    `roster: { threshold: 1, expires_at: ${expires_at} }\nmembers:\n${members.join('')}`,
  )
  const rule = (oversight: number) =>
    `{ committee: 1, oversight: ${oversight}, comment: PT0S, vote: PT0S, notice: PT0S }`
  const classes = `classes: { text: ${rule(0)}, parameter: ${rule(0)}, material: ${rule(1)}, emergency: ${rule(1)}, policy: ${rule(1)} }`
  const periods = 'proposal_lifetime: P90D, late_window: PT24H, late_extension: PT48H, emergency_lapse: PT72H'
  writeFileSync(file('policy.yaml'), `policy: { expires_at: ${expires_at}, ${periods} }\n${classes}\n`)
}

test('each command of docs/late-restatement.md runs, from the late value to the published record', async () => {
  mkdirSync(home, { recursive: true })
  const commands = [...page.matchAll(/^ {4}npx tidemark (.+)$/gm)].map(([, command]) => command!)
  expect(commands).toHaveLength(25)
  const form = page.match(/```yaml\n(restatement: .*\n)```/)![1]
  expect(readFileSync(join(ROOT, 'datasets/restatement/restatement.yaml'), 'utf8')).toBe(form)
  const keys = new Map<string, string>()
  const printed = new Map<string, string>()
  let proposal_id = ''
  for (const command of commands) {
    const argv = wordsOf(command).map((word) => {
      if (word.startsWith('datasets/')) return join(ROOT, word)
      return word === 'prp_...' ? proposal_id : word.replace(/^(\w+\.(?:pem|yaml))$/, (name) => file(name))
    })
    const { stdout, stderr, exit_code } = await tidemark(argv, { environment: { TIDEMARK_HOME: home } })
    expect([command, exit_code, stderr]).toEqual([command, 0, ''])
    printed.set(command, stdout)
    proposal_id = stdout.match(/prp_[0-9a-f]{64}/)?.[0] ?? proposal_id
    const [, name] = command.match(/^governance key (\w+)\.pem$/) ?? []
    if (name !== undefined) keys.set(name, stdout.match(/[0-9a-f]{64}/)![0])
    if (keys.size === 4) writeOffice(keys)
  }
  const of = (start: string) => [...printed].find(([command]) => command.startsWith(start))![1]
  expect(of('index correct')).toMatch(/2 more wait for a vote/)
  expect(of('sql')).toMatch(/prp_[0-9a-f]{64}.*LATE_DATA.*2/)
  expect(of('governance notice list')).toContain('Restated late: 2 levels of idx_tide')
})
