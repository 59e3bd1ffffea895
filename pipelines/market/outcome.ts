import { roundDecimal, SCALE } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import { freezeInstant } from './freeze.ts'
import { C_RULE, carry, complementOf, type Mark, markOfQuote } from './mark.ts'
import type { MarkParameters } from './parameters.ts'
import type { OutcomeInput, Resolution } from './quote.ts'

/** M1..M6 marks of one outcome so far, newest first, one per source observation: the basis of M7 and frozen. */
export type MarkHistory = { readonly mark: Mark; readonly earlier: MarkHistory } | null

export type OutcomeMark = {
  readonly mark: Mark | null
  /** True for a frozen mark. */
  readonly provisional: boolean
  /** Reason for the lack of a better mark: CROSSED_BOOK if the book is crossed or locked, FROZEN. */
  readonly reason: string | null
}

/**
 * Returns the mark of one outcome at one cutoff: the first rule of methodology index-1 §4 that applies.
 * @param input   admitted records of the outcome
 * @param history its earlier M1..M6 marks
 */
export function markOutcome(input: OutcomeInput, history: MarkHistory, cutoff: Micros, p: MarkParameters): OutcomeMark {
  const settled = settledMark(input.resolution, cutoff)
  if (settled !== null) return { mark: settled, provisional: false, reason: null }
  const freeze_at = freezeInstant(input)
  if (freeze_at !== null) return { mark: frozenMark(history, freeze_at), provisional: true, reason: 'FROZEN' }
  const paused = input.market?.status === 'paused'
  const own = input.quote === null ? null : markOfQuote(input.quote, cutoff, p, !paused)
  const found = own ?? (paused ? null : complementMark(input, cutoff, p))
  const mark = found ?? (history === null ? null : carry(history.mark, cutoff, p))
  return { mark, provisional: false, reason: paused ? null : crossedReason(input) }
}

/** Forms the mark by M0: the payout of a final resolution, from its own source time on. */
function settledMark(resolution: Resolution | null, cutoff: Micros): Mark | null {
  if (resolution?.finality !== 'final' || resolution.payout === null) return null
  return {
    rule: 'M0',
    origin_rule: 'M0',
    value: roundDecimal(resolution.payout, SCALE.payout),
    c_rule: C_RULE.M0,
    source_at: resolution.source_at,
    confirmed_at: resolution.source_at,
    cutoff_at: cutoff,
    source_ids: [resolution.evidence_id],
    derivation_rule: null,
  }
}

function frozenMark(history: MarkHistory, before: Micros): Mark | null {
  let node = history
  while (node !== null && node.mark.source_at >= before) node = node.earlier
  return node === null ? null : { ...node.mark, rule: 'frozen', c_rule: C_RULE.frozen }
}

function complementMark(input: OutcomeInput, cutoff: Micros, p: MarkParameters): Mark | null {
  const other = input.other === null ? null : markOfQuote(input.other, cutoff, p)
  return other === null ? null : complementOf(other)
}

function crossedReason({ quote }: OutcomeInput): string | null {
  return quote !== null && quote.bid !== null && quote.ask !== null && quote.bid.gte(quote.ask) ? 'CROSSED_BOOK' : null
}
