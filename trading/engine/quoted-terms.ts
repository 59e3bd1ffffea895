import type { Micros } from '../../primitives/instants.ts'
import type { Side } from '../../vocabulary/order.ts'
import { ladderPrice, ladderSide } from '../market/ladder.ts'
import { isRejection, orderErrors, type Rejection } from '../order/order-errors.ts'
import type { OrderIntent } from '../order/order-intent.ts'
import { checkTerms } from './check-terms.ts'
import type { Execution } from './execution.ts'
import { ladderOf, type Market } from './state.ts'
import type { MassQuote, Refusal } from './submission.ts'

/** An order of a ladder as its book reads it. */
type Quote = { readonly index: number; readonly book_id: string; readonly side: Side; readonly price: number }

/**
 * Returns the first fault that a new ladder has whatever the state of account and market: an unknown market or outcome, terms off the
 * market's steps, or two orders that would trade with each other. null: none.
 */
export function ladderFault({ state, now }: Execution, { market_id, orders }: MassQuote): Refusal | null {
  const market = state.markets.get(market_id)
  if (market === undefined) {
    const is_published = orders.some(({ is_published_market }) => is_published_market === true)
    return is_published ? orderErrors.market_elsewhere(market_id) : orderErrors.market_unknown(market_id)
  }
  const best = new Map<string, Partial<Record<Side, Quote>>>()
  for (const [index, { intent }] of orders.entries()) {
    const quote = quoteOf(market, intent, index, now)
    if (isRejection(quote)) return ofItem(index, quote)
    const { BUY, SELL } = addQuote(best, quote)
    if (BUY !== undefined && SELL !== undefined && BUY.price >= SELL.price) return crossedQuotes(orders, BUY, SELL)
  }
  return null
}

/** Names the order of a list that a refusal is about. */
export function ofItem(index: number, { code, message, facts = {} }: Refusal): Refusal {
  const field = `orders[${index}]`
  return { code, message: `${field}: ${message}`, facts: { ...facts, field } }
}

function quoteOf(market: Market, intent: OrderIntent, index: number, now: Micros): Quote | Rejection {
  const outcome = market.outcomes.get(intent.outcome_id)
  if (outcome === undefined) return orderErrors.outcome_unknown(intent.outcome_id, market.market_id)
  const measured = checkTerms(intent, market.terms, now)
  if (isRejection(measured)) return measured
  const { is_mirrored } = outcome
  const price = ladderPrice(market.terms, measured.limit_price, is_mirrored)
  return { index, book_id: ladderOf(outcome).outcome_id, side: ladderSide(intent.side, is_mirrored), price }
}

/** Adds a quote to the best ones by book. @returns those of its book */
function addQuote(best: Map<string, Partial<Record<Side, Quote>>>, quote: Quote): Partial<Record<Side, Quote>> {
  const of_book = best.get(quote.book_id) ?? {}
  best.set(quote.book_id, of_book)
  const known = of_book[quote.side]
  const is_better =
    known === undefined || (quote.side === 'BUY' ? quote.price > known.price : quote.price < known.price)
  if (is_better) of_book[quote.side] = quote
  return of_book
}

function crossedQuotes(orders: MassQuote['orders'], ...pair: readonly [Quote, Quote]): Rejection {
  const [first, second] = pair
    .map(({ index }) => index)
    .sort((a, b) => a - b)
    .map((index) => {
      const { side, outcome_id, limit_price } = orders[index]!.intent
      return `orders[${index}], ${side} ${outcome_id} at ${limit_price},`
    })
  return orderErrors.quotes_cross(first!, second!)
}
