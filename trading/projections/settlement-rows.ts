import type { Micros } from '../../primitives/instants.ts'

/** Rows of the settlement, resolution and mark tables, column for column like those of `rows.ts` (trading/migrations). */

export type SettlementRow = {
  readonly settlement_id: string
  readonly kind: string
  readonly account_id: string
  readonly fill_id: string | null
  readonly resolution_id: string | null
  readonly market_id: string
  readonly outcome_id: string
  readonly asset_id: string
  readonly side: string
  readonly quantity: number
  readonly notional: number
  readonly fee: number
  readonly short_credit: number
  /**
   * The part that closed a holding and its part of the fee, and the money that a confirmation takes from the account and gives to it;
   * null: the market is not complementary.
   */
  readonly closed_quantity: number | null
  readonly closing_fee: number | null
  readonly debit_amount: number | null
  readonly credit_amount: number | null
  /** Sets that its fill made, moved or destroyed. */
  readonly segments: unknown
  readonly state: string
  readonly rail: string | null
  readonly attempt_count: number
  readonly attempt_id: string | null
  readonly reversal_id: string | null
  readonly projection_version: number
  readonly engine_sequence: number
  readonly created_at: Micros
  readonly updated_at: Micros
  readonly confirmed_at: Micros | null
}

export type AttemptRow = {
  readonly attempt_id: string
  readonly settlement_id: string
  readonly attempt_number: number
  readonly rail: string
  readonly state: string
  readonly submitted_at: Micros
  readonly concluded_at: Micros | null
  readonly external_reference: string | null
  readonly chain_id: string | null
  readonly transaction_hash: string | null
  readonly confirmation_count: number | null
  readonly failure_code: string | null
  readonly message: string | null
  readonly retryable: boolean | null
  readonly next_action: string | null
  readonly rail_response_reference: string | null
}

export type SettlementTransitionRow = {
  readonly engine_sequence: number
  readonly settlement_id: string
  readonly account_id: string
  readonly from_state: string
  readonly state: string
  readonly attempt_id: string | null
  readonly actor: string
  readonly reason: string
  readonly at: Micros
}

export type ReversalRow = {
  readonly reversal_id: string
  readonly engine_sequence: number
  readonly settlement_id: string
  readonly account_id: string
  readonly reason_code: string
  readonly rationale: string
  readonly evidence: unknown
  readonly actor: string
  readonly approved_by: string
  readonly shortfall: number
  readonly at: Micros
}

export type ResolutionRow = {
  readonly resolution_id: string
  readonly market_id: string
  readonly revision: number
  readonly supersedes_id: string | null
  readonly correction_reason: string | null
  readonly verdict: string
  readonly payouts: unknown
  readonly evidence: unknown
  readonly resolver_kind: string
  readonly resolver_id: string | null
  readonly actor: string
  readonly reason: string
  readonly approved_by: string | null
  readonly proposed_at: Micros
  readonly dispute_window_ends_at: Micros
  readonly finality: string
  readonly finalized_at: Micros | null
  readonly dispute: unknown
  readonly paid_count: number
  readonly paid_at: Micros | null
  readonly engine_sequence: number
}

export type PayoutRow = {
  readonly resolution_id: string
  readonly account_id: string
  readonly outcome_id: string
  readonly market_id: string
  readonly net_quantity: number
  readonly payout: string
  readonly amount: number
  readonly shortfall: number
  readonly settlement_id: string | null
  readonly engine_sequence: number
  readonly at: Micros
}

export type OutcomeMarkRow = {
  readonly outcome_id: string
  readonly at: Micros
  readonly market_id: string
  readonly mark: number | null
  readonly mark_observation_id: string | null
}

/** Columns of a settlement that only complementary markets have. */
export type Closing = Pick<SettlementRow, 'closed_quantity' | 'closing_fee' | 'debit_amount' | 'credit_amount'>

/** Those of other markets. */
export const NOT_SPLIT: Closing = { closed_quantity: null, closing_fee: null, debit_amount: null, credit_amount: null }
