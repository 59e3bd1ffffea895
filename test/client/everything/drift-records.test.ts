import { expect, test } from 'vitest'
import { checkClaims } from '../../../client/everything/check-drifts.ts'
import { type DriftSources, readDriftRecords } from '../../../client/everything/drift-records.ts'
import { createFindings } from '../../../client/everything/report.ts'
import type { AnswerApi } from '../../../client/http/public-api.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { toMicros } from '../../../primitives/instants.ts'

const EFFECTIVE = '2026-03-02T10:00:00.594Z'
const DEFINED = '2026-03-02T10:00:00.703Z'
const PUBLISHED = '2026-03-02T10:00:00.777Z'

/** Service that knows one index since an instant. */
function knownSince(known_at: string) {
  const asked: string[] = []
  const api = {
    read: async (_path: string, { as_of }: { as_of: string }) => {
      asked.push(as_of)
      if (toMicros(as_of) < toMicros(known_at)) throw new Error('INDEX_NOT_FOUND')
      return { status: 'active' }
    },
    find: async () => null,
  }
  return { asked, api: api as unknown as AnswerApi }
}

function sources(published: readonly string[]): DriftSources {
  const versions = published.map((published_at, n) => ({
    resource: {
      index_id: 'idx_a',
      index_version_id: `idv_${n}`,
      effective_from: published_at,
      published_at,
      definition: {},
    },
    constituents: [],
  }))
  const states = [{ state: 'effective', target: 'idx_a', published_at: EFFECTIVE }]
  return {
    as_of: '2026-03-03T00:00:00Z',
    served: { policies: [], states },
    versions,
    notices: [],
  } as unknown as DriftSources
}

test.each([
  ['a new index, published after its proposal takes effect', DEFINED, [PUBLISHED], PUBLISHED],
  ['an index that is published and then governed', '2026-01-01T00:00:00Z', ['2026-01-01T00:00:00Z'], EFFECTIVE],
])('the first status of %s is asked for when it is known', async (_name, known_at, published, since) => {
  const { api, asked } = knownSince(known_at)
  const { records } = await readDriftRecords(api, sources(published))
  expect(asked).toEqual([since])
  expect(records.statuses).toEqual([{ index_id: 'idx_a', status: 'active', published_at: since }])
  expect(records.governed).toEqual([{ index_id: 'idx_a', since: EFFECTIVE }])
})

test('an approved index without a version is not asked for', async () => {
  const { api, asked } = knownSince('2100-01-01T00:00:00Z')
  expect((await readDriftRecords(api, sources([]))).records.statuses).toEqual([])
  expect(asked).toEqual([])
})

test('a version that names a notice as its author is the draft of that notice', () => {
  const version = {
    version: '2',
    change_summary: ['drafted by notice ntc_1'],
    constituents: [{ constituent_id: 'con_a' }],
  }
  const notices = [{ notice_id: 'ntc_1', draft: canonicalJson({ index: {}, versions: [version] }) }]
  const verdict = (definition: Record<string, unknown>) => {
    const { constituents, ...rules } = { ...version, ...definition }
    const members = constituents.map((one) => ({ definition: one }))
    const versions = [{ resource: { index_version_id: 'idv_2', definition: rules }, constituents: members }]
    const findings = createFindings()
    checkClaims({ versions, notices } as never, findings)
    const { checked, failed } = findings.parts().find(({ check }) => check === 'drift')!
    return [checked, failed]
  }
  expect(verdict({})).toEqual([1, 0])
  expect(verdict({ constituents: [{ constituent_id: 'con_b' }] })).toEqual([1, 1])
  expect(verdict({ change_summary: ['drafted by notice ntc_2'] })).toEqual([1, 1])
  expect(verdict({ change_summary: ['by hand'] })).toEqual([0, 0])
})
