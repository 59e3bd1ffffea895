/** Kalshi's names of the endpoints of this reader: REST paths below `/trade-api/v2`, and websocket messages by type. */
export const KALSHI = {
  series_list: 'GET /series',
  series: 'GET /series/{series_ticker}',
  events: 'GET /events',
  event: 'GET /events/{event_ticker}',
  events_multivariate: 'GET /events/multivariate',
  event_metadata: 'GET /events/{event_ticker}/metadata',
  markets: 'GET /markets',
  market: 'GET /markets/{ticker}',
  order_book: 'GET /markets/{ticker}/orderbook',
  order_books: 'GET /markets/orderbooks',
  trades: 'GET /markets/trades',
  market_candles: 'GET /series/{series_ticker}/markets/{ticker}/candlesticks',
  markets_candles: 'GET /markets/candlesticks',
  event_candles: 'GET /series/{series_ticker}/events/{ticker}/candlesticks',
  historical_cutoff: 'GET /historical/cutoff',
  historical_markets: 'GET /historical/markets',
  historical_market: 'GET /historical/markets/{ticker}',
  historical_trades: 'GET /historical/trades',
  historical_candles: 'GET /historical/markets/{ticker}/candlesticks',
  exchange_status: 'GET /exchange/status',
  exchange_schedule: 'GET /exchange/schedule',
  exchange_announcements: 'GET /exchange/announcements',
  fee_changes: 'GET /series/fee_changes',
  milestones: 'GET /milestones',
  structured_targets: 'GET /structured_targets',
  tags: 'GET /search/tags_by_categories',
  multivariate_collections: 'GET /multivariate_event_collections',
  multivariate_collection: 'GET /multivariate_event_collections/{collection_ticker}',
  ws: 'ws',
  ws_orderbook_snapshot: 'ws orderbook_snapshot',
  ws_orderbook_delta: 'ws orderbook_delta',
  ws_ticker: 'ws ticker',
  ws_trade: 'ws trade',
  ws_market_lifecycle: 'ws market_lifecycle_v2',
  ws_heartbeat: 'ws heartbeat',
} as const

/** Type of the message that our connector keeps for an answered ping; the venue sends no such message. */
export const HEARTBEAT = 'heartbeat'

export type KalshiEndpoint = (typeof KALSHI)[keyof typeof KALSHI]

/** Names that the recordings of datasets use for an endpoint. */
const RECORDED_NAMES = new Map<string, KalshiEndpoint>([
  ['series_list', KALSHI.series_list],
  ['series_single', KALSHI.series],
  ['events_list', KALSHI.events],
  ['event_single', KALSHI.event],
  ['events_multivariate_list', KALSHI.events_multivariate],
  ['event_metadata', KALSHI.event_metadata],
  ['markets_list', KALSHI.markets],
  ['market_single', KALSHI.market],
  ['orderbook', KALSHI.order_book],
  ['orderbooks', KALSHI.order_books],
  ['trades_list', KALSHI.trades],
  ['series_candlesticks', KALSHI.market_candles],
  ['candlesticks_batch', KALSHI.markets_candles],
  ['event_candlesticks', KALSHI.event_candles],
  ['historical_cutoff', KALSHI.historical_cutoff],
  ['exchange_status', KALSHI.exchange_status],
  ['exchange_schedule', KALSHI.exchange_schedule],
  ['exchange_announcements', KALSHI.exchange_announcements],
  ['series_fee_changes', KALSHI.fee_changes],
  ['milestones_list', KALSHI.milestones],
  ['structured_targets_list', KALSHI.structured_targets],
  ['tags_by_categories', KALSHI.tags],
  ['multivariate_event_collections_list', KALSHI.multivariate_collections],
  ['multivariate_event_collection_single', KALSHI.multivariate_collection],
])

const DOCUMENTED_NAMES = new Map<string, KalshiEndpoint>(Object.values(KALSHI).map((name) => [name, name]))

/** Returns the endpoint that a recording names in its own words or in the venue's; null if it is unknown. */
export function kalshiEndpointOf(recorded: string): KalshiEndpoint | null {
  return RECORDED_NAMES.get(recorded) ?? DOCUMENTED_NAMES.get(recorded) ?? null
}

/**
 * Builds the path that a recording requested, if its parameters name all parts: `/markets/KXELONMARS-99/orderbook`. An order
 * book names its market nowhere else.
 * @param parameters of the request by name; `ticker` or `event_ticker` replaces a part without a name
 */
export function kalshiRequestOf(endpoint: string, parameters: Readonly<Record<string, unknown>>): string | null {
  if (!endpoint.startsWith('GET ')) return null
  const parts = endpoint
    .slice('GET '.length)
    .split('/')
    .map((part) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1]
      return name === undefined ? part : (parameters[name] ?? parameters.ticker ?? parameters.event_ticker)
    })
  return parts.every((part) => typeof part === 'string') ? parts.join('/') : null
}
