import { expect, test } from 'vitest'
import { checkRestatements, revisionOf, type ServedRevision } from '../../../client/everything/check-restatements.ts'
import type { ReplayedGovernance } from '../../../client/everything/replay-acts.ts'
import { createFindings } from '../../../client/everything/report.ts'
import type { PublicApi } from '../../../client/http/public-api.ts'
import { NO_GOVERNANCE, type Proposal } from '../../../pipelines/governance/proposal.ts'
import { methodologyHash } from '../../../pipelines/index/methodology.ts'
import { resolveParameters } from '../../../pipelines/index/parameters.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'

const GOVERNED = '2026-01-05T00:00:00Z'
const ACTIVE = '2026-01-20T00:00:00Z'
const content = {
  ...{
    index_id: 'idx_a',
    from: '2026-01-01T00:00:00Z',
    to: '2026-01-04T00:00:00Z',
    cause: 'LATE_DATA',
    as_of: GOVERNED,
  },
  ticks: [
    {
      ...{ tick_at: '2026-01-02T00:00:00Z', supersedes_id: 'iob_a', old_level: '50.0000' },
      ...{ new_level: '55.0000', quality_state: 'valid' },
    },
  ],
}
const proposals = [
  { kind: 'index_adoption', proposal_id: 'prp_adopted', target: 'idx_a', content: { index_id: 'idx_a' } },
  { kind: 'restatement', proposal_id: 'prp_late', target: 'idx_a:levels', content },
] as unknown as readonly Proposal[]

function governance(activated: Readonly<Record<string, string>>, held: string | null = null): ReplayedGovernance {
  const state = { ...NO_GOVERNANCE, proposals: new Map(proposals.map((one) => [one.proposal_id, one])) }
  const recordedAt = (id: string, act: string) =>
    act === 'activate' && activated[id] !== undefined ? toMicros(activated[id]) : null
  const heldAt = (id: string) => (id === 'prp_adopted' && held !== null ? toMicros(held) : null)
  return { state, history: new Map(), recordedAt, heldAt }
}
const BOTH = { prp_adopted: GOVERNED, prp_late: ACTIVE }

const approved: ServedRevision = {
  ...{ observation_id: 'iob_b', index_version_id: 'idv_a', supersedes_id: 'iob_a', tick_at: '2026-01-02T00:00:00Z' },
  ...{ published_at: '2026-01-20T00:00:01Z', quality_state: 'valid', new_level: '55.0000' },
}

const texts = resolveParameters({})
const parameters = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null))
/** Answers what the check asks: one version of the index, its methodology, and the level that a revision supersedes. */
const api = {
  list: async (path: string) =>
    path.endsWith('/versions')
      ? [{ index_version_id: 'idv_a', methodology_id: 'mth_a', methodology_version: '1' }]
      : [],
  read: async (path: string) =>
    path.startsWith('/methodologies/')
      ? { ...{ methodology_id: 'mth_a', version: '1', parameters }, content_hash: methodologyHash(texts) }
      : { level: '50.0000' },
} as unknown as PublicApi

async function failuresOf(
  revisions: readonly ServedRevision[],
  activated: Readonly<Record<string, string>> = BOTH,
  is_whole = true,
  held: string | null = null,
) {
  const findings = createFindings()
  await checkRestatements(api, 'idx_a', { revisions, is_whole }, { governance: governance(activated, held), findings })
  const { checked } = findings.parts().find(({ check }) => check === 'restated')!
  return { checked, failures: findings.failures().map(({ subject, message }) => `${subject}: ${message}`) }
}

test('a late revision as it was approved stands', async () => {
  expect(await failuresOf([approved])).toEqual({ checked: 1, failures: [] })
})

test('a late revision and its approval are one level; an approved one that is not published is one too', async () => {
  const checked = async (revisions: readonly ServedRevision[], is_whole = true) =>
    (await failuresOf(revisions, BOTH, is_whole)).checked
  expect(await checked([])).toBe(1)
  expect(await checked([{ ...approved, supersedes_id: 'iob_c', new_level: '50.0400' }])).toBe(2)
  expect(await checked([approved], false)).toBe(1)
  expect(await checked([], false)).toBe(0)
})

test.each([
  ['with another value', { new_level: '56.0000' }, 'new_level 56.0000; prp_late approved 55.0000'],
  ['before the proposal took effect', { published_at: '2026-01-19T00:00:00Z' }, 'before prp_late took effect'],
  ['of a level that nobody named', { supersedes_id: 'iob_c' }, 'no proposal in force approved it'],
])('a late revision %s does not', async (_name, change, message) => {
  const { failures } = await failuresOf([{ ...approved, ...change }])
  expect(failures.join()).toContain(message)
})

test('an approved level that is not published is missing, unless only later levels were read', async () => {
  expect((await failuresOf([])).failures).toEqual([
    'prp_late, 2026-01-02T00:00:00Z: 55.0000 was approved, and is not published',
  ])
  expect((await failuresOf([], BOTH, false)).failures).toEqual([])
})

test.each([
  ['small', { new_level: '50.0400' }],
  ['soon after its tick', { tick_at: '2026-01-18T12:00:00Z' }],
  ['before the index was governed', { published_at: '2026-01-04T23:00:00Z' }],
])('a revision that is %s needs no vote', async (_name, change) => {
  const { failures } = await failuresOf([{ ...approved, supersedes_id: 'iob_c', ...change }], BOTH, false)
  expect(failures).toEqual([])
})

test('nothing is asked of an index that nobody governs; a first level is no revision', async () => {
  expect(await failuresOf([approved], {})).toEqual({ checked: 0, failures: [] })
  expect(revisionOf({ supersedes_id: null } as IndexObservation)).toBeNull()
  expect(revisionOf({ ...approved, level: '55.0000' } as never)).toEqual(approved)
})

test('a late revision of an index whose adoption is approved waits for a vote, if its approval says so', async () => {
  const queued = { ...approved, supersedes_id: 'iob_c', published_at: '2026-01-04T23:00:00Z' }
  const held = async (since: string | null) => (await failuresOf([queued], BOTH, false, since)).failures
  expect(await held(null)).toEqual([])
  expect((await held('2026-01-04T22:00:00Z')).join()).toContain('no proposal in force approved it')
  expect(await held('2026-01-04T23:30:00Z')).toEqual([])
  expect((await failuresOf([queued], {}, false, '2026-01-04T22:00:00Z')).failures).toEqual([])
})
