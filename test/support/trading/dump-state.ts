import type { EngineState } from '../../../trading/engine/state.ts'
import { workingOrders } from '../../../trading/ledger/position.ts'
import type { Position } from '../../../trading/order/order.ts'
import {
  accountRow,
  balanceRow,
  keyRow,
  marketRow,
  outcomeRows,
  positionRow,
} from '../../../trading/projections/current-rows.ts'
import { orderRow } from '../../../trading/projections/order-row.ts'
import { protectionRow } from '../../../trading/projections/protection.ts'

/**
 * All that decides what an engine does next, as plain rows that can be compared: every record, the queues of every price, and the
 * order in which an account's orders count. Not the clock: time may have passed without a batch.
 */
export function dumpState(state: EngineState) {
  const accounts = [...state.accounts.values()]
  const markets = [...state.markets.values()]
  const sorted = <T>(rows: T[], key: (row: T) => string) => rows.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  return {
    engine_sequence: state.engine_sequence,
    ledger_sequence: state.ledger_sequence,
    assets: [...state.assets.values()],
    accounts: sorted(accounts.map(accountRow), ({ account_id }) => account_id),
    named: sorted(
      accounts.flatMap(({ account_id, working_by_client_id }) =>
        [...working_by_client_id].map(([id, { order_id }]) => ({ account_id, id, order_id })),
      ),
      ({ account_id, id }) => `${account_id} ${id}`,
    ),
    quote_sets: sorted(
      accounts.flatMap(({ account_id, quote_sets }) =>
        [...quote_sets].map(([key, orders]) => ({ account_id, key, orders: [...orders].map((one) => one.order_id) })),
      ),
      ({ account_id, key }) => `${account_id} ${key}`,
    ),
    protections: sorted(
      accounts.flatMap(({ protections }) => [...protections.values()].map(protectionRow)),
      ({ account_id, market_id }) => `${account_id} ${market_id}`,
    ),
    authorizations: sorted(
      accounts.flatMap(({ account_id, authorizations }) => authorizations.map((one) => ({ account_id, ...one }))),
      ({ account_id, api_key_id }) => `${account_id} ${api_key_id}`,
    ),
    keys: sorted([...state.keys.values()].map(keyRow), ({ key_id }) => key_id),
    // What stands in no row of the database because nothing ever moved it is the same as nothing.
    balances: sorted(
      accounts.flatMap(({ balances }) => [...balances.values()].filter((balance) => balance.projection_version > 0)),
      ({ account_id, asset_id }) => `${account_id} ${asset_id}`,
    ).map((balance) => balanceRow(balance, state)),
    positions: sorted(
      accounts.flatMap(({ positions }) =>
        [...positions.values()].filter((position) => position.projection_version > 0),
      ),
      ({ account_id, outcome_id }) => `${account_id} ${outcome_id}`,
    ).map((position) => ({
      ...positionRow(position),
      covering: coveringOf(position),
      buys: [...workingOrders(position.buys)].map(({ order_id }) => order_id),
      sells: [...workingOrders(position.sells)].map(({ order_id }) => order_id),
    })),
    orders: sorted([...state.orders.values()].map(orderRow), ({ order_id }) => order_id),
    markets: markets.map((market) => ({ ...marketRow(market), outcomes: outcomeRows(market), books: booksOf(market) })),
  }
}

/** Without SELLs it decides nothing, and a SELL that was refused has changed it in memory alone. */
function coveringOf({ terms, sells, covering }: Position): number {
  return !terms.complementary && sells.oldest === null ? 0 : covering
}

/** Order ids by price, each in the order in which they would execute. */
function booksOf({ outcomes }: EngineState['markets'] extends Map<string, infer M> ? M : never) {
  return [...outcomes.values()].map(({ book, resting }) =>
    (['BUY', 'SELL'] as const).map((side) =>
      [...book.levelsAgainst(side)].map((level) => ({
        ...level,
        queue: [...book.queueAt(level)].map(({ slot }) => resting[slot]!.order_id),
      })),
    ),
  )
}
