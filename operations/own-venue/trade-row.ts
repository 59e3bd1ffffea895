import { FIRST_REVISION } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { TradeCorrectionEvent, TradeEvent } from '../../trading/engine/events.ts'
import { priceText } from '../../trading/public-market/amounts.ts'
import { matchKindOf } from '../../trading/public-market/match-kind.ts'
import type { PublicListing, PublicScales } from '../../trading/public-market/public-market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { storedQuantity } from './stored-amounts.ts'

/** Returns the row of `public_trade` for a trade, or for a correction, which is a further record of the trade's chain. */
export function tradeRow(
  trade: TradeEvent | TradeCorrectionEvent,
  { terms: scales, outcomes }: Pick<PublicListing, 'terms' | 'outcomes'>,
  received_at: Micros,
): Row {
  const { trade_id, market_id, outcome_id, price, quantity, aggressor_side, engine_sequence, at } = trade
  return {
    ...recordOf(trade),
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_market_id: market_id,
    market_id,
    outcome_id,
    price: priceText(scales, price),
    raw_price: null,
    quantity: storedQuantity(scales, quantity),
    aggressor_side,
    source_trade_id: trade_id,
    first_source_trade_id: trade_id,
    source_sequence: engine_sequence,
    source_at: trade.kind === 'trade' ? at : trade.traded_at,
    received_at,
    ...matchOf(trade, scales, outcomes),
  }
}

/** Returns what became of the sets of a complementary market, and the other outcome, whose trade it is as well. */
function matchOf(
  { outcome_id, segments }: TradeEvent | TradeCorrectionEvent,
  scales: PublicScales,
  outcomes: PublicListing['outcomes'],
) {
  if (segments === undefined) return { match_kind: null, segments: null, complementary_outcome_id: null }
  const other = outcomes.find((outcome) => outcome.outcome_id !== outcome_id)
  return {
    match_kind: matchKindOf({ segments }),
    segments: segments.map((segment) => ({ ...segment, quantity: storedQuantity(scales, segment.quantity) })),
    complementary_outcome_id: other?.outcome_id ?? null,
  }
}

function recordOf(trade: TradeEvent | TradeCorrectionEvent) {
  if (trade.kind === 'trade') return { trade_id: trade.trade_id, ...FIRST_REVISION, correction_kind: null }
  const { record_id, revision, supersedes_record_id, correction } = trade
  return {
    trade_id: record_id,
    revision,
    supersedes_id: supersedes_record_id,
    correction_reason: correction === 'void' ? 'TRADE_VOIDED' : 'SOURCE_CORRECTION',
    correction_kind: correction,
  }
}
