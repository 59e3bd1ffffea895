import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { TABLE_FORMS } from '../../api/transparency/record-forms.ts'
import { auditGovernance } from '../../operations/governance/audit-governance.ts'
import { adoptionOf } from '../../operations/governance/change-of-file.ts'
import { proposalOfChange } from '../../operations/governance/governance-act-of.ts'
import { performGovernanceAct } from '../../operations/governance/perform-governance-act.ts'
import { type RecordProof, verifyRecordProof } from '../../pipelines/transparency/record-proof.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { openLogWriter } from '../../warehouse/transparency/log-writer.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { serve } from '../api/acceptance/served.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../support/governance-world.ts'
import { LOG_KEY, signedBy } from '../support/log/log-keys.ts'
import { assertMatchesOperation } from '../support/match-schema.ts'
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
const people = [admin, first, second, member, other, overseer]
let root: string
let before_acts: string

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const tide = await tideWarehouse(folder)
  root = tide.root
  for (const [name, { pem }] of Object.entries({ first, second, member })) writeFileSync(file(`${name}.pem`), pem)
  const warehouse = await openWarehouse({ root, create: false })
  const acts = governanceActs(warehouse)
  const now = await warehouse.now()
  await acts.propose(admin, rosterChange(await acts.state(), people, { threshold: 1, expires_at: inDays(now, 300) }))
  const text = { ...TEST_POLICY.classes.text, notice: 'PT0S' }
  const content = { ...TEST_POLICY, classes: { ...TEST_POLICY.classes, text } }
  const policy = policyChange(await acts.state(), content, inDays(now, 300))
  await acts.propose(admin, policy)
  await acts.vote(member, policy)
  await acts.vote(overseer, policy)
  const adopted = { kind: 'index_adoption', rationale: 'a test', emergency: null } as const
  const { content: published } = await adoptionOf(warehouse, 'idx_tide')
  const wish = { ...adopted, content: published, base_hash: null }
  const { proposal } = await performGovernanceAct(warehouse, await proposalOfChange(warehouse, member.signer, wish))
  const approval = { choice: 'approve', reason: null }
  const vote = { act: 'vote', kind: 'index_adoption', subject_id: proposal!.proposal_id, details: approval } as const
  expect((await acts.perform(other, vote)).proposal).toMatchObject({ state: 'effective' })
  before_acts = formatMicros(await warehouse.now())
  await warehouse.close()
  draft('draft', tide.write('tide'), '0.6')
})

/** Writes the published definition with a second version, which begins in a year. */
function draft(name: string, published: string, weight: string): string {
  const text = readFileSync(published, 'utf8')
  const [head, version] = text.split('versions:\n')
  const other = `0.${10 - Number(weight.slice(2))}`
  const next = version!
    .replace('version: "1"', 'version: "2"')
    .replace(/effective_from: .*/, 'effective_from: 2027-12-01T00:00:00Z')
    .replace('target_weight: "0.5"', `target_weight: "${weight}"`)
    .replace('target_weight: "0.5"', `target_weight: "${other}"`)
  writeFileSync(file(`${name}.yaml`), `${head}versions:\n${version}${next.trimStart().replace(/^/, '  ')}`)
  return file(`${name}.yaml`)
}

const run = (...argv: string[]) => tidemark(['governance', 'impact', ...argv, '--warehouse', root])
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)
const WINDOW = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-08T00:00:00Z']
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('an impact is computed without a key, and written as text, data and page', async () => {
  const { stdout, exit_code } = await run(file('draft.yaml'), ...WINDOW, '--out', file('out'))
  expect(exit_code).toBe(0)
  const text = readFileSync(file('out/impact.json'), 'utf8')
  const report = JSON.parse(text)
  expect(stdout).toContain(`impact_digest ${sha256(text)}`)
  expect(report).toMatchObject({
    statement: 'tidemark.impact.v1',
    index_id: 'idx_tide',
    version_before: '1',
    version_after: '2',
    is_full_window: false,
    base_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    change_class: 'material',
    composition: { turnover: '0.1000000000', constituents_in: 0 },
  })
  const csv = readFileSync(file('out/levels.csv'), 'utf8')
  expect(sha256(csv)).toBe(report.levels_sha256)
  expect(csv.split('\n').find((line) => line.startsWith('2026-01-05'))).toBe(
    '2026-01-05T00:00:00Z,55.0000,58.0000,3.0000,545.45,indicative,indicative,1.000000,1.000000',
  )
  const html = readFileSync(file('out/impact.html'), 'utf8')
  expect(html).toContain(`sha256:${sha256(text)}`)
  expect(html).not.toMatch(/undefined|NaN|\[object|https?:/)
})

test('the window of a young index has 30 days and ends with the last level, and by then knowledge must reach', async () => {
  const { report } = await json(file('draft.yaml'))
  expect(report).toMatchObject({ from: '2025-12-09T00:00:00Z', to: '2026-01-08T00:00:00Z', is_full_window: true })
  const short = await json(file('draft.yaml'), '--to', '2026-01-07T00:00:00Z')
  expect(short.report).toMatchObject({ from: '2025-12-08T00:00:00Z', is_full_window: false, change_class: 'material' })
  const late = await run(file('draft.yaml'), '--to', '2099-01-01T00:00:00Z')
  expect(late).toMatchObject({ exit_code: 2, stderr: expect.stringContaining('allowed: at most as_of') })
})

test('one runner is not enough; a second one with the other engine signs the same digest', async () => {
  const one = await json(file('draft.yaml'), ...WINDOW, '--key', file('first.pem'))
  expect(one.agreement).toBe('one_runner')
  await new Promise((resolve) => setTimeout(resolve, 5))
  const two = await json(file('draft.yaml'), '--key', file('second.pem'), '--engine', 'reference')
  expect(two).toMatchObject({ agreement: 'agreed', impact_digest: one.impact_digest, report: one.report })
  const shown = await run('show', one.report.change_id)
  expect(shown.stdout).toMatch(/first +exact[\s\S]*second +reference[\s\S]*the runners agree/)
  expect((await run('show', one.report.change_id, '--as-of', before_acts)).exit_code).toBe(3)
})

test('a runner who disagrees is visible, and everybody who reads the impact sees both reports', async () => {
  const { report } = await json(file('draft.yaml'))
  const other = await run(file('draft.yaml'), '--to', '2026-01-07T00:00:00Z', '--key', file('second.pem'))
  expect(other).toMatchObject({ exit_code: 1 })
  expect(other.stdout).toContain('the runners disagree')
  const api = await serve(root)
  const path = `/governance/impacts/${report.change_id}`
  const answer = await api.get(path)
  assertMatchesOperation('get_governance_impact', answer.body)
  const impact = answer.body.data as Record<string, unknown> & { reports: { impact_digest: string; report: string }[] }
  expect(impact).toMatchObject({ agreement: 'disputed', impact_digest: null, change_class: null, index_id: 'idx_tide' })
  expect(impact.attestations).toMatchObject([
    { runner: 'first', engine: 'exact', is_latest: true },
    { runner: 'second', engine: 'reference', is_latest: false },
    { runner: 'second', engine: 'exact', is_latest: true },
  ])
  expect(impact.reports.map((one) => sha256(one.report))).toEqual(impact.reports.map((one) => one.impact_digest))
  expect((await api.get(`${path}?as_of=${before_acts}`)).status).toBe(404)
  for (const [asked, code] of [
    ['/governance/impacts/chg_absent', 'GOVERNANCE_NOT_FOUND'],
    ['/governance/impacts/chg_absent/proof', 'GOVERNANCE_NOT_FOUND'],
    [`${path}/proof?runner=member`, 'GOVERNANCE_NOT_FOUND'],
    [`${path}/proof`, 'PROOF_PENDING'],
  ] as const)
    expect([asked, (await api.get(asked)).body.error?.code]).toEqual([asked, code])
  await logEverything()
  const reportOf = async (runner: string) => {
    const proof = (await api.get(`${path}/proof?runner=${runner}`)).body.data as RecordProof
    expect(verifyRecordProof(proof, LOG_KEY.key).entry.kind).toBe('governance_act')
    const { signed_text } = JSON.parse(proof.record_text) as { readonly signed_text: string }
    return (JSON.parse(signed_text) as { readonly details: { readonly report: string } }).details.report
  }
  const last = impact.reports.map((one) => one.report)
  expect([await reportOf('first'), await reportOf('second')]).toEqual(last)
})

async function logEverything(): Promise<void> {
  const warehouse = await openWarehouse({ root, create: false })
  const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  writer.close()
  await warehouse.close()
}

test('a version is proposed with the digest that the runners signed, once they agree', async () => {
  const propose = ['governance', 'propose', file('draft.yaml'), '--rationale', 'a test', '--key', file('member.pem')]
  const proposed = () => tidemark([...propose, '--warehouse', root, '--json'])
  expect((await proposed()).stdout).toContain('GOVERNANCE_IMPACT_REQUIRED')
  const again = await json(file('draft.yaml'), '--key', file('second.pem'))
  expect(again).toMatchObject({ agreement: 'agreed', report: { change_class: 'material' } })
  expect(JSON.parse((await proposed()).stdout).proposal).toMatchObject({
    kind: 'index_version',
    change_class: 'material',
    impact_digest: again.impact_digest,
    base_hash: again.report.base_hash,
  })
})

test('somebody who is no runner signs nothing; a home with attestations passes the audit', async () => {
  const refused = await run(file('draft.yaml'), '--key', file('member.pem'))
  expect(refused.stderr).toContain('allowed to attest')
  const warehouse = await openWarehouse({ root, create: false })
  expect(await auditGovernance(warehouse)).toMatchObject({ violations: [] })
  await warehouse.close()
})

test('a file without a new version, or with two, is refused', async () => {
  const text = readFileSync(file('draft.yaml'), 'utf8')
  writeFileSync(
    file('two.yaml'),
    text
      .replace(/version: "1"/, 'version: "3"')
      .replace('2026-01-01T00:00:00Z\n    calc', '2028-01-01T00:00:00Z\n    calc'),
  )
  const two = await run(file('two.yaml'))
  expect(two.stderr).toContain('allowed: exactly one: the version to propose')
  expect(two.exit_code).toBe(2)
})
