import type { JsonTextObject } from '../../text/json-text.ts'
import type { MetricRecord, TradingParameters } from '../record.ts'
import { pushMetric, sizeField } from '../sizes.ts'
import { tradingParameters } from '../trading-parameters.ts'
import type { ManifoldMarket } from './manifold-market.ts'

/** Play money: `MANA`, or `CASH` where the market says so. */
function assetOf({ token }: JsonTextObject): string {
  return token === 'CASH' ? 'cash' : 'mana'
}

/** Limit orders have whole percents from 1 to 99; bets move the probability by any amount, so nothing else has a step. */
export function tradingOf(fields: JsonTextObject): TradingParameters {
  return tradingParameters({
    price_min: '0.010000000',
    price_max: '0.990000000',
    price_increment: '0.010000000',
    settlement_asset_id: assetOf(fields),
  })
}

/** Sizes in the market's play money: its volume of a day and what its pool holds. */
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
