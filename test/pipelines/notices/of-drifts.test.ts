import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { driftSteps } from '../../../pipelines/eligibility/drift-steps.ts'
import { NOTICE_FORMS } from '../../../pipelines/notices/change-name.ts'
import { type DriftFact, driftNoticeId, noticesOfDrifts, unmetIn } from '../../../pipelines/notices/of-drifts.ts'

const FACT = {
  ...{ index_id: 'idx_a', index_version_id: 'idv_a', policy_id: 'pol_a', policy_version: 2, drift_after: 'P3D' },
  ...{ since: 1_800_000_000_000_000, at: 1_800_300_000_000_000, removed: [], decision_ids: ['eld_a'], refused: null },
  ...{ constituents: [], draft: { version: '2-drift', effective_from: '2027-02-01T00:00:00Z', text: '{}' } },
} as unknown as DriftFact
const DRAFT = `tidemark governance drift idx_a --notice ${driftNoticeId(FACT)} --out draft.json`

test('the notice of a drift names every step from its draft to a proposal, in order', () => {
  const [notice] = noticesOfDrifts([FACT])
  expect(notice!.text).toContain(`Members adopt it: ${[DRAFT, ...driftSteps('draft.json')].join('; ')}.`)
  expect(driftSteps('draft.json').map((step) => step.split(' ')[2])).toEqual(['diff', 'impact', 'impact', 'propose'])
})

test('a notice of an earlier form is derived as it was published', () => {
  for (const form of NOTICE_FORMS.filter((one) => one < 4))
    expect(noticesOfDrifts([FACT], form)[0]!.text).toMatch(
      `A member adopts it: ${DRAFT}, then tidemark governance propose draft.json.`,
    )
})

test('the document of eligibility has the same steps, of a draft and of a notice', () => {
  const text = readFileSync('docs/eligibility.md', 'utf8')
  for (const file of ['draft.yaml', 'draft.json'])
    expect(text).toContain(
      driftSteps(file)
        .map((step) => `    ${step}\n`)
        .join(''),
    )
})

test('a draft that begins before a proposal can take effect says so, in the newest form alone', () => {
  const earliest_effect_at = '2027-02-09T00:00:00Z'
  const late = { ...FACT, draft: { ...FACT.draft!, earliest_effect_at } }
  const [notice] = noticesOfDrifts([late])
  expect(notice!.text).toContain(`its notice end at ${earliest_effect_at} at the earliest. The index needs a longer`)
  expect(unmetIn(notice!.text)).toBe(earliest_effect_at)
  expect(unmetIn(noticesOfDrifts([FACT])[0]!.text)).toBeNull()
  expect(noticesOfDrifts([late], 4)).toEqual(noticesOfDrifts([FACT], 4))
})

test('earlier forms have the draft by the name of its day, even if it was taken', () => {
  const draft_before = { ...FACT.draft!, version: 'day-drift', text: '{"by":"day"}' }
  const [now, before] = [5, 4].map((form) => noticesOfDrifts([{ ...FACT, draft_before }], form as 5)[0]!)
  expect([now!.draft, before!.draft]).toEqual(['{}', draft_before.text])
  expect(before!.text).toContain('version day-drift from')
  expect(before!.draft_sha256).not.toBe(now!.draft_sha256)
  expect(before!.notice_id).toBe(now!.notice_id)
})
