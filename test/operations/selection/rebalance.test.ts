import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { createFindings } from '../../../client/everything/report.ts'
import * as records from '../../../client/everything/served-records.ts'
import { createPublicApi } from '../../../client/http/public-api.ts'
import { evaluateMarket, evaluateMarkets } from '../../../operations/eligibility/evaluate-markets.ts'
import { applyPolicy } from '../../../operations/eligibility/policies.ts'
import { publishDecisions } from '../../../operations/eligibility/publish-decisions.ts'
import { contentOfFile } from '../../../operations/governance/change-of-file.ts'
import { draftOfDrift } from '../../../operations/governance/draft-of-drift.ts'
import { computeImpact } from '../../../operations/governance/impact/compute-impact.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { runRebalances } from '../../../operations/selection/run-rebalances.ts'
import { selectIndex } from '../../../operations/selection/select-index.ts'
import { showDrift } from '../../../operations/selection/show-drift.ts'
import { verifyRebalance } from '../../../operations/selection/verify-rebalance.ts'
import { sealWarehouse } from '../../../operations/upkeep/seal-warehouse.ts'
import type { EligibilityImpact } from '../../../pipelines/governance/impact/change-document.ts'
import type { SelectingIndex } from '../../../pipelines/governance/impact/eligibility-effects.ts'
import type { VersionFile } from '../../../pipelines/index/definition-schema.ts'
import { type RecordProof, verifyRecordProof } from '../../../pipelines/transparency/record-proof.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { rowOf, rowsOf, serve } from '../../api/acceptance/served.ts'
import { LOG_KEY, signedBy } from '../../support/log/log-keys.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { refusalOf } from '../../support/refusal.ts'
import {
  clockedWarehouse,
  marketId,
  publishMarkets,
  publishRatings,
  publishTrades,
  RULE_DEFINITION,
} from '../../support/selection-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const POLICY = `policy: { policy_id: pol_core, name: Core }
rules:
  - { fact: source_permitted, one_of: ["true"] }
  - { fact: market_status, one_of: [open] }
  - { fact: rating_band, at_least: MR3, age_max: P60D }
  - { fact: time_to_resolution, at_least: PT48H }
`
const folder = tempFolder()
const root = join(folder, 'warehouse')
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
let world: Awaited<ReturnType<typeof clockedWarehouse>>

beforeAll(async () => {
  world = await clockedWarehouse(root, '2026-04-20T00:00:00Z')
  const { warehouse, at } = world
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  await publishMarkets(warehouse, [
    ...ids.map((id) => ({ id, ...(id === 'e' ? { ends: '2026-05-01T00:00:00Z' } : {}) })),
    { id: 'p', venue_id: 'predictit' },
  ])
  await publishRatings(warehouse, { a: 'MR1', b: 'MR2', c: 'MR3', d: 'MR4', e: 'MR1' })
  at('2026-04-29T12:00:00Z')
  await publishTrades(warehouse, { a: '800', b: '200', c: '400', d: '9000', e: '50', f: '7000' })
  await applyPolicy(warehouse, file('policy.yaml', POLICY))
})
afterAll(() => world.warehouse.close())

const shown = (rows: readonly Row[]) =>
  rows.map((row) => [row.market_id, row.target_weight, row.rating_assessment_id_at_selection])
const versions = async (): Promise<readonly Row[]> => {
  const session = await openReadSession(world.warehouse, { as_of: null, tables: ['index_version'] })
  return session.query('select * from index_version order by effective_from').finally(() => session.close())
}
const [A, B, C, D, E, F] = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => marketId(id))

describe('eligibility', () => {
  test('each decision names the facts that decided, with their records', async () => {
    world.at('2026-04-29T13:00:00Z')
    const choice = { policy_id: 'pol_core', version: null }
    const report = await evaluateMarkets(world.warehouse, {
      policy: choice,
      market_ids: null,
      as_of: null,
      publish: true,
    })
    const decisions = Object.fromEntries(
      report.evaluations.map((one) => [one.market_id, [one.status, ...one.reason_codes].join(' ')]),
    )
    expect(decisions).toEqual({
      [A!]: 'eligible',
      [B!]: 'eligible',
      [C!]: 'eligible',
      [D!]: 'ineligible RATING_BAND_TOO_LOW',
      [E!]: 'ineligible TIME_TO_RESOLUTION_TOO_LOW',
      [F!]: 'unknown RATING_BAND_UNKNOWN',
      [marketId('p', 'predictit')]: 'unknown RATING_BAND_UNKNOWN',
    })
    expect(report.published).toBe(7)
    const one = await evaluateMarket(world.warehouse, { policy: choice, market_id: D!, as_of: null })
    expect(one.facts.map(({ fact, value, source_id }) => [fact, value, source_id])).toEqual([
      ['source_permitted', 'true', 'elg_d'],
      ['market_status', 'open', D],
      ['rating_band', 'MR4', 'rat_d_2026-04-20'],
      ['time_to_resolution', String(Date.parse('2027-01-01T00:00:00Z') - Date.parse('2026-04-29T13:00:00Z')), D],
    ])
    const again = await evaluateMarkets(world.warehouse, {
      policy: choice,
      market_ids: null,
      as_of: null,
      publish: true,
    })
    expect(again.published).toBe(0)
  })

  test('the same policy applied again adds nothing; a changed one is the next version', async () => {
    const { warehouse } = world
    expect(await applyPolicy(warehouse, join(folder, 'policy.yaml'))).toMatchObject({ version: 1, published: false })
    const stricter = file('stricter.yaml', POLICY.replace('MR3', 'MR2'))
    expect(await applyPolicy(warehouse, stricter)).toMatchObject({ version: 2, published: true })
  })

  test('a policy is refused before its first publication, with that instant', async () => {
    const policy = { policy_id: 'pol_core', version: 1 }
    const wish = { policy, market_ids: null, as_of: '2026-04-29T11:59:59Z', publish: false }
    const published = '2026-04-29T12:00:00Z or later: pol_core version 1 was first published then'
    expect((await refusalOf(evaluateMarkets(world.warehouse, wish))).message).toBe(
      `as_of is 2026-04-29T11:59:59Z; allowed: ${published}`,
    )
    const unknown = { ...wish, policy: { policy_id: 'pol_other', version: null } }
    expect((await refusalOf(evaluateMarkets(world.warehouse, unknown))).message).toBe(
      'eligibility_policy is pol_other; allowed: a published policy: pol_source_terms version 1',
    )
  })

  test('a past, or a policy that is not published, is evaluated but never published', async () => {
    const wish = { market_ids: null, publish: true }
    const past = { ...wish, policy: { policy_id: 'pol_core', version: 1 }, as_of: '2026-04-29T12:30:00Z' }
    await expect(evaluateMarkets(world.warehouse, past)).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
    const draft = { ...wish, policy: { file: join(folder, 'policy.yaml') }, as_of: null }
    await expect(evaluateMarkets(world.warehouse, draft)).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
    const report = await evaluateMarkets(world.warehouse, { ...draft, publish: false, as_of: '2026-04-19T00:00:00Z' })
    expect(report.evaluations).toEqual([])
  })
})

describe('a version that is selected', () => {
  test('waits for its data', async () => {
    world.at('2026-04-29T13:59:59Z')
    const wish = { files: [file('rule.yaml', RULE_DEFINITION)], clock: 'wall', warehouse: world.warehouse } as const
    await expect(applyDefinitions(wish)).rejects.toMatchObject({ code: 'VALIDATION_DEFINITION_INVALID' })
  })

  test('has the best ranked eligible markets, weighed by the rule, and names the rating of each', async () => {
    world.at('2026-04-30T00:00:00Z')
    const wish = { files: [file('rule.yaml', RULE_DEFINITION)], clock: 'wall', warehouse: world.warehouse } as const
    expect(await applyDefinitions(wish)).toMatchObject({ indexes: [{ versions_published: ['1'] }] })
    // sqrt(400) x 1, sqrt(200) x 0.6, sqrt(100) x 0.9: 20, 8.485281..., 9
    const [version] = await versions()
    const rows = [...(version!.constituents as Row[])].sort((x, y) =>
      String(x.target_weight) < String(y.target_weight) ? 1 : -1,
    )
    expect(shown(rows)).toEqual([
      [A, '0.5000000000', 'rat_a_2026-04-20'],
      [B, '0.2573593129', 'rat_b_2026-04-20'],
      [C, '0.2426406871', 'rat_c_2026-04-20'],
    ])
    expect(await applyDefinitions(wish)).toMatchObject({ indexes: [{ versions_unchanged: ['1'] }] })
  })

  test('would lose the constituents that a stricter policy does not accept, as its impact says', async () => {
    const { warehouse } = world
    let data = ''
    const request = { from: null, to: null, as_of: null, engine: 'exact', warehouse } as const
    const { document, text } = await computeImpact({
      ...request,
      file: file('strictest.yaml', POLICY.replace('MR3', 'MR1')),
      lines: (lines) => {
        data += lines
      },
    })
    expect(document).toMatchObject({
      ...{ kind: 'eligibility_policy', target_id: 'pol_core', change_class: 'material' },
      ...{ version_before: 2, version_after: 3, indexes_selecting: 1 },
      markets: { no_longer_eligible: 1, newly_eligible: 0 },
      indexes: [
        {
          ...{ index_id: 'idx_rule', version: '1', policy_version: 1, constituents: 3, newly_eligible: 0 },
          // One constituent cannot keep to a cap of 0.50.
          ...{ selection: null, selection_refused: 'INDEX_CAP_INFEASIBLE' },
        },
      ],
    })
    const [{ no_longer_eligible }] = (document as EligibilityImpact).indexes as [SelectingIndex]
    expect(no_longer_eligible.map((one) => [one.market_id, one.before, one.after, one.reason_codes])).toEqual(
      expect.arrayContaining([B, C].map((id) => [id, 'eligible', 'ineligible', ['RATING_BAND_TOO_LOW']])),
    )
    expect(data).toBe(
      `market_id,status_before,status_after,reason_codes\n${B},eligible,ineligible,RATING_BAND_TOO_LOW\n`,
    )
    const again = await computeImpact({ ...request, as_of: document.as_of, file: join(folder, 'strictest.yaml') })
    expect(again.text).toBe(text)
    const milder = await computeImpact({ ...request, file: file('milder.yaml', POLICY.replace('MR3', 'MR2')) })
    const [index] = (milder.document as EligibilityImpact).indexes
    const selection = { selected_before: 3, selected_after: 2, entering: [], leaving: [C], unlisted: 0 }
    expect(index).toMatchObject({ no_longer_eligible: [{ market_id: C }], selection, selection_refused: null })
  })

  test('is selected again by anybody, from the facts of its instant, whatever became known since', async () => {
    world.at('2026-05-10T00:00:00Z')
    await publishRatings(world.warehouse, { f: 'MR1' })
    const again = await selectIndex(world.warehouse, { target: 'idx_rule', as_of: '2026-04-29T14:00:00Z' })
    const [version] = await versions()
    const definition = JSON.parse(String(version!.definition)) as VersionFile
    expect(again.defined.file.constituents).toEqual(definition.constituents)
    expect(again.ranked.find((one) => one.market_id === F)).toMatchObject({
      is_selected: false,
      reason_codes: ['NOT_ELIGIBLE'],
    })
    expect(again.ranked.some((one) => one.market_id === marketId('p', 'predictit'))).toBe(false)
  })
})

describe('a scheduled rebalance', () => {
  test('is announced once, from the facts of seven days before, and is frozen', async () => {
    const { warehouse, at } = world
    at('2026-05-27T13:00:00Z')
    await publishTrades(warehouse, { a: '801', b: '201', c: '9999', f: '7001' })
    await publishRatings(warehouse, { c: 'MR4' })
    at('2026-05-31T13:00:00Z')
    expect(await runRebalances(warehouse)).toEqual([])
    at('2026-05-31T14:00:00Z')
    // What becomes known after the instant of the facts is for the next rebalance.
    await publishRatings(warehouse, { a: 'MR5' })
    const done = { index_id: 'idx_rule', effective_from: '2026-06-03T14:00:00Z', outcome: 'done', message: null }
    expect(await runRebalances(warehouse)).toEqual([{ ...done, step: 'announce' }])
    expect(await runRebalances(warehouse)).toEqual([])
    expect(await verifyRebalance(warehouse, 'idx_rule')).toEqual([])
  })

  test('its version is published once, with exactly the frozen constituents', async () => {
    const { warehouse, at } = world
    at('2026-06-03T12:59:59Z')
    expect(await runRebalances(warehouse)).toEqual([])
    at('2026-06-03T13:00:00Z')
    const steps = await Promise.all([runRebalances(warehouse), runRebalances(warehouse)])
    expect(steps.flat().every(({ outcome, step }) => outcome === 'done' && step === 'publish')).toBe(true)
    expect(await runRebalances(warehouse)).toEqual([])
    const published = await versions()
    expect(published.map((row) => row.version)).toEqual(['1', '2026-06-03'])
    const session = await openReadSession(warehouse, { as_of: null, tables: ['index_pro_forma'] })
    const rows = await session
      .query('select * from index_pro_forma order by effective_from')
      .finally(() => session.close())
    expect(rows).toHaveLength(2)
    const [, frozen] = rows
    const [, version] = published
    expect(version!.definition).toBe(frozen!.definition)
    const weights = (row: Row) => (row.constituents as Row[]).map((one) => [one.constituent_id, one.target_weight])
    expect(weights(version!)).toEqual(weights(frozen!))
    expect(new Set((version!.constituents as Row[]).map((one) => one.market_id))).toEqual(new Set([A, B, F]))
    expect(await verifyRebalance(warehouse, 'idx_rule')).toEqual([])
  })

  test('another composition than the rule gives is found', async () => {
    const [, version] = await versions()
    const definition = JSON.parse(String(version!.definition)) as VersionFile
    const proposed = {
      file: { ...definition, constituents: definition.constituents!.slice(1) },
      weights: ['0.5000000000', '0.5000000000'],
    }
    expect(await verifyRebalance(world.warehouse, 'idx_rule', proposed)).toEqual([
      'DIFFERS_FROM_ANNOUNCED',
      'SELECTION_DIFFERS',
    ])
  })
})

describe('drift', () => {
  test('a constituent that is no longer eligible is shown with what changed, and is to be proposed for removal', async () => {
    world.at('2026-06-05T00:00:00Z')
    const drift = await showDrift(world.warehouse, { index_id: 'idx_rule', as_of: null })
    const of_a = drift.constituents.find((one) => one.market_id === A)!
    expect([of_a.status, of_a.reason_codes]).toEqual(['ineligible', ['RATING_BAND_TOO_LOW']])
    expect(of_a.changed_facts).toEqual([{ fact: 'rating_band', at_selection: 'MR1', now: 'MR5' }])
    expect(drift.proposal!.removals.map((one) => one.market_id)).toEqual([A])
    const before = await showDrift(world.warehouse, { index_id: 'idx_rule', as_of: '2026-05-20T00:00:00Z' })
    expect([before.index_version_id === drift.index_version_id, before.proposal]).toEqual([false, null])
  })

  test('the draft of the version without it selects anew, from facts that know of the drift', async () => {
    world.at('2026-06-05T00:00:30Z')
    const draft = await draftOfDrift(world.warehouse, { index_id: 'idx_rule', effective_from: null })
    expect([draft.version, draft.effective_from]).toEqual(['2026-06-12-drift', '2026-06-12T00:00:00Z'])
    expect(draft.rationale).toEqual([
      expect.stringMatching(
        /^removes con_.* \(mkt_.*\), ineligible by pol_core version 1: RATING_BAND_TOO_LOW; rating_band was MR1, is MR5$/,
      ),
    ])
    const { content } = await contentOfFile(world.warehouse, file('draft.yaml', draft.definition))
    const { constituents } = content.definition as unknown as VersionFile
    expect(constituents!.map(({ source_market_id }) => source_market_id).sort()).toEqual(['b', 'f'])
  })

  test('the API shows the published decisions: equal to what is computed, and to the views', async () => {
    await publishDecisions(world.warehouse)
    const drift = await showDrift(world.warehouse, { index_id: 'idx_rule', as_of: null })
    await sealWarehouse(world.warehouse, '2026-06-04T00:00:00Z')
    const api = await serve(root)
    const index = await api.get('/indexes/idx_rule/eligibility')
    assertMatchesOperation('get_index_eligibility', index.body)
    const constituents = rowOf(index).constituents as unknown as Row[]
    expect(constituents.map((one) => [one.market_id, one.status, one.reason_codes, one.changed_facts])).toEqual(
      drift.constituents.map((one) => [one.market_id, one.status, one.reason_codes, one.changed_facts]),
    )
    expect(rowOf(index).removals).toEqual(drift.proposal!.removals.map((one) => one.constituent_id))
    const market = await api.get(`/eligibility/markets/${A}?policy_id=pol_core&version=1`)
    assertMatchesOperation('get_market_eligibility', market.body)
    expect(rowOf(market)).toMatchObject({ status: 'ineligible', revision: 2 })
    const earlier = rowOf(
      await api.get(`/eligibility/markets/${A}?policy_id=pol_core&version=1&as_of=2026-05-20T00:00:00Z`),
    )
    expect(earlier).toMatchObject({ status: 'eligible', revision: 1 })
    expect(rowOf(await api.get(`/eligibility/markets/${A}`))).toMatchObject({
      policy_id: 'pol_source_terms',
      status: 'eligible',
    })
    expect(rowOf(await api.get(`/eligibility/markets/${A}?policy_id=pol_core`))).toMatchObject({
      policy_version: 2,
      status: 'unknown',
      reason_codes: ['NOT_EVALUATED'],
    })
    const policies = await api.get('/eligibility/policies')
    assertMatchesOperation('list_eligibility_policies', policies.body)
    expect(rowsOf(policies).map((one) => [one.policy_id, one.version])).toEqual([
      ['pol_core', 1],
      ['pol_core', 2],
      ['pol_source_terms', 1],
    ])
    const pro_forma = await api.get('/indexes/idx_rule/pro-forma')
    assertMatchesOperation('get_index_pro_forma', pro_forma.body)
    expect(rowOf(pro_forma)).toMatchObject({ version: '2026-06-03', effective_from: '2026-06-03T14:00:00Z' })
    const first = rowOf(await api.get('/indexes/idx_rule/pro-forma?as_of=2026-05-31T13:59:59Z'))
    expect(first.version).toBe('1')
    expect(rowOf(await api.get('/indexes/idx_rule/pro-forma?effective_from=2026-05-06T14:00:00Z'))).toEqual(first)
    const policy = await api.get('/eligibility/policies/pol_core?version=1')
    assertMatchesOperation('get_eligibility_policy', policy.body)
    expect(rowOf(policy)).toEqual(rowsOf(policies)[0])
    expect(rowOf(await api.get('/eligibility/policies/pol_core'))).toEqual(rowsOf(policies)[1])
    for (const [path, code] of [
      ['/indexes/idx_rule/pro-forma?as_of=2026-04-21T00:00:00Z', 'INDEX_NOT_FOUND'],
      ['/indexes/idx_rule/pro-forma?effective_from=2026-05-07T14:00:00Z', 'INDEX_VERSION_NOT_FOUND'],
      ['/eligibility/policies/pol_core?version=9', 'GOVERNANCE_NOT_FOUND'],
      ['/eligibility/policies/pol_core?as_of=2026-04-21T00:00:00Z', 'GOVERNANCE_NOT_FOUND'],
      ['/eligibility/policies/pol_source_terms/proof', 'GOVERNANCE_NOT_FOUND'],
      ['/indexes/idx_rule/pro-forma/proof', 'PROOF_PENDING'],
      ['/indexes/idx_none/eligibility', 'INDEX_NOT_FOUND'],
      ['/eligibility/markets/mkt_none', 'MARKET_NOT_FOUND'],
      [`/eligibility/markets/${A}?policy_id=pol_none`, 'GOVERNANCE_NOT_FOUND'],
      [`/eligibility/markets/${A}?policy_id=pol_core&version=9`, 'GOVERNANCE_NOT_FOUND'],
    ])
      expect([path, (await api.get(path!)).body.error?.code]).toEqual([path, code])
    await logEverything()
    for (const record of await loggedRecords(api.base_url)) {
      const proof = rowOf(await api.get(record.proof)) as unknown as RecordProof
      const { entry } = verifyRecordProof(proof, LOG_KEY.key)
      expect([entry.kind, entry.record_id]).toEqual([record.kind, record.record_id])
      expect(canonicalJson(record.record)).toBe(proof.record_text)
    }
  })
})

async function logEverything(): Promise<void> {
  const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
  const writer = await openLogWriter({ warehouse: world.warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  writer.close()
}

/** Records of eligibility as `tidemark verify everything` reads them. */
async function loggedRecords(base_url: string) {
  const api = createPublicApi(base_url)
  const as_of = '2026-06-05T00:00:00Z'
  const policies = await records.recordsOfPolicies(api, as_of, createFindings())
  const published = await records.readVersions(api, 'idx_rule', as_of)
  const pro_formas = await records.readProFormas(api, published, as_of)
  expect([policies.length, pro_formas.length]).toEqual([2, 2])
  const findings = createFindings()
  records.checkFrozen(pro_formas, published, findings)
  expect(findings.failures()).toEqual([])
  return [...policies, ...records.recordsOfProFormas(pro_formas)]
}
