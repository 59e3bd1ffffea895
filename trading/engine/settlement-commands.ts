import type { DecimalString } from '../../primitives/decimal.ts'
import type { Side } from '../../vocabulary/order.ts'

/** Failure codes of an attempt. */
const SETTLEMENT_FAILURES = [
  'SETTLEMENT_RAIL_UNAVAILABLE',
  'SETTLEMENT_SUBMISSION_REJECTED',
  'SETTLEMENT_FINALITY_TIMEOUT',
  'SETTLEMENT_ASSET_MISMATCH',
  'SETTLEMENT_REVERSED',
] as const
export type SettlementFailure = (typeof SETTLEMENT_FAILURES)[number]

/** Next step for a failed attempt. */
const NEXT_ACTIONS = ['none', 'retry', 'operator_review'] as const
type NextAction = (typeof NEXT_ACTIONS)[number]

/** Instruction to a rail, with the amounts at that time. Whole numbers at the scales of market and asset. */
export type SettlementInstruction = {
  readonly settlement_id: string
  readonly attempt_id: string
  readonly attempt_number: number
  readonly account_id: string
  readonly market_id: string | null
  readonly outcome_id: string | null
  readonly asset_id: string
  readonly side: Side
  readonly quantity: number
  readonly notional: number
  readonly fee: number
  /** Payment for what the account opens, and proceeds of what it closes, with fees; null or missing: the market is not complementary. */
  readonly debit_amount?: number | null
  readonly credit_amount?: number | null
}

/**
 * Begins one attempt for each settlement: pending or failed becomes submitted. One that cannot begin is reported; the others
 * begin.
 */
export type SubmitSettlements = {
  readonly kind: 'submit_settlements'
  readonly rail: string
  readonly attempts: readonly AttemptToBegin[]
}

export type AttemptToBegin = {
  readonly settlement_id: string
  readonly attempt_id: string
  /** Result of a rail that has nothing to execute: the attempt ends as it begins. Missing: the rail must be instructed. */
  readonly confirmation?: Pick<
    AttemptResult,
    'message' | 'external_reference' | 'rail_response_reference' | 'confirmation_count'
  >
}

/** `data` of the answer to `submit_settlements`, in the order of the attempts. */
export type SubmittedSettlements = {
  readonly attempts: readonly (
    | { readonly result: 'submitted'; readonly instruction: SettlementInstruction }
    /** Confirmed as it began. */
    | { readonly result: 'confirmed'; readonly settlement_id: string; readonly attempt_id: string }
    /**
     * state: its present state, from which it cannot begin. Repeating an attempt_id returns `submitted` and the same instruction.
     */
    | {
        readonly result: 'refused'
        readonly settlement_id: string
        readonly attempt_id: string
        readonly state: string | null
      }
  )[]
}

/** A rail's result for one attempt. */
export type AttemptResult = {
  readonly settlement_id: string
  readonly attempt_id: string
  readonly result: 'confirmed' | 'failed'
  /** Reason of a failure; null if confirmed. */
  readonly failure_code: SettlementFailure | null
  /** Explanation for people. */
  readonly message: string | null
  readonly retryable: boolean | null
  readonly next_action: NextAction
  readonly external_reference: string | null
  readonly rail_response_reference: string | null
  readonly confirmation_count: number | null
}

/** Ends attempts: money and outcome move for confirmed ones. An attempt that has ended stays as it is and is reported so. */
export type ConcludeSettlements = {
  readonly kind: 'conclude_settlements'
  readonly results: readonly AttemptResult[]
}

/** `data` of the answer to `conclude_settlements`: the present state of each settlement. */
export type ConcludedSettlements = {
  readonly settlements: readonly {
    readonly settlement_id: string
    readonly attempt_id: string
    readonly state: string
    readonly applied: boolean
  }[]
}

/** Reverses a confirmation with mirror entries, approved by another person than the actor: confirmed becomes reversed. */
export type ReverseSettlement = {
  readonly kind: 'reverse_settlement'
  readonly reversal_id: string
  readonly settlement_id: string
  readonly reason_code: string
  readonly rationale: string
  readonly evidence: readonly string[]
  readonly approved_by: string
}

export type ResolutionEvidence = {
  readonly evidence_id: string
  readonly kind: string
  readonly source_uri: string | null
  readonly observed_at: string | null
  readonly content_hash: string | null
}

export type OutcomePayout = { readonly outcome_id: string; readonly payout: DecimalString }

/**
 * Proposes a market's resolution, open to dispute until its window ends. An open or paused market is closed first; a closed one
 * becomes resolving. Payouts cover every outcome, lie in [0, 1] and sum to 1.
 */
export type ProposeResolution = {
  readonly kind: 'propose_resolution'
  readonly resolution_id: string
  readonly market_id: string
  readonly verdict: 'resolved' | 'voided'
  readonly payouts: readonly OutcomePayout[]
  readonly evidence: readonly ResolutionEvidence[]
  readonly resolver: { readonly kind: string; readonly resolver_id: string | null }
  readonly dispute_window_ms: number
}

export type DisputeResolution = {
  readonly kind: 'dispute_resolution'
  readonly resolution_id: string
  readonly dispute_id: string
  readonly filer: string
  readonly basis: string
}

/** Upheld: the resolution is withdrawn and the market closed again. Rejected: the resolution continues. */
export type DecideDispute = {
  readonly kind: 'decide_dispute'
  readonly resolution_id: string
  readonly dispute_id: string
  readonly upheld: boolean
  readonly decision: string
}

/** After the window and without an open dispute: final, and the market resolved or voided. Repeating it has no effect. */
export type FinalizeResolution = { readonly kind: 'finalize_resolution'; readonly resolution_id: string }

/** Pays up to `limit` positions of a final resolution whose trades are all settled; a batch may allow fewer. */
export type PayResolution = { readonly kind: 'pay_resolution'; readonly resolution_id: string; readonly limit: number }

/** `data` of the answer to `pay_resolution`. */
export type PaidResolution = {
  readonly paid: number
  /** Number of positions whose trades are not settled yet. */
  readonly waiting: number
  /** Whether all is paid. */
  readonly done: boolean
}

/** Corrects a final resolution with a new revision, whose differences are paid. Approved by another person than the actor. */
export type CorrectResolution = {
  readonly kind: 'correct_resolution'
  readonly resolution_id: string
  readonly supersedes_id: string
  readonly payouts: readonly OutcomePayout[]
  readonly evidence: readonly ResolutionEvidence[]
  readonly resolver: { readonly kind: string; readonly resolver_id: string | null }
  readonly correction_reason: string
  readonly approved_by: string
}

/** Marks of a MarkSource, kept in outcome_mark and not as operators' acts. An unchanged mark records nothing. */
export type SetMarks = {
  readonly kind: 'set_marks'
  readonly marks: readonly {
    readonly market_id: string
    readonly outcome_id: string
    readonly mark: DecimalString | null
    readonly mark_observation_id: string | null
  }[]
}

export type SettlementCommand =
  | SubmitSettlements
  | ConcludeSettlements
  | ReverseSettlement
  | ProposeResolution
  | DisputeResolution
  | DecideDispute
  | FinalizeResolution
  | PayResolution
  | CorrectResolution
  | SetMarks

const SETTLEMENT_COMMANDS: readonly string[] = [
  'submit_settlements',
  'conclude_settlements',
  'reverse_settlement',
  'propose_resolution',
  'dispute_resolution',
  'decide_dispute',
  'finalize_resolution',
  'pay_resolution',
  'correct_resolution',
  'set_marks',
] satisfies SettlementCommand['kind'][]

/** Whether a command is one of settlement, resolution or marks. */
export function isSettling(command: { readonly kind: string }): command is SettlementCommand {
  return SETTLEMENT_COMMANDS.includes(command.kind)
}
