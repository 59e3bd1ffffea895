import { randomBytes } from 'node:crypto'
import { signAuthorization, type WantedAuthorization } from '../../../client/signing/sign-authorization.ts'
import type { PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import { SCOPES } from '../../../protocol/signing/scopes.ts'
import {
  type AccountName,
  type Call,
  ENVIRONMENT,
  MARKET_ID,
  type ServedAccounts,
  signerOf,
} from './served-accounts.ts'

/** Ids that a request names: of records of one account, or of nobody. */
export type Named = Readonly<
  Record<'order_id' | 'client_order_id' | 'fill_id' | 'settlement_id' | 'transfer_id' | 'webhook_id' | 'key_id', string>
>

export const NOBODY: Named = {
  order_id: 'ord_absent',
  client_order_id: 'absent',
  fill_id: 'fill_absent',
  settlement_id: 'stl_absent',
  transfer_id: 'trf_absent',
  webhook_id: 'whk_absent',
  key_id: 'key_absent0000000000',
}

const PROTECTION = `/v1/account/market-maker-protections/${MARKET_ID}`

type Made = Pick<Call, 'method' | 'url' | 'body'>

/** One request of every private operation that passes its shape, by an account, about records that are named. */
export const REQUESTS: Readonly<
  Record<PrivateOperationId, (served: ServedAccounts, account: AccountName, named: Named) => Promise<Made> | Made>
> = {
  create_api_key: async (_served, account) => ({
    method: 'POST',
    url: '/v1/account/api-keys',
    body: await createKeyBody(account),
  }),
  list_api_keys: () => get('/account/api-keys'),
  rotate_api_key: async (_served, account, { key_id }) =>
    post(`/account/api-keys/${key_id}/rotate`, { overlap_seconds: 0, ...(await consentTo(account, key_id)) }),
  revoke_api_key: async (_served, account, { key_id }) =>
    post(`/account/api-keys/${key_id}/revoke`, { reason: 'test', ...(await consentTo(account, key_id)) }),
  list_signers: () => get('/account/signers'),
  list_api_key_audit: (_served, _account, { key_id }) => get(`/account/api-keys/${key_id}/audit-log`),
  place_order: async (served, account) => post('/orders', await served.order({ limit_price: '0.02' }, account)),
  place_orders: async (served, account) =>
    post('/orders/batch', { orders: [await served.order({ limit_price: '0.02' }, account)] }),
  mass_quote: async (served, account) => {
    const orders = [await served.order({ limit_price: '0.02' }, account)]
    return post('/orders/mass-quote', { market_id: MARKET_ID, quote_set_id: 'ladder', orders })
  },
  preview_order: async (served, account) => post('/orders/preview', await served.order({}, account)),
  list_orders: () => get('/orders'),
  get_order: (_served, _account, { order_id }) => get(`/orders/${order_id}`),
  get_order_by_client_id: (_served, _account, { client_order_id }) => get(`/orders/by-client-id/${client_order_id}`),
  get_queue_position: (_served, _account, { order_id }) => get(`/orders/${order_id}/queue-position`),
  cancel_order_by_client_id: (_served, _account, { client_order_id }) =>
    post(`/orders/by-client-id/${client_order_id}/cancel`, {}),
  cancel_order: (_served, _account, { order_id }) => post(`/orders/${order_id}/cancel`, {}),
  cancel_orders: (_served, _account, { order_id }) => post('/orders/cancel-batch', { orders: [{ order_id }] }),
  amend_orders: async (served, account, { order_id }) =>
    post('/orders/amend-batch', {
      orders: [{ ...(await served.order({}, account)), order_id, expected_order_version: 99 }],
    }),
  amend_order: async (served, account, { order_id }) =>
    post(`/orders/${order_id}/amend`, { ...(await served.order({}, account)), expected_order_version: 99 }),
  cancel_all_orders: (_served, account) =>
    post('/orders/cancel-all', { account_id: account, cancel_on_pause_only: true }),
  list_fills: () => get('/fills'),
  get_fill: (_served, _account, { fill_id }) => get(`/fills/${fill_id}`),
  list_adjustments: () => get('/adjustments'),
  list_settlements: () => get('/settlements'),
  get_settlement: (_served, _account, { settlement_id }) => get(`/settlements/${settlement_id}`),
  list_positions: () => get('/positions'),
  get_market_positions: () => get(`/positions/${MARKET_ID}`),
  list_balances: () => get('/balances'),
  list_statement: () => get('/account/statement'),
  get_account_summary: () => get('/account/summary'),
  list_equity_history: () =>
    get('/account/equity-history?start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z&interval=PT1H'),
  list_fee_schedules: () => get('/fee-schedules'),
  request_transfer: (_served, account) =>
    post('/account/transfers', { account_id: account, direction: 'deposit', asset_id: 'asset_usd', amount: '1' }),
  cancel_transfer: (_served, _account, { transfer_id }) => post(`/account/transfers/${transfer_id}/cancel`, {}),
  list_transfers: () => get('/account/transfers'),
  get_transfer: (_served, _account, { transfer_id }) => get(`/account/transfers/${transfer_id}`),
  create_webhook: () => post('/webhooks', { url: 'https://8.8.8.8/hook', event_types: ['webhook.updated'] }),
  list_webhooks: () => get('/webhooks'),
  get_webhook: (_served, _account, { webhook_id }) => get(`/webhooks/${webhook_id}`),
  update_webhook: (_served, _account, { webhook_id }) => ({
    ...{ method: 'PATCH', url: `/v1/webhooks/${webhook_id}`, body: { description: 'changed' } },
  }),
  rotate_webhook_secret: (_served, _account, { webhook_id }) =>
    post(`/webhooks/${webhook_id}/rotate-secret`, { overlap_seconds: 0 }),
  test_webhook: (_served, _account, { webhook_id }) => post(`/webhooks/${webhook_id}/test`, {}),
  replay_webhook: (_served, _account, { webhook_id }) => post(`/webhooks/${webhook_id}/replay`, { from_cursor: 0 }),
  list_webhook_deliveries: (_served, _account, { webhook_id }) => get(`/webhooks/${webhook_id}/deliveries`),
  delete_webhook: (_served, _account, { webhook_id }) => ({ method: 'DELETE', url: `/v1/webhooks/${webhook_id}` }),
  list_webhook_events: () => get('/webhook-events'),
  get_account_policy: () => get('/account/policy'),
  get_redemption_preview: () => get(`/account/redemption-preview?market_id=${MARKET_ID}`),
  set_market_maker_protection: () => ({
    method: 'PUT',
    url: PROTECTION,
    body: { fill_count_max: 1000, window_ms: 1, frozen_ms: 1 },
  }),
  list_market_maker_protections: () => get('/account/market-maker-protections'),
  get_market_maker_protection: () => ({ method: 'GET', url: PROTECTION }),
  reset_market_maker_protection: () => ({ method: 'POST', url: `${PROTECTION}/reset`, body: {} }),
  remove_market_maker_protection: () => ({ method: 'DELETE', url: PROTECTION }),
  set_cancel_after: () => ({ method: 'PUT', url: '/v1/account/cancel-after', body: { timeout_ms: 0 } }),
}

const get = (path: string): Made => ({ method: 'GET', url: `/v1${path}` })
const post = (path: string, body: unknown): Made => ({ method: 'POST', url: `/v1${path}`, body })

/** The body of a new key, as the account's owner authorizes it. */
export async function createKeyBody(
  account: AccountName,
  given: Partial<Pick<WantedAuthorization, 'key_id' | 'scopes' | 'nonce' | 'signer' | 'expiry'>> = {},
): Promise<Record<string, unknown>> {
  const { key_id = `key_${randomBytes(10).toString('hex')}`, scopes = ['orders:read'] } = given
  const wanted = { ...given, account_id: account, key_id, scopes }
  const signed = await signAuthorization(wanted, signerOf(account), ENVIRONMENT)
  return { key_id, environment: ENVIRONMENT, label: 'made by a test', algorithm: 'hmac-sha256', scopes, ...signed }
}

/** The owner's consent to a change of a key; of one with every scope, unless others are given. */
export async function consentTo(account: AccountName, key_id: string, scopes: readonly string[] = SCOPES) {
  return signAuthorization({ account_id: account, key_id, scopes }, signerOf(account), ENVIRONMENT)
}

/** An answer without what every answer has anew: equal texts mean that nothing can be told apart. */
export function comparable(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'REQUEST_ID')
    .replaceAll(/"server_time_ms":\d+/g, '"server_time_ms":0')
    .replaceAll(/the time here \d+/g, 'the time here 0')
    .replaceAll(/"published_at":"[^"]+"/g, '"published_at":""')
}
