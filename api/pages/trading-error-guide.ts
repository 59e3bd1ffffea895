import type { ErrorCode } from '../../primitives/error-codes.ts'
import type { ErrorRow } from './error-row.ts'

/** A signed request: what stands after curl, without the five headers that every one of them has. */
const signed = (stage: number, sample: string, needs: string): ErrorRow => ({
  where: 'signed http',
  sample,
  needs,
  stage,
})
const IDEMPOTENT = "-H 'Idempotency-Key: key-1'"
const post = (path: string, body: string): string => `-X POST ${IDEMPOTENT} -d '${body}' '/v1${path}'`
const ORDER = post('/orders', '{"client_order_id":"c1", ...}')
const PREVIEW = post('/orders/preview', '{"client_order_id":"c1", ...}')
const AMEND = post('/orders/ord_example/amend', '{"expected_order_version":2, "client_order_id":"c2", ...}')
const MASS_QUOTE = post('/orders/mass-quote', '{"quote_set_id":"ladder-1", "orders":[...], ...}')
const TRANSFER = post('/account/transfers', '{"direction":"withdrawal", "amount":"25.00", ...}')
const CANCEL_TRANSFER = post('/account/transfers/trf_example/cancel', '{}')
const WEBHOOK = post('/webhooks', '{"url":"https://hooks.example.com/tidemark", ...}')
const REPLAY_WEBHOOK = post('/webhooks/whk_example/replay', '{"delivery_ids":["whd_absent"]}')
const CREATE_KEY = post('/account/api-keys', '{"key_id":"key_example0000000000", ...}')
const cancel = (order_id: string, version: number): string =>
  post(`/orders/${order_id}/cancel`, `{"expected_order_version":${version}}`)
const order = (stage: number, needs: string): ErrorRow => signed(stage, ORDER, needs)

const KEY = 5
const REPLAY = 7
const SIGNATURE = 9
const RESOURCE = 10
const TERMS = 11
const MONEY = 12
const MATCHING = 13
const ANSWER = 14

/** Rows of the codes that only signed requests are answered with. */
export const TRADING_ERROR_GUIDE = {
  AUTH_CREDENTIALS_INVALID: signed(KEY, "'/v1/orders'", 'a key that is unknown, revoked or expired, or no headers'),
  AUTH_TIMESTAMP_OUT_OF_WINDOW: signed(REPLAY, "'/v1/orders'", 'SVC-Access-Timestamp of a minute ago'),
  AUTH_SCOPE_INSUFFICIENT: signed(KEY, "'/v1/balances'", 'a key without the scope account:read'),
  AUTH_IP_NOT_ALLOWED: signed(KEY, "'/v1/orders'", 'a key whose ip_allowlist lacks your address'),
  AUTH_ENVIRONMENT_MISMATCH: signed(KEY, "'/v1/orders'", 'a key of another environment'),
  SIGNATURE_INVALID: order(SIGNATURE, 'order_signature of other than 65 bytes, or with a high s'),
  SIGNATURE_TYPE_UNSUPPORTED: order(SIGNATURE, 'signature_type erc1271 on a service without a chain'),
  SIGNATURE_ORDER_MISMATCH: order(SIGNATURE, 'a body whose limit_price was changed after it was signed'),
  SIGNATURE_ORDER_EXPIRED: order(SIGNATURE, 'time_in_force GTD and expires_at in the past'),
  SIGNATURE_AUTHORIZATION_MISMATCH: signed(SIGNATURE, CREATE_KEY, 'scopes other than those that were signed'),
  SIGNATURE_AUTHORIZATION_EXPIRED: signed(SIGNATURE, CREATE_KEY, 'authorization.expiry in the past'),
  SIGNATURE_SIGNER_UNAUTHORIZED: order(SIGNATURE, 'a signer that no authorization of the account names'),
  REPLAY_REQUEST_NONCE_REUSED: signed(REPLAY, "'/v1/orders'", 'the same request sent twice, headers and all'),
  REPLAY_ORDER_NONCE_REUSED: order(SIGNATURE, 'an order_nonce that the signer has used for this account'),
  REPLAY_AUTHORIZATION_NONCE_REUSED: signed(SIGNATURE, CREATE_KEY, 'an authorization that was used before'),
  IDEMPOTENCY_KEY_REQUIRED: signed(
    REPLAY,
    `-X POST -d '{"account_id":"acct_example","scope":"all_open_orders"}' '/v1/orders/cancel-all'`,
    'no header Idempotency-Key',
  ),
  IDEMPOTENCY_CONFLICT: order(REPLAY, 'an Idempotency-Key that was used with another body in the last 24 h'),
  IDEMPOTENCY_IN_PROGRESS: order(REPLAY, 'a request with the same Idempotency-Key that is not answered yet'),
  RISK_ACCOUNT_BLOCKED: order(RESOURCE, 'an account that an operator has blocked'),
  MARKET_NOT_TRADABLE: order(RESOURCE, 'a market that is not open'),
  ORDER_SETTLEMENT_ASSET_INVALID: order(TERMS, 'settlement_asset_id other than the market’s'),
  ORDER_TICK_SIZE_INVALID: order(TERMS, 'a limit_price between two steps of price_increment'),
  ORDER_PRICE_OUT_OF_RANGE: order(TERMS, 'a limit_price outside price_min and price_max'),
  ORDER_LOT_SIZE_INVALID: order(
    TERMS,
    'a quantity off quantity_increment, below minimum_quantity, or above the largest of an order',
  ),
  ORDER_TIF_INCOMPATIBLE: order(TERMS, 'post_only with time_in_force FOK'),
  RISK_MARKET_MAKER_PROTECTION: order(MONEY, 'a market in which the account’s protection was triggered'),
  RISK_MAX_NOTIONAL_EXCEEDED: order(MONEY, 'a limit_price x quantity above the cap that was signed'),
  RISK_MAX_FEE_EXCEEDED: order(MONEY, 'a maximum_fee below the largest fee that the order may cost'),
  RISK_PRICE_PROTECTION: order(MONEY, 'a limit_price farther from the mark than the policy’s price_band'),
  ORDER_REDUCE_ONLY_NO_POSITION: order(MONEY, 'reduce_only without a position that it could reduce'),
  ORDER_REDUCE_ONLY_TOO_LARGE: order(MONEY, 'a reduce_only FOK of more than the position that it could reduce'),
  BALANCE_INSUFFICIENT_POSITION: order(MONEY, 'a SELL of more than is held, where shorting is not permitted'),
  RISK_POSITION_LIMIT_EXCEEDED: order(MONEY, 'a quantity beyond the policy’s position_limit'),
  RISK_OPEN_ORDER_LIMIT: order(MONEY, 'one open order more than the account may have'),
  BALANCE_INSUFFICIENT_COLLATERAL: order(MONEY, 'a BUY of more than the account has available'),
  ORDER_POST_ONLY_WOULD_TAKE: order(MATCHING, 'post_only at a price that another order already offers'),
  ORDER_MASS_QUOTE_CROSSED: signed(TERMS, MASS_QUOTE, 'a BUY and a SELL of one outcome at the same price'),
  ORDER_FOK_NOT_FILLABLE: signed(MATCHING, AMEND, 'a replacement that is FOK and cannot be filled whole'),
  ORDER_FAK_NOT_FILLABLE: signed(MATCHING, AMEND, 'a replacement that is FAK and would execute nothing'),
  ORDER_AMEND_NOT_ALLOWED: signed(RESOURCE, AMEND, 'a replacement of another market, outcome or side'),
  ORDER_NOT_CANCELABLE: signed(RESOURCE, cancel('ord_example', 3), 'an order that has ended'),
  ORDER_VERSION_CONFLICT: signed(RESOURCE, cancel('ord_example', 1), 'an order whose version is 2'),
  ORDER_DUPLICATE_CLIENT_ID: order(REPLAY, 'a client_order_id of a working order, or of the last 7 days'),
  ORDER_NOT_FOUND: signed(RESOURCE, "'/v1/orders/ord_absent'", 'no order of this id, or one of another account'),
  FILL_NOT_FOUND: signed(RESOURCE, "'/v1/fills/fill_absent'", 'no fill of this id, or one of another account'),
  SETTLEMENT_NOT_FOUND: signed(
    RESOURCE,
    "'/v1/settlements/stl_absent'",
    'no settlement of this id, or one of another account',
  ),
  PROTECTION_NOT_FOUND: signed(
    RESOURCE,
    "'/v1/account/market-maker-protections/mkt_absent'",
    'no protection of the account in this market',
  ),
  TRANSFER_NOT_FOUND: signed(
    RESOURCE,
    "'/v1/account/transfers/trf_absent'",
    'no transfer of this id, or one of another account',
  ),
  TRANSFER_NOT_OPEN: signed(RESOURCE, CANCEL_TRANSFER, 'a transfer that has ended'),
  TRANSFER_AMOUNT_INVALID: signed(MONEY, TRANSFER, 'an amount of 0, or with more digits than the asset has'),
  TRANSFER_LIMIT_EXCEEDED: signed(MONEY, TRANSFER, 'more than the limits of a day allow'),
  WEBHOOK_NOT_FOUND: signed(RESOURCE, "'/v1/webhooks/whk_absent'", 'no webhook of this id, or one of another account'),
  WEBHOOK_DELIVERY_NOT_FOUND: signed(RESOURCE, REPLAY_WEBHOOK, 'a delivery that the webhook does not have'),
  WEBHOOK_DISABLED: signed(RESOURCE, REPLAY_WEBHOOK, 'a webhook that is disabled'),
  WEBHOOK_URL_REFUSED: signed(TERMS, WEBHOOK, 'an address that is private, not https, or does not resolve'),
  WEBHOOK_LIMIT_EXCEEDED: signed(TERMS, WEBHOOK, 'an account that has five webhooks'),
  ACCOUNT_NOT_FOUND: signed(RESOURCE, PREVIEW, 'an account_id that is not the one of the key'),
  API_KEY_NOT_FOUND: signed(
    RESOURCE,
    "'/v1/account/api-keys/key_absent0000000000/audit-log'",
    'no key of this id, or one of another account',
  ),
  API_KEY_ID_TAKEN: signed(RESOURCE, CREATE_KEY, 'a key_id that is in use'),
  API_KEY_LIMIT_EXCEEDED: signed(MONEY, CREATE_KEY, 'more keys than an account may have, or create within a day'),
  API_KEY_NOT_ACTIVE: signed(
    RESOURCE,
    post('/account/api-keys/key_example0000000000/rotate', '{"overlap_seconds":0}'),
    'a key that was revoked',
  ),
  OUTCOME_UNKNOWN: order(ANSWER, 'an engine that ended while it had the request'),
} as const satisfies Partial<Record<ErrorCode, ErrorRow>>
