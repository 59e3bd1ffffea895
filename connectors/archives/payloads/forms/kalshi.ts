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
import { either, latestOf, listOf, object, oneOrList, type Recogniser, type Shape } from '../recogniser.ts'

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

const isAccountMessage = object(({ type }) => typeof type === 'string' && ACCOUNT_TYPES.includes(type))
const isMessage = object(
  (value) =>
    typeof value.type === 'string' &&
    !isAccountMessage(value) &&
    ('sid' in value || 'seq' in value || isJsonObject(value.msg)),
)
const isCommand = object((value) => typeof value.cmd === 'string' && 'params' in value)
const isLadders = object((value) => ['yes', 'no', 'yes_dollars', 'no_dollars'].some((side) => side in value))
const isMarket = object((value) => 'ticker' in value && 'event_ticker' in value)
const isSeries = object((value) => 'ticker' in value && 'settlement_sources' in value)
const isTrade = object((value) => 'trade_id' in value && 'ticker' in value)
const isEvent = object((value) => 'event_ticker' in value && 'title' in value)
/** PredictIt, too, answers with a list `markets`. */
const isPredictIt = object(({ contracts }) => Array.isArray(contracts))
const hasList = (field: string) => object((value) => Array.isArray(value[field]))

const SHAPES: readonly Shape[] = [
  { endpoint: ENDPOINTS.trades, known_by: '`trade_id` and `ticker`; one trade or a list', is: oneOrList(isTrade) },
  {
    endpoint: 'ws fill',
    known_by: `\`type\`: ${ACCOUNT_TYPES.map((type) => `\`${type}\``).join(', ')}; about an account: its text is not stored`,
    is: isAccountMessage,
  },
  {
    endpoint: ENDPOINTS.ws,
    known_by:
      '`type`, and `sid`, `seq` or `msg`; or `cmd` and `params`, which the recorder sent; one message or a list',
    is: oneOrList(either(isCommand, isMessage)),
  },
  {
    endpoint: ENDPOINTS.order_book,
    known_by:
      '`orderbook` or `orderbook_fp` with `yes`, `no`, `yes_dollars` or `no_dollars`; the request, the wrapper or the name of the file names the market',
    is: object(({ orderbook, orderbook_fp }) => isLadders(orderbook) || isLadders(orderbook_fp)),
  },
  {
    endpoint: ENDPOINTS.market,
    known_by: '`market` with a `ticker`',
    is: object(({ market }) => isJsonObject(market) && 'ticker' in market),
  },
  {
    endpoint: ENDPOINTS.event,
    known_by: '`event` with an `event_ticker`',
    is: object(({ event }) => isJsonObject(event) && 'event_ticker' in event),
  },
  {
    endpoint: ENDPOINTS.series_list,
    known_by: 'a list `series` of `{ticker, settlement_sources}`',
    is: object(({ series }) => listOf(isSeries)(series)),
  },
  {
    endpoint: ENDPOINTS.series,
    known_by: '`series` with `ticker` and `settlement_sources`',
    is: object(({ series }) => isSeries(series)),
  },
  { endpoint: ENDPOINTS.order_books, known_by: 'a list `orderbooks`', is: hasList('orderbooks') },
  { endpoint: ENDPOINTS.trades, known_by: 'a list `trades`', is: hasList('trades') },
  { endpoint: ENDPOINTS.event_candles, known_by: 'a list `market_candlesticks`', is: hasList('market_candlesticks') },
  { endpoint: ENDPOINTS.market_candles, known_by: 'a list `candlesticks`', is: hasList('candlesticks') },
  {
    endpoint: ENDPOINTS.events,
    known_by: 'a list `events`, or a list of `{event_ticker, title}`',
    is: either(hasList('events'), (value) => !listOf(isMarket)(value) && listOf(isEvent)(value)),
  },
  {
    endpoint: ENDPOINTS.markets_candles,
    known_by: 'a list `markets` of `{candlesticks}`',
    is: object(({ markets }) => listOf(object((first) => 'candlesticks' in first))(markets)),
  },
  {
    endpoint: ENDPOINTS.markets,
    known_by: 'a list `markets` without `contracts`, or a list of `{ticker, event_ticker}`',
    is: either(
      object(({ markets }) => Array.isArray(markets) && !listOf(isPredictIt)(markets)),
      listOf(isMarket),
    ),
  },
  { endpoint: ENDPOINTS.market, known_by: '`ticker` and `event_ticker`', is: isMarket },
]

/** Answers of the trade API v2 and messages of its websocket, by their fields. */
export const KALSHI: Recogniser = {
  venue_id: 'kalshi',
  endpoints: Object.values(ENDPOINTS),
  shapes: SHAPES,
  receipt:
    'the latest `created_time` of a trade, `end_period_ts` of a candle, `ts` or `ts_ms` of a message, `updated_time` of a market; `recorded_at` of `{_metadata: {recorded_at, endpoint, …}, response}`',
  isStream: (endpoint) => endpoint === ENDPOINTS.ws || endpoint === 'ws fill',
  clockOf: (text, endpoint) =>
    latestOf(text, CLOCKS.get(endpoint) ?? (/candlesticks$/.test(endpoint) ? CANDLE_CLOCK : ROW_CLOCK), receiveTime),
  requestOf: (endpoint, ticker) => (endpoint === ENDPOINTS.order_book ? `/markets/${ticker}/orderbook` : null),
  marketInName: (name) => /(?<![A-Z0-9])KX[A-Z0-9]+(?:-[A-Z0-9]+(?:\.[A-Z0-9]+)*)+/.exec(name)?.[0] ?? null,
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
