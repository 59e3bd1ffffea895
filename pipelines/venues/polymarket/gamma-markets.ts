import { idField, type JsonObject } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import type { QuoteRecord } from '../record.ts'
import { pushMetric, sizeField } from '../sizes.ts'
import { quoteRecord } from './book-records.ts'
import { gammaReference, type MarketStatus, statusOf } from './gamma-reference.ts'
import { statedResolution } from './gamma-resolution.ts'
import type { Location, Reading } from './memory.ts'
import { attempt, recordOf } from './reading.ts'
import { stateResolution, withdrawResolution } from './resolution-log.ts'
import { readVenueTime } from './times.ts'
import { outcomeLabels } from './token-directory.ts'
import { readFlag, readQuotedPrice, readTextList } from './values.ts'

/** Reads `GET /markets` of Gamma: a bare list; each market nests its events, of which the first counts. */
export function readGammaMarkets(reading: Reading, document: JsonText): void {
  for (const [i, market] of rootList(document).entries()) {
    const location = { line: i + 1, path: `$[${i}]` }
    readGammaMarket(reading, location, market, (stated) => listOf(stated.events)[0] ?? null)
  }
}

/** Reads `GET /events` of Gamma: a bare list; each event nests its markets. */
export function readGammaEvents(reading: Reading, document: JsonText): void {
  let line = 0
  for (const [i, item] of rootList(document).entries()) {
    const location = { line: line + 1, path: `$[${i}]` }
    const markets = attempt(reading, location, () => listOf(objectOf(item).markets)) ?? []
    if (markets.length === 0) line += 1
    for (const [j, market] of markets.entries()) {
      line += 1
      readGammaMarket(reading, { line, path: `$[${i}].markets[${j}]` }, market, () => item)
    }
  }
}

function rootList(document: JsonText): readonly JsonText[] {
  if (document === null) throw new Quarantined('UNKNOWN_SHAPE')
  return listOf(document)
}

/** Reads one market: its reference and sizes, then its resolution, then its quote, each quarantined by itself. */
function readGammaMarket(
  reading: Reading,
  location: Location,
  item: JsonText,
  eventOf: (market: JsonTextObject) => JsonText,
): void {
  const described = attempt(reading, location, () => describe(reading, location, objectOf(item), eventOf))
  if (described === null) return
  const { id, outcomes, market, status } = described
  attempt(reading, location, () => gammaMetric(reading, location, id, market))
  attempt(reading, location, () => takeResolution(reading, location, id, market, outcomes))
  const quote = attempt(reading, location, () => gammaQuote(reading, location, id, market, outcomes[0]!, status))
  if (quote !== null) reading.found.quotes.push(quote)
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
  reading.memory.references.set(id, reference)
  reading.found.references.push(reference)
  return { id, outcomes, market, status }
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
