import type { AuthMessage } from '../../protocol/stream/client-messages.ts'
import { type RequestKey, signRequest } from './sign-request.ts'

/**
 * The message that makes a connection one of the key's: a request with the method WS and the path /v1/ws is signed, without query
 * and body.
 * @param at `id` is repeated in the answer; `timestamp_ms` is Unix epoch milliseconds, the present by default
 */
export function signStreamAuth(
  key: RequestKey,
  at: { readonly id: string; readonly timestamp_ms?: number; readonly nonce?: string },
): AuthMessage {
  const { id, ...when } = at
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
