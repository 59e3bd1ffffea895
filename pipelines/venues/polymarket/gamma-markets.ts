import { idField, type JsonObject } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import { readGroup } from '../read-payload.ts'
import type { QuoteRecord } from '../record.ts'
import { pushMetric, sizeField } from '../sizes.ts'
import { quoteRecord } from './book-records.ts'
import { readClobMarket } from './clob-market.ts'
import { gammaReference, type MarketStatus, statusOf } from './gamma-reference.ts'
import { statedResolution } from './gamma-resolution.ts'
import type { Location, Reading } from './memory.ts'
import { attempt, readRecord, recordOf } from './reading.ts'
import { stateResolution, withdrawResolution } from './resolution-log.ts'
import { stateReference } from './state-reference.ts'
import { readVenueTime } from './times.ts'
import { outcomeLabels } from './token-directory.ts'
import { readFlag, readQuotedPrice, readTextList } from './values.ts'

/**
 * Reads `GET /markets` and `GET /markets/{id}`: a bare list, a page `{markets}` or `{data}`, or one market. A market of Gamma
 * nests its events, of which the first counts; CLOB gives its own markets under the same path.
 */
export function readMarketsAnswer(reading: Reading, document: JsonText): void {
  for (const { item, path } of rootItems(document, 'markets')) {
    readRecord(reading, path, (location) => {
      const market = objectOf(item)
      if (market.condition_id !== undefined) return readClobMarket(reading, location, market)
      return readGammaMarket(reading, location, market, (stated) => listOf(stated.events)[0] ?? null)
    })
  }
}

/** Reads `GET /events` and `GET /events/{id}`: a bare list, a page `{events}` or `{data}`, or one event; each nests its markets. */
export function readEventsAnswer(reading: Reading, document: JsonText): void {
  const { found, payload } = reading
  for (const { item, path } of rootItems(document, 'events')) {
    readGroup(found, payload.file, path, 'CONTEXT_ONLY', () => {
      const event = objectOf(item)
      const prefix = path === '$' ? '' : `${path}.`
      for (const [i, market] of listOf(event.markets).entries()) {
        const of_market = `${prefix}markets[${i}]`
        readRecord(reading, of_market, (location) => readGammaMarket(reading, location, objectOf(market), () => item))
      }
    })
  }
}

/** Returns the records of an answer: those of a list or of a page, or the answer itself. */
function rootItems(document: JsonText, field: 'markets' | 'events') {
  if (Array.isArray(document)) return itemsOf(document, '$')
  const page = objectOf(document)
  // An event has markets of its own; what names itself is no page.
  if (page.id === undefined && Array.isArray(page[field])) return itemsOf(page[field], field)
  if (Array.isArray(page.data)) return itemsOf(page.data, 'data')
  const own = field === 'markets' ? (page.conditionId ?? page.condition_id) : page.id
  if (own === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  return [{ item: document, path: '$' }]
}

function itemsOf(list: readonly JsonText[], path: string) {
  return list.map((item, i) => ({ item, path: `${path}[${i}]` }))
}

/** Reads one market: its reference and sizes, then its resolution, then its quote, each quarantined by itself. */
function readGammaMarket(
  reading: Reading,
  location: Location,
  market: JsonTextObject,
  eventOf: (market: JsonTextObject) => JsonText,
): Outcome {
  const { id, outcomes, status } = describe(reading, location, market, eventOf)
  attempt(reading, location, () => gammaMetric(reading, location, id, market))
  attempt(reading, location, () => takeResolution(reading, location, id, market, outcomes))
  const quote = attempt(reading, location, () => gammaQuote(reading, location, id, market, outcomes[0]!, status))
  if (quote !== null) reading.found.quotes.push(quote)
  return 'taken'
}

function describe(
  reading: Reading,
  location: Location,
  market: JsonTextObject,
  eventOf: (market: JsonTextObject) => JsonText,
) {
  const id = idField(market as JsonObject, 'conditionId')
  const outcomes = outcomeLabels(readTextList(market.outcomes))
  const stated = parseRecord(() => statedResolution(market, outcomes))
  const status = statusOf(market, 'record' in stated ? stated.record : null)
  const nested = eventOf(market)
  const event = nested === null ? null : objectOf(nested)
  const reference = gammaReference(reading, location, { id, outcomes }, { market, event }, status)
  reading.memory.tokens.describe(id, outcomes, readTextList(market.clobTokenIds))
  stateReference(reading, reference)
  return { id, outcomes, status }
}

function takeResolution(
  reading: Reading,
  location: Location,
  id: string,
  market: JsonTextObject,
  outcomes: readonly string[],
): void {
  const statement = statedResolution(market, outcomes)
  if (statement === null) {
    if (readFlag(market, 'closed') === false) withdrawResolution(reading, location, id)
    return
  }
  const own_at = statement.finality === 'final' ? readVenueTime(market.closedTime) : null
  stateResolution(reading, location, id, statement, own_at)
}

/** Reads sizes in USDC. Gamma does not state their instant, so source_at is received_at. */
function gammaMetric(reading: Reading, location: Location, id: string, market: JsonTextObject): void {
  const { file, line, path, venue_id, source_market_id, source_at, received_at } = recordOf(
    reading,
    location,
    id,
    reading.payload.received_at,
  )
  pushMetric(reading.found.metrics, {
    file,
    line,
    path,
    venue_id,
    source_market_id,
    source_at,
    received_at,
    volume_24h: sizeField(market, 'volume24hr'),
    open_interest: sizeField(market, 'openInterest'),
    // The text has more digits than the number.
    liquidity_notional: sizeField(market, 'liquidity') ?? sizeField(market, 'liquidityNum'),
  })
}

/** Statuses in which Gamma shows current prices; a closed market keeps its last ones (P16). */
const QUOTED: readonly MarketStatus[] = ['open', 'paused', 'resolving']

/**
 * Reads Gamma's best prices, which are those of the first outcome, whatever its label. Gamma does not state their time
 * (`updatedAt` is the row's), so source_at is received_at. The last trade has no time.
 */
function gammaQuote(
  reading: Reading,
  location: Location,
  id: string,
  market: JsonTextObject,
  outcome: string,
  status: MarketStatus,
): QuoteRecord | null {
  if (!QUOTED.includes(status) || readFlag(market, 'closed') === true) return null
  const bid = readQuotedPrice(market.bestBid)
  const ask = readQuotedPrice(market.bestAsk)
  const last_trade = readQuotedPrice(market.lastTradePrice)
  if (bid === null && ask === null && last_trade === null) return null
  const confirmed_at = reading.payload.received_at
  return quoteRecord(recordOf(reading, location, id, confirmed_at), outcome, { bid, ask, last_trade, confirmed_at })
}
