import { Decimal, type DecimalString, formatDecimal, ONE, SCALE, sumDecimals } from '../../../primitives/decimal.ts'
import { MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import { decodeParameters, type ParameterTexts } from '../../index/parameters.ts'
import type { Constituent, IndexSpec, IndexVersion, Leg } from '../../index/version.ts'
import type { Resolution } from '../../market/quote.ts'
import type { LevelColumns } from './level-columns.ts'

/** Days before a final outcome at which values are compared with it. */
const LEADS_D = [1, 7] as const

/** Distance of the values of one side from the payouts that followed. */
export type BackTest = {
  /** Constituents whose market became final in the look-back window. */
  readonly resolved: number
  readonly leads: readonly {
    readonly lead_d: number
    /** Constituents that had a value then. */
    readonly scored: number
    /** Mean of (value - payout)^2, weighted by target weight, 6 decimals; null without values. */
    readonly brier_score: DecimalString | null
  }[]
}

/** Ways to see what the back-test compares. */
type BackTestSources = {
  readonly index: IndexSpec
  readonly window: { readonly from: Micros; readonly to: Micros }
  readonly resolutionsOf: (leg: Leg) => readonly Resolution[]
  readonly replay: (spec: IndexSpec, to: Micros) => LevelColumns
}

/**
 * Compares the values that a version gives its constituents with their later payouts. Only constituents that read one outcome are
 * scored; an inverse one is scored against the inverse payout.
 */
export function backTest(version: IndexVersion, sources: BackTestSources): BackTest {
  const resolved = version.constituents.flatMap((constituent) => {
    const outcome = outcomeOf(constituent, sources)
    return outcome === null ? [] : [{ constituent, ...outcome }]
  })
  const leads = LEADS_D.map((lead_d) => {
    const scores = resolved.flatMap(({ constituent, payout, final_at }) => {
      const value = valueAt(version, constituent, final_at - lead_d * MICROS_PER_DAY, sources)
      if (value === null || constituent.target_weight.isZero()) return []
      return [{ weight: constituent.target_weight, error: value.minus(payout) }]
    })
    return { lead_d, scored: scores.length, brier_score: meanSquare(scores) }
  })
  return { resolved: resolved.length, leads }
}

function meanSquare(scores: readonly { readonly weight: Decimal; readonly error: Decimal }[]): DecimalString | null {
  if (scores.length === 0) return null
  const weight = sumDecimals(scores.map((score) => score.weight))
  const sum = sumDecimals(scores.map((score) => score.weight.times(score.error).times(score.error)))
  return formatDecimal(sum.div(weight), SCALE.mark)
}

function outcomeOf(
  { normalization, legs }: Constituent,
  { resolutionsOf, window }: BackTestSources,
): { readonly payout: Decimal; readonly final_at: Micros } | null {
  if (normalization !== 'probability_0_1' && normalization !== 'inverse') return null
  const finals = resolutionsOf(legs[0]!).filter(({ finality, payout }) => finality === 'final' && payout !== null)
  const [last] = [...finals].sort((a, b) => b.received_at - a.received_at || b.revision - a.revision)
  const final_at = last?.final_at ?? null
  if (last === undefined || final_at === null || final_at < window.from || final_at >= window.to) return null
  const payout = last.payout!
  return { payout: normalization === 'inverse' ? ONE.minus(payout) : payout, final_at }
}

/** Returns the value of a constituent at the last tick up to an instant; null: it had none. */
function valueAt(
  version: IndexVersion,
  constituent: Constituent,
  at: Micros,
  { index, replay }: BackTestSources,
): Decimal | null {
  const { methodology } = version
  const from = at - methodology.parameters.max_carry - version.frequency
  const columns = replay(soloSpec(index, version, constituent, from), at + 1)
  const level = columns.level[columns.length - 1] ?? Number.NaN
  // The level of a gauge of one constituent is 100 times its value: the last two digits of the level are decimals of the value.
  return Number.isNaN(level) ? null : new Decimal(fromScaled(BigInt(level), SCALE.level + 2))
}

/** Returns a gauge of one constituent. */
function soloSpec(index: IndexSpec, version: IndexVersion, constituent: Constituent, from: Micros): IndexSpec {
  const texts = { ...version.methodology.texts, mode: 'gauge' } as ParameterTexts
  const methodology = { ...version.methodology, texts, parameters: decodeParameters(texts) }
  const solo: IndexVersion = {
    ...version,
    methodology,
    constituents: [{ ...constituent, target_weight: ONE }],
    roll: null,
    fixing: null,
    effective_from: from,
    effective_to: null,
  }
  return { ...index, base_date: from, versions: [solo] }
}
