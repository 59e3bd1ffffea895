import { recordIdOf } from '../../pipelines/market/quote.ts'
import type { MarketObservation } from '../../protocol/resources/market-price.ts'
import type { PublicApi } from '../http/public-api.ts'

/** Public quote that a leg rests on: a value of it alone, or as a page of levels embeds it. */
export type QuoteSource = Pick<
  MarketObservation,
  'observation_id' | 'market_id' | 'outcome_id' | 'revision' | 'source_at' | 'received_at' | 'published_at' | 'quote'
> &
  Partial<Pick<MarketObservation, 'venue_id' | 'source_series_id' | 'field' | 'value'>>

/** Caches quotes by record while they are in use: neighboring levels share many. */
export type QuoteCache = {
  /** Returns the quote of an observation; null: it is not public. */
  quote(market_id: string, observation_id: string): Promise<QuoteSource | null>
  /** Adds quotes that came with their levels. */
  add(quotes: readonly QuoteSource[]): void
}

/** Quotes of one generation; those of the last two are kept. */
const GENERATION = 10_000

/** Creates a cache of quotes; one that nobody added is asked for once. */
export function createQuoteCache(api: PublicApi): QuoteCache {
  let kept = new Map<string, Promise<QuoteSource | null>>()
  let earlier: typeof kept = new Map()
  const keep = (record_id: string, quote: Promise<QuoteSource | null>) => {
    if (kept.size === GENERATION) [kept, earlier] = [new Map(), kept]
    kept.set(record_id, quote)
    return quote
  }
  return {
    quote(market_id, observation_id) {
      const record_id = recordIdOf(observation_id)
      const asked = () => api.find<MarketObservation>(`/markets/${market_id}/prices/${observation_id}`)
      return kept.get(record_id) ?? keep(record_id, earlier.get(record_id) ?? asked())
    },
    add(quotes) {
      for (const quote of quotes) keep(recordIdOf(quote.observation_id), Promise.resolve(quote))
    },
  }
}
