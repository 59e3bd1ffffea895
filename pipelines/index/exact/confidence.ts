import type { Micros } from '../../../primitives/instants.ts'
import {
  add34,
  type Decimal34,
  divide34,
  fromUnits,
  multiply34,
  ONE34,
  subtract34,
  sum34,
  ZERO34,
} from './decimal34.ts'

/** Confidence term of one leg's mark: c_rule in hundredths, decaying with age; a settled mark never decays. */
export type ConfidenceTerm = {
  readonly pool_weight: Decimal34
  readonly c: number
  readonly age: Micros
  readonly settled: boolean
}

/** Weight of a constituent with the terms of the legs it uses; no terms if it is missing. */
export type ConfidenceInput = { readonly w: Decimal34; readonly terms: readonly ConfidenceTerm[] }

/**
 * Returns confidence = sum w c over all constituents, weights summing to 1; c = 1 for a settled leg, else
 * c_rule x max(0, 1 - age / max_carry); several legs by their pool weights (methodology index-1 §5, 9). The normative formula,
 * rounded after every operation as it is.
 */
export function confidenceFormula(inputs: Iterable<ConfidenceInput>, max_carry: Micros): Decimal34 {
  let sum = ZERO34
  for (const { w, terms } of inputs) {
    if (terms.length > 0) sum = add34(sum, multiply34(w, inputConfidence34(terms, max_carry)))
  }
  return sum
}

function inputConfidence34(terms: readonly ConfidenceTerm[], max_carry: Micros): Decimal34 {
  if (terms.length === 1) return termConfidence(terms[0]!, max_carry)
  const weighted = terms.map((term) => multiply34(term.pool_weight, termConfidence(term, max_carry)))
  return divide34(sum34(weighted), sum34(terms.map((term) => term.pool_weight)))
}

function termConfidence({ c, age, settled }: ConfidenceTerm, max_carry: Micros): Decimal34 {
  if (settled) return ONE34
  const left = subtract34(ONE34, divide34(fromUnits(age, 0), fromUnits(max_carry, 0)))
  return left.m < 0n ? ZERO34 : multiply34(fromUnits(c, 2), left)
}
