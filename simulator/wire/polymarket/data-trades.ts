import type { Micros } from '../../../primitives/instants.ts'
import { priceOfNo } from '../../world/grid.ts'
import type { Trade } from '../../world/market-state.ts'
import type { MarketPlan } from '../../world/plan.ts'
import { plainPrice, plainSize } from '../decimal-text.ts'
import { mixedHex } from '../mixed-hex.ts'
import { jsonNumber, type WireValue } from '../wire-json.ts'
import { type MarketNames, OUTCOMES } from './names.ts'

/**
 * One trade of the Data API. It has no id: fills of one order share a transaction. Wallet and name are those of nobody and
 * are here because the venue sends them; who stores a trade leaves them out.
 */
export function dataTrade(trade: Trade, plan: MarketPlan, names: MarketNames): WireValue {
  const token = trade.on_no ? 1 : 0
  const wallet = trade.order % 97
  return {
    proxy_wallet: `0x${mixedHex(wallet, 7, 5)}`,
    side: (trade.taker === 'buy') === trade.on_no ? 'SELL' : 'BUY',
    token_id: names.tokens[token],
    condition_id: names.condition_id,
    size: jsonNumber(plainSize(trade.size)),
    price: jsonNumber(plainPrice(trade.on_no ? priceOfNo(trade.price) : trade.price)),
    timestamp: Math.floor(trade.at / 1_000_000),
    title: plan.question,
    slug: names.slug,
    event_slug: names.event.slug,
    outcome: OUTCOMES[token],
    outcome_index: token,
    name: `trader-${wallet}`,
    pseudonym: `Simulated-${wallet}`,
    transaction_hash: `0x${mixedHex(trade.order, plan.ordinal * 8 + 1, 8)}`,
  }
}

/** True for a trade that the API lists at `now`: settled, not busted, not late. */
export function isListed({ state, listed_at }: Trade, now: Micros): boolean {
  return state !== 'busted' && listed_at <= now
}
