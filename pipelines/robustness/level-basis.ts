import { type Decimal, sumDecimals, ZERO } from '../../primitives/decimal.ts'
import type { FreshnessClass } from '../../vocabulary/index-level.ts'

/** One constituent of a published level. */
export type LevelConstituent = {
  readonly constituent_id: string
  /** Target weight, 10 decimals. */
  readonly w: Decimal
  /** Normalized value in [0, 1], 6 decimals; null: missing. */
  readonly x: Decimal | null
  readonly freshness: FreshnessClass
}

/** Published numbers from which a level follows: K, weights and values, and the rules for missing inputs. */
export type LevelBasis = {
  /** Link factor; 100 in gauge mode. */
  readonly k: Decimal
  /** Ascending constituent_id. */
  readonly constituents: readonly LevelConstituent[]
  readonly rules: { readonly minimum_coverage_ratio: Decimal; readonly usable_min: Decimal }
}

/** A constituent that counts in the level. */
export type UsableConstituent = LevelConstituent & { readonly x: Decimal }

/** Returns the constituents of U: those with a value. */
export function usableOf({ constituents }: LevelBasis): readonly UsableConstituent[] {
  return constituents.filter((constituent): constituent is UsableConstituent => constituent.x !== null)
}

/** Returns the sum of w x and the sum of w over some constituents. */
export function weightedSums(constituents: readonly UsableConstituent[]): {
  readonly weighted: Decimal
  readonly weight: Decimal
} {
  if (constituents.length === 0) return { weighted: ZERO, weight: ZERO }
  return {
    weighted: sumDecimals(constituents.map(({ w, x }) => w.times(x))),
    weight: sumDecimals(constituents.map(({ w }) => w)),
  }
}
