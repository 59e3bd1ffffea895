import { useState } from 'preact/hooks'
import { ORDER_FLAGS } from '../../../protocol/order/order-terms.ts'
import type { CancelAllResult } from '../../../protocol/resources/cancel-all.ts'
import type { Order } from '../../../protocol/resources/order.ts'
import { showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import type { Session } from '../account/session.ts'
import { perform } from '../data/acts.ts'
import { Amount, type Markets, OutcomeName } from './names.ts'

type OpenOrdersProps = {
  readonly session: Session
  readonly markets: Markets
  readonly orders: readonly Order[]
  readonly is_hidden: boolean
  /** Loads an order into the ticket. */
  readonly onReplace: (order: Order) => void
}

const COLUMNS: readonly Column[] = [
  ['Outcome', 'head'],
  ['Side'],
  ['Limit price', 'number'],
  ['Remaining', 'number'],
  ['Filled', 'number'],
  ['Reserved', 'number'],
  ['Time in force'],
  ['Status'],
  ['Actions', 'do'],
]

/** Open orders with buttons to replace or cancel them. */
export function OpenOrders({ session, markets, orders, is_hidden, onReplace }: OpenOrdersProps) {
  const rows = orders.map((order) => ({
    key: order.order_id,
    cells: [
      html`<${OutcomeName} markets=${markets} of=${order} />`,
      html`<b>${order.side}</b>`,
      html`<${Amount} text=${order.limit_price} />`,
      html`<${Amount} text=${order.remaining_quantity} />`,
      html`<${Amount} text=${order.filled_quantity} />`,
      html`<${Amount} text=${order.reserved_amount} />`,
      html`<${Conditions} order=${order} />`,
      order.status,
      html`<${Doing} session=${session} markets=${markets} order=${order} onReplace=${onReplace} />`,
    ],
  }))
  const beside = orders.length > 0 && html`<${CancelAll} session=${session} count=${orders.length} />`
  return html`<${RecordTable} id="open-orders" title="Open orders" columns=${COLUMNS} rows=${rows} empty="No open orders" is_hidden=${is_hidden} beside=${beside} />`
}

function Conditions({ order }: { order: Order }) {
  const flags = ORDER_FLAGS.filter((flag) => order[flag])
  return html`<span>${order.time_in_force}${order.expires_at !== null && html` <span class="quiet">${showInstant(order.expires_at)}</span>`}${flags.length > 0 && html`<small class="codes">${flags.join(', ')}</small>`}</span>`
}

type DoingProps = Pick<OpenOrdersProps, 'session' | 'markets' | 'onReplace'> & { readonly order: Order }

function Doing({ session, markets, order, onReplace }: DoingProps) {
  const name = `${order.side} ${order.remaining_quantity} at ${order.limit_price}`
  const ends = order.status === 'cancel_pending'
  return html`<span>
    <button type="button" aria-label=${`Replace ${name}`} disabled=${ends || !markets.has(order.market_id)} onClick=${() => onReplace(order)}>Replace</button>
    <button type="button" aria-label=${`Cancel ${name}`} disabled=${ends} onClick=${() => cancel(session, order, `Cancel ${name}`)}>Cancel</button>
  </span>`
}

async function cancel({ api, feed }: Session, { order_id, version }: Order, what: string): Promise<void> {
  const write = { path: `/orders/${order_id}/cancel`, body: { expected_order_version: version } }
  const summary = (order: Order) =>
    `${order.status}, ${order.canceled_quantity} canceled, ${order.filled_quantity} filled`
  const result = await perform<Order>(api, what, write, summary)
  // A refusal because the order changed carries its latest state.
  const order = 'data' in result ? result.data : (result.error.data as Order | null)
  if (order !== null) feed.receive({ kind: 'orders', records: [order] })
}

/** Button that cancels all orders, with a confirmation. */
function CancelAll({ session, count }: { session: Session; count: number }) {
  const [is_asked, ask] = useState(false)
  const cancelAll = async () => {
    ask(false)
    const { api, feed } = session
    const account_id = feed.policy.get()?.account_id ?? session.account.account_id
    const write = { path: '/orders/cancel-all', body: { account_id, scope: 'all_open_orders' } }
    const summary = ({ targeted_count, orders, failures }: CancelAllResult) =>
      `${orders.length} of ${targeted_count} canceled, ${failures.length} failed`
    await perform<CancelAllResult>(api, 'Cancel all open orders', write, summary)
    feed.receive({ kind: 'orders', records: [] })
  }
  if (!is_asked) return html`<button type="button" onClick=${() => ask(true)}>Cancel all …</button>`
  return html`<span class="line"><button type="button" class="main" onClick=${cancelAll}>Cancel all ${count} orders</button>
    <button type="button" onClick=${() => ask(false)}>Keep orders</button></span>`
}
