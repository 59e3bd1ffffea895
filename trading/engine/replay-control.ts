import { refused } from './answers.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import type { Answer, SignedOrder, WriteIdentity } from './submission.ts'

/**
 * Runs stage 3 of a write: its request nonce, then its Idempotency-Key. A new nonce is used up at once.
 * @returns the answer if the write ends here, refused or repeated; else null
 */
export function passReplayControl(execution: Execution, facts: Facts, identity: WriteIdentity): Answer | null {
  const { key_id, nonce, body_hash } = identity
  const nonce_key = `${key_id} ${nonce}`
  if (facts.request_nonces.has(nonce_key)) {
    return refused({ code: 'REPLAY_REQUEST_NONCE_REUSED', message: `nonce ${nonce} was used by key ${key_id} before` })
  }
  facts.request_nonces.add(nonce_key)
  execution.changes.request_nonces.push({ key_id, nonce, at: execution.now })
  const kept = facts.answers.get(answerKey(identity))
  if (kept === undefined) return null
  if (kept.body_hash === body_hash) return { ...kept.answer, replayed: true }
  return refused({
    code: 'IDEMPOTENCY_CONFLICT',
    message: `Idempotency-Key ${identity.idempotency_key} was used with another body; a new request needs a new key`,
  })
}

/** Keeps the answer to a write for its repetition. */
export function keepAnswer(execution: Execution, facts: Facts, identity: WriteIdentity, answer: Answer): void {
  const { account_id, method, path, idempotency_key, body_hash } = identity
  const { status, data, error, location } = answer
  facts.answers.set(answerKey(identity), { body_hash, answer: { status, data, error, location } })
  execution.changes.answers.push({
    account_id,
    method,
    path,
    idempotency_key,
    body_hash,
    status,
    data,
    error,
    location,
    at: execution.now,
  })
}

/**
 * Ends stage 3: refuses a client_order_id that an order of the account has. Nothing is recorded.
 * @param account_id the caller's, whatever account the order names, so that other accounts' ids stay private
 */
export function duplicateClientId(facts: Facts, account_id: string, { intent }: SignedOrder) {
  const { client_order_id } = intent
  const order_id = facts.client_order_ids.get(`${account_id} ${client_order_id}`)
  if (order_id === undefined) return null
  const message = `client_order_id ${client_order_id} is that of order ${order_id}, which works or ended less than 7 days ago`
  return { code: 'ORDER_DUPLICATE_CLIENT_ID', message } as const
}

function answerKey({ account_id, method, path, idempotency_key }: WriteIdentity): string {
  return `${account_id} ${method} ${path} ${idempotency_key}`
}
