import { COMPLEMENT_RULE } from '../../../pipelines/market/mark.ts'
import { bookPrices, complementPrice } from '../../../pipelines/market/price-view.ts'
import { parseDecimal, sumDecimals } from '../../../primitives/decimal.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketPrice } from '../../../protocol/resources/market-price.ts'
import type { OrderBook } from '../../../protocol/resources/order-book.ts'
import { LADDER_RULE } from '../../../vocabulary/market.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import type { Side } from '../difference.ts'
import { complementOf, mirroredSides } from '../mirrored.ts'
import { bookAt, momentsOf, priceAt } from '../world.ts'

type Outcome = MarketPrice['outcomes'][number]

/** A7: best bid, best ask, depth, midpoint and spread of the price view equal the top of the order book at the same instant. */
export const TOP_OF_BOOK_AGREES: Check = {
  id: 'A7',
  title: 'Top of book',
  compares:
    'best prices, depths, midpoint and spread of the price view, and the first price levels of the book; both books of a complementary market with each other',
  share: 4,
  async run(context) {
    const { ask, world, sampler, more } = context
    for (const market of await world.priced(ask)) {
      for (const at of await momentsOf(ask, sampler, market, world.at)) {
        if (!more()) return
        const view = await priceAt(ask, market, at)
        if (view.status !== 200) continue
        const books: Answer<OrderBook>[] = []
        for (const outcome of view.data.outcomes) {
          compareArithmetic(context, view, outcome)
          const book = await bookAt(ask, market, outcome.outcome_id, at)
          if (book.status !== 200) continue
          compareTop(context, view, outcome, book)
          compareParts(context, book)
          books.push(book)
        }
        if (isLadderAt(market, books)) compareMirror(context, books)
      }
    }
  },
}

/** Fields by which an answer says why its prices are not the top of the stored book. */
type Reasons = { readonly book_sequence?: number | null; readonly book_reason?: string | null }

function compareTop(
  { find }: CheckContext,
  view: Answer<MarketPrice>,
  outcome: Outcome,
  book: Answer<OrderBook>,
): void {
  const of_view = `${view.request} (outcome ${outcome.outcome_id}, source_at ${view.data.source_at})`
  const of_book = `${book.request} (source_at ${book.data.source_at})`
  const { book_sequence } = outcome as Reasons
  const { newer_quote_at } = book.data as { newer_quote_at?: string | null }
  if (book_sequence !== undefined) {
    const expected = newer_quote_at == null ? book.data.sequence : null
    find.same('book_sequence', { request: of_view, value: book_sequence }, { request: of_book, value: expected })
  }
  if (newer_quote_at != null) return
  const [bid, ask] = [book.data.bids[0], book.data.asks[0]]
  const pairs = [
    ['best_bid', outcome.best_bid, bid?.price],
    ['best_ask', outcome.best_ask, ask?.price],
    ['bid_depth', outcome.bid_depth, bid?.quantity],
    ['ask_depth', outcome.ask_depth, ask?.quantity],
  ] as const
  for (const [field, first, second] of pairs)
    if (!find.same(field, { request: of_view, value: first }, { request: of_book, value: second ?? null })) return
}

/** Whether orders of both outcomes met at the instant of two books: an earlier one may be of before the market was complementary. */
function isLadderAt(market: Market, books: readonly Answer<OrderBook>[]): boolean {
  const [first, second] = books
  if (first === undefined || second === undefined || complementOf(market, first.data.outcome_id) === null) return false
  return books.some(({ data }) => [...data.bids, ...data.asks].some((level) => level.derived === true))
}

/** The book of the second outcome of a complementary market is the mirror of that of the first, at the same sequence. */
function compareMirror({ find }: CheckContext, [first, second]: readonly Answer<OrderBook>[]): void {
  const { sequence, ...sides } = { sequence: first!.data.sequence, ...mirroredSides(first!.data) }
  find.same(
    'sequence',
    { request: second!.request, value: second!.data.sequence },
    { request: first!.request, value: sequence },
  )
  const { bids, asks } = second!.data
  find.equal(
    { request: second!.request, value: { bids, asks } },
    { request: `${first!.request}: 1 - price, the opposite side`, value: sides },
  )
}

/** A price level is the sum of its parts. */
function compareParts({ find }: CheckContext, { request, data }: Answer<OrderBook>): void {
  for (const { price, quantity, parts } of [...data.bids, ...data.asks]) {
    // A service from before levels had parts.
    if ((parts as unknown) === undefined) return
    const sum = sumDecimals(parts.map((part) => parseDecimal(part.quantity, 'quantity'))).toFixed(6)
    const stated = parseDecimal(quantity, 'quantity').toFixed(6)
    if (
      !find.same(
        `quantity at ${price}`,
        { request, value: stated },
        { request: `${request}: sum of parts`, value: sum },
      )
    )
      return
  }
}

/** Midpoint and spread follow from the two sides beside them; a derived side is 1 minus the other outcome's opposite side. */
function compareArithmetic({ find }: CheckContext, { request, data }: Answer<MarketPrice>, outcome: Outcome): void {
  const { best_bid, best_ask } = outcome
  const side = (value: unknown, what: string): Side => ({
    request: `${request} (outcome ${outcome.outcome_id}) ${what}`,
    value,
  })
  const counts = ((outcome as Reasons).book_reason ?? null) === null
  const { midpoint, spread } = counts ? bookPrices(best_bid, best_ask, false) : { midpoint: null, spread: null }
  find.same('midpoint', side(outcome.midpoint, 'midpoint'), side(midpoint, '(best_bid + best_ask) / 2'))
  find.same('spread', side(outcome.spread, 'spread'), side(spread, 'best_ask - best_bid'))
  const other = data.outcomes.find(({ outcome_id }) => outcome_id !== outcome.outcome_id)
  if (other === undefined) return
  // The flag of the outcome may be of its mark alone, beside a book of its own.
  const sides = [
    ['best_bid', 'best_ask'],
    ['best_ask', 'best_bid'],
  ] as const
  for (const [own, opposite] of sides.filter(([field]) => isComplement(outcome, field))) {
    const price = other[opposite] === null ? null : complementPrice(other[opposite])
    find.same(own, side(outcome[own], own), side(price, `1 - the other outcome's ${opposite}`))
  }
}

function isComplement({ derivations = [] }: Partial<Outcome>, field: string): boolean {
  return derivations.some((one) => one.field === field && [COMPLEMENT_RULE, LADDER_RULE].includes(one.derivation_rule))
}
