import { checkedObject, checkedText } from '../given.ts'
import { type RequestKey, signRequest } from './sign-request.ts'

/** Message that authenticates a connection. */
export type AuthMessage = {
  readonly op: 'auth'
  readonly id: string
  readonly key_id: string
  readonly timestamp: string
  readonly nonce: string
  readonly signature_version: 'v1'
  readonly signature: string
}

/**
 * Signs the authentication message of a stream connection, like a request with method WS and path /v1/ws, without query and body.
 * @param at `id` is repeated in the answer; `timestamp_ms` is Unix epoch milliseconds, default: now
 */
export function signStreamAuth(
  key: RequestKey,
  at: { readonly id: string; readonly timestamp_ms?: number; readonly nonce?: string },
): AuthMessage {
  const { id, ...when } = checkedObject(at, 'at')
  checkedText(id, 'id')
  const signed = signRequest({ method: 'WS', target: '/v1/ws', ...when }, key)
  return {
    op: 'auth',
    id,
    key_id: signed['SVC-Access-Key'],
    timestamp: signed['SVC-Access-Timestamp'],
    nonce: signed['SVC-Access-Nonce'],
    signature_version: signed['SVC-Access-Signature-Version'] as AuthMessage['signature_version'],
    signature: signed['SVC-Access-Signature'],
  }
}
