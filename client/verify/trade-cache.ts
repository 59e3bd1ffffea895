import type { Leg } from '../../pipelines/index/version.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Trade } from '../../protocol/resources/trade.ts'
import type { PublicApi } from '../http/public-api.ts'

/** Public trades of outcomes: the windows of neighboring fixings overlap, and each trade is read once. */
export type TradeCache = {
  /** Returns every trade published in [from, as_of], oldest first; null: trades of the venue are not public. */
  trades(leg: TradedLeg, from: Micros, as_of: Micros): Promise<readonly Trade[] | null>
}

type TradedLeg = Pick<Leg, 'market_id' | 'outcome_id'>

/** Trades published in [from, to]; null: they are not public. */
type Known = { readonly from: Micros; readonly to: Micros; readonly trades: readonly Trade[] | null }

const NONE: Known = { from: 0, to: -1, trades: [] }

/** Creates an empty cache, which keeps the last window of each outcome. Published trades never change, so a later window adds to it. */
export function createTradeCache(api: PublicApi): TradeCache {
  const known = new Map<string, Promise<Known>>()
  return {
    async trades(leg, from, as_of) {
      const key = `${leg.market_id} ${leg.outcome_id}`
      const before = known.get(key) ?? Promise.resolve(NONE)
      const next = before.catch(() => NONE).then((window) => extended(api, leg, window, { from, as_of }))
      known.set(key, next)
      const { trades } = await next
      return trades?.filter(({ published_at }) => isWithin(toMicros(published_at), from, as_of)) ?? null
    },
  }
}

function isWithin(at: Micros, from: Micros, to: Micros): boolean {
  return from <= at && at <= to
}

/** Returns a window that covers what is asked; one that goes further back, or would leave a gap, is read anew. */
async function extended(
  api: PublicApi,
  { market_id, outcome_id }: TradedLeg,
  window: Known,
  { from, as_of }: { readonly from: Micros; readonly as_of: Micros },
): Promise<Known> {
  const continues = window.from <= from && from <= window.to + 1
  if (continues && as_of <= window.to) return window
  const start = continues ? window.to + 1 : from
  const query = { outcome_id, start_time: formatMicros(start), as_of: formatMicros(as_of) }
  // A trade is published no earlier than it happens.
  const found = await api.listPublic<Trade>(`/markets/${market_id}/trades`, query)
  if (found === null || window.trades === null) return { from, to: as_of, trades: null }
  const trades = continues ? [...window.trades, ...found] : found
  return { from, to: as_of, trades: trades.filter(({ published_at }) => toMicros(published_at) >= from) }
}
