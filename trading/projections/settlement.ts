import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { Settlement } from '../../protocol/resources/settlement.ts'
import { type MarketTerms, notional } from '../market/market-terms.ts'
import type { AdjustmentRow, AttemptRow, ReversalRow, SettlementRow, SettlementTransitionRow } from './rows.ts'

/** A settlement's row with its market's terms and its first engine sequence. */
export type SettlementRead = Omit<SettlementRow, 'fill_id'> & {
  readonly fill_id: string | null
  readonly resolution_id: string | null
  readonly rail: string | null
  readonly reversal_id: string | null
  readonly engine_sequence: number
  readonly market_terms: MarketTerms
  readonly created_sequence: number
}

/** Records of a settlement, each list oldest first. */
export type SettlementParts = {
  readonly attempts: readonly AttemptRow[]
  readonly transitions: readonly SettlementTransitionRow[]
  readonly reversal: ReversalRow | null
  /** Adjustments of its fill. */
  readonly adjustments: readonly AdjustmentRow[]
}
export type SettlementWhole = SettlementParts & { readonly row: SettlementRead }

/** Returns the public form of a settlement, with every attempt and move. */
export function settlementResource({ row, attempts, transitions, reversal, adjustments }: SettlementWhole): Settlement {
  const { market_terms: terms, notional: worth, fee } = row
  const money = (value: number) => fromScaled(BigInt(value), terms.asset_scale)
  return {
    settlement_id: row.settlement_id,
    account_id: row.account_id,
    state: row.state as Settlement['state'],
    kind: row.kind as Settlement['kind'],
    fill_ids: row.fill_id === null ? [] : [row.fill_id],
    resolution_id: row.resolution_id,
    market_id: row.market_id,
    outcome_id: row.outcome_id,
    side: row.side as Settlement['side'],
    quantity: fromScaled(BigInt(row.quantity), terms.quantity_scale),
    amount: money(worth),
    fee: money(fee),
    net_amount: money(receivedBy(row)),
    asset_id: row.asset_id,
    rail: row.rail,
    attempts: attempts.map(attemptOf),
    transitions: [beginningOf(row), ...transitions.map(transitionOf)],
    adjustment_ids: adjustments.map(({ adjustment_id }) => adjustment_id),
    created_at: formatMicros(row.created_at),
    updated_at: formatMicros(row.updated_at),
    confirmed_at: instantOrNull(row.confirmed_at),
    reversal_id: row.reversal_id,
    reversal: reversal === null ? null : reversalOf(reversal),
    redemption_id: null,
    engine_sequence: Math.max(row.engine_sequence, row.created_sequence),
    projection_version: row.projection_version,
  }
}

/**
 * Returns the money that the account receives in all, below 0 what it pays. In a complementary market a buyer receives 1 for each set that it closed, and a
 * seller pays 1 for each that it opened.
 */
function receivedBy({
  kind,
  side,
  quantity,
  notional: worth,
  fee,
  closed_quantity,
  market_terms,
}: SettlementRead): number {
  const sets = (count: number) => notional(market_terms, market_terms.one, count)
  if (side === 'BUY') return sets(closed_quantity ?? 0) - worth - fee
  const opened = closed_quantity === null || kind !== 'trade_settlement' ? 0 : quantity - closed_quantity
  return worth - fee - sets(opened)
}

function instantOrNull(at: Micros | null): string | null {
  return at === null ? null : formatMicros(at)
}

function attemptOf(row: AttemptRow): Settlement['attempts'][number] {
  const { settlement_id: _, submitted_at, concluded_at, state, ...rest } = row
  return {
    ...rest,
    state: state as Settlement['attempts'][number]['state'],
    submitted_at: formatMicros(submitted_at),
    concluded_at: instantOrNull(concluded_at),
  }
}

/** The first state is not a move: it begins with the fill, or with a resolution's payout. */
function beginningOf(row: SettlementRead): Settlement['transitions'][number] {
  return {
    from_state: null,
    state: 'pending',
    attempt_id: null,
    actor: 'engine',
    reason: row.fill_id === null ? 'paid by a resolution' : 'matched',
    engine_sequence: row.created_sequence,
    at: formatMicros(row.created_at),
  }
}

function transitionOf(row: SettlementTransitionRow): Settlement['transitions'][number] {
  const { settlement_id: _, account_id: __, from_state, state, at, ...rest } = row
  type Moved = Settlement['transitions'][number]
  return {
    ...rest,
    from_state: from_state as Moved['from_state'],
    state: state as Moved['state'],
    at: formatMicros(at),
  }
}

function reversalOf(row: ReversalRow): NonNullable<Settlement['reversal']> {
  return {
    reversal_id: row.reversal_id,
    settlement_id: row.settlement_id,
    reason_code: row.reason_code,
    rationale: row.rationale,
    evidence: [...(row.evidence as readonly string[])],
    actor: row.actor,
    approved_by: row.approved_by,
    reversed_at: formatMicros(row.at),
  }
}
