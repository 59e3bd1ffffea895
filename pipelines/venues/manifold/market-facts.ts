import type { JsonTextObject } from '../../text/json-text.ts'
import type { MetricRecord, TradingParameters } from '../record.ts'
import { pushMetric, sizeField } from '../sizes.ts'
import { tradingParameters } from '../trading-parameters.ts'
import type { ManifoldMarket } from './manifold-market.ts'

/** Returns the play money of a market: `MANA`, or `CASH` if the market states it. */
function assetOf({ token }: JsonTextObject): string {
  return token === 'CASH' ? 'cash' : 'mana'
}

/**
 * Returns trading parameters. Limit orders have whole percents from 1 to 99; bets move the probability by any amount, so
 * nothing else has a step.
 */
export function tradingOf(fields: JsonTextObject): TradingParameters {
  return tradingParameters({
    price_min: '0.010000000',
    price_max: '0.990000000',
    price_increment: '0.010000000',
    settlement_asset_id: assetOf(fields),
  })
}

/** Adds sizes in the market's play money: its volume of a day and its pool. */
export function pushMarketMetric(metrics: MetricRecord[], market: ManifoldMarket): void {
  const { origin, id, fields, received_at } = market
  pushMetric(metrics, {
    file: origin.file,
    line: origin.line,
    path: origin.path,
    venue_id: 'manifold',
    source_market_id: id,
    source_at: received_at,
    received_at,
    volume_24h: sizeField(fields, 'volume24Hours'),
    open_interest: null,
    liquidity_notional: sizeField(fields, 'totalLiquidity'),
  })
}
