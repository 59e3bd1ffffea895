import { isIndicative } from '../quality.ts'
import type { ExactInput } from './exact-input.ts'
import { type Numerator, type NumeratorPath, newNumerator } from './numerator.ts'
import { CLASS, isFallbackRule } from './units.ts'

/**
 * Sums behind one tick (methodology index-1 §9, 12) in whole weights and counts. Adding and removing an input are exact, so
 * only changed inputs are updated.
 */
export class Figures {
  readonly numerator: Numerator
  /** Weight of U; of settled + fresh in U; on M5, M6, M7 and frozen. */
  used = 0
  covered = 0
  fallback = 0
  /** Number of constituents without x; settled or fresh; dispersed; holding the state at indicative. */
  missing = 0
  live = 0
  dispersed = 0
  indicative = 0

  constructor(path: NumeratorPath) {
    this.numerator = newNumerator(path)
  }

  /** Adds an input of weight w. */
  add(input: ExactInput, w: number): void {
    if (input.x !== null) this.numerator.add(w, input.x)
    this.#count(input, w, 1)
  }

  /** Removes an input of weight w. */
  remove(input: ExactInput, w: number): void {
    if (input.x !== null) this.numerator.remove(w, input.x)
    this.#count(input, w, -1)
  }

  #count(input: ExactInput, w: number, sign: 1 | -1): void {
    const live = input.freshness <= CLASS.fresh
    if (input.x === null) this.missing += sign
    else this.used += sign * w
    if (live) this.live += sign
    if (live && input.x !== null) this.covered += sign * w
    if (isFallbackRule(input.rule)) this.fallback += sign * w
    if (input.reasons.includes('VENUE_DISPERSION')) this.dispersed += sign
    const { provisional, pending, reasons } = input
    const settled = input.freshness === CLASS.settled
    if (isIndicative({ provisional, pending, settled, reasons })) this.indicative += sign
  }
}
