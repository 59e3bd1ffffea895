import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calendarRows } from '../../console/governance/model/calendar-rows.ts'
import { subjectLink } from '../../console/governance/model/complaint-words.ts'
import { factText, ruleText } from '../../console/governance/model/eligibility-words.ts'
import { ruleRevisions } from '../../console/governance/model/rule-sides.ts'
import { changedFields, comparedOf } from '../../console/knowledge/model.ts'
import { byMove, costText, moveText, previewCases, reasonWords, sideText } from '../../console/robustness/model.ts'
import type { KnowledgeChange } from '../../protocol/resources/knowledge-change.ts'
import type { CalendarEntry, RuleChange } from '../../protocol/resources/notice.ts'
import type { IndexPreview } from '../../protocol/resources/robustness.ts'

test('the fixings of a version are one row at the first of them; other entries are one row each', () => {
  const entry = (kind: CalendarEntry['kind'], subject_id: string, at: string) =>
    ({ entry_id: `${kind}${subject_id}${at}`, kind, subject_id, at }) as CalendarEntry
  const entries = [
    entry('fixing', 'idv_1', '1'),
    entry('rebalance', 'idv_2', '2'),
    entry('fixing', 'idv_1', '3'),
    entry('rebalance', 'idv_3', '3'),
    entry('fixing', 'idv_2', '4'),
  ]
  expect(calendarRows(entries).map(({ entry: one, count, last_at }) => [one.at, one.kind, count, last_at])).toEqual([
    ['1', 'fixing', 2, '3'],
    ['2', 'rebalance', 1, '2'],
    ['3', 'rebalance', 1, '3'],
    ['4', 'fixing', 1, '4'],
  ])
})

test('what a complaint is about has its page, or its public record', () => {
  const of = (subject_kind: Parameters<typeof subjectLink>[0]['subject_kind'], subject_id: string | null) =>
    subjectLink({ subject_kind, subject_id })
  expect(of('proposal', 'prp_a')).toEqual({ kind: 'view', change: { view: 'governance', proposal_id: 'prp_a' } })
  expect(of('notice', 'ntc_a')).toEqual({ kind: 'view', change: { view: 'notices', notice_id: 'ntc_a' } })
  expect(of('rating', 'rtg_a')).toEqual({ kind: 'record', path: '/ratings/rtg_a' })
  expect(of('severity', 'sev_a')).toEqual({ kind: 'record', path: '/severity-assessments/sev_a' })
  expect(of('severity', 'svi_a')).toEqual({ kind: 'record', path: '/severity-indexes/svi_a' })
  expect(of('other', null)).toBeNull()
})

describe('rules of a market', () => {
  const rules = (hash: string, previous: string | null, criteria: string | null) =>
    ({
      ...{ change_id: `rch_${hash}${previous}`, kind: previous === null ? 'archived' : 'changed', rules_sha256: hash },
      ...{ previous_sha256: previous, changed_fields: ['resolution_criteria'], resolution_question: 'Q?' },
      ...{ resolution_criteria: criteria, resolution_sources: ['a', 'b'] },
    }) as RuleChange

  test('stand beside the text with the hash that they replaced, also when a text returns', () => {
    const shown = ruleRevisions([
      rules('a', null, 'x'),
      rules('b', 'a', 'y'),
      rules('a', 'b', 'x'),
      rules('c', 'a', null),
    ])
    const criteria = shown.map(({ sides }) => sides.find(({ field }) => field === 'resolution_criteria'))
    expect(criteria.map((side) => [side?.before, side?.after, side?.is_changed])).toEqual([
      ['x', null, true],
      ['y', 'x', true],
      ['x', 'y', true],
      [null, 'x', false],
    ])
    expect(shown[0]!.sides[1]).toMatchObject({ field: 'resolution_criteria' })
    expect(shown.at(-1)!.sides.at(-1)).toMatchObject({ before: null, after: 'a\nb', is_changed: false })
  })
})

describe('eligibility', () => {
  const rule = { fact: 'volume_24h', at_least: null, at_most: null, one_of: null, age_max: null } as const
  test.each([
    [{ at_least: '0.9', age_max: 'P7D' }, 'at least 0.9, at most 7 d old'],
    [{ at_least: 'P2D', at_most: 'P30D' }, 'at least 2 d, at most 30 d'],
    [{ one_of: ['a', 'b'] }, 'one of a, b'],
    [{}, 'known'],
  ])('the rule %j reads: %s', (fields, words) => {
    expect(ruleText({ ...rule, ...fields })).toBe(words)
  })

  test('times are whole days or hours; a missing fact stays missing', () => {
    const time = (value: string | null) => factText({ fact: 'time_to_resolution', value })
    expect(['172800000', '172799999', '0', null].map(time)).toEqual(['2 d', '47 h', '0 h', null])
    expect(factText({ fact: 'venue_uptime', value: '0.99' })).toBe('0.99')
  })
})

describe('what a level withstands', () => {
  const cost = (notional_at_least: string | null, notional_sufficient: string | null, reason: string | null = null) =>
    costText({ notional_at_least, notional_sufficient, reason })

  test('bounds of a cost are said as far as they are known', () => {
    expect(cost('1000.500000', '2000.000000').value).toBe('1,000.5 to 2,000')
    expect(cost('7.000000', '7.000000').value).toBe('7')
    expect(cost(null, '9.000000').value).toBe('at most 9')
    expect(cost('9.000000', null).value).toBe('at least 9')
    expect(cost(null, null, 'SEVERAL_LEGS')).toEqual({
      value: null,
      reason: 'a value is made of several markets (SEVERAL_LEGS)',
    })
    expect(reasonWords('A_LATER_CODE')).toBe('A_LATER_CODE')
  })

  test('a side without depth has its reason, and one that is not there that of the record', () => {
    expect(sideText({ level: '1234.5000', reason: null, legs: [] })).toEqual({ value: '1,234.5000', reason: null })
    expect(sideText({ level: null, reason: 'DEPTH_CROSSED', legs: [] }).reason).toContain('DEPTH_CROSSED')
    expect(sideText(null)).toMatchObject({ value: null, reason: expect.stringContaining('NO_LEVEL') })
  })

  test('inputs stand by the size of their move, those without a level first: as numbers would sort them', () => {
    const moves = fc.array(fc.option(fc.integer({ min: -99_999, max: 99_999 })), { maxLength: 12 })
    fc.assert(
      fc.property(moves, (units) => {
        const inputs = units.map((unit, at) => ({
          constituent_id: `con_${at}`,
          move: unit === null ? null : text(unit),
        }))
        const shown = byMove(inputs as unknown as Parameters<typeof byMove>[0]).map(({ move }) => move)
        const expected = units.map((unit) => (unit === null ? Number.POSITIVE_INFINITY : Math.abs(unit)))
        const size = (move: string | null) =>
          move === null ? Number.POSITIVE_INFINITY : Math.abs(Number(move)) * 10_000
        expect(shown.map((move) => Math.round(size(move)))).toEqual(expected.sort((a, b) => b - a))
      }),
    )
  })
  const text = (unit: number) => (unit / 10_000).toFixed(4)

  test('cases of a preview are the outcomes, then the void ones; a record without a level says so in each', () => {
    const outcome = { outcome_id: 'out_a', label: null, level: null, move: null, constituents: [] }
    const voided = { level: null, move: null, constituents: [] }
    const preview = {
      reason: 'NO_LEVEL',
      outcomes: [outcome],
      voided: [
        { ...voided, payout_rule: 'equal_shares', payout: null, reason: 'PAYOUTS_NOT_EXACT' },
        { ...voided, payout_rule: 'none', payout: null, reason: null },
      ],
    } as unknown as IndexPreview
    expect(previewCases(preview).map(({ name, reason }) => [name, reason?.match(/\((\w+)\)/)?.[1]])).toEqual([
      ['out_a wins', 'NO_LEVEL'],
      ['Void, each outcome is paid the same', 'PAYOUTS_NOT_EXACT'],
      ['Void, nothing is paid: frozen marks', 'NO_LEVEL'],
    ])
    expect([moveText('1.0000'), moveText('-1.0000'), moveText('0.0000'), moveText(null)]).toEqual([
      '+1.0000',
      '−1.0000',
      '0.0000',
      null,
    ])
  })
})

describe('a diff of knowledge', () => {
  const level = (fields: object) => ({
    ...{ subject: 'level', subject_id: '2026-01-01T00:00:00Z', changed_fields: [], changed_inputs: [] },
    ...fields,
  })

  test('has the changed fields and inputs of a revised record, and what names one that was added or removed', () => {
    const input = { constituent_id: 'con_a', changed_fields: ['raw_value'], before: { raw_value: '0.1' }, after: null }
    const before = { level: '1.0000', quality_state: 'valid', revision: 1 }
    const changed = { changed_fields: ['level', 'tags'], changed_inputs: [input] }
    const after = { ...before, level: '2.0000', tags: ['a'] }
    const revised = level({ change: 'revised', ...changed, before, after }) as unknown as KnowledgeChange
    expect(changedFields(revised)).toEqual([
      { name: 'level', before: '1.0000', after: '2.0000' },
      { name: 'tags', before: null, after: '["a"]' },
      { name: 'input con_a, raw_value', before: '0.1', after: null },
    ])
    const removed = level({ change: 'removed', before, after: null }) as unknown as KnowledgeChange
    expect(changedFields(removed)).toEqual([
      { name: 'level', before: '1.0000', after: null },
      { name: 'quality_state', before: 'valid', after: null },
    ])
  })

  test.each([
    ['2026-01-01', '2026-01-01', null],
    ['2026-01-01 08:30', '2026-01-01', 'The first instant is after the second.'],
    ['31 January', '2026-01-01', '“31 January” is not a date.'],
    ['2026-01-01', '', '“” is not a date.'],
  ])('from %s to %s is refused: %s', (from, to, refused) => {
    const compared = comparedOf({ from, to })
    if (refused === null) expect(compared).toEqual({ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z`, refused: null })
    else expect(compared.refused).toContain(refused)
  })
})
