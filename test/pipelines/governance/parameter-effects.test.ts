import '../../support/fast-check.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replaySides } from '../../../pipelines/governance/impact/compare-versions.ts'
import type { MarginalEffect } from '../../../pipelines/governance/impact/impact-document.ts'
import { ParameterEffects } from '../../../pipelines/governance/impact/parameter-effects.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { notAllowed } from '../../../primitives/errors.ts'
import type { ImpactEngine } from '../../../vocabulary/governance.ts'
import { impactInput, linkableImpact, type Markets, randomMarket } from '../../support/impact-world.ts'

const WEIGHTS = { a: '0.5', b: '0.3', c: '0.2' }
const PARAMETERS = { mode: 'chain_linked', 'fresh.stale_after': 'PT3H', 'restate.bp': '10' }
const marketsOf = (seed: number): Markets =>
  Object.fromEntries(['a', 'b', 'c'].map((name, i) => [name, randomMarket(seed * 10 + i)]))

/** Parameters that act through marks, states and outliers, none of them through settings of a version. */
const CHANGED = fc.subarray([
  ['fresh.max_carry', 'PT6H'],
  ['quality.min_confidence', '0.95'],
  ['mark.s_tight', '0.005'],
  ['outlier.enabled', 'false'],
] as const)

type Changed = readonly (readonly [string, string])[]

function worldOf(seed: number, changed: Changed, engine: ImpactEngine) {
  const after = { weights: WEIGHTS, parameters: { ...PARAMETERS, ...Object.fromEntries(changed) } }
  const input = impactInput({ weights: WEIGHTS, parameters: PARAMETERS }, after, marketsOf(seed), engine)
  return { ...input, lines: () => undefined }
}

/** Adds an index of a seed to the effects. @returns the marginal effects of the same change as a version; null: not linked */
function addTo(effects: ParameterEffects, seed: number, changed: Changed, engine: ImpactEngine) {
  const input = worldOf(seed, changed, engine)
  const version = linkableImpact(input)
  if (version === null) return null
  const index = {
    ...{ index_id: `idx_${seed}`, base: input.base!, proposed: input.next.methodology },
    ...{ window: input.window, replay: input.replay },
    versionWith: (methodology: typeof input.next.methodology) => ({ ...input.next, methodology }),
  }
  effects.add(index, replaySides(input))
  return version.impact.changes
}

const plain = ({ ticks_different, states_different, median_bp, largest_bp }: MarginalEffect) => ({
  ...{ ticks_different, states_different, median_bp, largest_bp },
})
const textsOf = (changed: Changed) => {
  const { base, next } = worldOf(1, changed, 'exact')
  return [base!.methodology.texts, next.methodology.texts] as const
}

describe('marginal effects of a methodology', () => {
  test('of one index are those of a version with the same parameters, by both engines', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), CHANGED, (seed, changed) => {
        const [exact, reference] = (['exact', 'reference'] as const).map((engine) => {
          const effects = new ParameterEffects()
          const wanted = addTo(effects, seed, changed, engine)
          const found = effects.changes(...textsOf(changed))
          expect(found.map(({ name }) => name).sort()).toEqual(changed.map(([name]) => name).sort())
          if (wanted === null) return null
          expect(found.map(({ name, effect }) => [name, effect.not_computed === 0 ? plain(effect) : null])).toEqual(
            wanted.map(({ name, effect }) => [name, effect]),
          )
          return found
        })
        expect(canonicalJson(reference)).toBe(canonicalJson(exact))
      }),
      { numRuns: 2 },
    )
  })

  test('of several indexes are the sums of theirs, and name the index that moves most', () => {
    const changed = [
      ['fresh.max_carry', 'PT6H'],
      ['mark.s_tight', '0.005'],
    ] as const
    const all = new ParameterEffects()
    const each = [3, 4, 5].map((seed) => {
      const own = new ParameterEffects()
      expect(addTo(own, seed, changed, 'exact')).not.toBeNull()
      addTo(all, seed, changed, 'exact')
      return own.changes(...textsOf(changed))
    })
    for (const [i, { name, effect }] of all.changes(...textsOf(changed)).entries()) {
      const effects = each.map((own) => own[i]!.effect)
      const sum = (of: (one: (typeof effects)[number]) => number) => effects.reduce((total, one) => total + of(one), 0)
      expect([name, effect.ticks_different]).toEqual([each[0]![i]!.name, sum((one) => one.ticks_different)])
      expect(effect.states_different).toBe(sum((one) => one.states_different))
      expect(effect.indexes_different).toBe(sum((one) => one.indexes_different))
      const largest = Math.max(...effects.map(({ largest_bp }) => Number(largest_bp ?? 0)))
      expect(Number(effect.largest_bp ?? 0)).toBe(largest)
      const named = effects.findIndex(({ largest_bp }) => Number(largest_bp ?? 0) === largest)
      expect(effect.largest_index_id).toBe(largest === 0 ? null : `idx_${[3, 4, 5][named]}`)
    }
  })

  test('count an index that a parameter alone, or all together, cannot compute, and compare none of its ticks', () => {
    const changed = [
      ['fresh.max_carry', 'PT6H'],
      ['mark.s_tight', '0.005'],
    ] as const
    const input = worldOf(3, changed, 'exact')
    const effects = new ParameterEffects()
    const index = {
      ...{ index_id: 'idx_3', base: input.base!, proposed: input.next.methodology },
      ...{ window: input.window, replay: input.replay },
      versionWith: (methodology: typeof input.next.methodology) => {
        if (methodology.texts['fresh.max_carry'] === 'PT6H')
          throw notAllowed('VALIDATION_DEFINITION_INVALID', 'cap', '0', 'another')
        return { ...input.next, methodology }
      },
    }
    effects.add(index, replaySides(input))
    const none = { ticks_different: 0, states_different: 0, median_bp: null, largest_bp: null }
    const of = (name: string) => effects.changes(...textsOf(changed)).find((one) => one.name === name)!.effect
    expect(of('fresh.max_carry')).toEqual({ ...none, indexes_different: 0, largest_index_id: null, not_computed: 1 })
    expect(of('mark.s_tight').not_computed).toBe(0)
    effects.addUncomputed(index)
    expect([of('fresh.max_carry').not_computed, of('mark.s_tight').not_computed]).toEqual([2, 1])
  })

  test('a methodology that no index uses changes its parameters, and moves no level', () => {
    const changes = new ParameterEffects().changes(...textsOf([['fresh.max_carry', 'PT6H']]))
    expect(changes).toMatchObject([{ name: 'fresh.max_carry', before: 'PT24H', after: 'PT6H' }])
    expect(changes[0]!.effect).toMatchObject({ indexes_different: 0, ticks_different: 0, largest_bp: null })
    expect(new ParameterEffects().changes(null, textsOf([])[1])).toEqual([])
  })
})
