import type { Quote, Resolution, Trade } from '../../pipelines/market/quote.ts'
import { recordIdOf } from '../../pipelines/market/quote.ts'
import { type Decimal, parseDecimal } from '../../primitives/decimal.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Resolution as ResolutionResource } from '../../protocol/resources/resolution.ts'
import type { Trade as TradeResource } from '../../protocol/resources/trade.ts'
import type { QuoteSource } from './quote-cache.ts'

/** Converts public resources to the records of the calculation. */

/** Returns the quote that an observation is a value of; null for a derived observation. */
export function quoteOf(observation: QuoteSource): Quote | null {
  const { quote, observation_id, revision } = observation
  if (quote == null) return null
  return {
    record_id: recordIdOf(observation_id),
    revision,
    source_at: toMicros(observation.source_at),
    received_at: toMicros(observation.received_at, 'received_at of an observed value'),
    confirmed_at: instantOrNull(quote.confirmed_at),
    source_sequence: null,
    bid: decimalOrNull(quote.bid, 'bid'),
    ask: decimalOrNull(quote.ask, 'ask'),
    bid_depth: decimalOrNull(quote.bid_depth, 'bid_depth'),
    ask_depth: decimalOrNull(quote.ask_depth, 'ask_depth'),
    last_trade: decimalOrNull(quote.last_trade, 'last_trade'),
    last_trade_at: instantOrNull(quote.last_trade_at),
    reported_probability: decimalOrNull(quote.reported_probability, 'reported_probability'),
  }
}

/** Returns the trade that a public trade describes. */
export function tradeOf(trade: TradeResource): Trade {
  return {
    trade_id: trade.trade_id,
    source_at: toMicros(trade.source_at),
    received_at: toMicros(trade.received_at),
    known_at: knownAt(trade),
    price: parseDecimal(trade.price, 'price'),
    quantity: parseDecimal(trade.quantity, 'quantity'),
  }
}

/** Returns a resolution from the view of one outcome. */
export function resolutionOf(resolution: ResolutionResource, outcome_id: string, evidence_id: string): Resolution {
  const payout = resolution.payouts.find((item) => item.outcome_id === outcome_id)?.payout ?? null
  return {
    resolution_id: resolution.resolution_id,
    evidence_id,
    revision: resolution.revision,
    source_at: toMicros(resolution.source_at),
    received_at: toMicros(resolution.received_at),
    known_at: knownAt(resolution),
    finality: resolution.finality,
    final_at: resolution.final_at === null ? null : toMicros(resolution.final_at),
    payout: decimalOrNull(payout, 'payout'),
  }
}

/** Returns when a record was first usable: received (not required of derived ones) and published. */
export function knownAt(record: { readonly received_at: string | null; readonly published_at: string }): Micros {
  return Math.max(toMicros(record.received_at ?? record.published_at), toMicros(record.published_at))
}

function decimalOrNull(text: string | null, field: string): Decimal | null {
  return text === null ? null : parseDecimal(text, field)
}

function instantOrNull(text: string | null): Micros | null {
  return text === null ? null : toMicros(text)
}
