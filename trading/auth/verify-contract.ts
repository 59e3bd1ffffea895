import type { ErrorFacts } from '../../primitives/errors.ts'
import { encodedType, type Hex, type TypedMessage } from '../../protocol/signing/typed-data.ts'
import type { Refusal } from '../engine/submission.ts'
import type { Chain } from './json-rpc.ts'
import { bytesOf, hexOf } from './keccak.ts'
import { invalidSignature, signatureMismatch } from './signature-refusals.ts'
import type { Found, TypedSubject } from './typed-subject.ts'

/** Selector of isValidSignature(bytes32,bytes), which is also what it answers for "valid" (ERC-1271). */
const SELECTOR = '1626ba7e'
const VALID = `0x${SELECTOR}${'0'.repeat(56)}`

/** A smart account's answer about a signature, to be kept with what was signed. */
export type ContractVerdict = {
  readonly valid: boolean
  readonly contract_call: { readonly block_number: string; readonly result: string }
}

/**
 * Asks a smart account whether a signature is its own, at the newest block.
 * @param signature  hex with 0x, of any length
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
export async function askContract(
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

/** The selector, the digest, the place of the bytes, their length, and they filled up to whole words. */
function callData(digest: string, signature: string): string {
  const bytes = bytesOf(signature)
  const length = bytes.length.toString(16).padStart(64, '0')
  const filled = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')
  return `0x${SELECTOR}${digest.slice(2)}${'40'.padStart(64, '0')}${length}${filled}`
}

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

/** What a signature of ERC-7739's nested workflow says that it was made for. */
export type NestedSignature = {
  readonly app_domain_separator: Hex
  /** Struct hash of the message. */
  readonly contents_hash: Hex
  /** Type string of the message, followed by its name in the explicit mode. */
  readonly contents_description: string
}

/**
 * Takes apart `signature ‖ domain separator ‖ contents hash ‖ contents description ‖ length (2 bytes)`; null where it is none such.
 * @param text  hex with 0x
 */
export function nestedSignature(text: string): NestedSignature | null {
  const bytes = bytesOf(text)
  if (bytes.length < 2) return null
  const description_end = bytes.length - 2
  const description_start = description_end - bytes.readUInt16BE(description_end)
  // Something is left for the signature itself.
  if (description_start === description_end || description_start <= 64) return null
  return {
    app_domain_separator: hexOf(bytes.subarray(description_start - 64, description_start - 32)),
    contents_hash: hexOf(bytes.subarray(description_start - 32, description_start)),
    contents_description: bytes.subarray(description_start, description_end).toString('utf8'),
  }
}
