import { OWN_VENUE } from '../../vocabulary/venue.ts'

/** Terms of a source: which data may be served, and whether indexes may use it. The defaults of docs/venue-terms.md. */
export type VenueTerms = {
  readonly venue_id: string
  /** Prices and levels made from them may be served to everyone. */
  readonly public_prices: boolean
  /** Single trades may be served to everyone, always without accounts. */
  readonly public_trades: boolean
  /** An index may have constituents of this source. Never if prices may not be served: its levels could not be reproduced. */
  readonly index_eligible: boolean
  /** Attribution required beside the data; null if none is. */
  readonly attribution: string | null
  readonly note: string
}

const FORECASTBENCH = 'Karger et al., ForecastBench (ICLR 2025), Forecasting Research Institute, CC BY-SA 4.0'

/** One row per known source. A source without a row has no terms of its own: its importer is responsible. */
export const VENUE_TERMS: readonly VenueTerms[] = [
  {
    venue_id: 'polymarket',
    public_prices: true,
    public_trades: true,
    index_eligible: true,
    attribution: null,
    note: 'wallets and names are left out before anything is stored',
  },
  {
    venue_id: 'kalshi',
    public_prices: true,
    public_trades: true,
    index_eligible: true,
    attribution: null,
    note: "the operator confirms the venue's data terms",
  },
  {
    venue_id: 'manifold',
    public_prices: true,
    public_trades: false,
    index_eligible: true,
    attribution: null,
    note: 'play money, labeled as such and never mixed with dollars',
  },
  {
    venue_id: 'metaculus',
    public_prices: true,
    public_trades: false,
    index_eligible: true,
    attribution: FORECASTBENCH,
    note: 'through ForecastBench; what is derived from it stays under CC BY-SA',
  },
  {
    venue_id: 'infer',
    public_prices: true,
    public_trades: false,
    index_eligible: true,
    attribution: FORECASTBENCH,
    note: 'through ForecastBench; what is derived from it stays under CC BY-SA',
  },
  {
    venue_id: 'predictit',
    public_prices: false,
    public_trades: false,
    index_eligible: false,
    attribution: null,
    note: 'for connectors and tests only',
  },
  {
    venue_id: 'betfair',
    public_prices: false,
    public_trades: false,
    index_eligible: false,
    attribution: null,
    note: 'for connectors and tests only',
  },
  {
    venue_id: 'usgs',
    public_prices: true,
    public_trades: false,
    index_eligible: false,
    attribution: 'U.S. Geological Survey',
    note: 'evidence of severity; it has no prices',
  },
  {
    venue_id: 'gdacs',
    public_prices: true,
    public_trades: false,
    index_eligible: false,
    attribution: 'GDACS, European Union',
    note: 'evidence of severity; it has no prices',
  },
  {
    venue_id: OWN_VENUE,
    public_prices: true,
    public_trades: true,
    index_eligible: true,
    attribution: null,
    note: 'our own venue; trades without account ids',
  },
]

/** Returns the terms of a source; null if it has none of its own. */
export function termsOf(venue_id: string): VenueTerms | null {
  return VENUE_TERMS.find((terms) => terms.venue_id === venue_id) ?? null
}

/** Returns whether the terms of the source allow it in indexes. */
export function isIndexEligible(venue_id: string): boolean {
  return termsOf(venue_id)?.index_eligible ?? true
}
