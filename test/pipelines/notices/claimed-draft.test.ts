import { describe, expect, test } from 'vitest'
import { claimedNotices, claimFault } from '../../../pipelines/notices/claimed-draft.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'

const member = (constituent_id: string, target_weight: string) => ({ constituent_id, target_weight })
const VERSION = {
  version: '2026-06-02-drift',
  change_summary: ['drafted by notice ntc_1', 'removes con_b'],
  constituents: [member('con_a', '0.6'), member('con_c', '0.4')],
}
const draftOf = (version: object) => canonicalJson({ index: {}, methodology: {}, versions: [version] })
const NOTICES = [
  { notice_id: 'ntc_1', draft: draftOf(VERSION) },
  { notice_id: 'ntc_2', draft: null },
]

describe('a version that says a notice drafted it', () => {
  test('is that draft, byte by byte', () => {
    expect(claimFault(VERSION, NOTICES)).toBeNull()
  })

  test.each([
    ['keeps only the constituent that it was to remove', { ...VERSION, constituents: [member('con_b', '1')] }],
    ['has other weights', { ...VERSION, constituents: [member('con_a', '0.5'), member('con_c', '0.5')] }],
    ['has another start', { ...VERSION, effective_from: '2026-06-03T00:00:00Z' }],
    ['says more than the notice', { ...VERSION, change_summary: [...VERSION.change_summary, 'and more'] }],
  ])('and %s, makes a false claim', (_name, version) => {
    expect(claimFault(version, NOTICES)).toBe('it names notice ntc_1 as its draft, and differs from that draft')
  })

  test.each(['ntc_2', 'ntc_none'])('names %s, which has no draft', (notice_id) => {
    const version = { ...VERSION, change_summary: ['a note', `re-drafted by notice ${notice_id}`] }
    expect(claimedNotices(version)).toEqual([notice_id])
    expect(claimFault(version, NOTICES)).toBe(`it names notice ${notice_id} as its draft, and no such notice has one`)
  })

  test('may have the constituents that its selection adds', () => {
    const { constituents, ...rules } = { ...VERSION, selection: { count: 2 } }
    const notices = [{ notice_id: 'ntc_1', draft: draftOf(rules) }]
    expect(claimFault({ ...rules, constituents }, notices)).toBeNull()
    expect(claimFault({ ...rules, selection: { count: 1 }, constituents }, notices)).toMatch('differs')
    const { selection: _none, ...listed } = rules
    expect(claimFault({ ...listed, constituents }, notices)).toMatch('differs')
  })

  test.each([[{ ...VERSION, change_summary: ['by hand'] }], [{}], [undefined], [null]])(
    'claims nothing: %j',
    (version) => {
      expect([claimedNotices(version), claimFault(version, NOTICES)]).toEqual([[], null])
    },
  )
})
