import { priceOfNo } from '../../world/grid.ts'
import type { Level } from '../../world/ladder.ts'
import type { BookMarket } from '../../world/market-state.ts'
import { plainPrice, plainSize } from '../decimal-text.ts'
import { mixedHex } from '../mixed-hex.ts'
import type { MarketNames } from './names.ts'

/** Formats an instant as milliseconds, like the order book. */
export function millisText(micros: number): string {
  return String(Math.floor(micros / 1000))
}

/** Makes the hash of one token's book; it changes whenever the book does. */
export function bookHash({ hashes }: MarketNames, version: number, token: 0 | 1): string {
  return hashes[token] + mixedHex(version, token, 1)
}

/** Returns the tick of the price grid as text. */
export function tickText({ grid }: Pick<BookMarket, 'grid'>): string {
  return grid === 'cent' ? '0.01' : '0.001'
}

/**
 * Returns levels of a token in the venue's order, worst first: bids ascending, asks descending. The NO book mirrors the YES
 * book.
 */
export function tokenLevels({ ladder }: BookMarket, token: 0 | 1): { readonly bids: string; readonly asks: string } {
  const yes = token === 0
  const price = (level: Level) => plainPrice(yes ? level.price : priceOfNo(level.price))
  const list = (levels: readonly Level[]) =>
    levels
      .map((level) => `{"price":"${price(level)}","size":"${plainSize(level.size)}"}`)
      .reverse()
      .join(',')
  return yes
    ? { bids: list(ladder.bids), asks: list(ladder.asks) }
    : { bids: list(ladder.asks), asks: list(ladder.bids) }
}

/** Returns the last trade of a token; empty if there was none. */
export function lastTradeText({ last_trade }: BookMarket, token: 0 | 1): string {
  if (last_trade === null) return ''
  return plainPrice(token === 0 ? last_trade.price : priceOfNo(last_trade.price))
}

/** Returns the body of `GET /book`. */
export function bookBody(market: BookMarket, names: MarketNames, token: 0 | 1): string {
  const { bids, asks } = tokenLevels(market, token)
  const hash = bookHash(names, market.book_version, token)
  const last_trade_price = lastTradeText(market, token)
  const neg_risk = names.event.neg_risk_id !== null
  return (
    `{"market":"${names.condition_id}","asset_id":"${names.tokens[token]}","timestamp":"${millisText(market.book_at)}",` +
    `"hash":"${hash}","bids":[${bids}],"asks":[${asks}],"min_order_size":"5","tick_size":"${tickText(market)}",` +
    `"neg_risk":${neg_risk},"last_trade_price":"${last_trade_price}"}`
  )
}
