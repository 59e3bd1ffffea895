import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { impactOf } from '../../api/resources/impact.ts'
import { auditGovernance } from '../../operations/governance/audit-governance.ts'
import { readGovernance } from '../../operations/governance/read-governance.ts'
import { formatMicros, MICROS_PER_DAY } from '../../primitives/instants.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { governIndex } from '../support/govern-index.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../support/governance-world.ts'
import { person } from '../support/review-world.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { tideWarehouse } from '../support/tide-warehouse.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const folder = tempFolder()
const file = (name: string) => join(folder, name)
const admin = person('admin', 'administrator')
const first = person('first', 'runner')
const second = person('second', 'runner')
const member = person('member', 'committee')
const other = person('other', 'committee')
const overseer = person('overseer', 'oversight')
let root: string
let start: string

const run = (...argv: string[]) => tidemark(['governance', ...argv, '--warehouse', root])
const json = async (...argv: string[]) => {
  const { stdout } = await run(...argv, '--json')
  const answer = JSON.parse(stdout)
  expect(answer.error?.message).toBeUndefined()
  return answer
}
const write = (name: string, text: string) => {
  writeFileSync(file(name), text)
  return file(name)
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const key = (name: string) => ['--key', file(`${name}.pem`)]
const WINDOW = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-08T00:00:00Z']

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const tide = await tideWarehouse(folder)
  root = tide.root
  for (const [name, { pem }] of Object.entries({ first, second, member })) writeFileSync(file(`${name}.pem`), pem)
  const warehouse = await openWarehouse({ root, create: false })
  const acts = governanceActs(warehouse)
  const now = await warehouse.now()
  const people = [admin, first, second, member, other, overseer]
  await acts.propose(admin, rosterChange(await acts.state(), people, { threshold: 1, expires_at: inDays(now, 300) }))
  const material = { ...TEST_POLICY.classes.material, impact: 'required' as const }
  const text = { ...TEST_POLICY.classes.text, notice: 'PT0S' }
  const content = { ...TEST_POLICY, classes: { ...TEST_POLICY.classes, material, text } }
  const policy = policyChange(await acts.state(), content, inDays(now, 300))
  await acts.propose(admin, policy)
  await acts.vote(member, policy)
  await acts.vote(overseer, policy)
  await governIndex(warehouse, 'idx_tide', { by: member, signed_by: other })
  start = formatMicros(now + 80 * MICROS_PER_DAY)
  await warehouse.close()
  write(
    'methodology.yaml',
    'methodology: { methodology_id: mth_tide, version: "2.0.0", name: Test, supersedes_version: "1.0.0", parameters: { admission.grace: PT12H, fresh.stale_after: PT12H, fresh.max_carry: P1D } }',
  )
  write(
    'end.yaml',
    `cessation: { index_id: idx_tide, effective_from: ${start}, final_value: the last level, substitute_index_id: idx_tide }`,
  )
  write('suspend.yaml', `index_status: { index_id: idx_tide, status: suspended, effective_from: ${start} }`)
})

/** Signs an impact by both runners, with both engines, and returns the signed one. */
async function signedByBoth(name: string, ...window: string[]) {
  const one = await json('impact', file(name), ...window, ...key('first'))
  expect(one.agreement).toBe('one_runner')
  const two = await json('impact', file(name), ...key('second'), '--engine', 'reference')
  expect(two).toEqual({ ...one, agreement: 'agreed' })
  return two
}

const propose = (name: string) => run('propose', file(name), '--rationale', 'a test', ...key('member'), '--json')

describe('the impact of a methodology', () => {
  test('shows every index that uses it, and writes its levels as text, data and page', async () => {
    const { stdout } = await run('impact', file('methodology.yaml'), ...WINDOW, '--out', file('out'))
    const text = readFileSync(file('out/impact.json'), 'utf8')
    const report = JSON.parse(text)
    expect(report).toMatchObject({
      ...{ statement: 'tidemark.impact.v2', kind: 'methodology', target_id: 'mth_tide', change_class: 'material' },
      ...{
        version_before: '1.0.0',
        version_after: '2.0.0',
        base_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        indexes_using: 1,
      },
      parameters: [{ name: 'fresh.max_carry', before: 'P30D', after: 'P1D' }],
      engine: 'tidemark.impact.5',
      changes: [
        {
          ...{ name: 'fresh.max_carry', before: 'P30D', after: 'P1D' },
          effect: { indexes_different: 1, not_computed: 0 },
        },
      ],
      indexes: [{ index_id: 'idx_tide', version: '1', methodology_version_before: '1.0.0', change_class: 'material' }],
      lines: 'every_tick',
    })
    // Nothing was quoted on 01-03 and 01-04: a mark of at most one day carries no further.
    expect(report.indexes[0].ticks).toMatchObject({ compared: 7, level_only_before: 1 })
    const csv = readFileSync(file('out/levels.csv'), 'utf8')
    expect(sha256(csv)).toBe(report.levels_sha256)
    expect(csv.split('\n')[0]).toMatch(/^index_id,tick_at,level_before,level_after/)
    expect(csv.split('\n').filter((line) => line.startsWith('idx_tide,'))).toHaveLength(7)
    const { ticks } = report.indexes[0]
    expect(report.changes[0].effect.ticks_different).toBe(ticks.different_level + ticks.only_before + ticks.only_after)
    const html = readFileSync(file('out/impact.html'), 'utf8')
    expect(html).toContain('Effect of each parameter alone')
    expect(html).toContain(`sha256:${sha256(text)}`)
    expect(html).not.toMatch(/undefined|NaN|\[object|https?:/)
    expect(stdout).toContain(`impact_digest ${sha256(text)}`)
  })

  test('is required by the policy, and refused clearly where it is missing, is of one runner, or is disputed', async () => {
    const none = JSON.parse((await propose('methodology.yaml')).stdout)
    expect(none.error).toMatchObject({
      code: 'GOVERNANCE_IMPACT_REQUIRED',
      message: expect.stringMatching(
        /^impact_digest is none, signed by 0 of 0 runners of chg_.* 2 runners have signed/,
      ),
    })
    const { report, impact_digest } = await signedByBoth('methodology.yaml', ...WINDOW)
    const disputed = await run('impact', file('methodology.yaml'), '--to', '2026-01-07T00:00:00Z', ...key('second'))
    expect(disputed.exit_code).toBe(1)
    expect((await propose('methodology.yaml')).stdout).toContain('GOVERNANCE_IMPACT_REQUIRED')
    await json('impact', file('methodology.yaml'), ...key('second'))
    expect(JSON.parse((await propose('methodology.yaml')).stdout).proposal).toMatchObject({
      kind: 'methodology',
      change_class: 'material',
      impact_digest,
    })
    const shown = await run('impact', 'show', report.change_id)
    expect(shown.stdout).toMatch(/first +exact[\s\S]*second +reference[\s\S]*the runners agree/)
  })
})

describe('the impact of an end', () => {
  test('shows what depends on the index, and its substitute', async () => {
    const { report } = await json('impact', file('end.yaml'), '--out', file('end'))
    expect(report).toMatchObject({
      ...{
        engine: 'tidemark.impact.2',
        kind: 'cessation',
        target_id: 'idx_tide',
        change_class: 'cessation',
        status_before: 'active',
      },
      ...{ status_after: 'archived', final_value: 'the last level' },
      last: { tick_at: '2026-01-07T00:00:00Z' },
      substitute: { index_id: 'idx_tide', weight_shared: '1.0000000000', ticks_in_common: 6 },
      dependents: { proposals: [], market_ids: [], severity_index_ids: [], indexes: [], unlisted: 0 },
    })
    const html = readFileSync(file('end/impact.html'), 'utf8')
    expect(html).toContain('The substitute is idx_tide.')
    expect(html).not.toMatch(/undefined|NaN|\[object|https?:/)
    expect(sha256(readFileSync(file('end/levels.csv'), 'utf8'))).toBe(report.levels_sha256)
  })

  test('of a status is required as of its class, and names the open proposals of the index', async () => {
    expect((await propose('suspend.yaml')).stdout).toContain('GOVERNANCE_IMPACT_REQUIRED')
    const { report, impact_digest } = await signedByBoth('suspend.yaml')
    expect(report).toMatchObject({
      kind: 'index_status',
      status_after: 'suspended',
      final_value: null,
      substitute: null,
    })
    const { proposal } = JSON.parse((await propose('suspend.yaml')).stdout)
    expect(proposal).toMatchObject({ kind: 'index_status', impact_digest })
    const end = await json('impact', file('end.yaml'))
    expect(end.report.dependents.proposals).toEqual([
      { proposal_id: proposal.proposal_id, kind: 'index_status', state: proposal.state },
    ])
  })
})

test('a new index has its levels alone, and needs an impact where the policy says so', async () => {
  const text = readFileSync(file('tide.yaml'), 'utf8').replaceAll('tide', 'fresh')
  write('fresh.yaml', text.replace(/effective_from: .*/, `effective_from: ${start}`))
  expect((await propose('fresh.yaml')).stdout).toContain('GOVERNANCE_IMPACT_REQUIRED')
  const { report } = await json('impact', file('fresh.yaml'), ...WINDOW, '--out', file('fresh'))
  expect(report).toMatchObject({
    ...{ statement: 'tidemark.impact.v1', version_before: null, base_hash: null, change_class: 'material' },
    levels: { ticks: { compared: 7, only_after: 7 }, basis_points: null },
    manipulation_cost: {
      before: null,
      after: { ticks_examined: 5, notional_at_least: null, notional_sufficient: null },
    },
  })
  const html = readFileSync(file('fresh/impact.html'), 'utf8')
  expect(html).not.toMatch(/undefined|NaN|\[object|https?:/)
  expect(html).toMatch(/<th[^>]*>(<[^>]*>)*level</)
  expect(html).not.toMatch(/>((level|state|coverage|confidence) )?before</)
})

test('every report is served with its kind and engines, and the audit decides each attestation again', async () => {
  const warehouse = await openWarehouse({ root, create: false })
  try {
    const { acts } = await readGovernance(warehouse)
    const changes = new Set(acts.filter(({ act }) => act === 'attest').map(({ subject_id }) => String(subject_id)))
    const served = [...changes].map((change_id) => impactOf(acts, change_id)!)
    expect(served).toMatchObject([
      { kind: 'methodology', target_id: 'mth_tide', index_id: null, agreement: 'agreed' },
      { kind: 'index_status', target_id: 'idx_tide', index_id: 'idx_tide', agreement: 'agreed' },
    ])
    expect(served[1]!.attestations.map(({ engine }) => engine)).toEqual(['exact', 'reference'])
    expect(await auditGovernance(warehouse)).toMatchObject({ violations: [] })
  } finally {
    await warehouse.close()
  }
})
