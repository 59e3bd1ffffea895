import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeName, NOTICE_FORMS, type NoticeFormVersion } from '../../../pipelines/notices/change-name.ts'
import { deriveNotices, type NoticeFacts } from '../../../pipelines/notices/derive-notices.ts'
import type { Notice } from '../../../pipelines/notices/notice.ts'
import { type LevelFact, noticesOfLevels, noticesOfResolutions } from '../../../pipelines/notices/of-corrections.ts'
import {
  type LevelImpairmentFact,
  noticesOfLevelStates,
  noticesOfOutages,
  noticesOfPauses,
} from '../../../pipelines/notices/of-impairments.ts'
import { noticesOfProposals, type ProposalFact } from '../../../pipelines/notices/of-proposals.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { PROPOSAL_STATES, type ProposalKind, type ProposalState } from '../../../vocabulary/governance.ts'

const T0 = toMicros('2026-01-05T00:00:00Z')
const at = (minutes: number) => formatMicros(T0 + minutes * 60_000_000)

const proposal = (
  proposal_id: string,
  states: readonly ProposalState[],
  kind: ProposalKind = 'policy',
  content: object = { effective_from: at(60) },
): ProposalFact[] =>
  states.map((state, ordinal) => ({
    proposal_id,
    revision: ordinal + 1,
    kind,
    content: JSON.stringify(content),
    target: kind === 'policy' ? 'policy' : 'idx_a',
    change_class: 'material',
    state,
    reason: 'BASE_MOVED',
    rationale: 'because',
    effective_at: at(60),
    enacted_at: state === 'effective' || state === 'lapsed' ? at(63) : null,
    lapses_at: null,
    act_id: `gac_${ordinal}`,
  }))

describe('a proposal', () => {
  test('is announced with the instant when it takes effect, and again when it is in force', () => {
    const notices = noticesOfProposals(proposal('prp_a', ['proposed', 'proposed', 'approved', 'queued', 'effective']))
    expect(notices.map(({ title }) => title)).toEqual([
      'Approved: new governance policy',
      'In force: new governance policy',
    ])
    expect(notices[0]).toMatchObject({ kind: 'announcement', effective_at: at(60), proposal_id: 'prp_a' })
  })

  test.each(['vetoed', 'cancelled', 'expired'] as const)('that was announced and is %s is withdrawn', (state) => {
    const notices = noticesOfProposals(proposal('prp_a', ['proposed', 'approved', 'queued', state]))
    expect(notices.at(-1)).toMatchObject({ title: 'Withdrawn: new governance policy', cause: 'BASE_MOVED' })
    expect(noticesOfProposals(proposal('prp_a', ['proposed', state]))).toEqual([])
  })

  test('that is an emergency is announced when it is ratified, and not by a signature too few', () => {
    const states = proposal('prp_a', ['proposed', 'queued', 'effective', 'effective', 'effective'])
    const facts = states.map((fact, ordinal) => ({
      ...{ ...fact, target: 'idx_a:status', change_class: 'emergency', reason: null },
      lapses_at: ordinal === 2 || ordinal === 3 ? at(90) : null,
    }))
    const titles = noticesOfProposals(facts).map(({ title }) => title)
    expect(titles.at(-1)).toBe('Ratified: emergency change of the status of idx_a')
    expect(noticesOfProposals(facts.slice(0, 4)).map(({ title }) => title)).toEqual(titles.slice(0, -1))
    expect(new Set(noticesOfProposals(facts).map(({ notice_id }) => notice_id)).size).toBe(3)
  })

  test.each([
    ['roster', 'roster', 'new roster', 'roster change of roster'],
    ['policy', 'policy', 'new governance policy', 'policy change of policy'],
    ['text', 'idx_a', 'text change of idx_a', 'text change of idx_a'],
    ['scheduled_rebalance', 'idx_a', 'scheduled rebalance of idx_a', 'scheduled_rebalance change of idx_a'],
    ['emergency', 'idx_a', 'emergency change of idx_a', 'emergency change of idx_a'],
    ['material', 'idx_a:status', 'change of the status of idx_a', 'material change of idx_a:status'],
    ['emergency', 'idx_a:status', 'emergency change of the status of idx_a', 'emergency change of idx_a:status'],
    ['cessation', 'idx_a:status', 'end of idx_a', 'cessation change of idx_a:status'],
    ['late_restatement', 'idx_a:levels', 'late restatement of idx_a', 'late_restatement change of idx_a:levels'],
    ['text', 'pol_a', 'text change of eligibility policy pol_a', 'text change of pol_a'],
    ['material', 'mth_a', 'material change of methodology mth_a', 'material change of mth_a'],
  ])('of class %s about %s is named %s; earlier releases wrote %s', (change_class, target, now, before) => {
    const change = { kind: 'index_version', change_class, target }
    expect([changeName(change), changeName(change, 1)]).toEqual([now, before])
  })

  const effects = (kind: ProposalKind, start: number, form?: NoticeFormVersion) => {
    const content = { effective_from: at(start) }
    const notices = noticesOfProposals(
      proposal('prp_a', ['proposed', 'queued', 'effective', 'lapsed'], kind, content),
      form,
    )
    return notices.map(({ effective_at }) =>
      effective_at === null ? null : (toMicros(effective_at) - T0) / 60_000_000,
    )
  }

  test('takes effect when answers change: a version at its start, anything else not before its activation', () => {
    expect(effects('index_version', 120)).toEqual([120, 120, 120])
    expect(effects('index_status', 120)).toEqual([120, 120, 120])
    for (const kind of ['index_status', 'cessation'] as const) expect(effects(kind, 30)).toEqual([60, 63, 63])
    for (const kind of ['methodology', 'restatement', 'policy', 'index_adoption'] as const)
      expect(effects(kind, 120)).toEqual([60, 63, 63])
    const said = proposal('prp_a', ['queued', 'effective'], 'index_version', { effective_from: at(120) })
    expect(noticesOfProposals(said).map(({ title, text }) => [title, text])).toEqual([
      [
        'Approved: material change of idx_a',
        `The change was approved and takes effect at ${at(120)}. Rationale: because`,
      ],
      [
        'Published: material change of idx_a',
        `The version is published and takes effect at ${at(120)}. Rationale: because`,
      ],
    ])
  })

  test('of an earlier form has the end of its notice, in the words of that form', () => {
    for (const form of NOTICE_FORMS.filter((one) => one < 6)) {
      expect(effects('index_version', 120, form)).toEqual([60, 60, 60])
      expect(effects('methodology', 120, form)).toEqual([60, 60, 60])
    }
    const said = proposal('prp_a', ['queued', 'effective'], 'index_version', { effective_from: at(120) })
    expect(noticesOfProposals(said, 4).map(({ title, text }) => [title, text])).toEqual([
      [
        'Approved: material change of idx_a',
        `The change was approved and takes effect at ${at(60)}. Rationale: because`,
      ],
      ['In force: material change of idx_a', `The change is in force since ${at(60)}. Rationale: because`],
    ])
    const ids = (form: NoticeFormVersion) => noticesOfProposals(said, form).map(({ notice_id }) => notice_id)
    for (const form of NOTICE_FORMS) expect(ids(form)).toEqual(ids(6))
  })

  test('of an adoption says that the index becomes governed; earlier forms named its class alone', () => {
    const said = proposal('prp_a', ['queued', 'effective'], 'index_adoption')
    const [approved, in_force] = noticesOfProposals(said)
    expect([approved, in_force].map((one) => one!.title)).toEqual([
      'Approved: adoption of idx_a into governance',
      'In force: adoption of idx_a into governance',
    ])
    const becomes =
      'idx_a is governed from then on: proposals decide its versions, and those published stay as they are.'
    expect(approved!.text).toBe(`The change was approved and takes effect at ${at(60)}. ${becomes} Rationale: because`)
    expect(in_force!.text).toBe(`The change is in force since ${at(63)}. ${becomes} Rationale: because`)
    const [before] = noticesOfProposals(said, 4)
    expect(before!.title).toBe('Approved: material change of idx_a')
    expect(before!.text).toBe(`The change was approved and takes effect at ${at(60)}. Rationale: because`)
  })

  test('of a cessation is a notice of an end, about its index', () => {
    const [notice] = noticesOfProposals(proposal('prp_a', ['proposed', 'queued'], 'cessation'))
    expect(notice).toMatchObject({ kind: 'cessation', index_id: 'idx_a' })
  })

  test('has a notice where a change was announced and nowhere else, whatever its states', () => {
    const histories = fc.array(fc.constantFrom(...PROPOSAL_STATES), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(histories, (states) => {
        const notices = noticesOfProposals(proposal('prp_a', states))
        const moves = states.map((state, i) => [states[i - 1] ?? null, state] as const)
        const wanted = moves.filter(
          ([was, is]) => was !== is && (is === 'queued' || is === 'lapsed' || was === 'queued'),
        )
        expect(notices.map(({ source_ids }) => Number(source_ids[1]))).toEqual(
          wanted.map((move) => moves.indexOf(move) + 1),
        )
      }),
    )
  })
})

const level = (tick: number, fact: Partial<LevelFact> = {}): LevelFact => ({
  index_id: 'idx_a',
  tick_at: at(tick),
  observation_id: `obs_${tick}`,
  correction_reason: 'LATE_DATA',
  published_at: at(1000),
  old_level: '10.0000',
  new_level: '11.0000',
  ...fact,
})

describe('restated levels', () => {
  test('of a late restatement name its proposal, also those that get their first level', () => {
    const late = { proposal_id: 'prp_a' }
    const facts = [level(1), level(2, late), level(3, { ...late, old_level: null })]
    const notices = noticesOfLevels(facts)
    expect(notices.map(({ proposal_id, cause, changes }) => [proposal_id, cause, changes.length])).toEqual([
      [null, 'LATE_DATA', 1],
      ['prp_a', 'LATE_DATA', 2],
    ])
    expect(notices[1]!.title).toBe('Restated late: 2 levels of idx_a')
    expect(notices[1]!.text).toContain('as prp_a approved (class late_restatement)')
  })

  test('have the range of their proposal and name each record once; in an earlier form they are the same notice', () => {
    const range = { proposal_id: 'prp_a', range_from: at(0), range_to: at(9) }
    for (const facts of [[level(1, range)], [level(1, range), level(2, range)], [level(1)], [level(1), level(2)]]) {
      const [[now], [before]] = [noticesOfLevels(facts), noticesOfLevels(facts, 2)] as [[Notice], [Notice]]
      const [first, last] = [facts[0]!, facts.at(-1)!]
      const is_late = first.proposal_id != null
      expect([now.starts_at, now.ends_at]).toEqual(is_late ? [at(0), at(9)] : [first.tick_at, last.tick_at])
      expect(now.source_ids).toEqual(facts.map(({ observation_id }) => observation_id))
      const { starts_at, ends_at, source_ids } = before
      expect([starts_at, ends_at]).toEqual([first.tick_at, last.tick_at])
      expect(source_ids).toEqual([first.observation_id, last.observation_id])
      expect({ ...now, starts_at, ends_at, source_ids }).toEqual(before)
    }
  })

  test('of one commit are one notice with every old and new value', () => {
    const [notice, ...others] = noticesOfLevels([level(1), level(2, { new_level: null })])
    expect(others).toEqual([])
    expect(notice).toMatchObject({ kind: 'correction', index_id: 'idx_a', cause: 'LATE_DATA', starts_at: at(1) })
    expect(notice!.changes).toEqual([
      { record_id: 'obs_1', at: at(1), field: 'level', old_value: '10.0000', new_value: '11.0000' },
      { record_id: 'obs_2', at: at(2), field: 'level', old_value: '10.0000', new_value: null },
    ])
  })

  test('of other indexes, commits and reasons are apart, and none is lost or listed twice', () => {
    const facts = fc.array(
      fc.record({
        index_id: fc.constantFrom('idx_a', 'idx_b'),
        correction_reason: fc.constantFrom('LATE_DATA', null),
        published_at: fc.constantFrom(at(1000), at(1001)),
      }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(facts, (list) => {
        const levels = list.map((fact, tick) => level(tick, fact))
        const notices = noticesOfLevels(levels)
        const listed = notices.flatMap(({ changes }) => changes.map(({ record_id }) => record_id)).sort()
        expect(listed).toEqual(levels.map(({ observation_id }) => observation_id).sort())
        const groups = new Set(levels.map((one) => `${one.index_id} ${one.published_at} ${one.correction_reason}`))
        expect(notices).toHaveLength(groups.size)
        expect(new Set(notices.map(({ notice_id }) => notice_id)).size).toBe(groups.size)
      }),
    )
  })

  test('beyond a thousand are several notices', () => {
    const notices = noticesOfLevels(Array.from({ length: 1001 }, (_, tick) => level(tick)))
    expect(notices.map(({ changes }) => changes.length)).toEqual([1000, 1])
  })
})

test('a changed resolution has the payouts before and after, and only what differs', () => {
  const fact = {
    ...{ resolution_id: 'res_a', market_id: 'mkt_a', venue_id: 'kalshi', revision: 2, correction_reason: 'VENUE' },
    ...{
      source_at: at(0),
      old_payouts: 'out_y 1',
      new_payouts: 'out_n 1',
      old_finality: 'final',
      new_finality: 'final',
    },
  }
  expect(noticesOfResolutions([fact])[0]).toMatchObject({
    kind: 'correction',
    market_id: 'mkt_a',
    changes: [{ record_id: 'res_a', at: at(0), field: 'payouts', old_value: 'out_y 1', new_value: 'out_n 1' }],
  })
})

const impaired = (minutes: number, ended: number | null): LevelImpairmentFact => ({
  subject_id: 'idx_a',
  first_id: 'obs_1',
  first_state: 'stale',
  first_reason: 'NO_FRESH_INPUT',
  starts_at: at(0),
  last_at: at(minutes),
  end_id: ended === null ? null : 'obs_9',
  ended_at: ended === null ? null : at(ended),
  first_published_at: at(0),
  over_published_at: ended === null ? null : at(ended),
})
const micros = (minutes: number): Micros => T0 + minutes * 60_000_000

type Seen = {
  readonly ended?: number | null
  readonly published?: number
  readonly over: number | null
  readonly now: number
  readonly count: number
}

describe('an impairment', () => {
  test.each([
    [14, null, 0],
    [15, null, 1],
    [14, 15, 2],
    [13, 14, 0],
  ])('whose last impaired level is %i minutes later, and ends at %s, has %i notices', (last, ended, count) => {
    expect(noticesOfLevelStates([impaired(last, ended)], micros(last))).toHaveLength(count)
  })

  test('that ends has a notice that continues the first', () => {
    const [begun, ended] = noticesOfLevelStates([impaired(20, 21)], micros(21))
    expect(begun).toMatchObject({ kind: 'degraded_service', cause: 'NO_FRESH_INPUT', ends_at: null })
    expect(ended).toMatchObject({ follows_notice_id: begun!.notice_id, starts_at: at(0), ends_at: at(21) })
  })

  test.each([
    ['lasts, with one stale record', { over: null, now: 14, count: 0 }],
    ['lasts, with one stale record', { over: null, now: 15, count: 1 }],
    ['was over when its index was archived', { over: 14, now: 600, count: 0 }],
    ['was seen for the time, though a late level says that it was short', { ended: 5, over: 15, now: 16, count: 2 }],
    ['was short and published at once, long after', { ended: 5, published: 599, over: 600, now: 900, count: 0 }],
  ])('that %s', (_, { ended = null, published = 0, over, now, count }: Seen) => {
    const publications = { first_published_at: at(published), over_published_at: over === null ? null : at(over) }
    expect(noticesOfLevelStates([{ ...impaired(0, ended), ...publications }], micros(now))).toHaveLength(count)
  })

  test('says what is impaired, without a state that changes; the form before is derived too', () => {
    const texts = ([7, 6] as const).map((form) => noticesOfLevelStates([impaired(20, null)], micros(20), form)[0]!.text)
    expect(texts[0]).toBe(`Since ${at(0)} the levels are impaired; the first of them is stale.`)
    expect(texts[1]).toBe(`Since ${at(0)} the state is stale.`)
  })

  test('of a pause names the venue, or all levels', () => {
    const pause = (subject_id: string) => noticesOfPauses([{ ...impaired(0, null), subject_id }], micros(15))[0]
    expect(pause('ingest-venue/kalshi')).toMatchObject({
      venue_id: 'kalshi',
      title: 'Degraded service: data of kalshi',
    })
    expect(pause('publish-tick')).toMatchObject({ venue_id: null, title: 'Degraded service: all levels and marks' })
  })

  test('of a venue lasts until a report with data, though nothing is reported meanwhile', () => {
    const outage = { ...impaired(0, null), subject_id: 'kalshi' }
    const noticesAfter = (minutes: number) => noticesOfOutages([outage], micros(minutes))
    expect([noticesAfter(14), noticesAfter(15)].map((notices) => notices.length)).toEqual([0, 1])
    expect(noticesAfter(15)[0]).toMatchObject({ venue_id: 'kalshi', index_id: null })
  })
})

test('later records add notices and change none: what was derived once is derived again', () => {
  const facts: NoticeFacts = {
    proposals: proposal('prp_a', ['proposed', 'queued']),
    levels: [level(1)],
    resolutions: [],
    level_states: [impaired(20, null)],
    outages: [impaired(0, null)],
    pauses: [{ ...impaired(0, null), first_id: 'act_1', subject_id: 'publish-tick' }],
    statuses: [
      {
        ...{ index_id: 'idx_a', revision: 2, published_at: at(1), correction_reason: null },
        ...{ old_status: 'active', new_status: 'archived' },
      },
    ],
    outcomes: [{ complaint_id: 'cmp_a', revision: 3, subject_id: 'idx_a', outcome: 'upheld', reason: 'it is so' }],
    drifts: [],
    drift_ends: [],
  }
  const later: NoticeFacts = {
    ...facts,
    proposals: proposal('prp_a', ['proposed', 'queued', 'effective']),
    levels: [level(1), level(1, { observation_id: 'obs_7', published_at: at(2000) })],
    level_states: [impaired(20, 30)],
    outages: [impaired(0, 40)],
    pauses: [{ ...impaired(0, 50), first_id: 'act_1', subject_id: 'publish-tick' }],
  }
  const now: Micros = T0 + 3_600_000_000
  const [before, after] = [deriveNotices(facts, now), deriveNotices(later, now * 2)]
  expect(before.map(({ kind }) => kind)).toEqual([
    'announcement',
    'correction',
    'degraded_service',
    'degraded_service',
    'degraded_service',
    'cessation',
    'complaint_outcome',
  ])
  for (const notice of before) expect(after).toContainEqual(notice)
  expect(after).toHaveLength(before.length + 5)
})
