import { hmac } from '@noble/hashes/hmac'
import { sha256 } from '@noble/hashes/sha2'
import { parseStrictText } from '../../primitives/strict-json.ts'
import { WEBHOOKS } from '../../protocol/limits.ts'
import { signedWebhookText, WEBHOOK_HEADERS, WEBHOOK_SECRET_PREFIX } from '../../protocol/signing/webhook-signature.ts'
import type { WebhookEvent } from '../contract/types.ts'
import { refusedArgument } from '../given.ts'
import { utf8 } from '../platform.ts'

type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { readonly get: (name: string) => string | null }

/** A delivery as it was received. */
export type ReceivedWebhook = {
  /** Names in lower case, as Node gives them, or the `Headers` of a fetch request. */
  readonly headers: ReceivedHeaders
  /** The bytes of the body, or their text, exactly as received. */
  readonly body: string | Uint8Array
  /** `whsec_...`; during a rotation also both secrets: one must match. */
  readonly secret: string | readonly string[]
  /** Default: the clock of this machine. */
  readonly now_ms?: number
}

/** Why a delivery is not accepted. */
export type WebhookRefusal =
  | 'headers_missing'
  | 'secret_malformed'
  | 'timestamp_out_of_tolerance'
  | 'signature_mismatch'
  | 'body_malformed'

export type VerifiedWebhook =
  | { readonly verified: true; readonly event: WebhookEvent }
  | { readonly verified: false; readonly reason: WebhookRefusal }

/**
 * Verifies that a delivery was signed with the secret within the last five minutes, and returns its event. Events may arrive more
 * than once: `event_id` tells. Signatures are compared in constant time.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: the body was parsed before
 */
export function verifyWebhook({ headers, body, secret, now_ms = Date.now() }: ReceivedWebhook): VerifiedWebhook {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw refusedArgument(
      'body',
      body,
      'the bytes of the body as they were received, or their text, before a JSON parser',
    )
  const id = headerOf(headers, WEBHOOK_HEADERS.id)
  const timestamp_s = headerOf(headers, WEBHOOK_HEADERS.timestamp)
  const signatures = headerOf(headers, WEBHOOK_HEADERS.signature)
  if (id === null || timestamp_s === null || signatures === null) return refused('headers_missing')
  const age_s = Math.abs(now_ms / 1000 - Number(timestamp_s))
  if (!/^\d{1,12}$/.test(timestamp_s) || age_s > WEBHOOKS.tolerance_s) return refused('timestamp_out_of_tolerance')
  const keys = (typeof secret === 'string' ? [secret] : secret).map(keyOf)
  if (keys.length === 0 || keys.includes(null)) return refused('secret_malformed')
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const signed = signedWebhookText(id, timestamp_s, text)
  if (!keys.some((key) => isSignedBy(key!, signed, signatures))) return refused('signature_mismatch')
  const event = parsed(text)
  return event === null || event.event_id !== id ? refused('body_malformed') : { verified: true, event }
}

/** Returns a header that was given once; null: it was not. */
function headerOf(headers: ReceivedHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name)
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name]
  const [first, ...others] = typeof value === 'string' ? [value] : (value ?? [])
  return first === undefined || others.length > 0 ? null : first
}

function refused(reason: WebhookRefusal): VerifiedWebhook {
  return { verified: false, reason }
}

function keyOf(secret: string): Uint8Array | null {
  const text = secret.startsWith(WEBHOOK_SECRET_PREFIX) ? secret.slice(WEBHOOK_SECRET_PREFIX.length) : ''
  return /^[A-Za-z0-9+/]{32,}={0,2}$/.test(text) ? base64Bytes(text) : null
}

function isSignedBy(key: Uint8Array, signed: string, signatures: string): boolean {
  const expected = `v1,${btoa(String.fromCharCode(...hmac(sha256, key, utf8(signed))))}`
  return signatures.split(' ').some((text) => areEqual(text, expected))
}

/** Compares texts in a time that depends on their length alone. */
function areEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

/** @returns null: the text is not base64 */
function base64Bytes(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function parsed(text: string): WebhookEvent | null {
  try {
    const value = parseStrictText(text)
    return typeof value === 'object' && value !== null && 'event_id' in value ? (value as WebhookEvent) : null
  } catch {
    return null
  }
}
