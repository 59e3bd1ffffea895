import { idField } from '../../../pipelines/text/json-fields.ts'
import { type JsonText, objectOf } from '../../../pipelines/text/json-text.ts'
import { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../../http/venue-http-client.ts'
import type { DocumentMemory } from '../document-memory.ts'
import { fetchDocument } from '../fetch-document.ts'
import type { Tier } from './historical-tier.ts'

/** Facts of a market that further requests need. */
export type KnownMarket = { readonly event_ticker: string; readonly tier: Tier }

export type MarketDocuments = {
  readonly client: VenueHttpClient
  readonly memory: DocumentMemory
  /** By ticker; new markets are added. */
  readonly markets: Map<string, KnownMarket>
  /** Series tickers by event ticker; new events are added. */
  readonly series: Map<string, string>
}

/**
 * Reads the documents of one market: its event's, its series' and its own, in the order in which they are read. A market that
 * left the live tier has its historical document; an unknown one has none.
 */
export function describeMarket(
  documents: MarketDocuments,
  ticker: string,
  signal?: AbortSignal,
): AsyncGenerator<PayloadItem> {
  const { client, memory, markets, series } = documents
  return memory.read(ticker, async function* read() {
    const own: PayloadItem[] = []
    const market = await marketOf(client, ticker, own, signal)
    if (market !== null) {
      markets.set(ticker, market)
      const { event_ticker } = market
      const path = `/events/${encodeURIComponent(event_ticker)}`
      const event = yield* fetchDocument(client, KALSHI.event, path, signal)
      const series_ticker = event.kind === 'read' ? seriesOf(event.document) : null
      if (series_ticker !== null) {
        series.set(event_ticker, series_ticker)
        yield* fetchDocument(client, KALSHI.series, `/series/${encodeURIComponent(series_ticker)}`, signal)
      }
    }
    yield* own
  })
}

const TIERS = [
  ['live', KALSHI.market, '/markets'],
  ['historical', KALSHI.historical_market, '/historical/markets'],
] as const

/** Finds the tier of a market and adds its documents to `into`; null if it is in none. */
async function marketOf(
  client: VenueHttpClient,
  ticker: string,
  into: PayloadItem[],
  signal: AbortSignal | undefined,
): Promise<KnownMarket | null> {
  for (const [tier, endpoint, path] of TIERS) {
    const reading = fetchDocument(client, endpoint, `${path}/${encodeURIComponent(ticker)}`, signal)
    let step = await reading.next()
    for (; step.done !== true; step = await reading.next()) into.push(step.value)
    if (step.value.kind !== 'read') continue
    const { document } = step.value
    const parsed = parseRecord(() => idField(objectOf(objectOf(document).market), 'event_ticker'))
    if ('record' in parsed) return { event_ticker: parsed.record, tier }
  }
  return null
}

function seriesOf(document: JsonText): string | null {
  const parsed = parseRecord(() => idField(objectOf(objectOf(document).event), 'series_ticker'))
  return 'record' in parsed ? parsed.record : null
}
