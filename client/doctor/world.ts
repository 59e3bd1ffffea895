import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Capabilities } from '../../protocol/resources/capabilities.ts'
import type { Event } from '../../protocol/resources/event.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { MarketObservation, MarketPrice } from '../../protocol/resources/market-price.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Trade } from '../../protocol/resources/trade.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Answer, Asker, Listed } from './asker.ts'
import type { Sampler } from './sample.ts'

const HOUR: Micros = 3_600 * MICROS_PER_SECOND
/** Pages of the catalogue that are read; a larger one is sampled from its first pages. */
const CATALOGUE_PAGES = 3
const MARKETS_SAMPLED = 24

/** Catalogue of a deployment at one instant, and the reads that several checks share: each is asked once in a run. */
export type World = {
  /** Instant of the run: meta.published_at of its first answer. Every read below is as of it. */
  readonly at: string
  readonly capabilities: Capabilities
  readonly paths: ReadonlySet<string>
  indexes(ask: Asker): Promise<Listed<Index>>
  markets(ask: Asker): Promise<Listed<Market>>
  events(ask: Asker): Promise<Listed<Event>>
  /** Markets with public prices, spread over venues and statuses, in seeded order. */
  priced(ask: Asker): Promise<readonly Market[]>
  /** Whether trades of a market's venue are public. */
  tradesArePublic(market: Market): boolean
}

/** Reads what the service serves, as the checks need it. */
export async function openWorld(ask: Asker, sampler: Sampler): Promise<World> {
  const capabilities = await ask.get<Capabilities>('/capabilities')
  if (capabilities.code !== null)
    throw new ServiceError('SERVICE_UNAVAILABLE', `${capabilities.request} was refused with ${capabilities.code}`)
  const { venues, limit_classes }: Partial<Capabilities> = capabilities.data ?? {}
  if (!Array.isArray(venues) || !Array.isArray(limit_classes))
    throw new ServiceError('SERVICE_UNAVAILABLE', `${capabilities.request} answered not as this API does`)
  const at = capabilities.meta.published_at
  const paths = await pathsOf(ask)
  const markets = (asker: Asker) => asker.list<Market>('/markets', { as_of: at }, CATALOGUE_PAGES)
  const venueOf = (market: Market) => venues.find(({ venue_id }) => venue_id === market.venue_mapping?.venue_id)
  return {
    at,
    capabilities: capabilities.data,
    paths,
    indexes: (asker) => asker.list<Index>('/indexes', { as_of: at }, CATALOGUE_PAGES),
    markets,
    events: (asker) => asker.list<Event>('/events', { as_of: at }, CATALOGUE_PAGES),
    async priced(asker) {
      const open = (await markets(asker)).data.filter(
        (market) => isOwn(market) || venueOf(market)?.prices_public === true,
      )
      const group = ({ venue_mapping, status }: Market) => `${venue_mapping?.venue_id} ${status}`
      return sampler.spread(open, MARKETS_SAMPLED, ({ market_id }) => market_id, group)
    },
    tradesArePublic: (market) => isOwn(market) || venueOf(market)?.trades_public === true,
  }
}

async function pathsOf(ask: Asker): Promise<ReadonlySet<string>> {
  const { status, text } = await ask.site('/openapi.json')
  if (status !== 200) return new Set()
  const { paths } = (JSON.parse(text) ?? {}) as { readonly paths?: object | null }
  return new Set(Object.keys(paths ?? {}))
}

/** Whether a market is listed and traded on this deployment. */
export function isOwn({ venue_mapping }: Market): boolean {
  return venue_mapping?.venue_id === OWN_VENUE
}

/** Returns the prices of a market as of an instant. */
export function priceAt(ask: Asker, { market_id }: Market, as_of: string): Promise<Answer<MarketPrice>> {
  return ask.get<MarketPrice>(`/markets/${market_id}/price`, { as_of })
}

/** Returns the order book of an outcome as of an instant. */
export function bookAt(
  ask: Asker,
  { market_id }: Market,
  outcome_id: string,
  as_of: string,
): Promise<Answer<OrderBook>> {
  return ask.get<OrderBook>(`/markets/${market_id}/orderbook`, { outcome_id, as_of })
}

/** Lists the public trades of a market, or of one outcome, as of an instant. */
export function tapeAt(ask: Asker, { market_id }: Market, as_of: string, outcome_id?: string): Promise<Listed<Trade>> {
  const query = outcome_id === undefined ? { as_of } : { as_of, outcome_id }
  return ask.list<Trade>(`/markets/${market_id}/trades`, query, 4)
}

/** Reads the observations of a market in the hour up to its newest price, every revision, by source time. */
export async function recentPrices(
  ask: Asker,
  market: Market,
  as_of: string,
): Promise<Listed<MarketObservation> | null> {
  const price = await priceAt(ask, market, as_of)
  if (price.data === null) return null
  return ask.list<MarketObservation>(
    `/markets/${market.market_id}/prices`,
    {
      start_time: formatMicros(toMicros(price.data.source_at) - HOUR),
      time_domain: 'source',
      include_corrections: true,
      as_of,
    },
    4,
  )
}

/** Returns the instants at which a market is looked at: the run's own, and one at which a past record was published. */
export async function momentsOf(ask: Asker, sampler: Sampler, market: Market, at: string): Promise<readonly string[]> {
  const recent = await recentPrices(ask, market, at)
  const [past] = sampler.shuffled(recent?.data ?? [], ({ observation_id }) => observation_id)
  return past === undefined ? [at] : [at, past.published_at]
}

/** Returns a later instant by some microseconds. */
export function later(instant: string, micros: Micros): string {
  return formatMicros(toMicros(instant) + micros)
}
