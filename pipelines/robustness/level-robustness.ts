import { parseDecimal } from '../../primitives/decimal.ts'
import { type BooksAtTick, constituentDepth } from './constituent-depth.ts'
import type { Depths } from './depth.ts'
import { type ExecutableBand, executableBand } from './executable-band.ts'
import type { LevelBasis } from './level-basis.ts'
import { type ManipulationCost, manipulationCost } from './manipulation-cost.ts'
import { type MissingInputBound, missingInputBound } from './missing-input.ts'
import { basisOfLevel, type MissingRules, type PublishedLevel } from './published-level.ts'

/** Bound and cost of a published level. */
export type LevelRobustness = {
  readonly missing_input: MissingInputBound
  readonly manipulation_cost: ManipulationCost
}

/**
 * Returns how far one missing input would move a published level, and what it would cost to move it.
 * @returns null: the record has no level of its own tick
 */
export function robustnessOfLevel(
  record: PublishedLevel,
  rules: MissingRules,
  books: BooksAtTick,
  basis_points: number,
): LevelRobustness | null {
  const basis = basisOfLevel(record, rules)
  const missing_input = basis === null ? null : missingInputBound(basis)
  if (basis === null || missing_input === null) return null
  return { missing_input, manipulation_cost: manipulationCost(basis, depthsOf(record, books), basis_points) }
}

/** Returns the executable band of a published level; null: the record has no level of its own tick. */
export function bandOfLevel(
  record: PublishedLevel,
  rules: MissingRules,
  books: BooksAtTick,
  notional: string,
): ExecutableBand | null {
  const basis: LevelBasis | null = basisOfLevel(record, rules)
  return basis === null ? null : executableBand(basis, depthsOf(record, books), parseDecimal(notional, 'notional'))
}

function depthsOf({ inputs }: PublishedLevel, books: BooksAtTick): Depths {
  return new Map(inputs.map((input) => [input.constituent_id, constituentDepth(input, books)]))
}
