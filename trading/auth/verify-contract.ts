import type { ErrorFacts } from '../../primitives/errors.ts'
import { encodedType, type Hex, type TypedMessage } from '../../protocol/signing/typed-data.ts'
import type { Refusal } from '../engine/submission.ts'
import type { Chain } from './json-rpc.ts'
import { bytesOf, hexOf } from './keccak.ts'
import { invalidSignature, signatureMismatch } from './signature-refusals.ts'
import type { Found, TypedSubject } from './typed-subject.ts'

/** Selector of isValidSignature(bytes32,bytes), also its answer for "valid" (ERC-1271). */
const SELECTOR = '1626ba7e'
const VALID = `0x${SELECTOR}${'0'.repeat(56)}`

/** Answer of a smart account about a signature, kept with what was signed. */
type ContractVerdict = {
  readonly valid: boolean
  readonly contract_call: { readonly block_number: string; readonly result: string }
}

/**
 * Asks a smart account at the newest block whether a signature is its own.
 * @param signature  hex with 0x, of any length
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
async function askContract(
  chain: Chain,
  contract: string,
  digest: string,
  signature: string,
): Promise<ContractVerdict> {
  const block_number = await chain.blockNumber()
  const result = (await chain.call(contract, callData(digest, signature), block_number)) ?? 'reverted'
  const word = result.slice(0, 66)
  return { valid: word === VALID, contract_call: { block_number, result: word } }
}

/** Encodes the call: selector, digest, offset of the bytes, their length, the bytes padded to whole words. */
function callData(digest: string, signature: string): string {
  const bytes = bytesOf(signature)
  const length = bytes.length.toString(16).padStart(64, '0')
  const filled = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')
  return `0x${SELECTOR}${digest.slice(2)}${'40'.padStart(64, '0')}${length}${filled}`
}

/** Accepted contract signatures: hex of at most 8192 bytes. */
const CONTRACT_SIGNATURE = /^0x([0-9a-fA-F]{2}){0,8192}$/

/**
 * Verifies a signature with the smart account that must have made it.
 * @param chain  null: smart accounts are not supported
 * @param facts  facts added to every refusal
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
  const answer = result === '0x' ? 'nothing (no contract at this address)' : result
  const sentence = `${subject.field} does not belong to ${subject.signer}, whose isValidSignature answered ${answer}`
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

/** Refuses a nested signature made for another domain or message, before the wallet is asked. */
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

/** Parts of an ERC-7739 nested signature that name what it was made for. */
type NestedSignature = {
  readonly app_domain_separator: Hex
  /** Struct hash of the message. */
  readonly contents_hash: Hex
  /** Type string of the message, followed by its name in the explicit mode. */
  readonly contents_description: string
}

/**
 * Splits `signature ‖ domain separator ‖ contents hash ‖ contents description ‖ length (2 bytes)`; null for any other layout.
 * @param text  hex with 0x
 */
function nestedSignature(text: string): NestedSignature | null {
  const bytes = bytesOf(text)
  if (bytes.length < 2) return null
  const description_end = bytes.length - 2
  const description_start = description_end - bytes.readUInt16BE(description_end)
  // The signature itself must not be empty.
  if (description_start === description_end || description_start <= 64) return null
  return {
    app_domain_separator: hexOf(bytes.subarray(description_start - 64, description_start - 32)),
    contents_hash: hexOf(bytes.subarray(description_start - 32, description_start)),
    contents_description: bytes.subarray(description_start, description_end).toString('utf8'),
  }
}
