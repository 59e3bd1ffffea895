import { CANDLE_FIELDS, OBSERVED_FIELDS } from '../../vocabulary/market.ts'
import { BOOK_DEPTH } from '../limits.ts'
import { Candle } from '../resources/candle.ts'
import { MarketObservation, MarketPrice } from '../resources/market-price.ts'
import { OrderBook } from '../resources/order-book.ts'
import { Trade } from '../resources/trade.ts'
import { idOf } from '../scalars.ts'
import type { Endpoint } from './endpoint.ts'
import { CANDLE_RANGE, HISTORY } from './history.ts'
import { MARKET_ID } from './market-endpoints.ts'
import { AS_OF, flag, instant, integer, oneOf, PAGING, required, text } from './parameter.ts'

const shared = { tag: 'Market data', limit_class: 'market_data', cache: 'current' } as const
const path_parameters = { market_id: MARKET_ID }
const outcome_id = text(idOf('out', 'outcome_id'), 'only records of this outcome')
const one_outcome = (what: string) =>
  required(text(idOf('out', 'outcome_id'), `outcome of the market whose ${what} answered`))

export const MARKET_PRICE_ENDPOINTS = {
  get_market_price: {
    ...shared,
    operation_id: 'get_market_price',
    path: '/markets/{market_id}/price',
    summary: 'Newest quotes and marks of a market',
    description:
      'Prices of every outcome. If a market has several source series, the one with the newest record is used. For a market listed on Tidemark, prices are those of the last engine commit.',
    path_parameters,
    query: AS_OF,
    data: MarketPrice,
    envelope: 'single',
    cost: 1,
    errors: ['MARKET_NOT_FOUND', 'OBSERVATION_NOT_FOUND', 'SOURCE_NOT_PUBLIC'],
  },
  list_market_prices: {
    ...shared,
    operation_id: 'list_market_prices',
    is_history: true,
    path: '/markets/{market_id}/prices',
    summary: 'Observations of a market',
    description:
      "Observed and derived values; sorted by (published_at, place in the commit), or by the requested time domain, then so. observation_id decides between values of one record. An item of last_trade is a trade with the trade's own source_at, once, in its newest revision; a voided trade is left out, and so are trades of venues whose single trades may not be published.",
    path_parameters,
    query: {
      ...HISTORY,
      field: oneOf(OBSERVED_FIELDS, 'only observations of this field'),
      outcome_id,
      include_quoted_trades: flag(
        "true: also the last trades that quotes repeat, with the quote's source_at; default: each trade once",
      ),
    },
    data: MarketObservation,
    envelope: 'collection',
    cost: 5,
    errors: ['MARKET_NOT_FOUND', 'MARKET_OUTCOME_NOT_FOUND', 'SOURCE_NOT_PUBLIC'],
  },
  get_market_observation: {
    ...shared,
    operation_id: 'get_market_observation',
    path: '/markets/{market_id}/prices/{observation_id}',
    summary: 'One observation of a market',
    description: 'One observed or derived value; meta.correction_chain lists every revision of it.',
    path_parameters: { ...path_parameters, observation_id: idOf('(obs|mrk|trd)', 'observation_id') },
    query: AS_OF,
    data: MarketObservation,
    envelope: 'single',
    cache: 'record',
    cost: 2,
    errors: ['MARKET_NOT_FOUND', 'OBSERVATION_NOT_FOUND', 'SOURCE_NOT_PUBLIC'],
  },
  list_market_candles: {
    ...shared,
    operation_id: 'list_market_candles',
    is_history: true,
    path: '/markets/{market_id}/candles',
    summary: 'Candles of one outcome',
    description:
      "Open, high, low and close of one field of one outcome in each half-open bucket; sorted by bucket_start. Candles of last_trade are made of the outcome's valid trades, each once.",
    path_parameters,
    query: {
      ...CANDLE_RANGE,
      outcome_id: one_outcome('candles are'),
      field: required(oneOf(CANDLE_FIELDS, 'field that the candles aggregate')),
    },
    data: Candle,
    envelope: 'collection',
    cost: 5,
    errors: ['MARKET_NOT_FOUND', 'MARKET_OUTCOME_NOT_FOUND', 'SOURCE_NOT_PUBLIC', 'VALIDATION_RANGE_INVALID'],
  },
  get_order_book: {
    ...shared,
    operation_id: 'get_order_book',
    path: '/markets/{market_id}/orderbook',
    summary: 'Order book of one outcome',
    description:
      'The whole book, with the sequence that the deltas of market.orderbook continue. For a market listed on Tidemark, sequence is the engine_sequence.',
    path_parameters,
    query: {
      outcome_id: one_outcome('order book is'),
      depth: integer(1, BOOK_DEPTH.max, BOOK_DEPTH.default, 'price levels per side, best first'),
      ...AS_OF,
    },
    data: OrderBook,
    envelope: 'single',
    cost: 2,
    errors: ['MARKET_NOT_FOUND', 'MARKET_OUTCOME_NOT_FOUND', 'ORDER_BOOK_NOT_FOUND', 'SOURCE_NOT_PUBLIC'],
  },
  list_trades: {
    ...shared,
    operation_id: 'list_trades',
    is_history: true,
    path: '/markets/{market_id}/trades',
    summary: 'Public trades of a market',
    description:
      "Trades of venues whose terms permit redistribution; in the order of their commit, for a market listed on Tidemark by source_sequence. A trade that several of the venue's feeds report appears once, as it was published first. A correction or void is a record of its own that names the one it supersedes.",
    path_parameters,
    query: {
      outcome_id,
      start_time: instant('only trades published at or after this instant (published_at, not source_at)'),
      end_time: instant('only trades published before this instant'),
      ...AS_OF,
      ...PAGING,
    },
    data: Trade,
    envelope: 'collection',
    cost: 5,
    errors: ['MARKET_NOT_FOUND', 'MARKET_OUTCOME_NOT_FOUND', 'SOURCE_NOT_PUBLIC'],
  },
} as const satisfies Record<string, Endpoint>
