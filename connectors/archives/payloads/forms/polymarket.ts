import { ENDPOINTS, VENUE_ID } from '../../../../pipelines/venues/polymarket/endpoints.ts'
import { receiveTime } from '../receive-time.ts'
import { either, latestOf, listOf, object, oneOrList, type Recogniser, type Shape } from '../recogniser.ts'

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

const has = (types: readonly string[], type: unknown) => typeof type === 'string' && types.includes(type)
const isMessage = object((value) => has(PUBLIC_TYPES, value.event_type) || 'price_changes' in value)
const isUserMessage = object(({ event_type }) => has(USER_TYPES, event_type))
const isBook = object((value) => 'asset_id' in value && ('bids' in value || 'buys' in value))
const isClobMarket = object((value) => 'condition_id' in value && Array.isArray(value.tokens))
const isGammaMarket = object((value) => 'conditionId' in value && 'outcomes' in value)
const isHistory = object(({ history }) => Array.isArray(history))
const isEvent = object((value) => Array.isArray(value.markets) && 'title' in value)
const isTrade = object(
  (row) => ('transactionHash' in row || 'transaction_hash' in row) && 'price' in row && 'size' in row,
)
/** A subscription, which the recorder sent itself. */
const isSubscription = object((value) => 'assets_ids' in value && value.event_type === undefined)

/** A page holds its list as `data`, `markets` or `events`; a list of messages in such a field is in a recorder's wrapper. */
function paged(test: Shape['is']): Shape['is'] {
  const is_list = listOf((first) => test(first) && !isMessage(first))
  const is_page = object(({ data, markets, events }) =>
    is_list([data, markets, events].find((field) => Array.isArray(field))),
  )
  return either(is_list, is_page)
}

const SHAPES: readonly Shape[] = [
  {
    endpoint: 'ws user',
    known_by: '`event_type`: `trade`, `order`; one message or a list; about an account: its text is not stored',
    is: oneOrList(isUserMessage),
  },
  {
    endpoint: ENDPOINTS.ws_market,
    known_by: `\`event_type\`: ${PUBLIC_TYPES.map((type) => `\`${type}\``).join(', ')}; or \`price_changes\`; one message or a list`,
    is: oneOrList(isMessage),
  },
  { endpoint: ENDPOINTS.clob_book, known_by: '`asset_id` and `bids` (once `buys`)', is: isBook },
  { endpoint: ENDPOINTS.clob_market, known_by: '`condition_id` and a list `tokens`', is: isClobMarket },
  { endpoint: ENDPOINTS.gamma_market, known_by: '`conditionId` and `outcomes`', is: isGammaMarket },
  {
    endpoint: ENDPOINTS.data_trades,
    known_by: '`transactionHash` or `transaction_hash`, `price` and `size`',
    is: isTrade,
  },
  {
    endpoint: ENDPOINTS.ws_market,
    known_by: '`assets_ids` without `event_type`: a subscription, which the recorder sent; one or a list',
    is: oneOrList(isSubscription),
  },
  {
    endpoint: ENDPOINTS.prices_history,
    known_by: 'a list `history` of `{t, p}`; the request, the wrapper or the name of the file names the token',
    is: isHistory,
  },
  { endpoint: ENDPOINTS.gamma_event, known_by: '`title` and a list `markets`', is: isEvent },
  { endpoint: ENDPOINTS.clob_books, known_by: 'a list of books', is: paged(isBook) },
  {
    endpoint: ENDPOINTS.gamma_markets,
    known_by: 'a list of markets of Gamma or CLOB, or a page of them (`data`, `markets`)',
    is: paged(either(isClobMarket, isGammaMarket)),
  },
  {
    endpoint: ENDPOINTS.gamma_events,
    known_by: 'a list of events, or a page of them (`data`, `events`)',
    is: paged(isEvent),
  },
  {
    endpoint: ENDPOINTS.data_trades,
    known_by: 'a list of trades, or a page of them (`data`)',
    is: paged(isTrade),
  },
  { endpoint: 'ws user', known_by: 'a page of such messages (`data`)', is: paged(isUserMessage) },
]

/** Instants of the stream, of trades and of rows that the venue updates. End dates are plans. */
const INSTANT = /"(?:timestamp|updatedAt|createdAt|closedTime|accepting_order_timestamp)"\s*:\s*"?(\d[\d:T.+ -]*Z?)"?/g
const POINT = /"t"\s*:\s*(\d{9,13})\b/g

/** Answers of Gamma, CLOB and the Data API, and messages of the market channel, by their fields. */
export const POLYMARKET: Recogniser = {
  venue_id: VENUE_ID,
  endpoints: Object.values(ENDPOINTS),
  shapes: SHAPES,
  receipt:
    'the latest `timestamp`, `updatedAt`, `createdAt`, `closedTime` or `accepting_order_timestamp` in it; of a price history the latest `t` or, if that is later, the receipt of the files beside it',
  isStream: (endpoint) => endpoint === ENDPOINTS.ws_market || endpoint === 'ws user',
  clockOf: (text, endpoint) => latestOf(text, endpoint === ENDPOINTS.prices_history ? POINT : INSTANT, receiveTime),
  isAboutPast: (endpoint) => endpoint === ENDPOINTS.prices_history,
  requestOf: (endpoint, token) => (endpoint === ENDPOINTS.prices_history ? `/prices-history?market=${token}` : null),
  marketInName: (name) => /(?<!\d)\d{60,78}(?!\d)/.exec(name)?.[0] ?? null,
}
