import { instantField, requiredText } from '../../../../pipelines/text/json-fields.ts'
import {
  KALSHI as ENDPOINTS,
  kalshiEndpointOf,
  kalshiRequestOf,
} from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import { isJsonObject, jsonObject } from '../json-document.ts'
import type { Recorded } from '../payload-form.ts'
import { rawField } from '../raw-field.ts'
import { receiveTime } from '../receive-time.ts'
import { latestOf, type Recogniser } from '../recogniser.ts'

/** Fields with the time of a past event, by what states it: a market's creation says nothing about when it was read. */
const CLOCKS = new Map<string, RegExp>([
  [ENDPOINTS.trades, /"created_time"\s*:\s*"([^"]+)"/g],
  [ENDPOINTS.historical_trades, /"created_time"\s*:\s*"([^"]+)"/g],
  [ENDPOINTS.ws, /"ts(?:_ms)?"\s*:\s*"?([^",}\s]+)"?/g],
])
const CANDLE_CLOCK = /"end_period_ts"\s*:\s*(\d+)/g
const ROW_CLOCK = /"(?:updated_time|last_updated_time)"\s*:\s*"([^"]+)"/g

/** Messages about one account. */
const ACCOUNT_TYPES = ['fill', 'market_position', 'user_order', 'user_orders']

/** Answers of the trade API v2 and messages of its websocket, by their fields. */
export const KALSHI: Recogniser = {
  venue_id: 'kalshi',
  endpoints: Object.values(ENDPOINTS),
  endpointOf: (value) => (Array.isArray(value) ? listEndpoint(value[0]) : objectEndpoint(value)),
  isStream: (endpoint) => endpoint === ENDPOINTS.ws || endpoint === 'ws fill',
  clockOf: (text, endpoint) =>
    latestOf(text, CLOCKS.get(endpoint) ?? (/candlesticks$/.test(endpoint) ? CANDLE_CLOCK : ROW_CLOCK), receiveTime),
  requestOf: (endpoint, ticker) => (endpoint === ENDPOINTS.order_book ? `/markets/${ticker}/orderbook` : null),
  marketInName: (name) => /(?<![A-Z0-9])KX[A-Z0-9]+(?:-[A-Z0-9.]+)+/.exec(name)?.[0] ?? null,
  enveloped,
}

/**
 * Reads a recorded answer `{_metadata: {recorded_at, endpoint, ...}, response}`. The payload is the text of `response` as
 * written in the file, received at `recorded_at`. The request's path is built from the parameters in the metadata.
 */
function enveloped(value: unknown, text: string): Recorded | null {
  if (!isJsonObject(value) || value._metadata === undefined) return null
  const metadata = jsonObject(value._metadata)
  const endpoint = kalshiEndpointOf(requiredText(metadata, 'endpoint'))
  const response = rawField(text, 'response')
  if (endpoint === null || response === null) throw new Quarantined('UNKNOWN_SHAPE')
  return {
    venue_id: 'kalshi',
    endpoint,
    request: kalshiRequestOf(endpoint, metadata),
    received_at: instantField(metadata, 'recorded_at'),
    text: response,
  }
}

/** Fields that only one kind of answer has, with a list or an object in it. */
const LISTS: readonly (readonly [field: string, endpoint: string])[] = [
  ['orderbooks', ENDPOINTS.order_books],
  ['trades', ENDPOINTS.trades],
  ['market_candlesticks', ENDPOINTS.event_candles],
  ['candlesticks', ENDPOINTS.market_candles],
  ['events', ENDPOINTS.events],
  ['markets', ENDPOINTS.markets],
]

function objectEndpoint(value: unknown): string | null {
  if (!isJsonObject(value)) return null
  const { type, msg, cmd } = value
  if (isTrade(value)) return ENDPOINTS.trades
  if (typeof cmd === 'string' && 'params' in value) return ENDPOINTS.ws
  if (typeof type === 'string' && ACCOUNT_TYPES.includes(type)) return 'ws fill'
  if (typeof type === 'string' && ('sid' in value || 'seq' in value || isJsonObject(msg))) return ENDPOINTS.ws
  if (isBook(value.orderbook) || isBook(value.orderbook_fp)) return ENDPOINTS.order_book
  if (isJsonObject(value.market) && 'ticker' in value.market) return ENDPOINTS.market
  if (isJsonObject(value.event) && 'event_ticker' in value.event) return ENDPOINTS.event
  if (Array.isArray(value.series) && isSeries(value.series[0])) return ENDPOINTS.series_list
  if (isSeries(value.series)) return ENDPOINTS.series
  const named = LISTS.find(([field]) => Array.isArray(value[field]))
  if (named === undefined) return isMarket(value) ? ENDPOINTS.market : null
  const first = (value[named[0]] as readonly unknown[])[0]
  return named[0] === 'markets' && isJsonObject(first) && 'candlesticks' in first ? ENDPOINTS.markets_candles : named[1]
}

/** Recorders also keep the list of an answer alone. */
function listEndpoint(first: unknown): string | null {
  if (isMarket(first)) return ENDPOINTS.markets
  if (isTrade(first)) return ENDPOINTS.trades
  if (isJsonObject(first) && 'event_ticker' in first && 'title' in first) return ENDPOINTS.events
  return objectEndpoint(first) === ENDPOINTS.ws ? ENDPOINTS.ws : null
}

function isTrade(value: unknown): boolean {
  return isJsonObject(value) && 'trade_id' in value && 'ticker' in value
}

function isBook(value: unknown): boolean {
  return isJsonObject(value) && ['yes', 'no', 'yes_dollars', 'no_dollars'].some((side) => side in value)
}

function isMarket(value: unknown): boolean {
  return isJsonObject(value) && 'ticker' in value && 'event_ticker' in value
}

function isSeries(value: unknown): boolean {
  return isJsonObject(value) && 'ticker' in value && 'settlement_sources' in value
}
