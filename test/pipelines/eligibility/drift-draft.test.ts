import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../support/fast-check.ts'
import type { ConstituentEligibility } from '../../../pipelines/eligibility/drift.ts'
import { driftRationale, driftVersionName, withoutDrifted } from '../../../pipelines/eligibility/drift-draft.ts'
import type { VersionFile } from '../../../pipelines/index/definition-schema.ts'
import { parseDecimal, sumDecimals } from '../../../primitives/decimal.ts'

const named = { version: '2', effective_from: '2026-06-12T00:00:00Z', change_summary: ['a test'] }
const weightOf = ({ target_weight }: { readonly target_weight?: string }) => parseDecimal(target_weight, 'weight')

test('the others keep their proportions, and their weights sum to exactly 1', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(parts, (list) => {
      const constituents = list.map((part, i) => ({
        constituent_id: `con_${i}`,
        target_weight: `0.${part + 1_000_000}`,
      }))
      const base = { version: '1', weighting: { rule: 'fixed' }, constituents } as unknown as VersionFile
      const rest = withoutDrifted(base, new Set(['con_0']), named).constituents!
      expect(rest.map(({ constituent_id }) => constituent_id)).toEqual(list.slice(1).map((_, i) => `con_${i + 1}`))
      const weights = rest.map(weightOf)
      expect(sumDecimals(weights).toFixed()).toBe('1')
      const kept = constituents.slice(1).map(weightOf)
      const total = sumDecimals(kept)
      for (const [i, weight] of weights.entries())
        expect(weight.minus(kept[i]!.div(total)).abs().lt('0.00000001')).toBe(true)
    }),
  )
})

test('a version that selects its constituents lists none; one whose rule gives the weights states none', () => {
  const selection = { count: 2 } as unknown as NonNullable<VersionFile['selection']>
  const constituents = [{ constituent_id: 'con_a' }, { constituent_id: 'con_b' }] as VersionFile['constituents']
  const base = { version: '1', approved_by: 'ann', constituents } as unknown as VersionFile
  expect(withoutDrifted({ ...base, selection }, new Set(['con_a']), named)).toEqual({ selection, ...named })
  expect(withoutDrifted(base, new Set(['con_a']), named)).toEqual({
    ...named,
    constituents: [{ constituent_id: 'con_b' }],
  })
})

const constituent = (id: string, status: ConstituentEligibility['status']): ConstituentEligibility => ({
  ...{ constituent_id: `con_${id}`, market_id: `mkt_${id}`, status, reason_codes: ['SPREAD_TOO_HIGH', 'X_TOO_OLD'] },
  facts_at_selection: [{ fact: 'spread', value: '0.01' }],
  facts: [{ fact: 'spread', value: '0.09' }],
})

test('the rationale names each ineligible constituent with reasons and changed facts, and counts those beyond twenty', () => {
  const policy = { policy_id: 'pol_core', policy_version: 3 }
  const some = [constituent('a', 'ineligible'), constituent('b', 'unknown'), constituent('c', 'eligible')]
  expect(driftRationale(policy, some)).toEqual([
    'removes con_a (mkt_a), ineligible by pol_core version 3: SPREAD_TOO_HIGH, X_TOO_OLD; spread was 0.01, is 0.09',
  ])
  const many = Array.from({ length: 23 }, (_, i) => constituent(String(i), 'ineligible'))
  expect(driftRationale(policy, many)).toHaveLength(21)
  expect(driftRationale(policy, many).at(-1)).toBe('removes 3 more for the same policy')
})

test('a drafted version has the first name of its day that is free', () => {
  const day = '2026-11-28'
  const names = ['2026-11-28-drift', '2026-11-28-drift-2', '2026-11-28-drift-3']
  for (const [n, name] of names.entries()) expect(driftVersionName(day, new Set(names.slice(0, n)))).toBe(name)
  expect(driftVersionName(day, new Set(['1', '2026-11-27-drift']))).toBe(names[0])
})
