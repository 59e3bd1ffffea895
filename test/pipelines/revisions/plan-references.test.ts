import { describe, expect, test } from 'vitest'
import { createIdentities } from '../../../pipelines/revisions/identities.ts'
import { planReferences, type StateRevision } from '../../../pipelines/revisions/plan-references.ts'
import { type EventState, eventRow, eventRule, marketRule } from '../../../pipelines/revisions/reference-states.ts'
import { uniqueReferences } from '../../../pipelines/revisions/unique-references.ts'
import type { ReferenceRecord } from '../../../pipelines/venues/record.ts'
import { toMicros } from '../../../primitives/instants.ts'

const at = (day: number) => toMicros(`2026-01-${String(day).padStart(2, '0')}T00:00:00Z`)

function line(day: number, series: string, changes: Partial<ReferenceRecord> = {}): ReferenceRecord {
  return {
    file: 'questions.jsonl',
    line: day,
    venue_id: 'v',
    source_series_id: series,
    source_event_id: 'm',
    source_market_id: 'm',
    source_at: at(day),
    received_at: at(day),
    title: 'Will it?',
    event_title: 'Will it?',
    description: 'Because.',
    category: null,
    status: null,
    outcome_type: 'binary',
    outcomes: ['YES', 'NO'],
    resolution_question: 'Will it?',
    resolution_criteria: 'It does.',
    source_url: 'https://venue.example/m',
    trading: null,
    opens_at: null,
    closes_at: null,
    expected_resolution_at: null,
    ...changes,
  }
}

const ids = createIdentities()

/** Plans and keeps, as the warehouse would. */
function events(lines: readonly ReferenceRecord[], known = new Map<string, StateRevision<EventState>[]>()) {
  const planned = planReferences(lines, known, eventRule(ids)).filter((p) => p !== null)
  for (const { record, revised, state } of planned) {
    const id = eventRule(ids).idOf(record)
    known.set(id, [...(known.get(id) ?? []), { revision: revised.revision, received_at: record.received_at, state }])
  }
  return { rows: planned.map(eventRow), known }
}

describe('events', () => {
  test('an equal line of another series only adds its mapping, as a new revision', () => {
    const { rows } = events([line(1, 'set-1'), line(2, 'set-2'), line(3, 'set-2')])
    expect(rows.map((r) => [r.revision, r.correction_reason, r.source_mappings.length])).toEqual([
      [1, null, 1],
      [2, 'REFERENCE_UPDATED', 2],
    ])
    expect(rows[1]!.supersedes_id).toBe(`${rows[0]!.event_id}.1`)
    expect(rows[1]).toMatchObject({ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' })
  })

  test('the same lines again add nothing, also where two of one instant differ', () => {
    const lines = [line(1, 'set-1'), line(2, 'set-2', { description: 'New.' }), line(2, 'set-3'), line(4, 'set-1')]
    const { rows, known } = events(lines)
    expect(rows.map((r) => [r.revision, r.description])).toEqual([
      [1, 'Because.'],
      [2, 'New.'],
      [3, 'Because.'],
    ])
    expect(events(lines, known).rows).toEqual([])
  })

  test('a market that has its event by id alone changes none of the texts stated of the event', () => {
    const bare = { event_title: 'm', description: null, category: null, source_market_id: 'other' }
    const { rows, known } = events([line(1, 's', { category: 'Space' }), line(2, 's', bare), line(3, 's', bare)])
    expect(rows.map((r) => [r.revision, r.title, r.description, r.category, r.market_ids.length])).toEqual([
      [1, 'Will it?', 'Because.', 'Space', 1],
      [2, 'Will it?', 'Because.', 'Space', 2],
    ])
    const named = events([line(4, 's', { event_title: 'It will.', description: null })], known)
    expect(named.rows.map((r) => [r.revision, r.title, r.description, r.category])).toEqual([
      [3, 'It will.', null, null],
    ])
    expect(events([line(1, 's', bare), line(2, 's')]).rows.map((r) => r.title)).toEqual(['m', 'Will it?'])
  })

  test('a line older than the current revision comes late', () => {
    const { known } = events([line(5, 'set-2')])
    const { rows } = events([line(3, 'set-1', { description: 'Old.' })], known)
    expect(rows.map((r) => [r.revision, r.supersedes_id, r.correction_reason])).toEqual([[2, null, null]])
  })

  test('two markets of one event are both listed', () => {
    const { rows } = events([line(1, 's', { source_market_id: 'm1' }), line(1, 's', { source_market_id: 'm2' })])
    expect(rows.at(-1)!.market_ids).toEqual([ids.marketId('v', 'm1'), ids.marketId('v', 'm2')])
  })
})

describe('markets', () => {
  const plan = (lines: readonly ReferenceRecord[]) =>
    planReferences(lines, new Map(), marketRule(ids)).map((p) => p?.revised.correction_reason ?? p?.revised.revision)

  test('only another text, schedule or status makes a new revision', () => {
    const lines = [
      line(1, 'set-1'),
      line(2, 'set-2'),
      line(3, 'set-3', { resolution_criteria: 'It really does.' }),
      line(4, 'set-4', { resolution_criteria: 'It really does.', description: 'Other.' }),
      line(5, 'set-5', { resolution_criteria: 'It really does.', status: 'closed' }),
    ]
    expect(plan(lines)).toEqual([1, undefined, 'REFERENCE_UPDATED', undefined, 'STATUS_CHANGED'])
  })
})

test('two lines of one key: an equal one is kept, a differing one is in conflict', () => {
  const lines = [line(1, 's'), { ...line(1, 's'), line: 9 }, { ...line(1, 's', { title: 'Or else?' }), line: 10 }]
  const { kept, conflicts } = uniqueReferences(lines)
  expect([kept.length, conflicts.map((c) => c.line)]).toEqual([2, [10]])
})
