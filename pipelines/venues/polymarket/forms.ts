import { formsOf, type MakeObject, wholeForm } from '../../text/json-forms.ts'

const levelChange: MakeObject = (v, i) => ({
  asset_id: v[i],
  price: v[i + 1],
  size: v[i + 2],
  side: v[i + 3],
  hash: v[i + 4],
  best_bid: v[i + 5],
  best_ask: v[i + 6],
})

/**
 * Objects of the order book and of its stream as the venue writes them (see pipelines/text/json-forms.ts).
 * Measured by bench/parse.bench.ts; the plain twins are bench/support/naive and test/pipelines/text/json-forms.test.ts.
 */
export const POLYMARKET_FORMS = formsOf(
  (v, i) => ({ price: v[i], size: v[i + 1] }),
  (v, i) => ({ market: v[i], price_changes: v[i + 1], timestamp: v[i + 2], event_type: v[i + 3] }),
  levelChange,
  (v, i) => ({
    event_type: v[i],
    asset_id: v[i + 1],
    market: v[i + 2],
    bids: v[i + 3],
    asks: v[i + 4],
    timestamp: v[i + 5],
    hash: v[i + 6],
    tick_size: v[i + 7],
  }),
  (v, i) => ({
    market: v[i],
    asset_id: v[i + 1],
    timestamp: v[i + 2],
    hash: v[i + 3],
    bids: v[i + 4],
    asks: v[i + 5],
    min_order_size: v[i + 6],
    tick_size: v[i + 7],
    neg_risk: v[i + 8],
    last_trade_price: v[i + 9],
  }),
)

/** A change of one price level, stated for both tokens of its market; the stream has dozens of these for each other message. */
export const POLYMARKET_CHANGE = wholeForm(
  (v, i) => ({
    market: v[i],
    price_changes: [levelChange(v, i + 1), levelChange(v, i + 8)],
    timestamp: v[i + 15],
    event_type: 'price_change',
  }),
  [],
)
