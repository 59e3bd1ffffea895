import type { Micros } from '../../../primitives/instants.ts'
import { confidenceFormula } from './confidence.ts'
import { compare34, type Decimal34, fromUnits, parse34, toUnits } from './decimal34.ts'
import type { ExactInput } from './exact-input.ts'
import type { IntegerParameters } from './integer-parameters.ts'
import { isBelowFiltered, roundFiltered } from './rounding.ts'
import { C_ONE, WEIGHT_ONE } from './units.ts'

/** Fraction digits of a published confidence. */
export const CONFIDENCE_SCALE = 4
const UNITS = 10 ** CONFIDENCE_SCALE

/**
 * Returns the error bound of an estimated confidence of `terms` summands, in units. Each summand has three
 * roundings of 2^-53 (product with the age, and with a pool share), the sum one per summand and the scaling two; the
 * formula's own are below 1e-30 per summand. Twice the bound is taken. Confidences are at most about 1.
 */
export function confidenceTolerance(terms: number, estimate: number): number {
  return (terms + 8) * 2 ** -51 * Math.max(UNITS, estimate)
}

/**
 * Confidence of a version's inputs as they age: an estimate from one multiplication per leg, and the formula where the
 * estimate is too near a tie or the threshold (rounding.ts).
 */
export class ConfidenceMeter {
  readonly #p: IntegerParameters
  readonly #weights: Float64Array
  readonly #offsets: readonly number[]
  /** Per leg slot: w x c x share while it ages, the cutoff of zero confidence, or a constant when settled. */
  readonly #slope: Float64Array
  readonly #confirmed: Float64Array
  readonly #constant: Float64Array
  readonly #scale: number
  readonly #minimum: Decimal34
  readonly #minimum_units: number

  /** @param slots the number of legs of each constituent */
  constructor(weights: Float64Array, slots: readonly number[], p: IntegerParameters) {
    this.#p = p
    this.#weights = weights
    const ends = slots.map((_, i) => slots.slice(0, i + 1).reduce((sum, count) => sum + count, 0))
    this.#offsets = [0, ...ends]
    const length = ends.at(-1) ?? 0
    this.#slope = new Float64Array(length)
    this.#confirmed = new Float64Array(length)
    this.#constant = new Float64Array(length)
    this.#scale = UNITS / (WEIGHT_ONE * C_ONE) / p.max_carry
    this.#minimum = parse34(p.min_confidence.toFixed())
    this.#minimum_units = Number(p.min_confidence.toFixed()) * UNITS
  }

  /** Sets a constituent's new input. */
  set(ordinal: number, input: ExactInput): void {
    const from = this.#offsets[ordinal]!
    for (let slot = from; slot < this.#offsets[ordinal + 1]!; slot++) {
      const decay = input.decays[slot - from]
      const weight = decay === undefined ? 0 : this.#weights[ordinal]! * decay.c * decay.share
      const settled = decay?.settled === true
      this.#slope[slot] = settled ? 0 : weight
      this.#confirmed[slot] = decay?.confirmed_at ?? 0
      this.#constant[slot] = settled ? weight * this.#p.max_carry : 0
    }
  }

  /** Returns the estimate at a cutoff, in units. */
  estimate(cutoff: Micros): number {
    const slope = this.#slope
    const confirmed = this.#confirmed
    const constant = this.#constant
    const base = this.#p.max_carry - cutoff
    let sum = 0
    for (let slot = 0; slot < slope.length; slot++) {
      const left = base + confirmed[slot]!
      sum += constant[slot]! + (left > 0 ? slope[slot]! * left : 0)
    }
    return sum * this.#scale
  }

  /** Returns the published confidence in units. */
  units(estimate: number, inputs: readonly ExactInput[], cutoff: Micros): number {
    return roundFiltered(estimate, this.#tolerance(estimate), () =>
      Number(toUnits(this.#formula(inputs, cutoff), CONFIDENCE_SCALE)),
    )
  }

  /** Returns whether the unrounded confidence is below quality.min_confidence. */
  isLow(estimate: number, inputs: readonly ExactInput[], cutoff: Micros): boolean {
    return isBelowFiltered(
      estimate,
      this.#minimum_units,
      this.#tolerance(estimate),
      () => compare34(this.#formula(inputs, cutoff), this.#minimum) < 0,
    )
  }

  #tolerance(estimate: number): number {
    return confidenceTolerance(this.#slope.length, estimate)
  }

  #formula(inputs: readonly ExactInput[], cutoff: Micros): Decimal34 {
    return confidenceFormula(
      inputs.map((input, i) => ({ w: fromUnits(this.#weights[i]!, 10), terms: input.terms(cutoff) })),
      this.#p.max_carry,
    )
  }
}
