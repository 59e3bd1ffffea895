import { describe, expect, test } from 'vitest'
import { indexVersionId } from '../../../pipelines/index/definition.ts'
import { type CalendarRecords, calendarOf, calendarRange, dayOf } from '../../../pipelines/notices/calendar.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { ProposalState } from '../../../vocabulary/governance.ts'

const published_at = '2026-01-01T00:00:00Z'
const records: CalendarRecords = {
  versions: [
    version('1', '2025-12-31T23:59:59Z', { effective_to: '2026-02-01T00:00:00Z' }),
    version('2', '2026-02-01T00:00:00Z'),
  ],
  compositions: [],
  indexes: [{ index_id: 'idx_a', status: 'active', since: '2025-12-31T00:00:00Z' }],
  proposals: [
    proposal('prp_1', 'queued', '2026-01-20T00:00:00Z'),
    proposal('prp_2', 'vetoed', '2026-01-20T00:00:00Z'),
    proposal('prp_3', 'proposed', null),
  ],
  rosters: [expiring(1, '2026-01-10T00:00:00Z'), expiring(2, '2026-03-01T00:00:00Z')],
  policies: [expiring(1, '2026-04-01T00:00:00Z')],
  ratings: [rating('rtg_1', '2026-01-20T00:00:00Z'), rating('rtg_2', null)],
}

function version(name: string, effective_from: string, rest: Partial<CalendarRecords['versions'][number]> = {}) {
  return {
    ...{ index_version_id: `idv_${name}`, index_id: 'idx_a', version: name, effective_from, published_at },
    ...{ effective_to: null, calculation_frequency: 'PT1M', fixing_at: null },
    ...rest,
  }
}
function proposal(proposal_id: string, state: ProposalState, effective_at: string | null) {
  const start = '2026-01-25T00:00:00Z'
  const content = { version: '1b', effective_from: start, definition: { calculation_frequency: 'PT1M' } }
  const change = { kind: 'index_version' as const, content: JSON.stringify(content) }
  const ends = { comment_ends_at: '2026-01-05T00:00:00Z', vote_ends_at: '2026-01-06T00:00:00Z', lapses_at: null }
  const named = { proposal_id, target: 'idx_a', change_class: 'material', state, effective_at }
  return { ...named, ...change, ...ends, proposed_at: published_at, published_at }
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
    ...['rebalance idv_2', `rebalance ${indexVersionId('idx_a', '1b')}`].sort(),
    'roster_expiry hash_2',
    'vote_end prp_3',
  ])
  expect(entries.map(({ at }) => at)).toEqual([
    '2026-01-05T00:00:00Z',
    '2026-01-06T00:00:00Z',
    '2026-01-20T00:00:00Z',
    '2026-01-20T00:00:00Z',
    '2026-01-25T00:00:00Z',
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

/** Days and times of the fixings of some records, in a range. */
function fixingsIn(some: Partial<CalendarRecords>, from = '2026-01-01T00:00:00Z', to = '2026-01-05T00:00:00Z') {
  const nothing = { versions: [], compositions: [], indexes: [], proposals: [], rosters: [], policies: [], ratings: [] }
  return calendarOf({ ...nothing, ...some }, { from: toMicros(from), to: toMicros(to) }).filter(
    ({ kind }) => kind === 'fixing' || kind === 'final_value',
  )
}
const instants = (entries: ReturnType<typeof fixingsIn>) => entries.map(({ at }) => at.slice(5, 16))
const fixed = version('1', '2026-01-01T16:00:00Z', { fixing_at: '16:00', effective_to: '2026-01-03T16:00:00Z' })

describe('fixings', () => {
  test('are daily, from the first tick of a version to before the first of its successor; the minutes between are none', () => {
    const next = version('2', '2026-01-03T16:00:00Z', { fixing_at: '09:30:00Z' })
    const entries = fixingsIn({ versions: [fixed, next] }, '2025-12-01T00:00:00Z', '2026-01-06T00:00:00Z')
    expect(instants(entries)).toEqual(['01-01T16:00', '01-02T16:00', '01-04T09:30', '01-05T09:30'])
    expect(entries[0]).toMatchObject({ subject_id: 'idv_1', index_id: 'idx_a', title: 'Fixing of idx_a, version 1' })
    expect(new Set(entries.map(({ entry_id }) => entry_id)).size).toBe(4)
  })

  test('a version without a fixing has none, however often it is computed', () => {
    expect(fixingsIn({ versions: [version('1', '2025-01-01T00:00:00Z')] })).toEqual([])
  })

  test('a fixing is a tick: one in seven hours meets a time of day once a week', () => {
    const rare = version('1', '2025-12-01T00:00:00Z', { calculation_frequency: 'PT7H', fixing_at: '14:00' })
    const ticks = instants(fixingsIn({ versions: [rare] }, '2026-01-01T00:00:00Z', '2026-01-15T00:00:00Z'))
    const every = Array.from({ length: 14 }, (_, day) => toMicros('2026-01-01T14:00:00Z') + day * 86_400_000_000)
    const frequency = 7 * 3_600_000_000
    expect(ticks).toEqual(
      every.filter((at) => at % frequency === 0).map((at) => new Date(at / 1000).toISOString().slice(5, 16)),
    )
    expect(ticks).toHaveLength(2)
  })

  test('of versions that begin together the one published last rules', () => {
    const corrected = { ...fixed, index_version_id: 'idv_9', fixing_at: '17:00', published_at: '2026-01-01T00:00:01Z' }
    const subjects = new Set(fixingsIn({ versions: [corrected, fixed] }).map(({ subject_id }) => subject_id))
    expect([...subjects]).toEqual(['idv_9'])
  })

  test('two ranges side by side have the fixings of their union', () => {
    const open = { versions: [{ ...fixed, effective_to: null }] }
    for (const middle of ['2026-01-03T15:59:59Z', '2026-01-03T16:00:00Z', '2026-01-03T16:00:00.000001Z']) {
      const parts = [...fixingsIn(open, undefined, middle), ...fixingsIn(open, middle)]
      expect(parts).toEqual(fixingsIn(open))
    }
  })
})

describe('an index that does not publish', () => {
  const open = { ...fixed, effective_to: null }
  const status = (name: string, since: string) => ({ index_id: 'idx_a', status: name, since })
  const content = (fields: object) => JSON.stringify({ index_id: 'idx_a', ...fields })
  const end = (state: ProposalState, effective_from: string, notice_ends = published_at) => ({
    ...proposal('prp_end', state, notice_ends),
    ...{ target: 'idx_a:status', kind: 'cessation' as const, content: content({ effective_from }) },
  })
  const queued = (name: string, effective_from: string) => ({
    ...end('queued', effective_from),
    ...{
      proposal_id: `prp_${name}`,
      kind: 'index_status' as const,
      content: content({ status: name, effective_from }),
    },
  })

  test.each(['suspended', 'archived'])('%s has fixings until then, and none from then on', (name) => {
    const indexes = [status(name, '2026-01-02T16:00:00Z')]
    expect(instants(fixingsIn({ versions: [open], indexes }))).toEqual(['01-01T16:00'])
  })

  test('a suspension that has ended has none either', () => {
    const indexes = [
      status('active', '2026-01-04T16:00:00Z'),
      status('active', '2025-12-01T00:00:00Z'),
      status('suspended', '2026-01-02T00:00:00Z'),
    ]
    expect(instants(fixingsIn({ versions: [open], indexes }))).toEqual(['01-01T16:00', '01-04T16:00'])
  })

  test('of two statuses of one instant the later revision counts', () => {
    const at = '2026-01-02T00:00:00Z'
    const both = [status('suspended', at), status('active', at)]
    expect(fixingsIn({ versions: [open], indexes: both })).toHaveLength(4)
    expect(fixingsIn({ versions: [open], indexes: both.toReversed() })).toHaveLength(1)
  })

  test('the end of a notice says when a status begins later', () => {
    const titles = (start: string, notice_ends: string) =>
      calendarOf(
        {
          versions: [],
          compositions: [],
          indexes: [],
          rosters: [],
          policies: [],
          ratings: [],
          proposals: [end('queued', start, notice_ends)],
        },
        range,
      )
        .filter(({ kind }) => kind === 'notice_end')
        .map(({ title }) => title.split('; ')[1])
    const [early, late] = ['2026-01-03T00:00:00Z', '2026-01-09T00:00:00Z']
    expect(titles(late, early)).toEqual([`it takes effect at ${late}`])
    for (const start of [early, '2026-01-02T00:00:00Z']) expect(titles(start, early)).toEqual(['it takes effect'])
  })

  test('an announced suspension ends them, an announced return begins them again', () => {
    const proposals = [queued('active', '2026-01-04T00:00:00Z'), queued('suspended', '2026-01-02T00:00:00Z')]
    expect(instants(fixingsIn({ versions: [open], proposals }))).toEqual(['01-01T16:00', '01-04T16:00'])
  })

  test('its end is its final value: at the announced start, or when the notice ends if that is later', () => {
    const of = (proposals: CalendarRecords['proposals']) =>
      fixingsIn({ versions: [open], proposals }).map(({ kind, at }) => `${kind} ${at.slice(5, 16)}`)
    expect(of([end('queued', '2026-01-02T12:00:00Z')])).toEqual(['fixing 01-01T16:00', 'final_value 01-02T12:00'])
    expect(of([end('queued', '2026-01-02T12:00:00Z', '2026-01-03T00:00:00Z')])).toEqual([
      'fixing 01-01T16:00',
      'fixing 01-02T16:00',
      'final_value 01-03T00:00',
    ])
    expect(of([end('effective', '2026-01-02T12:00:00Z')])).toContain('final_value 01-02T12:00')
    for (const state of ['vetoed', 'expired', 'proposed'] as const)
      expect(of([end(state, '2026-01-02T12:00:00Z')])).toHaveLength(4)
  })
})

describe('an announced version', () => {
  const start = '2026-02-10T13:50:00Z'
  const composition = {
    ...{ index_version_id: indexVersionId('idx_b', '2'), index_id: 'idx_b', version: '2', effective_from: start },
    ...{ base_version_id: 'idv_b1', published_at, definition: '{"calculation_frequency":"PT1M"}' },
  }
  const base = version('1', '2026-01-01T16:00:00Z', { index_version_id: 'idv_b1', index_id: 'idx_b' })
  const content = JSON.stringify({
    ...{ version: '2', effective_from: start },
    definition: { calculation_frequency: 'PT1M', fixing: { at: '14:00' } },
  })
  const approved = { ...proposal('prp_b', 'queued', '2026-02-10T12:50:00Z'), target: 'idx_b', content }
  const first = { ...proposal('prp_0', 'effective', published_at), target: 'idx_b', lapses_at: null }
  const of = (some: Partial<CalendarRecords>) => {
    const nothing = { compositions: [], indexes: [], proposals: [], rosters: [], policies: [], ratings: [] }
    return calendarOf({ versions: [base], ...nothing, ...some }, range).filter(({ at }) => at.startsWith('2026-02-10'))
  }
  const shown = (some: Partial<CalendarRecords>) => of(some).map(({ kind, at, title }) => [kind, at, title])
  const due = ['rebalance', start, 'Version 2 of idx_b takes effect, as announced']

  test('is due from its approval on, at its own start; the end of its notice names that instant', () => {
    const notice = 'Notice of the material change of idx_b ends; it takes effect at 2026-02-10T13:50:00Z'
    expect(shown({ proposals: [first, approved] })).toEqual([
      ['notice_end', '2026-02-10T12:50:00Z', notice],
      due,
      ['fixing', '2026-02-10T14:00:00Z', 'Fixing of idx_b, version 2'],
    ])
    for (const state of ['approved', 'vetoed', 'expired'] as const)
      expect(shown({ proposals: [first, { ...approved, state }] })).toEqual([])
    const twice = [first, approved, { ...approved, proposal_id: 'prp_c' }]
    expect(shown({ proposals: twice }).filter(([kind]) => kind === 'rebalance')).toEqual([due])
  })

  test('keeps its entry when it is published', () => {
    const next = version('2', start, { index_id: 'idx_b', index_version_id: indexVersionId('idx_b', '2') })
    const ids = (some: Partial<CalendarRecords>) =>
      of(some).flatMap(({ kind, entry_id }) => (kind === 'rebalance' ? [entry_id] : []))
    const published = ids({ versions: [base, next], proposals: [first, approved], compositions: [composition] })
    expect(published).toEqual(ids({ proposals: [first, approved] }))
    expect(published).toHaveLength(1)
  })

  test('of an index without governance is due by its schedule, as long as it follows the newest version', () => {
    expect(shown({ compositions: [composition] })).toEqual([due])
    expect(shown({ compositions: [{ ...composition, base_version_id: 'idv_b0' }] })).toEqual([])
    expect(shown({ compositions: [composition], proposals: [first] })).toEqual([])
  })

  test('ends the fixings of the version before it', () => {
    const fixed = { ...base, fixing_at: '16:00' }
    expect(shown({ versions: [fixed] })).toEqual([['fixing', '2026-02-10T16:00:00Z', 'Fixing of idx_b, version 1']])
    const compositions = [{ ...composition, definition: '{"calculation_frequency":"PT1M","fixing":{"at":"17:00"}}' }]
    expect(shown({ versions: [fixed], compositions })).toEqual([
      due,
      ['fixing', '2026-02-10T17:00:00Z', 'Fixing of idx_b, version 2'],
    ])
  })
})
