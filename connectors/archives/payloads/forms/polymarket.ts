import { ENDPOINTS, VENUE_ID } from '../../../../pipelines/venues/polymarket/endpoints.ts'
import { isJsonObject } from '../json-document.ts'
import { receiveTime } from '../receive-time.ts'
import { latestOf, type Recogniser } from '../recogniser.ts'

/** Types of messages of the public channel, and those of the user channel, which are about one account. */
const PUBLIC_TYPES = [
  'book',
  'price_change',
  'last_trade_price',
  'tick_size_change',
  'best_bid_ask',
  'new_market',
  'market_resolved',
]
const USER_TYPES = ['trade', 'order']

/** Instants of the stream, of trades and of rows that the venue updates. End dates are plans. */
const INSTANT = /"(?:timestamp|updatedAt|createdAt|closedTime|accepting_order_timestamp)"\s*:\s*"?(\d[\d:T.+ -]*Z?)"?/g
const POINT = /"t"\s*:\s*(\d{9,13})\b/g

/** Answers of Gamma, CLOB and the Data API, and messages of the market channel, by their fields. */
export const POLYMARKET: Recogniser = {
  venue_id: VENUE_ID,
  endpoints: Object.values(ENDPOINTS),
  endpointOf: (value) => listEndpoint(value) ?? objectEndpoint(value),
  isStream: (endpoint) => endpoint === ENDPOINTS.ws_market || endpoint === 'ws user',
  clockOf: (text, endpoint) => latestOf(text, endpoint === ENDPOINTS.prices_history ? POINT : INSTANT, receiveTime),
  requestOf: (endpoint, token) => (endpoint === ENDPOINTS.prices_history ? `/prices-history?market=${token}` : null),
  marketInName: (name) => /(?<!\d)\d{60,78}(?!\d)/.exec(name)?.[0] ?? null,
}

function listEndpoint(value: unknown): string | null {
  if (!Array.isArray(value)) return null
  switch (objectEndpoint(value[0])) {
    case ENDPOINTS.gamma_market:
    case ENDPOINTS.clob_market:
      return ENDPOINTS.gamma_markets
    case ENDPOINTS.gamma_event:
      return ENDPOINTS.gamma_events
    case ENDPOINTS.clob_book:
      return ENDPOINTS.clob_books
    case ENDPOINTS.ws_market:
      return ENDPOINTS.ws_market
    case ENDPOINTS.data_trades:
      return ENDPOINTS.data_trades
    case 'ws user':
      return 'ws user'
    default:
      return null
  }
}

function objectEndpoint(value: unknown): string | null {
  if (!isJsonObject(value)) return null
  const type = value.event_type
  if (typeof type === 'string' && PUBLIC_TYPES.includes(type)) return ENDPOINTS.ws_market
  if (typeof type === 'string' && USER_TYPES.includes(type)) return 'ws user'
  if ('price_changes' in value) return ENDPOINTS.ws_market
  if ('asset_id' in value && 'bids' in value) return ENDPOINTS.clob_book
  if ('condition_id' in value && Array.isArray(value.tokens)) return ENDPOINTS.clob_market
  if ('conditionId' in value && 'outcomes' in value) return ENDPOINTS.gamma_market
  if (isTrade(value)) return ENDPOINTS.data_trades
  if ('assets_ids' in value && value.event_type === undefined) return ENDPOINTS.ws_market
  if (Array.isArray(value.history)) return ENDPOINTS.prices_history
  if (Array.isArray(value.markets) && 'title' in value) return ENDPOINTS.gamma_event
  return pageEndpoint(value)
}

/** A page holds its list as `data`, `markets` or `events`. */
function pageEndpoint({ data, markets, events }: Readonly<Record<string, unknown>>): string | null {
  const list = [data, markets, events].find((field) => Array.isArray(field))
  const endpoint = listEndpoint(list)
  return endpoint === ENDPOINTS.ws_market ? null : endpoint
}

function isTrade(row: unknown): boolean {
  return isJsonObject(row) && ('transactionHash' in row || 'transaction_hash' in row) && 'price' in row && 'size' in row
}
