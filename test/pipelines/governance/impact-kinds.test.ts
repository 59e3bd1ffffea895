import '../../support/fast-check.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkNewProposal } from '../../../pipelines/governance/check-new.ts'
import { recordHash } from '../../../pipelines/governance/documents.ts'
import { agreedAttestation } from '../../../pipelines/governance/impact/agreed-impact.ts'
import {
  constituentMoves,
  type MarketDecision,
  marketCounts,
  marketLines,
  selectionChange,
} from '../../../pipelines/governance/impact/eligibility-effects.ts'
import { impactDigest } from '../../../pipelines/governance/impact/impact-document.ts'
import { dependentsOf, sharingIndexes } from '../../../pipelines/governance/impact/index-end.ts'
import { columnsOf } from '../../../pipelines/governance/impact/level-columns.ts'
import {
  COST_BASIS_POINTS,
  examinedTicks,
  summarizeCosts,
} from '../../../pipelines/governance/impact/manipulation-costs.ts'
import { byEffect, dataForm, LevelsOfIndexes } from '../../../pipelines/governance/impact/methodology-effects.ts'
import { parseImpact } from '../../../pipelines/governance/impact/parse-impact.ts'
import { depthsOfTick } from '../../../pipelines/governance/impact/replayed-tick.ts'
import { checkPolicy, type PolicyContent, stricterRule } from '../../../pipelines/governance/policy.ts'
import { changeIdOf, NO_GOVERNANCE, type Proposal } from '../../../pipelines/governance/proposal.ts'
import { manipulationCost } from '../../../pipelines/robustness/manipulation-cost.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { TEST_POLICY } from '../../support/governance-world.ts'
import { versionOf } from '../../support/impact-world.ts'
import { d, HOUR, NOW } from '../../support/index-world.ts'
import { refusal } from '../../support/refusal.ts'
import { depth, pricedWorlds } from '../robustness/robustness-world.ts'

describe('a policy that requires an impact', () => {
  const required = (impact: unknown): PolicyContent => {
    const material = { ...TEST_POLICY.classes.material, impact } as PolicyContent['classes']['material']
    return { ...TEST_POLICY, classes: { ...TEST_POLICY.classes, material } }
  }
  const people = (...roles: string[]) =>
    ['committee', 'committee', 'oversight', ...roles].map((role) => ({ roles: [role] as ['runner'] }))
  const check = (content: PolicyContent, ...roles: string[]) => checkPolicy(content, people(...roles))

  test('needs two runners, and knows one word', () => {
    expect(() => check(required('required'), 'runner', 'runner')).not.toThrow()
    const few = refusal('VALIDATION_DEFINITION_INVALID', () => check(required('required'), 'runner'))
    expect(few.message).toBe(
      'impact of material is required, with 1 runners in the roster; allowed: a roster of at least 2 runners',
    )
    const word = refusal('VALIDATION_DEFINITION_INVALID', () => check(required('optional'), 'runner', 'runner'))
    expect(word.message).toMatch(/^impact of material is "optional"; allowed: required, or left out/)
    expect(() => check(TEST_POLICY)).not.toThrow()
  })

  test('is stricter than one that does not; a rule without the word has the text that it always had', () => {
    const [plain, strict] = [TEST_POLICY.classes.text, required('required').classes.material]
    expect(stricterRule(plain, strict).impact).toBe('required')
    expect(stricterRule(strict, plain).impact).toBe('required')
    expect('impact' in stricterRule(plain, plain)).toBe(false)
  })
})

describe('an impact that need not be', () => {
  const content = { methodology_id: 'mth_a' }
  const change_id = changeIdOf({ base_hash: null, content_hash: recordHash(content) })
  const digest = 'a'.repeat(64)
  const signed = { public_key: 'k', acted_at: 0 }
  const attested = (...classes: string[]) => ({
    ...NO_GOVERNANCE,
    attestations: new Map([
      [
        change_id,
        new Map(classes.map((change_class, i) => [`r${i}`, { impact_digest: digest, change_class, signed } as never])),
      ],
    ]),
  })
  const proposal = (impact_digest: string | null) =>
    ({
      kind: 'methodology',
      content,
      base_hash: null,
      impact_digest,
      change_class: 'material',
      emergency: null,
    }) as never as Proposal
  const code = (state: ReturnType<typeof attested>, impact_digest: string | null) =>
    refusal('GOVERNANCE_IMPACT_REQUIRED', () => checkNewProposal(state, proposal(impact_digest))).message

  test('is agreed and of the class of the change, once a runner has signed it', () => {
    expect(() => checkNewProposal(NO_GOVERNANCE, proposal(null))).not.toThrow()
    expect(() => checkNewProposal(attested('material', 'material'), proposal(digest))).not.toThrow()
    expect(agreedAttestation(attested('material', 'material'), proposal(digest)).impact_digest).toBe(digest)
    expect(code(attested('material'), digest)).toMatch(/signed by 1 of 1 runners/)
    expect(code(attested('material', 'text'), digest)).toMatch(/signed by 1 of 2 runners/)
    expect(code(attested('material', 'material', 'text'), digest)).toMatch(/signed by 2 of 3 runners/)
    expect(code(attested('material', 'material'), null)).toMatch(/^impact_digest is none, signed by 0 of 2/)
    expect(code(attested('text', 'text'), digest)).toMatch(/^change_class is text; allowed: material/)
    expect(code(NO_GOVERNANCE as never, digest)).toMatch(/signed by 0 of 0/)
  })
})

describe('costs over a window', () => {
  test('are the least, the median and the greatest of the ticks that have one; a tick without depth has none', () => {
    fc.assert(
      fc.property(fc.array(pricedWorlds(3, 6), { minLength: 1, maxLength: 7 }), (worlds) => {
        const costs = worlds.map(({ basis, depths }, i) =>
          manipulationCost(basis, i % 3 === 2 ? new Map() : depths, COST_BASIS_POINTS),
        )
        const found = summarizeCosts(100, costs)
        const known = costs.flatMap((one) =>
          one.notional_at_least === null ? [] : [toScaled(one.notional_at_least, 6)],
        )
        known.sort((a, b) => Number(a - b))
        expect(found.ticks_examined).toBe(worlds.length)
        expect(found.ticks_without_depth).toBe(costs.filter((one) => one.without_depth.length > 0).length)
        expect(found.notional_at_least).toEqual(
          known.length === 0
            ? null
            : {
                ticks: known.length,
                least: fromScaled(known[0]!, 6),
                median: fromScaled(known[(known.length - 1) >> 1]!, 6),
                greatest: fromScaled(known.at(-1)!, 6),
              },
        )
        const without = found.unknown.reduce((sum, { ticks }) => sum + ticks, 0)
        expect(without).toBe(costs.filter((one) => one.reason !== null).length)
      }),
      { numRuns: 50 },
    )
  })

  test('are of ticks with a level of their own, at most 200, evenly spaced', () => {
    const tick = (i: number, level: string | null, quality_state: 'valid' | 'stale' | 'suspended') => ({
      ...{ tick_at: NOW + i * HOUR, level, quality_state, coverage_ratio: '1.000000', confidence: '1.0000' },
      link_factor: d('100'),
    })
    const some = [
      tick(0, '1.0000', 'valid'),
      tick(1, '1.0000', 'stale'),
      tick(2, null, 'suspended'),
      tick(3, '2.0000', 'valid'),
    ]
    expect(examinedTicks(columnsOf(some))).toEqual({ ticks: 2, examined: [NOW, NOW + 3 * HOUR] })
    const many = examinedTicks(columnsOf(Array.from({ length: 401 }, (_, i) => tick(i, '1.0000', 'valid'))))
    expect([many.ticks, many.examined.length, many.examined[1]]).toEqual([401, 134, NOW + 3 * HOUR])
  })

  test('take the depth of the replayed mark, mirrored for an inverse constituent', () => {
    const { version } = versionOf({ weights: { a: '0.5', b_inverse: '0.5' } })
    const { bids, asks } = depth(['0.40x10'], ['0.42x20']).depth!
    const text = (side: typeof bids) =>
      side.map((one) => ({ price: one.price.toFixed(9), quantity: one.quantity.toFixed(6) }))
    const book = { bids: text(bids), asks: text(asks), price_unit: null }
    const books = new Map(version.constituents.map(({ legs }) => [String(legs[0]!.outcome_id), book]))
    const inputs = (x: string) =>
      version.constituents.map((constituent) => ({
        ...{
          constituent,
          constituent_id: constituent.constituent_id,
          w: constituent.target_weight,
          freshness: 'fresh' as const,
        },
        ...{ mark_rule: 'M1' as const, x: d(constituent.normalization === 'inverse' ? d('1').minus(x).toFixed() : x) },
      }))
    const found = [...depthsOfTick({ tick_at: NOW, inputs: inputs('0.41') }, books).values()]
    expect(found.map((one) => one.depth?.bids[0]?.price.toFixed())).toEqual(['0.4', '0.58'])
    const other = [...depthsOfTick({ tick_at: NOW, inputs: inputs('0.45') }, books).values()]
    expect(other.map((one) => one.reason)).toEqual(['DEPTH_NOT_OF_TICK', 'DEPTH_NOT_OF_TICK'])
  })
})

describe('levels of many indexes', () => {
  const lines = (rows: readonly string[]) =>
    `tick_at,level_before,level_after,difference,basis_points\n${rows.join('\n')}\n`
  const row = (i: number, bp: string) => `2026-01-01T00:${String(i).padStart(2, '0')}:00Z,1.0000,1.1000,0.1000,${bp}`

  test('have each line under its index, one head, and the digest of the whole', () => {
    let text = ''
    const data = new LevelsOfIndexes('every_tick', (some) => {
      text += some
    })
    for (const id of ['idx_a', 'idx_b']) {
      const one = data.of(id)
      one.lines(lines([row(0, '1.00'), row(1, '0.00')]))
      one.end()
    }
    expect(text.split('\n').map((line) => line.split(',').slice(0, 2).join(' '))).toEqual([
      'index_id tick_at',
      ...['idx_a 2026-01-01T00:00:00Z', 'idx_a 2026-01-01T00:01:00Z'],
      ...['idx_b 2026-01-01T00:00:00Z', 'idx_b 2026-01-01T00:01:00Z', ''],
    ])
    expect(data.digest()).toBe(createHash('sha256').update(text).digest('hex'))
  })

  test('of too many ticks are the largest differences of each, in the order of their ticks', () => {
    let text = ''
    const one = new LevelsOfIndexes('largest_differences', (some) => {
      text += some
    }).of('idx_a')
    const bps = Array.from({ length: 60 }, (_, i) => `${i % 2 === 0 ? '-' : ''}${i}.00`)
    one.lines(lines(bps.slice(0, 30).map((bp, i) => row(i, bp))))
    one.lines(
      `${bps
        .slice(30)
        .map((bp, i) => row(30 + i, bp))
        .join('\n')}\n2026-01-02T00:00:00Z,1.0000,,,\n`,
    )
    one.end()
    const kept = text.split('\n').slice(1, -1)
    expect(kept).toHaveLength(50)
    expect(kept).toEqual([...kept].sort())
    expect(kept[0]).toContain('T00:11:00Z')
    expect(kept.at(-1)).toBe('idx_a,2026-01-02T00:00:00Z,1.0000,,,')
    expect([dataForm(1_000_000), dataForm(1_000_001)]).toEqual(['every_tick', 'largest_differences'])
  })

  test('are listed with the strictest class and the largest difference first', () => {
    const effect = (index_id: string, change_class: string, largest_bp: string | null) =>
      ({ index_id, change_class, largest_bp }) as Parameters<typeof byEffect>[0]
    const effects = [
      effect('idx_a', 'parameter', '9.00'),
      effect('idx_b', 'material', null),
      effect('idx_c', 'material', '100.00'),
      effect('idx_d', 'material', '20.00'),
      effect('idx_e', 'text', '0.00'),
    ]
    expect(
      effects
        .sort(byEffect)
        .map(({ index_id }) => index_id.slice(4))
        .join(''),
    ).toBe('cdbae')
  })
})

describe('an eligibility policy', () => {
  const decision = (market_id: string, before: string | null, after: string): MarketDecision =>
    ({ market_id, before, after, reason_codes: after === 'eligible' ? [] : ['X_TOO_LOW'] }) as MarketDecision
  const decisions = [
    decision('mkt_b', 'eligible', 'ineligible'),
    decision('mkt_a', 'eligible', 'unknown'),
    decision('mkt_c', 'ineligible', 'eligible'),
    decision('mkt_d', 'eligible', 'eligible'),
  ]

  test('moves markets and constituents; a market with an unknown fact is not eligible', () => {
    expect(marketCounts(decisions)).toEqual({
      before: { eligible: 3, ineligible: 1, unknown: 0 },
      after: { eligible: 2, ineligible: 1, unknown: 1 },
      no_longer_eligible: 2,
      newly_eligible: 1,
    })
    expect(marketCounts([decision('mkt_a', null, 'eligible')])).toMatchObject({ before: null, newly_eligible: 0 })
    const members = ['mkt_a', 'mkt_c', 'mkt_x'].map((market_id) => ({ constituent_id: `con_${market_id}`, market_id }))
    const by_market = new Map(decisions.map((one) => [one.market_id, one]))
    expect(constituentMoves(members, by_market)).toMatchObject({
      constituents: 3,
      no_longer_eligible: [{ constituent_id: 'con_mkt_a', before: 'eligible', after: 'unknown' }],
      newly_eligible: 1,
    })
    expect(marketLines(decisions)).toBe(
      'market_id,status_before,status_after,reason_codes\nmkt_a,eligible,unknown,X_TOO_LOW\nmkt_b,eligible,ineligible,X_TOO_LOW\nmkt_c,ineligible,eligible,\n',
    )
  })

  test('changes a selection by the markets that enter and leave, some of many listed', () => {
    const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `mkt_${from + i + 100}`)
    expect(selectionChange(ids(0, 3), ids(1, 4))).toMatchObject({
      entering: ['mkt_103'],
      leaving: ['mkt_100'],
      unlisted: 0,
    })
    const many = selectionChange(ids(0, 15), ids(20, 32))
    expect([many.entering.length, many.leaving.length, many.unlisted]).toEqual([10, 10, 7])
  })
})

test('an end names the indexes that read the same outcomes, by the lesser weights, and cuts long lists', () => {
  const of = (index_id: string, ...weights: readonly (readonly [string, string, string?])[]) => ({
    index_id,
    constituents: weights.map(([outcome_id, target_weight, normalization = 'probability_0_1']) => ({
      ...{ outcome_id, target_weight, normalization },
    })),
  })
  const own = of('idx_a', ['out_a', '0.6'], ['out_b', '0.4'])
  const others = [
    own,
    of('idx_b', ['out_a', '0.1'], ['out_c', '0.9']),
    of('idx_c', ['out_a', '0.7'], ['out_b', '0.3']),
    of('idx_d', ['out_a', '1', 'inverse']),
  ]
  expect(sharingIndexes(own, others)).toEqual([
    { index_id: 'idx_c', weight_shared: '0.9000000000' },
    { index_id: 'idx_b', weight_shared: '0.1000000000' },
  ])
  const lists = { proposals: [], substitute_of: [], severity_index_ids: [], announced: [], indexes: [] }
  const cut = dependentsOf({ ...lists, market_ids: Array.from({ length: 25 }, (_, i) => `mkt_${i}`) })
  expect([cut.market_ids.length, cut.unlisted]).toEqual([20, 5])
})

test('the worked example of the digest in docs/governance.md has these bytes', () => {
  const page = readFileSync('docs/governance.md', 'utf8')
  const [, text] = page.match(/```json impact-example\n(.*)\n```/)!
  const report = parseImpact(text!)
  const [, names] = page.match(/`(\{"base_hash":null,"content_hash":"[0-9a-f]{64}"\})`/)!
  const [, digest] = page.match(/\n {4}([0-9a-f]{64})\n/)!
  expect(canonicalJson(report)).toBe(text)
  expect(names).toBe(canonicalJson({ base_hash: report.base_hash, content_hash: report.content_hash }))
  expect(report.change_id).toBe(`chg_${createHash('sha256').update(names!).digest('hex')}`)
  expect(digest).toBe(createHash('sha256').update(text!, 'utf8').digest('hex'))
  expect(impactDigest(text!)).toBe(digest)
})
