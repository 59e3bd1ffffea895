import { describe, expect, test } from 'vitest'
import {
  eligibilityFacts,
  eligibilityRow,
  eligibilityRule,
} from '../../../pipelines/revisions/eligibility-revisions.ts'
import { createIdentities } from '../../../pipelines/revisions/identities.ts'
import { planRevisions } from '../../../pipelines/revisions/plan-revisions.ts'
import { eligibilityOf } from '../../../pipelines/venues/eligibility.ts'
import type { ReferenceRecord } from '../../../pipelines/venues/record.ts'
import { isIndexEligible, VENUE_TERMS } from '../../../pipelines/venues/terms.ts'
import { toMicros } from '../../../primitives/instants.ts'

const POLICY = { policy_id: 'pol_source_terms', policy_version: '1' }
const AT = toMicros('2026-01-05T10:00:00Z')
const described = (second: number, venue_id = 'kalshi') =>
  ({ venue_id, source_market_id: 'm', received_at: AT + second * 1_000_000, line: 1 }) as ReferenceRecord

describe('the policy of source terms', () => {
  test.each([
    ['kalshi', 'eligible', []],
    ['manifold', 'eligible', []],
    ['a source without terms', 'eligible', []],
    ['predictit', 'ineligible', ['PRICES_NOT_PUBLIC']],
    ['betfair', 'ineligible', ['PRICES_NOT_PUBLIC']],
    ['usgs', 'ineligible', ['SOURCE_NOT_ELIGIBLE']],
  ])('%s: %s', (venue_id, status, reason_codes) => {
    expect(eligibilityOf(venue_id)).toEqual({ status, ...POLICY, reason_codes })
  })

  test('it says what the terms say, with a reason exactly where it refuses', () => {
    for (const { venue_id } of VENUE_TERMS) {
      const { status, reason_codes } = eligibilityOf(venue_id)
      expect([status === 'eligible', reason_codes.length === 0]).toEqual([
        isIndexEligible(venue_id),
        isIndexEligible(venue_id),
      ])
    }
  })
})

describe('decisions about a market', () => {
  const ids = createIdentities()
  const rule = eligibilityRule(ids)
  const plan = (records: ReferenceRecord[], known = new Map()) =>
    planRevisions(records, records.map(rule.chainOf), known, rule)

  test('one row where it is first described; no other while the decision stays, whenever it is described', () => {
    const [first, again] = plan([described(0), described(60)])
    expect([first, again]).toEqual([{ revision: 1, supersedes_id: null, correction_reason: null }, 'duplicate'])
    expect(eligibilityRow(described(0), first as never, ids)).toMatchObject({
      ...eligibilityOf('kalshi'),
      revision: 1,
      evaluated_at: AT,
    })
    const stored = { id: 'elg_1', revision: 1, received_at: AT, ...eligibilityFacts(eligibilityOf('kalshi')) }
    const known = new Map([[rule.chainOf(described(0)), [stored]]])
    expect(plan([described(-60), described(0), described(60)], known)).toEqual(['duplicate', 'duplicate', 'duplicate'])
  })

  test('another decision is a new revision', () => {
    const before = { ...eligibilityOf('kalshi'), policy_version: '0' }
    const stored = { id: 'elg_1', revision: 1, received_at: AT, ...eligibilityFacts(before) }
    expect(plan([described(60)], new Map([[rule.chainOf(described(0)), [stored]]]))).toEqual([
      { revision: 2, supersedes_id: 'elg_1', correction_reason: 'DECISION_CHANGED' },
    ])
  })
})
