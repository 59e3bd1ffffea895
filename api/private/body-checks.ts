import { microsOf } from '../../primitives/instants.ts'
import type { PrivateOperationId } from '../../protocol/endpoints/trading-endpoints.ts'
import { FAULTS_MAX } from '../../protocol/limits.ts'
import type { CreateKeyRequest, RevokeKeyRequest } from '../../protocol/requests/key-request.ts'
import {
  CANCEL_ALL_CHOICE,
  type CancelAllRequest,
  type CancelBatchRequest,
  type CancelTarget,
  type MassQuoteRequest,
  type OrderBatchRequest,
  type OrderRequest,
} from '../../protocol/requests/order-request.ts'
import { isAddressRange } from '../../trading/auth/ip-allowlist.ts'
import { RequestRefusal, type Violation, violation } from '../server/request-refusal.ts'

type BodyCheck = (body: never) => readonly Violation[]

/** Checks of a body's shape that a schema cannot express; stage 1, like the schema itself. */
const BODY_CHECKS: Partial<Record<string, BodyCheck>> = {
  place_order: (order: OrderRequest) => orderFaults(order, ''),
  preview_order: (order: OrderRequest) => orderFaults(order, ''),
  amend_order: (order: OrderRequest) => orderFaults(order, ''),
  place_orders: listFaults,
  amend_orders: listFaults,
  mass_quote: massQuoteFaults,
  cancel_orders: ({ orders }: CancelBatchRequest) => orders.flatMap(targetFaults),
  cancel_all_orders: cancelAllFaults,
  create_api_key: keyFaults,
  rotate_api_key: consentFaults,
  revoke_api_key: consentFaults,
} satisfies Partial<Record<PrivateOperationId, BodyCheck>>

/** @throws {RequestRefusal} VALIDATION_BODY_INVALID */
export function checkBody(operation_id: string, body: unknown): void {
  const [first, ...others] = (BODY_CHECKS[operation_id]?.(body as never) ?? []).slice(0, FAULTS_MAX)
  if (first !== undefined) throw new RequestRefusal([first, ...others])
}

const invalid = (field: string, value: string | null, rule: string): Violation =>
  violation('VALIDATION_BODY_INVALID', field, value, rule)

function orderFaults({ order_nonce, expires_at }: OrderRequest, prefix: string): Violation[] {
  return [...nonceFaults(order_nonce, `${prefix}order_nonce`), ...expiryFaults(expires_at, `${prefix}expires_at`)]
}

function listFaults({ orders }: Pick<OrderBatchRequest, 'orders'>): Violation[] {
  return orders.flatMap((order, place) => orderFaults(order, `orders[${place}].`))
}

function massQuoteFaults(quote: MassQuoteRequest): Violation[] {
  const others = quote.orders.flatMap(({ market_id }, place) =>
    market_id === quote.market_id
      ? []
      : [invalid(`orders[${place}].market_id`, market_id, `allowed: ${quote.market_id}, the market of the ladder`)],
  )
  return [...others, ...listFaults(quote)]
}

const UINT256 = 1n << 256n

function nonceFaults(digits: string, field: string): Violation[] {
  return BigInt(digits) < UINT256 ? [] : [invalid(field, digits, 'allowed: an integer below 2^256')]
}

function expiryFaults(text: string | null | undefined, field: string): Violation[] {
  if (text === null || text === undefined) return []
  const micros = microsOf(text)
  return micros !== null && micros > 0 ? [] : [invalid(field, text, 'allowed: a real date after 1970, whole seconds')]
}

function targetFaults({ order_id, client_order_id }: CancelTarget, place: number): Violation[] {
  if ((order_id === undefined) !== (client_order_id === undefined)) return []
  const given = order_id === undefined ? null : `${order_id} and ${client_order_id}`
  return [invalid(`orders[${place}]`, given, 'allowed: exactly one of order_id, client_order_id')]
}

function cancelAllFaults({ account_id: _, scope, ...filters }: CancelAllRequest): Violation[] {
  const filtered = Object.values(filters).some((filter) => filter !== undefined && filter !== false)
  if (filtered !== (scope !== undefined)) return []
  const rule = filtered ? 'allowed: only without other filters' : 'is required where there is no filter'
  return [invalid('scope', scope ?? null, `${rule}: ${CANCEL_ALL_CHOICE}`)]
}

/** The parts of a consent belong together. */
function consentFaults({
  authorization,
  authorization_signature,
  signature_type,
}: Omit<RevokeKeyRequest, 'reason'>): Violation[] {
  const parts = { authorization, authorization_signature, signature_type }
  const missing = Object.entries(parts).filter(([, value]) => value === undefined)
  const nonce_faults = authorization === undefined ? [] : nonceFaults(authorization.nonce, 'authorization.nonce')
  if (missing.length === 0 || missing.length === 3) return nonce_faults
  const rule = `is required beside the others: ${Object.keys(parts).join(', ')}`
  return [...missing.map(([field]) => invalid(field, null, rule)), ...nonce_faults]
}

function keyFaults(body: CreateKeyRequest): Violation[] {
  const { algorithm, public_key = null, ip_allowlist = [], expires_at, authorization } = body
  const must_have_key = algorithm === 'ed25519'
  const key_fault = invalid(
    'public_key',
    public_key,
    must_have_key ? 'is required of an ed25519 key' : 'allowed: null, the service makes the secret of an HMAC key',
  )
  return [
    ...(must_have_key === (public_key === null) ? [key_fault] : []),
    ...ip_allowlist.flatMap((range, place) =>
      isAddressRange(range)
        ? []
        : [invalid(`ip_allowlist[${place}]`, range, 'allowed: an address, or a range such as 203.0.113.0/24')],
    ),
    ...expiryFaults(expires_at, 'expires_at'),
    ...nonceFaults(authorization.nonce, 'authorization.nonce'),
  ]
}
