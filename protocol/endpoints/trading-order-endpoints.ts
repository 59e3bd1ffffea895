import Type from 'typebox'
import { ORDER_STATUSES, SIDES } from '../../vocabulary/order.ts'
import { SIGNED_REQUESTS } from '../limits.ts'
import {
  AmendRequest,
  CancelAllRequest,
  CancelRequest,
  ClientOrderId,
  COMMAND_ID,
  ORDER_ID,
  OrderBatchRequest,
  OrderRequest,
  PreviewRequest,
  QuoteSetId,
} from '../requests/order-request.ts'
import { CancelAllResult } from '../resources/cancel-all.ts'
import { AmendedOrder, BatchItem, Order, OrderDetail } from '../resources/order.ts'
import { OrderPreview } from '../resources/order-preview.ts'
import { QueuePosition } from '../resources/queue-position.ts'
import { flag, listOf, oneOf, PAGING, text } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import {
  after,
  before,
  MARKET_FILTER,
  ONCE,
  OUTCOME_FILTER,
  READ,
  REJECTIONS,
  SIGNATURE_ERRORS,
  WRITE,
} from './trading-shared.ts'

const write = { ...WRITE, tag: 'Orders', scope: 'orders:write' } as const
const read = { ...READ, tag: 'Orders', scope: 'orders:read', stream_cursor: true } as const
const path_parameters = { order_id: ORDER_ID }
const client_path = { client_order_id: ClientOrderId }
const NAMED = 'Where the id was used again, it is the working order, or else the newest one.'
const CANCEL = {
  limit_class: 'cancel',
  body: CancelRequest,
  data: Order,
  refused_with_data: { statuses: [409], data: Order },
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_CANCELABLE', 'ORDER_VERSION_CONFLICT'],
} as const

/** Endpoints of orders. */
export const TRADING_ORDER_ENDPOINTS = {
  place_order: {
    ...write,
    operation_id: 'place_order',
    path: '/orders',
    summary: 'Place an order',
    description: `A limit order, signed as a SvcOrder. If it fails a check up to its signature, no order exists. If it fails a later one, it is recorded as rejected, and the response has error and data. ${ONCE}`,
    body: OrderRequest,
    data: Order,
    success: 201,
    refused_with_data: { statuses: [422], data: Order },
    errors: [...SIGNATURE_ERRORS, ...REJECTIONS, 'ORDER_DUPLICATE_CLIENT_ID'],
  },
  place_orders: {
    ...write,
    operation_id: 'place_orders',
    path: '/orders/batch',
    summary: 'Place several orders',
    description: `At most ${SIGNED_REQUESTS.batch_orders_max} orders, each processed on its own, in the order given. There is one result for each item, by index. The cost is one token for each order. ${ONCE}`,
    body: OrderBatchRequest,
    data: Type.Array(BatchItem),
    cost_each: 'orders',
    errors: [],
  },
  preview_order: {
    ...write,
    operation_id: 'preview_order',
    path: '/orders/preview',
    idempotent: false,
    summary: 'Preview an order',
    description:
      'Runs every check of an order. An order that would be rejected is answered with 200 and its rejection. Nothing is placed, and no nonce or id is used up. With as_of it tells how the order would have filled from the book of that instant on: see would_fill.',
    body: PreviewRequest,
    data: OrderPreview,
    errors: [
      ...SIGNATURE_ERRORS,
      'ORDER_DUPLICATE_CLIENT_ID',
      'VALIDATION_AS_OF_IN_FUTURE',
      'VALIDATION_AS_OF_UNAVAILABLE',
      'VALIDATION_RANGE_INVALID',
      'MARKET_NOT_FOUND',
      'MARKET_OUTCOME_NOT_FOUND',
      'MARKET_NOT_TRADABLE',
    ],
  },
  list_orders: {
    ...read,
    operation_id: 'list_orders',
    path: '/orders',
    summary: 'List orders',
    description:
      'Orders of the account, including rejected and ended ones; sorted by (created_at, order_id), descending.',
    path_parameters: {},
    query: {
      market_id: text(MARKET_FILTER, 'only orders of this market'),
      outcome_id: text(OUTCOME_FILTER, 'only orders of this outcome'),
      status: listOf(ORDER_STATUSES, 'only orders with one of these statuses'),
      working: flag('true: only orders that can still execute or be canceled; false: only the others'),
      side: oneOf(SIDES, 'only orders of this side'),
      client_order_id: text(ClientOrderId, 'only with this client_order_id'),
      quote_set_id: text(QuoteSetId, 'only orders of this ladder, working or ended'),
      command_id: text(COMMAND_ID, 'only orders that this request placed or canceled'),
      created_after: after('created'),
      created_before: before('created'),
      updated_after: after('changed'),
      ...PAGING,
    },
    data: Order,
    envelope: 'collection',
    is_history: true,
    errors: ['VALIDATION_RANGE_INVALID'],
  },
  get_order: {
    ...read,
    operation_id: 'get_order',
    path: '/orders/{order_id}',
    summary: 'Get an order',
    description: 'One order, with the ids of its fills and settlements.',
    path_parameters,
    query: {},
    data: OrderDetail,
    envelope: 'single',
    errors: ['ORDER_NOT_FOUND'],
  },
  get_order_by_client_id: {
    ...read,
    operation_id: 'get_order_by_client_id',
    path: '/orders/by-client-id/{client_order_id}',
    summary: 'Get an order by its client id',
    description: `As GET /v1/orders/{order_id}. ${NAMED}`,
    path_parameters: client_path,
    query: {},
    data: OrderDetail,
    envelope: 'single',
    errors: ['ORDER_NOT_FOUND'],
  },
  get_queue_position: {
    ...read,
    operation_id: 'get_queue_position',
    path: '/orders/{order_id}/queue-position',
    summary: 'Get the queue position of an order',
    description:
      'Quantity and number of the orders that would execute before it: at better prices, and older ones at its price. Own orders count, and so do orders that are about to end.',
    path_parameters,
    query: {},
    data: QueuePosition,
    envelope: 'single',
    stream_cursor: false,
    errors: ['ORDER_NOT_FOUND'],
  },
  cancel_order_by_client_id: {
    ...write,
    ...CANCEL,
    operation_id: 'cancel_order_by_client_id',
    path: '/orders/by-client-id/{client_order_id}/cancel',
    path_parameters: client_path,
    summary: 'Cancel an order by its client id',
    description: `As POST /v1/orders/{order_id}/cancel, also before the response to the order has arrived. ${NAMED} ${ONCE}`,
  },
  cancel_order: {
    ...write,
    ...CANCEL,
    operation_id: 'cancel_order',
    path: '/orders/{order_id}/cancel',
    path_parameters,
    summary: 'Cancel an order',
    description: `Cancels the remaining quantity; earlier fills stay. ${ONCE}`,
  },
  amend_order: {
    ...write,
    operation_id: 'amend_order',
    path: '/orders/{order_id}/amend',
    path_parameters,
    summary: 'Replace an order',
    description: `Atomic: the remaining quantity is canceled and the new order is placed, or nothing changes. The new order has its own id and joins the end of the queue at its price. ${ONCE}`,
    body: AmendRequest,
    data: AmendedOrder,
    refused_with_data: { statuses: [409, 422], data: Order },
    errors: [
      ...SIGNATURE_ERRORS,
      ...REJECTIONS,
      'ORDER_NOT_FOUND',
      'ORDER_AMEND_NOT_ALLOWED',
      'ORDER_NOT_CANCELABLE',
      'ORDER_VERSION_CONFLICT',
      'ORDER_DUPLICATE_CLIENT_ID',
      'ORDER_FOK_NOT_FILLABLE',
      'ORDER_FAK_NOT_FILLABLE',
    ],
  },
  cancel_all_orders: {
    ...write,
    operation_id: 'cancel_all_orders',
    path: '/orders/cancel-all',
    limit_class: 'cancel',
    // Never rejected for lack of tokens: it is the kill switch.
    cost: 0,
    summary: 'Cancel many orders at once',
    description: `Cancels every open order, or those that match all filters given. Later orders are not affected. ${ONCE}`,
    body: CancelAllRequest,
    data: CancelAllResult,
    errors: ['ACCOUNT_NOT_FOUND', 'MARKET_NOT_FOUND', 'INDEX_NOT_FOUND'],
  },
} as const satisfies Record<string, PrivateEndpoint>
