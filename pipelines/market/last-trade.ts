import { termsOf } from '../venues/terms.ts'

/** Values of a row, as the warehouse reads it. */
type Values = Readonly<Record<string, unknown>>

/** Fields of a quote's last trade. `last_trade_id` names the trade; null or absent: the quote states one that is not on the tape. */
type QuotedTrade = { readonly last_trade: string; readonly last_trade_at: string; readonly last_trade_id: string }

/**
 * Returns the quotes with the last trade of the tape in place of the one that they repeat: a quote may lag behind the tape, and
 * does not hear of a void. A quote whose outcome has no known trade states its own, and so does one of a venue whose single trades
 * may not be published.
 * @param trades the newest valid trade of each outcome
 */
export function withLastTrades<T extends Values>(quotes: readonly T[], trades: readonly Values[]): T[] {
  return quotes.map((quote) => {
    const trade = trades.find((one) => isOfQuote(one, quote))
    if (trade === undefined || termsOf(String(quote.venue_id))?.public_trades === false) return quote
    const last: QuotedTrade = {
      last_trade: String(trade.price),
      last_trade_at: String(trade.source_at),
      last_trade_id: String(trade.trade_id),
    }
    return { ...quote, ...last }
  })
}

function isOfQuote(trade: Values, quote: Values): boolean {
  const is_same = trade.outcome_id === quote.outcome_id && trade.venue_id === quote.venue_id
  return is_same && (trade.source_series_id ?? null) === (quote.source_series_id ?? null)
}
