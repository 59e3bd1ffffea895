import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { noticeOf } from '../../../api/resources/notices.ts'
import { noticeForm } from '../../../api/transparency/governance-forms.ts'
import { recordOf } from '../../../api/transparency/record-form.ts'
import { checkDrifts } from '../../../client/everything/check-drifts.ts'
import { checkGovernance } from '../../../client/everything/check-governance.ts'
import { createFindings } from '../../../client/everything/report.ts'
import { readVersions } from '../../../client/everything/served-records.ts'
import { openPublicApi } from '../../../client/http/public-api.ts'
import { applyPolicy } from '../../../operations/eligibility/policies.ts'
import { publishDecisions } from '../../../operations/eligibility/publish-decisions.ts'
import { advanceGovernance } from '../../../operations/governance/advance-governance.ts'
import { contentOfFile } from '../../../operations/governance/change-of-file.ts'
import { draftOfDrift } from '../../../operations/governance/draft-of-drift.ts'
import { proposalOfChange } from '../../../operations/governance/governance-act-of.ts'
import { attestImpact } from '../../../operations/governance/impact/attest-impact.ts'
import { computeImpact } from '../../../operations/governance/impact/compute-impact.ts'
import { performGovernanceAct } from '../../../operations/governance/perform-governance-act.ts'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { auditNotices } from '../../../operations/notices/audit-notices.ts'
import { auditClaims } from '../../../operations/notices/check-claims.ts'
import { draftOfNotice } from '../../../operations/notices/draft-of-notice.ts'
import { publishNotices } from '../../../operations/notices/publish-notices.ts'
import type { NoticeRow } from '../../../operations/notices/read-facts.ts'
import { readNotices } from '../../../operations/notices/read-notices.ts'
import type { PolicyContent } from '../../../pipelines/governance/policy.ts'
import type { VersionFile } from '../../../pipelines/index/definition-schema.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { Notice, type Notice as NoticeResource } from '../../../protocol/resources/notice.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { tableSchema } from '../../../warehouse/tables.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { serve } from '../../api/acceptance/served.ts'
import { dying } from '../../support/dying-warehouse.ts'
import { governIndex } from '../../support/govern-index.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../../support/governance-world.ts'
import { assertMatchesSchema } from '../../support/match-schema.ts'
import { append } from '../../support/notice-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { person } from '../../support/review-world.ts'
import { clockedWarehouse, publishMarkets, publishRatings, publishTrades } from '../../support/selection-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ELIGIBILITY = `policy: { policy_id: pol_core, name: Core }
rules:
  - { fact: market_status, one_of: [open] }
  - { fact: rating_band, at_least: MR3, age_max: P365D }
`
const DEFINITION = `
index: { index_id: idx_rule, slug: rule, symbol: RULE, name: Rule, base_date: 2026-05-01T00:00:00Z }
methodology: { methodology_id: mth_rule, version: "1", name: Rule, parameters: { mode: chain_linked } }
versions:
  - version: "1"
    effective_from: 2026-05-06T14:00:00Z
    calculation_frequency: P1D
    weighting: { rule: sqrt_volume }
    selection:
      universe: { venue_ids: [polymarket] }
      eligibility_policy: { policy_id: pol_core, version: 1 }
      ranking: { fact: median_daily_volume }
      count: 2
`
const [admin, ann, ben, olaf, rita, rob] = [
  person('admin', 'administrator'),
  person('ann', 'committee'),
  person('ben', 'committee'),
  person('olaf', 'oversight'),
  person('rita', 'runner'),
  person('rob', 'runner'),
]
const folder = tempFolder()
const root = join(folder, 'warehouse')
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
let world: Awaited<ReturnType<typeof clockedWarehouse>>

/** Puts a policy in force that drafts a drift after some time; null: it drafts none. */
async function putPolicy(drift_after: string | null, quick: Partial<PolicyContent['classes']> = {}): Promise<void> {
  const acts = governanceActs(world.warehouse)
  const text = { ...TEST_POLICY.classes.text, notice: 'PT0S' }
  const classes = { ...TEST_POLICY.classes, text, ...quick }
  const content = { ...TEST_POLICY, classes, ...(drift_after === null ? {} : { drift_after }) }
  const change = policyChange(await acts.state(), content, inDays(await world.warehouse.now(), 300))
  await acts.propose(admin, change)
  for (const by of [ann, olaf]) await acts.vote(by, change)
}

beforeAll(async () => {
  world = await clockedWarehouse(root, '2026-04-20T00:00:00Z')
  const { warehouse, at } = world
  await publishMarkets(
    warehouse,
    ['a', 'b', 'c'].map((id) => ({ id })),
  )
  await publishRatings(warehouse, { a: 'MR1', b: 'MR2', c: 'MR3' })
  at('2026-04-29T12:00:00Z')
  await publishTrades(warehouse, { a: '800', b: '400', c: '200' })
  await applyPolicy(warehouse, file('policy.yaml', ELIGIBILITY))
  at('2026-04-30T00:00:00Z')
  await applyDefinitions({ files: [file('rule.yaml', DEFINITION)], clock: 'wall', warehouse })
  const acts = governanceActs(warehouse)
  const in_force = { threshold: 1, expires_at: inDays(await warehouse.now(), 300) }
  await acts.propose(admin, rosterChange(await acts.state(), [admin, ann, ben, olaf, rita, rob], in_force))
  await putPolicy(null)
  await governIndex(warehouse, 'idx_rule', { by: ann, signed_by: ben })
})
afterAll(() => world.warehouse.close())

const drifts = async (): Promise<readonly NoticeRow[]> =>
  (await readNotices(world.warehouse)).filter(({ kind }) => kind === 'drift')

type Content = Awaited<ReturnType<typeof contentOfFile>>['content']

/** Returns a proposed version with one more line in its change summary. */
function withSummary(content: Content, line: string): Content {
  const definition = content.definition as { readonly change_summary: readonly string[] }
  return { ...content, definition: { ...definition, change_summary: [...definition.change_summary, line] } }
}

/** Publishes a version again that names its notice and was edited, as earlier releases let it be. */
async function addEdited(published: Row): Promise<void> {
  const stored = Object.entries(published).filter(([name]) => name in tableSchema('index_version').columns)
  const definition = String(published.definition).replace('drafted by', 'edited, drafted by')
  await append(world.warehouse, 'index_version', {
    ...Object.fromEntries(stored),
    ...{ index_version_id: 'idv_edited', version: 'edited', effective_from: '2026-12-01T00:00:00Z', definition },
  })
}

describe('drift of a governed index', () => {
  test('is only shown without a rule, and is a notice once it has lasted as long as the rule says', async () => {
    const { warehouse, at } = world
    at('2026-05-10T00:00:00Z')
    await publishRatings(warehouse, { b: 'MR5' })
    at('2026-05-10T01:00:00Z')
    await publishDecisions(warehouse)
    at('2026-05-20T00:00:00Z')
    await publishNotices(warehouse)
    expect(await drifts()).toEqual([])
    await putPolicy('P12D')
    await publishTrades(warehouse, { a: '801', b: '401', c: '201' })
    at('2026-05-22T00:59:59.999999Z')
    await publishNotices(warehouse)
    expect(await drifts()).toEqual([])
    at('2026-05-22T01:02:30Z')
    await expect(publishNotices(dying(warehouse, 1))).rejects.toThrow('killed')
    expect(await drifts()).toEqual([])
    const beside = await openWarehouse({ root, ports: { now: () => warehouse.now(), without_clock_guards: true } })
    const counts = await Promise.all([publishNotices(warehouse), publishNotices(beside)])
    expect(counts[0] + counts[1]).toBe(1)
    expect(await publishNotices(beside)).toBe(0)
    await beside.close()
    expect(await drifts()).toMatchObject([
      {
        ...{ title: 'Drift: 1 constituent of idx_rule', index_id: 'idx_rule', cause: 'RATING_BAND_TOO_LOW' },
        ...{ starts_at: '2026-05-10T01:00:00Z', effective_at: '2026-05-29T01:00:00Z', actor_id: null },
        changes: [
          { field: 'eligibility', old_value: 'eligible', new_value: 'ineligible', at: '2026-05-10T01:00:00Z' },
          { field: 'rating_band', old_value: 'MR2', new_value: 'MR5' },
        ],
      },
    ])
  })

  test('its draft names notice and facts, is what a member would draft, and can be proposed as it is', async () => {
    const [notice] = await drifts()
    const { notice_id, draft, draft_sha256, text } = notice!
    expect(draft_sha256).toBe(sha256Hex(draft!))
    expect(text).toContain(`tidemark governance drift idx_rule --notice ${notice_id} --out draft.json`)
    const given = await draftOfNotice(world.warehouse, { index_id: 'idx_rule', notice_id })
    expect(given).toMatchObject({ version: '2026-05-29-drift', effective_from: '2026-05-29T01:00:00Z' })
    expect([given.definition, given.rationale[0]]).toEqual([draft, `drafted by notice ${notice_id}`])
    expect(given.rationale[1]).toMatch(/^removes con_.*: RATING_BAND_TOO_LOW; rating_band was MR2, is MR5$/)
    const asked = await draftOfDrift(world.warehouse, { index_id: 'idx_rule', effective_from: given.effective_from })
    expect(given.rationale.slice(1)).toEqual(asked.rationale)
    const { kind, content } = await contentOfFile(world.warehouse, file('draft.json', given.definition))
    const { constituents, change_summary } = content.definition as unknown as VersionFile
    expect([kind, constituents!.map(({ source_market_id }) => source_market_id).sort()]).toEqual([
      'index_version',
      ['a', 'c'],
    ])
    expect(change_summary).toEqual(given.rationale)
    const none = await refusalOf(draftOfNotice(world.warehouse, { index_id: 'idx_other', notice_id }))
    expect(none.code).toBe('GOVERNANCE_NOT_FOUND')
  })

  test('is served and logged with its draft; a notice without one keeps its form', async () => {
    for (const row of await readNotices(world.warehouse)) {
      assertMatchesSchema(Notice, noticeOf(row as never))
      const { form, record_text } = recordOf(noticeForm(row as never), row as never)
      expect([form, record_text.includes('draft_sha256')]).toEqual(
        row.kind === 'drift' ? ['notice/2', true] : ['notice/1', false],
      )
    }
  })

  test('without a market to select has no draft, and the notice says what is left', async () => {
    const { warehouse, at } = world
    at('2026-06-01T00:00:00Z')
    await publishRatings(warehouse, { a: 'MR5', c: 'MR5' })
    await publishDecisions(warehouse)
    at('2026-06-14T00:00:00Z')
    await publishNotices(warehouse)
    const [, second] = await drifts()
    expect(second).toMatchObject({ title: 'Drift: 2 constituents of idx_rule', draft: null, effective_at: null })
    expect(second!.text).toMatch(/No draft: .*otherwise suspend it \(form index_status\) or end it \(form cessation\)$/)
    const { notice_id } = second!
    expect((await refusalOf(draftOfNotice(warehouse, { index_id: 'idx_rule', notice_id }))).code).toBe(
      'GOVERNANCE_NOT_FOUND',
    )
    const refused = await refusalOf(draftOfDrift(warehouse, { index_id: 'idx_rule', effective_from: null }))
    expect(refused.code).toBe('VALIDATION_DEFINITION_INVALID')
    expect(refused.message).toContain('without an eligible market among')
  })

  test('that is over is a notice that withdraws the draft, once', async () => {
    const { warehouse, at } = world
    const [first, second] = await drifts()
    at('2026-06-15T00:00:00Z')
    await publishRatings(warehouse, { b: 'MR2', a: 'MR1' })
    await publishDecisions(warehouse)
    await expect(publishNotices(dying(warehouse, 1))).rejects.toThrow('killed')
    expect(await publishNotices(warehouse)).toBeGreaterThan(0)
    expect(await publishNotices(warehouse)).toBe(0)
    const ends = (await drifts()).slice(2)
    expect(ends.map(({ follows_notice_id, ends_at, draft }) => [follows_notice_id, ends_at !== null, draft])).toEqual(
      expect.arrayContaining([[first!.notice_id, true, null]]),
    )
    expect(ends.map(({ follows_notice_id }) => follows_notice_id).sort()).toEqual(
      [first!.notice_id, second!.notice_id].sort(),
    )
    expect(ends.find(({ follows_notice_id }) => follows_notice_id === first!.notice_id)).toMatchObject({
      title: 'Drift is over: 1 constituent of idx_rule',
      changes: [{ field: 'eligibility', old_value: 'ineligible', new_value: 'eligible' }],
    })
    const withdrawn = await refusalOf(draftOfNotice(warehouse, { index_id: 'idx_rule', notice_id: first!.notice_id }))
    expect([withdrawn.code, withdrawn.message]).toEqual([
      'REVIEW_STATE_CONFLICT',
      expect.stringContaining('withdrawn by notice ntc_'),
    ])
  })

  test('is derived again from public answers, which finds what does not follow from them', async () => {
    const { base_url } = await serve(root)
    const api = openPublicApi(base_url, {})
    const as_of = '2026-06-16T00:00:00Z'
    const { served } = await checkGovernance(api, { as_of, root_hash: null }, createFindings())
    const sources = {
      ...{ as_of, served },
      versions: await readVersions(api, 'idx_rule', as_of),
      notices: await api.list<NoticeResource>('/governance/notices', { as_of }),
    }
    const faultsOf = async (change: (notices: NoticeResource[]) => unknown) => {
      const notices = structuredClone(sources.notices) as NoticeResource[]
      change(notices)
      const findings = createFindings()
      await checkDrifts(api, { ...sources, notices }, findings)
      return findings.failures().map(({ message }) => message)
    }
    const of = (notices: NoticeResource[], kind: RegExp) => notices.find(({ title }) => kind.test(title))!
    const edit = (kind: RegExp, fields: Partial<NoticeResource>) =>
      faultsOf((notices) => Object.assign(of(notices, kind), fields))
    expect(await faultsOf(() => undefined)).toEqual([])
    const [BEGIN, END] = [/^Drift: 1/, /^Drift is over:/]
    expect(await edit(BEGIN, { starts_at: '2026-05-10T02:00:00Z' })).toEqual([
      'starts_at is not what follows from the records',
    ])
    const { notice_id, text } = of([...sources.notices], BEGIN)
    const adopting = `tidemark governance drift idx_rule --notice ${notice_id} --out draft.json`
    const earlier = `A member adopts it: ${adopting}, then tidemark governance propose draft.json.`
    const [unmet] = / No proposal can meet this start: .* data_lead\./.exec(text)!
    expect(await edit(BEGIN, { text: text.replace(/end at \S+ at/, 'end at 2026-01-01T00:00:00Z at') })).toEqual([
      'it says that no proposal can meet the start of its draft, and names no later instant',
    ])
    expect(await edit(BEGIN, { text: text.replace(unmet, '').replace(/Members adopt it: .*$/, earlier) })).toEqual([])
    expect(await edit(BEGIN, { text: `${text} ` })).toEqual(['text is not what follows from the records'])
    expect(await edit(BEGIN, { draft_sha256: '0'.repeat(64) })).toEqual(['draft_sha256 is not that of the draft'])
    const foreign = canonicalJson({ versions: [{ change_summary: ['drafted by notice ntc_other'] }] })
    expect(await edit(BEGIN, { draft: foreign, draft_sha256: sha256Hex(foreign) })).toEqual([
      'the draft names another notice',
    ])
    expect(await edit(END, { text: 'It is over.' })).toEqual(['text is not what follows from the records'])
    expect(await edit(END, { notice_id: 'ntc_forged' })).toEqual(['no drift follows from the published decisions'])
    const due = await faultsOf((notices) => {
      of(notices, BEGIN).notice_id = 'ntc_forged'
    })
    expect(due).toEqual([
      'no drift follows from the published decisions',
      expect.stringMatching(/^it was due at 2026-05-22T01:00:00Z, and no notice says so$/),
    ])
  })

  test('has a draft that can be adopted: two runners sign its impact, members vote, and the version rules', async () => {
    const { warehouse, at } = world
    at('2026-06-20T00:00:00Z')
    const at_once = { committee: 1, oversight: 1, comment: 'PT0S', vote: 'PT0S', notice: 'PT1H' }
    await putPolicy('P12D', { material: at_once })
    await publishRatings(warehouse, { b: 'MR5', c: 'MR2' })
    await publishDecisions(warehouse)
    at('2026-07-01T00:00:00Z')
    await publishTrades(warehouse, { a: '802', b: '402', c: '202' })
    at('2026-07-02T00:02:30Z')
    await publishNotices(warehouse)
    const { notice_id } = (await drifts()).findLast(({ draft }) => draft !== null)!
    const given = await draftOfNotice(warehouse, { index_id: 'idx_rule', notice_id })
    const draft = file('adopted.json', given.definition)
    const request = { file: draft, from: null, to: null, as_of: null, warehouse }
    for (const [by, engine] of [[rita, 'exact'] as const, [rob, 'reference'] as const]) {
      const impact = await computeImpact({ ...request, engine })
      await attestImpact(warehouse, by.signer, { ...impact, engine })
      at('2026-07-02T00:05:00Z')
    }
    const wish = { ...(await contentOfFile(warehouse, draft)), rationale: 'drift', emergency: null, base_hash: null }
    for (const line of ['and more', 'and \u202emore']) {
      const refused = await refusalOf(proposed({ ...wish, content: withSummary(wish.content, line) }))
      expect([refused.code, refused.message.includes('change_summary')]).toEqual([
        'VALIDATION_DEFINITION_INVALID',
        true,
      ])
    }
    const signed = await proposalOfChange(warehouse, ann.signer, wish)
    const { proposal } = await performGovernanceAct(warehouse, signed)
    const { kind, proposal_id } = proposal!
    const approve = {
      act: 'vote',
      kind,
      subject_id: proposal_id,
      details: { choice: 'approve', reason: null },
    } as const
    for (const by of [ben, olaf]) await governanceActs(warehouse).perform(by, approve)
    at('2026-07-02T02:00:00Z')
    await advanceGovernance(warehouse)
    const { state } = await readGovernance(warehouse)
    expect(state.proposals.get(proposal_id)).toMatchObject({ state: 'effective', change_class: 'material' })
    const session = await openReadSession(warehouse, { as_of: null, tables: ['index_version'] })
    const rows = await session.query('select * from index_version order by effective_from')
    await session.close()
    expect(rows.map(({ version, proposal_id }) => [version, proposal_id])).toEqual([
      ['1', null],
      [given.version, proposal_id],
    ])
    expect(await auditClaims(warehouse)).toEqual({ checked: 1, violations: [] })
    // A second drift of the day drafts a version of another name; an asked start is warned about if no vote can meet it.
    await publishRatings(warehouse, { c: 'MR5' })
    await publishDecisions(warehouse)
    const again = await draftOfDrift(warehouse, { index_id: 'idx_rule', effective_from: given.effective_from })
    expect([given.earliest_effect_at, again.version]).toEqual([null, `${given.version}-2`])

    async function proposed(change: typeof wish) {
      return performGovernanceAct(warehouse, await proposalOfChange(warehouse, ann.signer, change))
    }
  })

  test('is derived again by the audit, which finds another draft', async () => {
    const { warehouse } = world
    expect((await auditNotices(warehouse)).violations).toEqual([])
    const [{ published_at: _at, row_ordinal: _n, ...first }] = (await drifts()) as unknown as [Record<string, never>]
    const draft = String(first.draft).replace('2026-05-29-drift', '2026-05-29-other')
    await append(warehouse, 'governance_notice', { ...first, draft, draft_sha256: sha256Hex(draft) })
    expect((await auditNotices(warehouse)).violations.map(({ id, detail }) => [id, detail])).toEqual([
      [first.notice_id, 'draft is not what follows from the records'],
    ])
  })

  test('is no author of a version that differs from it: the audit finds one of an earlier release', async () => {
    const { warehouse } = world
    const session = await openReadSession(warehouse, { as_of: null, tables: ['index_version'] })
    const rows = await session.query('select * from index_version order by effective_from')
    await session.close()
    const { notice_id } = (await drifts()).find(({ draft }) => draft?.includes(String(rows[1]!.version)))!
    await addEdited(rows[1]!)
    const { violations } = await auditClaims(warehouse)
    expect(violations.map(({ id, detail }) => [id, detail])).toEqual([
      ['idv_edited', `it names notice ${notice_id} as its draft, and differs from that draft`],
    ])
  })
})
