import { invariant } from '../../primitives/errors.ts'
import type { BookChange, PublicMarkets, TradeChange } from '../../trading/public-market/fold-events.ts'
import type { PublicOutcome } from '../../trading/public-market/public-market.ts'

/** Conversion of a row to JSON and back; markets and outcomes are replaced by their ids. */
export type RowForm<Row> = {
  readonly pack: (row: Row) => unknown
  readonly unpack: (packed: unknown) => Row
}

type PackedBook = Omit<BookChange, 'outcome'> & { readonly outcome_id: string }
type PackedTrade = Omit<TradeChange, 'trade'> & { readonly trade: Omit<TradeChange['trade'], 'market'> }

/** Form of the price levels that one batch changed. */
export function bookForm(markets: PublicMarkets): RowForm<BookChange> {
  return {
    pack: ({ outcome, ...change }): PackedBook => ({ outcome_id: outcome.outcome_id, ...change }),
    unpack: (packed) => {
      const { outcome_id, ...change } = packed as PackedBook
      return { outcome: outcomeOf(markets, outcome_id), ...change }
    },
  }
}

/** Form of trades and their corrections. */
export function tradeForm(markets: PublicMarkets): RowForm<TradeChange> {
  return {
    pack: ({ trade: { market: _, ...trade }, ...change }): PackedTrade => ({ trade, ...change }),
    unpack: (packed) => {
      const { trade, ...change } = packed as PackedTrade
      return { trade: { ...trade, market: outcomeOf(markets, trade.outcome_id).market }, ...change }
    },
  }
}

function outcomeOf(markets: PublicMarkets, outcome_id: string): PublicOutcome {
  const outcome = markets.outcome(outcome_id)
  invariant(outcome !== null, `${outcome_id} was listed when it changed`)
  return outcome
}
