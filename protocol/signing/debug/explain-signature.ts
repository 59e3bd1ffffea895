import { ed25519 } from '@noble/curves/ed25519'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils'
import { notAllowed } from '../../../primitives/errors.ts'
import { type Recover, recoverAddress } from './eoa-form.ts'
import { explainRequest, type RequestFacts, type TextCheck } from './explain-request.ts'
import { explainTyped } from './explain-typed.ts'
import type { ExplainedSignature } from './report.ts'
import type { Sent } from './sent.ts'

/**
 * Explains each signature of what was sent: that of the request, then those of the messages in its body. It needs no secret: the
 * public key decides about Ed25519, the signature itself about an address, and the caller's own check about HMAC.
 * @param recover  left out: in JavaScript
 */
export function explainSignatures(
  sent: Sent,
  facts: RequestFacts,
  recover: Recover = recoverAddress,
): readonly ExplainedSignature[] {
  const { request, messages } = sent
  const of_request = request === null ? [] : [explainRequest(request, facts)]
  return [...of_request, ...messages.map((message) => explainTyped(message, facts, recover))]
}

/** Creates the check of an Ed25519 key. @throws {ServiceError} VALIDATION_USAGE_INVALID: it is not 64 hex digits */
export function ed25519Check(public_key: string): TextCheck {
  if (!/^[0-9a-f]{64}$/i.test(public_key))
    throw notAllowed(
      'VALIDATION_USAGE_INVALID',
      'public_key',
      `a text of ${public_key.length} characters`,
      '64 hex digits',
    )
  const key = hexToBytes(public_key.toLowerCase())
  return (text, signature) => {
    if (signature.length !== 128) return false
    try {
      return ed25519.verify(hexToBytes(signature), utf8ToBytes(text), key)
    } catch {
      return false
    }
  }
}
