import type { WriteMethod } from '../../protocol/endpoints/private-endpoint.ts'
import type { CancelScope, CancelTarget } from '../../protocol/requests/order-request.ts'
import type { ProtectionRequest } from '../../protocol/requests/protection-request.ts'
import type { AccountPolicy } from '../../protocol/resources/account-policy.ts'
import type { AccountSummary, EquityPoint } from '../../protocol/resources/account-summary.ts'
import type { Adjustment } from '../../protocol/resources/adjustment.ts'
import type { Balance } from '../../protocol/resources/balance.ts'
import type { CancelAfter, CancelAllResult } from '../../protocol/resources/cancel-all.ts'
import type { FeeSchedule } from '../../protocol/resources/fee-schedule.ts'
import type { Fill } from '../../protocol/resources/fill.ts'
import type { MarketMakerProtection } from '../../protocol/resources/market-maker-protection.ts'
import type { MassQuoteResult } from '../../protocol/resources/mass-quote.ts'
import type { AmendedOrder, AmendItem, BatchItem, Order, OrderDetail } from '../../protocol/resources/order.ts'
import type { OrderPreview } from '../../protocol/resources/order-preview.ts'
import type { Position } from '../../protocol/resources/position.ts'
import type { QueuePosition } from '../../protocol/resources/queue-position.ts'
import type { RedemptionPreview } from '../../protocol/resources/redemption-preview.ts'
import type { Settlement } from '../../protocol/resources/settlement.ts'
import type { StatementEntry } from '../../protocol/resources/statement-entry.ts'
import type { Transfer } from '../../protocol/resources/transfer.ts'
import type { StatementKind } from '../../vocabulary/ledger.ts'
import type { CandleInterval } from '../../vocabulary/market.ts'
import type { LiquidityRole, Side } from '../../vocabulary/order.ts'
import type { TransferDirection, TransferState } from '../../vocabulary/transfer.ts'
import { baseUrl } from '../http/base-url.ts'
import { signOrder } from '../signing/sign-order.ts'
import { createKeyCalls, type KeyCalls } from './api-keys.ts'
import { type Credentials, messageSigner, requestKey } from './credentials.ts'
import type { Once } from './once.ts'
import { type OrderTerms, wantedOrder } from './order-terms.ts'
import { pagesOf } from './pages.ts'
import { createPrivateHttp, type PrivateHttp } from './private-http.ts'
import type { PrivateQuery } from './query-text.ts'
import type { RetryRule } from './retry-rule.ts'
import type { OrderSocket } from './stream/order-socket.ts'
import { createWebhookCalls, type WebhookCalls } from './webhooks.ts'

export type TradingClientOptions = Credentials & {
  /** http or https, without /v1. */
  readonly base_url: string
  /** Default settlement asset of orders. */
  readonly asset_id?: string
  /** Sends writes of orders over a WebSocket (`createOrderSocket`); left out: each is an HTTP request. */
  readonly order_socket?: OrderSocket
  readonly retry?: RetryRule
  readonly timeout_ms?: number
  readonly signal?: AbortSignal
}

export type OrderFilter = {
  readonly market_id?: string
  readonly outcome_id?: string
  /** One status, or several. */
  readonly status?: string | readonly string[]
  /** true: only orders that can still execute or be canceled; false: only the others. */
  readonly working?: boolean
  readonly side?: Side
  readonly client_order_id?: string
  /** Only orders that mass quotes of this set placed. */
  readonly quote_set_id?: string
  readonly created_after?: string
  readonly created_before?: string
  readonly updated_after?: string
}
export type FillFilter = {
  readonly order_id?: string
  readonly market_id?: string
  readonly outcome_id?: string
  readonly side?: Side
  readonly liquidity_role?: LiquidityRole
  readonly settlement_state?: string
  readonly matched_after?: string
  readonly matched_before?: string
  readonly engine_sequence_after?: number
}
export type PositionFilter = {
  readonly market_id?: string
  readonly outcome_id?: string
  readonly nonzero_only?: boolean
  readonly settlement_state?: string
  readonly as_of?: string
}
export type SettlementFilter = {
  readonly state?: string
  readonly kind?: string
  readonly market_id?: string
  readonly fill_id?: string
  readonly asset_id?: string
  readonly created_after?: string
  readonly updated_after?: string
}
export type StatementFilter = {
  /** An asset, or an outcome. */
  readonly asset_id?: string
  readonly market_id?: string
  /** `fee`: entries that show a fee. */
  readonly kind?: StatementKind | 'fee'
  readonly booked_after?: string
  readonly booked_before?: string
  readonly engine_sequence_after?: number
  readonly engine_sequence_before?: number
  readonly as_of?: string
}

/** Past instant that an order would have joined the book at, and the last instant that may be used. */
export type PastRange = {
  readonly as_of: string
  /** Default: a day after as_of, or now. */
  readonly until?: string
}

export type EquityRange = {
  readonly start_time: string
  readonly end_time: string
  readonly interval: CandleInterval
  readonly asset_id?: string
}

export type TransferTerms = {
  readonly direction: TransferDirection
  /** Decimal above 0. */
  readonly amount: string
  /** Default: the asset of orders. */
  readonly asset_id?: string
  /** Account at the rail that a withdrawal goes to. */
  readonly destination?: string
}
export type TransferFilter = { readonly direction?: TransferDirection; readonly state?: TransferState }

/**
 * Private API of one account. Calls retry transient failures, then throw TradingError if they are refused or unanswered.
 */
export type TradingClient = {
  /** Signs and places one order. @returns its projection, which may already be filled or ended */
  placeOrder(terms: OrderTerms, once?: Once): Promise<Order>
  /** Places up to 50 independent orders. @returns one result per order, in order */
  placeOrders(terms: readonly OrderTerms[], once?: Once): Promise<readonly BatchItem[]>
  /** Ends all orders of a set in a market, then places the new ones, at most 100, in one step; without orders the ladder ends. */
  massQuote(quote: WantedQuote, once?: Once): Promise<MassQuoteResult>
  /** Returns the answer that placing would give, without placing. */
  preview(terms: OrderTerms): Promise<OrderPreview>
  /** Returns how an order would have filled from a past instant on, in `would_fill`. @param past instants of RFC 3339 */
  previewPast(terms: OrderTerms, past: PastRange): Promise<OrderPreview>
  cancelOrder(order_id: string, conditions?: CancelConditions & Once): Promise<Order>
  /** Cancels by client_order_id, also before the answer to the order has arrived. */
  cancelByClientId(client_order_id: string, conditions?: CancelConditions & Once): Promise<Order>
  /** Cancels up to 50 orders by id or client_order_id. @returns one result per order, in order */
  cancelOrders(
    orders: readonly CancelTarget[],
    conditions?: Omit<CancelConditions, 'expected_order_version'> & Once,
  ): Promise<readonly BatchItem[]>
  /** Replaces an order. @returns the old order with its `replacement` */
  amendOrder(order_id: string, expected_order_version: number, terms: OrderTerms, once?: Once): Promise<AmendedOrder>
  /** Replaces up to 50 orders, each independently. @returns one result per order, in order */
  amendOrders(amends: readonly WantedAmend[], once?: Once): Promise<readonly AmendItem[]>
  cancelAll(scope: CancelScope, once?: Once): Promise<CancelAllResult>
  /** Sets a dead-man's switch: all orders are canceled unless it is set again in time; 0 disarms it. */
  cancelAfter(timeout_ms: number, once?: Once): Promise<CancelAfter>
  order(order_id: string): Promise<OrderDetail>
  /** The working order of a client_order_id, or else the newest one. */
  orderByClientId(client_order_id: string): Promise<OrderDetail>
  /** Quantity and number of the orders that would execute before an order. */
  queuePosition(order_id: string): Promise<QueuePosition>
  /** Newest first; reads the next page when it is reached. */
  orders(filter?: OrderFilter): AsyncGenerator<Order>
  fill(fill_id: string): Promise<Fill>
  fills(filter?: FillFilter): AsyncGenerator<Fill>
  positions(filter?: PositionFilter): AsyncGenerator<Position>
  marketPositions(market_id: string): Promise<readonly Position[]>
  balances(filter?: { readonly asset_id?: string; readonly as_of?: string }): AsyncGenerator<Balance>
  adjustments(filter?: { readonly engine_sequence_after?: number }): AsyncGenerator<Adjustment>
  /** Latest change first. */
  settlements(filter?: SettlementFilter): AsyncGenerator<Settlement>
  settlement(settlement_id: string): Promise<Settlement>
  /** Every entry of the ledger with its cause, oldest first; all of one instant. */
  statement(filter?: StatementFilter): AsyncGenerator<StatementEntry>
  /** Returns the account's payout, profit and freed collateral under each outcome of a market. */
  redemptionPreview(market_id: string): Promise<RedemptionPreview>
  summary(filter?: { readonly as_of?: string }): Promise<AccountSummary>
  /** Returns the equity at each multiple of an interval. */
  equityHistory(range: EquityRange): Promise<readonly EquityPoint[]>
  /** Versions of fee schedules; of a market the one that its new orders are accepted under. */
  feeSchedules(filter?: { readonly schedule_id?: string; readonly market_id?: string }): AsyncGenerator<FeeSchedule>
  /** Requests a deposit or withdrawal; a withdrawal is held at once. */
  requestTransfer(terms: TransferTerms, once?: Once): Promise<Transfer>
  cancelTransfer(transfer_id: string, reason?: string, once?: Once): Promise<Transfer>
  transfer(transfer_id: string): Promise<Transfer>
  /** Newest first. */
  transfers(filter?: TransferFilter): AsyncGenerator<Transfer>
  policy(): Promise<AccountPolicy>
  /** Sets a limit of fills in a window; at the limit all orders of the market are canceled, and new ones are refused for `frozen_ms`. */
  protect(market_id: string, limits: ProtectionRequest, once?: Once): Promise<MarketMakerProtection>
  /** Ends a freeze of a market. */
  resetProtection(market_id: string, once?: Once): Promise<MarketMakerProtection>
  removeProtection(market_id: string, once?: Once): Promise<MarketMakerProtection>
  protection(market_id: string): Promise<MarketMakerProtection>
  protections(): AsyncGenerator<MarketMakerProtection>
  readonly keys: KeyCalls
  readonly webhooks: WebhookCalls
  /** Sends any signed request of the private API. */
  readonly http: PrivateHttp
}

/** The new ladder of a set, which you name, in one market. */
export type WantedQuote = {
  readonly market_id: string
  readonly quote_set_id: string
  readonly orders: readonly Omit<OrderTerms, 'market_id'>[]
}

/** An order to replace, at the version that you have seen, and the terms of the order in its place. */
export type WantedAmend = {
  readonly order_id: string
  readonly expected_order_version: number
  readonly terms: OrderTerms
}

export type CancelConditions = {
  readonly expected_order_version?: number
  readonly client_cancel_id?: string
  readonly reason?: string
}

/**
 * Creates a client of the private API.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: base_url is not an http address
 */
export function createTradingClient(options: TradingClientOptions): TradingClient {
  const { account_id, environment, asset_id = ASSET_ID } = options
  const http = createPrivateHttp({ ...options, base_url: baseUrl(options.base_url), key: requestKey(options) })
  const signer = messageSigner(options)
  const write = async <T>(method: WriteMethod, path: string, body: unknown, once: Once = {}): Promise<T> =>
    (await http.send<T>({ method, path, body, ...once })).data
  const read = async <T>(path: string, query: PrivateQuery = {}): Promise<T> =>
    (await http.send<T>({ method: 'GET', path, query })).data
  const sign = async (terms: OrderTerms) => ({
    ...(await signOrder(wantedOrder(terms, account_id, asset_id), signer(), environment)),
    ...(terms.labels === undefined ? {} : { labels: terms.labels }),
  })
  const cancel = (order: string, { idempotency_key, ...body }: CancelConditions & Once = {}) =>
    write<Order>('POST', `/orders/${order}/cancel`, body, onceOf(idempotency_key))
  return {
    placeOrder: async (terms, once) => write<Order>('POST', '/orders', await sign(terms), once),
    placeOrders: async (terms, once) =>
      write<readonly BatchItem[]>('POST', '/orders/batch', { orders: await Promise.all(terms.map(sign)) }, once),
    massQuote: async ({ market_id, quote_set_id, orders }, once) => {
      const signed = await Promise.all(orders.map((terms) => sign({ ...terms, market_id })))
      return write<MassQuoteResult>('POST', '/orders/mass-quote', { market_id, quote_set_id, orders: signed }, once)
    },
    preview: async (terms) => write<OrderPreview>('POST', '/orders/preview', await sign(terms)),
    previewPast: async (terms, { as_of, until = null }) =>
      write<OrderPreview>('POST', '/orders/preview', { ...(await sign(terms)), as_of, until }),
    cancelOrder: (order_id, conditions) => cancel(part(order_id), conditions),
    cancelByClientId: (client_order_id, conditions) => cancel(`by-client-id/${part(client_order_id)}`, conditions),
    cancelOrders: (orders, { idempotency_key, ...more } = {}) =>
      write<readonly BatchItem[]>('POST', '/orders/cancel-batch', { orders, ...more }, onceOf(idempotency_key)),
    amendOrder: async (order_id, expected_order_version, terms, once) => {
      const body = { expected_order_version, ...(await sign(terms)) }
      return write<AmendedOrder>('POST', `/orders/${part(order_id)}/amend`, body, once)
    },
    amendOrders: async (amends, once) => {
      const signed = amends.map(async ({ terms, ...target }) => ({ ...target, ...(await sign(terms)) }))
      return write<readonly AmendItem[]>('POST', '/orders/amend-batch', { orders: await Promise.all(signed) }, once)
    },
    cancelAll: (scope, once) => {
      const body = { account_id, ...scope }
      return write<CancelAllResult>('POST', '/orders/cancel-all', body, once)
    },
    cancelAfter: (timeout_ms, once) => write<CancelAfter>('PUT', '/account/cancel-after', { timeout_ms }, once),
    order: (order_id) => read<OrderDetail>(`/orders/${part(order_id)}`),
    orderByClientId: (client_order_id) => read<OrderDetail>(`/orders/by-client-id/${part(client_order_id)}`),
    queuePosition: (order_id) => read<QueuePosition>(`/orders/${part(order_id)}/queue-position`),
    orders: (filter) => pagesOf<Order>(http, '/orders', filter),
    fill: (fill_id) => read<Fill>(`/fills/${part(fill_id)}`),
    fills: (filter) => pagesOf<Fill>(http, '/fills', filter),
    positions: (filter) => pagesOf<Position>(http, '/positions', filter),
    marketPositions: (market_id) => read<readonly Position[]>(`/positions/${part(market_id)}`),
    balances: (filter) => pagesOf<Balance>(http, '/balances', filter),
    adjustments: (filter) => pagesOf<Adjustment>(http, '/adjustments', filter),
    settlements: (filter) => pagesOf<Settlement>(http, '/settlements', filter),
    settlement: (settlement_id) => read<Settlement>(`/settlements/${part(settlement_id)}`),
    statement: (filter) => pagesOf<StatementEntry>(http, '/account/statement', filter),
    redemptionPreview: (market_id) => read<RedemptionPreview>('/account/redemption-preview', { market_id }),
    summary: (filter) => read<AccountSummary>('/account/summary', filter),
    equityHistory: (range) => read<readonly EquityPoint[]>('/account/equity-history', range),
    feeSchedules: (filter) => pagesOf<FeeSchedule>(http, '/fee-schedules', filter),
    requestTransfer: (terms, once) =>
      write<Transfer>('POST', '/account/transfers', { account_id, asset_id, ...terms }, once),
    cancelTransfer: (transfer_id, reason, once) =>
      write<Transfer>(
        'POST',
        `/account/transfers/${part(transfer_id)}/cancel`,
        reason === undefined ? {} : { reason },
        once,
      ),
    transfer: (transfer_id) => read<Transfer>(`/account/transfers/${part(transfer_id)}`),
    transfers: (filter) => pagesOf<Transfer>(http, '/account/transfers', filter),
    policy: () => read<AccountPolicy>('/account/policy'),
    protect: (market_id, limits, once) => write<MarketMakerProtection>('PUT', protectionPath(market_id), limits, once),
    resetProtection: (market_id, once) =>
      write<MarketMakerProtection>('POST', `${protectionPath(market_id)}/reset`, {}, once),
    removeProtection: (market_id, once) =>
      write<MarketMakerProtection>('DELETE', protectionPath(market_id), undefined, once),
    protection: (market_id) => read<MarketMakerProtection>(protectionPath(market_id)),
    protections: () => pagesOf<MarketMakerProtection>(http, PROTECTIONS_PATH),
    keys: createKeyCalls(http, { account_id, key_id: options.key_id, environment, signer }),
    webhooks: createWebhookCalls(http),
    http,
  }
}

const ASSET_ID = 'asset_usd'

const PROTECTIONS_PATH = '/account/market-maker-protections'

function protectionPath(market_id: string): string {
  return `${PROTECTIONS_PATH}/${part(market_id)}`
}

function onceOf(idempotency_key: string | undefined): Once {
  return idempotency_key === undefined ? {} : { idempotency_key }
}

function part(id: string): string {
  return encodeURIComponent(id)
}
