import { formatMicros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { SCHEMA_VERSION } from '../../protocol/envelope.ts'
import type { Fill } from '../../protocol/resources/fill.ts'
import type { FillSegment } from '../ledger/fill-segments.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { FillRow } from './rows.ts'

/** Records shown with a fill: its market's terms, the state of its settlement, and its later adjustments, oldest first. */
export type FillLinks = {
  readonly terms: MarketTerms
  readonly settlement_state: string
  readonly adjustment_ids: readonly string[]
}

/** Returns the public form of a fill for its own side, without the other side's data. */
export function fillResource(row: FillRow, { terms, settlement_state, adjustment_ids }: FillLinks): Fill {
  const money = (value: number) => fromScaled(BigInt(value), terms.asset_scale)
  const quantity = (value: number) => fromScaled(BigInt(value), terms.quantity_scale)
  return {
    fill_id: row.fill_id,
    trade_id: row.trade_id,
    order_id: row.order_id,
    client_order_id: row.client_order_id,
    account_id: row.account_id,
    market_id: row.market_id,
    outcome_id: row.outcome_id,
    side: row.side as Fill['side'],
    price: fromScaled(BigInt(row.price), terms.price_scale),
    quantity: quantity(row.quantity),
    notional: money(row.notional),
    liquidity_role: row.liquidity_role as Fill['liquidity_role'],
    closed_quantity: row.closed_quantity === null ? null : quantity(row.closed_quantity),
    segments: segmentsShown(row.segments as readonly FillSegment[] | null, quantity),
    fee: {
      amount: money(row.fee),
      asset_id: terms.settlement_asset_id,
      rate: row.fee_rate,
      schedule_id: row.schedule_id,
      schedule_version: row.schedule_version,
    },
    counterparty_type: 'participant',
    engine_sequence: row.engine_sequence,
    matched_at: formatMicros(row.at),
    matched_at_ts_ms: Math.floor(row.at / 1000),
    published_at: formatMicros(row.at),
    settlement_id: row.settlement_id,
    settlement_state: settlement_state as Fill['settlement_state'],
    adjustment_ids: [...adjustment_ids],
    schema_version: SCHEMA_VERSION,
  }
}

/** Returns the public form of a fill's segments; null: its market is not complementary. */
function segmentsShown(segments: readonly FillSegment[] | null, quantity: (value: number) => string): Fill['segments'] {
  return segments?.map((segment) => ({ ...segment, quantity: quantity(segment.quantity) })) ?? null
}
