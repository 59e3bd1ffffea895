import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createIdentities } from '../../../pipelines/revisions/identities.ts'
import { marketIdOf, outcomeIdOf } from '../../../pipelines/revisions/identity.ts'
import { inCommitOrder, type KnownRevision, planRevisions } from '../../../pipelines/revisions/plan-revisions.ts'
import {
  resolutionFacts,
  resolutionReason,
  resolutionRow,
  resolutionRule,
} from '../../../pipelines/revisions/resolution-revisions.ts'
import { plainDecimal } from '../../../pipelines/text/fields.ts'
import { binaryPayouts, deriveResolutions, type PayoutPoint } from '../../../pipelines/venues/derive-resolutions.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { toMicros } from '../../../primitives/instants.ts'

const point = (received: number, value: string | null): PayoutPoint => ({
  file: 'values.csv',
  line: received,
  venue_id: 'v',
  source_series_id: 's',
  source_market_id: 'm',
  source_at: toMicros('2026-01-01T00:00:00Z'),
  received_at: toMicros(`2026-01-${String(received).padStart(2, '0')}T02:00:00Z`),
  is_final: value !== null,
  value: value ?? '0.500000000',
  record_id: `obs_${received}`,
  text: `row ${received}`,
})

const seen = (points: readonly PayoutPoint[]) =>
  deriveResolutions(points).map((r) => [r.line, r.finality, r.payouts[0]?.payout ?? null])

describe('resolutions of a chain', () => {
  test('each final revision states payouts; what is not final says nothing before the first', () => {
    expect(seen([point(2, null), point(3, '0.000000000'), point(4, '1.000000000')])).toEqual([
      [3, 'final', '0.000000000'],
      [4, 'final', '1.000000000'],
    ])
  })

  test('a later revision that is not final withdraws, once', () => {
    expect(seen([point(5, null), point(3, '1.000000000'), point(4, null), point(6, '0.250000000')])).toEqual([
      [3, 'final', '1.000000000'],
      [4, 'withdrawn', null],
      [6, 'final', '0.250000000'],
    ])
  })

  test('never final: nothing', () => {
    expect(seen([point(2, null), point(3, null)])).toEqual([])
  })
})

test('NO is paid the exact rest of 1', () => {
  expect(binaryPayouts('0.333333333')).toEqual([
    { outcome: 'YES', payout: '0.333333333' },
    { outcome: 'NO', payout: '0.666666667' },
  ])
})

describe('the record', () => {
  const [won, split] = deriveResolutions([point(3, '1.000000000'), point(4, '0.400000000')])
  const market_id = marketIdOf('v', 'm')
  const first = { revision: 1, supersedes_id: null, correction_reason: null }

  test('a payout of 1 wins; evidence is the row', () => {
    expect(resolutionRow(won!, first, createIdentities())).toMatchObject({
      market_id,
      winning_outcome_ids: [outcomeIdOf(market_id, 'YES')],
      payouts: [
        { outcome_id: outcomeIdOf(market_id, 'YES'), payout: '1.000000000' },
        { outcome_id: outcomeIdOf(market_id, 'NO'), payout: '0.000000000' },
      ],
      resolved_at: '2026-01-01T00:00:00Z',
      finality: 'final',
      resolver: { kind: 'venue', resolver_id: 'v' },
      evidence: [
        {
          kind: 'archive_row',
          evidence_id: 'obs_3.reported_probability',
          content_hash: `sha256:${sha256Hex('row 3')}`,
          observed_at: '2026-01-03T02:00:00Z',
        },
      ],
    })
  })

  test('a split payout has no winner', () => {
    expect(resolutionRow(split!, first, createIdentities()).winning_outcome_ids).toEqual([])
  })
})

test.each([
  ['final', '1', 'final', '0', 'RESOLUTION_CORRECTED'],
  ['final', '1', 'withdrawn', '', 'RESOLUTION_WITHDRAWN'],
  ['withdrawn', '', 'final', '1', 'RESOLVED'],
  ['proposed', '1', 'disputed', '', 'RESOLUTION_DISPUTED'],
  ['disputed', '', 'final', '1', 'RESOLVED'],
  ['disputed', '', 'proposed', '1', 'RESOLUTION_PROPOSED'],
])('%s %s then %s %s: %s', (kind, payout, next_kind, next_payout, reason) => {
  const facts = (finality: string, value: string) =>
    resolutionFacts(finality, value === '' ? [] : [{ outcome_id: 'out_yes', payout: value }])
  expect(resolutionReason(facts(kind, payout), facts(next_kind, next_payout))).toBe(reason)
})

test('whatever came when, the current resolution says what the current quote says', () => {
  const revision = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom('0.000000000', '1.000000000', null))
  fc.assert(
    fc.property(fc.array(fc.array(revision, { maxLength: 4 }), { maxLength: 4 }), (imports) => {
      const quotes = new Map<number, PayoutPoint>()
      const stored: KnownRevision[] = []
      for (const rows of imports) {
        for (const [received, value] of rows) if (!quotes.has(received)) quotes.set(received, point(received, value))
        importResolutions([...quotes.values()], stored)
      }
      const [quote] = [...quotes.values()].sort((a, b) => b.received_at - a.received_at)
      const [resolution] = stored.toSorted((a, b) => b.received_at - a.received_at)
      const ever_final = [...quotes.values()].some(({ is_final }) => is_final)
      const said = quote?.is_final ? 'final' : 'withdrawn'
      expect(resolution?.kind).toBe(ever_final ? said : undefined)
      if (quote?.is_final) expect(resolution?.content).toContain(plainDecimal(quote.value!))
    }),
  )
})

/** Stores what the resolutions of these points add, as an import does. */
function importResolutions(points: readonly PayoutPoint[], stored: KnownRevision[]): void {
  const rule = resolutionRule(createIdentities())
  const sorted = inCommitOrder(deriveResolutions(points))
  const keys = sorted.map(rule.chainOf)
  const decisions = planRevisions(sorted, keys, new Map(keys.slice(0, 1).map((key) => [key, [...stored]])), rule)
  sorted.forEach((record, n) => {
    const decision = decisions[n]!
    if (typeof decision === 'string') return
    stored.push({
      id: rule.idOf(record),
      revision: decision.revision,
      received_at: record.received_at,
      ...rule.factsOf(record),
    })
  })
}
