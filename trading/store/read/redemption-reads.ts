import { CANCELED_LISTED_MAX, PAGE_SIZE } from '../../../protocol/limits.ts'
import type { RedeemedMarket, RedemptionFacts } from '../../projections/redemption-preview.ts'
import { headOf, type Query } from './snapshot.ts'
import type { Head, PositionRead } from './trading-reads.ts'

type MarketRow = RedeemedMarket & { readonly open_order_count: number; readonly open_order_ids: readonly string[] }

/** Reads the holdings and working orders of an account in one market, all of one batch; null: the market is not listed here. */
export async function readRedemption(
  query: Query,
  account_id: string,
  market_id: string,
): Promise<{ readonly head: Head; readonly facts: RedemptionFacts } | null> {
  const head = await headOf(query, null)
  const [market] = await query<MarketRow>('redeemed_market', [account_id, market_id, CANCELED_LISTED_MAX])
  if (market === undefined) return null
  const of_market = [market_id, null, false, null, null, null, PAGE_SIZE.max]
  const positions = await query<PositionRead>('list_positions', [account_id, ...of_market])
  const open_orders = { count: market.open_order_count, order_ids: market.open_order_ids }
  return { head, facts: { account_id, market, positions, open_orders } }
}
