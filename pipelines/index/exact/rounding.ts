/**
 * Rounding by a filter: why the exact engine gives the reference's strings.
 *
 * The normative value v is a short chain of operations, each rounded to 34 digits; what is published is v rounded half even
 * to a few decimals. The engine has the exact sums as whole numbers, so it knows an estimate e of v with a proven bound
 * |e - v| <= tolerance (each caller states its own). Rounding is constant between two ties (odd multiples of half a unit).
 * If e is farther than the tolerance from every tie, e and v round to the same unit. Otherwise v itself is computed by the
 * normative formula (decimal34.ts). The same holds for a comparison with a threshold. Equality is therefore never luck: it
 * is either proven for this number, or the number is the formula's.
 */

/** Rounds an estimate in units; `formula` gives the normative result where the estimate is too near a tie. */
export function roundFiltered(estimate: number, tolerance: number, formula: () => number): number {
  const below = Math.floor(estimate)
  const over_tie = estimate - below - 0.5
  if (over_tie > tolerance) return below + 1
  return over_tie < -tolerance ? below : formula()
}

/** Returns whether the value is below the bound; `formula` decides where the estimate is too near it. */
export function isBelowFiltered(estimate: number, bound: number, tolerance: number, formula: () => boolean): boolean {
  const over = estimate - bound
  return over < -tolerance || (over <= tolerance && formula())
}
