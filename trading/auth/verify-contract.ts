import type { ErrorFacts } from '../../primitives/errors.ts'
import { encodedType, type Hex, type TypedMessage } from '../../protocol/signing/typed-data.ts'
import type { Refusal } from '../engine/submission.ts'
import { askContract } from './contract-signature.ts'
import type { Chain } from './json-rpc.ts'
import { hexOf } from './keccak.ts'
import { nestedSignature } from './nested-signature.ts'
import { invalidSignature, signatureMismatch } from './signature-refusals.ts'
import type { Found, TypedSubject } from './typed-subject.ts'

/** Bytes of the longest signature that a contract is asked about, as hex. */
const CONTRACT_SIGNATURE = /^0x([0-9a-fA-F]{2}){0,8192}$/

/**
 * Whether a smart account takes a signature as its own.
 * @param chain  null: smart accounts are not supported
 * @param facts  of every refusal
 * @throws {ServiceError} SERVICE_UNAVAILABLE: the chain cannot be asked now
 */
export async function verifyContract<M extends TypedMessage>(
  subject: TypedSubject<M>,
  chain: Chain | null,
  digest: Hex,
  facts: ErrorFacts,
): Promise<Found> {
  const refused = refusedUncalled(subject, chain, facts)
  if (refused !== null || chain === null) return { verdict: refused, contract_call: null }
  const { valid, contract_call } = await askContract(chain, subject.signer, digest, subject.parts.signature)
  if (valid) return { verdict: null, contract_call }
  const { result } = contract_call
  const said = result === '0x' ? 'nothing (there is no such contract)' : result
  const sentence = `${subject.field} is none of ${subject.signer}, whose isValidSignature answered ${said}`
  return { verdict: signatureMismatch(subject, sentence, { ...facts, contract_result: result }), contract_call }
}

function refusedUncalled<M extends TypedMessage>(
  subject: TypedSubject<M>,
  chain: Chain | null,
  facts: ErrorFacts,
): Refusal | null {
  const { signature, signature_type } = subject.parts
  if (chain === null) {
    const message = `signature_type is ${signature_type}; allowed: eoa (this service asks no chain)`
    return { code: 'SIGNATURE_TYPE_UNSUPPORTED', message, facts }
  }
  if (!CONTRACT_SIGNATURE.test(signature))
    return invalidSignature(subject.field, 'allowed: 0x and the hex of at most 8192 bytes', facts)
  return signature_type === 'erc1271_erc7739' ? refusedNested(subject, facts) : null
}

/** A nested signature names the domain and the message that it was made for: they are compared before the wallet is asked. */
function refusedNested<M extends TypedMessage>(subject: TypedSubject<M>, facts: ErrorFacts): Refusal | null {
  const { hasher, type, message, field, parts } = subject
  const nested = nestedSignature(parts.signature)
  if (nested === null)
    return invalidSignature(field, 'allowed: a signature wrapped as ERC-7739 says (nested TypedDataSign)', facts)
  const { app_domain_separator, contents_hash, contents_description } = nested
  const description = encodedType(type)
  const described = [description, `${description}${type.name}`].includes(contents_description)
  const found = { ...facts, signed_domain_separator: app_domain_separator, contents_hash }
  const other = (what: string) => signatureMismatch(subject, `${field} was made for another ${what}`, found)
  if (app_domain_separator !== hasher.domain_separator) return other('domain')
  if (!described) return other('type of message')
  return contents_hash === hexOf(hasher.structHash(message)) ? null : other('message')
}
