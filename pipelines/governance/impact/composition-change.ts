import { Decimal, type DecimalString, formatDecimal, SCALE, sumDecimals, ZERO } from '../../../primitives/decimal.ts'
import { compositionDifferences } from '../../index/definition-difference.ts'
import type { Constituent, IndexVersion } from '../../index/version.ts'

/** A constituent that a change moves; null: it is not in that version. */
type ConstituentChange = {
  readonly constituent_id: string
  readonly target_weight_before: DecimalString | null
  readonly target_weight_after: DecimalString | null
  /** Whether a term that decides its value differs: normalization, legs with their pool weights, or outcome. */
  readonly reading_changed: boolean
  /** Names of the terms that differ beside the weight; left out of reports of `tidemark.impact.2` and before. */
  readonly terms_changed?: readonly string[]
}

/** Constituents that a change moves, and how much weight. */
export type CompositionChange = {
  /** One-way turnover: half the sum of absolute differences of target weights, 10 decimals. */
  readonly turnover: DecimalString
  readonly constituents_in: number
  readonly constituents_out: number
  /** Those with the largest differences of weight first; of equals by id. */
  readonly constituents: readonly ConstituentChange[]
  /** Number of constituents that differ and are not listed. */
  readonly constituents_unlisted: number
}

/** Most constituents that a document lists, so that it can be signed and logged whole. */
const LISTED_MAX = 60

/** Compares the constituents of two versions. @param before null: a new index */
export function compositionChange(before: IndexVersion | null, after: IndexVersion): CompositionChange {
  const changes = compositionDifferences(before === null ? [] : [before], [after])
  const listed = changes
    .map((change) => ({ change, move: moveOf(change) }))
    .sort((a, b) => b.move.cmp(a.move) || (a.change.constituent_id < b.change.constituent_id ? -1 : 1))
  const moved = sumDecimals(listed.map(({ move }) => move))
  return {
    turnover: formatDecimal(moved.div(2), SCALE.weight),
    constituents_in: changes.filter((change) => change.before === null).length,
    constituents_out: changes.filter((change) => change.after === null).length,
    constituents: listed.slice(0, LISTED_MAX).map(({ change }) => ({
      constituent_id: change.constituent_id,
      target_weight_before: change.before,
      target_weight_after: change.after,
      reading_changed: change.reading_changed,
      terms_changed: change.terms.map(({ name }) => name),
    })),
    constituents_unlisted: Math.max(0, changes.length - LISTED_MAX),
  }
}

/** Returns the constituents with these weights scaled so that they sum to exactly 1; null: they sum to 0. */
export function weighted(
  parts: readonly { readonly constituent: Constituent; readonly raw: Decimal }[],
): readonly Constituent[] | null {
  const total = sumDecimals(parts.map(({ raw }) => raw))
  if (total.isZero()) return null
  const exact = parts.map(({ constituent, raw }) => {
    const share = raw.div(total).times(UNITS)
    const whole = share.floor()
    return { constituent, whole, rest: share.minus(whole) }
  })
  const lacking = UNITS.minus(sumDecimals(exact.map(({ whole }) => whole)))
  const by_rest = [...exact].sort((a, b) => b.rest.cmp(a.rest) || byId(a, b))
  const raised = new Set(by_rest.slice(0, Number(lacking.toFixed(0))))
  return [...exact].sort(byId).map((part) => ({
    ...part.constituent,
    target_weight: (raised.has(part) ? part.whole.plus(1) : part.whole).div(UNITS),
  }))
}

/** Units of 1e-10 in a weight of 1. */
const UNITS = new Decimal(10 ** SCALE.weight)

type Part = { readonly constituent: Constituent }

function byId(a: Part, b: Part): number {
  return a.constituent.constituent_id < b.constituent.constituent_id ? -1 : 1
}

function moveOf({ before, after }: { readonly before: string | null; readonly after: string | null }): Decimal {
  const [from, to] = [before, after].map((weight) => (weight === null ? ZERO : new Decimal(weight)))
  return to!.minus(from!).abs()
}
