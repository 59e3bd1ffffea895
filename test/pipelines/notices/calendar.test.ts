import { expect, test } from 'vitest'
import { type CalendarRecords, calendarOf, calendarRange, dayOf } from '../../../pipelines/notices/calendar.ts'
import { toMicros } from '../../../primitives/instants.ts'

const published_at = '2026-01-01T00:00:00Z'
const records: CalendarRecords = {
  versions: [
    {
      index_version_id: 'idv_1',
      index_id: 'idx_a',
      version: '1',
      effective_from: '2025-12-31T23:59:59Z',
      published_at,
    },
    {
      index_version_id: 'idv_2',
      index_id: 'idx_a',
      version: '2',
      effective_from: '2026-02-01T00:00:00Z',
      published_at,
    },
  ],
  proposals: [
    proposal('prp_1', 'queued', '2026-01-20T00:00:00Z'),
    proposal('prp_2', 'vetoed', '2026-01-20T00:00:00Z'),
    proposal('prp_3', 'proposed', null),
  ],
  rosters: [expiring(1, '2026-01-10T00:00:00Z'), expiring(2, '2026-03-01T00:00:00Z')],
  policies: [expiring(1, '2026-04-01T00:00:00Z')],
  ratings: [rating('rtg_1', '2026-01-20T00:00:00Z'), rating('rtg_2', null)],
}

function proposal(proposal_id: string, state: string, effective_at: string | null) {
  const ends = { comment_ends_at: '2026-01-05T00:00:00Z', vote_ends_at: '2026-01-06T00:00:00Z', lapses_at: null }
  const named = { proposal_id, target: 'idx_a', change_class: 'material', state, effective_at }
  return { ...named, ...ends, proposed_at: published_at, published_at }
}
function expiring(version: number, expires_at: string) {
  return { version, record_hash: `hash_${version}`, expires_at, published_at }
}
function rating(rating_id: string, effective_to: string | null) {
  return { rating_id, market_id: 'mkt_a', band: 'MR2', effective_to, published_at }
}

const range = { from: toMicros('2026-01-01T00:00:00Z'), to: toMicros('2026-04-01T00:00:00Z') }

test('a calendar has what is due in its range, in order: an end that was vetoed or replaced is not due', () => {
  const entries = calendarOf(records, range)
  expect(entries.map(({ kind, subject_id }) => `${kind} ${subject_id}`).sort()).toEqual([
    'comment_end prp_3',
    'notice_end prp_1',
    'rating_expiry rtg_1',
    'rebalance idv_2',
    'roster_expiry hash_2',
    'vote_end prp_3',
  ])
  expect(entries.map(({ at }) => at)).toEqual([
    '2026-01-05T00:00:00Z',
    '2026-01-06T00:00:00Z',
    '2026-01-20T00:00:00Z',
    '2026-01-20T00:00:00Z',
    '2026-02-01T00:00:00Z',
    '2026-03-01T00:00:00Z',
  ])
  expect(calendarOf(records, { from: range.to, to: range.to + 1 }).map(({ kind }) => kind)).toEqual(['policy_expiry'])
})

test('an emergency in force lapses, unless it was ratified; without a delay no comments and no vote end', () => {
  const lapses_at = '2026-01-09T00:00:00Z'
  const urgent = { ...proposal('prp_4', 'effective', published_at), change_class: 'emergency', lapses_at }
  const of = (one: typeof urgent) =>
    calendarOf({ ...records, proposals: [one], versions: [], rosters: [], ratings: [] }, range)
  expect(of(urgent)).toMatchObject([
    { kind: 'emergency_lapse', at: lapses_at, title: 'The emergency change of idx_a lapses unless it is ratified' },
  ])
  const never = { ...urgent, lapses_at: null as unknown as string, vote_ends_at: null as unknown as string }
  expect(of(never)).toEqual([])
  expect(of({ ...never, state: 'proposed', comment_ends_at: published_at })).toEqual([])
})

test('two ranges side by side have what their union has, each entry once', () => {
  const middle = toMicros('2026-01-20T00:00:00Z')
  const parts = [...calendarOf(records, { ...range, to: middle }), ...calendarOf(records, { ...range, from: middle })]
  expect(parts).toEqual(calendarOf(records, range))
  expect(new Set(parts.map(({ entry_id }) => entry_id)).size).toBe(parts.length)
})

test('a range without bounds begins at the beginning of the day', () => {
  expect(dayOf(toMicros('2026-01-20T23:59:59.999999Z'))).toBe(toMicros('2026-01-20T00:00:00Z'))
})

test('a range has an end after its beginning, at most 400 days later; without one it has 90 days from today', () => {
  const at = toMicros('2026-01-02T15:00:00Z')
  const from = toMicros('2026-01-02T00:00:00Z')
  const day = 86_400_000_000
  expect(calendarRange({ from: null, to: null }, at)).toEqual({ range: { from, to: from + 90 * day }, refused: null })
  const refusedOf = (to: number) => calendarRange({ from, to }, at).refused
  expect([from + 1, from + 400 * day].map(refusedOf)).toEqual([null, null])
  const accepted = 'after 2026-01-02T00:00:00Z, at most 400 days later'
  expect([from - 1, from, from + 400 * day + 1].map(refusedOf)).toEqual([accepted, accepted, accepted])
})
