/**
 * Signatures of webhooks as the public scheme Standard Webhooks defines them: HMAC-SHA256 over id, timestamp and body, in base64
 * after `v1,`; several signatures, of which one must match, are separated by a space.
 */

/** Beginning of a secret; what follows is the key in base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'

export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/** Text that is signed. @param timestamp_s Unix seconds, as in the header */
export function signedWebhookText(id: string, timestamp_s: string, body: string): string {
  return `${id}.${timestamp_s}.${body}`
}
