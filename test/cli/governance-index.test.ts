import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const home = tempFolder()
const file = (name: string) => join(home, name)
const run = (...argv: string[]) => tidemark(argv, { environment: { TIDEMARK_HOME: home } })
const json = async (...argv: string[]) => {
  const { stdout, stderr } = await run(...argv, '--json')
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}
const seconds = (count: number) => formatMicros(Math.floor(wallClock() / MICROS_PER_SECOND + count) * MICROS_PER_SECOND)
const vote = async (proposal_id: string, ...names: readonly string[]) => {
  for (const name of names) await json('governance', 'vote', proposal_id, '--approve', '--key', file(`${name}.pem`))
}

/** The worked example of docs/governance.md, with notices of no length. */
beforeAll(async () => {
  mkdirSync(home, { recursive: true })
  const roles = { admin: 'administrator', ann: 'committee', ben: 'committee', olaf: 'oversight' }
  const members: string[] = []
  for (const [name, role] of Object.entries(roles)) {
    const { public_key } = await json('governance', 'key', file(`${name}.pem`))
    members.push(
      `  - { actor_id: ${name}, name: ${name}, roles: [${role}], public_key: "${public_key}", valid_from: 2026-01-01T00:00:00Z, valid_to: null }`,
    )
  }
  const expires_at = seconds((300 * MICROS_PER_DAY) / MICROS_PER_SECOND)
  writeFileSync(
    file('people.yaml'),
    `roster: { threshold: 1, expires_at: ${expires_at} }\nmembers:\n${members.join('\n')}\n`,
  )
  const rule = (committee: number, oversight: number) =>
    `{ committee: ${committee}, oversight: ${oversight}, comment: PT0S, vote: PT0S, notice: PT0S }`
  writeFileSync(
    file('policy.yaml'),
    `policy: { expires_at: ${expires_at}, proposal_lifetime: P90D, late_window: PT24H, late_extension: PT48H, emergency_lapse: PT72H }
classes: { text: ${rule(1, 0)}, parameter: ${rule(1, 0)}, material: ${rule(1, 1)}, emergency: ${rule(1, 1)}, policy: ${rule(1, 1)} }
`,
  )
  const key = ['--key', file('admin.pem'), '--rationale', 'first']
  await json('governance', 'roster', 'propose', file('people.yaml'), ...key)
  const { proposal } = await json('governance', 'policy', 'propose', file('policy.yaml'), ...key)
  await vote(proposal.proposal_id, 'ann', 'olaf')
})

const definition = (start: string, more = '') => `
index: { index_id: idx_demo, slug: demo, symbol: DEMO, name: Demo, base_value: "1000", base_date: ${start} }
methodology: { methodology_id: mth_demo, version: "1.0.0", name: Demo }
versions:
  - version: "1"
    effective_from: ${start}
    calculation_frequency: PT1M
    constituents:
      - { constituent_id: con_a, venue_id: v, source_series_id: s, source_market_id: A, outcome: "YES", target_weight: "0.5" }
      - { constituent_id: con_b, venue_id: v, source_series_id: s, source_market_id: B, outcome: "YES", target_weight: "0.5" }
${more}`

test('a new index is proposed, signed, published, and then governed', async () => {
  const start = seconds(300)
  writeFileSync(file('demo.yaml'), definition(start))
  expect((await run('index', 'apply', file('demo.yaml'), '--allow-unknown')).stderr).toContain('GOVERNANCE_REQUIRED')
  const planned = [file('demo.yaml'), '--allow-unknown']
  const shown = await json('governance', 'diff', ...planned)
  expect(shown).toMatchObject({ kind: 'index_version', target: 'idx_demo', base_hash: null, change_class: 'material' })
  expect((await run('governance', 'diff', ...planned)).stdout).toMatch(/^index_version of idx_demo, class material/)
  const key = ['--key', file('ann.pem'), '--rationale', 'first version']
  const refused = await run('governance', 'propose', file('demo.yaml'), ...key)
  const unknown = (id: string, market: string) =>
    `error: ${file('demo.yaml')}:\\d+: source_market_id of constituent ${id} in version 1 is "${market}"; allowed: .*\n`
  expect(refused.stderr).toMatch(
    new RegExp(
      `^error: .*demo.yaml has 2 mistakes \\(VALIDATION_DEFINITION_INVALID\\)\n${unknown('con_a', 'A')}${unknown('con_b', 'B')}$`,
    ),
  )
  const { proposal } = await json('governance', 'propose', ...planned, ...key)
  expect(proposal).toMatchObject({ kind: 'index_version', change_class: 'material', state: 'proposed' })
  await vote(proposal.proposal_id, 'ben', 'olaf')
  const { versions, status } = await json('index', 'show', 'idx_demo')
  expect(versions).toMatchObject([
    { version: '1', governance: 'governed', proposal_id: proposal.proposal_id, approved_by: 'ben, olaf' },
  ])
  expect(status).toBe('scheduled')
  const second = definition(start, '')
    .replace('"1"\n', '"2"\n')
    .replace(`from: ${start}`, `from: ${seconds(600)}`)
  writeFileSync(file('second.yaml'), second)
  expect((await run('index', 'apply', file('second.yaml'), '--allow-unknown')).stderr).toContain('idx_demo is governed')
  expect((await run('governance', 'propose', file('second.yaml'), '--allow-unknown', ...key)).stderr).toContain(
    'GOVERNANCE_IMPACT_REQUIRED',
  )
})

test('an emergency suspends the index, is ratified, and nobody ratifies what is no emergency', async () => {
  writeFileSync(
    file('suspend.yaml'),
    `index_status: { index_id: idx_demo, status: suspended, effective_from: ${seconds(-5)} }\n`,
  )
  const diff = ['governance', 'diff', file('suspend.yaml')]
  expect((await run(...diff)).stdout).toMatch(
    /^index_status of idx_demo:status, class material\nbase none.*\/status +"active" +"suspended"/s,
  )
  expect(await json(...diff, '--emergency', 'VENUE_OUTAGE')).toMatchObject({ change_class: 'emergency' })
  const key = ['--key', file('ann.pem'), '--rationale', 'an outage']
  const { proposal } = await json('governance', 'propose', file('suspend.yaml'), '--emergency', 'VENUE_OUTAGE', ...key)
  const { proposal_id } = proposal
  expect((await run('governance', 'ratify', proposal_id, '--key', file('ben.pem'))).stderr).toContain('is proposed')
  await vote(proposal_id, 'ben', 'olaf')
  expect((await json('index', 'show', 'idx_demo')).status).toBe('suspended')
  await json('governance', 'ratify', proposal_id, '--key', file('ben.pem'))
  const kept = await json('governance', 'ratify', proposal_id, '--key', file('olaf.pem'))
  expect(kept.proposal).toMatchObject({ state: 'effective', lapses_at: null })
  expect((await run('governance', 'adopt', 'idx_demo', ...key)).exit_code).toBe(2)
  expect((await run('audit')).exit_code).toBe(0)
})

test('a range in which no level waits for a vote is not proposed', async () => {
  const range = 'from: 2026-01-01T00:00:00Z, to: 2026-01-02T00:00:00Z'
  writeFileSync(file('late.yaml'), `restatement: { index_id: idx_demo, ${range}, cause: LATE_DATA }\n`)
  const key = ['--key', file('ann.pem'), '--rationale', 'late data']
  for (const argv of [
    ['diff', file('late.yaml')],
    ['propose', file('late.yaml'), ...key],
  ])
    expect((await run('governance', ...argv)).stderr).toContain('of idx_demo, in which none waits for a vote')
  writeFileSync(file('whim.yaml'), `restatement: { index_id: idx_demo, ${range}, cause: WHIM }\n`)
  expect((await run('governance', 'diff', file('whim.yaml'))).stderr).toContain('LATE_DATA, SOURCE_CORRECTION')
})

test('files that are no change are refused with what is accepted', async () => {
  writeFileSync(file('other.yaml'), 'something: 1\n')
  const refused = await run('governance', 'propose', file('other.yaml'), '--rationale', 'x', '--key', file('ann.pem'))
  expect(refused.stderr).toContain('keys of')
  expect(refused.stderr).toContain('index_status, cessation, methodology, or restatement')
})
