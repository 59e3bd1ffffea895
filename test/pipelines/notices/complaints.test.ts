import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMPLAINT_MOVES, type Complaint, decideComplaint } from '../../../pipelines/notices/complaint.ts'
import { type NoticeAct, noticeActText, parseNoticeAct } from '../../../pipelines/notices/notice-act.ts'
import { noticeDetails, noticeOfAct, writtenNoticeId } from '../../../pipelines/notices/notice-form.ts'
import { MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import { COMPLAINT_STATES, NOTICE_ACTS, type NoticeActName } from '../../../vocabulary/notices.ts'
import { type Person, person, rosterOfPeople } from '../../support/review-world.ts'

const T0 = toMicros('2026-01-05T00:00:00Z')
const member = person('member', 'committee')
const other = person('other', 'committee')
const overseer = person('overseer', 'oversight')
const analyst = person('analyst', 'analyst')
const operator = person('operator', 'operator')
const roster = rosterOfPeople([member, other, overseer, analyst, operator])

const FILED = {
  filed_at: '2026-01-04T00:00:00Z',
  subject_kind: 'index',
  subject_id: 'idx_a',
  text_sha256: 'a'.repeat(64),
}
const DETAILS: Readonly<Record<NoticeActName, NoticeAct['details']>> = {
  publish_notice: {},
  publish_complaint: { ...FILED, text: 'The level is wrong.', is_redacted: false },
  decline_complaint: { ...FILED, reason: 'an insult' },
  assign_complaint: { handler: 'overseer' },
  resolve_complaint: { outcome: 'upheld', reason: 'it was wrong' },
}

function act(by: Person, name: NoticeActName, details = DETAILS[name], involved: readonly string[] = []) {
  const signed = { act: name, subject_id: 'cmp_a', details, actor_id: by.member.actor_id, acted_at: T0 }
  const request = { act: signed, public_key: by.public_key, recorded_at: T0 }
  return (before: Complaint | null) => decideComplaint(before, request, { roster, involved: new Set(involved) })
}

const published = act(operator, 'publish_complaint')(null)
const assigned = act(member, 'assign_complaint')(published)

test('a complaint is read, assigned and resolved; what was signed is what is published', () => {
  expect(published).toMatchObject({ state: 'published', revision: 1, text: 'The level is wrong.', handler: null })
  expect(assigned).toMatchObject({ state: 'assigned', revision: 2, handler: 'overseer' })
  const resolved = act(overseer, 'resolve_complaint')(assigned)
  expect(resolved).toMatchObject({ state: 'resolved', revision: 3, outcome: 'upheld', reason: 'it was wrong' })
})

test('an outcome names the proposal that it led to, unless the complaint is rejected', () => {
  const proposal_id = `prp_${'a'.repeat(64)}`
  const resolve = (details: object) => act(overseer, 'resolve_complaint', { ...DETAILS.resolve_complaint, ...details })
  expect(resolve({})(assigned).proposal_id).toBeNull()
  expect(resolve({ proposal_id })(assigned)).toMatchObject({ outcome: 'upheld', proposal_id })
  expect(() => resolve({ proposal_id, outcome: 'rejected' })(assigned)).toThrow('none: the complaint is rejected')
  for (const wrong of ['prp_a', 'chg_1', 7])
    expect(() => resolve({ proposal_id: wrong })(assigned)).toThrow('proposal_id')
})

test('a declined complaint has no text, and is over', () => {
  const declined = act(operator, 'decline_complaint')(null)
  expect(declined).toMatchObject({ state: 'declined', text: null, reason: 'an insult' })
  expect(() => act(member, 'assign_complaint')(declined)).toThrow('declined, in which assign_complaint is refused')
})

describe('nobody judges their own work', () => {
  test('who took part in the matter is not assigned it', () => {
    expect(() => act(member, 'assign_complaint', undefined, ['overseer'])(published)).toThrow(
      'handler is overseer, who took part in the matter; allowed: a member who took no part in it',
    )
  })

  test('who takes part in it later does not resolve it; another is assigned', () => {
    expect(() => act(overseer, 'resolve_complaint', undefined, ['overseer'])(assigned)).toThrow('took part')
    const again = act(member, 'assign_complaint', { handler: 'other' }, ['overseer'])(assigned)
    expect(again).toMatchObject({ state: 'assigned', handler: 'other', revision: 3 })
  })

  test('only the one to whom it is assigned resolves it', () => {
    expect(() => act(member, 'resolve_complaint')(assigned)).toThrow('actor is member; allowed: overseer')
  })

  test.each(['analyst', 'operator', 'nobody'])('%s is not assigned a complaint', (handler) => {
    expect(() => act(member, 'assign_complaint', { handler })(published)).toThrow('a member with a role of')
  })
})

test.each([
  [analyst, 'publish_complaint'],
  [analyst, 'assign_complaint'],
  [operator, 'resolve_complaint'],
  [overseer, 'publish_complaint'],
] as const)('a role that does not allow an act refuses it', (by, name) => {
  expect(() => act(by, name)(name === 'publish_complaint' ? null : published)).toThrow('allowed to')
})

test('an act of an old signature, of another key and of an unknown one is refused', () => {
  const signed = { act: 'publish_complaint', subject_id: 'cmp_a', details: DETAILS.publish_complaint } as const
  const decide = (actor_id: string, public_key: string, acted_at: number) =>
    decideComplaint(
      null,
      { act: { ...signed, actor_id, acted_at }, public_key, recorded_at: T0 },
      { roster, involved: new Set() },
    )
  expect(() => decide('member', member.public_key, T0 - MICROS_PER_DAY - 1)).toThrow('acted_at')
  expect(() => decide('member', other.public_key, T0)).toThrow('actor_id is member; allowed: other')
  expect(() => decide('member', person('x', 'committee').public_key, T0)).toThrow('key is')
})

test('the table of states is total: what it does not allow is refused', () => {
  const states = COMPLAINT_STATES.map((state) => ({ ...published, state, handler: 'overseer' }))
  for (const before of states) {
    for (const name of NOTICE_ACTS.filter((one) => one !== 'publish_notice')) {
      const by = name === 'resolve_complaint' ? overseer : member
      const decide = () => act(by, name)(before.state === 'received' ? null : before)
      const next = COMPLAINT_MOVES[before.state][name as keyof (typeof COMPLAINT_MOVES)['received']]
      if (next === undefined) expect(decide).toThrow('is refused')
      else expect(decide()).toMatchObject({ state: next })
    }
  }
})

const NOTICE =
  'notice: { kind: degraded_service, title: Maintenance, text: "No levels.", starts_at: 2026-01-05T00:00:00Z }'

describe('a written notice', () => {
  const noticeOf = (text: string, known: readonly string[] = []) => {
    const details = noticeDetails(text, 'notice.yaml')
    const signed = { act: 'publish_notice', subject_id: writtenNoticeId(details), details } as const
    return noticeOfAct({ ...signed, actor_id: 'member', acted_at: T0 }, new Set(known))
  }

  test('has the content of its file, and an id that follows from it', () => {
    expect(noticeOf(NOTICE)).toMatchObject({ kind: 'degraded_service', title: 'Maintenance', source_ids: [] })
    expect(noticeOf(NOTICE).notice_id).toBe(noticeOf(NOTICE).notice_id)
    expect(noticeOf(NOTICE.replace('No levels', 'Some levels')).notice_id).not.toBe(noticeOf(NOTICE).notice_id)
  })

  const correction =
    'notice: { kind: correction, title: Wrong year, text: The year is 2026., corrects_notice_id: ntc_a }'

  test('corrects a notice by naming it, if it was published', () => {
    expect(noticeOf(correction, ['ntc_a'])).toMatchObject({ corrects_notice_id: 'ntc_a' })
    expect(() => noticeOf(correction)).toThrow('corrects_notice_id is ntc_a; allowed: a published notice')
  })

  const CHANGE = '{ record_id: obs_1, field: level, old_value: "10", new_value: "11" }'
  const withChanges = `notice: { kind: correction, title: A level, text: It was wrong., changes: [${CHANGE}] }`

  test('has changes, also beside the notice, where those published before have them', () => {
    const changes = [{ record_id: 'obs_1', at: null, field: 'level', old_value: '10', new_value: '11' }]
    expect(noticeOf(withChanges).changes).toEqual(changes)
    const earlier = `${withChanges.replace(/, changes: .*/, ' }')}\nchanges: [${CHANGE}]`
    expect(noticeOf(earlier).changes).toEqual(changes)
    expect(noticeOf(NOTICE).changes).toEqual([])
  })

  const OF_DOCUMENTS: Readonly<Record<string, string>> = {
    ...{ index_id: 'idx_a', market_id: 'mkt_a', venue_id: 'kalshi', proposal_id: 'gpr_a', cause: 'A mistake' },
    effective_at: '2026-01-10T06:00:00Z',
    starts_at: '2026-01-10T06:00:00Z',
    ends_at: '2026-01-10T07:00:00Z',
    corrects_notice_id: 'ntc_a',
    changes: `[${CHANGE}]`,
  }

  test('takes each combination of the documented fields', () => {
    const section = /## Write one\n(.*?)\n## /s.exec(readFileSync('docs/notices.md', 'utf8'))![1]!
    const names = Object.keys(OF_DOCUMENTS)
    for (const name of names) expect(section).toContain(name)
    for (let mask = 0; mask < 2 ** names.length; mask += 1) {
      const used = names.filter((_, n) => (mask >> n) % 2 === 1)
      const corrects = used.includes('corrects_notice_id') || used.includes('changes')
      const fields = used.map((name) => `, ${name}: ${OF_DOCUMENTS[name]}`).join('')
      const text = `notice: { kind: ${corrects ? 'correction' : 'announcement'}, title: A title, text: A text.${fields} }`
      const notice = noticeOf(text, ['ntc_a']) as unknown as Readonly<Record<string, unknown>>
      const shown = names.filter((name) => notice[name] !== null && String(notice[name]) !== '')
      expect([text, shown]).toEqual([text, used])
    }
  })

  test.each([
    ['a kind that members do not write', NOTICE.replace('degraded_service', 'complaint_outcome')],
    ['no beginning', NOTICE.replace(', starts_at: 2026-01-05T00:00:00Z', '')],
    ['an end before its beginning', NOTICE.replace(' }', ', ends_at: 2026-01-04T00:00:00Z }')],
    ['a correction of nothing', correction.replace(', corrects_notice_id: ntc_a', '')],
    ['an announcement that corrects', correction.replace('kind: correction', 'kind: announcement')],
    ['an end of no index', 'notice: { kind: cessation, title: End, text: It ends. }'],
    ['a text that turns its order', NOTICE.replace('No levels', '\\u202eslevel')],
    ['an unknown field', NOTICE.replace(' }', ', color: red }')],
    ['changes given twice', `${withChanges}\nchanges: [${CHANGE}]`],
    ['a change without its new value', withChanges.replace(', new_value: "11"', '')],
  ])('with %s is refused', (_name, text) => {
    expect(() => noticeOf(text, ['ntc_a'])).toThrow(expect.objectContaining({ code: 'VALIDATION_DEFINITION_INVALID' }))
  })
})

test('one changed byte of a signed text is another text, and unknown content is not ignored', () => {
  const signed = {
    act: 'assign_complaint',
    subject_id: 'cmp_a',
    details: { handler: 'x' },
    actor_id: 'member',
  } as const
  const text = noticeActText({ ...signed, acted_at: T0 })
  expect(noticeActText(parseNoticeAct(text))).toBe(text)
  for (const wrong of [`${text} `, text.replace('{', '{"a":1,'), text.replace('assign', 'grant'), '{}', 'null', 'x'])
    expect(() => parseNoticeAct(wrong)).toThrow('tidemark.notice.v1')
})
