import { formatMicros, isOver } from '../../primitives/instants.ts'
import type { Scope } from '../../protocol/signing/scopes.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import type { EngineState } from './state.ts'
import type { Refusal, SignedOrder } from './submission.ts'

/**
 * Checks stage 4 of an order: its account, its signature, whether its signer may act for the account, its nonce and its expiry.
 * @param account_id the caller's account
 * @returns the first refusal; null: it passes, and `useOrderNonce` may record its nonce
 */
export function checkSignature(
  { state, now }: Execution,
  facts: Facts,
  account_id: string,
  order: SignedOrder,
): Refusal | null {
  const { intent, signature } = order
  if (intent.account_id !== account_id) {
    const message = `account_id is ${intent.account_id}; allowed: ${account_id}, the account of the key`
    return { code: 'SIGNATURE_SIGNER_UNAUTHORIZED', message }
  }
  if (order.verdict !== null) return order.verdict
  const shown = { digest: signature.digest, expected_signer: signature.signer }
  if (!maySign(state, intent.account_id, signature.signer, now)) {
    const message = `signer ${signature.signer} may not sign for account ${intent.account_id}: allowed: its owner, and signers of active keys with the scope ${SIGNS_ORDERS}`
    return { code: 'SIGNATURE_SIGNER_UNAUTHORIZED', message, facts: shown }
  }
  if (facts.order_nonces.has(nonceKey(order))) {
    const message = `order_nonce ${signature.order_nonce} of signer ${signature.signer} was used before`
    return { code: 'REPLAY_ORDER_NONCE_REUSED', message }
  }
  if (intent.time_in_force !== 'GTD' || intent.expires_at === null || intent.expires_at > now) return null
  const message = `expires_at is ${formatMicros(intent.expires_at)}; allowed: after ${formatMicros(now)}, the engine's clock`
  return { code: 'SIGNATURE_ORDER_EXPIRED', message, facts: shown }
}

/** Records the order's nonce as used, for ever. */
export function useOrderNonce({ changes, now }: Execution, facts: Facts, order: SignedOrder): void {
  const { signer, order_nonce: nonce } = order.signature
  facts.order_nonces.add(nonceKey(order))
  changes.order_nonces.push({ account_id: order.intent.account_id, signer, nonce, at: now })
}

/**
 * Whether a signer may sign orders: the account's owner, or whom an authorization in force names whose scopes include orders:write,
 * through a key that is active. An authorization's scopes are its key's, since the owner signs their hash.
 */
function maySign({ accounts, keys }: EngineState, account_id: string, signer: string, now: number): boolean {
  const account = accounts.get(account_id)
  if (account === undefined) return false
  if (account.owner_address === signer) return true
  return account.authorizations.some((authorization) => {
    if (authorization.signer !== signer || isOver(authorization.expires_at, now)) return false
    const key = keys.get(authorization.api_key_id)
    return key?.scopes.includes(SIGNS_ORDERS) === true && key.revoked_at === null && !isOver(key.expires_at, now)
  })
}

/** Scope of keys whose signers may sign orders. */
export const SIGNS_ORDERS: Scope = 'orders:write'

function nonceKey({ intent, signature }: SignedOrder): string {
  return `${intent.account_id} ${signature.signer} ${signature.order_nonce}`
}
