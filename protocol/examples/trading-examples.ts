import type { PrivateOperationId } from '../endpoints/trading-endpoints.ts'
import type { Example } from './example.ts'

const account_id = { own: 'account_id' } as const
const environment = { own: 'environment' } as const
const unique = { own: 'unique' } as const
const market_id = 'mkt_sandbox_tunnel'
/** An order far from the makers of the sandbox, so that it rests. */
const ORDER = {
  client_order_id: unique,
  account_id,
  market_id,
  outcome_id: 'out_sandbox_tunnel_yes',
  side: 'BUY',
  limit_price: '0.02',
  quantity: '5.00',
  time_in_force: 'GTC',
  self_trade_prevention: 'cancel_taker',
  maximum_fee: '1.00',
  maximum_notional: '0.10',
  settlement_asset_id: 'asset_usd',
  order_nonce: unique,
} as const
/** The same at a price that the makers accept. */
const TAKING = { ...ORDER, limit_price: '0.95', maximum_notional: '4.75' } as const
const RESTING = { path: { order_id: { from: 'list_orders', at: 'data.0.order_id' } }, after: ['place_order'] } as const
const of_resting = { from: 'list_orders', at: 'data.0.client_order_id' } as const
const resting_version = { from: 'list_orders', at: 'data.0.version' } as const
const PROTECTED = { path: { market_id }, after: ['set_market_maker_protection'] } as const
/** A key that was created for these examples, not the one that signs them. */
const OTHER_KEY = {
  path: { key_id: { from: 'list_api_keys', at: 'data.-1.key_id' } },
  after: ['create_api_key'],
} as const
const SCOPES = ['orders:read', 'account:read'] as const
const HOOK = {
  path: { webhook_id: { from: 'list_webhooks', at: 'data.0.webhook_id' } },
  after: ['create_webhook'],
  if_none: true,
} as const
const FILL = { from: 'list_fills', at: 'data.0.fill_id' } as const
const TRANSFER = {
  path: { transfer_id: { from: 'list_transfers', at: 'data.0.transfer_id' } },
  after: ['request_transfer'],
} as const

/** Example of every private operation. They use a key with every scope, as the accounts of the sandbox have. */
export const TRADING_EXAMPLES = {
  create_api_key: {
    body: { key_id: { own: 'unique_key_id' }, environment, label: 'reader', algorithm: 'hmac-sha256', scopes: SCOPES },
    signs: 'authorization',
    scopes: SCOPES,
  },
  list_api_keys: {},
  rotate_api_key: { ...OTHER_KEY, body: { overlap_seconds: 0 }, signs: 'authorization', scopes: SCOPES },
  revoke_api_key: { ...OTHER_KEY, body: { reason: 'no longer used' }, signs: 'authorization', scopes: SCOPES },
  list_signers: {},
  list_api_key_audit: { path: { key_id: { own: 'key_id' } }, query: { limit: '2' } },
  place_order: { body: ORDER, signs: 'order' },
  list_orders: { query: { market_id, status: 'open', limit: '2' }, after: ['place_order'] },
  place_orders: { body: { orders: [ORDER, TAKING] }, signs: 'orders' },
  preview_order: { body: ORDER, signs: 'order' },
  get_order: RESTING,
  get_order_by_client_id: { path: { client_order_id: of_resting }, after: ['place_order'] },
  get_queue_position: RESTING,
  cancel_order_by_client_id: {
    path: { client_order_id: of_resting },
    body: { reason: 'no longer wanted' },
    after: ['place_order'],
  },
  cancel_order: { ...RESTING, body: { expected_order_version: resting_version } },
  amend_order: { ...RESTING, body: { ...ORDER, expected_order_version: resting_version }, signs: 'order' },
  cancel_all_orders: { body: { account_id, market_id } },
  mass_quote: { body: { market_id, quote_set_id: 'ladder-1', orders: [ORDER] }, signs: 'orders' },
  cancel_orders: {
    body: { orders: [{ client_order_id: of_resting }] },
    after: ['place_order'],
  },
  amend_orders: {
    body: { orders: [{ ...ORDER, ...RESTING.path, expected_order_version: resting_version }] },
    signs: 'orders',
    after: ['place_order'],
  },
  set_cancel_after: { body: { timeout_ms: 0 } },
  set_market_maker_protection: {
    path: { market_id },
    body: { fill_count_max: 10, quantity_max: '500.00', window_ms: 5000, frozen_ms: 10_000 },
  },
  get_market_maker_protection: PROTECTED,
  remove_market_maker_protection: PROTECTED,
  list_market_maker_protections: { after: ['set_market_maker_protection'] },
  reset_market_maker_protection: { ...PROTECTED, body: {} },
  list_fills: { query: { limit: '2' }, after: ['place_orders'] },
  get_fill: { path: { fill_id: FILL } },
  list_adjustments: { query: { limit: '2' } },
  list_positions: { query: { nonzero_only: 'true' }, after: ['place_orders'] },
  get_market_positions: { path: { market_id: { from: 'list_fills', at: 'data.0.market_id' } } },
  list_balances: {},
  get_account_policy: {},
  get_redemption_preview: { query: { market_id: { from: 'list_fills', at: 'data.0.market_id' } } },
  list_settlements: { query: { limit: '2' }, after: ['place_orders'] },
  get_settlement: { path: { settlement_id: { from: 'list_settlements', at: 'data.0.settlement_id' } } },
  list_statement: { query: { limit: '2' } },
  get_account_summary: {},
  list_equity_history: {
    query: { start_time: '2025-12-05T00:00:00Z', end_time: '2025-12-06T00:00:00Z', interval: 'P1D' },
  },
  list_fee_schedules: {},
  request_transfer: {
    body: { account_id, direction: 'withdrawal', asset_id: 'asset_usd', amount: '25.00' },
  },
  list_transfers: { query: { limit: '2' } },
  cancel_transfer: { ...TRANSFER, body: {} },
  get_transfer: TRANSFER,
  create_webhook: { body: { url: 'http://127.0.0.1:4242/', event_types: ['settlement.created'] } },
  list_webhooks: {},
  get_webhook: HOOK,
  update_webhook: { ...HOOK, body: { description: 'fills of the desk' } },
  rotate_webhook_secret: { ...HOOK, body: { overlap_seconds: 0 } },
  test_webhook: { ...HOOK, body: {} },
  replay_webhook: { ...HOOK, body: { from_cursor: 0 } },
  list_webhook_deliveries: HOOK,
  delete_webhook: HOOK,
  list_webhook_events: { query: { limit: '2' } },
} as const satisfies Record<PrivateOperationId, Example>
