import type { Micros } from '../../../primitives/instants.ts'
import { type JsonText, parseJsonText } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { readPayload } from '../read-payload.ts'
import type { VenuePayload, VenueReader, VenueRecords } from '../record.ts'
import { recordOfMoment } from './book-minutes.ts'
import { readClobBook, readClobBooks } from './clob-book.ts'
import { readClobMarket } from './clob-market.ts'
import { readDataTrades } from './data-trades.ts'
import { ENDPOINTS } from './endpoints.ts'
import { POLYMARKET_CHANGE, POLYMARKET_FORMS } from './forms.ts'
import { readGammaEvents, readGammaMarkets } from './gamma-markets.ts'
import { readMarketChannel } from './market-channel.ts'
import { Memory } from './memory.ts'
import { readPricesHistory } from './prices-history.ts'
import type { Reading } from './reading.ts'
import { plausible } from './times.ts'

type EndpointReader = (reading: Reading, document: JsonText) => void

const READERS: ReadonlyMap<string, EndpointReader> = new Map(
  Object.entries<EndpointReader>({
    [ENDPOINTS.gamma_markets]: readGammaMarkets,
    [ENDPOINTS.gamma_events]: readGammaEvents,
    [ENDPOINTS.clob_book]: readClobBook,
    [ENDPOINTS.clob_books]: readClobBooks,
    [ENDPOINTS.clob_market]: readClobMarket,
    [ENDPOINTS.prices_history]: readPricesHistory,
    [ENDPOINTS.data_trades]: readDataTrades,
    [ENDPOINTS.ws_market]: readMarketChannel,
  }),
)

/** What keeps a websocket open says nothing of a market. */
const KEEPALIVE = /^\s*P[IO]NG\s*$/

/**
 * A reader of Polymarket's payloads. It learns from references (Gamma markets and events, CLOB markets) which token is
 * which outcome; a token of which none has spoken is quarantined as UNKNOWN_OUTCOME. Books that websocket messages build are
 * given out once a minute, those that were asked for as they came.
 * @param now the wall clock: nothing can have been received later
 */
export function createPolymarketReader(now: Micros): VenueReader {
  const memory = new Memory()
  return {
    read(payload: VenuePayload): VenueRecords {
      return readPayload(payload, now, (found) => readEndpoint({ payload, memory, found }))
    },
    finish: () => ({ books: memory.moments.finish().map(recordOfMoment) }),
  }
}

function readEndpoint(reading: Reading): void {
  const { endpoint, received_at, text } = reading.payload
  plausible(received_at)
  const read = READERS.get(endpoint)
  if (read === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  if (endpoint === ENDPOINTS.ws_market && KEEPALIVE.test(text)) return
  const change = endpoint === ENDPOINTS.ws_market ? POLYMARKET_CHANGE(text) : null
  read(reading, change ?? parseJsonText(text, POLYMARKET_FORMS))
}
