import { formsOf, wholeForm } from '../../text/json-forms.ts'

/**
 * Objects of order books and of websocket messages as the venue writes them (see pipelines/text/json-forms.ts).
 * Measured by bench/parse.bench.ts; the plain twins are bench/support/naive and test/pipelines/text/json-forms.test.ts.
 */
export const KALSHI_FORMS = formsOf(
  (v, i) => ({ type: v[i], sid: v[i + 1], msg: v[i + 2] }),
  (v, i) => ({ type: v[i], sid: v[i + 1], seq: v[i + 2], msg: v[i + 3] }),
  (v, i) => ({
    market_ticker: v[i],
    market_id: v[i + 1],
    price_dollars: v[i + 2],
    delta_fp: v[i + 3],
    side: v[i + 4],
    ts: v[i + 5],
  }),
  (v, i) => ({
    market_ticker: v[i],
    market_id: v[i + 1],
    price_dollars: v[i + 2],
    yes_bid_dollars: v[i + 3],
    yes_ask_dollars: v[i + 4],
    yes_bid_size_fp: v[i + 5],
    yes_ask_size_fp: v[i + 6],
    volume_fp: v[i + 7],
    open_interest_fp: v[i + 8],
    ts: v[i + 9],
    ts_ms: v[i + 10],
  }),
)

/** A change of one price level; a stream has dozens of these for each other message. */
export const KALSHI_CHANGE = wholeForm(
  (v, i) => ({
    type: 'orderbook_delta',
    sid: v[i],
    seq: v[i + 1],
    msg: {
      market_ticker: v[i + 2],
      market_id: v[i + 3],
      price_dollars: v[i + 4],
      delta_fp: v[i + 5],
      side: v[i + 6],
      ts: v[i + 7],
    },
  }),
  ['sid', 'seq'],
)
