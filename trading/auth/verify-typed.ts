import type { ErrorFacts } from '../../primitives/errors.ts'
import type { TypedMessage } from '../../protocol/signing/typed-data.ts'
import { checkedEoaSignature } from './eoa-signature.ts'
import type { Chain } from './json-rpc.ts'
import { hexOf } from './keccak.ts'
import type { Recovery } from './recovery.ts'
import { invalidSignature, refusedUnseen, signatureMismatch } from './signature-refusals.ts'
import type { Found, SignatureOutcome, TypedSubject } from './typed-subject.ts'
import { verifyContract } from './verify-contract.ts'

/**
 * Verifies a signature of any declared type over a message.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no verdict can be reached now
 */
export async function verifyTyped<M extends TypedMessage>(
  subject: TypedSubject<M>,
  ports: { readonly recovery: Recovery; readonly chain: () => Chain | null },
): Promise<SignatureOutcome> {
  const { hasher, message, signer, parts } = subject
  const digest_bytes = hasher.digest(message)
  const digest = hexOf(digest_bytes)
  const facts = { digest, domain_separator: hasher.domain_separator, expected_signer: signer }
  const refused = refusedUnseen(subject, facts)
  if (refused !== null) return { digest, signer, verdict: refused, contract_call: null }
  const found =
    parts.signature_type === 'eoa'
      ? await verifyEoa(subject, ports.recovery, digest_bytes, facts)
      : await verifyContract(subject, ports.chain(), digest, facts)
  return { digest, signer, ...found }
}

async function verifyEoa<M extends TypedMessage>(
  subject: TypedSubject<M>,
  recovery: Recovery,
  digest: Uint8Array,
  facts: ErrorFacts,
): Promise<Found> {
  const { field, parts, signer } = subject
  const signature = checkedEoaSignature(parts.signature)
  if (typeof signature === 'string') return invalid(field, signature, facts)
  const recovered = await recovery.recover(digest, signature)
  if (recovered === null) return invalid(field, 'no key can have made it', facts)
  if (recovered === signer) return { verdict: null, contract_call: null }
  const sentence = `${field} is not by ${signer} over the message that the body describes; it recovers to ${recovered}`
  return {
    verdict: signatureMismatch(subject, sentence, { ...facts, recovered_signer: recovered }),
    contract_call: null,
  }
}

function invalid(field: string, reason: string, facts: ErrorFacts): Found {
  return { verdict: invalidSignature(field, reason, facts), contract_call: null }
}
