import { LevelComparison } from './compare-levels.ts'
import type { MarginalEffect } from './impact-document.ts'
import type { LevelColumns } from './level-columns.ts'

/** Returns the difference that one change makes. */
export function effectOf(before: LevelColumns, after: LevelColumns): MarginalEffect {
  const comparison = new LevelComparison(null)
  comparison.add(before, after)
  return effectIn(comparison)
}

/** Returns the difference between the levels that were compared. */
export function effectIn(comparison: LevelComparison): MarginalEffect {
  const { ticks, absolute_basis_points } = comparison.result()
  const one_sided = ticks.only_before + ticks.only_after
  return {
    ticks_different: ticks.different_level + one_sided,
    states_different: ticks.different_state,
    median_bp: absolute_basis_points?.p50 ?? null,
    largest_bp: absolute_basis_points?.highest ?? null,
  }
}
