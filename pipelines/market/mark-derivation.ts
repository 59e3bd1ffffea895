import { COMPUTED_MARK_RULES } from '../../vocabulary/index-level.ts'
import type { ImpliedReason } from '../../vocabulary/market.ts'
import { COMPLEMENT_RULE } from './mark.ts'

/**
 * Returns the rule by which a mark was derived: the code of the rule that formed it, or that of the complement. null: it was
 * taken over as it was observed (a payout, a last trade, a reported probability).
 * @param stored derivation_rule of the record: the complement, or M5 where a side of the book bounds the trade
 */
export function markDerivationRule(origin_rule: string | null, stored: string | null): string | null {
  if (stored !== null) return stored
  if (origin_rule === 'M6') return COMPLEMENT_RULE
  return COMPUTED_MARK_RULES.some((rule) => rule === origin_rule) ? origin_rule : null
}

/** Whether each mark is its own implied probability: in a market of two outcomes; of more, it is the mark's share of their sum. */
export function isOwnProbability(marks: readonly unknown[]): boolean {
  return marks.length <= 2
}

/** Returns the rule and the sources of the implied probability of a mark among those of every outcome. */
export function impliedRule(
  { mark_id }: { readonly mark_id: string },
  marks: readonly { readonly mark_id: string }[],
): { readonly derivation_rule: string; readonly sources: readonly string[] } {
  if (isOwnProbability(marks)) return { derivation_rule: 'mark', sources: [`${mark_id}.mark`] }
  return { derivation_rule: 'mark divided by the sum of marks', sources: marks.map((mark) => `${mark.mark_id}.mark`) }
}

/**
 * Returns why a mark implies no probability; null: it implies one, or there is no mark.
 * @param are_all_marked whether every outcome of the market has a mark
 */
export function impliedReason(
  mark: { readonly mark?: unknown; readonly implied_probability?: unknown } | null,
  are_all_marked: boolean,
): ImpliedReason | null {
  if (mark?.mark == null || mark.implied_probability != null) return null
  return are_all_marked ? 'OVERROUND_EXCEEDED' : 'PARTIAL_OUTCOME_SET'
}
