import Type, { type Static } from 'typebox'
import { SIDES } from '../../vocabulary/order.ts'
import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import { Count, closed, Decimal, Id, Instant, orNull, Quantity, Sequence, Text, texts } from '../scalars.ts'

export const SETTLEMENT_KINDS = ['trade_settlement', 'resolution_payout', 'resolution_correction'] as const
const ATTEMPT_STATES = ['submitted', 'confirmed', 'failed'] as const

/** One attempt to settle on a rail. Chain fields stay null until an on-chain rail is approved. */
const SettlementAttempt = Type.Object(
  {
    attempt_id: Id,
    attempt_number: Count,
    state: texts(ATTEMPT_STATES),
    rail: Text,
    submitted_at: Instant,
    concluded_at: orNull(Instant),
    external_reference: orNull(Text),
    chain_id: orNull(Text),
    transaction_hash: orNull(Text),
    confirmation_count: orNull(Count),
    failure_code: orNull(Text),
    message: orNull(Text),
    retryable: orNull(Type.Boolean()),
    next_action: orNull(Text),
    rail_response_reference: orNull(Text),
  },
  { ...closed, title: 'SettlementAttempt' },
)

const SettlementTransition = Type.Object(
  {
    from_state: orNull(texts(SETTLEMENT_STATES)),
    state: texts(SETTLEMENT_STATES),
    attempt_id: orNull(Id),
    actor: Text,
    reason: Text,
    engine_sequence: Sequence,
    at: Instant,
  },
  { ...closed, title: 'SettlementTransition' },
)

const SettlementReversal = Type.Object(
  {
    reversal_id: Id,
    settlement_id: Id,
    reason_code: Text,
    rationale: Text,
    evidence: Type.Array(Text),
    actor: Text,
    approved_by: Text,
    reversed_at: Instant,
  },
  { ...closed, title: 'SettlementReversal' },
)

/**
 * Settlement of one side of a fill, or of a resolution's payout to a position. quantity and amount are not negative; side gives
 * the direction: BUY pays amount and fee, SELL receives amount less fee. amount is price x quantity, as adjusted.
 */
export const Settlement = Type.Object(
  {
    settlement_id: Id,
    account_id: Id,
    state: texts(SETTLEMENT_STATES),
    kind: texts(SETTLEMENT_KINDS),
    fill_ids: Type.Array(Id),
    resolution_id: orNull(Id),
    market_id: Id,
    outcome_id: Id,
    side: texts(SIDES),
    quantity: Quantity,
    amount: Quantity,
    fee: Quantity,
    net_amount: Type.Unsafe<string>({
      ...Decimal,
      description: "from the account's view: negative is paid, positive received",
    }),
    asset_id: Id,
    rail: orNull(Text),
    attempts: Type.Array(SettlementAttempt),
    transitions: Type.Array(SettlementTransition),
    adjustment_ids: Type.Array(Id),
    created_at: Instant,
    updated_at: Instant,
    confirmed_at: orNull(Instant),
    reversal_id: orNull(Id),
    reversal: orNull(SettlementReversal),
    redemption_id: orNull(Id),
    engine_sequence: Sequence,
    projection_version: Sequence,
  },
  { ...closed, title: 'Settlement' },
)
export type Settlement = Static<typeof Settlement>
