import type {
  AccountPolicy,
  AccountSummary,
  Adjustment,
  AmendedOrder,
  AmendItem,
  Balance,
  BatchItem,
  CancelAfter,
  CancelAllResult,
  CancelTarget,
  EquityPoint,
  FeeSchedule,
  Fill,
  MarketMakerProtection,
  MassQuoteResult,
  Order,
  OrderDetail,
  OrderPreview,
  Position,
  ProtectionRequest,
  QueuePosition,
  RedemptionPreview,
  Settlement,
  StatementEntry,
  Transfer,
} from '../contract/types.ts'
import { decimal } from '../decimals.ts'
import {
  CALL_OPTIONS,
  checkedChoice,
  checkedList,
  checkedObject,
  checkedText,
  checkNames,
  checkOptions,
  knownOptions,
  ONCE_OPTIONS,
  pathPart as part,
  refusedArgument,
  shown,
} from '../given.ts'
import { recordOf, recordsOf } from '../http/answer.ts'
import { baseUrl } from '../http/base-url.ts'
import type { Call } from '../http/call.ts'
import { createContractNotice, type OnWarning, warnOnConsole } from '../http/contract-notice.ts'
import type { Transport } from '../http/transport.ts'
import { clientError } from '../tidemark-error.ts'
import { createKeyCalls, type KeyCalls } from './api-keys.ts'
import { aboutOrders, aboutSent, ORDER, TRANSFER } from './compare-sent.ts'
import { type Credentials, messageSigner, requestKey } from './credentials.ts'
import type {
  AdjustmentFilter,
  CancelConditions,
  CancelScope,
  EquityRange,
  FillFilter,
  OrderFilter,
  PageFilter,
  PastRange,
  PositionFilter,
  SettlementFilter,
  StatementFilter,
  TableFilters,
  TableFormat,
  TransferFilter,
  TransferTerms,
  WantedAmend,
  WantedQuote,
} from './filters.ts'
import type { Once } from './once.ts'
import { type OperationMethods, operationMethods } from './operation-methods.ts'
import { createOrderSigner } from './order-signer.ts'
import type { OrderTerms } from './order-terms.ts'
import { pagesOf } from './pages.ts'
import { createPrivateHttp, type PrivateAnswer, type PrivateHttp, type WriteMethod } from './private-http.ts'
import type { PrivateQuery } from './query-text.ts'
import type { RetryRule } from './retry-rule.ts'
import type { OrderSocket } from './stream/order-socket.ts'
import { createWebhookCalls, type WebhookCalls } from './webhooks.ts'

export type TradingClientOptions = Credentials &
  Transport & {
    /** http or https, without /v1. */
    readonly base_url: string
    /** Default settlement asset of orders. */
    readonly asset_id?: string
    /** Sends writes of orders over a WebSocket (`createOrderSocket`); left out: each is an HTTP request. */
    readonly order_socket?: OrderSocket
    readonly retry?: Partial<RetryRule>
    /** Bound of one attempt; default: 15 s. */
    readonly timeout_ms?: number
    /** Ends every call of the client. */
    readonly signal?: AbortSignal
    /** Called once if the service speaks a newer contract; default: a warning on the console. */
    readonly on_warning?: OnWarning
  }

/**
 * Private API of one account. Calls retry transient failures, then throw TidemarkError if they are refused or unanswered.
 */
export type AccountCalls = {
  /** Signs and places one order. @returns its projection, which may already be filled or ended */
  placeOrder(terms: OrderTerms, once?: Once): Promise<Order>
  /** Places up to 50 independent orders. @returns one result per order, in order */
  placeOrders(terms: readonly OrderTerms[], once?: Once): Promise<readonly BatchItem[]>
  /** Ends all orders of a set in a market, then places the new ones, at most 100, in one step; without orders the ladder ends. */
  massQuote(quote: WantedQuote, once?: Once): Promise<MassQuoteResult>
  /** Returns the answer that placing would give, without placing. */
  preview(terms: OrderTerms, call?: Call): Promise<OrderPreview>
  /** Returns how an order would have filled from a past instant on, in `would_fill`. @param past instants of RFC 3339 */
  previewPast(terms: OrderTerms, past: PastRange, call?: Call): Promise<OrderPreview>
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
  order(order_id: string, call?: Call): Promise<OrderDetail>
  /** The working order of a client_order_id, or else the newest one. */
  orderByClientId(client_order_id: string, call?: Call): Promise<OrderDetail>
  /** Quantity and number of the orders that would execute before an order. */
  queuePosition(order_id: string, call?: Call): Promise<QueuePosition>
  /** Newest first; reads the next page when it is reached. */
  orders(filter?: OrderFilter, call?: Call): AsyncGenerator<Order>
  fill(fill_id: string, call?: Call): Promise<Fill>
  fills(filter?: FillFilter, call?: Call): AsyncGenerator<Fill>
  positions(filter?: PositionFilter, call?: Call): AsyncGenerator<Position>
  marketPositions(market_id: string, filter?: { readonly as_of?: string }, call?: Call): Promise<readonly Position[]>
  balances(filter?: { readonly asset_id?: string; readonly as_of?: string }, call?: Call): AsyncGenerator<Balance>
  adjustments(filter?: AdjustmentFilter, call?: Call): AsyncGenerator<Adjustment>
  /** Latest change first. */
  settlements(filter?: SettlementFilter, call?: Call): AsyncGenerator<Settlement>
  settlement(settlement_id: string, call?: Call): Promise<Settlement>
  /** Every entry of the ledger with its cause, oldest first; all of one instant. */
  statement(filter?: StatementFilter, call?: Call): AsyncGenerator<StatementEntry>
  /** Reads a list as the bytes of a table: every record, or the page that `limit` names. Default of `timeout_ms`: ten minutes. */
  table<List extends keyof TableFilters>(
    list: List,
    format: TableFormat,
    filter?: TableFilters[List] & PageFilter,
    call?: Call,
  ): Promise<Uint8Array>
  /** Returns the account's payout, profit and freed collateral under each outcome of a market. */
  redemptionPreview(market_id: string, call?: Call): Promise<RedemptionPreview>
  summary(filter?: { readonly as_of?: string }, call?: Call): Promise<AccountSummary>
  /** Returns the equity at each multiple of an interval. */
  equityHistory(range: EquityRange, call?: Call): Promise<readonly EquityPoint[]>
  /** Versions of fee schedules; of a market the one that its new orders are accepted under. */
  feeSchedules(
    filter?: { readonly schedule_id?: string; readonly market_id?: string },
    call?: Call,
  ): AsyncGenerator<FeeSchedule>
  /** Requests a deposit or withdrawal; a withdrawal is held at once. */
  requestTransfer(terms: TransferTerms, once?: Once): Promise<Transfer>
  cancelTransfer(transfer_id: string, reason?: string, once?: Once): Promise<Transfer>
  transfer(transfer_id: string, call?: Call): Promise<Transfer>
  /** Newest first. */
  transfers(filter?: TransferFilter, call?: Call): AsyncGenerator<Transfer>
  policy(call?: Call): Promise<AccountPolicy>
  /** Sets a limit of fills in a window; at the limit all orders of the market are canceled, and new ones are refused for `frozen_ms`. */
  protect(market_id: string, limits: ProtectionRequest, once?: Once): Promise<MarketMakerProtection>
  /** Ends a freeze of a market. */
  resetProtection(market_id: string, once?: Once): Promise<MarketMakerProtection>
  removeProtection(market_id: string, once?: Once): Promise<MarketMakerProtection>
  protection(market_id: string, call?: Call): Promise<MarketMakerProtection>
  protections(filter?: Record<never, never>, call?: Call): AsyncGenerator<MarketMakerProtection>
  readonly keys: KeyCalls
  readonly webhooks: WebhookCalls
  /** Sends any signed request of the private API. */
  readonly http: PrivateHttp
  /** Account of the key. */
  readonly account_id: string
}

/** Calls of an account, and each operation of the contract under its own name. */
export type TradingClient = AccountCalls & OperationMethods<AccountCalls>

/**
 * Creates a client of the private API.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: an option is missing or of another type, such as a base_url that is no http address
 */
export function createTradingClient(options: TradingClientOptions): TradingClient {
  const { account_id, environment, asset_id = ASSET_ID } = checkedOptions(options)
  const notice = createContractNotice(options.on_warning ?? warnOnConsole)
  const sender = createPrivateHttp({
    ...options,
    base_url: baseUrl(options.base_url),
    key: requestKey(options),
    on_meta: ({ schema_version }) => notice(schema_version),
  })
  const http: PrivateHttp = { send: async (request) => ofAccount(account_id, await sender.send(request)) }
  const signer = messageSigner(options)
  const sent = async <T>(method: WriteMethod, path: string, body: unknown, once: Once = {}): Promise<T> =>
    (await http.send<T>({ ...knownOptions(once, ONCE_OPTIONS), method, path, body })).data
  const write = async <T>(method: WriteMethod, path: string, body: unknown, once?: Once): Promise<T> =>
    recordOf(await sent<T>(method, path, body, once))
  const asked = async <T>(path: string, call: Call = {}, query: PrivateQuery = {}): Promise<T> =>
    (await http.send<T>({ ...knownOptions(call, CALL_OPTIONS), method: 'GET', path, query })).data
  const read = async <T>(path: string, call?: Call, query?: PrivateQuery) => recordOf(await asked<T>(path, call, query))
  const { sign, signAll } = createOrderSigner({ account_id, asset_id, environment, signer })
  const cancel = (order: string, conditions: CancelConditions & Once = {}) => {
    const { once, ...body } = split(conditions, ['expected_order_version', ...CANCEL_FIELDS])
    return write<Order>('POST', `/orders/${order}/cancel`, body, once)
  }
  const calls: AccountCalls = {
    placeOrder: async (terms, once) => {
      const body = await sign(terms, once)
      return aboutSent(await write<Order>('POST', '/orders', body, once), body, ORDER)
    },
    placeOrders: async (terms, once) => {
      const orders = await signAll(terms, once)
      return aboutOrders(await sent<readonly BatchItem[]>('POST', '/orders/batch', { orders }, once), orders, orderOf)
    },
    massQuote: async (quote, once) => {
      const { market_id, quote_set_id, orders, ...more } = checkedObject(quote, 'quote')
      checkNames(more, ['market_id', 'quote_set_id', 'orders'], 'field of the quote')
      const of_market = checkedList(orders, 'orders').map((terms) => ({ ...terms, market_id }))
      const body = { market_id, quote_set_id, orders: await signAll(of_market, once, [quote_set_id]) }
      const result = await write<MassQuoteResult>('POST', '/orders/mass-quote', body, once)
      aboutOrders(result.orders, body.orders, orderOf)
      return result
    },
    preview: async (terms, call) => write<OrderPreview>('POST', '/orders/preview', await sign(terms), call),
    previewPast: async (terms, past, call) => {
      const { as_of, until = null, ...more } = checkedObject(past, 'past')
      checkNames(more, ['as_of', 'until'], 'field of past')
      return write<OrderPreview>('POST', '/orders/preview', { ...(await sign(terms)), as_of, until }, call)
    },
    cancelOrder: async (order_id, conditions) =>
      aboutSent(await cancel(part(order_id, 'order_id'), conditions), { order_id }, { order_id: 'order_id' }),
    cancelByClientId: async (client_order_id, conditions) =>
      cancel(`by-client-id/${part(client_order_id, 'client_order_id')}`, conditions),
    cancelOrders: async (orders, conditions = {}) => {
      const { once, ...more } = split(conditions, CANCEL_FIELDS)
      const body = { orders: checkedList(orders, 'orders'), ...more }
      return recordsOf(await sent<readonly BatchItem[]>('POST', '/orders/cancel-batch', body, once))
    },
    amendOrder: async (order_id, expected_order_version, terms, once) => {
      const path = `/orders/${part(order_id, 'order_id')}/amend`
      const body = { expected_order_version, ...(await sign(terms, once, ['amend', order_id])) }
      const amended = await write<AmendedOrder>('POST', path, body, once)
      aboutSent(amended.replacement, body, ORDER)
      return amended
    },
    amendOrders: async (amends, once) => {
      const signed = checkedList(amends, 'amends').map(async (amend, n) => {
        const { terms, ...target } = checkedObject(amend, `amends[${n}]`)
        return { ...target, ...(await sign(terms, once, ['amend', n, target.order_id])) }
      })
      const orders = await Promise.all(signed)
      const answers = await sent<readonly AmendItem[]>('POST', '/orders/amend-batch', { orders }, once)
      return aboutOrders(answers, orders, ({ replacement }) => replacement)
    },
    cancelAll: async (scope, once) => {
      const body = { account_id, ...checkedObject(scope, 'scope') }
      return write<CancelAllResult>('POST', '/orders/cancel-all', body, once)
    },
    cancelAfter: (timeout_ms, once) => write<CancelAfter>('PUT', '/account/cancel-after', { timeout_ms }, once),
    order: async (order_id, call) => read<OrderDetail>(`/orders/${part(order_id, 'order_id')}`, call),
    orderByClientId: async (client_order_id, call) =>
      read<OrderDetail>(`/orders/by-client-id/${part(client_order_id, 'client_order_id')}`, call),
    queuePosition: async (order_id, call) =>
      read<QueuePosition>(`/orders/${part(order_id, 'order_id')}/queue-position`, call),
    orders: (filter, call) => pagesOf<Order>(http, TABLES.orders, filter, call),
    fill: async (fill_id, call) => read<Fill>(`/fills/${part(fill_id, 'fill_id')}`, call),
    fills: (filter, call) => pagesOf<Fill>(http, TABLES.fills, filter, call),
    positions: (filter, call) => pagesOf<Position>(http, '/positions', filter, call),
    marketPositions: async (market_id, filter, call) =>
      recordsOf(await asked<readonly Position[]>(`/positions/${part(market_id, 'market_id')}`, call, filter)),
    balances: (filter, call) => pagesOf<Balance>(http, '/balances', filter, call),
    adjustments: (filter, call) => pagesOf<Adjustment>(http, TABLES.adjustments, filter, call),
    settlements: (filter, call) => pagesOf<Settlement>(http, TABLES.settlements, filter, call),
    settlement: async (settlement_id, call) =>
      read<Settlement>(`/settlements/${part(settlement_id, 'settlement_id')}`, call),
    statement: (filter, call) => pagesOf<StatementEntry>(http, TABLES.statement, filter, call),
    table: async (list, format, filter, call) => {
      const path = TABLES[checkedChoice(list, 'list', Object.keys(TABLES) as (keyof TableFilters)[])]
      const accept = FORMATS[checkedChoice(format, 'format', Object.keys(FORMATS) as TableFormat[])]
      const bounds = { timeout_ms: TABLE_MS, ...knownOptions(call ?? {}, CALL_OPTIONS) }
      return (await http.send<Uint8Array>({ ...bounds, method: 'GET', path, query: filter ?? {}, accept })).data
    },
    redemptionPreview: async (market_id, call) =>
      read<RedemptionPreview>('/account/redemption-preview', call, { market_id: checkedText(market_id, 'market_id') }),
    summary: (filter, call) => read<AccountSummary>('/account/summary', call, filter),
    equityHistory: async (range, call) =>
      recordsOf(await asked<readonly EquityPoint[]>('/account/equity-history', call, range)),
    feeSchedules: (filter, call) => pagesOf<FeeSchedule>(http, '/fee-schedules', filter, call),
    requestTransfer: async (terms, once) => {
      checkNames(checkedObject(terms, 'terms'), TRANSFER_TERMS, 'term')
      decimal(terms.amount, 'amount')
      const body = { account_id, asset_id, ...terms }
      return aboutSent(await write<Transfer>('POST', '/account/transfers', body, once), body, TRANSFER)
    },
    cancelTransfer: async (transfer_id, reason, once) => {
      const path = `/account/transfers/${part(transfer_id, 'transfer_id')}/cancel`
      return write<Transfer>('POST', path, reason === undefined ? {} : { reason }, once)
    },
    transfer: async (transfer_id, call) =>
      read<Transfer>(`/account/transfers/${part(transfer_id, 'transfer_id')}`, call),
    transfers: (filter, call) => pagesOf<Transfer>(http, TABLES.transfers, filter, call),
    policy: (call) => read<AccountPolicy>('/account/policy', call),
    protect: async (market_id, limits, once) =>
      write<MarketMakerProtection>('PUT', protectionPath(market_id), checkedObject(limits, 'limits'), once),
    resetProtection: async (market_id, once) =>
      write<MarketMakerProtection>('POST', `${protectionPath(market_id)}/reset`, {}, once),
    removeProtection: async (market_id, once) =>
      write<MarketMakerProtection>('DELETE', protectionPath(market_id), undefined, once),
    protection: async (market_id, call) => read<MarketMakerProtection>(protectionPath(market_id), call),
    protections: (filter, call) => pagesOf<MarketMakerProtection>(http, PROTECTIONS_PATH, filter, call),
    keys: createKeyCalls(http, { account_id, key_id: options.key_id, environment, signer }),
    webhooks: createWebhookCalls(http),
    http,
    account_id,
  }
  return { ...calls, ...operationMethods(calls) }
}

const orderOf = ({ order }: BatchItem) => order

const TRANSFER_FIELDS: Readonly<Record<keyof TransferTerms, true>> = {
  direction: true,
  amount: true,
  asset_id: true,
  destination: true,
}
const TRANSFER_TERMS = ['account_id', ...Object.keys(TRANSFER_FIELDS)]
const CANCEL_FIELDS = ['client_cancel_id', 'reason'] as const
const ASSET_ID = 'asset_usd'

/** Lists that are also tables. */
const TABLES = {
  orders: '/orders',
  fills: '/fills',
  adjustments: '/adjustments',
  settlements: '/settlements',
  statement: '/account/statement',
  transfers: '/account/transfers',
} as const satisfies Record<keyof TableFilters, string>
const FORMATS: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
}
/** A table of every record waits for the tokens of its pages. */
const TABLE_MS = 600_000

const PROTECTIONS_PATH = '/account/market-maker-protections'

function protectionPath(market_id: string): string {
  return `${PROTECTIONS_PATH}/${part(market_id, 'market_id')}`
}

/**
 * Returns an answer whose records are the account's. A key reads its own account, whatever account the options name.
 * @throws {TidemarkError} ACCOUNT_NOT_FOUND
 */
function ofAccount<T>(account_id: string, answer: PrivateAnswer<T>): PrivateAnswer<T> {
  const records = [answer.data].flat() as readonly ({ readonly account_id?: unknown } | null | undefined)[]
  const other = records.find((one) => typeof one?.account_id === 'string' && one.account_id !== account_id)
  if (other == null) return answer
  const message = `account_id is ${shown(account_id)}; allowed: the account of the key, which is ${other.account_id}`
  throw clientError('ACCOUNT_NOT_FOUND', message, false)
}

/** Separates the options of a call from the fields of its body. */
function split<T extends Once>(conditions: T, fields: readonly string[]) {
  const { idempotency_key, signal, timeout_ms, ...body } = knownOptions(conditions, [...fields, ...ONCE_OPTIONS])
  const once: Once = {
    ...(idempotency_key === undefined ? {} : { idempotency_key }),
    ...(signal === undefined ? {} : { signal }),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
  }
  return { ...body, once }
}

/** Checks the options by which requests are sent; the signing key and the signer are checked where they are made. */
function checkedOptions(options: TradingClientOptions): TradingClientOptions {
  checkOptions(options, ['fetch', 'on_exchange', 'on_warning'])
  checkedText(options.account_id, 'account_id')
  if (options.asset_id !== undefined) checkedText(options.asset_id, 'asset_id')
  const { order_socket } = options
  if (order_socket !== undefined && typeof checkedObject(order_socket, 'order_socket').send !== 'function')
    throw refusedArgument('order_socket.send', order_socket.send, 'a function; createOrderSocket makes one')
  return options
}
