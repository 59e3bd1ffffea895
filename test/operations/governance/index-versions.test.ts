import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { adoptionOf, contentOfFile } from '../../../operations/governance/change-of-file.ts'
import { classOfChange } from '../../../operations/governance/class-of-change.ts'
import type { ChangeWish } from '../../../operations/governance/governance-act-of.ts'
import { computeImpact } from '../../../operations/governance/impact/compute-impact.ts'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { showIndex } from '../../../operations/index/show-index.ts'
import { verifyObservations } from '../../../operations/index/verify-observations.ts'
import { type CompareRequest, compareVersions } from '../../../operations/replay/compare-versions.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { deriveId } from '../../../primitives/ids.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { governedIndex, january, PEOPLE } from '../../support/governed-index.ts'
import { refusalOf } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
const { ann, ben, cat, olaf, r1, r2 } = PEOPLE
let world: Awaited<ReturnType<typeof governedIndex>>

beforeAll(async () => {
  world = await governedIndex(tempFolder())
})
afterAll(() => world.warehouse.close())

const apply = (file: string) => applyDefinitions({ files: [file], clock: 'wall', warehouse: world.warehouse })
const shown = () => showIndex({ index_id: 'idx_tide', as_of: null, warehouse: world.warehouse })
const versions = async () => (await shown()).versions as readonly Row[]
const proposed = async (wish: Pick<ChangeWish, 'kind' | 'content'>, change: Partial<ChangeWish> = {}) =>
  (await world.propose(ann, { ...wish, ...change })).proposal!
const stateOf = async (proposal_id: string) => (await world.acts.state()).proposals.get(proposal_id)!
const FIRST = { version: '1', from: january(1) }
const select = async (sql: string) => {
  const session = await openReadSession(world.warehouse, { as_of: null })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

test('whoever proposes, computes an impact or compares sees mistakes of rules and legs in one round', async () => {
  const file = world.file([{ version: '9', from: january(30), weights: ['0.6', '0.5'] }])
  writeFileSync(file, readFileSync(file, 'utf8').replace('venue_id: v,', 'venue_id: kalshii,'))
  const { warehouse } = world
  const range = { from: null, to: null, as_of: null }
  for (const refused of [
    () => contentOfFile(warehouse, file, 'refused'),
    () => computeImpact({ ...range, file, engine: 'exact', warehouse }),
    () => compareVersions({ ...range, target: 'idx_tide', against: file, warehouse } as CompareRequest),
  ]) {
    const { message } = await refusalOf(refused())
    expect(message).toContain('target_weight is "1.1"')
    expect(message).toContain('(did you mean kalshi?)')
  }
})

test('a home without a roster publishes as before, and says that nobody else decided', async () => {
  await world.compute(january(1), january(10))
  expect(await versions()).toMatchObject([{ version: '1', governance: 'none', proposal_id: null }])
})

test('a home with a roster refuses versions without a proposal, and says what to do', async () => {
  await world.govern()
  await apply(world.first)
  const next = world.file([FIRST, { version: '2', from: january(30) }])
  expect(await refusalOf(apply(next))).toMatchObject({
    code: 'GOVERNANCE_REQUIRED',
    message: expect.stringMatching(/^index idx_tide is in a home with a roster; allowed: .* governance adopt idx_tide/),
  })
  const other = world.file([FIRST], { name: 'Other', index_id: 'idx_other' })
  expect((await refusalOf(apply(other))).code).toBe('GOVERNANCE_REQUIRED')
  expect(await refusalOf(world.propose(ann, await world.contentOf(next)))).toMatchObject({
    code: 'GOVERNANCE_REQUIRED',
    message: expect.stringMatching(/is published and not governed; allowed: tidemark governance adopt idx_tide first/),
  })
})

test('an adopted index is governed from then on; its versions stay as they are', async () => {
  const proposal = await world.adopt(january(11))
  expect(proposal).toMatchObject({ kind: 'index_adoption', change_class: 'text', state: 'proposed' })
  expect(await stateOf(proposal.proposal_id)).toMatchObject({ state: 'effective' })
  expect(await versions()).toMatchObject([{ version: '1', governance: 'none', proposal_id: null }])
  const next = world.file([FIRST, { version: '2', from: january(30) }])
  expect((await refusalOf(apply(next))).message).toBe(
    'index idx_tide is governed; allowed: tidemark governance propose FILE',
  )
  expect((await refusalOf(world.propose(ann, await adoptionOf(world.warehouse, 'idx_tide')))).code).toMatch(
    /GOVERNANCE_BASE_STALE|REVIEW_STATE_CONFLICT/,
  )
})

test('the class is computed: text, parameter and material by the levels of the window', async () => {
  const classOf = async (weights: readonly [string, string], summary?: string) => {
    const version = { version: '2', from: january(30), weights, ...(summary === undefined ? {} : { summary }) }
    const { content } = await world.contentOf(world.file([FIRST, version]))
    return classOfChange(world.warehouse, content, null)
  }
  expect(await classOf(['0.5', '0.5'], 'a word')).toMatchObject({ change_class: 'text', differing: 0 })
  expect(await classOf(['0.5', '0.5'], 'a word')).not.toMatchObject({ ticks: 0 })
  // The weights differ by 0.0002, so levels of about 1375 differ by less than 10 bp.
  expect(await classOf(['0.5001', '0.4999'])).toMatchObject({ change_class: 'parameter' })
  const material = await classOf(['0.9', '0.1'])
  expect(material).toMatchObject({ change_class: 'material' })
  expect(Number(material.basis_points_max)).toBeGreaterThan(10)
})

let second: string

test('a version needs an impact that two runners have signed, of a class that a replay does not contradict', async () => {
  const start = { version: '2', from: january(13), weights: ['0.9', '0.1'] as const }
  const wish = await world.contentOf(world.file([FIRST, start]))
  const code = async () => (await refusalOf(proposed(wish))).code
  expect(await code()).toBe('GOVERNANCE_IMPACT_REQUIRED')
  await world.attest(r1, wish, 'text')
  expect(await code()).toBe('GOVERNANCE_IMPACT_REQUIRED')
  await world.attest(r2, wish, 'text')
  expect(await refusalOf(proposed(wish))).toMatchObject({
    code: 'GOVERNANCE_IMPACT_REQUIRED',
    message: expect.stringMatching(/^change_class is text, and material by replay/),
  })
  await world.attest(r1, wish, 'material')
  expect(await code()).toBe('GOVERNANCE_IMPACT_REQUIRED')
  await world.attest(r2, wish, 'material')
  const proposal = await proposed(wish)
  expect(proposal).toMatchObject({ change_class: 'material', state: 'consulting', target: 'idx_tide' })
  second = proposal.proposal_id
})

test('a version is published once when its notice has ended, and says who approved it', async () => {
  await world.approve(second, ben, cat, olaf)
  await world.advance(january(11, 7.5))
  expect(await stateOf(second)).toMatchObject({ state: 'queued' })
  await world.advance(january(11, 13))
  expect(await versions()).toHaveLength(1)
  await Promise.all([world.advance(january(11, 14)), world.advance(january(11, 14))])
  await world.advance(january(11, 14))
  expect(await stateOf(second)).toMatchObject({ state: 'effective' })
  const [, version] = await versions()
  expect(version).toMatchObject({
    version: '2',
    governance: 'governed',
    proposal_id: second,
    approved_by: 'ben, cat, olaf',
    approved_at: formatMicros(january(11, 7.5)),
    announced_at: formatMicros(january(11, 7.5)),
    effective_at: formatMicros(january(11, 13.5)),
  })
  expect(await versions()).toHaveLength(2)
  expect(await select('select count(*) as n from index_version_history')).toEqual([{ n: 2 }])
})

test('levels are of the version from its start on, and verify', async () => {
  world.at(january(14))
  await world.compute(january(10), january(14))
  const levels = await select(
    "select index_version, count(*)::int as n from index_observation where tick_at >= '2026-01-12T00:00:00Z' group by 1 order by 1",
  )
  expect(levels).toEqual([
    { index_version: '1', n: 4 },
    { index_version: '2', n: 4 },
  ])
  expect(await verifyObservations({ warehouse: world.warehouse })).toMatchObject({ failures: [] })
  expect((await auditWarehouse({ warehouse: world.warehouse })).violations).toEqual([])
})

test('a stale base is refused with what changed', async () => {
  const { state } = await readGovernance(world.warehouse)
  const base_hash = (await stateOf(second)).base_hash
  const wish = await world.contentOf(
    world.file([
      FIRST,
      { version: '2', from: january(13), weights: ['0.9', '0.1'] },
      { version: '3', from: january(29) },
    ]),
  )
  const refused = await refusalOf(proposed(wish, { base_hash }))
  expect(refused).toMatchObject({ code: 'GOVERNANCE_BASE_STALE' })
  expect(refused.message).toContain(state.heads.get('idx_tide'))
  expect(refused.message).toContain('/target_weights/con_a: "0.5000000000" -> "0.9000000000"')
})

test('an activation that the published records no longer allow is ended, on record', async () => {
  const wish = await world.contentOf(
    world.file([
      FIRST,
      { version: '2', from: january(13), weights: ['0.9', '0.1'] },
      { version: '3', from: january(15) },
    ]),
  )
  for (const runner of [r1, r2]) await world.attest(runner, wish, 'material')
  const { proposal_id } = await proposed(wish)
  await world.approve(proposal_id, ben, cat, olaf)
  await world.advance(january(14, 7))
  // Somebody writes a version past every check.
  const [row] = await select(
    "select * exclude (effective_to, published_at, row_ordinal) from index_version where version = '2'",
  )
  const forged = { version: 'forged', effective_from: formatMicros(january(14, 20)) }
  const definition = canonicalJson({ ...JSON.parse(String(row!.definition)), ...forged })
  const index_version_id = deriveId('idv', 'idx_tide', 'forged')
  await world.warehouse.append('index_version', [{ ...row, ...forged, index_version_id, definition }], {
    app_id: 'forged',
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'TEST',
  })
  await world.advance(january(14, 14))
  expect(await stateOf(proposal_id)).toMatchObject({ state: 'expired', reason: 'PRECONDITION_BROKEN' })
  const [last] = (await readGovernance(world.warehouse)).acts.slice(-1)
  expect(String(last!.signed_text)).toContain('supersedes_version_id')
})

test('a version that nobody approved is found by the audit, and so is each of its levels; verification refuses them', async () => {
  world.at(january(16))
  await world.compute(january(10), january(16))
  const { violations } = await auditWarehouse({ warehouse: world.warehouse })
  expect(violations.map(({ table, rule }) => `${table} ${rule}`)).toEqual([
    'index_version approved_before_use',
    ...Array(4).fill('index_observation approved_before_use'),
  ])
  expect(violations[0]).toMatchObject({
    id: deriveId('idv', 'idx_tide', 'forged'),
    detail: 'it is of another version than approved',
  })
  const { failures } = await verifyObservations({ warehouse: world.warehouse })
  expect(failures).toHaveLength(4)
  expect(failures[0]).toMatchObject({ step: 'governance', actual: 'another version than approved' })
})
