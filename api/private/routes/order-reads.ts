import { formatMicros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { OrderDetail, PreventedMatch } from '../../../protocol/resources/order.ts'
import { orderResource } from '../../../trading/projections/order.ts'
import type { OrderDetailRead } from '../../../trading/store/read/trading-reads.ts'
import { ORDER_STATUSES, type OrderStatus, WORKING_STATUSES } from '../../../vocabulary/order.ts'
import { missing } from '../../missing-resource.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { submit } from '../submit.ts'
import { instantOrNull, partOf, shownPage, textOrNull } from './parameters.ts'

export const ORDER_READ_ROUTES = {
  list_orders: listOrders,
  get_order: getOrder,
  get_order_by_client_id: getOrderByClientId,
  get_queue_position: getQueuePosition,
} as const satisfies Partial<PrivateHandlers>

async function listOrders(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const filters = {
    market_id: textOrNull(request, 'market_id'),
    outcome_id: textOrNull(request, 'outcome_id'),
    statuses: statusesOf(request),
    side: textOrNull(request, 'side'),
    client_order_id: textOrNull(request, 'client_order_id'),
    command_id: textOrNull(request, 'command_id'),
    quote_set_id: textOrNull(request, 'quote_set_id'),
    created_after: instantOrNull(request, 'created_after'),
    created_before: instantOrNull(request, 'created_before'),
    updated_after: instantOrNull(request, 'updated_after'),
  }
  const page = await trading.reads.orders(caller.account_id, filters, partOf(request))
  const answer = shownPage(request, page, {
    keyOf: ({ created_at, order_id }) => [created_at, order_id],
    recordOf: (row) => orderResource(row, row.asset_scale, row),
  })
  return { ...answer, head: page.head }
}

/** Returns the statuses that pass both filters; null: every one does. */
function statusesOf({ parameters }: PrivateRequest): readonly OrderStatus[] | null {
  const { status, working } = parameters as { status?: readonly OrderStatus[]; working?: boolean }
  if (status === undefined && working === undefined) return null
  const named = status ?? ORDER_STATUSES
  return working === undefined ? named : named.filter((each) => WORKING_STATUSES.includes(each) === working)
}

async function getOrder(request: PrivateRequest): Promise<PrivateAnswer> {
  const order_id = request.parameters.order_id as string
  const { head, rows } = await request.trading.reads.order(request.caller.account_id, order_id)
  const [row] = rows
  if (row === undefined) throw missing('order', order_id)
  return shown(orderDetail(row), { head })
}

async function getOrderByClientId({ trading, caller, parameters }: PrivateRequest): Promise<PrivateAnswer> {
  const client_order_id = parameters.client_order_id as string
  const { head, rows } = await trading.reads.orderByClientId(caller.account_id, client_order_id)
  const [row] = rows
  if (row === undefined) throw missing('client_order', client_order_id)
  return shown(orderDetail(row), { head })
}

/** Answered by the engine, which alone knows the queues. */
async function getQueuePosition(request: PrivateRequest): Promise<PrivateAnswer> {
  const { caller, parameters } = request
  const order_id = parameters.order_id as string
  return submit(request, { kind: 'queue_position', account_id: caller.account_id, order_id })
}

function orderDetail(row: OrderDetailRead): OrderDetail {
  return {
    ...orderResource(row, row.asset_scale, row),
    fill_ids: row.links.map(({ fill_id }) => fill_id),
    settlement_ids: row.links.map(({ settlement_id }) => settlement_id),
    prevented_matches: row.prevented.map(preventedMatch),
  }
}

function preventedMatch(row: OrderDetailRead['prevented'][number]): PreventedMatch {
  const { market_terms, price, quantity, at, mode, ...ids } = row
  return {
    ...ids,
    mode: mode as PreventedMatch['mode'],
    price: fromScaled(BigInt(price), market_terms.price_scale),
    quantity: fromScaled(BigInt(quantity), market_terms.quantity_scale),
    prevented_at: formatMicros(at),
  }
}
