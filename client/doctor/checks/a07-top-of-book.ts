import { COMPLEMENT_RULE } from '../../../pipelines/market/mark.ts'
import { bookPrices, complementPrice } from '../../../pipelines/market/price-view.ts'
import type { MarketPrice } from '../../../protocol/resources/market-price.ts'
import type { OrderBook } from '../../../protocol/resources/order-book.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import type { Side } from '../difference.ts'
import { bookAt, momentsOf, priceAt } from '../world.ts'

type Outcome = MarketPrice['outcomes'][number]

/** A7: best bid, best ask, depth, midpoint and spread of the price view equal the top of the order book at the same instant. */
export const TOP_OF_BOOK_AGREES: Check = {
  id: 'A7',
  title: 'Top of book',
  compares: 'best prices, depths, midpoint and spread of the price view, and the first price levels of the book',
  share: 4,
  async run(context) {
    const { ask, world, sampler, more } = context
    for (const market of await world.priced(ask)) {
      for (const at of await momentsOf(ask, sampler, market, world.at)) {
        if (!more()) return
        const view = await priceAt(ask, market, at)
        if (view.status !== 200) continue
        for (const outcome of view.data.outcomes) {
          compareArithmetic(context, view, outcome)
          const book = await bookAt(ask, market, outcome.outcome_id, at)
          if (book.status === 200) compareTop(context, view, outcome, book)
        }
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
  return derivations.some((one) => one.field === field && one.derivation_rule === COMPLEMENT_RULE)
}
